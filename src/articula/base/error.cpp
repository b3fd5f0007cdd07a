#include <articula/base/error.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace articula::base {

std::string to_text(const Where& where) {
  if (where.line <= 0) return where.file;
  if (where.file.empty()) return "line " + std::to_string(where.line);
  return where.file + ":" + std::to_string(where.line);
}

std::string_view to_text(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "";
}

std::string to_text(const Finding& finding) {
  std::string text = to_text(finding.where);
  if (!text.empty()) text += ": ";
  return text + finding.message + "  [" + finding.code + "]";
}

static bool is_error(const Finding& finding) { return finding.severity == Severity::error; }

bool has_errors(const Findings& findings) { return std::any_of(findings.begin(), findings.end(), is_error); }

Error::Error(std::string code, Where where, std::string message)
    : Error(Findings{{Severity::error, std::move(code), std::move(where), std::move(message)}}) {}

Error::Error(const Findings& findings) {
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(errors_), is_error);
  for (const Finding& error : errors_) {
    if (!text_.empty()) text_ += '\n';
    text_ += to_text(error);
  }
}

void throw_if_errors(const Findings& findings) {
  if (has_errors(findings)) throw Error(findings);
}

}  // namespace articula::base
