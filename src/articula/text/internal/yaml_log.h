#pragma once

#include <string>

#include <articula/base/error.h>

namespace articula::text {

/// Collects the errors in a text, up to a maximum, so that users can fix them together.
class YamlLog {
 public:
  static constexpr std::size_t most_errors = 100;

  /// Warnings are added to `findings`; if `strict`, they are errors.
  explicit YamlLog(Findings& findings, bool strict = false) : findings_(findings), strict_(strict) {}

  /// Throws all errors so far if there are too many.
  void error(std::string code, Where where, std::string message);
  void warning(std::string code, Where where, std::string message);

  /// Adds the errors of an exception, at `where` if they have no location.
  void add(const Error& error, const Where& where);

  bool has_errors() const { return !errors_.empty(); }
  void throw_if_errors() const { base::throw_if_errors(errors_); }

  /// Throws all errors so far, and a last one after which reading cannot continue.
  [[noreturn]] void fail(std::string code, Where where, std::string message);

 private:
  Findings& findings_;
  Findings errors_;
  bool strict_;
};

}  // namespace articula::text
