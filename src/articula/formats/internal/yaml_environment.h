#pragma once

#include <articula/model/environment.h>
#include <articula/text/internal/yaml_spot.h>

namespace articula {

/// Reads `{gravity: ..., ground: ...}`; what is not written stays as it is.
void read_environment(const Spot& spot, Environment& environment);

}  // namespace articula
