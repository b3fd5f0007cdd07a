#include <articula/build/lower_elements.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <articula/base/text.h>

#include "samples.h"
#include "support/random_model.h"

namespace articula::test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Place = Provenance::Place;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-15;

// --- constraints -------------------------------------------------------------------------------------------------

TEST(Constraints, ACutJointHoldsItsTwoFrames) {
  Model model = four_bar();
  model.at<Joint>("d") = {.kind = JointKind::helical,
                          .axis = {{0, 0, 4}},
                          .parameters = Helical::Parameters<double>{.pitch = 0.5},
                          .closes_loop = true};
  const Built built = build_mechanism(model);
  ASSERT_THAT(built.mechanism.constraints, SizeIs(1));
  const Constraint& cut = built.mechanism.constraints[0];
  EXPECT_EQ(cut.kind, Constraint::Kind::cut_joint);
  EXPECT_EQ(cut.joint, JointKind::helical);
  EXPECT_EQ(cut.rows, 5);
  EXPECT_FALSE(cut.on_velocity);
  EXPECT_FALSE(cut.one_sided);
  EXPECT_TRUE(cut.active_at_start);
  EXPECT_EQ(parameters_of<Helical>(built.parameters.constraints[0].joint).pitch, 0.5);
  EXPECT_EQ(built.parameters.constraints[0].axis, (Vec3<double>{0, 0, 1})) << "of unit length";
  const auto frame = [&](int k) { return built.mechanism.frames.at(static_cast<std::size_t>(k)); };
  EXPECT_EQ(frame(cut.frame_F).name, (PortRef{"d", "from"}));
  EXPECT_EQ(frame(cut.frame_F).body, entry(built, "body", "rocker").index);
  EXPECT_EQ(frame(cut.frame_M).name, (PortRef{"d", "to"}));
  EXPECT_EQ(frame(cut.frame_M).body, 0);
  EXPECT_EQ(built.parameters.X_BF[static_cast<std::size_t>(cut.frame_M)].p, (Vec3<double>{2, 0, 0}));
  EXPECT_EQ(entry(built, "joint", "d").place, Place::constraint);
}

TEST(Constraints, EveryJointKindHasItsRows) {
  for (const JointKind kind : all_joint_kinds) {
    if (kind == JointKind::fixed) continue;
    Model model = pendulum();
    model.add("cut", Joint{.kind = kind, .axis = x_axis, .closes_loop = true}, "bob", "world");
    const Built built = build_mechanism(model);
    EXPECT_EQ(built.mechanism.constraints.at(0).rows, 6 - traits(kind).nv()) << traits(kind).name;
  }
}

TEST(Constraints, RodsContactsAndRollingAreThere) {
  Model model = chain();
  model.environment.ground = Ground{.normal = {{0, 0, 2}}, .friction = 0.5};
  model.add("rod", ConnectingRod{.length = 2, .mass = 3}, at("b", {.xyz = {1, 0, 0}}), "world");
  model.add("touch", ContactPoint{.radius = 0.1, .friction = 0.8, .restitution = 0.3}, "b");
  model.add("roll", Rolling{.radius = 0.4, .axis = {{0, 3, 0}}}, "a", "world");
  model.add("slip", Rolling{.radius = 0.4, .side_slip = true}, "a", "world");
  const Built built = build_mechanism(model);
  const auto& [mech, par] = std::tie(built.mechanism, built.parameters);
  ASSERT_THAT(mech.constraints, SizeIs(4));
  EXPECT_EQ(mech.constraints[0].kind, Constraint::Kind::rod);
  EXPECT_EQ(mech.constraints[0].rows, 1);
  EXPECT_EQ(par.constraints[0].length, 2);
  EXPECT_EQ(par.constraints[0].mass, 3);
  EXPECT_EQ(mech.constraints[1].kind, Constraint::Kind::contact);
  EXPECT_TRUE(mech.constraints[1].one_sided);
  EXPECT_FALSE(mech.constraints[1].active_at_start);
  EXPECT_EQ(mech.constraints[1].rows, 3);
  EXPECT_EQ(mech.constraints[1].frame_M, -1) << "the ground";
  EXPECT_EQ(par.constraints[1].friction, 0.4) << "the contact's times the ground's";
  EXPECT_EQ(par.constraints[1].restitution, 0.3);
  EXPECT_EQ(par.constraints[1].normal, (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(mech.constraints[2].kind, Constraint::Kind::rolling);
  EXPECT_TRUE(mech.constraints[2].on_velocity);
  EXPECT_EQ(mech.constraints[2].rows, 2);
  EXPECT_EQ(par.constraints[2].axis, (Vec3<double>{0, 1, 0}));
  EXPECT_EQ(mech.constraints[3].rows, 1);
  for (int c = 0; c < 4; ++c) {
    const auto& own =
        mech.provenance.entities.at(static_cast<std::size_t>(mech.constraints[static_cast<std::size_t>(c)].entity));
    EXPECT_EQ(own.place, Place::constraint);
    EXPECT_EQ(own.index, c);
  }
}

// --- forces ------------------------------------------------------------------------------------------------------

TEST(Forces, AlongALineHaveTwoFrames) {
  Model model = chain();
  model.add("s", Spring{.stiffness = 5, .rest = 0.5}, "world", at("b", {.xyz = {0, 0, 1}}));
  model.add("d", Damper{.damping = 6}, "world", "b");
  model.add("sda", SpringDamperActuator{.stiffness = 7, .damping = 8, .rest = 9, .force = 10}, "world", "b");
  const Built built = build_mechanism(model);
  const auto& [mech, par] = std::tie(built.mechanism, built.parameters);
  ASSERT_THAT(mech.forces, SizeIs(3));
  for (const ForceElement& element : mech.forces) {
    EXPECT_EQ(element.kind, ForceElement::Kind::line);
    EXPECT_EQ(mech.frames.at(static_cast<std::size_t>(element.frame_F)).body, 0);
    EXPECT_EQ(mech.frames.at(static_cast<std::size_t>(element.frame_M)).body, 2);
  }
  EXPECT_EQ(mech.forces[1].frame_F, mech.forces[2].frame_F) << "elements that meet share the frame";
  EXPECT_EQ(par.forces[0].stiffness, 5);
  EXPECT_EQ(par.forces[0].rest, 0.5);
  EXPECT_EQ(par.forces[0].damping, 0);
  EXPECT_EQ(par.forces[1].damping, 6);
  EXPECT_EQ(par.forces[2].stiffness, 7);
  EXPECT_EQ(par.forces[2].damping, 8);
  EXPECT_EQ(par.forces[2].rest, 9);
  EXPECT_EQ(par.forces[2].force, 10);
  EXPECT_EQ(entry(built, "spring", "s").place, Place::force);
}

TEST(Forces, OnAShaftHaveItsDegreesOfFreedom) {
  Model model = chain();
  model.add("own", Spring{.form = Form::torsional, .stiffness = 5}, "k");
  model.add("between", Damper{.form = Form::torsional, .damping = 6}, "j", "k");
  const Mechanism mech = build_mechanism(model).mechanism;
  ASSERT_THAT(mech.forces, SizeIs(2));
  EXPECT_EQ(mech.forces[0].kind, ForceElement::Kind::shaft);
  EXPECT_THAT(mech.forces[0].dofs, ElementsAre(1)) << "against the housing";
  EXPECT_THAT(mech.forces[1].dofs, ElementsAre(0, 1));
  EXPECT_EQ(mech.forces[1].frame_F, -1);
}

TEST(Forces, OnOneShaftOfSeveralHaveThatDegreeOfFreedom) {
  Model model = chain();
  model.at<Joint>("k") = {.kind = JointKind::universal, .axis = x_axis};
  model.add("second", Spring{.form = Form::torsional, .stiffness = 5}, at("k", "shaft2"));
  EXPECT_THAT(build_mechanism(model).mechanism.forces[0].dofs, ElementsAre(2));
}

TEST(Forces, FromOutsideActAtAFrameInSomeAxes) {
  Model model = chain();
  model.add("local", ExternalForce{.force = {1, 2, 3}, .moment = {4, 5, 6}, .expressed_in = "local"},
            at("b", {.xyz = {1, 0, 0}}));
  model.add("world", ExternalForce{}, "b").add("other", ExternalForce{.expressed_in = "a"}, "b");
  const Built built = build_mechanism(model);
  const auto& [mech, par] = std::tie(built.mechanism, built.parameters);
  ASSERT_THAT(mech.forces, SizeIs(3));
  EXPECT_EQ(mech.forces[0].kind, ForceElement::Kind::wrench);
  EXPECT_EQ(mech.forces[0].frame_M, mech.forces[0].frame_F);
  EXPECT_EQ(par.forces[0].wrench.f, (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(par.forces[0].wrench.n, (Vec3<double>{4, 5, 6}));
  EXPECT_EQ(mech.forces[1].frame_M, mech.frame({"world", ""}));
  EXPECT_EQ(mech.forces[2].frame_M, mech.frame({"a", ""}));
}

// --- rotors and drives -------------------------------------------------------------------------------------------

TEST(Rotors, OfARigidDriveTurnWithTheJoint) {
  Model model = chain();
  model.add("d", Drive{.rotor_inertia = 2e-4, .gear = -100, .friction = 1, .viscous_friction = 2}, "k");
  const Built built = build_mechanism(model);
  const RotorElement& rotor = built.mechanism.rotors.at(0);
  EXPECT_EQ(rotor.dof, 1);
  EXPECT_EQ(rotor.frame, -1) << "reflected inertia only";
  EXPECT_FALSE(rotor.elastic);
  const RotorNumbers<double>& numbers = built.parameters.rotors.at(0);
  EXPECT_EQ(numbers.inertia, 2e-4);
  EXPECT_EQ(numbers.gear, -100);
  EXPECT_EQ(numbers.stiffness, infinity);
  EXPECT_EQ(numbers.friction, 1);
  EXPECT_EQ(numbers.viscous_friction, 2);
  EXPECT_EQ(built.mechanism.layout.count(StateKind::motor), 0);
  EXPECT_EQ(entry(built, "drive", "d").place, Place::rotor);
}

TEST(Rotors, OfAnElasticDriveHaveAStateOfTheirOwn) {
  Model model = chain();
  model.add("d", Drive{.rotor_inertia = 2e-4, .gear = 5, .stiffness = 1e4, .damping = 3, .friction = 2}, "j", "world");
  model.add("e", Drive{.stiffness = 1e4}, "k", "a");
  const Built built = build_mechanism(model, {.drives = Drives::elastic});
  const RotorElement& rotor = built.mechanism.rotors.at(0);
  EXPECT_TRUE(rotor.elastic);
  EXPECT_EQ(rotor.form, RotorForm::body);
  EXPECT_EQ(built.parameters.rotors.at(0).stiffness, 1e4);
  EXPECT_EQ(built.parameters.rotors.at(0).damping, 3);
  EXPECT_EQ(built.parameters.rotors.at(0).friction, 2.0 / 5) << "on the side of the rotor";
  EXPECT_THAT(built.mechanism.layout.v, ElementsAre("j", "e.motor", "k", "d.motor")) << "those on World are last";
  const auto spring = static_cast<std::size_t>(rotor.spring);
  EXPECT_EQ(built.parameters.forces.at(spring).stiffness, 1e4);
  EXPECT_THAT(built.parameters.forces.at(spring).factors, ElementsAre(1.0 / 5, -1));
  EXPECT_THAT(build_mechanism(model, {.drives = Drives::rigid}).mechanism.layout.v, ElementsAre("j", "k"));
}

TEST(Rotors, SpinAboutTheirOwnAxisWhereItIsSaid) {
  Model model = chain();
  model.add("r", Rotor{.inertia = 1, .axis = {{0, 3, 0}}}, at("a", {.xyz = {1, 0, 0}}), at("k", "shaft"));
  model.add("d", Drive{.rotor_axis = Direction{{2, 0, 0}}}, "j", "world");
  const Built built = build_mechanism(model);
  EXPECT_EQ(built.mechanism.rotors.at(0).dof, 1);
  EXPECT_EQ(built.mechanism.frames.at(static_cast<std::size_t>(built.mechanism.rotors.at(0).frame)).body, 1);
  EXPECT_EQ(built.parameters.rotors.at(0).axis, (Vec3<double>{0, 1, 0}));
  EXPECT_EQ(built.parameters.rotors.at(1).axis, (Vec3<double>{1, 0, 0}));
}

/// As written: about the joint's axis, whichever body it is mounted on and whichever way the joint is written.
TEST(Rotors, SpinAboutTheJointsAxisWhereNoneIsSaid) {
  for (const bool back : {false, true}) {
    for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::helical}) {
      Model model;
      model.add("a", body()).add("b", body()).add("j", Joint{}, "world", "a");
      const Attachment on_a = at("a", {.xyz = {1, 0, 0}, .rpy = {0.3, 0.2, 0.1}}), on_b = at("b", {.rpy = {0, 0.5, 0}});
      model.add("k", Joint{.kind = kind, .axis = {{1, 2, 2}}}, back ? on_b : on_a, back ? on_a : on_b);
      model.add("on_a", Drive{}, "k", "a").add("on_b", Drive{}, "k", at("b", {.rpy = {1, 0, 0}}));
      const Parameters<double> par = build_mechanism(model).parameters;
      const Eigen::Vector3d axis = Eigen::Vector3d(1, 2, 2) / 3;
      EXPECT_LE((dense(par.rotors.at(0).axis) - dense(*on_a.placement).linear() * axis).norm(), rounding);
      const Eigen::Vector3d in_b = dense(*on_b.placement).linear() * axis;
      EXPECT_LE((dense(par.rotors.at(1).axis) - dense(to_pose({.rpy = {1, 0, 0}})).linear().transpose() * in_b).norm(),
                rounding);
    }
  }
}

// --- what cannot be computed with ----------------------------------------------------------------------------------

TEST(NotComputable, BeamsAndOwnEntities) {
  Model beam = pendulum();
  beam.add("tip", body()).add(Entity{"flex", Beam{.length = 1, .area = 1, .youngs_modulus = 1}, {"arm.yaml", 4}});
  beam.attach("flex", Family::element, "from", "bob").attach("flex", Family::element, "to", "tip");
  EXPECT_EQ(
      error_of([&] { build_mechanism(beam); }),
      "arm.yaml:4: beam \"flex\" can be described, checked and stored, but not yet computed with. Replace it by rigid "
      "bodies and joints for now.  [not-computable]");
  EXPECT_THAT(texts(check(beam)), ElementsAre(testing::StartsWith("note: arm.yaml:4: beam \"flex\" can be described")));
  Model own = pendulum();
  own.add("wing", Custom{.type = "wing", .custom_ports = {{"at"}}}, "bob");
  EXPECT_EQ(
      error_of([&] { build_mechanism(own); }),
      "custom \"wing\" can be described, checked and stored, but not yet computed with. Replace it by rigid bodies and "
      "joints for now.  [not-computable]");
  EXPECT_THAT(texts(check(own)), SizeIs(1));
}

TEST(NotComputable, WhatActsOnACutJoint) {
  const std::vector<std::function<void(Model&)>> loads{
      [](Model& m) { m.add("x", Spring{.form = Form::torsional, .stiffness = 1}, "d"); },
      [](Model& m) { m.add("x", Gear{}, "d", "a"); },
      [](Model& m) { m.add("x", Gear{}, "a", "d"); },
  };
  for (const auto& load : loads) {
    Model model = four_bar();
    load(model);
    EXPECT_THAT(error_of([&] { build_mechanism(model); }),
                testing::MatchesRegex(
                    "(spring|gear) \"x\" acts on joint \"d\", where its loop is cut, and this cannot be computed "
                    "with yet\\. Let another joint of the loop close it\\.  \\[not-computable\\]"));
  }
  Model shared = four_bar();
  shared.connect({{"a", "shaft"}, {"d", "shaft"}});
  EXPECT_EQ(error_of([&] { build_mechanism(shared); }),
            "joint \"a\" acts on joint \"d\", where its loop is cut, and this cannot be computed with yet. Let another "
            "joint of "
            "the loop close it.  [not-computable]");
  Model driven = four_bar();
  for (const char* joint : {"a", "b", "c", "d"}) driven.add(concat(joint, "_drive"), Drive{}, joint);
  EXPECT_THAT(error_of([&] { build_mechanism(driven); }),
              testing::StartsWith("drive \"d_drive\" acts on joint \"d\", where its loop is cut"));
}

/// Rotors that are locked do not move joints; otherwise the rotor follows its joint.
TEST(Rotors, BehindGearsFollowJoints) {
  Model model = chain();
  model.add("r", Rotor{.inertia = 1}, "world").add("g", Gear{.ratio = {{100}}}, at("r", "shaft"), "j");
  EXPECT_THAT(build_mechanism(model).mechanism.couplings, SizeIs(0));
  const Built built = build_mechanism(model, {.drives = Drives::rigid});
  EXPECT_THAT(built.mechanism.layout.v, ElementsAre("j", "k", "r.shaft"));
  EXPECT_THAT(built.mechanism.independent.v_names, ElementsAre("j", "k"));
  EXPECT_EQ(built.parameters.closures.at(0).G, (std::vector<double>{100}));
}

/// The angle of a shaft that only a gear determines is a function of what is on its other side.
TEST(Shafts, WithoutJointOrRotorFollowFromAGear) {
  Model model = chain();
  model.add("h", Gear{.ratio = {{2}}, .offset = {0.3}});
  model.connect({{"h", "in1"}, {"j", "shaft"}});
  model.add("s", Spring{.form = Form::torsional, .stiffness = 1}, at("h", "out1"), "k");
  const Built built = build_mechanism(model);
  EXPECT_THAT(built.mechanism.couplings, IsEmpty());
  EXPECT_THAT(built.mechanism.forces.at(0).dofs, ElementsAre(0, 1));
  EXPECT_THAT(built.parameters.forces.at(0).factors, ElementsAre(0.5, -1));
  EXPECT_EQ(built.parameters.forces.at(0).offset, -0.15);
}

TEST(Shafts, BehindAGearWithSeveralInputsFollowFromAllOfThem) {
  Model model = chain();
  model.add("g", Gear{.ratio = {{4, 2}, {1, 3}}});
  model.connect({{"g", "in1"}, {"j", "shaft"}}).connect({{"g", "in2"}, {"k", "shaft"}});
  model.add("s", Spring{.form = Form::torsional, .stiffness = 1}, at("g", "out1"));
  model.add("t", Spring{.form = Form::torsional, .stiffness = 1}, at("g", "out2"));
  const Built built = build_mechanism(model);
  ASSERT_THAT(built.parameters.forces, SizeIs(2));
  EXPECT_THAT(built.parameters.forces[0].factors, ElementsAre(DoubleEq(0.3), DoubleEq(-0.2)));
  EXPECT_THAT(built.parameters.forces[1].factors, ElementsAre(DoubleEq(-0.1), DoubleEq(0.4)));
  model.at<Gear>("g").ratio = {{1, 2}, {2, 4}};
  EXPECT_EQ(
      error_of([&] { build_mechanism(model); }),
      "spring \"s\" is on a shaft that follows from a gear, whose ratio matrix is singular: the angle of the shaft is "
      "not determined. Give the gear a regular ratio matrix.  [gear-singular]");
}

TEST(NotComputable, AShaftWithoutInertia) {
  Model model = chain();
  model.add("s", Spring{.form = Form::torsional, .stiffness = 1}, "j");
  model.add("t", Spring{.form = Form::torsional, .stiffness = 1});
  model.connect({{"s", "to"}, {"t", "from"}});
  EXPECT_EQ(
      error_of([&] { build_mechanism(model); }),
      "spring \"s\": its port to is connected to a shaft with neither a joint nor a rotor on it. Nothing on this "
      "shaft has inertia, so that its motion is not determined. Put a rotor on it, or connect spring \"s\" to the "
      "shaft of a joint.  [shaft-without-inertia]");
}

TEST(CutJoints, SayWhichOfTheirPropertiesCannotAct) {
  Model model = four_bar();
  model.at<Joint>("d").damping = 1;
  model.at<Joint>("d").limits = {{-1, 1}};
  EXPECT_THAT(
      texts(check(model)),
      ElementsAre(
          "warning: joint \"d\" is where its loop is cut, so that its damping, limits cannot act. To keep them, let "
          "another joint of the loop close it.  [cut-joint-loses]"));
  EXPECT_THAT(texts(build_mechanism(model).findings), SizeIs(1));
  model.at<Joint>("d") = {.closes_loop = true};
  EXPECT_THAT(check(model), IsEmpty());
}

// --- shafts without a position --------------------------------------------------------------------------------------

/// A hinge, and a joint of the kind given, whose shafts have no position.
Model hinge_and(JointKind kind) {
  Model model = pendulum();
  model.add("shell", body()).add("ball", Joint{.kind = kind}, "world", "shell");
  return model;
}

TEST(ShaftsOfBalls, TakeNoGears) {
  const std::string_view advice =
      " joint has no position for each of its shafts, since its orientation is a quaternion. Use a joint with angles "
      "or "
      "distances as coordinates, e.g. three revolute joints in a row.  [shaft-without-position]";
  for (const bool follows : {true, false}) {
    Model model = hinge_and(JointKind::spherical);
    model.add(Entity{"g", Gear{}, {"arm.yaml", 9}});
    model.connect({{"g", follows ? "in1" : "out1"}, {"ball", "shaft2"}});
    model.connect({{"g", follows ? "out1" : "in1"}, {"hinge", "shaft"}});
    EXPECT_EQ(error_of([&] { build_mechanism(model); }),
              concat("arm.yaml:9: gear \"g\": its port ", follows ? "in1" : "out1",
                     " is connected to a shaft of joint \"ball\". A spherical", advice));
  }
  Model model = hinge_and(JointKind::free);
  model.add("s", Spring{.form = Form::torsional, .stiffness = 5});
  model.connect({{"s", "from"}, {"ball", "shaft4"}});
  EXPECT_EQ(error_of([&] { build_mechanism(model); }),
            concat("spring \"s\": its port from is connected to a shaft of joint \"ball\". A free", advice));
  Model damped = hinge_and(JointKind::spherical);
  damped.add("d", Damper{.form = Form::torsional, .damping = 5});
  damped.connect({{"d", "from"}, {"hinge", "shaft"}}).connect({{"d", "to"}, {"ball", "shaft1"}});
  EXPECT_EQ(error_of([&] { build_mechanism(damped); }),
            concat("damper \"d\": its port to is connected to a shaft of joint \"ball\". A spherical", advice));
  Model shared = hinge_and(JointKind::spherical);
  shared.connect({{"hinge", "shaft"}, {"ball", "shaft1"}});
  EXPECT_EQ(error_of([&] { build_mechanism(shared); }),
            concat("joint \"hinge\": its shaft is connected to a shaft of joint \"ball\". A spherical", advice));
}

TEST(ShaftsOfBalls, TakeDrives) {
  Model model = hinge_and(JointKind::spherical);
  model.add("motor", Drive{.rotor_inertia = 1e-4, .gear = 10});
  model.connect({{"motor", "joint"}, {"ball", "shaft3"}});
  EXPECT_EQ(build_mechanism(model).mechanism.rotors.at(0).dof, 3);
}

}  // namespace
}  // namespace articula::test
