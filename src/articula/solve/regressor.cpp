#include <articula/solve/regressor.h>

#include <algorithm>

#include <articula/base/matrix_bound.h>
#include <articula/base/text.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/regressor.h>
#include <articula/solve/internal/core.h>

namespace articula::solve {

struct Regressor::Work : Scratch {
  explicit Work(const Core& core)
      : newton_euler(core.mech()),
        tau(core.v.size()),
        columns(dynamics::inertial_parameters * core.par().M_C.size() + rotor_columns(core.mech())),
        Y(core.v.size() * columns),
        shown(core.map().v_names().size() * columns),
        parameters(columns) {}

  NewtonEuler<double> newton_euler;
  std::vector<double> tau;
  std::size_t columns;
  std::vector<double> Y, shown, parameters;
};

Regressor::Regressor(const Model& model, const SolverOptions& options)
    : Solver("Regressor", Algorithm::regressor, model, options) {
  resize();
}

Regressor::Work& Regressor::work() const { return static_cast<Work&>(*scratch_); }

void Regressor::resize() {
  require_matrix(concat("Regressor of ", quoted(mechanism().name)), core_->v.size(),
                 dynamics::inertial_parameters * core_->par().M_C.size() + rotor_columns(mechanism()));
  scratch_ = std::make_unique<Work>(*core_);
  bodies_.clear();
  for (const ConstituentPlace& body : mechanism().provenance.constituents) bodies_.push_back(body.name);
  rotors_.clear();
  for (const RotorElement& rotor : mechanism().rotors) {
    if (rotor.is_turning())
      rotors_.push_back(mechanism().provenance.entities[static_cast<std::size_t>(rotor.entity)].name);
  }
}

MatrixView Regressor::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.place();
  world_poses<double, double>(c.mech(), c.par(), c.dynamics.kin, c.dynamics.acting.poses);
  inverse_dynamics<double, double>(c.mech(), c.par(), c.dynamics.kin, c.q, c.v, c.vdot, {}, w.newton_euler, w.tau);
  regressor<double, double>(c.mech(), c.par(), c.dynamics.kin, c.dynamics.acting.poses, w.newton_euler, w.Y, w.columns);
  regressor_of_rotors<double, double>(c.mech(), c.par(), c.dynamics.kin, c.dynamics.acting.poses, w.newton_euler, c.v,
                                      c.vdot, w.Y.data() + dynamics::inertial_parameters * c.par().M_C.size(),
                                      w.columns);
  c.map().show_columns(w.columns, w.Y, w.shown);
  c.report.status = Report::Status::done;
  return {w.shown.data(), nv(), static_cast<int>(w.columns)};
}

VectorView Regressor::inertial_parameters() noexcept {
  Work& w = work();
  for (std::size_t k = 0; k < core_->par().M_C.size(); ++k) {
    const auto ten = parameters_of(core_->par().M_C[k]);
    std::copy(ten.begin(), ten.end(), w.parameters.begin() + static_cast<std::ptrdiff_t>(10 * k));
  }
  auto rotor =
      w.parameters.begin() + static_cast<std::ptrdiff_t>(dynamics::inertial_parameters * core_->par().M_C.size());
  for (std::size_t r = 0; r < core_->mech().rotors.size(); ++r) {
    if (core_->mech().rotors[r].is_turning()) *rotor++ = core_->par().rotors[r].inertia;
  }
  return w.parameters;
}

}  // namespace articula::solve
