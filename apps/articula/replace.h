#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"

namespace articula::program {

/// What a command may write over. A file that Articula wrote before is replaced; others only with --force, and the store
/// never.
struct Replacing {
  std::vector<std::string> inputs;  ///< files that the output is made from
  std::string store;                ///< or empty
  bool force = false;
};

/// `--force`
void add_force_option(const Command& command, bool& force);

/// How a file begins that Articula wrote before.
using IsOurs = std::function<bool(std::string_view beginning)>;

/// Throws an Error unless `file` may be written: it is not there, empty, or of the kind that is written there; `kind` is
/// that kind, `report`, or empty if none can be told. Files are the same if device and node are, whatever their names.
void require_replaceable(const std::filesystem::path& file, std::string_view kind, const IsOurs& is_ours,
                         const Replacing& replacing);

}  // namespace articula::program
