/// Lists in bodies, reference frames and custom entities: frames, shapes, constituents, ports, properties.
#include <articula/formats/internal/yaml_values.h>

namespace articula::formats {
namespace {

constexpr Dimension first_moment{.m = 1, .kg = 1};

template <class T>
bool read_list(const Spot& spot, std::vector<T>& value, std::string_view needed, bool (*read)(const Spot&, T&)) {
  if (spot.node.is_null()) return true;
  if (!spot.node.is_sequence()) {
    spot.wrong_type(needed);
    return false;
  }
  std::vector<T> list(spot.node.size());
  bool ok = true;
  for (std::size_t k = 0; k < list.size(); ++k) ok &= read(Spot(spot, k), list[k]);
  if (ok) value = std::move(list);
  return ok;
}

template <class T>
bool read_named(const Spot& spot, std::vector<T>& value, std::string_view needed, bool (*read)(const Spot&, T&)) {
  if (spot.node.is_null()) return true;
  if (!spot.node.is_mapping()) {
    spot.wrong_type(needed);
    return false;
  }
  std::vector<T> list(spot.node.size());
  bool ok = true;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const YamlNode key = spot.node.key(k);
    ok &= read_name(spot, key, list[k].name) && read(Spot(spot, spot.node.value(k), key.text()), list[k]);
  }
  if (ok) value = std::move(list);
  return ok;
}

/// The single number of a solid, or its numbers by name: `sphere: 0.1`, `cylinder: {radius: 0.1, length: 1}`.
template <class Solid>
bool read_round(const Spot& spot, Geometry& geometry) {
  Solid solid;
  Keys keys(spot, "A mapping is needed, e.g. {radius: 0.1, length: 0.5}.");
  bool ok = keys.ok();
  const auto number = [&](std::string_view name, double& value) {
    const auto each = keys.find(name);
    if (!each && keys.ok())
      spot.error("value-missing", concat(": ", name, " is missing, e.g. {radius: 0.1, length: 0.5}."));
    ok &= each && read_value(*each, value, dimension::length);
  };
  number("radius", solid.radius);
  number("length", solid.length);
  keys.finish({"radius", "length"});
  geometry = solid;
  return ok;
}

bool read_sphere(const Spot& spot, Geometry& geometry) {
  Sphere ball;
  const bool ok = read_value(spot, ball.radius, dimension::length);
  geometry = ball;
  return ok;
}

bool read_box(const Spot& spot, Geometry& geometry) {
  Box box;
  const bool ok = read_value(spot, box.size, dimension::length);
  geometry = box;
  return ok;
}

/// `mesh: hand.stl`, or with a scale: `mesh: {file: hand.stl, scale: [1, 1, 1]}`.
bool read_mesh(const Spot& spot, Geometry& geometry) {
  Mesh mesh;
  bool ok = true;
  if (spot.node.is_mapping()) {
    Keys keys(spot, "");
    const auto file = keys.find("file");
    if (!file) spot.error("value-missing", ": file is missing, e.g. {file: hand.stl, scale: [1, 1, 1]}.");
    ok = file && read_value(*file, mesh.file, dimension::none);
    if (const auto scale = keys.find("scale")) ok &= read_value(*scale, mesh.scale, dimension::none);
    keys.finish({"file", "scale"});
  } else {
    ok = read_value(spot, mesh.file, dimension::none);
  }
  geometry = std::move(mesh);
  return ok;
}

bool read_color(const Spot& spot, std::optional<Color>& color) {
  std::array<double, 4> rgba{0, 0, 0, 1};
  const bool opaque = spot.node.is_sequence() && spot.node.size() == 3;
  if (!read_numbers(spot, std::span(rgba).first(opaque ? 3 : 4), dimension::none, "[0.8, 0.8, 0.8, 1]")) return false;
  color = Color{rgba[0], rgba[1], rgba[2], rgba[3]};
  return true;
}

struct GeometryKey {
  std::string_view name;
  bool (*read)(const Spot&, Geometry&);
};
constexpr std::array geometry_keys{GeometryKey{"box", read_box}, GeometryKey{"sphere", read_sphere},
                                   GeometryKey{"cylinder", read_round<Cylinder>},
                                   GeometryKey{"capsule", read_round<Capsule>}, GeometryKey{"mesh", read_mesh}};

bool read_shape(const Spot& spot, Shape& shape) {
  Keys keys(spot, "A shape is a mapping, e.g. {box: [0.1, 0.1, 0.2]}.");
  if (!keys.ok()) return false;
  bool ok = true;
  int solids = 0;
  for (const auto& [name, read] : geometry_keys) {
    const auto solid = keys.find(name);
    if (!solid) continue;
    ++solids;
    ok &= read(*solid, shape.geometry);
  }
  if (solids != 1) {
    spot.error("shape-geometry",
               concat(" has ", solids, " solids. It needs exactly one of box, sphere, cylinder, capsule, mesh."));
    ok = false;
  }
  const auto optional = [&](std::string_view name, auto& value) {
    if (const auto each = keys.find(name)) ok &= read_value(*each, value, dimension::none);
  };
  optional("name", shape.name);
  optional("placement", shape.X_BS);
  optional("use", shape.use);
  optional("texture", shape.texture);
  if (const auto color = keys.find("color")) ok &= read_color(*color, shape.color);
  keys.finish({"name", "box", "sphere", "cylinder", "capsule", "mesh", "placement", "use", "color", "texture"});
  return ok;
}

bool read_constituent(const Spot& spot, Constituent& part) {
  Keys keys(spot, "A constituent is a mapping with name, placement, mass, first_moment and second_moment.");
  bool ok = keys.ok();
  const auto optional = [&](std::string_view name, auto& value, const Dimension& dimension) {
    if (const auto each = keys.find(name)) ok &= read_value(*each, value, dimension);
  };
  optional("name", part.name, dimension::none);
  optional("placement", part.X_BC, dimension::none);
  optional("mass", part.M_C.m, dimension::mass);
  optional("first_moment", part.M_C.h, first_moment);
  optional("second_moment", part.M_C.I, dimension::inertia);
  keys.finish({"name", "placement", "mass", "first_moment", "second_moment"});
  return ok;
}

bool looks_like_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('.')) text.remove_prefix(1);
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

/// A number in SI units of any dimension, since only the author of the custom entity knows it.
bool read_free_number(const Spot& spot, double& number) {
  if (!spot.node.is_scalar()) {
    spot.wrong_type("A number is needed, e.g. 0.5.");
    return false;
  }
  const QuantityOrWhy read = to_quantity(spot.node.text());
  if (!read.quantity) {
    spot.error(read.why.starts_with("unit ") ? "unit-unknown" : "number-invalid", with_period(concat(": ", read.why)));
    return false;
  }
  number = read.quantity->value;
  return true;
}

bool read_free_numbers(const Spot& spot, std::vector<double>& numbers) {
  if (!spot.node.is_sequence()) return read_free_number(spot, numbers.emplace_back());
  numbers.resize(spot.node.size());
  bool ok = true;
  for (std::size_t k = 0; k < numbers.size(); ++k) ok &= read_free_number(Spot(spot, k), numbers[k]);
  return ok;
}

/// A number, a list of numbers, a text, or a mapping with `numbers` and `text`. Unquoted text that begins like a number
/// is read as a number.
bool read_property(const Spot& spot, CustomProperty& property) {
  const YamlNode node = spot.node;
  if (node.is_sequence()) return read_free_numbers(spot, property.numbers);
  if (node.is_scalar() && node.is_plain() && looks_like_number(node.text()))
    return read_free_numbers(spot, property.numbers);
  if (node.is_scalar()) return read_value(spot, property.text, dimension::none);
  Keys keys(spot, "");
  bool ok = true;
  if (const auto numbers = keys.find("numbers")) ok &= read_free_numbers(*numbers, property.numbers);
  if (const auto text = keys.find("text")) ok &= read_value(*text, property.text, dimension::none);
  keys.finish({"numbers", "text"});
  return ok;
}

}  // namespace

bool read_value(const Spot& spot, std::vector<Frame>& value, const Dimension&) {
  return read_named<Frame>(
      spot, value, "Frames are a mapping from names to placements, e.g. {tool: {xyz: [0, 0, 0.2]}}.",
      [](const Spot& each, Frame& frame) { return read_value(each, frame.X_EF, dimension::length); });
}

bool read_value(const Spot& spot, std::vector<Shape>& value, const Dimension&) {
  return read_list<Shape>(spot, value, "Shapes are a list, e.g. [{box: [0.1, 0.1, 0.2]}].", read_shape);
}

bool read_value(const Spot& spot, std::vector<Constituent>& value, const Dimension&) {
  return read_list<Constituent>(spot, value, "Constituents are a list, e.g. [{name: hand, mass: 0.5}].",
                                read_constituent);
}

bool read_value(const Spot& spot, std::vector<CustomPort>& value, const Dimension&) {
  return read_named<CustomPort>(
      spot, value, "Ports are a mapping from names to spatial or scalar, e.g. {inlet: spatial}.",
      [](const Spot& each, CustomPort& port) { return read_value(each, port.type, dimension::none); });
}

bool read_value(const Spot& spot, std::vector<CustomProperty>& value, const Dimension&) {
  return read_named<CustomProperty>(spot, value, "Properties are a mapping from names to numbers, lists or texts.",
                                    read_property);
}

}  // namespace articula::formats
