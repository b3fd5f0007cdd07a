#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/text/descriptor.h>

namespace articula::text {

/// The whole content of a regular file. Throws an Error for a missing file (with a suggestion), a folder, a device, an
/// unreadable file, or one that is too large.
std::string read_text_file(const std::filesystem::path& file);

/// The same of one that is open. `where` is for messages.
std::string read_open_file(const Descriptor& input, const Where& where);

/// Writes a file that is either as it was or complete, as OutputFile does.
ARTICULA_EXPORT void write_text_file(const std::filesystem::path& file, std::string_view text);

}  // namespace articula::text
