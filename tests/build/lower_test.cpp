#include <articula/build/lower.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include <articula/base/text.h>
#include <articula/mechanism/state.h>

#include "samples.h"
#include "support/random_model.h"

namespace articula::test {
namespace {

using std::numbers::pi;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;
using Place = Provenance::Place;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-15;

const Provenance::Entry& entry(const Built& built, std::string_view kind, std::string_view name) {
  const auto* found = built.mechanism.provenance.find(kind, name);
  if (found == nullptr) throw std::invalid_argument(std::string(name));
  return *found;
}

/// Two hinges in a row, `j` and `k`, carrying `a` and `b`.
Model chain() {
  Model model("chain");
  model.add("a", body(1)).add("b", body(2));
  model.add("j", Joint{}, "world", "a");
  model.add("k", Joint{.axis = y_axis}, at("a", {.xyz = {1, 0, 0}}), "b");
  return model;
}

// --- state -------------------------------------------------------------------------------------------------------

TEST(Layout, NamesEveryCoordinate) {
  Model model("all kinds");
  std::string host = "world";
  for (const JointKind kind : all_joint_kinds) {
    if (kind == JointKind::fixed) continue;
    const std::string name(traits(kind).name);
    model.add(name + "_body", body()).add(name, Joint{.kind = kind, .axis = x_axis, .second_axis = y_axis}, host, name + "_body");
    host = name + "_body";
  }
  const Mechanism mech = build(model).mechanism;
  EXPECT_THAT(mech.layout.q,
              ElementsAre("revolute", "prismatic", "helical", "cylindrical.distance", "cylindrical.angle", "universal.angle1",
                          "universal.angle2", "spherical.qx", "spherical.qy", "spherical.qz", "spherical.qw", "planar.x",
                          "planar.y", "planar.angle", "free.x", "free.y", "free.z", "free.qx", "free.qy", "free.qz", "free.qw"));
  EXPECT_THAT(mech.layout.v,
              ElementsAre("revolute", "prismatic", "helical", "cylindrical.speed", "cylindrical.angular_speed",
                          "universal.speed1", "universal.speed2", "spherical.wx", "spherical.wy", "spherical.wz", "planar.vx",
                          "planar.vy", "planar.wz", "free.vx", "free.vy", "free.vz", "free.wx", "free.wy", "free.wz"));
  EXPECT_EQ(mech.nq, 21);
  EXPECT_EQ(mech.nv, 19);
  EXPECT_EQ(mech.name, "all kinds");
}

TEST(Layout, FitsTogetherOnRandomModels) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const Built built = build(random_model(seed, {.bodies = 10, .loops = 1, .elements = 4}));
    const Mechanism& mech = built.mechanism;
    const Parameters<double>& par = built.parameters;
    int nq = 0, nv = 0;
    for (int i = 1; i < mech.size(); ++i) {
      const Body& body = mech.bodies[static_cast<std::size_t>(i)];
      EXPECT_EQ(body.q, (Range{nq, traits(body.joint).nq()}));
      EXPECT_EQ(body.v, (Range{nv, traits(body.joint).nv()}));
      for (const int k : body.v) EXPECT_EQ(mech.body_of_dof[static_cast<std::size_t>(k)], i);
      nq += body.q.count, nv += body.v.count;
    }
    EXPECT_EQ(mech.nq, nq);
    EXPECT_EQ(mech.nv, nv);
    EXPECT_EQ(mech.layout.count(StateKind::position), nq);
    EXPECT_EQ(mech.layout.count(StateKind::velocity), nv);
    EXPECT_EQ(std::set<std::string>(mech.layout.q.begin(), mech.layout.q.end()).size(), mech.layout.q.size());
    for (const auto& list : {par.lower, par.upper, par.speed_limit, par.force_limit, par.damping, par.friction}) {
      EXPECT_THAT(list, SizeIs(static_cast<std::size_t>(nv)));
    }
    EXPECT_THAT(mech.roles, SizeIs(static_cast<std::size_t>(nv)));
    for (const std::size_t size : {par.X_PF.size(), par.axis_sign.size(), par.joint.size(), par.M_B.size(), par.internal_momentum.size()}) {
      EXPECT_EQ(size, mech.bodies.size());
    }
    EXPECT_EQ(par.X_BF.size(), mech.frames.size());
    EXPECT_EQ(par.X_BC.size(), mech.provenance.constituents.size());
    EXPECT_EQ(par.M_C.size(), mech.provenance.constituents.size());
    EXPECT_EQ(par.forces.size(), mech.forces.size());
    EXPECT_EQ(par.constraints.size(), mech.constraints.size());
    EXPECT_EQ(par.rotors.size(), mech.rotors.size());
    EXPECT_EQ(par.couplings.size(), mech.couplings.size());
    EXPECT_EQ(error_of([&] { check_state(mech, par.q_start, std::vector<double>(static_cast<std::size_t>(nv))); }), "no error");
  }
}

TEST(Layout, MapsTheStateWhenTheStructureChanges) {
  Model model = chain();
  const StateLayout before = build(model).mechanism.layout;
  model.add("c", body()).add("base", Joint{.kind = JointKind::free}, "world", "c");
  model.at<Joint>("j").kind = JointKind::cylindrical;
  const StateLayout after = build(model).mechanism.layout;
  EXPECT_THAT(map_state(before, after).q, ElementsAre(-1, 9)) << "the hinge j has become two coordinates";
}

TEST(Numbers, OfJointsReachTheirDegreesOfFreedom) {
  Model model = chain();
  model.at<Joint>("k") = {.kind = JointKind::cylindrical,
                          .axis = y_axis,
                          .limits = {{-1, 2}, {-3, 4}},
                          .speed_limit = {5, 6},
                          .force_limit = {7, 8},
                          .damping = 9,
                          .friction = 10,
                          .start = {0.5, 0.25}};
  const Parameters<double> par = build(model).parameters;
  EXPECT_THAT(par.lower, ElementsAre(-infinity, -1, -3));
  EXPECT_THAT(par.upper, ElementsAre(infinity, 2, 4));
  EXPECT_THAT(par.speed_limit, ElementsAre(infinity, 5, 6));
  EXPECT_THAT(par.force_limit, ElementsAre(infinity, 7, 8));
  EXPECT_THAT(par.damping, ElementsAre(0, 9, 9));
  EXPECT_THAT(par.friction, ElementsAre(0, 10, 10));
  EXPECT_THAT(par.q_start, ElementsAre(0, 0.5, 0.25));
}

TEST(Numbers, TheStartIsNormalised) {
  Model model = chain();
  model.at<Joint>("j") = {.kind = JointKind::free, .start = {1, 2, 3, 0, 0, 0, 1 + 5e-7}};
  model.at<Joint>("k") = {.kind = JointKind::spherical, .start = {0.6, 0, 0, 0.8}};
  EXPECT_THAT(build(model).parameters.q_start, ElementsAre(1, 2, 3, 0, 0, 0, 1, 0.6, 0, 0, 0.8));
}

TEST(Roles, OfPrescribedJointsAndFramesArePrescribed) {
  Model model = chain();
  model.at<Joint>("k").prescribed = true;
  model.add("car", ReferenceFrame{.motion = FrameMotion::prescribed, .placement = {rotation_about(2, 0.0, 1.0), {1, 2, 3}}});
  const Built built = build(model);
  using enum DofRole;
  EXPECT_THAT(built.mechanism.roles, ElementsAre(prescribed, prescribed, prescribed, prescribed, prescribed, prescribed,
                                                 DofRole::free, prescribed))
      << "frames come before joints, whenever they were added";
  const double half = std::sqrt(0.5);
  const auto near = [](double x) { return testing::DoubleNear(x, rounding); };
  EXPECT_THAT(built.parameters.q_start, ElementsAre(near(1), near(2), near(3), near(0), near(0), near(half), near(half), 0, 0))
      << "it starts where it is placed";
  EXPECT_EQ(built.mechanism.layout.q[0], "car.x");
}

TEST(Environment, IsLowered) {
  Model model = chain();
  model.environment.gravity = UniformGravity{{1, 2, 3}};
  EXPECT_EQ(build(model).parameters.gravity_W, (Vec3<double>{1, 2, 3}));
  EXPECT_TRUE(build(model).mechanism.uniform_gravity);
  model.environment.gravity = CentralGravity{{4, 5, 6}, 7};
  const Built built = build(model);
  EXPECT_FALSE(built.mechanism.uniform_gravity);
  EXPECT_EQ(built.parameters.gravity_center_W, (Vec3<double>{4, 5, 6}));
  EXPECT_EQ(built.parameters.gravity_mu, 7);
  EXPECT_EQ(built.parameters.gravity_W, (Vec3<double>{0, 0, 0}));
}

// --- sparse forms ------------------------------------------------------------------------------------------------

TEST(SparseForms, AreChosenForAxesAlongTheParents) {
  struct Case {
    JointKind kind;
    Vec3<double> axis;
    AxisForm form;
    PoseForm pose;
    double sign;
  };
  using enum AxisForm;
  for (const Case& c : {Case{JointKind::revolute, {1, 0, 0}, turn_x, PoseForm::turn_x, 1},
                        Case{JointKind::revolute, {0, -1, 0}, turn_y, PoseForm::turn_y, -1},
                        Case{JointKind::revolute, {0, 0, 2}, turn_z, PoseForm::turn_z, 1},
                        Case{JointKind::prismatic, {-1, 0, 0}, slide_x, PoseForm::shift, -1},
                        Case{JointKind::prismatic, {0, 1, 0}, slide_y, PoseForm::shift, 1},
                        Case{JointKind::prismatic, {0, 0, -3}, slide_z, PoseForm::shift, -1},
                        Case{JointKind::revolute, {1, 1, 0}, general, PoseForm::general, 1},
                        Case{JointKind::helical, {0, 0, 1}, general, PoseForm::general, 1}}) {
    Model model;
    model.add("a", body()).add("j", Joint{.kind = c.kind, .axis = {c.axis}}, "world", "a");
    const Built built = build(model);
    EXPECT_EQ(built.mechanism.bodies[1].axis, c.form);
    EXPECT_EQ(built.mechanism.bodies[1].form, c.pose);
    EXPECT_EQ(built.parameters.axis_sign[1], c.sign);
  }
}

TEST(SparseForms, TurnTheSignOfAJointWrittenTowardsWorld) {
  Model model;
  model.add("a", body()).add("j", Joint{}, "a", "world");
  const Built built = build(model);
  EXPECT_EQ(built.mechanism.bodies[1].axis, AxisForm::turn_z);
  EXPECT_EQ(built.parameters.axis_sign[1], -1);
  EXPECT_FALSE(built.mechanism.bodies[1].reversed) << "a hinge the other way round is a hinge";
}

TEST(SparseForms, SurviveQuarterTurnsOfPlacements) {
  Model model;
  std::string host = "world";
  for (int k = 0; k < 20; ++k) {
    const std::string name = concat("b", k);
    model.add(name, body());
    model.add(concat("j", k), Joint{}, at(host, {.xyz = {0.1, 0.2, 0.3}, .rpy = {pi / 2, 0, k % 2 == 0 ? -pi / 2 : pi}}), name);
    host = name;
  }
  const Built built = build(model);
  for (std::size_t i = 1; i < built.mechanism.bodies.size(); ++i) {
    EXPECT_NE(built.mechanism.bodies[i].axis, AxisForm::general) << i;
    EXPECT_EQ(built.parameters.X_PF[i].R, Rotation<double>{}) << i;
  }
}

TEST(UniversalJoints, TakeAxesThatAreAlmostAtRightAngles) {
  Model model;
  model.add("a", body()).add("j", Joint{.kind = JointKind::universal, .axis = x_axis, .second_axis = {{5e-10, 1, 0}}}, "world", "a");
  const Built built = build(model);
  const Eigen::Matrix3d R = dense(built.parameters.X_PF[1]).linear();
  EXPECT_LE((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), rounding) << "a rotation, to the last digit";
}

// --- provenance --------------------------------------------------------------------------------------------------

TEST(Provenance, LeadsFromEveryEntityToItsPlaceAndBack) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const Built built = build(random_model(seed, {.bodies = 10, .loops = 2, .elements = 6}));
    const Mechanism& mech = built.mechanism;
    const auto& entities = mech.provenance.entities;
    const auto back = [&](const Provenance::Entry& e) -> int {
      const auto i = static_cast<std::size_t>(e.index);
      switch (e.place) {
        case Place::joint: return mech.bodies.at(i).entity;
        case Place::constraint: return mech.constraints.at(i).entity;
        case Place::force: return mech.forces.at(i).entity;
        case Place::rotor: return mech.rotors.at(i).entity;
        case Place::coupling: return mech.couplings.at(i).entity;
        default: return -1;
      }
    };
    for (int e = 0; e < static_cast<int>(entities.size()); ++e) {
      const Provenance::Entry& own = entities[static_cast<std::size_t>(e)];
      EXPECT_EQ(mech.provenance.find(own.kind, own.name), &own);
      EXPECT_NE(own.place, Place::none) << own.name;
      if (own.place == Place::body) {
        ASSERT_GE(own.index, 0);
        EXPECT_EQ(mech.frames.at(static_cast<std::size_t>(mech.frame({own.name, ""}))).body, own.index);
      } else if (own.place != Place::merged) {
        EXPECT_EQ(back(own), e) << own.name;
      }
    }
    for (const ConstituentPlace& c : mech.provenance.constituents) {
      EXPECT_EQ(entities.at(static_cast<std::size_t>(c.entity)).name, c.name);
      EXPECT_EQ(entities.at(static_cast<std::size_t>(c.entity)).index, c.body);
    }
    for (std::size_t i = 1; i < mech.bodies.size(); ++i) EXPECT_GE(mech.bodies[i].entity, 0) << "also of moving frames";
  }
}

TEST(Provenance, SaysWhatWasMerged) {
  Model model = chain();
  model.add("tool", body(3), "b").add("shift", Displacement{}, "b").add("base", body(4), "world");
  model.add("weld", Joint{.kind = JointKind::fixed}, "b", at("shift", "to"));
  const Built built = build(model);
  EXPECT_EQ(entry(built, "body", "tool").place, Place::body);
  EXPECT_EQ(entry(built, "body", "tool").index, entry(built, "body", "b").index);
  EXPECT_EQ(entry(built, "body", "base").index, 0) << "World";
  EXPECT_EQ(entry(built, "displacement", "shift").place, Place::merged);
  EXPECT_EQ(entry(built, "joint", "weld").place, Place::merged);
  EXPECT_EQ(entry(built, "joint", "k").place, Place::joint);
  EXPECT_EQ(entry(built, "joint", "k").index, 2);
  EXPECT_EQ(built.parameters.M_B[2].m, 5);
  EXPECT_EQ(built.parameters.M_B[0].m, 4) << "what stands on World";
}

// --- constraints -------------------------------------------------------------------------------------------------

TEST(Constraints, ACutJointHoldsItsTwoFrames) {
  Model model = four_bar();
  model.at<Joint>("d") = {.kind = JointKind::helical, .axis = {{0, 0, 4}}, .pitch = 0.5, .closes_loop = true};
  const Built built = build(model);
  ASSERT_THAT(built.mechanism.constraints, SizeIs(1));
  const Constraint& cut = built.mechanism.constraints[0];
  EXPECT_EQ(cut.kind, Constraint::Kind::cut_joint);
  EXPECT_EQ(cut.joint, JointKind::helical);
  EXPECT_EQ(cut.rows, 5);
  EXPECT_FALSE(cut.on_velocity);
  EXPECT_FALSE(cut.one_sided);
  EXPECT_TRUE(cut.active_at_start);
  EXPECT_EQ(built.parameters.constraints[0].joint.pitch, 0.5);
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
    const Built built = build(model);
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
  const Built built = build(model);
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
    const auto& own = mech.provenance.entities.at(static_cast<std::size_t>(mech.constraints[static_cast<std::size_t>(c)].entity));
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
  const Built built = build(model);
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
  const Mechanism mech = build(model).mechanism;
  ASSERT_THAT(mech.forces, SizeIs(2));
  EXPECT_EQ(mech.forces[0].kind, ForceElement::Kind::shaft);
  EXPECT_EQ(mech.forces[0].dof_from, 1);
  EXPECT_EQ(mech.forces[0].dof_to, -1) << "the housing";
  EXPECT_EQ(mech.forces[1].dof_from, 0);
  EXPECT_EQ(mech.forces[1].dof_to, 1);
  EXPECT_EQ(mech.forces[1].frame_F, -1);
}

TEST(Forces, OnOneShaftOfSeveralHaveThatDegreeOfFreedom) {
  Model model = chain();
  model.at<Joint>("k") = {.kind = JointKind::universal, .axis = x_axis};
  model.add("second", Spring{.form = Form::torsional, .stiffness = 5}, at("k", "shaft2"));
  EXPECT_EQ(build(model).mechanism.forces[0].dof_from, 2);
}

TEST(Forces, FromOutsideActAtAFrameInSomeAxes) {
  Model model = chain();
  model.add("local", ExternalForce{.force = {1, 2, 3}, .moment = {4, 5, 6}, .expressed_in = "local"}, at("b", {.xyz = {1, 0, 0}}));
  model.add("world", ExternalForce{}, "b").add("other", ExternalForce{.expressed_in = "a"}, "b");
  const Built built = build(model);
  const auto& [mech, par] = std::tie(built.mechanism, built.parameters);
  ASSERT_THAT(mech.forces, SizeIs(3));
  EXPECT_EQ(mech.forces[0].kind, ForceElement::Kind::wrench);
  EXPECT_EQ(mech.forces[0].frame_M, mech.forces[0].frame_F);
  EXPECT_EQ(par.forces[0].wrench.f, (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(par.forces[0].wrench.n, (Vec3<double>{4, 5, 6}));
  EXPECT_EQ(mech.forces[1].frame_M, mech.frame({"world", ""}));
  EXPECT_EQ(mech.forces[2].frame_M, mech.frame({"a", ""}));
}

// --- gears and clusters --------------------------------------------------------------------------------------------

/// Five hinges on World, j0 … j4.
Model fan() {
  Model model;
  for (int k = 0; k < 5; ++k) {
    model.add(concat("b", k), body()).add(concat("j", k), Joint{}, "world", concat("b", k));
  }
  return model;
}

TEST(Clusters, AMimicFollowsItsMaster) {
  Model model = fan();
  model.add("mimic", Gear{.ratio = {{2}}, .offset = {0.1}}, "j3", "j1");  // q3 = 2·q1 + 0.1
  const Built built = build(model);
  const auto& [mech, par] = std::tie(built.mechanism, built.parameters);
  ASSERT_THAT(mech.couplings, SizeIs(1));
  EXPECT_THAT(mech.couplings[0].dofs, ElementsAre(3, 1));
  EXPECT_THAT(par.couplings[0].factors, ElementsAre(1, -2));
  EXPECT_EQ(par.couplings[0].offset, 0.1);
  ASSERT_THAT(mech.clusters, SizeIs(1));
  EXPECT_EQ(mech.clusters[0].closure, Cluster::Closure::linear);
  EXPECT_THAT(mech.clusters[0].dofs, ElementsAre(1, 3));
  EXPECT_THAT(mech.clusters[0].independent, ElementsAre(1));
  EXPECT_EQ(mech.clusters[0].rows, (Range{0, 1}));
  EXPECT_EQ(entry(built, "gear", "mimic").place, Place::coupling);
}

TEST(Clusters, AChainOfMimicsIsOne) {
  Model model = fan();
  model.add("g1", Gear{}, "j2", "j1").add("g2", Gear{}, "j3", "j2").add("g3", Gear{}, "j0", "j4");
  const Built built = build(model);
  const Mechanism& mech = built.mechanism;
  ASSERT_THAT(mech.clusters, SizeIs(2));
  for (const Cluster& cluster : mech.clusters) {
    const bool chain = cluster.dofs.size() == 3;
    EXPECT_THAT(cluster.dofs, chain ? testing::Matcher<std::vector<int>>(ElementsAre(1, 2, 3)) : ElementsAre(0, 4));
    EXPECT_THAT(cluster.independent, chain ? testing::Matcher<std::vector<int>>(ElementsAre(1)) : ElementsAre(4));
    // Its relations stand together, and are its own.
    for (const int row : cluster.rows) {
      for (const int dof : mech.couplings.at(static_cast<std::size_t>(row)).dofs) {
        EXPECT_THAT(cluster.dofs, testing::Contains(dof));
      }
    }
    EXPECT_EQ(cluster.rows.count, chain ? 2 : 1);
  }
  for (const char* name : {"g1", "g2", "g3"}) {
    const int row = entry(built, "gear", name).index;
    EXPECT_EQ(mech.couplings.at(static_cast<std::size_t>(row)).entity, &entry(built, "gear", name) - mech.provenance.entities.data());
  }
}

TEST(Clusters, AWristWithAFullMatrixHasARowPerInput) {
  Model model = fan();
  model.add("wrist", Gear{.ratio = {{1, 2}, {3, 4}}, .offset = {5, 6}}, "j0", "j1");
  model.connect({{"wrist", "out1"}, {"j2", "shaft"}}).connect({{"wrist", "out2"}, {"j3", "shaft"}});
  const Built built = build(model);
  ASSERT_THAT(built.mechanism.couplings, SizeIs(2));
  EXPECT_THAT(built.mechanism.couplings[1].dofs, ElementsAre(1, 2, 3));
  EXPECT_THAT(built.parameters.couplings[1].factors, ElementsAre(1, -3, -4));
  EXPECT_EQ(built.parameters.couplings[1].offset, 6);
  EXPECT_THAT(built.mechanism.clusters.at(0).independent, ElementsAre(2, 3));
}

TEST(Clusters, ConnectedShaftsTurnTogether) {
  Model model = fan();
  model.connect({{"j1", "shaft"}, {"j3", "shaft"}, {"j4", "shaft"}});
  const Built built = build(model);
  EXPECT_THAT(built.mechanism.couplings, SizeIs(2));
  EXPECT_THAT(built.mechanism.clusters.at(0).dofs, ElementsAre(1, 3, 4));
  EXPECT_THAT(built.mechanism.clusters.at(0).independent, ElementsAre(1));
  EXPECT_THAT(built.parameters.couplings[0].factors, ElementsAre(1, -1));
}

TEST(Clusters, RelationsThatShareAnInputLeaveOneFreedom) {
  Model model = fan();
  model.add("g", Gear{}, "j0", "j1").add("h", Gear{.ratio = {{3}}}, "j0", "j2");
  EXPECT_THAT(build(model).mechanism.clusters.at(0).independent, SizeIs(1));
  model.add("again", Gear{.ratio = {{3}}}, "j1", "j2");  // says nothing new
  EXPECT_THAT(build(model).mechanism.clusters.at(0).independent, SizeIs(1));
  model.add("lock", Gear{.ratio = {{5}}}, "j1", "j2");
  EXPECT_THAT(build(model).mechanism.clusters.at(0).independent, IsEmpty()) << "two ratios for one pair: it is locked";
}

TEST(Clusters, RelationsThatContradictAreRefused) {
  Model model = fan();
  model.add("g", Gear{.offset = {0.1}}, "j0", "j1");
  model.add(Entity{"h", Gear{.offset = {0.2}}, {"arm.yaml", 7}});
  model.attach("h", Family::element, "in1", "j0").attach("h", Family::element, "out1", "j1");
  EXPECT_EQ(error_of([&] { build(model); }),
            "arm.yaml:7: gear \"h\": other gears tie the same shafts with another offset, so that no position fits both. "
            "Take one of them away, or correct its offset.  [coupling-contradiction]");
}

/// The rank of the relations of a cluster, by Eigen.
TEST(Clusters, HaveAsManyIndependentsAsTheRankLeaves) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Random random(seed);
    Model model = fan();
    for (int k = 0; k < 1 + random.below(6); ++k) {
      const int a = random.below(5), b = random.below(5);
      if (a != b) model.add(concat("g", k), Gear{.ratio = {{static_cast<double>(1 + random.below(2))}}}, concat("j", a), concat("j", b));
    }
    const Built built = build(model);
    for (const Cluster& cluster : built.mechanism.clusters) {
      Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(cluster.rows.count, 5), dependent = rows;
      for (const int row : cluster.rows) {
        const auto& coupling = built.mechanism.couplings[static_cast<std::size_t>(row)];
        for (std::size_t k = 0; k < coupling.dofs.size(); ++k) {
          rows(row - cluster.rows.first, coupling.dofs[k]) += built.parameters.couplings[static_cast<std::size_t>(row)].factors[k];
        }
      }
      const auto rank = Eigen::FullPivLU<Eigen::MatrixXd>(rows).rank();
      EXPECT_EQ(cluster.dofs.size() - cluster.independent.size(), static_cast<std::size_t>(rank));
      // The others follow from them: without the independent columns the rank is the same.
      for (const int dof : cluster.independent) rows.col(dof).setZero();
      EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(rows).rank(), rank);
    }
  }
}

// --- rotors and drives -------------------------------------------------------------------------------------------

TEST(Rotors, OfARigidDriveTurnWithTheJoint) {
  Model model = chain();
  model.add("d", Drive{.rotor_inertia = 2e-4, .gear = -100, .friction = 1, .viscous_friction = 2}, "k");
  const Built built = build(model);
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
  model.add("d", Drive{.rotor_inertia = 2e-4, .stiffness = 1e4, .damping = 3}, "j", "world");
  model.add("e", Drive{.stiffness = 1e4}, "k", "a");
  const Built built = build(model);
  EXPECT_TRUE(built.mechanism.rotors.at(0).elastic);
  EXPECT_EQ(built.parameters.rotors.at(0).stiffness, 1e4);
  EXPECT_EQ(built.parameters.rotors.at(0).damping, 3);
  EXPECT_EQ(built.mechanism.layout.count(StateKind::motor), 2);
  EXPECT_EQ(built.mechanism.layout.blocks.back().owner, "e");
  EXPECT_EQ(built.mechanism.layout.blocks.back().range, (Range{1, 1}));
}

TEST(Rotors, SpinAboutTheirOwnAxisWhereItIsSaid) {
  Model model = chain();
  model.add("r", Rotor{.inertia = 1, .axis = {{0, 3, 0}}}, at("a", {.xyz = {1, 0, 0}}), at("k", "shaft"));
  model.add("d", Drive{.rotor_axis = Direction{{2, 0, 0}}}, "j", "world");
  const Built built = build(model);
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
      const Parameters<double> par = build(model).parameters;
      const Eigen::Vector3d axis = Eigen::Vector3d(1, 2, 2) / 3;
      EXPECT_LE((dense(par.rotors.at(0).axis) - dense(*on_a.placement).linear() * axis).norm(), rounding);
      const Eigen::Vector3d in_b = dense(*on_b.placement).linear() * axis;
      EXPECT_LE((dense(par.rotors.at(1).axis) - dense(to_pose({.rpy = {1, 0, 0}})).linear().transpose() * in_b).norm(), rounding);
    }
  }
}

// --- what cannot be computed with ----------------------------------------------------------------------------------

TEST(NotComputable, BeamsAndOwnEntities) {
  Model beam = pendulum();
  beam.add("tip", body()).add(Entity{"flex", Beam{.length = 1, .area = 1, .youngs_modulus = 1}, {"arm.yaml", 4}});
  beam.attach("flex", Family::element, "from", "bob").attach("flex", Family::element, "to", "tip");
  EXPECT_EQ(error_of([&] { build(beam); }),
            "arm.yaml:4: beam \"flex\" can be described, checked and stored, but not yet computed with. Replace it by rigid "
            "bodies and joints for now.  [not-computable]");
  EXPECT_THAT(texts(check(beam)), ElementsAre(testing::StartsWith("note: arm.yaml:4: beam \"flex\" can be described")));
  Model own = pendulum();
  own.add("wing", Custom{.type = "wing", .custom_ports = {{"at"}}}, "bob");
  EXPECT_EQ(error_of([&] { build(own); }),
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
    EXPECT_THAT(error_of([&] { build(model); }),
                testing::MatchesRegex("(spring|gear) \"x\" acts on joint \"d\", where its loop is cut, and this cannot be computed "
                                      "with yet\\. Let another joint of the loop close it\\.  \\[not-computable\\]"));
  }
  Model shared = four_bar();
  shared.connect({{"a", "shaft"}, {"d", "shaft"}});
  EXPECT_EQ(error_of([&] { build(shared); }),
            "joint \"a\" acts on joint \"d\", where its loop is cut, and this cannot be computed with yet. Let another joint of "
            "the loop close it.  [not-computable]");
  Model driven = four_bar();
  for (const char* joint : {"a", "b", "c", "d"}) driven.add(concat(joint, "_drive"), Drive{}, joint);
  EXPECT_THAT(error_of([&] { build(driven); }), testing::StartsWith("drive \"d_drive\" acts on joint \"d\", where its loop is cut"));
}

TEST(NotComputable, AGearThatLeadsToARotor) {
  Model model = chain();
  model.add("r", Rotor{.inertia = 1}, "world").add("g", Gear{.ratio = {{100}}}, at("r", "shaft"), "j");
  EXPECT_EQ(error_of([&] { build(model); }),
            "gear \"g\" leads to a shaft that is not a joint's, and this cannot be computed with yet. Give the joint a drive, "
            "which has a gear in it.  [not-computable]");
}

TEST(CutJoints, SayWhichOfTheirPropertiesCannotAct) {
  Model model = four_bar();
  model.at<Joint>("d").damping = 1;
  model.at<Joint>("d").limits = {{-1, 1}};
  EXPECT_THAT(texts(check(model)),
              ElementsAre("warning: joint \"d\" is where its loop is cut, so that its damping, limits cannot act. To keep them, let "
                          "another joint of the loop close it.  [cut-joint-loses]"));
  EXPECT_THAT(texts(build(model).findings), SizeIs(1));
  model.at<Joint>("d") = {.closes_loop = true};
  EXPECT_THAT(check(model), IsEmpty());
}

}  // namespace
}  // namespace articula::test
