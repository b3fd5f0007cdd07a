#include <articula/formats/internal/yaml_environment.h>

#include <cmath>

#include <articula/formats/internal/yaml_gravity.h>
#include <articula/model/largest.h>

namespace articula::formats {
namespace {

bool read_gravity(const Spot& spot, Gravity& gravity) {
  if (spot.node.is_sequence()) {
    UniformGravity uniform;
    if (!read_value(spot, uniform.acceleration, dimension::acceleration)) return false;
    const auto [x, y, z] = uniform.acceleration;
    // Valid in a model, but not in computations: the check of the model would refuse it without a line number.
    if (std::abs(x) > largest_number || std::abs(y) > largest_number || std::abs(z) > largest_number) {
      spot.warning("value-too-large", concat(" is (", x, ", ", y, ", ", z, ") m/s^2. Numbers up to ", largest_number,
                                             " are allowed; on Earth it is (0, 0, -9.81)."));
    }
    gravity = uniform;
    return true;
  }
  return read_gravity_field(spot, gravity);
}

}  // namespace

void read_environment_property(const Spot& spot, std::string_view key, Environment& environment) {
  if (key == "gravity") {
    read_gravity(spot, environment.gravity);
    return;
  }
  Keys keys(spot, "The ground is a mapping, e.g. {normal: z, height: 0, friction: 1}.");
  Ground plane;
  read_key(keys, "normal", plane.normal, dimension::none);
  read_key(keys, "height", plane.height, dimension::length);
  read_key(keys, "friction", plane.friction, dimension::none);
  keys.finish({"normal", "height", "friction"});
  environment.ground = plane;
}

void read_environment(const Spot& spot, Environment& environment) {
  Keys keys(spot, "The environment is a mapping, e.g. {gravity: [0, 0, -9.81]}.");
  for (const std::string_view key : environment_keys) {
    if (const auto property = keys.find(key)) read_environment_property(*property, key, environment);
  }
  keys.finish({"gravity", "ground"});
}

}  // namespace articula::formats
