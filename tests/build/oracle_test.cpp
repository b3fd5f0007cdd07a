// The flat form against the graph as it was written: poses, masses and velocities of hundreds of random models.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>
#include <articula/build/build.h>
#include <articula/build/flatten.h>
#include <articula/build/merge_rigid.h>
#include <articula/build/snap_rotations.h>

#include "support/random_model.h"

namespace articula::test {
namespace {

constexpr double pose_tolerance = 1e-12;  ///< of positions of the order of ten, through a dozen joints
constexpr double mass_tolerance = 1e-12;  ///< relative to the whole
constexpr double step = 1e-5;             ///< of central differences
constexpr double derivative_tolerance = 2e-8;
constexpr std::uint32_t models = 300;

/// What differs from model to model, so that every feature is met alone and with others.
RandomModelOptions options_of(std::uint32_t seed) {
  RandomModelOptions options;
  options.bodies = 1 + static_cast<int>(seed % 12);
  options.parts = static_cast<int>(seed % 3);
  options.fixed_frames = static_cast<int>(seed % 2);
  options.moving_frames = static_cast<int>(seed / 2 % 2);
  options.loops = seed % 4 == 0 ? 1 + static_cast<int>(seed / 4 % 3) : 0;
  options.aligned = seed % 5 == 0 ? 1 : seed % 5 == 1 ? 0 : 0.5;
  return options;
}

/// A random model, built, with the coordinates of its tree.
struct Sample {
  explicit Sample(std::uint32_t seed, const RandomModelOptions& options)
      : model(random_model(seed, options)), built(build_mechanism(model)), q(random_coordinates(model, seed + 1)) {
    for (const LoopInfo& loop : built.loops) q.erase(loop.cut);
  }

  Model model;
  Built built;
  Coordinates q;
};

/// Calls `f(sample)` for each of the random models; a failure tells the seed.
template <class F>
void for_random_models(F&& f) {
  for (std::uint32_t seed = 1; seed <= models && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const Sample sample(seed, options_of(seed));
    f(sample);
  }
}

TEST(FlatForm, PutsEveryFrameWhereTheGraphDoes) {
  int frames = 0;
  for_random_models([&](const Sample& sample) {
    const auto& [mech, par] = std::tie(sample.built.mechanism, sample.built.parameters);
    const Poses expected = walk(sample.model, sample.q);
    const auto X_WB = flat_poses(mech, par, to_q(mech, sample.q));
    std::set<PortRef> seen;
    for (std::size_t k = 0; k < mech.frames.size(); ++k) {
      const FlatFrame& frame = mech.frames[k];
      const auto wanted = expected.find(frame.name);
      if (wanted == expected.end()) continue;  // of an element
      seen.insert(frame.name);
      EXPECT_LE(gap(X_WB[static_cast<std::size_t>(frame.body)] * dense(par.X_BF[k]), wanted->second), pose_tolerance)
          << to_text(frame.name);
    }
    EXPECT_EQ(seen.size(), expected.size()) << "every frame of every body is in the table";
    frames += static_cast<int>(seen.size());
  });
  EXPECT_GT(frames, 10 * static_cast<int>(models));
}

TEST(FlatForm, KeepsMassCentreAndInertia) {
  for_random_models([](const Sample& sample) {
    const auto& [mech, par] = std::tie(sample.built.mechanism, sample.built.parameters);
    const Mass expected = total_mass(sample.model, walk(sample.model, sample.q));
    const auto X_WB = flat_poses(mech, par, to_q(mech, sample.q));
    Mass of_bodies, of_constituents;
    for (std::size_t i = 0; i < mech.bodies.size(); ++i) of_bodies.add(X_WB[i], par.M_B[i]);
    for (std::size_t c = 0; c < mech.provenance.constituents.size(); ++c) {
      const auto body = static_cast<std::size_t>(mech.provenance.constituents[c].body);
      of_constituents.add(X_WB[body] * dense(par.X_BC[c]), par.M_C[c]);
    }
    const double size = 1 + expected.m + expected.I.cwiseAbs().maxCoeff();
    EXPECT_LE(gap(of_bodies, expected), mass_tolerance * size);
    EXPECT_LE(gap(of_constituents, expected), mass_tolerance * size);
  });
}

TEST(FlatForm, KeepsInternalMomentum) {
  for_random_models([](const Sample& sample) {
    const auto& [mech, par] = std::tie(sample.built.mechanism, sample.built.parameters);
    const Poses poses = walk(sample.model, sample.q);
    const Model flat = flatten(sample.model).model;
    Eigen::Vector3d expected = Eigen::Vector3d::Zero(), found = expected;
    for (const Entity& entity : flat.entities()) {
      const auto* body = std::get_if<RigidBody>(&entity.kind);
      if (body != nullptr) expected += poses.at({entity.name, ""}).linear() * dense(body->internal_momentum);
    }
    const auto X_WB = flat_poses(mech, par, to_q(mech, sample.q));
    for (std::size_t i = 0; i < X_WB.size(); ++i) found += X_WB[i].linear() * dense(par.internal_momentum[i]);
    EXPECT_LE((found - expected).norm(), pose_tolerance);
  });
}

/// The motion of a frame at X that becomes X_later and was X_before, expressed in it: X⁻¹·dX.
Eigen::Matrix<double, 6, 1> motion(const Isometry3d& before, const Isometry3d& now, const Isometry3d& later) {
  const Eigen::Matrix4d rate = now.inverse().matrix() * (later.matrix() - before.matrix()) / (2 * step);
  Eigen::Matrix<double, 6, 1> V;
  V << rate(2, 1), rate(0, 2), rate(1, 0), rate.topRightCorner<3, 1>();
  return V;
}

/// H_B[k] of a body, moved into a frame that is fixed to it or to what hangs on it.
Eigen::Matrix<double, 6, 1> moved(const Isometry3d& X_FB, const Motion<double>& H_B) {
  const Eigen::Vector3d w = X_FB.linear() * dense(H_B.w), p = X_FB.translation();
  Eigen::Matrix<double, 6, 1> V;
  V << w, X_FB.linear() * dense(H_B.v) + p.cross(w);
  return V;
}

/// q moved by a small step along one degree of freedom of one joint.
Coordinates advanced(const Mechanism& mech, Coordinates q, int body, int dof, double by) {
  const Body& carried = mech.bodies[static_cast<std::size_t>(body)];
  for (const StateBlock& block : mech.layout.blocks) {
    if (block.kind != StateKind::position || block.range != carried.q) continue;
    std::vector<double> dv(static_cast<std::size_t>(carried.v.count));
    dv[static_cast<std::size_t>(dof)] = by;
    std::vector<double>& own = q.at(block.owner);
    visit_joint(carried.joint, [&]<class J>(J) { J::advanced(own.data(), dv.data(), own.data()); });
  }
  return q;
}

bool hangs_on(const Mechanism& mech, int body, int on) {
  for (; body >= 0; body = mech.bodies[static_cast<std::size_t>(body)].parent) {
    if (body == on) return true;
  }
  return false;
}

TEST(FlatForm, MovesEveryFrameAlongTheAxesOfItsJoints) {
  int checked = 0;
  for (std::uint32_t seed = 1; seed <= models / 5 && !HasFailure(); ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const Sample sample(seed, options_of(seed));
    const auto& [mech, par] = std::tie(sample.built.mechanism, sample.built.parameters);
    const std::vector<double> q = to_q(mech, sample.q);
    const auto X_WB = flat_poses(mech, par, q);
    const Poses now = walk(sample.model, sample.q);
    for (int i = 1; i < mech.size(); ++i) {
      const JointMotion<double> joint = joint_motion(mech, par, i, q.data());
      for (int dof = 0; dof < mech.bodies[static_cast<std::size_t>(i)].v.count; ++dof) {
        const Poses before = walk(sample.model, advanced(mech, sample.q, i, dof, -step));
        const Poses later = walk(sample.model, advanced(mech, sample.q, i, dof, step));
        for (const FlatFrame& frame : mech.frames) {
          if (!now.contains(frame.name)) continue;
          const Isometry3d X_WF = now.at(frame.name);
          Eigen::Matrix<double, 6, 1> expected = Eigen::Matrix<double, 6, 1>::Zero();
          if (hangs_on(mech, frame.body, i)) {
            expected =
                moved(X_WF.inverse() * X_WB[static_cast<std::size_t>(i)], joint.H_B[static_cast<std::size_t>(dof)]);
          }
          const auto V = motion(before.at(frame.name), X_WF, later.at(frame.name));
          EXPECT_LE((V - expected).cwiseAbs().maxCoeff(), derivative_tolerance * (1 + X_WF.translation().norm()))
              << to_text(frame.name) << " along " << dof << " of body " << i;
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 10000);
}

/// The same frames in the same places, by the names they have now.
void expect_same_poses(const Poses& expected, const Model& rewritten, const Rewritten& how, const Coordinates& q) {
  const Poses now = walk(rewritten, q);
  for (const auto& [name, X] : expected) {
    const auto moved = how.moved.find(name);
    const auto found = now.find(moved == how.moved.end() ? name : moved->second);
    ASSERT_NE(found, now.end()) << to_text(name);
    EXPECT_LE(gap(found->second, X), pose_tolerance) << to_text(name);
  }
}

TEST(Rewrites, KeepPosesAndMasses) {
  for_random_models([](const Sample& sample) {
    const Poses expected = walk(sample.model, sample.q);
    const Rewritten flat = flatten(sample.model);
    EXPECT_TRUE(flat.model.parts().empty());
    expect_same_poses(expected, flat.model, flat, sample.q);
    const Rewritten exact = snap_rotations(flat.model);
    expect_same_poses(expected, exact.model, exact, sample.q);
    const Rewritten merged = merge_rigid(exact.model);
    expect_same_poses(expected, merged.model, merged, sample.q);
    const Mass mass = total_mass(sample.model, expected);
    const double size = 1 + mass.m + mass.I.cwiseAbs().maxCoeff();
    for (const Model* model : {&flat.model, &exact.model}) {
      EXPECT_LE(gap(total_mass(*model, walk(*model, sample.q)), mass), mass_tolerance * size);
    }
    // What is fixed to a reference frame has become its constituent.
    const Poses poses = walk(merged.model, sample.q);
    Mass whole = total_mass(merged.model, poses);
    for (const Entity& entity : merged.model.entities()) {
      const auto* frame = std::get_if<ReferenceFrame>(&entity.kind);
      if (frame == nullptr) continue;
      for (const Constituent& c : frame->constituents) whole.add(poses.at({entity.name, ""}) * dense(c.X_BC), c.M_C);
    }
    EXPECT_LE(gap(whole, mass), mass_tolerance * size);
  });
}

TEST(Rewrites, LeaveOneBodyPerRigidGroup) {
  for_random_models([](const Sample& sample) {
    const Model merged = merge_rigid(flatten(sample.model).model).model;
    for (const Entity& entity : merged.entities()) {
      EXPECT_FALSE(std::holds_alternative<Displacement>(entity.kind)) << entity.name;
      const auto* joint = std::get_if<Joint>(&entity.kind);
      EXPECT_FALSE(joint != nullptr && joint->kind == JointKind::fixed) << entity.name;
    }
    EXPECT_EQ(sample.built.mechanism.bodies.size(), merged.names(Family::body).size());
    const Rewritten again = merge_rigid(merged);
    EXPECT_EQ(again.model, merged) << "merging once is enough";
    EXPECT_TRUE(again.explanations.empty());
  });
}

TEST(Loops, CloseWhereARandomModelStarts) {
  int loops = 0;
  for_random_models([&](const Sample& sample) {
    const auto& [mech, par] = std::tie(sample.built.mechanism, sample.built.parameters);
    const auto X_WB = flat_poses(mech, par, par.q_start);
    for (std::size_t c = 0; c < mech.constraints.size(); ++c) {
      const Constraint& cut = mech.constraints[c];
      const auto pose = [&](int frame) {
        const auto f = static_cast<std::size_t>(frame);
        return X_WB[static_cast<std::size_t>(mech.frames[f].body)] * dense(par.X_BF[f]);
      };
      const std::string& name = mech.provenance.entities[static_cast<std::size_t>(cut.entity)].name;
      const auto& joint = sample.model.at<Joint>(name);
      EXPECT_LE(gap(pose(cut.frame_F).inverse() * pose(cut.frame_M), joint_pose(joint, joint.start)), pose_tolerance)
          << name;
      ++loops;
    }
  });
  EXPECT_GT(loops, 50);
}

TEST(RandomModels, AreTheSameForTheSameSeed) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    EXPECT_EQ(random_model(seed, options_of(seed)), random_model(seed, options_of(seed)));
    EXPECT_FALSE(random_model(seed, options_of(seed)) == random_model(seed + 100, options_of(seed)));
  }
}

TEST(RandomModels, MeetEveryFeature) {
  std::set<JointKind> kinds, backwards;
  int sparse = 0, general = 0, negative = 0, massless = 0, merged = 0, cycles = 0, moving = 0;
  for_random_models([&](const Sample& sample) {
    const auto& [mech, par] = std::tie(sample.built.mechanism, sample.built.parameters);
    for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
      const Body& body = mech.bodies[i];
      kinds.insert(body.joint);
      if (body.reversed) backwards.insert(body.joint);
      sparse += body.axis != AxisForm::general;
      negative += par.axis_sign[i] < 0;
      general += body.axis == AxisForm::general;
      massless += par.M_B[i].m == 0;
      moving += mech.roles[static_cast<std::size_t>(body.v.first)] == DofRole::prescribed;
    }
    for (const Explanation& each : sample.built.explanations) merged += each.rule == "merge";
    cycles += static_cast<int>(sample.built.loops.size());
  });
  using enum JointKind;
  EXPECT_THAT(kinds, testing::UnorderedElementsAre(revolute, prismatic, helical, cylindrical, universal, spherical,
                                                   planar, JointKind::free));
  EXPECT_THAT(backwards, testing::UnorderedElementsAre(universal, spherical, planar, JointKind::free));
  for (const int count : {sparse, general, negative, massless, merged, cycles, moving}) EXPECT_GT(count, 30);
}

}  // namespace
}  // namespace articula::test
