/// Many states at once against one after the other: on random trees of all joint kinds, for every instruction set that
/// this machine has.

#include <articula/batch/batch.h>
#include <articula/batch/internal/share_out.h>

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/index.h>
#include <articula/batch/internal/rollout.h>
#include <articula/dynamics/energy.h>
#include <articula/dynamics/forward_dynamics_derivatives.h>
#include <articula/dynamics/frames.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>
#include <articula/dynamics/unit_forces.h>
#include <articula/solve/inverse_dynamics.h>

#include "support/allocations.h"
#include "support/random_state.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

/// Normwise, relative to the results of one state alone.
constexpr double lanes_agreement = 1e-12;
constexpr int states = 13;  // no multiple of anything
constexpr std::uint32_t models = 12;

/// A tree in which every joint moves some inertia.
Model regular_model(std::uint32_t seed) {
  RandomModelOptions options;
  options.moving_frames = 0;
  options.chained = 0;
  return random_model(seed, options);
}

std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    if (is_available(set)) sets.push_back(set);
  }
  return sets;
}

/// Many random states, row by row.
template <class S = double>
struct Rows {
  Rows(const Model& model, int count, std::uint32_t seed) : built(build_mechanism(model)), mech(built.mechanism) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
      const Numbers one = to_q(mech, random_coordinates(model, seed + 1000 * static_cast<std::uint32_t>(i)));
      for (const double each : one) q.push_back(static_cast<S>(each));
      for (int k = 0; k < mech.nv; ++k) {
        v.push_back(static_cast<S>(2 * random.number()));
        x.push_back(static_cast<S>(5 * random.number()));
      }
    }
  }
  static std::span<const S> row(const std::vector<S>& rows, int i, int width) {
    return std::span<const S>(rows).subspan(at(i * width), at(width));
  }
  Numbers q_of(int i) const { return numbers(row(q, i, mech.nq)); }
  Numbers v_of(int i) const { return numbers(row(v, i, mech.nv)); }
  Numbers x_of(int i) const { return numbers(row(x, i, mech.nv)); }

  static Numbers numbers(std::span<const S> row) { return {row.begin(), row.end()}; }

  Built built;
  const Mechanism& mech;
  std::vector<S> q, v, x;
};

template <class S>
Numbers numbers_of(const LaneArray<S>& array, int state) {
  Numbers result;
  for (int k = 0; k < array.width(); ++k) result.push_back(static_cast<double>(array(state, k)));
  return result;
}

/// One state alone, by the same text with doubles.
struct Alone {
  Alone(const Mechanism& m, const Parameters<double>& p, Numbers q_one, Numbers v_one, Numbers x_one)
      : mech(m), par(p), q(std::move(q_one)), v(std::move(v_one)), x(std::move(x_one)), kin(m), nv(at(m.nv)) {
    positions<double, double>(mech, par, q, kin);
    velocities<double, double>(mech, par, q, v, kin);
  }
  Numbers tau() {
    NewtonEuler<double> scratch(mech);
    Numbers result(nv);
    inverse_dynamics<double, double>(mech, par, kin, q, v, x, {}, scratch, result);
    return result;
  }
  Numbers vdot() {
    ArticulatedBody<double> scratch(mech);
    Numbers result(nv);
    forward_dynamics<double, double>(mech, par, kin, x, {}, scratch, result);
    return result;
  }
  Numbers M() {
    CompositeBody<double> scratch(mech);
    Numbers result(nv * nv);
    mass_matrix_upper<double, double>(mech, par, kin, scratch, result);
    return result;
  }

  Numbers M_inverse() {
    UnitForces<double> scratch(mech);
    Numbers result(nv * nv);
    inverse_mass_matrix_by_unit_forces<double, double>(mech, par, kin, scratch, result);
    return result;
  }

  const Mechanism& mech;
  const Parameters<double>& par;
  Numbers q, v, x;
  Velocities<double> kin;
  std::size_t nv;
};

Alone alone(const Rows<double>& rows, int i) {
  return Alone(rows.mech, rows.built.parameters, rows.q_of(i), rows.v_of(i), rows.x_of(i));
}

TEST(Batch, DynamicsEqualThoseOfOneStateAlone) {
  for (std::uint32_t seed = 1; seed <= models; ++seed) {
    const Model model = regular_model(seed);
    const Rows<double> rows(model, states, seed);
    for (const InstructionSet set : instruction_sets()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(to_text(set)));
      const BatchOptions options{.threads = 1, .instructions = set};
      BatchedInverseDynamics inverse(model, states, options);
      BatchedForwardDynamics forward(model, states, options);
      BatchedMassMatrix mass(model, states, options);
      BatchedInverseMassMatrix inverse_mass(model, states, options);
      inverse.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
      forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
      mass.update({.q = rows.q});
      inverse_mass.update({.q = rows.q});
      const LaneArray<double>&tau = inverse.compute(), &vdot = forward.compute(), &M = mass.compute(),
            &M_inverse = inverse_mass.compute();
      EXPECT_TRUE(inverse.report().ok() && forward.report().ok() && mass.report().ok() && inverse_mass.report().ok());
      for (int i = 0; i < states; ++i) {
        Alone one = alone(rows, i);
        const double condition = random_state(1, model).condition;
        EXPECT_LT(distance(numbers_of(tau, i), one.tau()), lanes_agreement) << i;
        EXPECT_LT(distance(numbers_of(M, i), one.M()), lanes_agreement) << i;
        EXPECT_LT(distance(numbers_of(M_inverse, i), one.M_inverse()),
                  lanes_agreement * std::max(1.0, 1e-3 * condition))
            << i;
        EXPECT_LT(distance(numbers_of(vdot, i), one.vdot()), lanes_agreement * std::max(1.0, 1e-3 * condition)) << i;
      }
    }
  }
}

TEST(Batch, DerivativesEqualThoseOfOneStateAlone) {
  for (std::uint32_t seed = 1; seed <= models; ++seed) {
    const Model model = regular_model(seed);
    const Rows<double> rows(model, states, seed);
    const Mechanism& mech = rows.mech;
    const auto nv = at(mech.nv);
    for (const InstructionSet set : instruction_sets()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(to_text(set)));
      const BatchOptions options{.threads = 1, .instructions = set};
      BatchedInverseDynamicsDerivatives inverse(model, states, options);
      BatchedForwardDynamicsDerivatives forward(model, states, options);
      inverse.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
      forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
      const auto [tau, dtau_dq, dtau_dv] = inverse.compute();
      const auto [dvdot_dq, dvdot_dv, dvdot_dtau] = forward.compute();
      const double condition = std::max(1.0, 1e-2 * random_state(1, model).condition);
      for (int i = 0; i < states; ++i) {
        Alone one = alone(rows, i);
        Numbers t(nv), a(nv * nv), b(nv * nv), c(nv * nv);
        InverseDynamicsDerivatives<double> scratch(mech);
        inverse_dynamics_derivatives<double, double>(mech, one.par, one.kin, one.q, one.v, one.x, {}, scratch, t, a, b);
        EXPECT_LT(distance(numbers_of(tau, i), t), lanes_agreement) << i;
        EXPECT_LT(distance(numbers_of(dtau_dq, i), a), lanes_agreement) << i;
        EXPECT_LT(distance(numbers_of(dtau_dv, i), b), lanes_agreement) << i;
        ForwardDynamicsDerivatives more(mech);
        const Numbers vdot = one.vdot();
        forward_dynamics_derivatives(mech, one.par, one.kin, one.q, one.v, vdot, {}, more, a, b, c);
        EXPECT_LT(distance(numbers_of(dvdot_dq, i), a), lanes_agreement * condition) << i;
        EXPECT_LT(distance(numbers_of(dvdot_dv, i), b), lanes_agreement * condition) << i;
        EXPECT_LT(distance(numbers_of(dvdot_dtau, i), c), lanes_agreement * condition) << i;
      }
    }
  }
}

TEST(Batch, KinematicsEqualThoseOfOneStateAlone) {
  for (std::uint32_t seed = 1; seed <= models; ++seed) {
    const Model model = regular_model(seed);
    const Rows<double> rows(model, states, seed);
    std::vector<PortRef> frames;
    for (const FlatFrame& frame : rows.mech.frames) frames.push_back(frame.name);
    BatchedKinematics kinematics(model, states, frames);
    kinematics.update({.q = rows.q, .v = rows.v});
    const auto [poses, velocities_W] = kinematics.compute();
    for (int i = 0; i < states; ++i) {
      Alone one = alone(rows, i);
      WorldPoses<double> world(rows.mech);
      world_poses<double, double>(rows.mech, one.par, one.kin, world);
      Numbers X, V;
      for (int f = 0; f < static_cast<int>(frames.size()); ++f) {
        const Pose<double> X_WF = frame_pose(rows.mech, one.par, world, f);
        const Motion<double> V_F =
            frame_velocity(rows.mech, one.par, world, one.kin, f, JacobianFrame::local_world_aligned);
        for (int k = 0; k < 9; ++k) X.push_back(X_WF.R.m(k / 3, k % 3));
        for (int k = 0; k < 3; ++k) X.push_back(X_WF.p[k]);
        for (int k = 0; k < 6; ++k) V.push_back(k < 3 ? V_F.w[k] : V_F.v[k - 3]);
      }
      EXPECT_LT(distance(numbers_of(poses, i), X), lanes_agreement) << "seed " << seed;
      EXPECT_LT(distance(numbers_of(velocities_W, i), V), lanes_agreement) << "seed " << seed;
    }
  }
}

TEST(Batch, RolloutsEqualThoseOfOneStateAlone) {
  for (const RolloutMethod method : {RolloutMethod::semi_implicit, RolloutMethod::runge_kutta_4}) {
    for (std::uint32_t seed = 1; seed <= models; ++seed) {
      const Model model = regular_model(seed);
      const Rows<double> rows(model, states, seed);
      const RolloutOptions rollout{.step = 1e-3, .steps = 10, .method = method};
      for (const InstructionSet set : instruction_sets()) {
        BatchedRollout batch(model, states, rollout, {.threads = 1, .instructions = set});
        batch.update({.q = rows.q, .v = rows.v, .tau = rows.x});
        batch.compute();
        batch.compute();  // goes on where the first ended
        for (int i = 0; i < states; ++i) {
          Alone one = alone(rows, i);
          Rollout<double> scratch(rows.mech, one.par);
          RolloutOptions twice = rollout;
          twice.steps = 20;
          roll_out<double, double>(one.par, twice, one.q.data(), one.v.data(), one.x.data(), scratch);
          EXPECT_LT(distance(numbers_of(batch.q(), i), one.q), 1e-11) << "seed " << seed << " " << to_text(set);
          EXPECT_LT(distance(numbers_of(batch.v(), i), one.v), 1e-10) << "seed " << seed << " " << to_text(set);
        }
      }
    }
  }
}

/// Energy of a free robot is kept, and what is lost shrinks with the fifth power of the step, or better.
TEST(Batch, RungeKuttaKeepsEnergyToFourthOrder) {
  const Model model = floating_model(3);
  const Rows<double> rows(model, states, 3);
  const auto lost = [&](double step) {
    BatchedRollout batch(
        model, states,
        {.step = step, .steps = static_cast<int>(std::lround(0.08 / step)), .method = RolloutMethod::runge_kutta_4});
    batch.update({.q = rows.q, .v = rows.v});
    const auto energy = [&](int i) {
      const Alone one(rows.mech, rows.built.parameters, numbers_of(batch.q(), i), numbers_of(batch.v(), i),
                      rows.x_of(i));
      WorldPoses<double> world(rows.mech);
      world_poses<double, double>(rows.mech, one.par, one.kin, world);
      return kinetic_energy<double, double>(rows.mech, one.par, one.kin, numbers_of(batch.v(), i)) +
             potential_energy<double, double>(rows.mech, one.par, world);
    };
    Numbers before, after;
    for (int i = 0; i < states; ++i) before.push_back(energy(i));
    batch.compute();
    for (int i = 0; i < states; ++i) after.push_back(energy(i));
    return distance(after, before);
  };
  const double coarse = lost(0.008), fine = lost(0.004);
  EXPECT_LT(fine, 1e-5);
  EXPECT_GT(coarse / fine, 12) << coarse << " " << fine;
}

TEST(Batch, ResultsDoNotDependOnThreadsNorOnOtherStates) {
  const Model model = floating_model(7);
  const int many = 203;
  const Rows<double> rows(model, many, 7);
  std::vector<Numbers> results;
  for (const int threads : {1, 2, 3, 7}) {
    BatchedForwardDynamics forward(model, many, {.threads = threads});
    EXPECT_EQ(forward.threads(), threads);
    forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
    results.emplace_back(at(many * forward.nv()));
    for (int again = 0; again < 3; ++again) forward.compute().store(results.back());
  }
  for (const Numbers& result : results) EXPECT_EQ(result, results.front());
  // Alone in a batch of its own.
  BatchedForwardDynamics single(model, 1);
  const int nv = single.nv();
  for (int i : {0, 5, 202}) {
    single.update(
        {.q = rows.row(rows.q, i, single.nq()), .v = rows.row(rows.v, i, nv), .tau = rows.row(rows.x, i, nv)});
    Numbers one(at(nv));
    single.compute().store(one);
    EXPECT_EQ(0, std::memcmp(one.data(), results.front().data() + i * nv, at(nv) * sizeof(double)));
  }
}

TEST(Batch, SinglePrecisionGivesSmallResidues) {
  for (std::uint32_t seed = 1; seed <= models; ++seed) {
    const Model model = floating_model(seed);
    const Rows<float> rows(model, states, seed);
    for (const InstructionSet set : instruction_sets()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(to_text(set)));
      const BatchOptions options{.threads = 1, .instructions = set};
      BatchedInverseDynamics<float> inverse(model, states, options);
      BatchedForwardDynamics<float> forward(model, states, options);
      BatchedMassMatrix<float> mass(model, states, options);
      EXPECT_EQ(inverse.lanes(), lanes_of<float>(set));
      inverse.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
      forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
      mass.update({.q = rows.q});
      const LaneArray<float>&tau = inverse.compute(), &vdot = forward.compute(), &M = mass.compute();
      for (int i = 0; i < states; ++i) {
        Alone one(rows.mech, rows.built.parameters, rows.q_of(i), rows.v_of(i), rows.x_of(i));
        EXPECT_LT(distance(numbers_of(tau, i), one.tau()), 1e-5) << i;
        EXPECT_LT(distance(numbers_of(M, i), one.M()), 1e-5) << i;
        // Forward dynamics by its residue: inverse dynamics of its accelerations is the torque again.
        Alone back(rows.mech, rows.built.parameters, rows.q_of(i), rows.v_of(i), numbers_of(vdot, i));
        EXPECT_LT(distance(back.tau(), rows.x_of(i)), 1e-4) << i;
      }
    }
  }
}

TEST(Batch, EachStateMayHaveParametersOfItsOwn) {
  Model model = floating_model(5);
  const Rows<double> rows(model, states, 5);
  for (const InstructionSet set : instruction_sets()) {
    BatchedInverseDynamics inverse(model, states, {.instructions = set, .own_parameters = true});
    BatchedForwardDynamics forward(model, states, {.instructions = set, .own_parameters = true});
    inverse.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
    forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
    std::vector<Built> built;
    for (int i = 0; i < states; ++i) {
      Model changed = model;
      changed.at<RigidBody>("b2").mass = 1 + 0.3 * i;
      changed.at<RigidBody>("b2").com = {0.01 * i, 0.2, -0.1};
      inverse.refresh(i, changed);
      forward.refresh(i, changed);
      built.push_back(build_mechanism(changed));
    }
    const LaneArray<double>&tau = inverse.compute(), &vdot = forward.compute();
    for (int i = 0; i < states; ++i) {
      Alone one(rows.mech, built[at(i)].parameters, rows.q_of(i), rows.v_of(i), rows.x_of(i));
      EXPECT_LT(distance(numbers_of(tau, i), one.tau()), lanes_agreement) << i << " " << to_text(set);
      EXPECT_LT(distance(numbers_of(vdot, i), one.vdot()), lanes_agreement) << i << " " << to_text(set);
    }
  }
  // Shared ones change for all.
  BatchedInverseDynamics shared(model, states);
  shared.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
  model.at<RigidBody>("base").mass = 9;
  shared.refresh(model);
  const Built built = build_mechanism(model);
  Alone one(rows.mech, built.parameters, rows.q_of(3), rows.v_of(3), rows.x_of(3));
  EXPECT_LT(distance(numbers_of(shared.compute(), 3), one.tau()), lanes_agreement);
}

TEST(Batch, AllocatesNothingAfterItIsMade) {
  const Model model = floating_model(2);
  const Rows<double> rows(model, 100, 2);
  for (const int threads : {1, 2}) {
    if (threads > 1 && threads_are_watched) continue;  // then threads are made for each computation
    BatchedForwardDynamics forward(model, 100, {.threads = threads});
    BatchedRollout rollout(model, 100, {.steps = 3}, {.threads = threads});
    forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
    rollout.update({.q = rows.q, .v = rows.v, .tau = rows.x});
    forward.compute(), rollout.compute();
    const std::size_t before = allocations();
    for (int k = 0; k < 10; ++k) {
      forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
      forward.compute(), rollout.compute();
    }
    EXPECT_EQ(allocations(), before) << threads << " threads";
  }
}

TEST(LaneArray, GoesFromRowsToLanesAndBack) {
  LaneArray<double> array(5, 3, 4);
  Numbers rows, back(15);
  for (int k = 0; k < 15; ++k) rows.push_back(k);
  array.load(rows);
  EXPECT_EQ(array.groups(), 2);
  EXPECT_EQ(array(4, 2), 14);
  EXPECT_EQ(array.group(0)[1 * 4 + 2], 7);  // number 1 of state 2
  EXPECT_EQ(array.group(1)[2 * 4 + 0], 14);
  array.store(back);
  EXPECT_EQ(back, rows);
}

TEST(Batch, ReportsTheFirstStateWithoutFiniteResults) {
  const Model model = floating_model(4);
  const Rows<double> rows(model, 50, 4);
  BatchedForwardDynamics forward(model, 50, {.threads = 2});
  EXPECT_EQ(to_text(forward.report()), "ready");
  forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
  forward.compute();
  EXPECT_EQ(to_text(forward.report()), "done");
  forward.v()(41, 3) = INFINITY;
  forward.v()(17, 3) = INFINITY;
  forward.compute();
  EXPECT_FALSE(forward.report().ok());
  EXPECT_EQ(forward.report().state, 17);
  EXPECT_THAT(to_text(forward.report()), HasSubstr("the results of state 17 are not finite"));
}

/// As the flat solver does.
TEST(Batch, NormalizesQuaternionsThatAreNearlyOfUnitLength) {
  const Model model = floating_model(3);
  BatchedInverseDynamics batch(model, 2);
  InverseDynamics flat(model);
  Numbers q(static_cast<std::size_t>(batch.nq()), 0.2), v(static_cast<std::size_t>(batch.nv()), 0.7);
  q[3] = 0.1, q[4] = -0.5, q[5] = 0.7, q[6] = 0.5;
  for (std::size_t k = 3; k < 7; ++k) q[k] *= 1 + 9e-7;
  Numbers two_q = q, two_v = v;
  two_q.insert(two_q.end(), q.begin(), q.end());
  two_v.insert(two_v.end(), v.begin(), v.end());
  batch.update({.q = two_q, .v = two_v});
  flat.update({.q = q, .v = v});
  const LaneArray<double>& tau = batch.compute();
  const VectorView expected = flat.compute();
  for (int k = 0; k < batch.nv(); ++k) {
    EXPECT_NEAR(tau(1, k), expected[static_cast<std::size_t>(k)], 1e-12 * (1 + std::abs(tau(1, k))));
  }
}

}  // namespace
}  // namespace articula::test
