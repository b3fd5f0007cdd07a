#include <articula/solve/mass_matrix.h>

#include <articula/closure/masses.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula::solve {

struct MassMatrix::Work : Scratch {
  Work(Core& core, bool with_inverse)
      : generated(core, Algorithm::mass_matrix),
        generated_inverse(with_inverse && core.exposed.all_free() ? Generated(core, Algorithm::inverse_mass_matrix)
                                                                  : Generated()),
        masses(core.mech(), true),
        M_y(core.mech().independent.v.size() * core.mech().independent.v.size()),
        matrix(core.map().v_names().size() * core.map().v_names().size()),
        inverse(matrix.size()) {}

  Generated generated, generated_inverse;
  Masses<double> masses;
  std::vector<double> M_y;  ///< or its inverse
  std::vector<double> matrix, inverse;

  bool invert_by_code(Core& c);
  bool invert(Core& c);
};

MassMatrix::MassMatrix(const Model& model, const SolverOptions& options, Code code)
    : Solver("MassMatrix", Algorithm::mass_matrix, model, options), code_(code) {
  resize();
}
MassMatrix::Work& MassMatrix::work() const { return static_cast<Work&>(*scratch_); }
void MassMatrix::resize() { scratch_ = std::make_unique<Work>(*core_, code_ == Code::matrix_and_inverse); }

bool MassMatrix::Work::invert_by_code(Core& c) {
  if (!generated_inverse) return false;
  generated_inverse({c.q.data()}, {M_y.data()});
  return all_finite(M_y);
}

bool MassMatrix::Work::invert(Core& c) {
  c.place();
  return masses.inverse(c.par(), c.dynamics.kin, c.exposed.roles(), M_y);
}

MatrixView MassMatrix::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.report.status = Report::Status::done;
  if (w.generated) {
    w.generated({c.q.data()}, {w.M_y.data()});  // loads do not matter
  } else {
    c.place();
    w.masses.matrix(c.par(), c.dynamics.kin, w.M_y);
  }
  c.map().show_independent_square(w.M_y, w.matrix);
  return {w.matrix.data(), nv(), nv()};
}

MatrixView MassMatrix::compute_inverse() noexcept {
  Core& c = *core_;
  Work& w = work();
  if (w.invert_by_code(c) || w.invert(c)) {
    c.report.status = Report::Status::done;
    c.map().show_independent_square(w.M_y, w.inverse);
  } else {
    c.report.status = Report::Status::singular;
    c.report.joint = c.exposed.joint_of(w.masses.failed);
  }
  return {w.inverse.data(), nv(), nv()};
}

}  // namespace articula::solve
