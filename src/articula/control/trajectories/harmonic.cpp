#include <articula/control/trajectories/harmonic.h>

#include <cmath>

namespace articula::control {

namespace {

class Harmonic final : public Trajectory {
 public:
  struct Wave {
    double amplitude, omega, phase, offset;
  };
  explicit Harmonic(std::vector<Wave> waves) : waves_(std::move(waves)) {}

  int size() const override { return static_cast<int>(waves_.size()); }

  /// The k-th derivative is amplitude·omegaᵏ·sin(omega·t + phase + k·90°).
  void evaluate(double t, int order, std::span<double> x) const override {
    for (std::size_t i = 0; i < waves_.size(); ++i) {
      const Wave& wave = waves_[i];
      const double angle = wave.omega * t + wave.phase, s = std::sin(angle), c = std::cos(angle);
      const double turned[4] = {s, c, -s, -c};
      double scale = wave.amplitude;
      x[i] = wave.offset + scale * s;
      for (std::size_t k = 1; k <= static_cast<std::size_t>(order); ++k) {
        scale *= wave.omega;
        x[k * waves_.size() + i] = scale * turned[k % 4];
      }
    }
  }

 private:
  std::vector<Wave> waves_;
};

}  // namespace

JointTrajectory HarmonicMotion::make(const TrajectoryContext& context) const {
  JointTrajectory made = moved_joints(context, joints, moves);
  const auto a = for_each_joint(context, made, "amplitude", amplitude),
             w = for_each_joint(context, made, "omega", omega), p = for_each_joint(context, made, "phase", phase),
             o = for_each_joint(context, made, "offset", offset);
  std::vector<Harmonic::Wave> waves;
  for (std::size_t i = 0; i < a.size(); ++i) waves.push_back({a[i], w[i], p[i], o[i]});
  made.motion = std::make_unique<Harmonic>(std::move(waves));
  return made;
}

}  // namespace articula::control
