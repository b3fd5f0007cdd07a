#include <articula/solve/mass_matrix.h>

#include <articula/dynamics/inverse_mass_matrix.h>
#include <articula/dynamics/mass_matrix.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/dense_inverse.h>
#include <articula/solve/internal/generated.h>

namespace articula {

struct MassMatrix::Work : Scratch {
  Work(Core& core, bool with_inverse)
      : generated(core, Algorithm::mass_matrix),
        generated_inverse(with_inverse && core.all_free && !core.exterior.is_coupled()
                              ? Generated(core, Algorithm::inverse_mass_matrix)
                              : Generated()),
        composite(core.mech()),
        inverse_mass(core.mech()),
        n(core.v.size()),
        n_shown(core.exterior.v_names().size()),
        M(n * n),
        next(n * n),
        shown(n_shown * n_shown),
        inverse(n_shown * n_shown),
        dense(n_shown) {}

  Generated generated, generated_inverse;
  CompositeBody<double> composite;
  InverseMassMatrix<double> inverse_mass;
  std::size_t n, n_shown;
  std::vector<double> M, next, shown, inverse;
  DenseInverse dense;

  bool invert_by_code(Core& c);
  bool invert_by_recursion(Core& c);
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
  return Generated::all_finite(next);
}

bool MassMatrix::Work::invert_by_recursion(Core& c) {
  c.place();
  inverse_mass_matrix<double, double>(c.mech(), c.par, c.kin, inverse_mass, next, c.roles);
  return Generated::all_finite(next);
}

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
  bool regular = false;
  if (c.exterior.is_coupled() || c.has_reflected) {
    regular = w.dense.invert(compute(), c.exterior, c.roles, w.inverse);
  } else {
    if (w.generated && !w.generated_inverse) regular = w.dense.invert(compute(), c.exterior, c.roles, w.inverse);
    if (!regular) {
      regular = w.invert_by_code(c) || w.invert_by_recursion(c);
      if (regular) c.exterior.select_square(w.next, w.inverse);
    }
  }
  c.report.status = regular ? Report::Status::done : Report::Status::singular;
  if (!regular) c.report.joint = c.joint_of(Core::first_singular(w.inverse_mass.d()));
  return {w.inverse.data(), nv(), nv()};
}

}  // namespace articula
