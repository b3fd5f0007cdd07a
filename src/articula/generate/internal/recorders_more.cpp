#include <articula/base/text.h>
#include <articula/closure/dynamics_changes.h>
#include <articula/dynamics/jacobian.h>
#include <articula/generate/internal/recorders.h>
#include <articula/mechanism/frame_index.h>

namespace articula::generate {

std::vector<PortRef> Recorder::wanted_frames() const {
  if (!options.frames.empty()) return options.frames;
  std::vector<PortRef> frames;
  for (const ConstituentPlace& place : mech.provenance.constituents) {
    if (place.body > 0) frames.push_back({place.name, ""});
  }
  return frames;
}

void Recorder::output_poses(const Parameters<Trace>& par, const WorldPoses<Trace>& poses) {
  std::vector<std::string> entries;
  Traces X;
  const FrameIndex index(mech);
  for (const PortRef& frame : wanted_frames()) {
    const Pose<Trace> X_WF = frame_pose(mech, par, poses, index.at(frame));
    const std::string name = to_text(frame);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        X.push_back(X_WF.R.m(i, j));
        entries.push_back(concat(name, ".R", i, j));
      }
    }
    for (int i = 0; i < 3; ++i) {
      X.push_back(X_WF.p[i]);
      entries.push_back(concat(name, ".p", i));
    }
  }
  output(ArrayRole::frames, "X", "poses in World", entries, X);
}

void Recorder::kinematics(const Parameters<Trace>& par) {
  function.meaning = "the poses of frames in World: of each the rotation matrix, row by row, then the origin";
  const Traces q = this->q();
  All all(mech);
  Positions<Trace> kin(mech);
  WorldPoses<Trace> poses(mech);
  positions<Trace, Trace>(mech, par, all.q(par, q), kin);
  world_poses(mech, par, kin, poses);
  output_poses(par, poses);
}

void Recorder::frame_motions(const Parameters<Trace>& par) {
  function.meaning =
      "how frames move, in World's axes: the pose of each, its velocity and its acceleration; angular, then linear of "
      "its origin";
  const Traces y = this->q(), ydot = this->v(), yddot = this->vdot();
  All all(mech);
  const std::span<const Trace> q = all.q(par, y), v = all.v(par, ydot), vdot = all.vdot(par, yddot);
  Velocities<Trace> kin(mech);
  WorldPoses<Trace> poses(mech);
  Accelerations<Trace> acc(mech);
  positions<Trace, Trace>(mech, par, q, kin);
  velocities<Trace, Trace>(mech, par, q, v, kin);
  world_poses(mech, par, kin, poses);
  dynamics::accelerations<Trace, Trace>(mech, par, kin, vdot, acc);
  constexpr auto in = JacobianFrame::local_world_aligned;
  constexpr std::string_view parts[] = {".wx", ".wy", ".wz", ".vx", ".vy", ".vz"};
  std::vector<std::string> entries;
  Traces V, A;
  const auto add = [](Traces& to, const Motion<Trace>& motion) {
    for (int k = 0; k < 3; ++k) to.push_back(motion.w[k]);
    for (int k = 0; k < 3; ++k) to.push_back(motion.v[k]);
  };
  const FrameIndex index(mech);
  for (const PortRef& name : wanted_frames()) {
    const int frame = index.at(name);
    add(V, frame_velocity(mech, par, poses, kin, frame, in));
    add(A, frame_acceleration(mech, par, poses, kin, acc, frame, in));
    for (const std::string_view part : parts) entries.push_back(concat(to_text(name), part));
  }
  output_poses(par, poses);
  output(ArrayRole::frames, "V", "velocities in World's axes", entries, V);
  output(ArrayRole::frames, "A", "their rates", entries, A);
}

void Recorder::jacobian(const Parameters<Trace>& par) {
  const PortRef& frame = options.frames.at(0);
  constexpr std::string_view in[] = {"local", "world", "local_world_aligned"};
  function.meaning =
      concat("the Jacobian of ", quoted(to_text(frame)), ", expressed in frame ",
             in[static_cast<std::size_t>(options.jacobian_frame)], ": 6 rows, angular first, row by row");
  const Traces q = this->q();
  All all(mech);
  Positions<Trace> kin(mech);
  WorldPoses<Trace> poses(mech);
  Traces J_all(6 * static_cast<std::size_t>(mech.nv)), J(6 * mech.independent.v.size());
  positions<Trace, Trace>(mech, par, all.q(par, q), kin);
  world_poses(mech, par, kin, poses);
  dynamics::jacobian<Trace, Trace>(mech, par, kin, poses, mech.frame(frame), options.jacobian_frame, J_all);
  reduce_columns(mech, par, mech.independent, 6, J_all.data(), J.data());
  output(ArrayRole::frames, "J",
         concat("Jacobian: 6 rows (angular, then linear), ", mech.independent.nv(),
                " columns in the order of v, row by row"),
         {}, J);
}

void Recorder::inverse_dynamics_derivatives(const Parameters<Trace>& par) {
  function.meaning = "how the generalized forces change with the configuration (along the tangent) and with velocities";
  const Traces y = this->q(), ydot = this->v(), yddot = this->vdot();
  All all(mech, 2);
  const std::span<const Trace> q = all.q(par, y), v = all.v(par, ydot), vdot = all.vdot(par, yddot);
  Dynamics<Trace> dynamics(mech, par, {.forward = false});
  DynamicsChanges<Trace> changes(dynamics, par, false);
  Traces dq(square()), dv(square());
  dynamics.place(par, q);
  dynamics.act(par, q, v, {});
  changes.of_torques(dynamics, par, q, v, vdot, {}, all.square(0, dq), all.square(1, dv));
  all.reduce_square(par, 0, dq), all.reduce_square(par, 1, dv);
  output_matrix("dtau_dq", "derivatives with respect to q", dq);
  output_matrix("dtau_dv", "derivatives with respect to v", dv);
}

void Recorder::forward_dynamics_derivatives(const Parameters<Trace>& par) {
  function.meaning =
      "how accelerations change with the configuration (along the tangent), with velocities and with generalized "
      "forces";
  const Traces y = this->q(), ydot = this->v(), tau = this->tau();
  All all(mech);
  Dynamics<Trace> dynamics(mech, par);
  DynamicsChanges<Trace> changes(dynamics, par, true);
  Traces vdot(static_cast<std::size_t>(mech.nv)), dq(square()), dv(square()), dtau(square());
  changes.of_accelerations(dynamics, par, all.q(par, y), all.v(par, ydot), all.forces(tau), {}, vdot, dq, dv, dtau);
  output_matrix("dvdot_dq", "derivatives with respect to q", dq);
  output_matrix("dvdot_dv", "derivatives with respect to v", dv);
  output_matrix("dvdot_dtau", "derivatives with respect to tau: the inverse mass matrix", dtau, true);
}

}  // namespace articula::generate
