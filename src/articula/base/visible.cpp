#include <articula/base/visible.h>

namespace articula::base {

static constexpr std::string_view hex = "0123456789abcdef";

Character first_character(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const int bytes = first >= 0xc2 && first < 0xe0   ? 2
                    : first >= 0xe0 && first < 0xf0 ? 3
                    : first >= 0xf0 && first < 0xf5 ? 4
                                                    : 0;
  if (bytes == 0 || text.size() < static_cast<std::size_t>(bytes)) return {};
  const unsigned char second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90) ||
      (first == 0xf4 && second >= 0x90)) {
    return {};
  }
  char32_t code = first & (0xffu >> (bytes + 1));
  for (int k = 1; k < bytes; ++k) {
    const unsigned char next = byte(static_cast<std::size_t>(k));
    if ((next & 0xc0) != 0x80) return {};
    code = code << 6 | (next & 0x3f);
  }
  return {code, bytes};
}

bool is_hidden(char32_t code) {
  const auto from_to = [&](char32_t first, char32_t last) { return code >= first && code <= last; };
  return code < 0x20 || from_to(0x7f, 0x9f)                                                // controls
         || code == 0x61c || from_to(0x200e, 0x200f)                                       // marks of direction,
         || from_to(0x202a, 0x202e) || from_to(0x2066, 0x2069) || from_to(0x206a, 0x206f)  // and what turns it
         || code == 0xfeff;
}

std::string visible(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    if (bytes == 0) {
      const auto byte = static_cast<unsigned char>(text.front());
      shown += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
      text.remove_prefix(1);
      continue;
    }
    if (is_hidden(code) && code != '\n' && code != '\t') {
      shown += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) shown += hex[(code >> shift) & 15];
    } else {
      shown += text.substr(0, static_cast<std::size_t>(bytes));
    }
    text.remove_prefix(static_cast<std::size_t>(bytes));
  }
  return shown;
}

}  // namespace articula::base
