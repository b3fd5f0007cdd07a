#include <articula/base/group.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include <articula/base/text.h>

namespace articula::base {
namespace {

constexpr std::size_t least = 3, most_named = 4;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The message without its quoted names and numbers.
std::string pattern(std::string_view message) {
  std::string kept;
  for (std::size_t k = 0; k < message.size(); ++k) {
    const char c = message[k];
    if (c == '"') {
      for (++k; k < message.size() && message[k] != '"'; ++k) k += message[k] == '\\' ? 1 : 0;
      kept += '"';
    } else if (is_digit(c)) {
      while (k + 1 < message.size() && (is_digit(message[k + 1]) || message[k + 1] == '.')) ++k;
      kept += '0';
    } else {
      kept += c;
    }
  }
  return kept;
}

/// What a message is about: `joint "elbow"`.
std::string subject_of(const Finding& finding) {
  const std::size_t quote = finding.message.find('"');
  if (quote == std::string::npos) return "";
  std::size_t end = quote + 1;
  while (end < finding.message.size() && finding.message[end] != '"') end += finding.message[end] == '\\' ? 2 : 1;
  return finding.message.substr(0, std::min(end + 1, finding.message.size()));
}

struct Group {
  std::size_t count = 0;
  std::vector<std::string> subjects;  ///< different ones, in their order, up to one more than are named
};

}  // namespace

Findings grouped(const Findings& findings) {
  using Key = std::tuple<Severity, std::string, std::string, std::string>;
  const auto key = [](const Finding& f) { return Key(f.severity, f.code, f.where.file, pattern(f.message)); };
  std::map<Key, Group> groups;
  for (const Finding& finding : findings) {
    if (finding.severity == Severity::error) continue;
    Group& group = groups[key(finding)];
    ++group.count;
    std::string subject = subject_of(finding);
    const bool known = std::find(group.subjects.begin(), group.subjects.end(), subject) != group.subjects.end();
    if (!known && group.subjects.size() <= most_named) group.subjects.push_back(std::move(subject));
  }
  Findings shown;
  for (const Finding& finding : findings) {
    if (finding.severity == Severity::error) {
      shown.push_back(finding);
      continue;
    }
    Group& group = groups[key(finding)];
    if (group.count == 0) continue;
    shown.push_back(finding);
    if (group.count < least) continue;
    std::string names;
    for (std::size_t k = 0; group.subjects.size() > 1 && k < std::min(group.subjects.size(), most_named); ++k) {
      names += concat(k == 0 ? ": " : ", ", group.subjects[k]);
    }
    if (group.subjects.size() > most_named) names += ", ...";
    shown.back().message += concat(" (", group.count, " of this kind", names, ")");
    group.count = 0;
  }
  return shown;
}

}  // namespace articula::base
