#pragma once

#include <functional>
#include <span>
#include <vector>

#include <articula/base/error.h>
#include <articula/simulate/internal/plant.h>
#include <articula/simulate/internal/prescribed_motion.h>

namespace articula::simulate {

/// Coulomb friction of the joints of a run, with sticking and sliding as separate modes.
///
///     slides (mode ±1):  friction force −mode·f;         until the speed is zero
///     sticks (mode 0):   the force that keeps it at rest; until that exceeds f
///
/// Between the moments at which modes change they are constant, so that the right-hand side is smooth and integrators of
/// any order keep it. At rest, the modes are those of the motion with the largest dissipation: with W = M⁻¹ of the
/// joints at rest and their accelerations a₀ without friction,
///
///     a = a₀ + W·r,   |r| ≤ f,   a = 0 where |r| < f,   a·r ≤ 0
///
/// which has one solution since W is positive definite; found by projected Gauss-Seidel.
///
/// With `smooth_speed` > 0 friction is f·tanh(v/smooth_speed) instead, without modes: a joint at rest under load creeps.
/// The same applies always to a joint that follows several others through gears.
class DryFriction {
 public:
  DryFriction(const BlockSite& site, const PrescribedMotion& prescribed, const Plant& plant);

  /// One for each degree of freedom that can stick.
  std::size_t size() const { return places_.size(); }
  std::span<const double> modes() const { return modes_; }
  void set_modes(std::span<const double> modes, Plant& plant);

  /// No friction at all until modes are set or settled.
  void release(Plant& plant);

  /// The friction along degree of freedom `shown`, at most.
  double limit(std::size_t k) const { return places_[k].force; }
  std::size_t dof(std::size_t k) const { return places_[k].shown; }
  bool any_sticks() const { return sticks_ > 0; }

  /// Directions of friction that depend on speeds: of what is prescribed and what is smoothed. Before each evaluation.
  void set_speeds(std::span<const double> v, Plant& plant) const;

  /// Functions that fall through zero where a mode ends. `reaction[k]`: the force that keeps place k at rest.
  void event_values(std::span<const double> v, std::span<const double> reaction, std::span<double> g) const;

  /// Whether a joint slides against its mode: a change of mode that no event reported.
  bool contradicts(std::span<const double> v) const;

  /// The modes that follow from v, and, for joints at rest, from the accelerations there. `accelerate(force, a)` gives
  /// the accelerations of all degrees of freedom that are shown with `force` added to what acts. Speeds of those that
  /// come to rest (`stopped`, −1: none) become zero.
  using Accelerate = std::function<bool(std::span<const double> force, std::span<double> a)>;
  void settle(int stopped, std::span<double> v, Plant& plant, const Accelerate& accelerate);

  /// Friction force along place k. `reaction` as above.
  double force(std::size_t k, double reaction) const {
    return modes_[k] == 0 ? reaction : -modes_[k] * places_[k].force;
  }

  const Findings& findings() const { return findings_; }

 private:
  struct Part {
    std::size_t dof;  ///< of the mechanism
    double sign;      ///< of its speed when the shown one is positive
  };
  struct Place {
    std::size_t shown;
    double force;
    std::vector<Part> parts;
  };
  struct Row {
    std::size_t dof;
    std::vector<std::pair<std::size_t, double>> terms;  ///< its speed, from those that are shown
    double speed;                                       ///< over which its friction is smoothed; 0: a sign
  };

  void set_mode(std::size_t k, double mode, Plant& plant);

  std::vector<Place> places_;
  std::vector<Row> by_speed_;
  std::vector<double> modes_;
  std::size_t sticks_ = 0;
  bool settled_ = false;  ///< until modes are known, every joint slides as its speed says
  std::vector<std::size_t> resting_;
  std::vector<double> W_, a_, r_, force_, all_;
  Findings findings_;
};

}  // namespace articula::simulate
