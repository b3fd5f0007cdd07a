#pragma once

#include <filesystem>
#include <string_view>

#include <articula/base/modules.h>

namespace articula::generate {

/// The path of a folder without links, if only this user and root can change what it refers to: every folder on the
/// path, and on the target of every link, belongs to one of them, and others cannot write to it unless it is sticky
/// like /tmp. The folder itself belongs to this user, and nobody else can write to it. Throws `cache-unsafe` otherwise;
/// empty if the folder does not exist.
std::filesystem::path safe_folder(const std::filesystem::path& folder);

/// The same for a folder of temporary files: root may own it, and others may write to it if it is sticky.
std::filesystem::path safe_temporary_folder(const std::filesystem::path& folder);

}  // namespace articula::generate
