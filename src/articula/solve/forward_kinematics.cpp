#include <articula/solve/forward_kinematics.h>

#include <articula/dynamics/frames.h>
#include <articula/mechanism/frame_index.h>
#include <articula/solve/internal/core.h>
#include <articula/solve/internal/generated.h>

namespace articula::solve {

struct ForwardKinematics::Work : Scratch {
  Work(Core& core, const std::vector<PortRef>& names)
      : generated(names.empty() ? Generated() : Generated(core, Algorithm::frame_motions, {.frames = names})),
        accelerations(core.mech()),
        motions(names.size()) {
    const FrameIndex index(core.mech());
    for (const PortRef& name : names) frames.push_back(index.at(name));
    if (generated) X.resize(12 * names.size()), V.resize(6 * names.size()), A.resize(6 * names.size());
  }

  Generated generated;
  Accelerations<double> accelerations;
  std::vector<int> frames;
  std::vector<MovingFrame> motions;
  std::vector<double> X, V, A;  ///< results of the generated code

  void by_code(const Core& c);
  void by_recursion(Core& c);
};

ForwardKinematics::ForwardKinematics(const Model& model, const SolverOptions& options)
    : Solver("ForwardKinematics", Algorithm::frame_motions, model, options) {
  resize();
}

ForwardKinematics::Work& ForwardKinematics::work() const { return static_cast<Work&>(*scratch_); }

void ForwardKinematics::resize() {
  names_ = core_->exposed.ports().frames;
  if (names_.empty()) {
    for (const ConstituentPlace& body : mechanism().provenance.constituents) names_.push_back({body.name, ""});
  }
  scratch_ = std::make_unique<Work>(*core_, names_);
}

void ForwardKinematics::Work::by_code(const Core& c) {
  generated({c.q.data(), c.v.data(), c.vdot.data()}, {X.data(), V.data(), A.data()});
  const auto motion = [](const double* x) { return Motion<double>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; };
  for (std::size_t k = 0; k < motions.size(); ++k) {
    Pose<double>& X_WF = motions[k].X_WF;
    const double* const x = X.data() + 12 * k;
    for (int i = 0; i < 9; ++i) X_WF.R.m(i / 3, i % 3) = x[i];
    X_WF.p = {x[9], x[10], x[11]};
    motions[k].V = motion(V.data() + 6 * k);
    motions[k].A = motion(A.data() + 6 * k);
  }
}

void ForwardKinematics::Work::by_recursion(Core& c) {
  c.move();
  world_poses<double, double>(c.mech(), c.par(), c.dynamics.kin, c.dynamics.acting.poses);
  dynamics::accelerations<double, double>(c.mech(), c.par(), c.dynamics.kin, c.vdot, accelerations);
  constexpr auto in = JacobianFrame::local_world_aligned;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const int f = frames[k];
    motions[k] = {frame_pose(c.mech(), c.par(), c.dynamics.acting.poses, f),
                  frame_velocity(c.mech(), c.par(), c.dynamics.acting.poses, c.dynamics.kin, f, in),
                  frame_acceleration(c.mech(), c.par(), c.dynamics.acting.poses, c.dynamics.kin, accelerations, f, in)};
  }
}

std::span<const PortRef> ForwardKinematics::frames() const { return names_; }

std::span<const MovingFrame> ForwardKinematics::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  c.report.status = Report::Status::done;
  if (c.network) {
    c.network->kinematics(c.q, c.v, c.vdot);
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const Pose<double> X_WF = c.network->network.pose_at(names_[k]);
      const Motion<double> V = c.network->network.velocity_at(names_[k]),
                           A = c.network->network.acceleration_at(names_[k]);
      w.motions[k] = {X_WF, {X_WF.R * V.w, X_WF.R * V.v}, {X_WF.R * A.w, X_WF.R * (A.v + cross(V.w, V.v))}};
    }
    return w.motions;
  }
  if (w.generated) {
    w.by_code(c);  // loads do not matter
  } else {
    w.by_recursion(c);
  }
  return w.motions;
}

}  // namespace articula::solve
