#include <articula/text/internal/yaml_log.h>

#include <utility>

#include <articula/base/findings.h>
#include <articula/base/text.h>

namespace articula::text {

/// Shortens the middle of a message that quotes a very long value.
static std::string readable(std::string message) {
  constexpr std::size_t longest = 2000, head = 1200, tail = 600;
  if (message.size() <= longest) return message;
  const auto continues = [&](std::size_t k) { return (static_cast<unsigned char>(message[k]) & 0xc0) == 0x80; };
  std::size_t first = head, last = message.size() - tail;
  while (continues(first)) --first;
  while (last < message.size() && continues(last)) ++last;
  return concat(std::string_view(message).substr(0, first), " … ", std::string_view(message).substr(last));
}

void YamlLog::error(std::string code, Where where, std::string message) {
  errors_.push_back({Severity::error, std::move(code), where, readable(std::move(message))});
  if (errors_.size() < most_errors) return;
  fail("too-many-errors", std::move(where), concat("reading stops after ", most_errors, " errors. Mend these first."));
}

void YamlLog::warning(std::string code, Where where, std::string message) {
  if (strict_) return error(std::move(code), std::move(where), std::move(message));
  add_finding(findings_, {Severity::warning, std::move(code), std::move(where), std::move(message)});
}

void YamlLog::add(const Error& thrown, const Where& where) {
  for (const Finding& each : thrown.errors()) {
    const bool placed = each.where.line > 0 || !each.where.file.empty();
    error(each.code, placed ? each.where : where, each.message);
  }
}

void YamlLog::fail(std::string code, Where where, std::string message) {
  errors_.push_back({Severity::error, std::move(code), std::move(where), readable(std::move(message))});
  throw Error(errors_);
}

}  // namespace articula::text
