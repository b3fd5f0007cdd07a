#pragma once

#include <string>

#include "names.h"

namespace articula::program {

/// The name of an input in messages: `-` is the standard input.
std::string input_name(const std::string& file);

/// The content of a file, or of the standard input if it is `-`. Pipes are allowed. Throws an Error if the file is
/// missing, cannot be read or is longer than a gigabyte.
std::string read_input(const std::string& file);

}  // namespace articula::program
