#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::text {

/// The 32 bytes of SHA-256 of `text`.  [FIPS 180-4, 6.2]
ARTICULA_EXPORT std::array<std::uint8_t, 32> sha256(std::string_view text);

/// The SHA-256 of `text` as 64 hexadecimal digits.
ARTICULA_EXPORT std::string sha256_text(std::string_view text);

/// The source expression of a text in a Content-Security-Policy: `sha256-` and the bytes in base 64.  [CSP 3, 2.3.1;
/// RFC 4648, 4]
ARTICULA_EXPORT std::string policy_hash(std::string_view text);

}  // namespace articula::text
