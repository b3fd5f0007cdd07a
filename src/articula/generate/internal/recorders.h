#pragma once

#include <span>

#include <articula/closure/coordinates.h>
#include <articula/dynamics/frames.h>
#include <articula/generate/record.h>

namespace articula::generate {

/// Runs algorithms of dynamics/ with traces: declares inputs, calls algorithms, records results. Inputs and results are
/// in independent coordinates, from which coupled joints follow (closure/coordinates.h).
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
  using All = AllJoints<Trace, Trace>;

  void inverse_dynamics(const Parameters<Trace>& par);
  void forward_dynamics(const Parameters<Trace>& par);
  void step(const Parameters<Trace>& par);
  void gravity(const Parameters<Trace>& par);
  void elastic_inverse_dynamics(const Parameters<Trace>& par);
  void mass_matrix(const Parameters<Trace>& par);
  void inverse_mass_matrix(const Parameters<Trace>& par);
  void kinematics(const Parameters<Trace>& par);
  void frame_motions(const Parameters<Trace>& par);
  void jacobian(const Parameters<Trace>& par);
  void inverse_dynamics_derivatives(const Parameters<Trace>& par);
  void forward_dynamics_derivatives(const Parameters<Trace>& par);

  Traces torques(const Parameters<Trace>& par, const Traces& y, const Traces& ydot, const Traces& yddot);
  /// The size of a matrix with a row and a column for each independent degree of freedom.
  std::size_t square() const { return mech.independent.v.size() * mech.independent.v.size(); }
  /// The frames of the options, or the body frames of all moving bodies.
  std::vector<PortRef> wanted_frames() const;
  /// Declares the output `X`: the poses of `wanted_frames()`.
  void output_poses(const Parameters<Trace>& par, const WorldPoses<Trace>& poses);

  Traces input(ArrayRole role, const std::string& name, const std::string& meaning,
               const std::vector<std::string>& entries);
  Traces q() { return input(ArrayRole::configuration, "q", "configuration", mech.independent.q_names); }
  Traces v() { return input(ArrayRole::velocity, "v", "velocities", mech.independent.v_names); }
  Traces vdot() { return input(ArrayRole::acceleration, "vdot", "accelerations", mech.independent.v_names); }
  Traces tau() { return input(ArrayRole::force, "tau", "generalized forces", mech.independent.v_names); }
  FunctionArray& output(ArrayRole role, const std::string& name, const std::string& meaning,
                        const std::vector<std::string>& entries, std::span<const Trace> values);
  void output_matrix(const std::string& name, const std::string& meaning, std::span<const Trace> values,
                     bool symmetric = false);
};

}  // namespace articula::generate
