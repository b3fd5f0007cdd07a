#include <articula/text/internal/yaml_spot.h>

#include <algorithm>
#include <numeric>

#include <articula/base/text.h>

namespace articula::text {

std::string what_stands(const YamlNode& node) {
  if (node.is_sequence()) return "a list";
  if (node.is_mapping()) return "a mapping";
  return node.text().empty() && node.is_plain() ? "empty" : quoted(node.text());
}

std::string Spot::path() const {
  if (outer_ == nullptr) return "";
  std::string text = outer_->path();
  if (entry_ > 0) return concat(text, " #", entry_);
  return concat(text, text.empty() ? "" : ".", label_);
}

std::string Spot::about() const {
  std::string text;
  if (!subject.kind.empty()) text = concat(subject.kind, " ", quoted(subject.name));
  const std::string inner = path();
  return concat(text, text.empty() || inner.empty() ? "" : ": ", inner);
}

/// A finding about the whole file has no subject before the colon.
static std::string sentence(const std::string& about, std::string_view what) {
  if (about.empty() && what.starts_with(": ")) what.remove_prefix(2);
  return concat(about, what);
}

void Spot::error_at(const YamlNode& place, std::string code, std::string_view what) const {
  subject.log.error(std::move(code), {subject.file, place.line()}, sentence(about(), what));
}

void Spot::warning(std::string code, std::string_view what) const {
  subject.log.warning(std::move(code), where(), sentence(about(), what));
}

void Spot::wrong_type(std::string_view needed) const {
  const std::string whole = about();
  error("value-type", concat(whole.empty() ? "the text" : "", " is ", what_stands(node), ". ", needed));
}

static constexpr std::size_t longest_short = 16;

Keys::Keys(const Spot& mapping, std::string_view needed) : mapping_(mapping) {
  if (mapping.node.is_null()) return;
  if (!mapping.node.is_mapping()) {
    ok_ = false;
    mapping.wrong_type(needed);
    return;
  }
  size_ = mapping.node.size();
  if (size_ <= longest_short) return;
  used_long_.resize(size_);
  sorted_.resize(size_);
  std::iota(sorted_.begin(), sorted_.end(), std::uint32_t{0});
  const YamlNode node = mapping.node;
  std::sort(sorted_.begin(), sorted_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return node.key(a).text() < node.key(b).text(); });
}

int Keys::place(std::string_view key) const {
  const YamlNode node = mapping_.node;
  if (sorted_.empty()) {
    for (std::size_t k = 0; k < size_; ++k) {
      if (node.key(k).text() == key) return static_cast<int>(k);
    }
    return -1;
  }
  const auto found =
      std::lower_bound(sorted_.begin(), sorted_.end(), key,
                       [&](std::uint32_t k, std::string_view wanted) { return node.key(k).text() < wanted; });
  return found != sorted_.end() && node.key(*found).text() == key ? static_cast<int>(*found) : -1;
}

bool Keys::is_used(std::size_t pair) const { return sorted_.empty() ? (used_ >> pair & 1) != 0 : used_long_[pair]; }

std::optional<Spot> Keys::find(std::string_view key) {
  const int found = place(key);
  if (found < 0) return std::nullopt;
  const auto pair = static_cast<std::size_t>(found);
  if (!is_used(pair)) ++used_count_;
  if (sorted_.empty()) {
    used_ |= std::uint64_t{1} << pair;
  } else {
    used_long_[pair] = true;
  }
  return Spot(mapping_, mapping_.node.value(pair), mapping_.node.key(pair).text());
}

std::optional<Spot> Keys::find_unused(std::string_view key) {
  const int found = place(key);
  return found < 0 || is_used(static_cast<std::size_t>(found)) ? std::nullopt : find(key);
}

void Keys::finish(std::initializer_list<std::string_view> allowed) const {
  if (unused()) report_unknown({allowed.begin(), allowed.end()});
}

/// Inside braces, `mass: 3,0` is `mass: 3` and a key `0` without value. Returns the number that was meant, 3.0; empty
/// if pair k does not look like that.
static std::string meant_with_comma(const YamlNode& mapping, std::size_t k) {
  const auto is_digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (k == 0 || !mapping.value(k).is_null() || !mapping.value(k - 1).is_scalar()) return "";
  const std::string_view whole = mapping.value(k - 1).text(), fraction = mapping.key(k).text();
  if (!is_digits(fraction.substr(0, fraction.find(' ')))) return "";
  if (!is_digits(whole.substr(whole.starts_with('-') ? 1 : 0))) return "";
  return concat(whole, ".", fraction);
}

std::string unknown_key(std::string_view key, const std::vector<std::string>& allowed) {
  constexpr std::size_t all = 40;
  const auto guess = closest(key, allowed);
  return concat(": key ", quoted(key), " is not known here.",
                guess ? concat(" Did you mean ", quoted(*guess), "?") : "", " Allowed: ", list_of(allowed, all), ".");
}

void Keys::report_unknown(const std::vector<std::string>& allowed) const {
  for (std::size_t k = 0; k < size_; ++k) {
    if (is_used(k)) continue;
    const YamlNode key = mapping_.node.key(k);
    if (const std::string meant = meant_with_comma(mapping_.node, k); !meant.empty()) {
      const std::string_view before = mapping_.node.key(k - 1).text();
      mapping_.error_at(
          key, "number-invalid",
          concat(": ", before, " is \"", mapping_.node.value(k - 1).text(), ",", key.text(),
                 "\", which is not a number. The decimal mark is a point: write ", before, ": ", meant, "."));
      continue;
    }
    mapping_.error_at(key, "key-unknown", unknown_key(key.text(), allowed));
  }
}

}  // namespace articula::text
