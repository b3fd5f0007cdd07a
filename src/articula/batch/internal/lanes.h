#pragma once

#include <articula/batch/internal/lane_worker.h>
#include <articula/batch/internal/rollout.h>
#include <articula/closure/dynamics_changes.h>
#include <articula/closure/masses.h>
#include <articula/mechanism/parameter_fields.h>
#include <articula/scalar/pack.h>

/// The algorithms of dynamics/ on packs. This file is compiled once for each instruction set, whose name is in all its
/// types. What it uses of others with plain numbers is compiled elsewhere, for every processor.
extern template class std::vector<articula::mechanism::Range>;
extern template class std::vector<articula::spatial::PoseForm>;

namespace articula::batch {
inline namespace ARTICULA_ISA {

inline constexpr InstructionSet this_instruction_set = InstructionSet::ARTICULA_ISA;

/// The numbers that dynamics needs, for each group of states.
template <class T>
class GroupParameters final : public LaneParameters<typename T::Scalar> {
 public:
  using S = typename T::Scalar;

  GroupParameters(int groups, const Parameters<S>& shared) : par_(static_cast<std::size_t>(groups)) {
    for (Parameters<T>& par : par_) {
      resize_like(shared, par);
      par.placement = shared.placement;
    }
  }

  const Parameters<T>& operator[](int group) const { return par_[static_cast<std::size_t>(group)]; }

  void set(int group, int lane, const Parameters<double>& from) noexcept override {
    const auto set_one = [lane]<class A, class B>(const A& value, B& x) {
      if constexpr (std::is_same_v<B, T>) {
        x.set(lane, static_cast<S>(value));
      } else if constexpr (std::is_same_v<B, PoseForm>) {
        // A placement that is a shift for some states and general for others is general for all.
        if (value != PoseForm::shift) x = value;
      }
    };
    for_each_number(set_one, from, par_[static_cast<std::size_t>(group)]);
  }

 private:
  std::vector<Parameters<T>> par_;
};

/// The same numbers for all states.
template <class T>
struct SharedNumbers {
  using P = typename T::Scalar;
  const Parameters<P>* par;
  const Parameters<P>& operator[](int) const { return *par; }
};

/// Numbers of each group.
template <class T>
struct OwnNumbers {
  using P = T;
  const GroupParameters<T>* par;
  const Parameters<T>& operator[](int group) const { return (*par)[group]; }
};

/// What all workers share: a group's arrays of plain numbers seen as packs, in independent coordinates.
template <class T, class Numbers>
class Lanes : public LaneWorker<typename T::Scalar> {
 public:
  using S = typename T::Scalar;
  using P = typename Numbers::P;
  using Group = LaneGroup<S>;

  Lanes(const Mechanism& m, const Numbers& n)
      : mech(m), numbers(n), nq(m.independent.q.size()), nv(m.independent.v.size()) {}

 protected:
  static T* packs(S* x) { return reinterpret_cast<T*>(x); }
  static const T* packs(const S* x) { return reinterpret_cast<const T*>(x); }
  std::span<const T> q(const Group& g) const { return {packs(g.q), nq}; }
  std::span<const T> v(const Group& g) const { return {packs(g.v), nv}; }
  std::span<const T> x(const Group& g) const { return {packs(g.x), nv}; }
  static std::span<T> result(const Group& g, int k, std::size_t size) { return {packs(g.result[k]), size}; }

  const Mechanism& mech;
  Numbers numbers;
  std::size_t nq, nv;
};

#define ARTICULA_USE_LANES                      \
  using Base = Lanes<T, Numbers>;               \
  using typename Base::Group, typename Base::P; \
  using Base::mech, Base::numbers, Base::nq, Base::nv, Base::q, Base::v, Base::x, Base::result

template <class T, class Numbers>
struct InverseDynamicsLanes final : Lanes<T, Numbers> {
  ARTICULA_USE_LANES;
  InverseDynamicsLanes(const Mechanism& m, const Numbers& n)
      : Base(m, n), all(m), dynamics(m, n[0], {.forward = false}) {}

  void run(const Group& g) noexcept override {
    const auto& par = numbers[g.index];
    const std::span<T> tau = result(g, 0, nv);
    dynamics.torques(par, all.q(par, q(g)), all.v(par, v(g)), all.vdot(par, x(g)), {}, all.tau(tau));
    all.reduce_tau(par, tau);
  }
  AllJoints<T, P> all;
  Dynamics<T, P> dynamics;
};

template <class T, class Numbers>
struct ForwardDynamicsLanes final : Lanes<T, Numbers> {
  ARTICULA_USE_LANES;
  ForwardDynamicsLanes(const Mechanism& m, const Numbers& n) : Base(m, n), all(m), dynamics(m, n[0]) {}

  void run(const Group& g) noexcept override {
    const auto& par = numbers[g.index];
    const std::span<T> vdot = result(g, 0, nv);
    dynamics.accelerations(par, all.q(par, q(g)), all.v(par, v(g)), {}, {}, all.forces(x(g)), all.vdot(vdot));
    all.choose_vdot(vdot);
  }
  AllJoints<T, P> all;
  Dynamics<T, P> dynamics;
};

template <class T, class Numbers>
struct MassMatrixLanes final : Lanes<T, Numbers> {
  ARTICULA_USE_LANES;
  MassMatrixLanes(const Mechanism& m, const Numbers& n) : Base(m, n), all(m, 1), kin(m), scratch(m) {}

  /// Between branches, and below the diagonal, the matrix is zero and stays so.
  void run(const Group& g) noexcept override {
    const auto& par = numbers[g.index];
    const std::span<T> M = result(g, 0, nv * nv);
    positions<T, P>(mech, par, all.q(par, q(g)), kin);
    if (!mech.is_coupled()) {
      mass_matrix_upper<T, P>(mech, par, kin, scratch, M);
      return;
    }
    mass_matrix<T, P>(mech, par, kin, scratch, all.square(0, M));
    all.reduce_square(par, 0, M);
    for (std::size_t i = 0; i < nv; ++i) std::fill_n(M.data() + i * nv, i, T(0));
  }
  AllJoints<T, P> all;
  Positions<T> kin;
  CompositeBody<T> scratch;
};

template <class T, class Numbers>
struct InverseMassMatrixLanes final : Lanes<T, Numbers> {
  ARTICULA_USE_LANES;
  InverseMassMatrixLanes(const Mechanism& m, const Numbers& n) : Base(m, n), all(m), kin(m), masses(m, true) {}

  void run(const Group& g) noexcept override {
    const auto& par = numbers[g.index];
    positions<T, P>(mech, par, all.q(par, q(g)), kin);
    masses.inverse(par, kin, {}, result(g, 0, nv * nv));
  }
  AllJoints<T, P> all;
  Positions<T> kin;
  Masses<T, P> masses;
};

template <class T, class Numbers>
struct InverseDynamicsDerivativesLanes final : Lanes<T, Numbers> {
  ARTICULA_USE_LANES;
  InverseDynamicsDerivativesLanes(const Mechanism& m, const Numbers& n)
      : Base(m, n), all(m, 2), dynamics(m, n[0], {.forward = false}), changes(dynamics, n[0], false) {}

  /// Between branches the matrices are zero and stay so.
  void run(const Group& g) noexcept override {
    const auto& par = numbers[g.index];
    const std::span<const T> q_all = all.q(par, q(g)), v_all = all.v(par, v(g)), vdot_all = all.vdot(par, x(g));
    const std::span<T> tau = result(g, 0, nv), dq = result(g, 1, nv * nv), dv = result(g, 2, nv * nv);
    dynamics.place(par, q_all);
    dynamics.act(par, q_all, v_all, {});
    changes.of_torques(dynamics, par, q_all, v_all, vdot_all, {}, all.square(0, dq), all.square(1, dv));
    std::copy(changes.joint_forces.begin(), changes.joint_forces.end(), all.tau(tau).begin());
    all.reduce_tau(par, tau), all.reduce_square(par, 0, dq), all.reduce_square(par, 1, dv);
  }
  AllJoints<T, P> all;
  Dynamics<T, P> dynamics;
  DynamicsChanges<T, P> changes;
};

template <class T, class Numbers>
struct ForwardDynamicsDerivativesLanes final : Lanes<T, Numbers> {
  ARTICULA_USE_LANES;
  ForwardDynamicsDerivativesLanes(const Mechanism& m, const Numbers& n)
      : Base(m, n), all(m), dynamics(m, n[0]), changes(dynamics, n[0], true), vdot(static_cast<std::size_t>(m.nv)) {}

  void run(const Group& g) noexcept override {
    const auto& par = numbers[g.index];
    changes.of_accelerations(dynamics, par, all.q(par, q(g)), all.v(par, v(g)), all.forces(x(g)), {}, vdot,
                             result(g, 0, nv * nv), result(g, 1, nv * nv), result(g, 2, nv * nv));
  }
  AllJoints<T, P> all;
  Dynamics<T, P> dynamics;
  DynamicsChanges<T, P> changes;
  std::vector<T> vdot;
};

template <class T, class Numbers>
struct KinematicsLanes final : Lanes<T, Numbers> {
  ARTICULA_USE_LANES;
  KinematicsLanes(const Mechanism& m, const Numbers& n, std::span<const int> f)
      : Base(m, n), all(m), kin(m), poses(m), frames(f) {}

  void run(const Group& g) noexcept override {
    const auto& par = numbers[g.index];
    const std::span<const T> q_all = all.q(par, q(g)), v_all = all.v(par, v(g));
    positions<T, P>(mech, par, q_all, kin);
    velocities<T, P>(mech, par, q_all, v_all, kin);
    world_poses<T, P>(mech, par, kin, poses);
    T *X = result(g, 0, 0).data(), *V = result(g, 1, 0).data();
    for (const int f : frames) {
      const auto frame = static_cast<std::size_t>(f), body = static_cast<std::size_t>(mech.frames[frame].body);
      const Pose<T> X_WF = poses.X_WB[body] * par.X_BF[frame];
      const Motion<T> V_F = par.X_BF[frame].inverse() * kin.V_B[body];
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) X[3 * i + j] = X_WF.R.m(i, j);
        X[9 + i] = X_WF.p[i];
      }
      const Motion<T> V_F_W = expressed(V_F, X_WF, JacobianFrame::local_world_aligned);
      for (int i = 0; i < 3; ++i) V[i] = V_F_W.w[i], V[3 + i] = V_F_W.v[i];
      X += 12, V += 6;
    }
  }
  AllJoints<T, P> all;
  Velocities<T> kin;
  WorldPoses<T> poses;
  std::span<const int> frames;
};

template <class T, class Numbers>
struct RolloutLanes final : Lanes<T, Numbers> {
  ARTICULA_USE_LANES;
  RolloutLanes(const Mechanism& m, const Numbers& n, const RolloutOptions& o)
      : Base(m, n), rollout(m, n[0]), options(o) {}

  void run(const Group& g) noexcept override {
    roll_out<T, P>(numbers[g.index], options, Base::packs(g.q), Base::packs(g.v), Base::packs(g.x), rollout);
  }
  Rollout<T, P> rollout;
  RolloutOptions options;
};

#undef ARTICULA_USE_LANES

/// In single precision there are the three that speed is wanted of most.
template <class T, class Numbers>
LaneWorker<typename T::Scalar>* make_lanes(const LaneJob& job, const Mechanism& mech, const Numbers& numbers) {
  const auto in_doubles = []<class Lanes, class... More>(std::type_identity<Lanes>,
                                                         const More&... more) -> LaneWorker<typename T::Scalar>* {
    if constexpr (std::is_same_v<typename T::Scalar, double>) return new Lanes(more...);
    return nullptr;
  };
  switch (job.algorithm) {
    case Algorithm::inverse_dynamics: return new InverseDynamicsLanes<T, Numbers>(mech, numbers);
    case Algorithm::forward_dynamics: return new ForwardDynamicsLanes<T, Numbers>(mech, numbers);
    case Algorithm::mass_matrix: return new MassMatrixLanes<T, Numbers>(mech, numbers);
    case Algorithm::inverse_mass_matrix:
      return in_doubles(std::type_identity<InverseMassMatrixLanes<T, Numbers>>{}, mech, numbers);
    case Algorithm::inverse_dynamics_derivatives:
      return in_doubles(std::type_identity<InverseDynamicsDerivativesLanes<T, Numbers>>{}, mech, numbers);
    case Algorithm::forward_dynamics_derivatives:
      return in_doubles(std::type_identity<ForwardDynamicsDerivativesLanes<T, Numbers>>{}, mech, numbers);
    case Algorithm::kinematics:
      return in_doubles(std::type_identity<KinematicsLanes<T, Numbers>>{}, mech, numbers, job.frames);
    case Algorithm::step: return in_doubles(std::type_identity<RolloutLanes<T, Numbers>>{}, mech, numbers, job.rollout);
    case Algorithm::frame_motions:
    case Algorithm::jacobian:
    case Algorithm::elastic_inverse_dynamics:
    case Algorithm::gravity:
    case Algorithm::equations_of_motion:
    case Algorithm::center_of_mass:
    case Algorithm::regressor: break;  // not in lanes, says the table of closure/computed.h
  }
  return nullptr;
}

}  // namespace ARTICULA_ISA
}  // namespace articula::batch
