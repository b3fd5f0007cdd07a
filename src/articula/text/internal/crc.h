#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <articula/base/rooms.h>

namespace articula::text {

/// A cyclic redundancy check of 32 bits, least bit first, over bytes that may come in pieces.
///
///     crc(m) = ~(m·x³² mod P),  with the first 32 bits of m inverted
///
/// Eight tables process eight bytes per step.  [Kounavis and Berry 2005, slicing-by-8]
template <std::uint32_t reversed_polynomial>
class Crc {
 public:
  Crc& add(std::span<const std::byte> bytes) {
    const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); };
    std::uint32_t r = state_;
    for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
      r ^= at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24;
      r = tables[7][r & 0xff] ^ tables[6][r >> 8 & 0xff] ^ tables[5][r >> 16 & 0xff] ^ tables[4][r >> 24] ^
          tables[3][at(4)] ^ tables[2][at(5)] ^ tables[1][at(6)] ^ tables[0][at(7)];
    }
    for (const std::byte b : bytes) r = r >> 8 ^ tables[0][(r ^ std::to_integer<std::uint32_t>(b)) & 0xff];
    state_ = r;
    return *this;
  }
  std::uint32_t value() const { return ~state_; }

 private:
  using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

  static constexpr Tables tables = [] {
    Tables table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t r = i;
      for (int bit = 0; bit < 8; ++bit) r = r >> 1 ^ ((r & 1) != 0 ? reversed_polynomial : 0);
      table[0][i] = r;
    }
    for (std::size_t k = 1; k < 8; ++k) {
      for (std::size_t i = 0; i < 256; ++i) table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
    }
    return table;
  }();

  std::uint32_t state_ = 0xffffffff;
};

/// Castagnoli's polynomial: finds every error of up to five bits in a block of rows.  [RFC 3720, B.4]
using Crc32c = Crc<0x82f63b78>;

/// The polynomial of Ethernet, gzip and MCAP.  [ISO 3309]
using Crc32 = Crc<0xedb88320>;

}  // namespace articula::text
