#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include <articula/base/findings.h>

namespace articula::study {

/// Calls functions that may throw an Error, and collects the errors, so that all of them are reported together.
///
///     Attempts attempts;
///     auto a = attempts([&] { return make_a(); });   // std::optional
///     auto b = attempts([&] { return make_b(); });
///     attempts.finish();                             // throws the errors of both
class Attempts {
 public:
  /// The result of `make`, or nothing if it threw. For functions without a result: whether they succeeded.
  template <class Make>
  auto operator()(Make&& make) {
    using Made = std::invoke_result_t<Make>;
    if constexpr (std::is_void_v<Made>) {
      return run([&] {
               make();
               return true;
             })
          .has_value();
    } else {
      return run(std::forward<Make>(make));
    }
  }

  const Findings& errors() const { return errors_; }
  /// Throws an Error with all errors, if there are any.
  void finish() const { throw_if_errors(errors_); }

 private:
  template <class Make>
  std::optional<std::invoke_result_t<Make>> run(Make&& make) {
    try {
      return make();
    } catch (const Error& error) {
      add_findings(errors_, error.errors());
      return std::nullopt;
    }
  }

  Findings errors_;
};

}  // namespace articula::study
