#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <articula/base/rooms.h>

namespace articula::generate {

/// Compiled code as the cache keeps it: the bytes of a shared library, and behind them, where no loader looks, a line with
/// the SHA-256 of the source that it was compiled from and of these bytes.
///
///     articula-code 1 <64 digits> <64 digits>
std::string sealed(std::string_view code, std::string_view source);

/// The code of an entry of the cache, if it is what was once compiled from `source`: a regular file of this user's that
/// nobody else may write to, with the right line. Nothing for one that is damaged, empty, foreign or not there.
std::optional<std::string> unsealed(const std::filesystem::path& entry, std::string_view source);

/// What a regular file holds; nothing if it cannot be read, is a link, is not this user's or is larger than any code.
std::optional<std::string> own_file(const std::filesystem::path& file);

/// Code loaded into this process: these bytes and no others, whatever happens to files meanwhile. Null if the loader
/// refuses it; `why` then says the reason. `stays`: never unloaded.
std::shared_ptr<void> load_code(std::string_view code, bool stays, std::string& why);

}  // namespace articula::generate
