// Written text is read back unchanged for any content of a model, and is readable.
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>
#include <articula/formats/yaml_reader.h>
#include <articula/formats/yaml_writer.h>
#include <articula/spatial/orientation.h>

#include "../base/german_locale.h"

namespace articula::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Model read_back(const std::string& text) {
  Findings findings;
  return read_yaml(text, "written.yaml", findings);
}

/// Equal, and written as the same text again; the model's comparison ignores `imported`.
void expect_round_trip(const Model& model) {
  const std::string text = write_yaml(model);
  Model back;
  try {
    back = read_back(text);
  } catch (const Error& error) {
    FAIL() << error.what() << "\n" << text;
  }
  EXPECT_EQ(back, model) << text;
  EXPECT_EQ(back.imported, model.imported);
  EXPECT_EQ(write_yaml(back), text);
}

// ---- Models with everything in them ---------------------------------------------------------------------

/// Fills every property of every kind with arbitrary values.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  bool coin() { return below(2) == 0; }

  std::string name() {
    static const std::vector<std::string> hostile{"a b",
                                                  "a: b",
                                                  "#x",
                                                  "- x",
                                                  "-",
                                                  "yes",
                                                  "No",
                                                  "null",
                                                  "~",
                                                  "1.5",
                                                  "0x10",
                                                  "true",
                                                  "",
                                                  "größe",
                                                  "臂",
                                                  "\"q\"",
                                                  "it's",
                                                  "a\nb",
                                                  "a\tb",
                                                  "<script>alert(1)</script>",
                                                  "a\\b",
                                                  "{",
                                                  "}",
                                                  "[x]",
                                                  "a, b",
                                                  "*a",
                                                  "&a",
                                                  "!t",
                                                  "%d",
                                                  "@x",
                                                  "`x`",
                                                  "?",
                                                  "? x",
                                                  ": ",
                                                  "|",
                                                  ">",
                                                  " lead",
                                                  "trail ",
                                                  "a.b",
                                                  "a/b",
                                                  "none",
                                                  ".inf",
                                                  "=",
                                                  "<<",
                                                  "\xc2\x85x",
                                                  "\xe2\x80\xa8x",
                                                  "\xef\xbb\xbfx",
                                                  "\xf0\x9f\xa6\xbe",
                                                  "'; DROP TABLE",
                                                  "x#y",
                                                  "x #y",
                                                  "...",
                                                  "---",
                                                  "world",
                                                  "\xc2\xa0",
                                                  "n",
                                                  "Y"};
    const std::string base = coin() ? "n" : hostile[below(hostile.size())];
    // The number keeps names apart.
    return base + (coin() ? "" : " ") + std::to_string(count_++);
  }

  void fill(double& value) {
    switch (below(6)) {
      case 0: value = 0; break;
      case 1: value = static_cast<double>(below(2000)) / 8 - 100; break;
      case 2:
        value = std::ldexp(std::uniform_real_distribution<>(-1, 1)(engine_), static_cast<int>(below(2000)) - 1000);
        break;
      case 3: value = static_cast<double>(below(720)) * 0.017453292519943295; break;
      case 4: value = -0.0; break;
      default: value = std::uniform_real_distribution<>(-10, 10)(engine_);
    }
  }
  void fill(int& value) { value = static_cast<int>(below(100)) - 50; }
  void fill(bool& value) { value = coin(); }
  void fill(std::string& value) { value = coin() ? "" : name(); }
  void fill(Vec3<double>& v) { fill(v.x), fill(v.y), fill(v.z); }
  void fill(SymMat3<double>& s) { fill(s.xx), fill(s.xy), fill(s.xz), fill(s.yy), fill(s.yz), fill(s.zz); }
  void fill(Direction& d) {
    if (coin()) {
      d = Direction{Vec3<double>::unit(static_cast<int>(below(3)))};
      if (coin()) d.v = -d.v;
      return;
    }
    std::normal_distribution<> normal;
    const Vec3<double> v{normal(engine_), normal(engine_), normal(engine_)};
    d.v = v * (1 / norm(v));
  }
  void fill(Pose<double>& X) {
    if (below(4) == 0) return;
    fill(X.p);
    std::uniform_real_distribution<> angle(-3, 3);
    switch (below(5)) {
      case 0: X.R = rotation_from_rpy({std::round(angle(engine_) * 10) / 10, 0.5, -0.25}); break;
      case 1: X.R = rotation_from_rpy({angle(engine_), angle(engine_), angle(engine_)}); break;
      case 2: X.R = rotation_from_axis_angle({1, 2, angle(engine_)}, angle(engine_)); break;
      case 3: X.R = rotation_from_rpy({angle(engine_), 1, 2}) * rotation_from_rpy({angle(engine_), 0, 1}); break;
      default: X.R = rotation_about(static_cast<int>(below(3)), 0.0, 1.0);
    }
  }
  template <class E>
    requires std::is_enum_v<E>
  void fill(E& value) {
    value = static_cast<E>(below(enum_names(E{}).size()));
  }
  template <class T>
  void fill(std::optional<T>& value) {
    if (coin()) fill(value.emplace());
  }
  template <class T>
  void fill(std::vector<T>& values) {
    values.resize(below(4));
    for (T& value : values) fill(value);
  }
  void fill(Rows& rows) {
    rows.assign(1 + below(3), std::vector<double>(1 + below(3)));
    for (auto& row : rows) {
      for (double& number : row) fill(number);
    }
  }
  void fill(Limits& limits) {
    if (coin()) fill(limits.lower);
    if (coin()) fill(limits.upper);
  }
  void fill(Frame& frame) { frame.name = name(), fill(frame.X_EF); }
  void fill(Color& color) { fill(color.r), fill(color.g), fill(color.b), fill(color.a); }
  void fill(Shape& shape) {
    fill(shape.name), fill(shape.X_BS), fill(shape.use), fill(shape.color), fill(shape.texture);
    switch (below(5)) {
      case 0: fill(shape.geometry.emplace<Box>().size); break;
      case 1: fill(shape.geometry.emplace<Sphere>().radius); break;
      case 2: fill(shape.geometry.emplace<Cylinder>().radius); break;
      case 3: fill(shape.geometry.emplace<Capsule>().length); break;
      default: {
        Mesh& mesh = shape.geometry.emplace<Mesh>();
        fill(mesh.file);
        if (coin()) fill(mesh.scale);
      }
    }
  }
  void fill(Constituent& part) {
    fill(part.name), fill(part.X_BC), fill(part.M_C.m), fill(part.M_C.h), fill(part.M_C.I);
  }
  void fill(CustomPort& port) { port.name = coin() ? "type" + std::to_string(count_++) : name(), fill(port.type); }
  void fill(CustomProperty& property) { property.name = name(), fill(property.numbers), fill(property.text); }

  template <class K>
  K kind() {
    K made;
    K::fields(made, [&](std::string_view, auto& value, const Dimension&) { fill(value); });
    return made;
  }
  template <std::size_t... k>
  Kind any_kind(std::size_t wanted, std::index_sequence<k...>) {
    Kind made;
    ((wanted == k ? void(made = kind<std::variant_alternative_t<k, Kind>>()) : void()), ...);
    return made;
  }
  Kind any_kind() {
    constexpr std::size_t kinds = std::variant_size_v<Kind>;
    return any_kind(below(kinds), std::make_index_sequence<kinds>());
  }

  void fill(Assembly& assembly, int depth) {
    for (std::size_t k = below(20); k > 0; --k) assembly.add(Entity{name(), any_kind(), {}});
    for (std::size_t k = below(30); k > 0 && !assembly.entities().empty(); --k) connect(assembly);
    for (std::size_t k = depth > 0 ? below(3) : 0; k > 0; --k) {
      Assembly part;
      fill(part, depth - 1);
      assembly.add_part("part" + std::to_string(count_++), std::move(part));
    }
  }

  Model model() {
    Model made(coin() ? "" : name());
    fill(made, 2);
    fill(made.at<ReferenceFrame>("world").frames);
    fill(made.at<ReferenceFrame>("world").constituents);
    if (coin()) fill(made.environment.gravity.emplace<UniformGravity>().acceleration);
    if (below(4) == 0) fill(made.environment.gravity.emplace<CentralGravity>().mu);
    if (coin()) {
      Ground& ground = made.environment.ground.emplace();
      fill(ground.normal), fill(ground.height), fill(ground.friction);
    }
    if (coin()) made.exterior = {{name(), name()}, {port(made), port(made), {"gone", ""}}};
    made.imported = coin();
    return made;
  }

 private:
  const Entity& some(const Assembly& assembly) { return assembly.entities()[below(assembly.entities().size())]; }
  PortRef port(const Assembly& assembly) {
    const Entity& entity = some(assembly);
    const auto ports = port_names(entity);
    return {entity.name, ports.empty() || below(10) == 0 ? std::string("no port") : ports[below(ports.size())]};
  }

  void connect(Assembly& assembly) {
    const PortRef own = port(assembly), other = port(assembly);
    const Entity* body = assembly.find(other.entity, Family::body);
    switch (below(6)) {
      case 0: assembly.connect({own, other, port(assembly)}); break;
      case 1: assembly.connect({own}); break;
      case 2: assembly.connect({own, {"some/where", "else"}}); break;
      case 3: assembly.connect({other, own}); break;
      case 4:
        // A place, as attach() would make it; unless a frame of that name is there already.
        if (const Entity* self = assembly.find(own); body != nullptr && !find_port(*body, to_text(own))) {
          Pose<double> X;
          fill(X);
          assembly.attach(self->name, family_of(self->kind), own.port, {other.entity, X});
        }
        break;
      default: assembly.connect({own, other});
    }
  }

  std::mt19937 engine_;
  int count_ = 0;
};

TEST(YamlWriter, WhateverAModelHoldsIsReadBackUnchanged) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_round_trip(Random(seed).model());
    if (HasFatalFailure() || HasNonfatalFailure()) break;
  }
}

TEST(YamlWriter, GermanNumbersChangeNothing) {
  const Model model = Random(7).model();
  const std::string before = write_yaml(model);
  const GermanLocale german;
  EXPECT_EQ(write_yaml(model), before);
  expect_round_trip(model);
}

// ---- How it reads ---------------------------------------------------------------------------------------

TEST(YamlWriter, WritesAsOneWould) {
  Model m("elbow");
  m.add("upper",
        RigidBody{.mass = 3, .com = {0, 0, 0.1}, .inertia = SymMat3<double>::diagonal(0.0127, 0.0127, 0.0054)});
  m.add("fore", RigidBody{.mass = 2.5});
  m.add("shoulder", Joint{.limits = {{-1.5707963267948966, 2.9}}}, "world", "upper");
  m.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0, 0, 0.2}, .rpy = {0, 0, 0.3}}), "fore");
  m.add("elbow_drive", Drive{.gear = 100, .stiffness = 1e4}, "elbow", "upper");
  m.add("weld", Joint{.kind = JointKind::fixed, .closes_loop = true}, "fore", at("world", {.xyz = {1, 0, 0}}));
  m.connect({{"upper", ""}, {"fore", ""}, {"elbow", "to"}});
  m.exterior.joints = {"elbow"};
  EXPECT_EQ(write_yaml(m), R"(articula: 1
name: elbow
bodies:
  upper: {mass: 3, com: [0, 0, 0.1], inertia: {xx: 0.0127, yy: 0.0127, zz: 0.0054}}
  fore:  {mass: 2.5}
joints:
  shoulder: {type: revolute, axis: z, from: world, to: upper, limits: [-90 deg, 2.9]}
  elbow:    {type: revolute, axis: y, from: {upper: {xyz: [0, 0, 0.2], rpy: [0, 0, 0.3]}}, to: fore}
drives:
  elbow_drive: {joint: elbow, mounted_on: upper, gear: 100, stiffness: 10000}
loops:
  weld: {type: fixed, from: fore, to: {world: {xyz: [1, 0, 0]}}}
connections:
  - [upper, fore, {elbow: to}]
exterior: {joints: [elbow]}
)");
  expect_round_trip(m);
}

TEST(YamlWriter, TheEmptyModelIsItsVersion) { EXPECT_EQ(write_yaml(Model()), "articula: 1\n"); }

TEST(YamlWriter, LinesKeepToThePage) {
  Model m;
  RigidBody body;
  for (int k = 0; k < 40; ++k) body.frames.push_back({"frame" + std::to_string(k), {{}, {0.125 * k, 0, 1}}});
  for (int k = 0; k < 10; ++k)
    body.shapes.push_back({"", Box{{1, 2, 3}}, {}, ShapeUse::visual, Color{0.1, 0.2, 0.3, 1}, "wood.png"});
  m.add("table", body);
  expect_round_trip(m);
  const std::string text = write_yaml(m);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 111u) << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(YamlWriter, JointsThatCloseLoopsKeepTheirPlaceAmongTheJoints) {
  Model m;
  m.add("a", Joint{});
  m.add("b", Joint{.closes_loop = true});
  m.add("c", Joint{});
  EXPECT_THAT(write_yaml(m), HasSubstr("b: {type: revolute, axis: z, closes_loop: true}"));
  EXPECT_THAT(write_yaml(m), Not(HasSubstr("loops:")));
  expect_round_trip(m);
}

TEST(YamlWriter, AFrameThatSeveralUseIsStillAPlace) {
  Model m;
  m.add("a", RigidBody{});
  m.add("j", Joint{}, at("a", {.xyz = {1, 0, 0}}));
  m.add("f", ExternalForce{}, at("a", "j.from"));
  EXPECT_THAT(write_yaml(m), HasSubstr("j: {type: revolute, axis: z, from: {a: {xyz: [1, 0, 0]}}}"));
  EXPECT_THAT(write_yaml(m), HasSubstr("f: {on: {a: j.from}}"));
  expect_round_trip(m);
}

TEST(YamlWriter, PortsThatAreCalledLikePropertiesAreConnectedElsewhere) {
  Model m;
  m.add("c", Custom{.type = "own", .custom_ports = {{"type"}, {"a: b"}}});
  m.connect({{"c", "type"}, {"world", ""}}).connect({{"c", "a: b"}, {"world", ""}});
  EXPECT_THAT(write_yaml(m), HasSubstr("c: {type: own, \"a: b\": world, ports: {type: spatial, \"a: b\": spatial}}"));
  EXPECT_THAT(write_yaml(m), HasSubstr("- [{c: type}, world]"));
  expect_round_trip(m);
}

TEST(YamlWriter, NamesThatMeanSomethingInYamlAreQuoted) {
  Model m("yes: no");
  for (const char* name : {"null", "1.5", "- x", "#", "a\nb", "größe", "\"", "<script>", "hand_l", "arm/hand"})
    m.add(name, RigidBody{});
  const std::string text = write_yaml(m);
  for (const char* quoted_name : {"\"null\":", "\"1.5\":", "\"- x\":", "\"#\":", "\"a\\nb\":", "\n  größe:",
                                  "\"\\\"\":", "\"<script>\":", "\n  hand_l:", "\n  arm/hand:"}) {
    EXPECT_THAT(text, HasSubstr(quoted_name));
  }
  expect_round_trip(m);
}

TEST(YamlWriter, EnormousNamesSurvive) {
  Model m;
  const std::string name = "a b" + std::string(5000, 'x');
  m.add(name, RigidBody{.frames = {{name, {}}}});
  m.add(name, Joint{}, at(name, {.xyz = {1, 0, 0}}), at(name, name));
  Assembly part;
  part.add(name, RigidBody{});
  m.add_part(name, part);
  expect_round_trip(m);
}

TEST(YamlWriter, RotationsAreShortWhereThatIsExact) {
  const auto written = [](const Rotation<double>& R) {
    Model m;
    m.add("d", Displacement{{R, {}}});
    expect_round_trip(m);
    return write_yaml(m);
  };
  EXPECT_THAT(written(rotation_from_rpy({0.1, -0.2, 0.3})), HasSubstr("rpy: [0.1, -0.2, 0.3]"));
  EXPECT_THAT(written(rotation_about(0, 0.0, 1.0)), HasSubstr("rpy: [90 deg, 0, 0]"));
  EXPECT_THAT(written(rotation_from_axis_angle({1, 2, 3}, 0.7)),
              testing::AnyOf(HasSubstr("rpy:"), HasSubstr("quaternion:"), HasSubstr("rotation:")));
}

TEST(YamlWriter, WhatNoTextCanSayIsRefused) {
  Model m;
  m.add("a", RigidBody{.mass = std::nan("")});
  try {
    write_yaml(m);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "body \"a\": mass: the number nan is not finite. Only finite numbers can be written.  "
                 "[number-invalid]");
  }
  Model n("\xff");
  EXPECT_THROW(write_yaml(n), Error);
}

}  // namespace
}  // namespace articula::test
