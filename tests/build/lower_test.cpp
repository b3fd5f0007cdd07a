#include <articula/build/lower.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include <articula/base/text.h>
#include <articula/mechanism/state.h>

#include "samples.h"
#include "support/random_model.h"

namespace articula::test {
namespace {

using std::numbers::pi;
using testing::ElementsAre;
using testing::SizeIs;
using Place = Provenance::Place;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-15;

// --- state -------------------------------------------------------------------------------------------------------

TEST(Layout, NamesEveryCoordinate) {
  Model model("all kinds");
  std::string host = "world";
  for (const JointKind kind : all_joint_kinds) {
    if (kind == JointKind::fixed) continue;
    const std::string name(traits(kind).name);
    model.add(name + "_body", body())
        .add(name, Joint{.kind = kind, .axis = x_axis, .second_axis = y_axis}, host, name + "_body");
    host = name + "_body";
  }
  const Mechanism mech = build_mechanism(model).mechanism;
  EXPECT_THAT(mech.layout.q,
              ElementsAre("revolute", "prismatic", "helical", "cylindrical.distance", "cylindrical.angle",
                          "universal.angle1", "universal.angle2", "spherical.qx", "spherical.qy", "spherical.qz",
                          "spherical.qw", "planar.x", "planar.y", "planar.angle", "free.x", "free.y", "free.z",
                          "free.qx", "free.qy", "free.qz", "free.qw"));
  EXPECT_THAT(
      mech.layout.v,
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
    const Built built = build_mechanism(random_model(seed, {.bodies = 10, .loops = 1, .elements = 4}));
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
    for (const std::size_t size :
         {par.X_PF.size(), par.axis_sign.size(), par.joint.size(), par.M_B.size(), par.internal_momentum.size()}) {
      EXPECT_EQ(size, mech.bodies.size());
    }
    EXPECT_EQ(par.X_BF.size(), mech.frames.size());
    EXPECT_EQ(par.X_BC.size(), mech.provenance.constituents.size());
    EXPECT_EQ(par.M_C.size(), mech.provenance.constituents.size());
    EXPECT_EQ(par.forces.size(), mech.forces.size());
    EXPECT_EQ(par.constraints.size(), mech.constraints.size());
    EXPECT_EQ(par.rotors.size(), mech.rotors.size());
    EXPECT_EQ(par.couplings.size(), mech.couplings.size());
    EXPECT_EQ(error_of([&] { check_state(mech, par.q_start, std::vector<double>(static_cast<std::size_t>(nv))); }),
              "no error");
  }
}

TEST(Layout, MapsTheStateWhenTheStructureChanges) {
  Model model = chain();
  const StateLayout before = build_mechanism(model).mechanism.layout;
  model.add("c", body()).add("base", Joint{.kind = JointKind::free}, "world", "c");
  model.at<Joint>("j").kind = JointKind::cylindrical;
  const StateLayout after = build_mechanism(model).mechanism.layout;
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
  const Parameters<double> par = build_mechanism(model).parameters;
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
  EXPECT_THAT(build_mechanism(model).parameters.q_start, ElementsAre(1, 2, 3, 0, 0, 0, 1, 0.6, 0, 0, 0.8));
}

TEST(Roles, OfPrescribedJointsAndFramesArePrescribed) {
  Model model = chain();
  model.at<Joint>("k").prescribed = true;
  model.add("car",
            ReferenceFrame{.motion = FrameMotion::prescribed, .placement = {rotation_about(2, 0.0, 1.0), {1, 2, 3}}});
  const Built built = build_mechanism(model);
  using enum DofRole;
  EXPECT_THAT(built.mechanism.roles, ElementsAre(prescribed, prescribed, prescribed, prescribed, prescribed, prescribed,
                                                 DofRole::free, prescribed))
      << "frames come before joints, whenever they were added";
  const double half = std::sqrt(0.5);
  const auto near = [](double x) { return testing::DoubleNear(x, rounding); };
  EXPECT_THAT(built.parameters.q_start,
              ElementsAre(near(1), near(2), near(3), near(0), near(0), near(half), near(half), 0, 0))
      << "it starts where it is placed";
  EXPECT_EQ(built.mechanism.layout.q[0], "car.x");
}

TEST(Environment, IsLowered) {
  Model model = chain();
  model.environment.gravity = UniformGravity{{1, 2, 3}};
  EXPECT_EQ(build_mechanism(model).parameters.gravity_W, (Vec3<double>{1, 2, 3}));
  EXPECT_TRUE(build_mechanism(model).mechanism.uniform_gravity);
  model.environment.gravity = CentralGravity{{4, 5, 6}, 7};
  const Built built = build_mechanism(model);
  EXPECT_FALSE(built.mechanism.uniform_gravity);
  EXPECT_EQ(std::get<CentralGravity>(built.parameters.gravity_field), (CentralGravity{{4, 5, 6}, 7}));
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
    const Built built = build_mechanism(model);
    EXPECT_EQ(built.mechanism.bodies[1].axis, c.form);
    EXPECT_EQ(built.mechanism.bodies[1].form, c.pose);
    EXPECT_EQ(built.parameters.axis_sign[1], c.sign);
  }
}

TEST(SparseForms, TurnTheSignOfAJointWrittenTowardsWorld) {
  Model model;
  model.add("a", body()).add("j", Joint{}, "a", "world");
  const Built built = build_mechanism(model);
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
    model.add(concat("j", k), Joint{},
              at(host, {.xyz = {0.1, 0.2, 0.3}, .rpy = {pi / 2, 0, k % 2 == 0 ? -pi / 2 : pi}}), name);
    host = name;
  }
  const Built built = build_mechanism(model);
  for (std::size_t i = 1; i < built.mechanism.bodies.size(); ++i) {
    EXPECT_NE(built.mechanism.bodies[i].axis, AxisForm::general) << i;
    EXPECT_EQ(built.parameters.X_PF[i].R, Rotation<double>{}) << i;
  }
}

TEST(UniversalJoints, TakeAxesThatAreAlmostAtRightAngles) {
  Model model;
  model.add("a", body())
      .add("j", Joint{.kind = JointKind::universal, .axis = x_axis, .second_axis = {{5e-10, 1, 0}}}, "world", "a");
  const Built built = build_mechanism(model);
  const Eigen::Matrix3d R = dense(built.parameters.X_PF[1]).linear();
  EXPECT_LE((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), rounding) << "a rotation, to the last digit";
}

// --- provenance --------------------------------------------------------------------------------------------------

TEST(Provenance, LeadsFromEveryEntityToItsPlaceAndBack) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const Built built = build_mechanism(random_model(seed, {.bodies = 10, .loops = 2, .elements = 6}));
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
  const Built built = build_mechanism(model);
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

}  // namespace
}  // namespace articula::test
