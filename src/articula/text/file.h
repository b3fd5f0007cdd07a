#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/text/descriptor.h>

namespace articula::text {

/// The content of a regular file. Throws an Error for a missing file (with a suggestion), a folder, a device, an
/// unreadable file or a file that is too large.
std::string read_text_file(const std::filesystem::path& file);

/// The same for an open file. `where` is for messages.
std::string read_open_file(const Descriptor& input, const Where& where);

/// Writes a file atomically, as OutputFile does.
ARTICULA_EXPORT void write_text_file(const std::filesystem::path& file, std::string_view text);

}  // namespace articula::text
