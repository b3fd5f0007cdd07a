#pragma once

#include <span>

#include <articula/dynamics/frames.h>
#include <articula/generate/record.h>

namespace articula {

/// Runs algorithms of dynamics/ with traces: declares their inputs, calls them, keeps their results.
class Recorder {
 public:
  static constexpr int parameter_array = 3;  ///< after q, v, and vdot or tau

  const Mechanism& mech;
  const RecordOptions& options;
  const Recording& recording;
  RecordedFunction& function;

  void run(Algorithm algorithm, const Parameters<Trace>& par);

 private:
  using Traces = std::vector<Trace>;

  void inverse_dynamics(const Parameters<Trace>& par);
  void forward_dynamics(const Parameters<Trace>& par);
  void step(const Parameters<Trace>& par);
  void gravity(const Parameters<Trace>& par);
  void mass_matrix(const Parameters<Trace>& par);
  void inverse_mass_matrix(const Parameters<Trace>& par);
  void kinematics(const Parameters<Trace>& par);
  void frame_motions(const Parameters<Trace>& par);
  void jacobian(const Parameters<Trace>& par);
  void inverse_dynamics_derivatives(const Parameters<Trace>& par);
  void forward_dynamics_derivatives(const Parameters<Trace>& par);

  /// vdot at (q, v, tau), and how all moves there.
  Traces accelerations(const Parameters<Trace>& par, const Traces& q, const Traces& v, const Traces& tau);
  /// What the model's own forces do to each body; empty if there are none.
  std::vector<Force<Trace>> model_forces(const Parameters<Trace>& par, const Traces& q);
  /// Those that are named, or the own frames of all bodies that move.
  std::vector<PortRef> wanted_frames() const;
  /// The poses of the wanted frames: `X`.
  void output_poses(const Parameters<Trace>& par, const WorldPoses<Trace>& poses);

  Traces input(const std::string& name, const std::string& meaning, const std::vector<std::string>& entries);
  Traces q() { return input("q", "configuration", mech.layout.q); }
  Traces v() { return input("v", "velocities", mech.layout.v); }
  Traces vdot() { return input("vdot", "accelerations", mech.layout.v); }
  Traces tau() { return input("tau", "generalized forces", mech.layout.v); }
  void output(const std::string& name, const std::string& meaning, const std::vector<std::string>& entries,
              std::span<const Trace> values);
  void output_matrix(const std::string& name, const std::string& meaning, std::span<const Trace> values);
};

}  // namespace articula
