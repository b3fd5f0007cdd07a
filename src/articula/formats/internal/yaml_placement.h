#pragma once

#include <optional>

#include <articula/formats/internal/yaml_values.h>
#include <articula/spatial/orientation.h>

namespace articula::formats {

/// "standard", "craig", "khalil".

/// The keys of link parameters in a convention, in its own symbols.
std::span<const std::string_view> link_parameter_names(LinkConvention convention);

/// Reads the link parameters among `keys`; missing ones are zero.
bool read_link_parameters(Keys& keys, LinkConvention convention, LinkParameters& link);

/// The rotation for a quaternion of nearly unit length, or for a matrix near a rotation. Empty if the distance is more
/// than 1e-6.
std::optional<Rotation<double>> rotation_near(const Quaternion<double>& q);
std::optional<Rotation<double>> rotation_near(const Rotation<double>& R);

}  // namespace articula::formats
