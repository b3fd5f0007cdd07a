#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"

namespace articula::program {

/// Controls which files a command may overwrite. A file that Articula wrote before is replaced; other files only with
/// --force, and the store never.
struct Replacing {
  std::vector<std::string> inputs;  ///< input files of the output
  std::string store;                ///< may be empty
  bool force = false;
};

/// `--force`
void add_force_option(const Command& command, bool& force);

/// Whether a file with this beginning was written by Articula.
using IsOurs = std::function<bool(std::string_view beginning)>;

/// Throws an Error unless `file` may be written: if it does not exist, is empty, or is of the kind to be written.
/// `kind` is the name of that kind, `report`, or empty if it cannot be recognized. Files are the same if device and
/// inode are, whatever their names.
void require_replaceable(const std::filesystem::path& file, std::string_view kind, const IsOurs& is_ours,
                         const Replacing& replacing);

}  // namespace articula::program
