#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <articula/base/modules.h>

namespace articula::generate {

/// The folder of the code cache, with links in its path resolved; it is made if it does not exist. Throws
/// `cache-unsafe` if others could change its content. Empty if it cannot be made.
std::filesystem::path code_cache_folder(const std::string& chosen);

/// The first half of a text's SHA-256, as 32 hexadecimal digits.
std::string content_name(std::string_view text);

/// Identifies the processor: what `-march=native` depends on.
std::string processor_text();

}  // namespace articula::generate
