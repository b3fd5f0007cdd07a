// Batches on a GPU, or on what stands in for one, against those on the CPU.

#include <articula/batch/device_batch.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/formats/load.h>
#include <articula/generate/record.h>

#include "generate/evaluate.h"
#include "support/device_stand_in.h"
#include "support/random_state.h"

namespace articula::test {
namespace {

using test::distance;
using test::Numbers;
using testing::HasSubstr;

constexpr int states = 131;  // a block and a few
constexpr double agreement = 1e-12;
/// Accelerations and their derivatives: as much more as the condition of these robots' mass matrices amplifies rounding.
constexpr double agreement_forward = 1e-11;

class DeviceBatches : public test::OnDevice {
 protected:
  DeviceBatchOptions batch() const { return {.device = options}; }
};

Model robot(const std::string& name) { return load(ARTICULA_SOURCE_DIR "/models/" + name); }

/// Many random states, row by row.
struct Rows {
  explicit Rows(const Model& model) : mech(build_mechanism(model).mechanism) {
    test::Random random(3);
    for (int i = 0; i < states; ++i) {
      const Numbers one = test::to_q(mech, test::random_coordinates(model, 17 + static_cast<std::uint32_t>(i)));
      q.insert(q.end(), one.begin(), one.end());
      for (int k = 0; k < mech.nv; ++k) v.push_back(2 * random.number()), x.push_back(5 * random.number());
    }
  }
  Mechanism mech;
  Numbers q, v, x;
};

Numbers stored(const DeviceArray<double>& array) {
  Numbers rows(at(array.states()) * at(array.width()));
  array.store(rows);
  return rows;
}
Numbers stored(const LaneArray<double>& array) {
  Numbers rows(at(array.states()) * at(array.width()));
  array.store(rows);
  return rows;
}
Numbers columns_of(const Numbers& rows, int width) {
  Numbers columns(rows.size());
  for (std::size_t i = 0; i < states; ++i) {
    for (std::size_t k = 0; k < at(width); ++k) columns[k * states + i] = rows[i * at(width) + k];
  }
  return columns;
}

/// Matrices without what is below their diagonals.
Numbers upper(Numbers M, int nv) {
  for (std::size_t e = 0; e < M.size(); ++e) {
    const std::size_t k = e % at(nv * nv);
    if (k % at(nv) < k / at(nv)) M[e] = 0;
  }
  return M;
}

TEST_F(DeviceBatches, DynamicsEqualThoseOnTheCpu) {
  for (const char* name : {"kuka_lwr4.yaml", "quadruped.yaml"}) {
    SCOPED_TRACE(name);
    const Model model = robot(name);
    const Rows rows(model);
    DeviceInverseDynamics inverse(model, states, batch());
    DeviceForwardDynamics forward(model, states, batch());
    DeviceMassMatrix mass(model, states, batch());
    BatchedInverseDynamics cpu_inverse(model, states);
    BatchedForwardDynamics cpu_forward(model, states);
    BatchedMassMatrix cpu_mass(model, states);
    inverse.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
    cpu_inverse.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
    forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
    cpu_forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
    mass.update({.q = rows.q});
    cpu_mass.update({.q = rows.q});
    EXPECT_EQ(inverse.report().status, BatchReport::Status::ready);
    EXPECT_LT(distance(stored(inverse.compute()), stored(cpu_inverse.compute())), agreement);
    EXPECT_LT(distance(stored(forward.compute()), stored(cpu_forward.compute())), agreement_forward);
    const Numbers M = stored(mass.compute());
    EXPECT_LT(distance(M, upper(stored(cpu_mass.compute()), mass.nv())), agreement);
    EXPECT_EQ(M, upper(M, mass.nv())) << "it is zero below the diagonal";
    EXPECT_EQ(inverse.report().status, BatchReport::Status::done);
    EXPECT_TRUE(forward.report().ok() && mass.report().ok());
  }
}

TEST_F(DeviceBatches, DerivativesEqualThoseOnTheCpu) {
  const Model model = robot("kuka_lwr4.yaml");
  const Rows rows(model);
  DeviceInverseDynamicsDerivatives<> inverse(model, states, batch());
  DeviceForwardDynamicsDerivatives<> forward(model, states, batch());
  BatchedInverseDynamicsDerivatives cpu_inverse(model, states);
  BatchedForwardDynamicsDerivatives cpu_forward(model, states);
  inverse.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
  cpu_inverse.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
  forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
  cpu_forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
  const auto inverse_result = inverse.compute();
  const auto cpu_inverse_result = cpu_inverse.compute();
  EXPECT_LT(distance(stored(inverse_result.dtau_dq), stored(cpu_inverse_result.dtau_dq)), agreement);
  EXPECT_LT(distance(stored(inverse_result.dtau_dv), stored(cpu_inverse_result.dtau_dv)), agreement);
  const auto forward_result = forward.compute();
  const auto cpu_forward_result = cpu_forward.compute();
  EXPECT_LT(distance(stored(forward_result.dvdot_dq), stored(cpu_forward_result.dvdot_dq)), agreement_forward);
  EXPECT_LT(distance(stored(forward_result.dvdot_dv), stored(cpu_forward_result.dvdot_dv)), agreement_forward);
  EXPECT_LT(distance(stored(forward_result.dvdot_dtau), stored(cpu_forward_result.dvdot_dtau)), agreement_forward);
}

TEST_F(DeviceBatches, KinematicsEqualThoseOnTheCpu) {
  const Model model = robot("quadruped.yaml");
  const Rows rows(model);
  std::vector<PortRef> frames;
  for (const FlatFrame& frame : rows.mech.frames) frames.push_back(frame.name);
  DeviceKinematics<> poses(model, states, frames, batch());
  BatchedKinematics cpu(model, states, frames);
  poses.update({.q = rows.q});
  cpu.update({.q = rows.q});
  EXPECT_LT(distance(stored(poses.compute()), stored(cpu.compute().poses)), agreement);
}

TEST_F(DeviceBatches, RolloutsOfAnArmEqualThoseOnTheCpu) {
  const Model model = robot("kuka_lwr4.yaml");
  const Rows rows(model);
  const RolloutOptions rollout{.step = 1e-3, .steps = 20};
  DeviceRollout<> device(model, states, rollout, batch());
  BatchedRollout cpu(model, states, rollout);
  device.update({.q = rows.q, .v = rows.v, .tau = rows.x});
  cpu.update({.q = rows.q, .v = rows.v, .tau = rows.x});
  for (int call = 0; call < 2; ++call) device.compute(), cpu.compute();
  EXPECT_LT(distance(stored(device.q()), stored(cpu.q())), agreement_forward);
  EXPECT_LT(distance(stored(device.v()), stored(cpu.v())), agreement_forward);
  EXPECT_TRUE(device.report().ok());
}

TEST_F(DeviceBatches, RolloutsOfAFloatingBaseEqualThoseOnTheCpu) {
  const Model model = robot("quadruped.yaml");
  const Rows rows(model);
  const RolloutOptions rollout{.step = 1e-3, .steps = 10};
  DeviceRollout<> device(model, states, rollout, batch());
  BatchedRollout cpu(model, states, rollout);
  device.update({.q = rows.q, .v = rows.v});
  cpu.update({.q = rows.q, .v = rows.v});
  device.compute(), cpu.compute();
  EXPECT_LT(distance(stored(device.q()), stored(cpu.q())), agreement_forward);
  EXPECT_LT(distance(stored(device.v()), stored(cpu.v())), agreement_forward);
  const Numbers q = stored(device.q());
  for (std::size_t i = 0; i < states; ++i) {
    const double* const a = q.data() + i * at(device.nq()) + 3;
    EXPECT_NEAR(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3], 1, 1e-14);
  }
}

TEST_F(DeviceBatches, ColumnsAreTakenAsTheyAre) {
  const Model model = robot("quadruped.yaml");
  const Rows rows(model);
  DeviceInverseDynamics torques(model, states, batch());
  torques.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
  const Numbers expected = stored(torques.compute());
  torques.update({.q = rows.q});
  torques.update({.q = columns_of(rows.q, torques.nq()),
                  .v = columns_of(rows.v, torques.nv()),
                  .vdot = columns_of(rows.x, torques.nv())},
                 StatesAs::columns);
  Numbers tau(expected.size());
  torques.compute().store(tau, StatesAs::columns);
  EXPECT_EQ(tau, columns_of(expected, torques.nv()));
}

TEST_F(DeviceBatches, SinglePrecisionSolvesTheEquationsOfMotion) {
  const Model model = robot("quadruped.yaml");
  const Rows rows(model);
  const std::vector<float> q(rows.q.begin(), rows.q.end()), v(rows.v.begin(), rows.v.end()),
      tau(rows.x.begin(), rows.x.end());
  DeviceForwardDynamics<float> forward(model, states, batch());
  forward.update({.q = q, .v = v, .tau = tau});
  std::vector<float> vdot(tau.size());
  forward.compute().store(vdot);
  // M·vdot + b − tau, in double precision, must vanish to 1e-4 of tau.
  BatchedInverseDynamics needed(model, states);
  needed.update({.q = rows.q, .v = rows.v, .vdot = Numbers(vdot.begin(), vdot.end())});
  EXPECT_LT(distance(stored(needed.compute()), rows.x), 1e-4);
}

TEST_F(DeviceBatches, BeforeAnyUpdateStatesAreWhereTheMechanismStarts) {
  const Model model = robot("quadruped.yaml");
  DeviceInverseDynamics torques(model, states, batch());
  const Numbers q = stored(torques.q()), start = build_mechanism(model).parameters.q_start;
  EXPECT_EQ(Numbers(q.end() - torques.nq(), q.end()), start);
}

TEST_F(DeviceBatches, EachStateMayHaveAMassOfItsOwn) {
  const Model model = robot("two_link.yaml");
  const Rows rows(model);
  DeviceBatchOptions own = batch();
  own.symbolic = {"link2.mass"};
  DeviceMassMatrix mass(model, states, own), same(model, states, batch());
  ASSERT_EQ(mass.parameter_names().size(), 1u);
  EXPECT_EQ(mass.parameter_names()[0], "link2.mass");
  mass.update({.q = rows.q});
  same.update({.q = rows.q});
  const Numbers before = stored(mass.compute());
  EXPECT_LT(distance(before, stored(same.compute())), agreement) << "at first it is the model's";
  Numbers p = stored(mass.parameters());
  p[5] *= 2;
  mass.parameters().load(p);
  const Numbers after = stored(mass.compute());
  for (std::size_t i = 0; i < states; ++i) EXPECT_EQ(after[4 * i] == before[4 * i], i != 5) << i;
}

TEST_F(DeviceBatches, AStateThatBlowsUpIsReported) {
  const Model model = robot("two_link.yaml");
  Rows rows(model);
  DeviceRollout<> rollout(model, states, {.step = 1e-3, .steps = 3}, batch());
  rows.v[2 * 77] = 1e200;
  rollout.update({.q = rows.q, .v = rows.v});
  rollout.compute();
  EXPECT_EQ(rollout.report().status, BatchReport::Status::not_finite);
  EXPECT_EQ(rollout.report().state, 77);
}

TEST_F(DeviceBatches, WrongStatesAreRefusedBeforeAnythingChanges) {
  const Model model = robot("quadruped.yaml");
  Rows rows(model);
  DeviceInverseDynamics torques(model, states, batch());
  torques.update({.q = rows.q, .v = rows.v});
  const auto refused = [&](const BatchState<double>& state, StatesAs as = StatesAs::rows) {
    try {
      torques.update(state, as);
    } catch (const Error& error) {
      EXPECT_EQ(stored(torques.v()), rows.v);
      return error.code() + ": " + error.message();
    }
    return std::string("none");
  };
  const int nv = torques.nv();
  EXPECT_THAT(refused({.q = std::span(rows.q).first(5)}),
              HasSubstr("batch-size: DeviceInverseDynamics: q has 5 numbers"));
  EXPECT_THAT(refused({.q = rows.q, .tau = rows.x}), HasSubstr("batch-input: DeviceInverseDynamics: tau has no part"));
  Numbers bad = rows.v;
  bad[at(7 * nv + 8)] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refused({.q = rows.q, .v = bad}),
              HasSubstr("batch-not-finite: DeviceInverseDynamics: v of state 7, entry 8, "));
  EXPECT_THAT(refused({.q = columns_of(rows.q, torques.nq()), .v = columns_of(bad, nv)}, StatesAs::columns),
              HasSubstr("v of state 7, entry 8, "));
  bad = rows.q;
  for (std::size_t k = 3; k < 7; ++k) bad[at(2 * torques.nq()) + k] *= 1.45;
  EXPECT_THAT(refused({.q = bad}), HasSubstr("batch-quaternion: DeviceInverseDynamics: the quaternion"));
  EXPECT_THAT(refused({.q = columns_of(bad, torques.nq())}, StatesAs::columns), HasSubstr("of state 2 has length 1.4"));
}

TEST_F(DeviceBatches, StepsOfFourthOrderAreRefused) {
  try {
    const RolloutOptions rollout{.method = RolloutMethod::runge_kutta_4};
    DeviceRollout<> device(robot("two_link.yaml"), 1, rollout, batch());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "rollout-method");
    EXPECT_EQ(
        error.message(),
        "DeviceRollout: steps on a GPU are semi_implicit. Choose that, or use BatchedRollout, which also takes steps "
        "of runge_kutta_4.");
  }
}

TEST_F(DeviceBatches, VelocitiesHaveNoPartInAMassMatrix) {
  DeviceMassMatrix mass(robot("two_link.yaml"), 1, batch());
  try {
    mass.v();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "device-no-such-array");
  }
}

}  // namespace
}  // namespace articula::test
