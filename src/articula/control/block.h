#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/scalar/dual.h>

namespace articula::control {

/// An input or output of a block. `q.elbow` and `v.elbow` are the motion of a joint; `wave.q.elbow`, `wave.v.elbow` and
/// `wave.a.elbow` that of the trajectory `wave`; `servo.elbow` is the output of the block `servo` for that joint, and
/// `motor.current` a state of the block `motor`. The force on a joint is the sum of all signals that are declared to
/// act on it.
struct Signal {
  std::string name;
  std::string unit;  ///< as users write it, for reports and exports: "rad", "N*m", "Pa"

  friend bool operator==(const Signal&, const Signal&) = default;
};

/// A signal of a kind of block, for reference tables: its name with `<joint>` or another placeholder in angle brackets,
/// its unit, and what it is.
struct SignalRow {
  std::string_view name, unit, meaning;
};

/// A component that drives a mechanism: a controller, an actuator, friction, a sensor. It reads signals, may have
/// states, and outputs signals.
///
///     out = g(t, in, z),   dz/dt = f(t, in, z)
///
/// Written once as a template over the scalar (see BlockOf): with double it computes values, with Dual the partial
/// derivatives that implicit integrators and linearization need. It must not allocate, and has no memory except z.
class ARTICULA_EXPORT Block {
 public:
  virtual ~Block() = default;

  std::string name;
  Where where;  ///< for messages

  virtual std::vector<std::string> inputs() const = 0;
  /// The outputs; their names do not contain the block's name.
  virtual std::vector<Signal> outputs() const = 0;
  /// An output that acts on a joint as a generalized force: its index in outputs, and the name of the degree of
  /// freedom.
  struct Action {
    int output = 0;
    std::string dof;
  };
  virtual std::vector<Action> actions() const { return {}; }
  /// Whether a drive of the joint exerts these forces, within its torque limit: so it is for controllers and motors. Forces
  /// of friction, springs, stops and cylinders act beside it.
  virtual bool acts_through_drive() const { return true; }
  /// Whether it keeps a degree of freedom within its limits, as elastic stops do: runs then do not report an exceeded
  /// limit of the joint.
  virtual bool guards(const std::string& /*dof*/) const { return false; }
  /// Indices of the inputs that are commands: such a signal does not act on the joint itself.
  virtual std::vector<int> commands() const { return {}; }

  /// The states, without the block's name. They are part of the state of the run, as `name.state`.
  virtual std::vector<Signal> states() const { return {}; }
  /// Their values at the start. `hold[a]` is the generalized force for which the joint of action a does not accelerate:
  /// actuators start in equilibrium with it. It is empty if it is not known.
  virtual void start(double /*t*/, std::span<const double> /*in*/, std::span<const double> /*hold*/,
                     std::span<double> z) const {
    for (double& each : z) each = 0;
  }

  /// Whether outputs depend directly on inputs. A block whose outputs depend on t and z only (a sampled controller, a
  /// motor whose current is a state) breaks algebraic loops.
  virtual bool feeds_through() const { return true; }

  virtual void compute(double t, std::span<const double> in, std::span<const double> z, std::span<double> out,
                       std::span<double> zdot) const = 0;
  virtual void compute(double t, std::span<const Dual> in, std::span<const Dual> z, std::span<Dual> out,
                       std::span<Dual> zdot) const = 0;

  /// Sampled blocks change their states z at the times phase + k·period; the results act `delay` later. Between these
  /// times z is constant.
  virtual double period() const { return 0; }  ///< 0: not sampled
  virtual double phase() const { return 0; }
  virtual double delay() const { return 0; }  ///< less than a period
  virtual void sample(double /*t*/, std::span<const double> /*in*/, std::span<double> /*z*/) const {}
  virtual void release(std::span<double> /*z*/) const {}  ///< only if there is a delay

  /// Functions of (t, in, z) that are zero where the block switches: kinks and jumps, at which the integrator stops.
  virtual int event_count() const { return 0; }
  virtual void event_values(double /*t*/, std::span<const double> /*in*/, std::span<const double> /*z*/,
                            std::span<double> /*g*/) const {}
  /// A description of event k for messages: "reaches its lower stop".
  virtual std::string event_name(int /*k*/) const { return "switches"; }
  /// Called at event k; z may jump. @return whether the run ends here
  virtual bool on_event(int /*k*/, double /*t*/, std::span<const double> /*in*/, std::span<double> /*z*/) const {
    return false;
  }

  /// Known times at which it switches, up to `until`: valve closures, steps. The integrator stops there, and z may
  /// jump; `hold` as for `start`.
  virtual std::vector<double> breaks(double /*until*/) const { return {}; }
  virtual void on_break(double /*t*/, std::span<const double> /*in*/, std::span<const double> /*hold*/,
                        std::span<double> /*z*/) const {}
};

/// Implements both computations by a function of `Self`:
///
///     template <class T>
///     void evaluate(double t, std::span<const T> in, std::span<const T> z, std::span<T> out, std::span<T> zdot) const;
template <class Self>
class BlockOf : public Block {
 public:
  void compute(double t, std::span<const double> in, std::span<const double> z, std::span<double> out,
               std::span<double> zdot) const override {
    static_cast<const Self&>(*this).template evaluate<double>(t, in, z, out, zdot);
  }
  void compute(double t, std::span<const Dual> in, std::span<const Dual> z, std::span<Dual> out,
               std::span<Dual> zdot) const override {
    static_cast<const Self&>(*this).template evaluate<Dual>(t, in, z, out, zdot);
  }
};

}  // namespace articula::control
