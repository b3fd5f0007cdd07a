#pragma once

#include <string>
#include <variant>
#include <vector>

#include <articula/formats/internal/yaml_values.h>

namespace articula::formats {

/// `center and mu`.
inline std::string joined(const std::vector<std::string_view>& names, std::string_view with = " and ") {
  std::string text;
  for (const std::string_view name : names) text += concat(text.empty() ? "" : with, name);
  return text;
}

/// The forms of gravity: uniform, or a field that depends on the position.
template <class Uniform, class... Field>
std::string gravity_needed(const std::variant<Uniform, Field...>&) {
  std::string text = "Gravity is a list of three numbers, e.g. [0, 0, -9.81]";
  ((text += concat(", or {", Field::name, ": ", Field::example, "}")), ...);
  return text + ".";
}

/// Reads `{center: ..., mu: ...}`, the properties of a field.
template <class Field>
bool read_properties(const Spot& spot, Field& field) {
  std::vector<std::string_view> names;
  Field::fields(field, [&](std::string_view name, auto&, const Dimension&) { names.push_back(name); });
  const std::string needed = concat("A mapping with ", joined(names), " is needed.");
  Keys keys(spot, needed);
  Field::fields(field, [&](std::string_view name, auto& value, const Dimension& dimension) {
    read_key(keys, name, value, dimension);
  });
  keys.finish([&] { return std::vector<std::string>(names.begin(), names.end()); });
  return keys.ok();
}

/// Reads `{central: {center: ..., mu: ...}}`: exactly one of the fields.
template <class Uniform, class... Field>
bool read_gravity_field(const Spot& spot, std::variant<Uniform, Field...>& gravity) {
  const std::string needed = gravity_needed(gravity);
  Keys keys(spot, needed);
  if (!keys.ok()) return false;
  std::vector<std::string_view> given;
  bool good = true;
  const auto read = [&](auto field) {
    const auto found = keys.find(field.name);
    if (!found) return;
    given.push_back(field.name);
    good &= read_properties(*found, field);
    gravity = field;
  };
  (read(Field{}), ...);
  keys.finish([] { return std::vector<std::string>{std::string(Field::name)...}; });
  if (given.empty())
    spot.error("value-missing", concat(": ", joined({Field::name...}, " or "), " is missing. ", needed));
  if (given.size() > 1) {
    spot.error("gravity-twice", concat(": ", joined(given), " are given. A model has one field of gravity; remove the ",
                                       given.size() > 2 ? "others." : "other."));
  }
  return given.size() == 1 && good;
}

}  // namespace articula::formats
