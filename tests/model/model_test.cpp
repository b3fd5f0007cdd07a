#include <articula/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <type_traits>

#include "support/findings.h"

namespace articula::test {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::IsEmpty;

/// Two bodies and two joints, as the documentation writes them.
Model elbow() {
  Model elbow("elbow");
  elbow.add("upper",
            RigidBody{.mass = 3.0, .com = {0, 0, 0.1}, .inertia = SymMat3<double>::diagonal(0.0127, 0.0127, 0.0054)});
  elbow.add("fore",
            RigidBody{.mass = 2.5, .com = {0, 0, 0.1}, .inertia = SymMat3<double>::diagonal(0.0045, 0.0045, 0.001)});
  elbow.add("shoulder", Joint{.axis = z_axis, .limits = {{-2.9, 2.9}}}, "world", "upper");
  elbow.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0, 0, 0.2}}), "fore");
  elbow.add("elbow_drive", Drive{.rotor_inertia = 2e-4, .gear = 100, .stiffness = 1e4}, "elbow", "upper");
  return elbow;
}

// --- what a model holds ------------------------------------------------------------------------------------------

TEST(Model, BuiltInCppReadsLikeText) {
  const Model model = elbow();
  EXPECT_EQ(model.name, "elbow");
  EXPECT_THAT(model.names(Family::body), ElementsAre("world", "upper", "fore"));
  EXPECT_THAT(model.names(Family::joint), ElementsAre("shoulder", "elbow"));
  EXPECT_THAT(model.names(Family::element), ElementsAre("elbow_drive"));
  EXPECT_EQ(model.at<RigidBody>("upper").mass, 3.0);
  EXPECT_EQ(model.at<RigidBody>("upper").frames, (std::vector<Frame>{{"elbow.from", {{}, {0, 0, 0.2}}}}));
  const std::vector<Connection> expected{
      {{{"shoulder", "from"}, {"world", ""}}, {}},          {{{"shoulder", "to"}, {"upper", ""}}, {}},
      {{{"elbow", "from"}, {"upper", "elbow.from"}}, {}},   {{{"elbow", "to"}, {"fore", ""}}, {}},
      {{{"elbow_drive", "joint"}, {"elbow", "shaft"}}, {}}, {{{"elbow_drive", "mounted_on"}, {"upper", ""}}, {}}};
  EXPECT_EQ(model.connections(), expected);
}

TEST(Model, BeginsWithWorldAloneAndEarthsGravity) {
  const Model model;
  EXPECT_THAT(model.names(Family::body), ElementsAre("world"));
  EXPECT_EQ(model.at<ReferenceFrame>("world"), ReferenceFrame{});
  EXPECT_EQ(std::get<UniformGravity>(model.environment.gravity).acceleration, (Vec3<double>{0, 0, -9.81}));
  EXPECT_FALSE(model.environment.ground.has_value());
  EXPECT_FALSE(model.imported);
}

TEST(Model, IsAValue) {
  const Model model = elbow();
  Model copy = model;
  copy.at<RigidBody>("fore").mass = 9;
  EXPECT_EQ(model.at<RigidBody>("fore").mass, 2.5);
  EXPECT_EQ(copy.at<RigidBody>("fore").mass, 9);
  const Model moved = std::move(copy);
  EXPECT_EQ(moved.at<RigidBody>("fore").mass, 9);
}

TEST(Model, KeepsTheOrderInWhichEntitiesCame) {
  Model model;
  for (const char* name : {"c", "a", "b"}) model.add(name, RigidBody{});
  EXPECT_THAT(model.names(Family::body), ElementsAre("world", "c", "a", "b"));
}

TEST(Model, HasRoomForWhatIsReserved) {
  Model model;
  model.reserve(Family::body, 100).reserve_connections(100);
  EXPECT_GE(model.entities().capacity(), 101u);
  EXPECT_GE(model.connections().capacity(), 100u);
}

// --- names -----------------------------------------------------------------------------------------------------

TEST(Names, AreUniqueWithinAFamily) {
  EXPECT_EQ(error_of([] { Model().add("a", RigidBody{}).add("a", RigidBody{}); }),
            "body \"a\": the name is taken by body \"a\". Names are unique; rename one of them.  [name-duplicate]");
  EXPECT_EQ(error_of([] { Model().add("a", Spring{}).add("a", Gear{}); }),
            "gear \"a\": the name is taken by spring \"a\". Names are unique; rename one of them.  [name-duplicate]");
  EXPECT_EQ(error_of([] { Model().add("world", RigidBody{}); }),
            "body \"world\": the name is taken by reference_frame \"world\". Names are unique; rename one of them.  "
            "[name-duplicate]");
}

TEST(Names, MayBeSharedByABodyAJointAndAnElement) {
  Model model;
  model.add("arm", RigidBody{.mass = 2}).add("arm", Joint{.damping = 3}).add("arm", Spring{.stiffness = 4});
  EXPECT_EQ(model.at<RigidBody>("arm").mass, 2);
  EXPECT_EQ(model.at<Joint>("arm").damping, 3);
  EXPECT_EQ(model.at<Spring>("arm").stiffness, 4);
}

TEST(Names, ThatAreTakenAreCitedWithBothPlaces) {
  Model model;
  model.add(Entity{"a", RigidBody{}, {"arm.yaml", 3}});
  EXPECT_EQ(error_of([&] {
              model.add(Entity{"a", RigidBody{}, {"arm.yaml", 7}});
            }),
            "arm.yaml:7: body \"a\": the name is taken by body \"a\" at arm.yaml:3. Names are unique; rename one of "
            "them.  [name-duplicate]");
  model.add_part("p", Assembly(), {"arm.yaml", 9});
  EXPECT_EQ(error_of([&] {
              model.add_part("p", Assembly(), {"arm.yaml", 12});
            }),
            "arm.yaml:12: part \"p\": the name is taken by another part at arm.yaml:9. Names are unique; rename one of "
            "them.  [name-duplicate]");
}

TEST(Names, ThatAreRefusedLeaveTheModelAsItWas) {
  Model model = elbow();
  const Model before = model;
  EXPECT_THROW(model.add("fore", RigidBody{}), Error);
  EXPECT_THROW(model.add("", RigidBody{}), Error);
  EXPECT_THROW(model.add_part("a/b", Assembly()), Error);
  EXPECT_EQ(model, before);
  EXPECT_EQ(model.at<RigidBody>("fore").mass, 2.5);
}

TEST(Names, AreNeitherEmptyNorControlCharacters) {
  EXPECT_EQ(error_of([] { Model().add("", Joint{}); }),
            "joint: the name is empty. A name needs at least one character.  [name-invalid]");
  EXPECT_EQ(error_of([] { Model().add(std::string("a\0b", 3), RigidBody{}); }),
            "body: the name \"a\\x00b\" holds a control character. Only tab and newline are allowed.  [name-invalid]");
  EXPECT_EQ(error_of([] { Model().add("a\x7f", RigidBody{}); }),
            "body: the name \"a\\x7f\" holds a control character. Only tab and newline are allowed.  [name-invalid]");
  EXPECT_EQ(error_of([] { Model().add("\xff", RigidBody{}); }),
            "body: the name \"\\xff\" is not UTF-8. Names are UTF-8 text.  [name-invalid]");
  EXPECT_EQ(error_of([] { Model().add_part("", Assembly()); }),
            "part: the name is empty. A name needs at least one character.  [name-invalid]");
  EXPECT_EQ(error_of([] { Model().add_part("a/b", Assembly()); }),
            "part \"a/b\": the name holds a slash. Slashes separate a part from what is in it; take another sign.  "
            "[name-invalid]");
}

TEST(Names, MayBeAnyText) {
  for (const char* name :
       {"Größe", "手", "a b", "quote\"s", "semi;colon", "two\nlines", "tab\there", "<script>", "a/b", "a.b"}) {
    Model model;
    model.add(name, RigidBody{.mass = 1});
    EXPECT_EQ(model.at<RigidBody>(name).mass, 1) << name;
  }
}

// --- finding -----------------------------------------------------------------------------------------------------

TEST(Find, GivesTheEntityOrNone) {
  const Model model = elbow();
  EXPECT_EQ(model.find("elbow", Family::joint)->name, "elbow");
  EXPECT_EQ(model.find("elbow", Family::body), nullptr);
  EXPECT_EQ(model.find("nothing", Family::joint), nullptr);
  EXPECT_EQ(model.find_part("nothing"), nullptr);
}

TEST(Find, OfAReferenceMeansTheEntityThatHasSuchAPort) {
  Model model;
  model.add("arm", RigidBody{.frames = {{"tool", {}}}}).add("arm", Joint{}).add("arm", Rotor{});
  const auto kind = [&](const PortRef& ref) { return kind_name(model.find(ref)->kind); };
  EXPECT_EQ(kind({"arm", ""}), "body");
  EXPECT_EQ(kind({"arm", "tool"}), "body");
  EXPECT_EQ(kind({"arm", "from"}), "joint");
  EXPECT_EQ(kind({"arm", "mounted_on"}), "rotor");
  EXPECT_EQ(kind({"arm", "no such port"}), "body") << "so that a message can list its ports";
  EXPECT_EQ(model.find(PortRef{"hand", ""}), nullptr);
}

TEST(Find, ByPathLooksInsideParts) {
  Assembly hand, arm;
  hand.add("finger", RigidBody{.mass = 1});
  hand.add("with/slash", RigidBody{.mass = 2});
  arm.add_part("hand", hand);
  Model model;
  model.add_part("arm", arm);
  EXPECT_EQ(std::get<RigidBody>(model.find_path("arm/hand/finger", Family::body)->kind).mass, 1);
  EXPECT_EQ(std::get<RigidBody>(model.find_path("arm/hand/with/slash", Family::body)->kind).mass, 2);
  EXPECT_EQ(model.find_path("world", Family::body)->name, "world");
  for (const char* path : {"arm/hand", "arm/foot/finger", "arm", "/", "", "arm/", "hand/finger"}) {
    EXPECT_EQ(model.find_path(path, Family::body), nullptr) << path;
  }
  EXPECT_EQ(model.find("arm/hand/finger", Family::body), nullptr) << "find stays here";
}

TEST(At, ChangesInPlace) {
  Model model = elbow();
  model.at<RigidBody>("fore").mass = 0.7;
  model.at<Joint>("elbow").kind = JointKind::prismatic;
  EXPECT_EQ(std::get<RigidBody>(model.find("fore", Family::body)->kind).mass, 0.7);
  EXPECT_EQ(std::as_const(model).at<Joint>("elbow").kind, JointKind::prismatic);
}

/// A reference into a temporary would outlive it.
TEST(At, OfATemporaryGivesAValue) {
  const auto made = [] {
    Model model;
    model.add("elbow", Joint{.start = {0.5}});
    model.add_part("arm", Assembly());
    model.connect({{"elbow", "from"}, {"world", ""}});
    return model;
  };
  static_assert(std::is_same_v<decltype(made().at<Joint>("elbow")), Joint>);
  static_assert(std::is_same_v<decltype(std::declval<Model&>().at<Joint>("elbow")), Joint&>);
  static_assert(std::is_same_v<decltype(std::declval<const Model&>().at<Joint>("elbow")), const Joint&>);
  const Joint& elbow = made().at<Joint>("elbow");
  EXPECT_THAT(elbow.start, testing::ElementsAre(0.5));
  std::vector<std::string> names;
  for (const Entity& entity : made().entities()) names.push_back(entity.name);
  for (const Part& part : made().parts()) names.push_back(part.name);
  for (const Connection& connection : made().connections()) names.push_back(connection.ports.front().entity);
  EXPECT_THAT(names, testing::ElementsAre("world", "elbow", "arm", "elbow"));
}

TEST(At, NamesTheChoicesOfThatKind) {
  const Model model = elbow();
  EXPECT_EQ(error_of([&] { model.at<RigidBody>("for"); }),
            "body \"for\" not found. Did you mean \"fore\"? Bodies: upper, fore.  [no-such-body]");
  EXPECT_EQ(error_of([&] { model.at<RigidBody>("world"); }),
            "body \"world\" not found. Bodies: upper, fore.  [no-such-body]");
  EXPECT_EQ(error_of([&] { model.at<Joint>("elbo"); }),
            "joint \"elbo\" not found. Did you mean \"elbow\"? Joints: shoulder, elbow.  [no-such-joint]");
  EXPECT_EQ(error_of([&] { model.at<Drive>("x"); }),
            "drive \"x\" not found. Entities of kind drive: elbow_drive.  [no-such-entity]");
  EXPECT_EQ(error_of([&] { model.at<Spring>("elbow_drive"); }),
            "spring \"elbow_drive\" not found. There are no entities of kind spring.  [no-such-entity]");
}

// --- attaching ---------------------------------------------------------------------------------------------------

TEST(Attach, MakesAFrameOfAPlace) {
  Model model;
  model.add("a", RigidBody{}).add("b", RigidBody{});
  model.add("j", Joint{}, at("a", {.xyz = {1, 2, 3}, .rpy = {0, 0, 1}}), at("b", "tool"));
  EXPECT_EQ(model.at<RigidBody>("a").frames,
            (std::vector<Frame>{{"j.from", to_pose({.xyz = {1, 2, 3}, .rpy = {0, 0, 1}})}}));
  EXPECT_THAT(model.at<RigidBody>("b").frames, IsEmpty());
  EXPECT_EQ(model.connections()[1].ports, (std::vector<PortRef>{{"j", "to"}, {"b", "tool"}}));
}

TEST(Attach, ToAJointMeansItsShaft) {
  Model model;
  model.add("j", Joint{}).add("s", Spring{.form = Form::torsional}, "j", at("u", "shaft2"));
  EXPECT_EQ(model.connections()[0].ports, (std::vector<PortRef>{{"s", "from"}, {"j", "shaft"}}));
  EXPECT_EQ(model.connections()[1].ports, (std::vector<PortRef>{{"s", "to"}, {"u", "shaft2"}}));
}

TEST(Attach, ReachesIntoAPartByItsPath) {
  Assembly arm;
  arm.add("hand", RigidBody{});
  Model model;
  model.add_part("arm", arm);
  model.add("j", Joint{}, "world", at("arm/hand", {.xyz = {0, 0, 1}}));
  const auto& hand = model.find_part("arm")->assembly.at<RigidBody>("hand");
  EXPECT_EQ(hand.frames, (std::vector<Frame>{{"j.to", {{}, {0, 0, 1}}}}));
  EXPECT_EQ(model.connections()[1].ports, (std::vector<PortRef>{{"j", "to"}, {"arm/hand", "j.to"}}));
}

TEST(Attach, CanPutABodyOnABody) {
  Model model;
  model.add("a", RigidBody{}).add("b", RigidBody{}, at("a", {.xyz = {1, 0, 0}}));
  EXPECT_EQ(model.at<RigidBody>("a").frames, (std::vector<Frame>{{"b", {{}, {1, 0, 0}}}}));
  EXPECT_EQ(model.connections()[0].ports, (std::vector<PortRef>{{"b", ""}, {"a", "b"}}));
}

TEST(Attach, ToWhatIsNotThereSaysWhatIs) {
  Model model;
  model.add("upper", RigidBody{}).add("j", Joint{});
  EXPECT_EQ(error_of([&] {
              model.attach("j", Family::joint, "from", {"uper", Pose<double>{}});
            }),
            "body \"uper\" not found. Did you mean \"upper\"? Bodies: world, upper.  [no-such-body]");
  EXPECT_EQ(error_of([&] { model.attach("k", Family::joint, "from", "upper"); }),
            "entity \"k\" not found. Did you mean \"j\"? Joints: j.  [no-such-entity]");
  EXPECT_EQ(error_of([&] { model.add("f", ExternalForce{}, "upper", "upper"); }),
            "external_force \"f\" has 1 port to attach, not 2.  [no-such-port]");
}

// --- connections -------------------------------------------------------------------------------------------------

TEST(Connections, AreUndoneByTheSamePorts) {
  Model model = elbow();
  const auto before = model.connections().size();
  model.disconnect({{"fore", ""}, {"elbow", "to"}});
  EXPECT_EQ(model.connections().size(), before - 1);
  EXPECT_EQ(error_of([&] {
              model.disconnect({{"fore", ""}, {"elbow", "to"}});
            }),
            "there is no connection of exactly fore, elbow.to. Name all ports that it joins.  [no-such-connection]");
  model.connect({{"elbow", "to"}, {"fore", ""}});
  EXPECT_EQ(model, elbow());
}

TEST(Connections, OfThreePortsAreNotUndoneByTwo) {
  Model model;
  model.connect({{"a", ""}, {"b", ""}, {"c", ""}});
  EXPECT_THROW(model.disconnect({{"a", ""}, {"b", ""}}), Error);
  EXPECT_THROW(model.disconnect({{"a", ""}, {"b", ""}, {"d", ""}}), Error);
  model.disconnect({{"c", ""}, {"a", ""}, {"b", ""}});
  EXPECT_THAT(model.connections(), IsEmpty());
}

// --- equality ----------------------------------------------------------------------------------------------------

TEST(Equality, DoesNotSeeTheOrderOfConnectionsAndPorts) {
  Model a, b;
  a.connect({{"x", ""}, {"y", "p"}}).connect({{"z", ""}, {"y", "q"}});
  b.connect({{"y", "q"}, {"z", ""}}).connect({{"y", "p"}, {"x", ""}});
  EXPECT_EQ(a, b);
  b.connect({{"x", ""}, {"y", "p"}});
  EXPECT_FALSE(a == b) << "a connection more";
}

TEST(Equality, DoesNotSeeTheOrderOfKindsAndFrames) {
  Model a, b;
  a.add("body", RigidBody{.frames = {{"f", {}}, {"g", {}}}}).add("joint", Joint{}).add("spring", Spring{});
  b.add("spring", Spring{}).add("joint", Joint{}).add("body", RigidBody{.frames = {{"g", {}}, {"f", {}}}});
  EXPECT_EQ(a, b);
}

TEST(Equality, SeesTheOrderOfBodies) {
  Model a, b;
  a.add("x", RigidBody{}).add("y", RigidBody{});
  b.add("y", RigidBody{}).add("x", RigidBody{});
  EXPECT_FALSE(a == b) << "the order of the state follows the file";
}

TEST(Equality, DoesNotSeePlacesInText) {
  Model a, b;
  a.add(Entity{"x", RigidBody{}, {"a.yaml", 1}}).connect({{"x", ""}, {"world", ""}}, {"a.yaml", 2});
  b.add(Entity{"x", RigidBody{}, {"b.yaml", 7}}).connect({{"x", ""}, {"world", ""}}, {"b.yaml", 9});
  EXPECT_EQ(a, b);
}

TEST(Equality, SeesEverythingElse) {
  const std::vector<std::function<void(Model&)>> changes{
      [](Model& m) { m.name = "other"; },
      [](Model& m) { m.environment.gravity = CentralGravity{.mu = 1}; },
      [](Model& m) { m.environment.ground.emplace(); },
      [](Model& m) { m.exterior.joints = {"elbow"}; },
      [](Model& m) { m.add("more", RigidBody{}); },
      [](Model& m) { m.add_part("part", Assembly()); },
      [](Model& m) { m.at<RigidBody>("fore").mass += 1e-15; },
      [](Model& m) { m.at<RigidBody>("upper").frames[0].X_EF.p.x = 1; },
      [](Model& m) { m.at<Joint>("elbow").axis = x_axis; },
      [](Model& m) { m.at<Joint>("shoulder").limits[0].upper = 1; },
      [](Model& m) { m.at<Drive>("elbow_drive").stiffness.reset(); },
      [](Model& m) {
        m.disconnect({{"fore", ""}, {"elbow", "to"}});
      },
  };
  for (std::size_t k = 0; k < changes.size(); ++k) {
    Model changed = elbow();
    EXPECT_EQ(changed, elbow());
    changes[k](changed);
    EXPECT_FALSE(changed == elbow()) << "change " << k;
  }
}

TEST(Equality, OfOwnEntitiesIsThatOfTheirNumbers) {
  struct Mine : CustomImplementation {};
  const Custom a{
      .type = "wing", .custom_ports = {{"at"}}, .properties = {{"area", {2}, ""}}, .implementation = nullptr};
  Custom b = a;
  b.implementation = std::make_shared<Mine>();
  EXPECT_EQ(a, b);
  b.properties[0].numbers[0] = 3;
  EXPECT_FALSE(a == b);
}

// --- kinds and ports ---------------------------------------------------------------------------------------------

TEST(Kinds, HaveNamesFamiliesAndPorts) {
  const auto ports = [](Kind kind) { return port_names({"e", std::move(kind), {}}); };
  EXPECT_THAT(ports(ReferenceFrame{}), ElementsAre(""));
  EXPECT_THAT(ports(RigidBody{.frames = {{"tool", {}}}}), ElementsAre("", "tool"));
  EXPECT_THAT(ports(Displacement{}), ElementsAre("from", "to"));
  EXPECT_THAT(ports(Joint{}), ElementsAre("from", "to", "shaft"));
  EXPECT_THAT(ports(Joint{.kind = JointKind::universal}), ElementsAre("from", "to", "shaft1", "shaft2"));
  EXPECT_THAT(ports(Joint{.kind = JointKind::fixed}), ElementsAre("from", "to"));
  EXPECT_THAT(ports(Spring{}), ElementsAre("from", "to"));
  EXPECT_THAT(ports(Damper{}), ElementsAre("from", "to"));
  EXPECT_THAT(ports(SpringDamperActuator{}), ElementsAre("from", "to"));
  EXPECT_THAT(ports(Gear{.ratio = {{1, 2, 3}, {4, 5, 6}}}), ElementsAre("in1", "in2", "out1", "out2", "out3"));
  EXPECT_THAT(ports(Rotor{}), ElementsAre("mounted_on", "shaft"));
  EXPECT_THAT(ports(Drive{}), ElementsAre("joint", "mounted_on"));
  EXPECT_THAT(ports(ExternalForce{}), ElementsAre("on"));
  EXPECT_THAT(ports(ContactPoint{}), ElementsAre("on"));
  EXPECT_THAT(ports(Rolling{}), ElementsAre("wheel", "ground"));
  EXPECT_THAT(ports(ConnectingRod{}), ElementsAre("from", "to"));
  EXPECT_THAT(ports(Beam{}), ElementsAre("from", "to"));
  EXPECT_THAT(ports(Custom{.custom_ports = {{"a"}, {"b", PortType::scalar}}}), ElementsAre("a", "b"));
  EXPECT_EQ(to_text(Entity{"x", ConnectingRod{}, {}}), "connecting_rod \"x\"");
  EXPECT_EQ(family_of(ReferenceFrame{}), Family::body);
  EXPECT_EQ(family_of(Joint{}), Family::joint);
  EXPECT_EQ(family_of(Displacement{}), Family::element);
}

TEST(Kinds, KnowWhichPortsAreFramesAndWhichShafts) {
  const auto type = [](Kind kind, std::string_view port) { return find_port({"e", std::move(kind), {}}, port); };
  EXPECT_EQ(type(Joint{}, "from"), PortType::spatial);
  EXPECT_EQ(type(Joint{}, "shaft"), PortType::scalar);
  EXPECT_EQ(type(Spring{}, "to"), PortType::spatial);
  EXPECT_EQ(type(Spring{.form = Form::torsional}, "to"), PortType::scalar);
  EXPECT_EQ(type(Drive{}, "joint"), PortType::scalar);
  EXPECT_EQ(type(Drive{}, "mounted_on"), PortType::spatial);
  EXPECT_EQ(type(Drive{}, "nothing"), std::nullopt);
}

TEST(Kinds, OnlyBodiesAndReferenceFramesHaveFrames) {
  Kind body = RigidBody{.frames = {{"a", {}}}}, frame = ReferenceFrame{}, joint = Joint{};
  ASSERT_NE(frames_of(body), nullptr);
  EXPECT_EQ(frames_of(body)->size(), 1u);
  EXPECT_NE(frames_of(frame), nullptr);
  EXPECT_EQ(frames_of(joint), nullptr);
}

}  // namespace
}  // namespace articula::test
