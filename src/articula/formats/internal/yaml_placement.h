#pragma once

#include <optional>

#include <articula/formats/internal/yaml_values.h>
#include <articula/spatial/orientation.h>

namespace articula::formats {

/// "standard", "craig", "khalil".

/// The keys of a convention's link parameters, in its own letters.
std::span<const std::string_view> link_parameter_names(LinkConvention convention);

/// The link parameters among `keys`; what is left out is zero.
bool read_link_parameters(Keys& keys, LinkConvention convention, LinkParameters& link);

/// The rotation that a quaternion of nearly unit length says, and that a matrix near to a rotation says. None
/// when they are further than 1e-6 from it.
std::optional<Rotation<double>> rotation_near(const Quaternion<double>& q);
std::optional<Rotation<double>> rotation_near(const Rotation<double>& R);

}  // namespace articula::formats
