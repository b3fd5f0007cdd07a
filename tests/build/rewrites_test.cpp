// flatten, snap_rotations and merge_rigid as functions from model to model. That they keep the physics of random
// models is in oracle_test.cpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <numbers>

#include <articula/base/text.h>
#include <articula/build/flatten.h>
#include <articula/build/merge_rigid.h>
#include <articula/build/snap_rotations.h>
#include <articula/spatial/orientation.h>

#include "samples.h"
#include "support/walk.h"

namespace articula::test {
namespace {

using std::numbers::pi;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double rounding = 4e-15;

std::vector<std::string> explained(const Rewritten& rewritten) {
  std::vector<std::string> list;
  for (const Explanation& each : rewritten.explanations) list.push_back(each.rule + ": " + each.text);
  return list;
}

// --- flatten -----------------------------------------------------------------------------------------------------

/// A part in a part, each with a body, connected by a joint in the outer one.
Model nested() {
  Assembly finger;
  finger.add(Entity{"tip", body(), {"hand.yaml", 3}});
  Assembly hand;
  hand.add("palm", body());
  hand.add("pull", ExternalForce{.expressed_in = "palm"}, "palm");
  hand.add("push", ExternalForce{.expressed_in = "world"}, "palm");
  hand.add_part("finger", finger);
  hand.add("knuckle", Joint{}, "palm", "finger/tip");
  Model model("robot");
  model.environment.gravity = UniformGravity{{0, -9.81, 0}};
  model.exterior.joints = {"hand/knuckle"};
  model.imported = true;
  model.at<ReferenceFrame>("world").frames = {{"desk", {{}, {0, 0, 1}}}};
  model.add_part("hand", hand);
  model.add("wrist", Joint{}, "world", "hand/palm");
  return model;
}

TEST(Flatten, NamesWhatIsInPartsByItsPath) {
  const Rewritten flat = flatten(nested());
  EXPECT_THAT(flat.model.parts(), IsEmpty());
  EXPECT_THAT(flat.model.names(Family::body), ElementsAre("world", "hand/palm", "hand/finger/tip"));
  EXPECT_THAT(flat.model.names(Family::joint), ElementsAre("wrist", "hand/knuckle"));
  EXPECT_THAT(explained(flat), ElementsAre("flatten: part \"hand\" dissolved into 4 entities",
                                           "flatten: part \"hand/finger\" dissolved into 1 entities"));
  EXPECT_THAT(flat.moved, testing::IsEmpty());
}

TEST(Flatten, ChangesNothingElse) {
  const Model model = nested(), flat = flatten(model).model;
  EXPECT_EQ(flat.name, model.name);
  EXPECT_EQ(flat.environment, model.environment);
  EXPECT_EQ(flat.exterior, model.exterior);
  EXPECT_TRUE(flat.imported);
  EXPECT_EQ(flat.at<ReferenceFrame>("world"), model.at<ReferenceFrame>("world"));
  EXPECT_EQ(to_text(flat.find("hand/finger/tip", Family::body)->where), "hand.yaml:3");
  EXPECT_EQ(flat.at<RigidBody>("hand/palm"), model.find_part("hand")->assembly.at<RigidBody>("palm"));
  EXPECT_THAT(flat.connections(), SizeIs(6));
}

TEST(Flatten, FollowsNamesThatStandInProperties) {
  const Model flat = flatten(nested()).model;
  EXPECT_EQ(flat.at<ExternalForce>("hand/pull").expressed_in, "hand/palm");
  EXPECT_EQ(flat.at<ExternalForce>("hand/push").expressed_in, "world");
}

TEST(Flatten, OfAFlatModelIsTheModel) {
  const Rewritten flat = flatten(four_bar());
  EXPECT_EQ(flat.model, four_bar());
  EXPECT_THAT(flat.explanations, IsEmpty());
}

TEST(Flatten, RefusesWorldInsideAPart) {
  Model inner, outer;
  outer.add_part("inner", inner);
  EXPECT_EQ(error_of([&] { flatten(outer); }),
            "part \"inner\" has a World of its own. World is outside of every part; connect the part from outside.  "
            "[part-mentions-world]");
  Assembly arm;
  arm.add("hand", body()).connect({{"hand", ""}, {"world", ""}}, {"arm.yaml", 8});
  Model model;
  model.add_part("arm", arm);
  EXPECT_EQ(
      error_of([&] { flatten(model); }),
      "arm.yaml:8: part \"arm\" is connected to World from inside. World is outside of every part; connect the part "
      "from outside.  [part-mentions-world]");
}

TEST(Flatten, RefusesPartsThatAreTooDeep) {
  Assembly assembly;
  for (int k = 0; k < 64; ++k) {
    Assembly outer;
    outer.add_part("p", std::move(assembly));
    assembly = std::move(outer);
  }
  Model model;
  model.add_part("p", std::move(assembly));
  const std::string text = error_of([&] { flatten(model); });
  EXPECT_THAT(text, testing::StartsWith("part \"p/p/p"));
  EXPECT_THAT(text, testing::EndsWith("/p\" is more than 64 parts deep.  [parts-too-deep]"));
}

TEST(Flatten, RefusesTwoThingsOfOnePath) {
  Assembly arm;
  arm.add("hand", body());
  Model model;
  model.add("arm/hand", body()).add_part("arm", arm);
  EXPECT_EQ(error_of([&] { flatten(model); }),
            "body \"arm/hand\": the name is taken by body \"arm/hand\". Names are unique; rename one of them.  "
            "[name-duplicate]");
}

// --- snap_rotations ----------------------------------------------------------------------------------------------

TEST(Snap, MakesRotationsAndAxesExact) {
  Model model;
  const Pose<double> almost{rotation_from_rpy({pi / 2 + 3e-12, 0, 0}), {1, 2, 3}};
  model.add("a", RigidBody{.frames = {{"f", almost}, {"g", almost}}});
  model.add("j", Joint{.axis = {{1e-12, 0, -1}}});
  const Rewritten exact = snap_rotations(model);
  const Pose<double> expected{rotation_about(0, 0.0, 1.0), {1, 2, 3}};
  EXPECT_EQ(exact.model.at<RigidBody>("a").frames, (std::vector<Frame>{{"f", expected}, {"g", expected}}));
  EXPECT_EQ(exact.model.at<Joint>("j").axis.v, (Vec3<double>{0, 0, -1}));
  ASSERT_THAT(exact.explanations, SizeIs(2));
  EXPECT_EQ(exact.explanations[0].rule, "snap");
  EXPECT_EQ(exact.explanations[0].text, "body \"a\": made exact: frame \"f\" by 3e-12, frame \"g\" by 3e-12");
  EXPECT_EQ(exact.explanations[1].text, "joint \"j\": made exact: axis by 1e-12");
}

TEST(Snap, ReachesEveryKindThatHasARotationOrAxis) {
  const Pose<double> almost{rotation_from_rpy({0, 0, pi / 2 + 3e-12}), {}};
  const Direction nearly{{1e-12, 1, 0}};
  Model model;
  model.add("frame", ReferenceFrame{.placement = almost}).add("displacement", Displacement{almost});
  model.add("rotor", Rotor{.axis = nearly}).add("drive", Drive{.rotor_axis = nearly});
  model.add("rolling", Rolling{.axis = nearly, .normal = {{0, 1e-12, 1}}});
  model.add("universal", Joint{.kind = JointKind::universal, .axis = nearly, .second_axis = {{0, 1e-12, 1}}});
  const Rewritten exact = snap_rotations(model);
  EXPECT_THAT(explained(exact), SizeIs(6));
  EXPECT_EQ(exact.model.at<Displacement>("displacement").placement.R, rotation_about(2, 0.0, 1.0));
  EXPECT_EQ(exact.model.at<Drive>("drive").rotor_axis, y_axis);
  EXPECT_EQ(exact.model.at<Joint>("universal").second_axis, z_axis);
}

TEST(Snap, LeavesAloneWhatIsNotMeantAsExact) {
  Model model;
  model.add("a", RigidBody{.frames = {{"f", {rotation_from_rpy({pi / 2 + 1e-9, 0.3, 0}), {}}}}});
  model.add("j", Joint{.axis = {{1e-9, 0, 1}}});
  const Rewritten same = snap_rotations(model);
  EXPECT_EQ(same.model, model);
  EXPECT_THAT(same.explanations, IsEmpty());
}

TEST(Snap, TakesAQuarterTurnOfElevenDecimalsForExact) {
  Model model;
  model.add("a", RigidBody{.frames = {{"f", {rotation_from_rpy({1.57079632679, 0, 0}), {}}}}});
  EXPECT_EQ(snap_rotations(model).model.at<RigidBody>("a").frames[0].X_EF.R, rotation_about(0, 0.0, 1.0));
  model.at<RigidBody>("a").frames[0].X_EF.R = rotation_from_rpy({1.5707963, 0, 0});
  EXPECT_EQ(snap_rotations(model).model, model);
}

TEST(Snap, IsAsWideAsItIsTold) {
  Model model;
  model.add("a", RigidBody{.frames = {{"f", {rotation_from_rpy({1.5708, 0, 0}), {}}}}});  // what people write for π/2
  EXPECT_THAT(snap_rotations(model).explanations, IsEmpty());
  model.snap = 1e-5;
  const Rewritten exact = snap_rotations(model);
  EXPECT_EQ(exact.model.at<RigidBody>("a").frames[0].X_EF.R, rotation_about(0, 0.0, 1.0));
  EXPECT_THAT(exact.explanations, SizeIs(1)) << "and always says so";
}

TEST(Snap, IsWhatTheModelSays) {
  Model model = pendulum();
  model.at<RigidBody>("bob").frames = {{"f", {rotation_from_rpy({pi / 2 + 3e-12, 0, 0}), {}}}};
  EXPECT_THAT(build_mechanism(model).explanations, SizeIs(1));
  model.snap = 0;
  EXPECT_THAT(build_mechanism(model).explanations, IsEmpty());
  for (const double wrong : {-1e-9, 0.1, std::nan("")}) {
    model.snap = wrong;
    EXPECT_EQ(check(model).front().code, "snap-out-of-range") << wrong;
  }
}

// --- merge_rigid -------------------------------------------------------------------------------------------------

TEST(Merge, MakesOneBodyOfWhatIsRigidlyConnected) {
  Model model;
  model.add("a", RigidBody{.mass = 1, .frames = {{"f", {}}}})
      .add("b", RigidBody{.mass = 2, .com = {1, 0, 0}, .frames = {{"f", {}}}});
  model.add("c", RigidBody{.mass = 3});
  model.add("j", Joint{}, "world", "a");
  model.add("weld", Joint{.kind = JointKind::fixed}, at("a", {.xyz = {1, 0, 0}}), "b");
  model.add("shift", Displacement{{{}, {0, 1, 0}}}, "b", "c");
  const Rewritten merged = merge_rigid(model);
  EXPECT_THAT(merged.model.names(Family::body), ElementsAre("world", "a"));
  EXPECT_THAT(merged.model.names(Family::joint), ElementsAre("j"));
  const auto& a = merged.model.at<RigidBody>("a");
  EXPECT_EQ(a.mass, 6);
  EXPECT_LE(norm(a.com - Vec3<double>{(2 * 2 + 3 * 1) / 6.0, 3 * 1 / 6.0, 0}), rounding);
  EXPECT_THAT(
      explained(merged),
      ElementsAre("merge: joint \"weld\", body \"b\", displacement \"shift\", body \"c\" merged into body \"a\""));
}

TEST(Merge, KeepsConstituentsAndFrames) {
  Model model;
  model.add("a", RigidBody{.mass = 1, .com = {0, 0, 1}, .frames = {{"f", {{}, {5, 0, 0}}}}});
  model.add("b", RigidBody{.mass = 2, .frames = {{"f", {{}, {7, 0, 0}}}}}, at("a", {.xyz = {0, 1, 0}}));
  model.add("j", Joint{}, "world", "a");
  const Rewritten merged = merge_rigid(model);
  const auto& whole = merged.model.at<RigidBody>("a");
  const std::vector<Constituent> constituents{
      {"a", {}, mass_properties(model.at<RigidBody>("a")).value()},
      {"b", {{}, {0, 1, 0}}, mass_properties(model.at<RigidBody>("b")).value()}};
  EXPECT_EQ(whole.constituents, constituents);
  const std::vector<Frame> frames{
      {"f", {{}, {5, 0, 0}}}, {"b", {{}, {0, 1, 0}}}, {"b'", {{}, {0, 1, 0}}}, {"b.f", {{}, {7, 1, 0}}}};
  EXPECT_TRUE(same_frames(whole.frames, frames)) << "\"b\" is the name of the place on a where b sits already";
  EXPECT_EQ(merged.moved.at({"b", "f"}), (PortRef{"a", "b.f"}));
  EXPECT_EQ(merged.moved.at({"b", ""}), (PortRef{"a", "b'"}));
  EXPECT_FALSE(merged.moved.contains({"a", "f"}));
}

TEST(Merge, KeepsShapesAndInternalMomentum) {
  Model model;
  model.add("a", RigidBody{.internal_momentum = {1, 0, 0}, .shapes = {{"s", Sphere{1}}}});
  model.add("b", RigidBody{.internal_momentum = {0, 1, 0}, .shapes = {{"s", Sphere{2}}, {"", Sphere{3}}}},
            at("a", {.xyz = {0, 0, 1}, .rpy = {0, 0, pi / 2}}));
  model.add("j", Joint{}, "world", "a");
  const Model merged = merge_rigid(model).model;
  const auto& whole = merged.at<RigidBody>("a");
  EXPECT_EQ(whole.internal_momentum, (Vec3<double>{0, 0, 0})) << "b's y is a's -x";
  ASSERT_THAT(whole.shapes, SizeIs(3));
  EXPECT_EQ(whole.shapes[0].name, "s");
  EXPECT_EQ(whole.shapes[1].name, "b.s");
  EXPECT_EQ(whole.shapes[1].X_BS.p, (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(whole.shapes[2].name, "b");
}

TEST(Merge, WeighsBodiesWithADensityOnce) {
  Model model;
  model.add("a", RigidBody{.density = 1000, .shapes = {{"s", Box{{1, 1, 1}}}}});
  model.add("b", RigidBody{.density = 2000, .shapes = {{"s", Box{{1, 1, 1}}}}}, "a");
  model.add("j", Joint{}, "world", "a");
  const Model merged = merge_rigid(model).model;
  EXPECT_EQ(merged.at<RigidBody>("a").mass, 3000);
  EXPECT_EQ(merged.at<RigidBody>("a").density, std::nullopt);
}

TEST(Merge, CallsTheWholeAfterTheBodyNearestToWorld) {
  // The file has the far ones first; the joint is written towards World.
  Model model;
  model.add("z", body()).add("y", body()).add("x", body());
  model.add("w2", Joint{.kind = JointKind::fixed}, "z", "y").add("w1", Joint{.kind = JointKind::fixed}, "y", "x");
  model.add("j", Joint{}, "x", "world");
  EXPECT_THAT(merge_rigid(model).model.names(Family::body), ElementsAre("world", "x"));
}

TEST(Merge, CallsAGroupEnteredThroughADisplacementAfterItsFirstBody) {
  Model model;
  model.add("j", Joint{}, "world").add("shift", Displacement{{{}, {1, 0, 0}}}).add("b", body()).add("c", body());
  model.connect({{"j", "to"}, {"shift", "from"}}).connect({{"shift", "to"}, {"b", ""}}).connect({{"b", ""}, {"c", ""}});
  const Rewritten merged = merge_rigid(model);
  EXPECT_THAT(merged.model.names(Family::body), ElementsAre("world", "b"));
  const Coordinates q{{"j", {0.3}}};
  EXPECT_LE(gap(walk(merged.model, q).at({"b", ""}), walk(model, q).at({"b", ""})), rounding);
}

TEST(Merge, MakesWhatIsFixedToWorldPartOfWorld) {
  Model model;
  model.add("plinth", ReferenceFrame{.placement = {{}, {0, 0, 1}}});
  model.add("base", body(), "plinth").add("arm", body());
  model.add("j", Joint{}, "base", "arm");
  const Rewritten merged = merge_rigid(model);
  EXPECT_THAT(merged.model.names(Family::body), ElementsAre("world", "arm"));
  const auto& world = merged.model.at<ReferenceFrame>("world");
  ASSERT_THAT(world.constituents, SizeIs(1));
  EXPECT_EQ(world.constituents[0].name, "base");
  EXPECT_EQ(world.constituents[0].X_BC.p, (Vec3<double>{0, 0, 1}));
  EXPECT_THAT(explained(merged),
              ElementsAre("merge: reference_frame \"plinth\", body \"base\" merged into reference_frame \"world\""));
}

TEST(Merge, PutsAMasslessBodyBetweenJointsThatMeet) {
  Model model;
  model.add("a", Joint{}, "world").add("b", Joint{.axis = x_axis}).add("arm", body());
  model.connect({{"a", "to"}, {"b", "from"}}).attach("b", Family::joint, "to", "arm");
  const Rewritten merged = merge_rigid(model);
  EXPECT_THAT(merged.model.names(Family::body), ElementsAre("world", "arm", "a.to"));
  EXPECT_EQ(merged.model.at<RigidBody>("a.to"), RigidBody{});
  EXPECT_THAT(explained(merged), ElementsAre("merge: massless body \"a.to\" put between joints"));
  EXPECT_EQ(build_mechanism(model).mechanism.size(), 3);
}

TEST(Merge, PutsAMasslessBodyInPlaceOfADisplacementBetweenJoints) {
  Model model;
  model.add("a", Joint{}, "world").add("shift", Displacement{{{}, {1, 0, 0}}}, at("a", "to"));
  model.add("arm", body()).add("b", Joint{.axis = x_axis}, at("shift", "to"), "arm");
  const Rewritten merged = merge_rigid(model);
  EXPECT_THAT(merged.model.names(Family::body), ElementsAre("world", "shift", "arm"));
  EXPECT_THAT(explained(merged), ElementsAre("merge: massless body \"shift\" stands for displacement \"shift\"",
                                             "merge: displacement \"shift\" merged into body \"shift\""));
}

TEST(Merge, FindsFreeNamesForMasslessBodies) {
  Model model;
  model.add("a.to", body()).add("shift", body()).add("end", body());
  model.add("h", Joint{}, "world", "a.to").add("i", Joint{}, "world", "shift");
  model.add("a", Joint{}, "world").add("b", Joint{}, at("a", "to"));
  model.add("shift", Displacement{}, at("b", "to")).add("c", Joint{}, at("shift", "to"), "end");
  const Rewritten merged = merge_rigid(model);
  EXPECT_THAT(merged.model.names(Family::body),
              ElementsAre("world", "a.to", "shift", "end", "shift_link", "a.to_link"));
  EXPECT_EQ(build_mechanism(model).mechanism.size(), 6);
}

TEST(Merge, FindsFreeNamesForADisplacementAndAWeldOfOneName) {
  Model model;
  model.add("end", body()).add("a", Joint{}, "world").add("b", Joint{}).add("c", Joint{}, "end");
  model.add("x", Displacement{}).add("x", Joint{.kind = JointKind::fixed});
  // The reference x.from means the joint; the displacement hangs on nothing.
  model.connect({{"a", "to"}, {"x", "from"}}).connect({{"x", "to"}, {"b", "from"}, {"c", "to"}});
  model.attach("b", Family::joint, "to", at("world", {.xyz = {1, 0, 0}}));
  EXPECT_THAT(merge_rigid(model).model.names(Family::body), testing::IsSupersetOf({"world", "end", "x", "x_link"}));
}

TEST(Merge, ChecksRigidCycles) {
  Model model = pendulum();
  model.add("other", body());
  model.add("p", Displacement{{{}, {1, 0, 0}}}, "bob", "other");
  model.add("q", Displacement{{{}, {1, 0, 0}}}, "bob", "other");
  EXPECT_THAT(merge_rigid(model).model.names(Family::body), ElementsAre("world", "bob"))
      << "both ways lead to one place";
  model.at<Displacement>("q").placement.p = {1, 0, 0.25};
  EXPECT_EQ(
      error_of([&] { merge_rigid(model); }),
      "displacement \"q\": rigid connections lead around a cycle to two different places, 0.25 m and 0 rad apart. "
      "Correct a placement, or take one connection away.  [rigid-cycle]");
}

TEST(Merge, MeasuresTheAngleOfACycleThatDoesNotClose) {
  for (const double angle : {1e-6, 0.5, pi}) {
    Model model = pendulum();
    model.add(Entity{"p", Displacement{{rotation_from_rpy({0, angle, 0}), {}}}, {"arm.yaml", 4}});
    model.connect({{"p", "from"}, {"bob", ""}}).connect({{"p", "to"}, {"bob", ""}});
    try {
      merge_rigid(model);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(to_text(error.where()), "arm.yaml:4");
      const std::string text = error.what(), before = "0 m and ";
      const auto begin = text.find(before) + before.size();
      EXPECT_NEAR(std::stod(text.substr(begin)), angle, 1e-12) << text;
    }
  }
}

TEST(Merge, ForgivesRoundingInRigidCycles) {
  Model model = pendulum();
  model.add("other", body());
  model.add("p", Displacement{{{}, {1e3, 0, 0}}}, "bob", "other");
  model.add("q", Displacement{{{}, {1e3 + 1e-7, 0, 0}}}, "bob", "other");
  EXPECT_EQ(error_of([&] { merge_rigid(model); }), "no error") << "1e-9 of a thousand metres";
}

TEST(Merge, DropsConnectionsWithinAGroupOnly) {
  Model model;
  model.add("a", body()).add("b", body()).add("c", body());
  model.add("j", Joint{}, "world").add("k", Joint{});
  model.connect({{"a", ""}, {"b", ""}, {"j", "to"}, {"k", "from"}}).attach("k", Family::joint, "to", "c");
  const Model merged = merge_rigid(model).model;
  EXPECT_THAT(merged.names(Family::body), ElementsAre("world", "a", "c"));
  const std::vector<PortRef> shared{{"a", ""}, {"j", "to"}, {"k", "from"}};
  EXPECT_EQ(merged.connections()[1].ports, shared);
}

TEST(Merge, TellsABodyFromADisplacementOfTheSameName) {
  Model model;
  RigidBody e = body();
  e.frames = {{"from", {{}, {1, 0, 0}}}};
  model.add("e", e).add("z", body()).add("end", body());
  model.add("j1", Joint{}, "world", "e").add("j2", Joint{}, "world", "z");
  model.add("e", Displacement{{{}, {5, 0, 0}}}).connect({{"e", "to"}, {"z", ""}});
  model.add("j3", Joint{}, at("e", "from"), "end");  // the frame of the body
  const Coordinates q{{"j1", {0.1}}, {"j2", {0.2}}, {"j3", {0.3}}};
  const Poses before = walk(model, q), after = walk(merge_rigid(model).model, q);
  EXPECT_LE(gap(after.at({"end", ""}), before.at({"end", ""})), rounding);
}

TEST(Merge, MovesExteriorFrames) {
  Model model = pendulum();
  model.add("tool", RigidBody{.frames = {{"tip", {}}}}, "bob");
  model.exterior.frames = {{"tool", "tip"}, {"bob", ""}};
  model.exterior.joints = {"hinge"};
  const Model merged = merge_rigid(model).model;
  EXPECT_EQ(merged.exterior.frames, (std::vector<PortRef>{{"bob", "tool.tip"}, {"bob", ""}}));
  EXPECT_THAT(merged.exterior.joints, ElementsAre("hinge"));
}

TEST(Merge, ListsAtMostTwelveMembers) {
  Model model = pendulum();
  for (int k = 0; k < 14; ++k) model.add(concat("m", k), RigidBody{}, "bob");
  const std::string text = explained(merge_rigid(model)).at(0);
  EXPECT_THAT(text, testing::EndsWith("body \"m11\" and 2 more merged into body \"bob\""));
}

// --- frames that move as told ------------------------------------------------------------------------------------

TEST(MovingFrames, CarryWhatIsFixedToThemWhicheverComesFirst) {
  for (const bool frame_first : {true, false}) {
    Model model;
    if (!frame_first) model.add("chassis", body(5));
    model.add("car", ReferenceFrame{.motion = FrameMotion::prescribed});
    if (frame_first) model.add("chassis", body(5));
    model.connect({{"car", ""}, {"chassis", ""}}).add("arm", body()).add("j", Joint{}, "chassis", "arm");
    const Model merged = merge_rigid(model).model;
    EXPECT_THAT(merged.names(Family::body), ElementsAre("world", "car", "arm"));
    ASSERT_THAT(merged.at<ReferenceFrame>("car").constituents, SizeIs(1));
    const Built built = build_mechanism(model);
    EXPECT_EQ(built.mechanism.size(), 3);
    EXPECT_EQ(built.parameters.M_B[1].m, 5) << "a driven vehicle still weighs something";
    EXPECT_EQ(built.mechanism.roles[0], DofRole::prescribed);
  }
}

TEST(MovingFrames, AreNotCarriedByAnotherMotion) {
  Model model;
  model.add("car", ReferenceFrame{.motion = FrameMotion::prescribed}).add("chassis", body(), "car");
  model.add(Entity{"train", ReferenceFrame{.motion = FrameMotion::prescribed}, {"yard.yaml", 5}});
  model.connect({{"train", ""}, {"chassis", ""}});
  EXPECT_EQ(
      error_of([&] { build_mechanism(model); }),
      "yard.yaml:5: reference_frame \"train\" is rigidly connected to reference_frame \"car\", so that its motion is "
      "given twice. Put a joint between them, or take one away.  [motion-contradiction]");
  Model fixed;
  fixed.add("car", ReferenceFrame{.motion = FrameMotion::prescribed}, "world");
  EXPECT_EQ(
      error_of([&] { build_mechanism(fixed); }),
      "reference_frame \"car\" is rigidly connected to reference_frame \"world\", so that its motion is given twice. "
      "Put a joint between them, or take one away.  [motion-contradiction]");
}

TEST(MovingFrames, CloseALoopWithAJointToWorld) {
  Model model;
  model.add("body", body()).add("rail", Joint{.kind = JointKind::planar}, "world", "body");
  model.add("car", ReferenceFrame{.motion = FrameMotion::prescribed}, "body");
  const Built built = build_mechanism(model);
  ASSERT_THAT(built.loops, SizeIs(1));
  EXPECT_EQ(built.loops[0].cut, "rail") << "the motion that is given stays";
  EXPECT_THAT(built.loops[0].joints, ElementsAre("rail", "car"));
}

}  // namespace
}  // namespace articula::test
