#include <articula/solve/forward_kinematics.h>

#include <articula/dynamics/frames.h>
#include <articula/solve/internal/core.h>

namespace articula {

struct ForwardKinematics::Work : Scratch {
  explicit Work(const Core& core) : accelerations(core.mech()) {}

  Accelerations<double> accelerations;
  std::vector<int> frames;
  std::vector<MovingFrame> motions;
};

ForwardKinematics::ForwardKinematics(const Model& model, const SolverOptions& options)
    : Solver(model, options, {.solver = "ForwardKinematics", .network = true, .passive = false}) {
  resize();
}

ForwardKinematics::Work& ForwardKinematics::work() const { return static_cast<Work&>(*scratch_); }

void ForwardKinematics::resize() {
  auto made = std::make_unique<Work>(*core_);
  names_ = core_->exterior_ports.frames;
  if (names_.empty()) {
    for (const ConstituentPlace& body : mechanism().provenance.constituents) names_.push_back({body.name, ""});
  }
  for (const PortRef& name : names_) made->frames.push_back(frame(name));
  made->motions.resize(names_.size());
  scratch_ = std::move(made);
}

std::span<const PortRef> ForwardKinematics::frames() const { return names_; }

std::span<const MovingFrame> ForwardKinematics::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.report.status = Report::Status::done;
  if (c.network) {
    c.network->kinematics(c.q, c.v, c.vdot);
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const Pose<double> X_WF = c.network->pose_at(names_[k]);
      const Motion<double> V = c.network->velocity_at(names_[k]), A = c.network->acceleration_at(names_[k]);
      w.motions[k] = {X_WF, {X_WF.R * V.w, X_WF.R * V.v}, {X_WF.R * A.w, X_WF.R * (A.v + cross(V.w, V.v))}};
    }
    return w.motions;
  }
  c.move();
  world_poses<double, double>(c.mech(), c.par, c.kin, c.poses);
  accelerations<double, double>(c.mech(), c.par, c.kin, c.vdot, w.accelerations);
  constexpr auto in = JacobianFrame::local_world_aligned;
  for (std::size_t k = 0; k < w.frames.size(); ++k) {
    const int f = w.frames[k];
    w.motions[k] = {frame_pose(c.mech(), c.par, c.poses, f), frame_velocity(c.mech(), c.par, c.poses, c.kin, f, in),
                    frame_acceleration(c.mech(), c.par, c.poses, c.kin, w.accelerations, f, in)};
  }
  return w.motions;
}

}  // namespace articula
