#pragma once

#include <articula/formats/internal/yaml_spot.h>
#include <articula/model/environment.h>

namespace articula {

/// Reads `{gravity: ..., ground: ...}`; what is not written stays as it is.
void read_environment(const Spot& spot, Environment& environment);

}  // namespace articula
