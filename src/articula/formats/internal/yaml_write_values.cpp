#include <articula/formats/internal/yaml_write_values.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include <articula/base/number.h>
#include <articula/base/text.h>
#include <articula/formats/internal/yaml_placement.h>

namespace articula::formats {
/// `170 deg` if that is shorter than radians and has exactly the same value.
static std::optional<std::string> in_degrees(double value, const Dimension& dimension) {
  const bool speed = dimension == dimension::angular_speed;
  if (!speed && dimension != dimension::angle) return std::nullopt;
  const double tenths = std::round(value * (1800 / std::numbers::pi));
  if (!(std::abs(tenths) >= 1 && std::abs(tenths) < 1e6)) return std::nullopt;
  std::string text = concat(tenths / 10, speed ? " deg/s" : " deg");
  if (text.size() >= number_text(value).size() || to_value(text, dimension).value != value) return std::nullopt;
  return text;
}

/// The nearest number to `value` with a number of significant digits.
static double rounded(double value, int digits) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits - 1).ptr;
  return to_number({text.data(), end}).value_or(value);
}

/// Roll, pitch and yaw with the fewest digits that give exactly R; empty if there are none.
static std::optional<Vec3<double>> exact_rpy(const Rotation<double>& R) {
  const Vec3<double> rpy = rpy_of(R);
  for (const int digits : {3, 6, 9, 12, 15}) {
    const Vec3<double> shorter{rounded(rpy.x, digits), rounded(rpy.y, digits), rounded(rpy.z, digits)};
    if (rotation_from_rpy(shorter) == R) return shorter + Vec3<double>::zero();
  }
  if (rotation_from_rpy(rpy) == R) return rpy + Vec3<double>::zero();
  return std::nullopt;
}

static void add_rotation(Flow& placement, const Rotation<double>& R) {
  if (R == Rotation<double>::identity()) return;
  if (const auto rpy = exact_rpy(R)) {
    placement.add("rpy", flow_of(*rpy, dimension::angle));
    return;
  }
  const Quaternion<double> q = quaternion_of(R);
  if (rotation_near(q) == R) {
    Flow fields = Flow::map();
    fields.add("x", flow_of(q.x)).add("y", flow_of(q.y)).add("z", flow_of(q.z)).add("w", flow_of(q.w));
    placement.add("quaternion", std::move(fields));
    return;
  }
  placement.add("rotation", Flow::list({flow_of(R.m.row[0]), flow_of(R.m.row[1]), flow_of(R.m.row[2])}));
}

static Flow bound_text(double bound, double none, const Dimension& dimension) {
  return bound == none ? Flow::raw("none") : flow_of(bound, dimension);
}

static Flow flow_of(const Limits& limits, const Dimension& dimension) {
  return Flow::list(
      {bound_text(limits.lower, -Limits::none, dimension), bound_text(limits.upper, Limits::none, dimension)});
}

static void add_solid(Flow& shape, const Box& box) { shape.add("box", flow_of(box.size)); }
static void add_solid(Flow& shape, const Sphere& ball) { shape.add("sphere", flow_of(ball.radius)); }
template <class Round>
static void add_round(Flow& shape, std::string_view name, const Round& solid) {
  Flow fields = Flow::map();
  shape.add(name, std::move(fields.add("radius", flow_of(solid.radius)).add("length", flow_of(solid.length))));
}
static void add_solid(Flow& shape, const Cylinder& rod) { add_round(shape, "cylinder", rod); }
static void add_solid(Flow& shape, const Capsule& pill) { add_round(shape, "capsule", pill); }
static void add_solid(Flow& shape, const Mesh& mesh) {
  if (mesh.scale == Vec3<double>{1, 1, 1}) {
    shape.add("mesh", flow_of(mesh.file));
    return;
  }
  Flow fields = Flow::map();
  shape.add("mesh", std::move(fields.add("file", flow_of(mesh.file)).add("scale", flow_of(mesh.scale))));
}

static Flow flow_of(const Shape& shape) {
  Flow flow = Flow::map();
  if (!shape.name.empty()) flow.add("name", flow_of(shape.name));
  std::visit([&](const auto& solid) { add_solid(flow, solid); }, shape.geometry);
  if (shape.X_BS != Pose<double>::identity()) flow.add("placement", flow_of(shape.X_BS));
  if (shape.use != ShapeUse::both) flow.add("use", flow_of(shape.use));
  if (shape.color) {
    const auto& [r, g, b, a] = *shape.color;
    flow.add("color", Flow::list({flow_of(r), flow_of(g), flow_of(b), flow_of(a)}));
  }
  if (!shape.texture.empty()) flow.add("texture", flow_of(shape.texture));
  return flow;
}

static Flow flow_of(const Constituent& part) {
  Flow flow = Flow::map();
  flow.add("name", flow_of(part.name));
  if (part.X_BC != Pose<double>::identity()) flow.add("placement", flow_of(part.X_BC));
  flow.add("mass", flow_of(part.M_C.m));
  if (part.M_C.h != Vec3<double>::zero()) flow.add("first_moment", flow_of(part.M_C.h));
  if (part.M_C.I != SymMat3<double>::zero()) flow.add("second_moment", flow_of(part.M_C.I));
  return flow;
}

static Flow flow_of(const CustomProperty& property) {
  if (property.numbers.empty()) return flow_of(property.text);
  if (property.text.empty()) return flow_of(property.numbers);
  Flow flow = Flow::map();
  flow.add("numbers", flow_of(property.numbers)).add("text", flow_of(property.text));
  return flow;
}

static Flow flow_of(const UniformGravity& gravity) { return flow_of(gravity.acceleration); }
/// A field of gravity.
template <class Field>
  requires requires { Field::example; }
static Flow flow_of(const Field& gravity) {
  Flow fields = Flow::map(), flow = Flow::map();
  Field::fields(gravity,
                [&](std::string_view name, const auto& value, const Dimension&) { fields.add(name, flow_of(value)); });
  flow.add(Field::name, std::move(fields));
  return flow;
}

Flow flow_of(double value, const Dimension& dimension) {
  auto degrees = in_degrees(value, dimension);
  return degrees ? Flow::raw(std::move(*degrees)) : Flow::number(value);
}
Flow flow_of(int value, const Dimension&) { return Flow::raw(std::to_string(value)); }
Flow flow_of(bool value, const Dimension&) { return Flow::raw(value ? "true" : "false"); }
Flow flow_of(const std::string& value, const Dimension&) { return Flow::text(value); }
Flow flow_of(const Vec3<double>& v, const Dimension& d) {
  return Flow::list({flow_of(v.x, d), flow_of(v.y, d), flow_of(v.z, d)});
}

Flow flow_of(const Direction& value, const Dimension&) {
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> axis = Vec3<double>::unit(k);
    const std::string letter(1, static_cast<char>('x' + k));
    if (value.v == axis) return Flow::raw(letter);
    if (value.v == -axis) return Flow::raw("-" + letter);
  }
  return flow_of(value.v);
}

Flow flow_of(const SymMat3<double>& value, const Dimension&) {
  Flow flow = Flow::map();
  const auto entry = [&](std::string_view name, double number) {
    if (number != 0) flow.add(name, flow_of(number));
  };
  entry("xx", value.xx), entry("yy", value.yy), entry("zz", value.zz);
  entry("xy", value.xy), entry("xz", value.xz), entry("yz", value.yz);
  return flow;
}

Flow flow_of(const Pose<double>& X, const Dimension&) {
  Flow flow = Flow::map();
  if (X.p != Vec3<double>::zero()) flow.add("xyz", flow_of(X.p));
  add_rotation(flow, X.R);
  return flow;
}

template <class T, class... Of>
static Flow list_of_flows(const std::vector<T>& values, const Of&... dimension) {
  Flow list = Flow::list();
  for (const T& value : values) list.add(flow_of(value, dimension...));
  return list;
}

Flow flow_of(const std::vector<double>& values, const Dimension& dimension) {
  return values.size() == 1 ? flow_of(values.front(), dimension) : list_of_flows(values, dimension);
}

Flow flow_of(const Rows& rows, const Dimension&) {
  if (rows.size() == 1 && rows.front().size() == 1) return flow_of(rows.front().front());
  Flow flow = Flow::list();
  for (const std::vector<double>& row : rows) flow.add(list_of_flows(row, dimension::none));
  return flow;
}

Flow flow_of(const std::vector<Limits>& limits, const Dimension& dimension) {
  return limits.size() == 1 ? flow_of(limits.front(), dimension) : list_of_flows(limits, dimension);
}

Flow flow_of(const std::vector<Frame>& frames, const Dimension&) {
  Flow flow = Flow::map();
  for (const Frame& frame : frames) flow.add(frame.name, flow_of(frame.X_EF));
  return flow;
}

Flow flow_of(const std::vector<Shape>& shapes, const Dimension&) { return list_of_flows(shapes); }
Flow flow_of(const std::vector<Constituent>& parts, const Dimension&) { return list_of_flows(parts); }

Flow flow_of(const std::vector<CustomPort>& ports, const Dimension&) {
  Flow flow = Flow::map();
  for (const CustomPort& port : ports) flow.add(port.name, flow_of(port.type));
  return flow;
}

Flow flow_of(const std::vector<CustomProperty>& properties, const Dimension&) {
  Flow flow = Flow::map();
  for (const CustomProperty& property : properties) flow.add(property.name, flow_of(property));
  return flow;
}

Flow flow_of(const Environment& environment) {
  Flow flow = Flow::map();
  if (environment.gravity != Gravity(UniformGravity{})) {
    flow.add("gravity", std::visit([](const auto& gravity) { return flow_of(gravity); }, environment.gravity));
  }
  if (environment.ground) {
    const Ground& ground = *environment.ground;
    Flow fields = Flow::map();
    fields.add("normal", flow_of(ground.normal))
        .add("height", flow_of(ground.height))
        .add("friction", flow_of(ground.friction));
    flow.add("ground", std::move(fields));
  }
  return flow;
}

Flow flow_of(const PortRef& ref) {
  if (ref.port.empty()) return flow_of(ref.entity);
  Flow flow = Flow::map();
  flow.add(ref.entity, flow_of(ref.port));
  return flow;
}

}  // namespace articula::formats
