#pragma once

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <articula/base/text.h>
#include <articula/build/build.h>
#include <articula/dynamics/frames.h>

#include "support/random_state.h"

/// Random models in motion, and derivatives along it.
namespace articula::test {

using Numbers = std::vector<double>;
using Vector6d = Eigen::Matrix<double, 6, 1>;
using Eigen::Matrix3d;
using Eigen::Vector3d;

inline Vector6d dense(const Motion<double>& V) { return (Vector6d() << dense(V.w), dense(V.v)).finished(); }
inline Vector6d dense(const Force<double>& F) { return (Vector6d() << dense(F.n), dense(F.f)).finished(); }

/// A matrix that is stored row by row.
inline Eigen::MatrixXd matrix(const Numbers& entries, int rows) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(entries.data(), rows, static_cast<int>(entries.size()) / std::max(1, rows));
}
inline Eigen::VectorXd vector(const Numbers& entries) {
  return Eigen::Map<const Eigen::VectorXd>(entries.data(), static_cast<int>(entries.size()));
}

/// What differs from seed to seed, so that every joint kind and structure is met. No cycles, so that trajectories are
/// free.
inline RandomModelOptions tree_options(std::uint32_t seed) {
  RandomModelOptions options;
  options.bodies = 2 + static_cast<int>(seed % 7);
  options.parts = static_cast<int>(seed % 2);
  options.moving_frames = static_cast<int>(seed / 2 % 2);
  options.aligned = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 0 : 0.5;
  options.rigid_cycles = 0;
  return options;
}

/// A built model with a state: q, v and vdot at t = 0, and the motion that they begin.
struct MovingModel {
  MovingModel(Model of, std::uint32_t seed)
      : model(std::move(of)),
        built(build_mechanism(model)),
        mech(built.mechanism),
        par(built.parameters),
        kin(mech),
        poses(mech),
        acc(mech) {
    q = to_q(mech, random_coordinates(model, seed + 1));
    Random random(seed + 2);
    for (int k = 0; k < mech.nv; ++k) {
      v.push_back(random.number());
      vdot.push_back(random.number());
    }
    move_to(q, v, vdot);
  }
  explicit MovingModel(std::uint32_t seed, const RandomModelOptions& options)
      : MovingModel(random_model(seed, options), seed) {
    Random random(seed);
    if (seed % 2 == 1) add_random_armature(built, random);
  }

  MovingModel(const MovingModel& m)
      : model(m.model),
        built(m.built),
        mech(built.mechanism),
        par(built.parameters),
        q(m.q),
        v(m.v),
        vdot(m.vdot),
        kin(m.kin),
        poses(m.poses),
        acc(m.acc) {}

  void move_to(const Numbers& q_new, const Numbers& v_new, const Numbers& vdot_new) {
    q = q_new, v = v_new, vdot = vdot_new;
    positions<double, double>(mech, par, q, kin);
    velocities<double, double>(mech, par, q, v, kin);
    world_poses(mech, par, kin, poses);
    accelerations<double, double>(mech, par, kin, vdot, acc);
  }

  /// q at time t on a motion that has v and vdot at t = 0.
  Numbers q_at(double t) const {
    Numbers later(q.size());
    for (const Body& body : mech.bodies) {
      std::array<double, 6> dv{};
      const auto first = static_cast<std::size_t>(body.v.first), count = static_cast<std::size_t>(body.v.count);
      for (std::size_t k = 0; k < count; ++k) dv[k] = v[first + k] * t + 0.5 * vdot[first + k] * t * t;
      if (body.joint == JointKind::free) {
        // The position moves on a parabola, seen from a frame that turns: v̇ + ω × v is constant.
        const Vec3<double> bent = cross(Vec3<double>{v[first + 3], v[first + 4], v[first + 5]},
                                        Vec3<double>{v[first], v[first + 1], v[first + 2]});
        for (std::size_t k = 0; k < 3; ++k) dv[k] += 0.5 * bent[static_cast<int>(k)] * t * t;
      }
      visit_joint(body.joint,
                  [&]<class J>(J) { J::advanced(q.data() + body.q.first, dv.data(), later.data() + body.q.first); });
    }
    return later;
  }

  /// The poses of all of the user's frames then, by walking the model's graph.
  Poses poses_at(double t) const {
    Coordinates coordinates;
    const Numbers now = q_at(t);
    for (const StateBlock& block : mech.layout.blocks) {
      if (block.kind != StateKind::position) continue;
      const auto first = now.begin() + block.range.first;
      coordinates[block.owner].assign(first, first + block.range.count);
    }
    return walk(model, coordinates);
  }

  Model model;
  Built built;
  const Mechanism& mech;
  const Parameters<double>& par;
  Numbers q, v, vdot;
  Velocities<double> kin;
  WorldPoses<double> poses;
  Accelerations<double> acc;
};

/// Calls `f(moving model)` for random models; a failure tells the seed.
template <class F>
void for_moving_models(std::uint32_t count, F&& f) {
  for (std::uint32_t seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    MovingModel moving(seed, tree_options(seed));
    f(moving);
  }
}

/// df/dt and d²f/dt² at t = 0 of a value that can be added and scaled: central differences at four steps, extrapolated
/// by Richardson to the eighth order. With steps of 0.04 to 0.005 s and motions of the order of 1/s, truncation and
/// rounding (1e-16 / 0.005²) are both below 1e-10.
template <class F>
auto derivatives(F&& f) {
  constexpr int levels = 4;
  using Value = std::decay_t<decltype(f(0.0))>;
  const Value now = f(0.0);
  std::array<Value, levels> first, second;
  double h = 0.04;
  for (std::size_t k = 0; k < levels; ++k, h /= 2) {
    const Value after = f(h), before = f(-h);
    first[k] = (after - before) * (0.5 / h);
    second[k] = (after + before - now * 2.0) * (1 / (h * h));
  }
  double power = 4;
  for (std::size_t level = 1; level < levels; ++level, power *= 4) {
    for (std::size_t k = levels - 1; k >= level; --k) {
      first[k] = first[k] + (first[k] - first[k - 1]) * (1 / (power - 1));
      second[k] = second[k] + (second[k] - second[k - 1]) * (1 / (power - 1));
    }
  }
  return std::pair<Value, Value>(first[levels - 1], second[levels - 1]);
}

/// Such derivatives of positions within tens of metres are right to this, relative to 1 + their size.
constexpr double richardson_tolerance = 1e-9;

}  // namespace articula::test
