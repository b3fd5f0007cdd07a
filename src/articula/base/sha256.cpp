#include <articula/base/sha256.h>

#include <bit>
#include <cmath>
#include <vector>

namespace articula {
namespace {

using Words = std::array<std::uint32_t, 8>;

/// The first 32 bits of the fractional part of x.
std::uint32_t fraction_bits(double x) { return static_cast<std::uint32_t>((x - std::floor(x)) * 4294967296.0); }

/// The constants of the standard are the roots of the first primes.
struct Constants {
  Words start;                           ///< fractional parts of √p
  std::array<std::uint32_t, 64> rounds;  ///< fractional parts of ∛p

  Constants() {
    std::size_t count = 0;
    for (int p = 2; count < rounds.size(); ++p) {
      bool is_prime = true;
      for (int d = 2; d * d <= p; ++d) is_prime = is_prime && p % d != 0;
      if (!is_prime) continue;
      if (count < start.size()) start[count] = fraction_bits(std::sqrt(static_cast<double>(p)));
      rounds[count++] = fraction_bits(std::cbrt(static_cast<double>(p)));
    }
  }
};

void digest_block(const unsigned char* block, const Constants& constants, Words& hash) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t t = 0; t < 16; ++t) {
    w[t] = 0;
    for (std::size_t k = 0; k < 4; ++k) w[t] = w[t] << 8 | block[4 * t + k];
  }
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t S1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t T1 = h + S1 + ((e & f) ^ (~e & g)) + constants.rounds[t] + w[t];
    const std::uint32_t S0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t T2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
  }
  const Words step{a, b, c, d, e, f, g, h};
  for (std::size_t k = 0; k < hash.size(); ++k) hash[k] += step[k];
}

}  // namespace

std::array<std::uint8_t, 32> sha256(std::string_view text) {
  static const Constants constants;
  // Padded: a one bit, zeros up to the last eight bytes of a block, there the length in bits.
  std::vector<unsigned char> bytes(text.begin(), text.end());
  bytes.push_back(0x80);
  bytes.resize(bytes.size() + (120 - bytes.size() % 64) % 64);
  const std::uint64_t bits = 8 * std::uint64_t{text.size()};
  for (int k = 7; k >= 0; --k) bytes.push_back(static_cast<unsigned char>(bits >> 8 * k));

  Words hash = constants.start;
  for (std::size_t at = 0; at < bytes.size(); at += 64) digest_block(bytes.data() + at, constants, hash);
  std::array<std::uint8_t, 32> result;
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k] = static_cast<std::uint8_t>(hash[k / 4] >> 8 * (3 - k % 4));
  }
  return result;
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
  // 32 bytes are ten threes and two more.
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) bits = bits << 8 | (k + j < bytes.size() ? bytes[k + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j) base64 += digits[bits >> 6 * (3 - j) & 63];
  }
  base64.back() = '=';
  return "sha256-" + base64;
}

}  // namespace articula
