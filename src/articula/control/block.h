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

namespace articula {

/// What a block reads and gives: named signals. `q.elbow` and `v.elbow` are a joint's motion; `wave.q.elbow`,
/// `wave.v.elbow`, `wave.a.elbow` that of the trajectory `wave`; `servo.elbow` what the block `servo` gives for it, and
/// `motor.current` a state of the block `motor`. What acts on joints in the end is the sum of all signals that are
/// declared to.
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

/// A part of what drives a mechanism: a controller, an actuator, friction, a sensor. It reads signals, may have states
/// of its own, and gives signals.
///
///     out = g(t, in, z),   dz/dt = f(t, in, z)
///
/// Written once as a template over the scalar (see BlockOf): with double it computes, with Dual it gives the partial
/// derivatives that implicit integrators and linearization need. Must not allocate, nor remember anything but z.
class ARTICULA_EXPORT Block {
 public:
  virtual ~Block() = default;

  std::string name;
  Where where;  ///< for messages

  virtual std::vector<std::string> inputs() const = 0;
  /// Outputs by name, without the block's own.
  virtual std::vector<Signal> outputs() const = 0;
  /// Outputs that act on a joint, as a generalized force: (place in outputs, degree of freedom by name).
  struct Action {
    int output = 0;
    std::string dof;
  };
  virtual std::vector<Action> actions() const { return {}; }
  /// Whether it keeps a degree of freedom within its limits, as elastic stops do: runs then do not report that the joint
  /// passes them.
  virtual bool guards(const std::string& /*dof*/) const { return false; }
  /// Which inputs (places in inputs) it takes as commands: the block that gives such a signal does not act with it on
  /// the joint itself.
  virtual std::vector<int> commands() const { return {}; }

  /// States, without the block's name. They join the state of the run, called `name.state`.
  virtual std::vector<Signal> states() const { return {}; }
  /// Their values at the start. `hold[a]` is the generalized force that keeps the joint of action a from accelerating:
  /// actuators begin in balance with it. It is empty where nobody knows.
  virtual void start(double /*t*/, std::span<const double> /*in*/, std::span<const double> /*hold*/,
                     std::span<double> z) const {
    for (double& each : z) each = 0;
  }

  /// Whether outputs depend on inputs without delay. A block whose outputs depend on t and z only (a sampled
  /// controller, a motor whose current is a state) breaks circles.
  virtual bool feeds_through() const { return true; }

  virtual void compute(double t, std::span<const double> in, std::span<const double> z, std::span<double> out,
                       std::span<double> zdot) const = 0;
  virtual void compute(double t, std::span<const Dual> in, std::span<const Dual> z, std::span<Dual> out,
                       std::span<Dual> zdot) const = 0;

  /// Sampled blocks change their states z at the times phase + k·period, and what they found there acts
  /// `delay` later. Between these times z stays.
  virtual double period() const { return 0; }  ///< 0: not sampled
  virtual double phase() const { return 0; }
  virtual double delay() const { return 0; }  ///< less than a period
  virtual void sample(double /*t*/, std::span<const double> /*in*/, std::span<double> /*z*/) const {}
  virtual void release(std::span<double> /*z*/) const {}  ///< only if there is a delay

  /// Functions of (t, in, z) that are zero where the block switches: kinks and jumps, which the run steps onto.
  virtual int event_count() const { return 0; }
  virtual void event_values(double /*t*/, std::span<const double> /*in*/, std::span<const double> /*z*/,
                            std::span<double> /*g*/) const {}
  /// What event k is, for users: "reaches its lower stop".
  virtual std::string event_name(int /*k*/) const { return "switches"; }
  /// After event k was met: z may jump. Whether the run is to end there.
  virtual bool on_event(int /*k*/, double /*t*/, std::span<const double> /*in*/, std::span<double> /*z*/) const {
    return false;
  }

  /// Known times at which it switches, up to `until`: valve closures, steps. The run steps onto them, and z may jump
  /// there; `hold` as for `start`.
  virtual std::vector<double> breaks(double /*until*/) const { return {}; }
  virtual void on_break(double /*t*/, std::span<const double> /*in*/, std::span<const double> /*hold*/,
                        std::span<double> /*z*/) const {}
};

/// Gives both computations from the one that `Self` writes:
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

}  // namespace articula
