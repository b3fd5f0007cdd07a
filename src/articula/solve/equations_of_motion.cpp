#include <articula/solve/equations_of_motion.h>

#include <articula/dynamics/joint_space_matrices.h>
#include <articula/solve/internal/core.h>

namespace articula::solve {

struct EquationsOfMotion::Work : Scratch {
  explicit Work(const Core& core)
      : scratch(core.mech()), matrices(core.mech()), n(core.map().v_names().size()), D(n * n), C(n * n), G(n), Q(n) {}

  CompositeMotion<double> scratch;
  JointSpaceMatrices<double> matrices;
  std::size_t n;
  std::vector<double> D, C, G, Q;
  MotionMatrices shown;
};

EquationsOfMotion::EquationsOfMotion(const Model& model, const SolverOptions& options)
    : Solver("EquationsOfMotion", Algorithm::equations_of_motion, model, options) {
  resize();
}
EquationsOfMotion::Work& EquationsOfMotion::work() const { return static_cast<Work&>(*scratch_); }
void EquationsOfMotion::resize() { scratch_ = std::make_unique<Work>(*core_); }

const MotionMatrices& EquationsOfMotion::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.move();
  c.act();
  joint_space_matrices<double, double>(c.mech(), c.par(), c.dynamics.kin, c.q, c.v, c.dynamics.acting.F_applied(),
                                       w.scratch, w.matrices);
  c.map().show_square(w.matrices.D, w.D);
  c.map().show_square(w.matrices.C, w.C);
  c.map().from_forces(w.matrices.G, w.G);
  c.map().from_forces(w.matrices.Q, w.Q);
  w.shown = {{w.D.data(), nv(), nv()}, {w.C.data(), nv(), nv()}, w.G, w.Q};
  c.report.status = Report::Status::done;
  return w.shown;
}

}  // namespace articula::solve
