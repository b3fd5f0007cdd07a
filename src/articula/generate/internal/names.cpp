#include <articula/generate/internal/names.h>

#include <algorithm>

namespace articula::generate {

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string identifier(std::string_view name) {
  constexpr std::size_t longest = 48;
  std::string text;
  for (const char c : name.substr(0, longest)) text += is_letter(c) || is_digit(c) ? c : '_';
  if (text.empty() || !is_letter(text[0])) text.insert(0, "m");
  return text;
}

std::string comment_text(std::string_view name) {
  constexpr std::size_t longest = 120;
  constexpr std::string_view plain = " _.,:;+-=()[]{}<>#!$%&@^|~";
  constexpr char digits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : name.substr(0, longest)) {
    if (is_letter(c) || is_digit(c) || plain.find(c) != std::string_view::npos) {
      text += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      text += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    }
  }
  return name.size() > longest ? text + "..." : text;
}

}  // namespace articula::generate
