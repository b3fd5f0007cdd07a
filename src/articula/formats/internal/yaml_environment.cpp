#include <articula/formats/internal/yaml_environment.h>

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include <articula/formats/internal/yaml_values.h>
#include <articula/model/largest.h>

namespace articula {
namespace {

/// Calls f with a value of every field of gravity that depends on the place.
template <class F>
void for_each_field(F&& f) {
  [&]<class... Kind>(std::type_identity<std::variant<UniformGravity, Kind...>>) {
    (f(Kind{}), ...);
  }(std::type_identity<Gravity>{});
}

/// `center and mu`.
std::string joined(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += concat(text.empty() ? "" : " and ", name);
  return text;
}

std::string gravity_needed() {
  std::string text = "Gravity is a list of three numbers, e.g. [0, 0, -9.81]";
  for_each_field([&]<class Field>(Field) { text += concat(", or {", Field::name, ": ", Field::example, "}"); });
  return text + ".";
}

bool read_gravity(const Spot& spot, Gravity& gravity) {
  if (spot.node.is_sequence()) {
    UniformGravity uniform;
    if (!read_value(spot, uniform.acceleration, dimension::acceleration)) return false;
    const auto [x, y, z] = uniform.acceleration;
    // The model can hold it, but nothing can be computed with it: the check of the model refuses it, without a line.
    if (std::abs(x) > largest_number || std::abs(y) > largest_number || std::abs(z) > largest_number) {
      spot.warning("value-too-large", concat(" is (", x, ", ", y, ", ", z, ") m/s^2. Numbers up to ", largest_number,
                                             " are allowed; on Earth it is (0, 0, -9.81)."));
    }
    gravity = uniform;
    return true;
  }
  const std::string needed = gravity_needed();
  Keys keys(spot, needed);
  if (!keys.ok()) return false;
  std::vector<std::string_view> names;
  bool found = false, good = true;
  for_each_field([&]<class Field>(Field field) {
    names.push_back(Field::name);
    const auto given = keys.find(Field::name);
    if (!given || found) return;
    found = true;
    std::vector<std::string_view> properties;
    Field::fields(field, [&](std::string_view name, auto&, const Dimension&) { properties.push_back(name); });
    const std::string inner_needed = concat("A mapping with ", joined(properties), " is needed.");
    Keys inner(*given, inner_needed);
    Field::fields(field, [&](std::string_view name, auto& value, const Dimension& dimension) {
      read_key(inner, name, value, dimension);
    });
    inner.finish([&] { return std::vector<std::string>(properties.begin(), properties.end()); });
    gravity = field;
    good = inner.ok();
  });
  keys.finish([&] { return std::vector<std::string>(names.begin(), names.end()); });
  if (!found) spot.error("value-missing", concat(": ", joined(names), " is missing. ", needed));
  return found && good;
}

}  // namespace

void read_environment(const Spot& spot, Environment& environment) {
  Keys keys(spot, "The environment is a mapping, e.g. {gravity: [0, 0, -9.81]}.");
  if (const auto gravity = keys.find("gravity")) read_gravity(*gravity, environment.gravity);
  if (const auto ground = keys.find("ground")) {
    Keys inner(*ground, "The ground is a mapping, e.g. {normal: z, height: 0, friction: 1}.");
    Ground plane;
    read_key(inner, "normal", plane.normal, dimension::none);
    read_key(inner, "height", plane.height, dimension::length);
    read_key(inner, "friction", plane.friction, dimension::none);
    inner.finish({"normal", "height", "friction"});
    environment.ground = plane;
  }
  keys.finish({"gravity", "ground"});
}

}  // namespace articula
