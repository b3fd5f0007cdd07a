#pragma once

#include <vector>

#include <articula/formats/internal/yaml_spot.h>
#include <articula/study/checks.h>

namespace articula {

/// The list under `checks`.
void read_checks(const Spot& spot, std::vector<Check>& checks);

}  // namespace articula
