#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <articula/base/rooms.h>

namespace articula::generate {

/// The folder where compiled code is kept, without links in its path, made if it is not there. Throws `cache-unsafe` if
/// others could change what is in it. Empty if none can be made.
std::filesystem::path code_cache_folder(const std::string& chosen);

/// The first half of a text's SHA-256, as 32 hexadecimal digits.
std::string content_name(std::string_view text);

/// What decides which machine code `-march=native` means here.
std::string processor_text();

}  // namespace articula::generate
