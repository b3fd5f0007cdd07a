#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::base {

/// A place in a text: a file and a line, either of which may be unknown (empty, 0).
struct Where {
  std::string file;
  int line = 0;
};

/// "arm.urdf:41", "arm.urdf", "line 41" or "".
ARTICULA_EXPORT std::string to_text(const Where& where);

enum class Severity { note, warning, error };

ARTICULA_EXPORT std::string_view to_text(Severity severity);

/// A finding about a user's input: its severity, a stable code, its place, and what to do about it.
///
/// The message reads: what is wrong, with the value. What is allowed. What to do.
/// Every code is an anchor in docs/errors.md.
struct Finding {
  Severity severity = Severity::error;
  std::string code;
  Where where;
  std::string message;
};

/// "arm.urdf:41: joint "elbow": axis is (0, 0, 0). ...  [joint-axis-zero]"
ARTICULA_EXPORT std::string to_text(const Finding& finding);

using Findings = std::vector<Finding>;

ARTICULA_EXPORT bool has_errors(const Findings& findings);

/// Invalid input from a user. Contains all errors that were found, so that they can be fixed together.
class ARTICULA_EXPORT Error : public std::exception {
 public:
  Error(std::string code, Where where, std::string message);

  /// Discards the notes and warnings in `findings`. @pre has_errors(findings)
  explicit Error(const Findings& findings);

  const char* what() const noexcept override { return text_.c_str(); }

  /// The first error's code, place and message.
  const std::string& code() const { return errors_.front().code; }
  const Where& where() const { return errors_.front().where; }
  const std::string& message() const { return errors_.front().message; }

  const Findings& errors() const { return errors_; }

 private:
  Findings errors_;
  std::string text_;
};

/// Throws an Error with all errors in `findings`, if there are any.
ARTICULA_EXPORT void throw_if_errors(const Findings& findings);

}  // namespace articula::base
