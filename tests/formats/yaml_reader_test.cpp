// The meaning of text in the native form: every section, every way to write a value.
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>
#include <articula/spatial/orientation.h>

#include "../base/german_locale.h"
#include "yaml_text.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_yaml::error_in;
using testing_yaml::model;
using testing_yaml::read;

constexpr double pi = std::numbers::pi;

/// The elbow of the design, built in code.
Model elbow() {
  Model m("elbow");
  m.add("upper",
        RigidBody{.mass = 3, .com = {0, 0, 0.1}, .inertia = SymMat3<double>::diagonal(0.0127, 0.0127, 0.0054)});
  m.add("fore",
        RigidBody{.mass = 2.5, .com = {0, 0, 0.1}, .inertia = SymMat3<double>::diagonal(0.0045, 0.0045, 0.001)});
  m.add("shoulder", Joint{.axis = z_axis, .limits = {{-2.9, 2.9}}}, "world", "upper");
  m.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0, 0, 0.2}}), "fore");
  m.add("elbow_drive", Drive{.rotor_inertia = 2e-4, .gear = 100, .stiffness = 1e4}, "elbow", "upper");
  m.add("rod", ConnectingRod{.length = 0.21}, at("upper", {.xyz = {0.1, 0, 0}}), at("fore", {.xyz = {0.1, 0, 0}}));
  return m;
}

constexpr std::string_view elbow_text = R"(name: elbow
environment: {gravity: [0, 0, -9.81]}
bodies:
  upper: {mass: 3.0, com: [0, 0, 0.1], inertia: {xx: 0.0127, yy: 0.0127, zz: 0.0054}}
  fore:  {mass: 2.5, com: [0, 0, 0.1], inertia: {xx: 0.0045, yy: 0.0045, zz: 0.001}}
joints:
  shoulder: {type: revolute, axis: z, from: world, to: upper, limits: [-2.9 rad, 2.9 rad]}
  elbow:    {type: revolute, axis: y, from: {upper: {xyz: [0, 0, 0.2]}}, to: fore}
drives:
  elbow_drive: {joint: elbow, mounted_on: upper, rotor_inertia: 2e-4, gear: 100, stiffness: 1e4 N*m/rad}
loops:
  rod: {type: rod, from: {upper: {xyz: [0.1, 0, 0]}}, to: {fore: {xyz: [0.1, 0, 0]}}, length: 0.21}
)";

Pose<double> placement(std::string_view text) {
  return read("displacements: {d: {placement: " + std::string(text) + "}}").at<Displacement>("d").placement;
}

Joint joint(std::string_view properties) {
  return read("joints: {j: {" + std::string(properties) + "}}").at<Joint>("j");
}

TEST(YamlReader, TextAndProgramMeanTheSame) { EXPECT_EQ(read(elbow_text), elbow()); }

TEST(YamlReader, EntitiesAndConnectionsKnowTheirLines) {
  const Model m = read(elbow_text);
  EXPECT_EQ(to_text(m.find("fore", Family::body)->where), "arm.yaml:6");
  EXPECT_EQ(to_text(m.connections().front().where), "arm.yaml:8");
}

TEST(YamlReader, GermanNumbersChangeNothing) {
  const Model before = read(elbow_text);
  const GermanLocale german;
  EXPECT_EQ(read(elbow_text), before);
}

TEST(YamlReader, TheSmallestModelIsWorldAlone) {
  const Model m = read("");
  EXPECT_EQ(m, Model());
  EXPECT_EQ(m.entities().size(), 1u);
}

TEST(YamlReader, AJsonTextIsATextToo) {
  Findings findings;
  const Model m = read_yaml(R"({"articula": 1, "bodies": {"a": {"mass": 2, "com": [0, 0, 1]}}})", "arm.yaml", findings);
  EXPECT_EQ(m.at<RigidBody>("a").mass, 2);
}

TEST(YamlReader, EmptySectionsAndEntriesAreAllowed) {
  const Model m =
      read("bodies:\n  plate:\njoints:\nconnections:\nparts:\nloops:\nentities:\nexterior: {joints: , frames: }");
  EXPECT_EQ(m.at<RigidBody>("plate"), RigidBody{});
}

TEST(YamlReader, NumbersCarryUnits) {
  const RigidBody body = read("bodies: {a: {mass: 1500 g, com: [12 mm, 1 cm, -2], inertia: {xx: 3 kg*mm^2, yz: 1e-3}}}")
                             .at<RigidBody>("a");
  EXPECT_DOUBLE_EQ(body.mass, 1.5);
  EXPECT_DOUBLE_EQ(body.com.x, 0.012);
  EXPECT_EQ(body.com.z, -2);
  EXPECT_DOUBLE_EQ(body.inertia.xx, 3e-6);
  EXPECT_EQ(body.inertia.yz, 1e-3);
}

TEST(YamlReader, UnitsFollowTheKindOfJointAndTheFormOfASpring) {
  EXPECT_EQ(joint("type: revolute, limits: [-180 deg, 90 deg]").limits, (std::vector<Limits>{{-pi, pi / 2}}));
  EXPECT_EQ(joint("type: prismatic, limits: [0, 500 mm]").limits, (std::vector<Limits>{{0, 0.5}}));
  EXPECT_EQ(joint("limits: [0, 90 deg], type: revolute").limits, (std::vector<Limits>{{0, pi / 2}}));
  EXPECT_EQ(read("springs: {s: {rest: 90 deg, form: torsional}}").at<Spring>("s").rest, pi / 2);
  EXPECT_THAT(error_in("springs: {s: {rest: 90 deg}}"), HasSubstr("[unit-dimension]"));
}

TEST(YamlReader, LimitsMayBeOpen) {
  EXPECT_EQ(joint("limits: [none, 2]").limits, (std::vector<Limits>{{-Limits::none, 2}}));
  EXPECT_EQ(joint("limits: [none, none]").limits, (std::vector<Limits>{{}}));
  EXPECT_EQ(joint("type: universal, limits: [[-1, 1], none]").limits, (std::vector<Limits>{{-1, 1}, {}}));
  EXPECT_EQ(joint("limits: []").limits, std::vector<Limits>{});
}

TEST(YamlReader, OneNumberOrAListOfThem) {
  EXPECT_EQ(joint("start: 0.5").start, std::vector{0.5});
  EXPECT_EQ(joint("type: planar, speed_limit: [1, 2, 3]").speed_limit, (std::vector<double>{1, 2, 3}));
}

TEST(YamlReader, DirectionsAreLettersOrVectorsOfAnyLength) {
  EXPECT_EQ(joint("axis: x").axis, x_axis);
  EXPECT_EQ(joint("axis: -y").axis, (Direction{{0, -1, 0}}));
  EXPECT_EQ(joint("axis: [0, 0, 5]").axis, z_axis);
  EXPECT_EQ(joint("axis: [3, 0, 4]").axis, (Direction{{0.6, 0, 0.8}}));
  EXPECT_EQ(joint("axis: [0, 1e300, 0]").axis, y_axis);
  EXPECT_EQ(joint("axis: [0, 1e-300, 0]").axis, y_axis);
}

TEST(YamlReader, ADirectionOfUnitLengthIsKeptToTheLastBit) {
  const Direction axis = joint("axis: [1, 2, 3]").axis;
  const auto& [x, y, z] = axis.v;
  EXPECT_EQ(joint("axis: [" + number_text(x) + ", " + number_text(y) + ", " + number_text(z) + "]").axis, axis);
}

TEST(YamlReader, PlacementsAreWrittenInManyWays) {
  const Rotation<double> quarter = rotation_from_rpy({0, 0, pi / 2});
  EXPECT_EQ(placement("{}"), Pose<double>::identity());
  EXPECT_EQ(placement("{xyz: [1, 2, 3]}"), (Pose<double>{{}, {1, 2, 3}}));
  EXPECT_EQ(placement("{rpy: [0, 0, 90 deg], xyz: [1, 0, 0]}"), (Pose<double>{quarter, {1, 0, 0}}));
  EXPECT_EQ(placement("{euler: {sequence: zxz, angles: [90 deg, 0, 0]}}").R, quarter);
  EXPECT_EQ(placement("{axis_angle: {axis: z, angle: 90 deg}}").R, quarter);
  EXPECT_EQ(placement("{rotation: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}").R, quarter);
  EXPECT_EQ(placement("{quaternion: {x: 0, y: 0, z: 1, w: 0}}").R, rotation_from_rpy({0, 0, pi}));
  const LinkDisplacement standard =
      displacement(LinkConvention::standard, {.theta = 0.1, .d = 0.2, .a = 0.3, .alpha = 0.4});
  EXPECT_EQ(placement("{dh: {theta: 0.1, d: 0.2, a: 0.3, alpha: 0.4}}"), standard.before * standard.after);
  const LinkDisplacement craig = displacement(LinkConvention::craig, {.theta = 0.1, .d = 0.2, .a = 0.3, .alpha = 0.4});
  EXPECT_EQ(placement("{craig: {theta: 0.1, d: 0.2, a: 0.3, alpha: 0.4}}"), craig.before * craig.after);
  const LinkDisplacement khalil = displacement(LinkConvention::khalil, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
  EXPECT_EQ(placement("{khalil: {theta: 0.1, r: 0.2, d: 0.3, alpha: 0.4, gamma: 0.5, b: 0.6}}"),
            khalil.before * khalil.after);
}

TEST(YamlReader, NearlyUnitQuaternionsAndMatricesAreNormalised) {
  const Rotation<double> R = placement("{quaternion: {x: 0.5, y: 0.5, z: 0.5, w: 0.5000005}}").R;
  EXPECT_LT(departure_from_rotation(R), 1e-15);
  const Rotation<double> S = placement("{rotation: [[1, 1e-7, 0], [0, 1, 0], [0, 0, 1.0000001]]}").R;
  EXPECT_LT(departure_from_rotation(S), 1e-15);
}

TEST(YamlReader, BodiesHaveFramesShapesAndConstituents) {
  const RigidBody body = read(R"(bodies:
  hand:
    density: 2700 kg/m^3
    internal_momentum: [0, 0, 0.1]
    frames: {tool: {xyz: [0, 0, 0.1]}, eye: }
    shapes:
      - {box: [1, 2, 3], name: palm, use: collision, color: [1, 0, 0]}
      - {sphere: 5 cm, placement: {xyz: [1, 0, 0]}, color: [1, 0, 0, 0.5], texture: skin.png}
      - {cylinder: {radius: 0.1, length: 0.2}}
      - {capsule: {radius: 0.1, length: 0.2}, use: visual}
      - {mesh: finger.stl}
      - {mesh: {file: thumb.stl, scale: [0.001, 0.001, 0.001]}}
    constituents: [{name: palm, placement: {xyz: [0, 0, 1]}, mass: 2, first_moment: [0, 0, 1], second_moment: {xx: 3}}]
)")
                             .at<RigidBody>("hand");
  EXPECT_EQ(body.density, 2700);
  EXPECT_EQ(body.internal_momentum, (Vec3<double>{0, 0, 0.1}));
  EXPECT_EQ(body.frames, (std::vector<Frame>{{"tool", {{}, {0, 0, 0.1}}}, {"eye", {}}}));
  ASSERT_EQ(body.shapes.size(), 6u);
  EXPECT_EQ(body.shapes[0], (Shape{"palm", Box{{1, 2, 3}}, {}, ShapeUse::collision, Color{1, 0, 0, 1}, ""}));
  EXPECT_EQ(body.shapes[1],
            (Shape{"", Sphere{0.05}, {{}, {1, 0, 0}}, ShapeUse::both, Color{1, 0, 0, 0.5}, "skin.png"}));
  EXPECT_EQ(body.shapes[2].geometry, Geometry(Cylinder{0.1, 0.2}));
  EXPECT_EQ(body.shapes[3].geometry, Geometry(Capsule{0.1, 0.2}));
  EXPECT_EQ(body.shapes[4].geometry, Geometry(Mesh{"finger.stl"}));
  EXPECT_EQ(body.shapes[5].geometry, Geometry(Mesh{"thumb.stl", {0.001, 0.001, 0.001}}));
  const Inertia<double> M{2, {0, 0, 1}, {.xx = 3}};
  EXPECT_EQ(body.constituents, (std::vector<Constituent>{{"palm", {{}, {0, 0, 1}}, M}}));
}

TEST(YamlReader, AGearHasAsManyShaftsAsItsMatrix) {
  const Model m = read(
      "gears: {g: {ratio: [[1, 0], [0.5, 2]], offset: [0, 90 deg], in1: a, in2: {b: shaft}, out2: {c: "
      "shaft2}}}");
  EXPECT_EQ(m.at<Gear>("g").ratio, (Rows{{1, 0}, {0.5, 2}}));
  EXPECT_EQ(m.at<Gear>("g").offset, (std::vector<double>{0, pi / 2}));
  ASSERT_EQ(m.connections().size(), 3u);
  EXPECT_THAT(m.connections()[0].ports, ElementsAre(PortRef{"g", "in1"}, PortRef{"a", "shaft"}));
  EXPECT_THAT(m.connections()[2].ports, ElementsAre(PortRef{"g", "out2"}, PortRef{"c", "shaft2"}));
  EXPECT_EQ(read("gears: {g: {ratio: -50}}").at<Gear>("g").ratio, (Rows{{-50}}));
}

TEST(YamlReader, CustomEntitiesBringTheirOwnPortsAndProperties) {
  const Model m = read(R"(custom:
  muscle: {type: hill, ports: {a: spatial, shaft: scalar, type: spatial}, a: {world: {xyz: [1, 0, 0]}},
           properties: {force: 20 N, fibre: [1, 2 mm], maker: ACME, code: "12", empty: [], both: {numbers: [1], text: x}}}
)");
  const Custom& muscle = m.at<Custom>("muscle");
  EXPECT_EQ(muscle.type, "hill");
  EXPECT_EQ(muscle.custom_ports, (std::vector<CustomPort>{{"a"}, {"shaft", PortType::scalar}, {"type"}}));
  EXPECT_EQ(muscle.properties, (std::vector<CustomProperty>{{"force", {20}, ""},
                                                            {"fibre", {1, 0.002}, ""},
                                                            {"maker", {}, "ACME"},
                                                            {"code", {}, "12"},
                                                            {"empty", {}, ""},
                                                            {"both", {1}, "x"}}));
  EXPECT_THAT(m.connections().front().ports, ElementsAre(PortRef{"muscle", "a"}, PortRef{"world", "muscle.a"}));
}

TEST(YamlReader, EntitiesOfAnyKindMayStandInOneList) {
  EXPECT_EQ(read("entities: {a: {kind: body, mass: 1}, j: {kind: joint, type: free, from: world, to: a}, r: {kind: "
                 "connecting_rod, length: 2}}"),
            read("bodies: {a: {mass: 1}}\njoints: {j: {type: free, from: world, to: a}}\nrods: {r: {length: 2}}"));
}

TEST(YamlReader, JointsUnderLoopsCloseThem) {
  const Model m = read(
      "loops: {a: {type: spherical}, b: {type: rod, length: 1}, c: {type: fixed}}\njoints: {d: {type: fixed, "
      "closes_loop: true}, e: }");
  for (const char* name : {"a", "c", "d"}) EXPECT_TRUE(m.at<Joint>(name).closes_loop) << name;
  EXPECT_FALSE(m.at<Joint>("e").closes_loop);
  EXPECT_EQ(m.at<ConnectingRod>("b").length, 1);
}

TEST(YamlReader, JointsKeepTheOrderOfTheText) {
  EXPECT_THAT(read("loops: {c: }\njoints: {b: , a: }\nentities: {d: {kind: joint}}").names(Family::joint),
              ElementsAre("c", "b", "a", "d"));
}

TEST(YamlReader, ConnectionsJoinAnyPorts) {
  const Model m = read("connections: [[upper, {elbow: from}, {camera: \"\"}], [{a/b: tool}, c]]");
  ASSERT_EQ(m.connections().size(), 2u);
  EXPECT_THAT(m.connections()[0].ports,
              ElementsAre(PortRef{"upper", ""}, PortRef{"elbow", "from"}, PortRef{"camera", ""}));
  EXPECT_THAT(m.connections()[1].ports, ElementsAre(PortRef{"a/b", "tool"}, PortRef{"c", ""}));
}

TEST(YamlReader, TheEnvironmentHasGravityAndGround) {
  const Environment e = read(
                            "environment: {gravity: {central: {center: [1 km, 0, 0], mu: 3.986e14}}, ground: "
                            "{normal: y, height: 1, friction: 0.5}}")
                            .environment;
  EXPECT_EQ(e.gravity, Gravity(CentralGravity{{1000, 0, 0}, 3.986e14}));
  EXPECT_EQ(e.ground, (Ground{y_axis, 1, 0.5}));
  EXPECT_EQ(read("environment: {gravity: [0, -9.81 m/s^2, 0]}").environment.gravity,
            Gravity(UniformGravity{{0, -9.81, 0}}));
  EXPECT_EQ(read("environment: {ground: }").environment.ground, Ground{});
}

TEST(YamlReader, WorldHasFramesAndTheModelExteriorPorts) {
  const Model m = read(
      "world: {frames: {table: {xyz: [0, 0, 0.7]}}}\nexterior: {joints: [b, a], frames: [{hand: tool}, "
      "base]}\nimported: true");
  EXPECT_EQ(m.at<ReferenceFrame>("world").frames, (std::vector<Frame>{{"table", {{}, {0, 0, 0.7}}}}));
  EXPECT_THAT(m.exterior.joints, ElementsAre("b", "a"));
  EXPECT_THAT(m.exterior.frames, ElementsAre(PortRef{"hand", "tool"}, PortRef{"base", ""}));
  EXPECT_TRUE(m.imported);
}

TEST(YamlReader, PartsHoldAssembliesAndAPlaceMayLieInThem) {
  const Model m = read(R"(parts:
  arm:
    bodies: {hand: {mass: 1}}
    parts: {finger: {bodies: {tip: }}}
joints:
  j: {type: fixed, from: {arm/hand: {xyz: [0, 0, 1]}}, to: {arm/finger/tip: {}}}
)");
  ASSERT_EQ(m.parts().size(), 1u);
  const Assembly& arm = m.parts()[0].assembly;
  EXPECT_EQ(arm.at<RigidBody>("hand").frames, (std::vector<Frame>{{"j.from", {{}, {0, 0, 1}}}}));
  EXPECT_EQ(arm.parts()[0].assembly.at<RigidBody>("tip").frames, (std::vector<Frame>{{"j.to", {}}}));
  EXPECT_THAT(m.connections()[0].ports, ElementsAre(PortRef{"j", "from"}, PortRef{"arm/hand", "j.from"}));
}

TEST(YamlReader, AnchorsAndAliasesSaveWriting) {
  const Model m = read("bodies: {a: &link {mass: 2, inertia: &I {xx: 1}}, b: *link, c: {inertia: *I}}");
  EXPECT_EQ(m.at<RigidBody>("b"), m.at<RigidBody>("a"));
  EXPECT_EQ(m.at<RigidBody>("c").inertia.xx, 1);
}

TEST(YamlReader, NamesMayBeAnyText) {
  const Model m = read("bodies: {größe: , \"a: b\": , 'null': , \"<script>\": , \"a\\nb\": , 1.5: , yes: }");
  EXPECT_THAT(m.names(Family::body), ElementsAre("world", "größe", "a: b", "null", "<script>", "a\nb", "1.5", "yes"));
}

TEST(YamlReader, AJointMayBeCalledLikeABody) {
  const Model m = read("bodies: {elbow: }\njoints: {elbow: {from: world, to: elbow}}\ndrives: {elbow: {joint: elbow}}");
  EXPECT_THAT(m.connections()[1].ports, ElementsAre(PortRef{"elbow", "to"}, PortRef{"elbow", ""}));
  EXPECT_THAT(m.connections()[2].ports, ElementsAre(PortRef{"elbow", "joint"}, PortRef{"elbow", "shaft"}));
}

TEST(YamlReader, AStarOfManyJointsIsNoTrouble) {
  std::string text = "bodies: {";
  for (int k = 0; k < 20'000; ++k) text += "b" + std::to_string(k) + ": ,";
  text += "}\njoints: {";
  for (int k = 0; k < 20'000; ++k)
    text += "j" + std::to_string(k) + ": {from: {world: {}}, to: b" + std::to_string(k) + "},";
  EXPECT_EQ(read(text + "}").at<ReferenceFrame>("world").frames.size(), 20'000u);
}

TEST(YamlReader, WarningsAreAddedToTheFindingsOfTheCaller) {
  Findings findings{{Severity::error, "earlier", {}, "not ours"}};
  read_yaml(model(""), "arm.yaml", findings);
  EXPECT_EQ(findings.size(), 1u);
}

}  // namespace
}  // namespace articula::test
