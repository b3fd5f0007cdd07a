#include <articula/solve/mass_matrix.h>

#include <articula/closure/coupled_dynamics.h>
#include <articula/dynamics/inverse_mass_matrix.h>
#include <articula/dynamics/mass_matrix.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula {

struct MassMatrix::Work : Scratch {
  Work(Core& core, bool with_inverse)
      : generated(core, Algorithm::mass_matrix),
        generated_inverse(with_inverse && core.all_free ? Generated(core, Algorithm::inverse_mass_matrix)
                                                        : Generated()),
        composite(core.mech()),
        inverse_mass(core.mech()),
        n(core.v.size()),
        n_shown(core.exterior.v_names().size()),
        M(n * n),
        next(n * n),
        shown(n_shown * n_shown),
        inverse(n_shown * n_shown),
        coupled(core.mech(), core.mech().is_coupled() || core.options.passive) {}

  Generated generated, generated_inverse;
  CompositeBody<double> composite;
  InverseMassMatrix<double> inverse_mass;
  std::size_t n, n_shown;
  std::size_t failed = 0;  ///< the degree of freedom whose inertia is singular
  std::vector<double> M, next, shown, inverse;
  CoupledDynamics<double> coupled;

  bool invert_by_code(Core& c);
  bool invert_by_recursion(Core& c);
  bool invert_by_masses(Core& c);
};

MassMatrix::MassMatrix(const Model& model, const SolverOptions& options, Code code)
    : Solver(model, options, {.solver = "MassMatrix", .generated = true}), code_(code) {
  resize();
}
MassMatrix::Work& MassMatrix::work() const { return static_cast<Work&>(*scratch_); }
void MassMatrix::resize() { scratch_ = std::make_unique<Work>(*core_, code_ == Code::matrix_and_inverse); }

bool MassMatrix::Work::invert_by_code(Core& c) {
  if (!generated_inverse) return false;
  generated_inverse({c.q.data()}, {next.data()});
  if (!Generated::all_finite(next)) return false;
  c.exterior.select_independent_square(next, inverse);
  return true;
}

/// Where joints are coupled or rotors add to the inertia.
bool MassMatrix::Work::invert_by_masses(Core& c) {
  c.place();
  factor_coupled_masses<double, double>(c.mech(), c.par, c.kin, c.reflected, c.roles, coupled);
  if (const auto singular = find_singular(c.mech(), coupled)) {
    failed = *singular;
    return false;
  }
  inverse_of_coupled_masses<double>(c.mech(), c.roles, coupled, next.data());
  c.exterior.select_independent_square(next, inverse);
  return true;
}

bool MassMatrix::Work::invert_by_recursion(Core& c) {
  c.place();
  inverse_mass_matrix<double, double>(c.mech(), c.par, c.kin, inverse_mass, next, c.roles);
  if (!Generated::all_finite(next)) {
    failed = Core::first_singular(inverse_mass.d());
    return false;
  }
  c.exterior.select_square(next, inverse);
  return true;
}

MatrixView MassMatrix::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.report.status = Report::Status::done;
  if (w.generated) {
    w.generated({c.q.data()}, {w.M.data()});  // loads do not matter
    if (c.exterior.is_identity()) return {w.M.data(), nv(), nv()};
    c.exterior.select_independent_square(w.M, w.shown);
    return {w.shown.data(), nv(), nv()};
  }
  c.place();
  mass_matrix<double, double>(c.mech(), c.par, c.kin, w.composite, w.M);
  for (std::size_t k = 0; k < w.n; ++k) w.M[k * w.n + k] += c.reflected[k];
  if (c.exterior.is_identity()) return {w.M.data(), nv(), nv()};
  c.exterior.from_square(w.M, w.shown);
  return {w.shown.data(), nv(), nv()};
}

MatrixView MassMatrix::compute_inverse() noexcept {
  Core& c = *core_;
  Work& w = work();
  const bool by_masses = c.mech().is_coupled() || c.has_reflected;
  const bool regular = w.invert_by_code(c) || (by_masses ? w.invert_by_masses(c) : w.invert_by_recursion(c));
  c.report.status = regular ? Report::Status::done : Report::Status::singular;
  if (!regular) c.report.joint = c.joint_of(w.failed);
  return {w.inverse.data(), nv(), nv()};
}

}  // namespace articula
