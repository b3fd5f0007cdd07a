#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <articula/base/modules.h>

namespace articula::generate {

/// An entry of the code cache: the bytes of a shared library, then a line, which loaders ignore, with the SHA-256 of
/// the source and of these bytes.
///
///     articula-code 1 <64 digits> <64 digits>
std::string sealed(std::string_view code, std::string_view source);

/// The code of a cache entry, if it was compiled from `source`: a regular file of this user that nobody else can write
/// to, with a matching line. Empty if the entry is damaged, empty, foreign or missing.
std::optional<std::string> unsealed(const std::filesystem::path& entry, std::string_view source);

/// The content of a regular file; empty if it cannot be read, is a link, belongs to another user or is larger than 1
/// GiB.
std::optional<std::string> own_file(const std::filesystem::path& file);

/// Loads code into this process: exactly these bytes, even if files change meanwhile. Null if the loader rejects it;
/// `why` is then the reason. `stays`: it is never unloaded.
std::shared_ptr<void> load_code(std::string_view code, bool stays, std::string& why);

}  // namespace articula::generate
