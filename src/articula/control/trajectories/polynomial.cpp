#include <articula/control/trajectories/polynomial.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>

namespace articula::control {

namespace {

/// x(t) = Σ_k c_k·Π_{j<k} (t − node_j), with nodes repeated where derivatives are prescribed.
class NewtonPolynomial final : public Trajectory {
 public:
  NewtonPolynomial(std::size_t size, std::vector<double> nodes, std::vector<double> c, double begin, double end)
      : size_(size), nodes_(std::move(nodes)), c_(std::move(c)), begin_(begin), end_(end) {
    find_smoothness();
  }

  int size() const override { return static_cast<int>(size_); }

  void evaluate(double t, int order, std::span<double> x) const override {
    const auto derivatives = static_cast<std::size_t>(order);
    if (t >= begin_ && t < end_) return evaluate_inside(t, derivatives, x);
    evaluate_inside(t < begin_ ? begin_ : end_, 0, x);
    std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(size_), size_ * derivatives, 0.0);
  }

  std::vector<double> breaks(double until) const override {
    std::vector<double> list;
    for (const double t : {begin_, end_}) {
      if (t <= until) list.push_back(t);
    }
    return list;
  }
  int smoothness() const override { return smoothness_; }
  double begin() const override { return begin_; }
  double end() const override { return end_; }

 private:
  /// Outside of its ends it is at rest: the first derivative that is not zero there jumps.
  void find_smoothness() {
    const std::size_t order = nodes_.size() - 1;
    std::vector<double> x(size_ * (order + 1));
    double largest = 0;
    for (const double t : nodes_) {
      evaluate_inside(t, 0, x);
      for (std::size_t i = 0; i < size_; ++i) largest = std::max(largest, std::abs(x[i]));
    }
    for (const double t : {begin_, end_}) {
      evaluate_inside(t, order, x);
      double rounding = 1e-9 * largest;
      for (std::size_t k = 1; k <= order; ++k) {
        rounding *= static_cast<double>(k) / (end_ - begin_);
        const auto derivative = std::span(x).subspan(k * size_, size_);
        if (std::all_of(derivative.begin(), derivative.end(), [&](double each) { return std::abs(each) <= rounding; }))
          continue;
        smoothness_ = std::min(smoothness_, static_cast<int>(k) - 1);
        break;
      }
    }
  }

  /// Horner's scheme, also for the derivatives divided by their factorials.
  void evaluate_inside(double t, std::size_t order, std::span<double> x) const {
    const std::size_t n = size_, most = std::min(order, nodes_.size() - 1);
    std::fill_n(x.begin(), n * (order + 1), 0.0);
    for (std::size_t k = nodes_.size(); k-- > 0;) {
      const double s = t - nodes_[k];
      for (std::size_t j = most; j > 0; --j) {
        for (std::size_t i = 0; i < n; ++i) x[j * n + i] = x[j * n + i] * s + x[(j - 1) * n + i];
      }
      for (std::size_t i = 0; i < n; ++i) x[i] = x[i] * s + c_[k * n + i];
    }
    double factorial = 1;
    for (std::size_t j = 2; j <= most; ++j) {
      factorial *= static_cast<double>(j);
      for (std::size_t i = 0; i < n; ++i) x[j * n + i] *= factorial;
    }
  }

  std::size_t size_;
  std::vector<double> nodes_, c_;
  double begin_, end_;
  int smoothness_ = std::numeric_limits<int>::max();
};

/// Divided differences of one coordinate; `derivative(node, k)` is the k-th at a repeated node.
template <class Derivative>
std::vector<double> divided_differences(const std::vector<double>& nodes, Derivative&& derivative) {
  std::vector<double> d(nodes.size()), c;
  for (std::size_t j = 0; j < nodes.size(); ++j) d[j] = derivative(nodes[j], 0);
  c.push_back(d[0]);
  double factorial = 1;
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    factorial *= static_cast<double>(k);
    for (std::size_t j = 0; j + k < nodes.size(); ++j) {
      const double width = nodes[j + k] - nodes[j];
      d[j] = width == 0 ? derivative(nodes[j], k) / factorial : (d[j + 1] - d[j]) / width;
    }
    c.push_back(d[0]);
  }
  return c;
}

}  // namespace

JointTrajectory PolynomialMotion::make(const TrajectoryContext& context) const {
  JointTrajectory made = moved_joints(context, joints, moves);
  const std::size_t n = made.dofs.size();
  check_times(context, times, points.size());
  const auto x = rows_for_each_joint(context, made, "points", points),
             first = rows_for_each_joint(context, made, "start_rates", start_rates),
             last = rows_for_each_joint(context, made, "end_rates", end_rates);
  std::vector<double> nodes(start_rates.size(), times.front());
  nodes.insert(nodes.end(), times.begin(), times.end());
  nodes.insert(nodes.end(), end_rates.size(), times.back());
  constexpr std::size_t most_nodes = 200;  // with more, rounding errors of powers and factorials dominate
  if (nodes.size() > most_nodes) {
    refuse(context, "trajectory-count",
           concat("points and rates are ", nodes.size(), " together. One polynomial takes at most ", most_nodes,
                  "; use a spline."));
  }

  std::vector<double> c(nodes.size() * n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto one = divided_differences(nodes, [&](double t, std::size_t k) {
      if (k > 0) return (t == times.front() ? first : last)[(k - 1) * n + i];
      const auto place = static_cast<std::size_t>(std::find(times.begin(), times.end(), t) - times.begin());
      return x[place * n + i];
    });
    for (std::size_t k = 0; k < nodes.size(); ++k) c[k * n + i] = one[k];
  }
  check_range(context, c);
  made.motion = std::make_unique<NewtonPolynomial>(n, std::move(nodes), std::move(c), times.front(), times.back());
  return made;
}

}  // namespace articula::control
