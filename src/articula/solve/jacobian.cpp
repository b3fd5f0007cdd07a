#include <articula/solve/jacobian.h>

#include <articula/dynamics/jacobian.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula::solve {

struct Jacobian::Work : Scratch {
  Work(Core& core, const PortRef& name, JacobianFrame in)
      : generated(core, Algorithm::jacobian, {.frames = {name}, .jacobian_frame = in}),
        frame(core.mech().frame(name)),
        J(6 * core.v.size()),
        shown(6 * core.map().v_names().size()) {}

  Generated generated;
  int frame;
  std::vector<double> J, shown;

  MatrixView show(const Core& c) {
    c.map().show_rows(6, J, shown);
    return {shown.data(), 6, c.map().nv()};
  }
  MatrixView by_code(const Core& c) {
    generated({c.q.data()}, {J.data()});  // loads do not matter
    c.map().show_independent_columns(6, J, shown);
    return {shown.data(), 6, c.map().nv()};
  }
};

Jacobian::Jacobian(const Model& model, const PortRef& name, JacobianFrame in, const SolverOptions& options)
    : Solver("Jacobian", Algorithm::jacobian, model, options), name_(name), in_(in) {
  resize();
}

Jacobian::Work& Jacobian::work() const { return static_cast<Work&>(*scratch_); }
void Jacobian::resize() { scratch_ = std::make_unique<Work>(*core_, name_, in_); }

MatrixView Jacobian::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.report.status = Report::Status::done;
  if (w.generated) return w.by_code(c);
  c.place();
  world_poses<double, double>(c.mech(), c.par(), c.dynamics.kin, c.dynamics.acting.poses);
  jacobian<double, double>(c.mech(), c.par(), c.dynamics.kin, c.dynamics.acting.poses, w.frame, in_, w.J);
  return w.show(c);
}

MatrixView Jacobian::compute_rate() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.move();
  world_poses<double, double>(c.mech(), c.par(), c.dynamics.kin, c.dynamics.acting.poses);
  jacobian_rate<double, double>(c.mech(), c.par(), c.dynamics.kin, c.dynamics.acting.poses, c.q, c.v, w.frame, in_,
                                w.J);
  c.report.status = Report::Status::done;
  return w.show(c);
}

}  // namespace articula::solve
