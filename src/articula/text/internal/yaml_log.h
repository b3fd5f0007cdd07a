#pragma once

#include <string>

#include <articula/base/error.h>

namespace articula::text {

/// Collects the errors of a text, up to a maximum, so that all can be fixed together.
class YamlLog {
 public:
  static constexpr std::size_t most_errors = 100;

  /// Warnings go to `findings`; when strict they are errors.
  explicit YamlLog(Findings& findings, bool strict = false) : findings_(findings), strict_(strict) {}

  /// Throws all errors so far if there are too many.
  void error(std::string code, Where where, std::string message);
  void warning(std::string code, Where where, std::string message);

  /// Adds the errors of an exception, at `where` if they have no place.
  void add(const Error& error, const Where& where);

  bool has_errors() const { return !errors_.empty(); }
  void throw_if_errors() const { base::throw_if_errors(errors_); }

  /// Throws all errors so far, and one more after which reading cannot continue.
  [[noreturn]] void fail(std::string code, Where where, std::string message);

 private:
  Findings& findings_;
  Findings errors_;
  bool strict_;
};

}  // namespace articula::text
