#include <articula/text/sha256.h>

#include <sha2.h>

namespace articula::text {

std::array<std::uint8_t, 32> sha256(std::string_view text) {
  SHA2_CTX context;
  std::array<std::uint8_t, 32> hash;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  SHA256Final(hash.data(), &context);
  return hash;
}

std::string sha256_text(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : sha256(text)) hex += {digits[byte / 16], digits[byte % 16]};
  return hex;
}

std::string policy_hash(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto bytes = sha256(text);
  std::string base64;
  // 32 bytes are ten groups of three, and two more.
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) bits = bits << 8 | (k + j < bytes.size() ? bytes[k + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j) base64 += digits[bits >> 6 * (3 - j) & 63];
  }
  base64.back() = '=';
  return "sha256-" + base64;
}

}  // namespace articula::text
