#pragma once

#include <vector>

#include <articula/study/checks.h>
#include <articula/text/internal/yaml_spot.h>

namespace articula::study {

/// The list under `checks`.
void read_checks(const Spot& spot, std::vector<Check>& checks);

}  // namespace articula::study
