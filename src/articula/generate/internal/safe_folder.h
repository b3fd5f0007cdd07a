#pragma once

#include <filesystem>
#include <string_view>

#include <articula/base/rooms.h>

namespace articula::generate {

/// A folder without links in its path, if nobody but this user and root can change what is found under that name: every
/// folder on the way, and of every link, belongs to one of them, and others may not write to it, or it is sticky as /tmp
/// is. The folder itself belongs to this user, and nobody else may write to it. Throws `cache-unsafe` otherwise; empty if
/// there is no such folder.
std::filesystem::path safe_folder(const std::filesystem::path& folder);

/// The same of a folder that others may write to, if it is sticky, and that root may own: one for temporary files.
std::filesystem::path safe_temporary_folder(const std::filesystem::path& folder);

}  // namespace articula::generate
