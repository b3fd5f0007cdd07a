#include <articula/base/findings.h>

#include <charconv>
#include <string_view>
#include <utility>

#include <articula/base/text.h>

namespace articula::base {
namespace {

constexpr std::string_view before = "and ", after = " of this kind.";

/// How many a last finding counts; 0 for any other.
std::size_t counted(const Finding& finding) {
  const std::string_view message = finding.message;
  if (!message.starts_with(before) || !message.ends_with(after)) return 0;
  std::size_t count = 0;
  std::from_chars(message.data() + before.size(), message.data() + message.size(), count);
  return count;
}

void set_count(Finding& finding, std::size_t count) {
  finding.message = concat(before, count, " more ", to_text(finding.severity), count == 1 ? "" : "s", after);
}

}  // namespace

void add_finding(Findings& all, Finding finding) {
  const std::size_t more = counted(finding);
  std::size_t met = 0;
  for (auto each = all.rbegin(); each != all.rend() && met < most_findings; ++each) {
    if (each->severity != finding.severity || each->code != finding.code) continue;
    if (const std::size_t count = counted(*each); count > 0) return set_count(*each, count + (more > 0 ? more : 1));
    ++met;
  }
  if (met == most_findings && more == 0) {
    finding.where.line = 0;
    set_count(finding, 1);
  }
  all.push_back(std::move(finding));
}

void count_findings(Findings& all, Finding one, std::size_t count) {
  if (count == 0) return;
  one.where.line = 0;
  set_count(one, count);
  add_finding(all, std::move(one));
}

void add_findings(Findings& all, const Findings& more) {
  for (const Finding& finding : more) add_finding(all, finding);
}

std::size_t count_of(const Finding& finding) {
  const std::size_t count = counted(finding);
  return count > 0 ? count : 1;
}

}  // namespace articula::base
