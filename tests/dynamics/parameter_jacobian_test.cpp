// Parameter Jacobians against models in which the parameter was changed, walked by Eigen.

#include <articula/dynamics/parameter_jacobian.h>
#include <articula/mechanism/parameter_fields.h>

#include "dynamics/moving_model.h"

namespace articula::test {
namespace {

constexpr std::array all_frames{JacobianFrame::local, JacobianFrame::world, JacobianFrame::local_world_aligned};
constexpr std::uint32_t models = 40;

/// A tree of bodies with one joint to each, every joint on frames of its own, "parent.<k>" and "<k>.to": so that each
/// placement can be changed alone. Some joints are written towards World.
Model tree(std::uint32_t seed) {
  Random random(seed);
  Model model("tree");
  std::vector<std::string> bodies{"world"};
  for (int k = 1; k <= 6; ++k) {
    const std::string name = concat("body", k), parent = random.one_of(bodies);
    const bool aligned = random.chance(0.5);
    const auto axis = [&] { return aligned ? Vec3<double>::unit(random.below(3)) : random.direction(); };
    const int moving_kinds = static_cast<int>(all_joint_kinds.size()) - 1;  // all but fixed
    Joint joint{.kind = all_joint_kinds[static_cast<std::size_t>(random.below(moving_kinds))]};
    joint.axis.v = axis();
    Vec3<double> second = cross(joint.axis.v, random.direction());
    joint.second_axis.v = second * (1 / norm(second));
    AnyJointParameters::visit(joint.parameters, joint.kind,
                              [&](auto& own) { for_each_number([&](double& x) { x = random.number(); }, own); });
    model.add(name, RigidBody{.mass = 1, .inertia = SymMat3<double>::identity(), .frames = {{"tool", random.pose()}}});
    const Attachment inboard{parent, random.pose(aligned)}, outboard{name, random.pose(aligned)};
    const bool reversed = random.chance(0.4);
    model.add(concat("joint", k), joint, reversed ? outboard : inboard, reversed ? inboard : outboard);
    bodies.push_back(name);
  }
  return model;
}

/// The frame of a body by which a joint holds on to it.
Frame& joint_frame(Model& model, const std::string& body, const std::string& joint) {
  auto& frames = body == "world" ? model.at<ReferenceFrame>(body).frames : model.at<RigidBody>(body).frames;
  for (Frame& frame : frames) {
    if (frame.name == joint + ".from" || frame.name == joint + ".to") return frame;
  }
  throw std::invalid_argument(joint);
}

/// exp(δ) of a small motion: a turn by φ and a shift by d, of which only the first order matters.
Pose<double> small_motion(int k, double size) {
  Pose<double> X;
  if (k < 3) X.R = rotation_about(k, size);
  if (k >= 3) X.p[k - 3] = size;
  return X;
}

struct Placed {
  explicit Placed(std::uint32_t seed) : m(tree(seed), seed), coordinates(random_coordinates(m.model, seed + 1)) {}

  /// How the frame's pose changes with the size of a change of the model, as a motion expressed in `in`.
  template <class Change>
  Vector6d column(const PortRef& name, JacobianFrame in, Change&& change) const {
    const auto pose = [&](double size) -> Eigen::Matrix4d {
      Model changed = m.model;
      change(changed, size);
      return walk(changed, coordinates).at(name).matrix();
    };
    const Eigen::Matrix4d X = pose(0), rate = derivatives(pose).first;
    const Matrix3d R = X.topLeftCorner<3, 3>(), W = rate.topLeftCorner<3, 3>() * R.transpose();
    const Vector3d w(W(2, 1), W(0, 2), W(1, 0)), p = X.topRightCorner<3, 1>(), v = rate.topRightCorner<3, 1>();
    if (in == JacobianFrame::local) return (Vector6d() << R.transpose() * w, R.transpose() * v).finished();
    return (Vector6d() << w, in == JacobianFrame::world ? Vector3d(v - w.cross(p)) : v).finished();
  }

  MovingModel m;
  Coordinates coordinates;
};

/// Calls `f(placed, frame, in, body i, its name, its parent's name, its joint's name)`.
template <class F>
void for_all_joints(F&& f) {
  for (std::uint32_t seed = 1; seed <= models && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const Placed placed(seed);
    const Mechanism& mech = placed.m.mech;
    const auto name_of = [&](int body) {
      for (const ConstituentPlace& c : mech.provenance.constituents) {
        if (c.body == body) return c.name;
      }
      return std::string("world");
    };
    const PortRef tool{concat("body", 1 + seed % 6), "tool"};
    for (const JacobianFrame in : all_frames) {
      for (int i = 1; i < mech.size(); ++i) {
        const Body& body = mech.bodies[static_cast<std::size_t>(i)];
        const std::string joint = mech.provenance.entities[static_cast<std::size_t>(body.entity)].name;
        f(placed, tool, in, i, name_of(i), name_of(body.parent), joint);
      }
    }
  }
}

TEST(PlacementJacobian, IsThatOfAModelWithItsJointsMoved) {
  int moving = 0;
  for_all_joints([&](const Placed& placed, const PortRef& tool, JacobianFrame in, int i, const std::string&,
                     const std::string& parent, const std::string& joint) {
    const MovingModel& m = placed.m;
    Numbers J(6 * 6 * (m.mech.bodies.size() - 1), 7.0);
    placement_jacobian<double, double>(m.mech, m.par, m.poses, m.mech.frame(tool), in, J);
    for (int k = 0; k < 6; ++k) {
      const Vector6d expected = placed.column(tool, in, [&](Model& changed, double size) {
        Frame& frame = joint_frame(changed, parent, joint);
        frame.X_EF = frame.X_EF * small_motion(k, size);
      });
      const double error = (matrix(J, 6).col(6 * (i - 1) + k) - expected).norm();
      EXPECT_LE(error, richardson_tolerance * (1 + expected.norm())) << joint;
      moving += expected.norm() > 0.1 ? 1 : 0;
    }
  });
  EXPECT_GT(moving, 500) << "most are not zero";
}

TEST(AxisJacobian, IsThatOfAModelWithItsAxesTurned) {
  int moving = 0;
  for_all_joints([&](const Placed& placed, const PortRef& tool, JacobianFrame in, int i, const std::string& body,
                     const std::string& parent, const std::string& joint) {
    const MovingModel& m = placed.m;
    const JointKind kind = m.model.at<Joint>(joint).kind;
    Numbers J(6 * 3 * (m.mech.bodies.size() - 1), 7.0);
    axis_jacobian<double, double>(m.mech, m.par, m.poses, m.mech.frame(tool), in, J);
    for (int k = 0; k < 3; ++k) {
      const auto turn = [&](Model& changed, double size) {
        if (traits(kind).axis_use == AxisUse::none) return;
        if (kind == JointKind::planar) {
          // Not by its axis, which leaves x and y to a rule, but by turning both of its ports.
          for (const std::string& owner : {parent, body}) {
            Frame& frame = joint_frame(changed, owner, joint);
            frame.X_EF = frame.X_EF * small_motion(k, size);
          }
          return;
        }
        Joint& turned = changed.at<Joint>(joint);
        turned.axis.v = rotation_about(k, size) * turned.axis.v;
        turned.second_axis.v = rotation_about(k, size) * turned.second_axis.v;
      };
      const Vector6d expected = placed.column(tool, in, turn);
      const double error = (matrix(J, 6).col(3 * (i - 1) + k) - expected).norm();
      EXPECT_LE(error, richardson_tolerance * (1 + expected.norm())) << joint;
      moving += expected.norm() > 0.1 ? 1 : 0;
    }
  });
  EXPECT_GT(moving, 200);
}

TEST(DisplacementJacobian, IsThatOfAModelWithItsToolMoved) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const Placed placed(seed);
    const MovingModel& m = placed.m;
    const int tool = m.mech.frame({"body3", "tool"});
    for (const JacobianFrame in : all_frames) {
      Numbers J(36);
      displacement_jacobian<double, double>(m.mech, m.par, m.poses, tool, tool, in, J);
      if (in == JacobianFrame::local) {
        EXPECT_LE((matrix(J, 6) - Eigen::MatrixXd::Identity(6, 6)).norm(), 1e-14);
      }
      for (int k = 0; k < 6; ++k) {
        const Vector6d expected = placed.column({"body3", "tool"}, in, [&](Model& changed, double size) {
          Frame& frame = changed.at<RigidBody>("body3").frames.front();
          frame.X_EF = frame.X_EF * small_motion(k, size);
        });
        EXPECT_LE((matrix(J, 6).col(k) - expected).norm(), richardson_tolerance * (1 + expected.norm()));
      }
    }
  }
}

/// The stretch of a rigid connection inside a merged body, which the joint beyond it rides on.
TEST(DisplacementJacobian, ReachesConnectionsInsideMergedBodies) {
  const auto make = [](double length) {
    Model model("boom");
    const RigidBody body{.mass = 1, .inertia = SymMat3<double>::identity()};
    model.add("mast", body).add("boom", body).add("hook", body);
    model.add("slew", Joint{.axis = z_axis}, "world", "mast");
    model.add("stay", Displacement{to_pose(Place{.xyz = {length, 0, 0}, .rpy = {0, 0.4, 0}})}, "mast", "boom");
    model.add("rope", Joint{.axis = y_axis}, at("boom", {.xyz = {1, 0, 0}}), "hook");
    return model;
  };
  MovingModel m(make(2), 1);
  m.move_to({0.3, 0.7}, {0, 0}, {0, 0});
  Numbers J(36);
  const int hook = m.mech.frame({"hook", ""}), boom = m.mech.frame({"boom", ""});
  displacement_jacobian<double, double>(m.mech, m.par, m.poses, hook, boom, JacobianFrame::local_world_aligned, J);
  // The stay lengthens along its mast's x, (cos 0.4, 0, sin 0.4) in axes of the boom.
  const Vector6d along = std::cos(0.4) * matrix(J, 6).col(3) + std::sin(0.4) * matrix(J, 6).col(5);
  const Coordinates q{{"slew", {0.3}}, {"rope", {0.7}}};
  const Isometry3d longer = walk(make(3), q).at({"hook", ""}), now = walk(make(2), q).at({"hook", ""});
  EXPECT_LE((along.tail<3>() - (longer.translation() - now.translation())).norm(), 1e-14);
  EXPECT_LE(along.head<3>().norm(), 1e-15);
}

}  // namespace
}  // namespace articula::test
