#pragma once

#include <optional>
#include <type_traits>

#include <articula/model/model.h>
#include <articula/text/internal/yaml_flow.h>

namespace articula::formats {

/// The text of one value, for each type of properties: read_value reads back exactly this value. An angle that is a
/// round number of degrees is written in degrees.
Flow flow_of(double value, const Dimension& dimension = dimension::none);
Flow flow_of(int value, const Dimension& = dimension::none);
Flow flow_of(bool value, const Dimension& = dimension::none);
Flow flow_of(const std::string& value, const Dimension& = dimension::none);
Flow flow_of(const Vec3<double>& value, const Dimension& dimension = dimension::none);
Flow flow_of(const Direction& value, const Dimension& = dimension::none);
Flow flow_of(const SymMat3<double>& value, const Dimension& = dimension::none);
Flow flow_of(const Pose<double>& value, const Dimension& = dimension::none);
Flow flow_of(const std::vector<double>& value, const Dimension& dimension = dimension::none);
Flow flow_of(const Rows& value, const Dimension& = dimension::none);
Flow flow_of(const std::vector<Limits>& value, const Dimension& dimension = dimension::none);
Flow flow_of(const std::vector<Frame>& value, const Dimension& = dimension::none);
Flow flow_of(const std::vector<Shape>& value, const Dimension& = dimension::none);
Flow flow_of(const std::vector<Constituent>& value, const Dimension& = dimension::none);
Flow flow_of(const std::vector<CustomPort>& value, const Dimension& = dimension::none);
Flow flow_of(const std::vector<CustomProperty>& value, const Dimension& = dimension::none);
Flow flow_of(const Environment& value);

/// `upper` or `{upper: tool}`.
Flow flow_of(const PortRef& value);

template <class E>
  requires std::is_enum_v<E>
Flow flow_of(E value, const Dimension& = dimension::none) {
  return Flow::raw(std::string(enum_names(E{})[static_cast<std::size_t>(value)]));
}

/// @pre there is a value; without one the key is omitted
template <class T>
Flow flow_of(const std::optional<T>& value, const Dimension& dimension) {
  return flow_of(*value, dimension);
}

}  // namespace articula::formats
