#pragma once

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <articula/base/text.h>
#include <articula/base/units.h>
#include <articula/model/model.h>
#include <articula/text/internal/yaml_spot.h>

namespace articula::formats {

/// Reads one value: `read_value(spot, value, dimension)` for each type of properties. Returns whether it could be read;
/// if not, the error is in the log and `value` is unchanged or partly read.
///
/// These functions are all that is needed to read an entity kind with properties of these types.
bool read_value(const Spot& spot, double& value, const Dimension& dimension);
bool read_value(const Spot& spot, int& value, const Dimension&);
bool read_value(const Spot& spot, bool& value, const Dimension&);
bool read_value(const Spot& spot, std::string& value, const Dimension&);

bool read_value(const Spot& spot, Vec3<double>& value, const Dimension& dimension);
bool read_value(const Spot& spot, Direction& value, const Dimension&);
bool read_value(const Spot& spot, SymMat3<double>& value, const Dimension& dimension);
/// A number or a list of them.
bool read_value(const Spot& spot, std::vector<double>& value, const Dimension& dimension);
/// A text or a list of them.
bool read_value(const Spot& spot, std::vector<std::string>& value, const Dimension&);
/// A number, or a list of rows of equal length.
bool read_value(const Spot& spot, Rows& value, const Dimension& dimension);
/// One pair of bounds or a list of pairs; `none` for a missing bound.
bool read_value(const Spot& spot, std::vector<Limits>& value, const Dimension& dimension);

/// In yaml_placement.cpp.
bool read_value(const Spot& spot, Pose<double>& value, const Dimension&);

/// In yaml_lists.cpp.
bool read_value(const Spot& spot, std::vector<Frame>& value, const Dimension&);
bool read_value(const Spot& spot, std::vector<Shape>& value, const Dimension&);
bool read_value(const Spot& spot, std::vector<Constituent>& value, const Dimension&);
bool read_value(const Spot& spot, std::vector<CustomPort>& value, const Dimension&);
bool read_value(const Spot& spot, std::vector<CustomProperty>& value, const Dimension&);

/// Exactly n numbers; `example` shows how to write them.
bool read_numbers(const Spot& spot, std::span<double> values, const Dimension& dimension, std::string_view example);

/// A valid name of a frame or a port.
bool read_name(const Spot& spot, const YamlNode& node, std::string& name);

/// The tolerance for snapping rotations to exact ones.
bool read_snap(const Spot& spot, double& snap);

/// Adds a period, unless the sentence has one.
std::string with_period(std::string text);

bool read_choice(const Spot& spot, std::span<const std::string_view> names, int& place);

template <class E>
  requires std::is_enum_v<E>
bool read_value(const Spot& spot, E& value, const Dimension&) {
  int place = 0;
  if (!read_choice(spot, enum_names(E{}), place)) return false;
  value = static_cast<E>(place);
  return true;
}

template <class T>
bool read_value(const Spot& spot, std::optional<T>& value, const Dimension& dimension) {
  T inner{};
  if (!read_value(spot, inner, dimension)) return false;
  value = std::move(inner);
  return true;
}

/// Reads the key `name`, if it exists. Returns whether it exists and could be read.
template <class T>
bool read_key(Keys& keys, std::string_view name, T& value, const Dimension& dimension) {
  const auto spot = keys.find(name);
  return spot && read_value(*spot, value, dimension);
}

}  // namespace articula::formats
