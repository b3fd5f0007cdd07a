#pragma once

#include <string>

#include <articula/base/error.h>

namespace articula {

/// Gathers what is wrong with a text, so that all can be mended at once, up to as many as someone will read.
class YamlLog {
 public:
  static constexpr std::size_t most_errors = 100;

  /// Warnings go to `findings`; when strict they are errors.
  explicit YamlLog(Findings& findings, bool strict = false) : findings_(findings), strict_(strict) {}

  /// Throws all errors so far when they become too many.
  void error(std::string code, Where where, std::string message);
  void warning(std::string code, Where where, std::string message);

  /// Adds the errors of an exception that somebody else threw, at `where` when it knows no place.
  void add(const Error& error, const Where& where);

  bool has_errors() const { return !errors_.empty(); }
  void throw_if_errors() const { articula::throw_if_errors(errors_); }

  /// All errors so far, and one more after which reading cannot go on.
  [[noreturn]] void fail(std::string code, Where where, std::string message);

 private:
  Findings& findings_;
  Findings errors_;
  bool strict_;
};

}  // namespace articula
