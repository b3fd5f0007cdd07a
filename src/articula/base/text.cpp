#include <articula/base/text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <system_error>
#include <vector>

#include <articula/base/visible.h>

namespace articula::base {

std::string system_message(int error) { return std::generic_category().message(error); }

std::string number_text(double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string Quoted::operator()(std::string_view name) const {
  static constexpr std::string_view hex = "0123456789abcdef";
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += {'\\', c};
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      text += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
    } else {
      text += c;
    }
  }
  return concat('"', visible(text), '"');
}

std::string list_of(std::span<const std::string> names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    if (i > 0) text += ", ";
    // Bare, unless it holds what only quotes can show.
    const std::string shown = quoted(names[i]);
    text += shown.size() == names[i].size() + 2 ? names[i] : shown;
  }
  if (names.size() > most) text += concat(" and ", names.size() - most, " more");
  return text;
}

/// Levenshtein's distance, where swapping two neighbours is one edit too, one row at a time.
static std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), above(row), two_above(row);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above.swap(above), above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substituted});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row.back();
}

std::optional<std::string> closest(std::string_view name, std::span<const std::string> candidates) {
  // Long texts are not misspelt names, and many candidates need no table of distances each.
  constexpr std::size_t longest = 64, most = 2000;
  if (name.size() > longest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = 1 + std::max<std::size_t>(1, name.size() / 3);
  for (const std::string& candidate : candidates.first(std::min(most, candidates.size()))) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(name, candidate);
    const bool extends = name.size() >= 3 && candidate.starts_with(name);
    if (distance < best_distance || (extends && !best)) {
      best = candidate;
      best_distance = std::min(best_distance, distance);
    }
  }
  return best;
}

std::string choices(std::string_view name, std::string_view what, std::span<const std::string> candidates) {
  std::string text;
  if (const auto guess = closest(name, candidates)) text += concat(" Did you mean ", quoted(*guess), "?");
  if (candidates.empty()) return concat(text, " There are no ", what, ".");
  std::string title(what);
  if (title.front() >= 'a' && title.front() <= 'z') title.front() = static_cast<char>(title.front() - 'a' + 'A');
  return concat(text, " ", title, ": ", list_of(candidates), ".");
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const int bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(static_cast<std::size_t>(bytes));
  }
  return true;
}

}  // namespace articula::base
