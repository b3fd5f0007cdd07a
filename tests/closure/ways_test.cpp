// Coupled joints in every way of running: the flat solver, lanes, recorded and compiled code, and a GPU or what stands in
// for one give the same.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include <articula/base/index.h>
#include <articula/batch/device_batch.h>
#include <articula/formats/load.h>
#include <articula/generate/generate.h>
#include <articula/generate/record.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/jacobian.h>
#include <articula/solve/mass_matrix.h>

#include "closure/geared_sample.h"
#include "generate/evaluate.h"
#include "network/flat.h"
#include "support/device_stand_in.h"
#include "support/reference.h"
#include "support/temporary_folder.h"

namespace articula::test {
namespace {

using test::distance;
using test::Numbers;

constexpr int states = 11;
constexpr double agreement = 1e-12, agreement_forward = 1e-10;

/// A robot with a hand: one finger follows the other, and the wrist's two last joints share a differential.
Model robot_with_hand() {
  Model model = load(ARTICULA_SOURCE_DIR "/models/kuka_lwr4.yaml");
  const RigidBody finger{.mass = 0.1, .com = {0, 0, 0.02}, .inertia = SymMat3<double>::diagonal(1e-4, 1e-4, 5e-5)};
  model.add("left", finger).add("right", finger);
  model.add("slide_left", Joint{.kind = JointKind::prismatic, .axis = {0, 1, 0}}, "link7", "left");
  model.add("slide_right", Joint{.kind = JointKind::prismatic, .axis = {0, -1, 0}}, "link7", "right");
  model.add("mimic", Gear{.ratio = {{1}}, .offset = {0.01}}, "slide_right", "slide_left");
  return model;
}

struct Case {
  std::string name;
  Model model;
};

/// The Panda of the references where they are; its fingers mimic one another.
std::vector<Case> cases() {
  std::vector<Case> all{{"hand", robot_with_hand()}};
  for (const std::uint32_t seed : {3, 8, 21})
    all.push_back({concat("random ", seed), test::GearedSample::geared(seed)});
  if (test::has_references()) all.push_back({"panda", load(test::reference_file("urdf/panda.urdf"))});
  return all;
}

/// Random states of the independent coordinates, row by row.
struct Rows {
  explicit Rows(const Model& model) : mech(build_mechanism(model).mechanism) {
    test::Random random(3);
    for (int i = 0; i < states; ++i) {
      const Numbers one = test::to_q(mech, test::random_coordinates(model, 17 + static_cast<std::uint32_t>(i)));
      for (const int k : mech.independent.q) q.push_back(one[at(k)]);
      for (int k = 0; k < mech.independent.nv(); ++k) v.push_back(random.number()), x.push_back(3 * random.number());
    }
  }
  State state(int i) const {
    const auto row = [&](const Numbers& all, int width) {
      return VectorView(all.data() + at(i) * at(width), at(width));
    };
    const int nq = mech.independent.nq(), nv = mech.independent.nv();
    return {.q = row(q, nq), .v = row(v, nv), .vdot = row(x, nv), .tau = row(x, nv)};
  }
  std::vector<Numbers> inputs(int i) const {
    const State s = state(i);
    return {
        Numbers(s.q.begin(), s.q.end()), Numbers(s.v.begin(), s.v.end()), Numbers(s.vdot.begin(), s.vdot.end()), {}};
  }
  Mechanism mech;
  Numbers q, v, x;
};

void append(Numbers& to, VectorView x) { to.insert(to.end(), x.begin(), x.end()); }
void append(Numbers& to, const MatrixView& M) {
  for (int i = 0; i < M.rows(); ++i) {
    for (int j = 0; j < M.columns(); ++j) to.push_back(M(i, j));
  }
}

/// By solvers, row by row.
struct Solved {
  Solved(const Model& model, const Rows& rows, const SolverOptions& options = {})
      : inverse(model, options),
        forward(model, options),
        mass(model, options, MassMatrix::Code::matrix_and_inverse),
        torque_changes(model, Derivatives::Of::inverse_dynamics, options),
        motion_changes(model, Derivatives::Of::forward_dynamics, options) {
    for (int i = 0; i < states; ++i) {
      for (Solver* each : std::initializer_list<Solver*>{&inverse, &forward, &mass, &torque_changes, &motion_changes})
        each->update(rows.state(i));
      append(tau, inverse.compute()), append(vdot, forward.compute()), append(M, mass.compute());
      append(M_inverse, mass.compute_inverse());
      const StateDerivatives& t = torque_changes.compute();
      append(dtau_dq, t.dq), append(dtau_dv, t.dv);
      const StateDerivatives& m = motion_changes.compute();
      append(dvdot_dq, m.dq), append(dvdot_dv, m.dv), append(dvdot_dtau, m.du);
    }
  }
  InverseDynamics inverse;
  ForwardDynamics forward;
  MassMatrix mass;
  Derivatives torque_changes, motion_changes;
  Numbers tau, vdot, M, M_inverse, dtau_dq, dtau_dv, dvdot_dq, dvdot_dv, dvdot_dtau;
};

void expect_same(const Solved& a, const Solved& b) {
  EXPECT_LT(distance(a.tau, b.tau), agreement);
  EXPECT_LT(distance(a.vdot, b.vdot), agreement_forward);
  EXPECT_LT(distance(a.M, b.M), agreement);
  EXPECT_LT(distance(a.M_inverse, b.M_inverse), agreement_forward);
  EXPECT_LT(distance(a.dtau_dq, b.dtau_dq), agreement);
  EXPECT_LT(distance(a.dtau_dv, b.dtau_dv), agreement);
  EXPECT_LT(distance(a.dvdot_dq, b.dvdot_dq), agreement_forward);
  EXPECT_LT(distance(a.dvdot_dv, b.dvdot_dv), agreement_forward);
  EXPECT_LT(distance(a.dvdot_dtau, b.dvdot_dtau), agreement_forward);
}

template <class Array>
Numbers stored(const Array& array) {
  Numbers rows(at(array.states()) * at(array.width()));
  array.store(rows);
  return rows;
}
Numbers upper(Numbers M, int nv) {
  for (std::size_t e = 0; e < M.size(); ++e) {
    const std::size_t k = e % at(nv * nv);
    if (k % at(nv) < k / at(nv)) M[e] = 0;
  }
  return M;
}

TEST(CoupledJoints, OnLanesAreThoseOfTheFlatSolvers) {
  for (const auto& [name, model] : cases()) {
    SCOPED_TRACE(name);
    const Rows rows(model);
    ASSERT_TRUE(rows.mech.is_coupled());
    const Solved flat(model, rows);
    const int nv = rows.mech.independent.nv();
    for (const bool own : {false, true}) {
      const BatchOptions options{.own_parameters = own};
      BatchedInverseDynamics inverse(model, states, options);
      BatchedForwardDynamics forward(model, states, options);
      BatchedMassMatrix mass(model, states, options);
      BatchedInverseMassMatrix inverse_mass(model, states, options);
      BatchedInverseDynamicsDerivatives torque_changes(model, states, options);
      BatchedForwardDynamicsDerivatives motion_changes(model, states, options);
      EXPECT_THAT(inverse.v_names(), testing::ElementsAreArray(flat.inverse.v_names()));
      inverse.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
      forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
      mass.update({.q = rows.q}), inverse_mass.update({.q = rows.q});
      torque_changes.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
      motion_changes.update({.q = rows.q, .v = rows.v, .tau = rows.x});
      EXPECT_LT(distance(stored(inverse.compute()), flat.tau), agreement);
      EXPECT_LT(distance(stored(forward.compute()), flat.vdot), agreement_forward);
      EXPECT_LT(distance(stored(mass.compute()), upper(flat.M, nv)), agreement);
      EXPECT_LT(distance(stored(inverse_mass.compute()), flat.M_inverse), agreement_forward);
      const auto [tau, tq, tv] = torque_changes.compute();
      EXPECT_LT(distance(stored(tau), flat.tau), agreement);
      EXPECT_LT(distance(stored(tq), flat.dtau_dq), agreement);
      EXPECT_LT(distance(stored(tv), flat.dtau_dv), agreement);
      const auto [mq, mv, mt] = motion_changes.compute();
      EXPECT_LT(distance(stored(mq), flat.dvdot_dq), agreement_forward);
      EXPECT_LT(distance(stored(mv), flat.dvdot_dv), agreement_forward);
      EXPECT_LT(distance(stored(mt), flat.dvdot_dtau), agreement_forward);
    }
  }
}

TEST(CoupledJoints, AsRecordedAreThoseOfTheFlatSolvers) {
  for (const auto& [name, model] : cases()) {
    SCOPED_TRACE(name);
    const Rows rows(model);
    const Solved flat(model, rows);
    const Built built = build_mechanism(model);
    const auto all = [&](Algorithm algorithm, std::size_t which = 0) {
      const RecordedFunction function = record(algorithm, built);
      Numbers result;
      for (int i = 0; i < states; ++i) append(result, test::evaluate(function, rows.inputs(i), which));
      return result;
    };
    EXPECT_LT(distance(all(Algorithm::inverse_dynamics), flat.tau), agreement);
    EXPECT_LT(distance(all(Algorithm::forward_dynamics), flat.vdot), agreement_forward);
    EXPECT_LT(distance(all(Algorithm::mass_matrix), flat.M), agreement);
    EXPECT_LT(distance(all(Algorithm::inverse_mass_matrix), flat.M_inverse), agreement_forward);
    EXPECT_LT(distance(all(Algorithm::inverse_dynamics_derivatives, 0), flat.dtau_dq), agreement);
    EXPECT_LT(distance(all(Algorithm::inverse_dynamics_derivatives, 1), flat.dtau_dv), agreement);
    EXPECT_LT(distance(all(Algorithm::forward_dynamics_derivatives, 0), flat.dvdot_dq), agreement_forward);
    EXPECT_LT(distance(all(Algorithm::forward_dynamics_derivatives, 1), flat.dvdot_dv), agreement_forward);
    EXPECT_LT(distance(all(Algorithm::forward_dynamics_derivatives, 2), flat.dvdot_dtau), agreement_forward);
  }
}

class CoupledCode : public test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    // Generated code is compiled by a compiler of an absolute folder only.
    if (!real() && std::system("cd / && command -v cc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
    setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  }
  test::TemporaryFolder cache;
};

TEST_F(CoupledCode, IsThatOfTheFlatSolvers) {
  if (real()) GTEST_SKIP() << "that is for the processor";
  SolverOptions generated;
  generated.run_as = RunAs::generated;
  for (const auto& [name, model] : cases()) {
    if (name.starts_with("random")) continue;
    SCOPED_TRACE(name);
    const Rows rows(model);
    const Solved code(model, rows, generated);
    EXPECT_EQ(code.motion_changes.run_as(), RunAs::generated);
    expect_same(code, Solved(model, rows));
    SolverOptions flat;
    flat.exterior.frames = generated.exterior.frames = {{rows.mech.provenance.constituents.back().name, ""}};
    ForwardKinematics kinematics(model, flat), by_code(model, generated);
    Jacobian J(model, flat.exterior.frames[0], JacobianFrame::world, flat),
        J_by_code(model, flat.exterior.frames[0], JacobianFrame::world, generated);
    for (Solver* each : std::initializer_list<Solver*>{&kinematics, &by_code, &J, &J_by_code})
      each->update(rows.state(2));
    const MovingFrame a = kinematics.compute()[0], b = by_code.compute()[0];
    EXPECT_LT(norm(a.X_WF.p - b.X_WF.p) + norm(a.V.v - b.V.v) + norm(a.A.w - b.A.w), agreement);
    Numbers by_solver, with_code;
    append(by_solver, J.compute()), append(with_code, J_by_code.compute());
    EXPECT_LT(distance(with_code, by_solver), agreement);
    generated.exterior.frames.clear();
  }
}

/// The package that `articula generate` writes tests itself against the network, with the gears put in.
TEST_F(CoupledCode, PassesItsOwnTest) {
  if (real()) GTEST_SKIP() << "that is for the processor";
  GenerateOptions wanted;
  for (const std::string& name : algorithm_names()) {
    if (name != "jacobian" && name != "elastic_inverse_dynamics") wanted.algorithms.push_back(algorithm_of(name));
  }
  const auto files = generate_code(robot_with_hand(), wanted);
  const test::TemporaryFolder package;
  for (const auto& file : files) package.file(file.name, file.text);
  EXPECT_EQ(std::system(concat("cd '", package.path().string(),
                               "' && for t in *_test.c; do cc -O1 $t ${t%_test.c}.c -lm -o t && ",
                               "./t >out || { cat $t out; exit 1; }; done")
                            .c_str()),
            0);
}

using DeviceCoupled = CoupledCode;

TEST_F(DeviceCoupled, JointsAreThoseOfTheFlatSolvers) {
  const DeviceBatchOptions batch{.device = options};
  for (const auto& [name, model] : cases()) {
    if (name == "random 8" || name == "random 21") continue;
    SCOPED_TRACE(name);
    const Rows rows(model);
    const Solved flat(model, rows);
    DeviceInverseDynamics<> inverse(model, states, batch);
    DeviceForwardDynamics<> forward(model, states, batch);
    DeviceMassMatrix<> mass(model, states, batch);
    DeviceForwardDynamicsDerivatives<> changes(model, states, batch);
    inverse.update({.q = rows.q, .v = rows.v, .vdot = rows.x});
    forward.update({.q = rows.q, .v = rows.v, .tau = rows.x});
    mass.update({.q = rows.q});
    changes.update({.q = rows.q, .v = rows.v, .tau = rows.x});
    EXPECT_LT(distance(stored(inverse.compute()), flat.tau), agreement);
    EXPECT_LT(distance(stored(forward.compute()), flat.vdot), agreement_forward);
    EXPECT_LT(distance(stored(mass.compute()), upper(flat.M, mass.nv())), agreement);
    const auto [dq, dv, dtau] = changes.compute();
    EXPECT_LT(distance(stored(dq), flat.dvdot_dq), agreement_forward);
    EXPECT_LT(distance(stored(dv), flat.dvdot_dv), agreement_forward);
    EXPECT_LT(distance(stored(dtau), flat.dvdot_dtau), agreement_forward);

    const RolloutOptions steps{.step = 1e-3, .steps = 20};
    DeviceRollout<> device(model, states, steps, batch);
    BatchedRollout lanes(model, states, steps);
    device.update({.q = rows.q, .v = rows.v, .tau = rows.x});
    lanes.update({.q = rows.q, .v = rows.v, .tau = rows.x});
    device.compute(), lanes.compute();
    const bool turning = rows.mech.nq != rows.mech.nv;  // quaternions differ by O(h³)
    EXPECT_LT(distance(stored(device.q()), stored(lanes.q())), turning ? 1e-5 : agreement_forward);
  }
}

}  // namespace
}  // namespace articula::test
