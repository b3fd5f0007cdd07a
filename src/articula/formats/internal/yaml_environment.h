#pragma once

#include <array>
#include <string_view>

#include <articula/model/environment.h>
#include <articula/text/internal/yaml_spot.h>

namespace articula::formats {

/// The properties of an environment.
inline constexpr std::array<std::string_view, 2> environment_keys{"gravity", "ground"};

/// Reads `{gravity: ..., ground: ...}`; missing properties are not changed.
void read_environment(const Spot& spot, Environment& environment);
/// Reads one property, `gravity` or `ground`.
void read_environment_property(const Spot& spot, std::string_view key, Environment& environment);

}  // namespace articula::formats
