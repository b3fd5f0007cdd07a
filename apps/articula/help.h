#pragma once

#include <optional>
#include <string>
#include <vector>

#include "names.h"

namespace articula::program {

/// The output of `articula help` for `blocks`, `block pd` and similar; empty if the words are not such a topic.
std::optional<std::string> help_topic(const std::vector<std::string>& words);

}  // namespace articula::program
