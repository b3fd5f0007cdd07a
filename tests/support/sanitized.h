#pragma once

#include "support/names.h"

namespace articula::test {

/// Whether AddressSanitizer or ThreadSanitizer watches: they take time, and more memory than any limit leaves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace articula::test
