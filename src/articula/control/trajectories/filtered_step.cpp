#include <articula/control/trajectories/filtered_step.h>

#include <cmath>

#include <articula/base/text.h>

namespace articula::control {

namespace {

constexpr int highest_filter_order = 100;

/// The unit step response of n lags with time constant 1, and its terms.
///
///     P_n(u) = 1 − e⁻ᵘ·Σ_{k<n} uᵏ/k!,   P_n' = P_{n−1} − P_n = g_n,   g_n = uⁿ⁻¹·e⁻ᵘ/(n − 1)!
struct StepResponse {
  int n;

  /// g_m, zero for m < 1: the response to a pulse.
  static double pulse(int m, double u) {
    if (m < 1) return 0;
    double value = std::exp(-u);
    for (int k = 1; k < m; ++k) value *= u / k;
    return value;
  }

  /// By the terms before n or by those from n on, whichever are fewer: no cancellation for small u.
  double value(double u) const {
    double term = std::exp(-u), sum = 0;
    if (u > n) {
      for (int k = 0; k < n; ++k) {
        sum += term;
        term *= u / (k + 1);
      }
      return 1 - sum;
    }
    for (int k = 1; k <= n; ++k) term *= u / k;
    for (int k = n; term > 1e-18 * sum && term > 0; ++k) {
      sum += term;
      term *= u / (k + 1);
    }
    return sum;
  }

  /// The k-th derivative, k ≥ 1: Σ_j (−1)^{k−1−j}·C(k − 1, j)·g_{n−j}, since g_m' = g_{m−1} − g_m.
  double derivative(int k, double u) const {
    double sum = 0, binomial = 1;
    for (int j = 0; j < k && j < n; ++j) {
      const double sign = (k - 1 - j) % 2 == 0 ? 1 : -1;
      sum += sign * binomial * pulse(n - j, u);
      binomial *= static_cast<double>(k - 1 - j) / (j + 1);
    }
    return sum;
  }
};

class Step final : public Trajectory {
 public:
  Step(std::vector<double> from, std::vector<double> to, int order, double T, double begin)
      : from_(std::move(from)), to_(std::move(to)), response_{order}, T_(T), begin_(begin) {}

  int size() const override { return static_cast<int>(from_.size()); }

  void evaluate(double t, int order, std::span<double> x) const override {
    const std::size_t n = from_.size();
    const double u = (t - begin_) / T_;
    double scale = 1;
    for (int k = 0; k <= order; ++k) {
      const double part = u < 0 ? 0 : scale * (k == 0 ? response_.value(u) : response_.derivative(k, u));
      for (std::size_t i = 0; i < n; ++i) {
        x[static_cast<std::size_t>(k) * n + i] = (k == 0 ? from_[i] : 0) + part * (to_[i] - from_[i]);
      }
      scale /= T_;
    }
  }

  std::vector<double> breaks(double until) const override {
    return begin_ <= until ? std::vector<double>{begin_} : std::vector<double>{};
  }
  int smoothness() const override { return response_.n - 1; }
  double begin() const override { return begin_; }

 private:
  std::vector<double> from_, to_;
  StepResponse response_;
  double T_, begin_;
};

}  // namespace

JointTrajectory FilteredStep::make(const TrajectoryContext& context) const {
  JointTrajectory made = moved_joints(context, joints, moves);
  if (order < 1 || order > highest_filter_order) {
    refuse(context, "trajectory-value", concat("order is ", order, ". Allowed: 1 to ", highest_filter_order, "."));
  }
  check_positive(context, "time_constant", time_constant);
  made.motion = std::make_unique<Step>(for_each_joint(context, made, "from", from),
                                       for_each_joint(context, made, "to", to), order, time_constant, begin);
  return made;
}

}  // namespace articula::control
