#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <boost/crc.hpp>

#include <articula/base/modules.h>

namespace articula::text {

/// A cyclic redundancy check of 32 bits, least bit first, over bytes that may come in pieces.
///
///     crc(m) = ~(m·x³² mod P),  with the first 32 bits of m inverted
template <std::uint32_t polynomial>
class Crc {
 public:
  Crc& add(std::span<const std::byte> bytes) {
    crc_.process_bytes(bytes.data(), bytes.size());
    return *this;
  }
  std::uint32_t value() const { return crc_.checksum(); }

 private:
  boost::crc_optimal<32, polynomial, 0xffffffff, 0xffffffff, true, true> crc_;
};

/// Castagnoli's polynomial: finds every error of up to five bits in a block of rows.  [RFC 3720, B.4]
using Crc32c = Crc<0x1edc6f41>;

/// The polynomial of Ethernet, gzip and MCAP.  [ISO 3309]
using Crc32 = Crc<0x04c11db7>;

}  // namespace articula::text
