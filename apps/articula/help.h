#pragma once

#include <optional>
#include <string>
#include <vector>

#include "names.h"

namespace articula::program {

/// What `articula help` prints about `blocks`, `block pd` and the like; nothing if the words are no such topic.
std::optional<std::string> help_topic(const std::vector<std::string>& words);

}  // namespace articula::program
