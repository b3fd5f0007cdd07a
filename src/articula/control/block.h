#pragma once

#include <span>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/scalar/dual.h>

namespace articula {

/// What a block reads: named signals. `q.elbow` and `v.elbow` are a joint's motion; `wave.q.elbow`, `wave.v.elbow`,
/// `wave.a.elbow` that of the trajectory `wave`; `servo.elbow` what the block `servo` gives for it. What acts on
/// joints in the end is the sum of all signals that are declared to.
struct Signal {
  std::string name;
  std::string unit;  ///< as users write it, for reports and exports: "rad", "N*m", "Pa"
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

  virtual std::vector<std::string> inputs() const = 0;
  virtual std::vector<Signal> outputs() const = 0;
  /// Outputs that act on a joint, as a generalized force: (place in outputs, degree of freedom by name).
  struct Action {
    int output = 0;
    std::string dof;
  };
  virtual std::vector<Action> actions() const { return {}; }

  /// States with their values at the start. They join the state of the run, called `name.state`.
  virtual std::vector<Signal> states() const { return {}; }
  virtual void start(std::span<const double> /*in*/, std::span<double> /*z*/) const {}

  /// `feed` says which inputs an output depends on without delay; by default all do. A block whose outputs depend only
  /// on z (a sampled controller) breaks the circle.
  virtual bool feeds_through() const { return true; }

  virtual void compute(double t, std::span<const double> in, std::span<const double> z, std::span<double> out,
                       std::span<double> zdot) const = 0;
  virtual void compute(double t, std::span<const Dual> in, std::span<const Dual> z, std::span<Dual> out,
                       std::span<Dual> zdot) const = 0;

  /// Sampled blocks: they change their states z at the times t = phase + k·period, and between them z stays.
  virtual double period() const { return 0; }
  virtual double phase() const { return 0; }
  virtual void sample(double /*t*/, std::span<const double> /*in*/, std::span<double> /*z*/) const {}

  /// Functions of (t, in, z) that are zero where the block switches: kinks and jumps, which the run steps onto.
  virtual int event_count() const { return 0; }
  virtual void event_values(double /*t*/, std::span<const double> /*in*/, std::span<const double> /*z*/,
                            std::span<double> /*g*/) const {}
  /// After event k was met: z may jump. Whether the run is to end there.
  virtual bool on_event(int /*k*/, double /*t*/, std::span<const double> /*in*/, std::span<double> /*z*/) const {
    return false;
  }

  /// Known times at which it switches: valve closures, steps.
  virtual std::vector<double> breaks(double /*until*/) const { return {}; }
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
