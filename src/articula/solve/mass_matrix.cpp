#include <articula/solve/mass_matrix.h>

#include <cmath>

#include <articula/dynamics/inverse_mass_matrix.h>
#include <articula/dynamics/mass_matrix.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/dense_inverse.h>
#include <articula/solve/internal/generated.h>

namespace articula {

struct MassMatrix::Work : Scratch {
  explicit Work(Core& core)
      : generated(core, Algorithm::mass_matrix),
        composite(core.mech()),
        unit_forces(core.mech()),
        n(core.v.size()),
        n_shown(core.exterior.v_names().size()),
        M(n * n),
        next(n * n),
        shown(n_shown * n_shown),
        inverse(n_shown * n_shown),
        dense(n_shown) {}

  Generated generated;
  CompositeBody<double> composite;
  InverseMassMatrix<double> unit_forces;
  std::size_t n, n_shown;
  std::vector<double> M, next, shown, inverse;
  DenseInverse dense;
};

MassMatrix::MassMatrix(const Model& model, const SolverOptions& options)
    : Solver(model, options, {.solver = "MassMatrix", .generated = true}) {
  resize();
}
MassMatrix::Work& MassMatrix::work() const { return static_cast<Work&>(*scratch_); }
void MassMatrix::resize() { scratch_ = std::make_unique<Work>(*core_); }

MatrixView MassMatrix::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  if (w.generated) {
    w.generated({c.q.data()}, {w.M.data()});  // loads do not matter
  } else {
    c.place();
    mass_matrix<double, double>(c.mech(), c.par, c.kin, w.composite, w.M);
  }
  for (std::size_t k = 0; k < w.n; ++k) w.M[k * w.n + k] += c.reflected[k];
  c.report.status = Report::Status::done;
  if (c.exterior.is_identity()) return {w.M.data(), nv(), nv()};
  c.exterior.from_square(w.M, w.shown);
  return {w.shown.data(), nv(), nv()};
}

MatrixView MassMatrix::compute_inverse() noexcept {
  Core& c = *core_;
  Work& w = work();
  bool regular = true;
  if (c.exterior.is_coupled() || c.has_reflected) {
    regular = w.dense.invert(compute(), c.exterior, c.roles, w.inverse);
  } else {
    c.place();
    inverse_mass_matrix<double, double>(c.mech(), c.par, c.kin, w.unit_forces, w.next, c.roles);
    for (std::size_t k = 0; k < w.next.size() && regular; ++k) regular = std::isfinite(w.next[k]);
    if (regular) c.exterior.select_square(w.next, w.inverse);
  }
  c.report.status = regular ? Report::Status::done : Report::Status::singular;
  if (!regular) c.report.joint = c.joint_of(Core::first_singular(w.unit_forces.d));
  return {w.inverse.data(), nv(), nv()};
}

}  // namespace articula
