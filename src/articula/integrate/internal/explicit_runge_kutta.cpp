#include <articula/integrate/internal/explicit_runge_kutta.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include <articula/integrate/internal/counted_problem.h>
#include <articula/integrate/internal/fixed_steps.h>
#include <articula/integrate/internal/stability.h>
#include <articula/integrate/internal/step_control.h>

namespace articula::integrate::internal {
namespace {

class ExplicitRungeKutta final : public Integrator {
 public:
  ExplicitRungeKutta(Problem& problem, const IntegratorOptions& options, const Tableau& tableau)
      : problem_(problem, counts_),
        options_(options),
        tab_(tableau),
        n_(static_cast<std::size_t>(problem.size())),
        stages_(tableau.b.size()),
        control_(std::max(1, tableau.error_order)),
        mean_reach_(n_) {
    y_.resize(n_);
    k_.resize((stages_ + 1) * n_);
    for (auto* values : {&y_before_, &y_new_, &y_stage_, &error_, &rate_before_, &rate_end_, &bump_, &scale_}) {
      values->resize(n_);
    }
  }

  void start(double t, std::span<const double> y) override;
  StepStatus step(double t_end) override;
  void interpolate(double t, std::span<double> y) override;
  Method method() const override { return options_.method; }
  std::uint64_t memory() const override { return stiff_.memory(); }
  void recall(std::uint64_t memory) override {
    stiff_.recall(memory);
    stiffness_.reset();
  }

 private:
  /// The outcome of an attempt.
  enum class Attempt { fits, too_inexact, no_value };

  std::span<double> k(std::size_t i) { return std::span(k_).subspan(i * n_, n_); }
  bool adaptive() const { return !tab_.e.empty(); }

  bool begin(double t_end);
  double first_step(double t_end);
  double length_towards(double t_end) const;
  Attempt attempt(double t_new, double h);
  bool run_stages(double h);
  void combine(double h, std::span<const double> weights, std::span<double> sum);
  void accept(double t_new, double h, bool is_cut_short);
  void judge_stability(double t_new, double h);

  CountedProblem problem_;
  IntegratorOptions options_;
  Tableau tab_;
  std::size_t n_, stages_;
  StepControl control_;
  FixedSteps grid_;
  StiffnessTest stiff_;
  MeanReach mean_reach_;

  std::vector<double> k_;  ///< rates of the stages, then the rate at the end
  std::vector<double> y_before_, y_new_, y_stage_, error_, rate_before_, rate_end_, bump_, scale_;
  double h_ = 0;           ///< the next step of the controller; 0: to be chosen
  double error_size_ = 0;  ///< of the last attempt, in units of the tolerance
  bool started_ = false;   ///< once
  bool begun_ = false;     ///< rate_end_ is f at (t_, y_)
};

void ExplicitRungeKutta::start(double t, std::span<const double> y) {
  assert(y.size() == n_);
  if (started_) ++counts_.restarts;
  started_ = true;
  t_ = t_before_ = t;
  std::copy(y.begin(), y.end(), y_.begin());
  h_ = 0;
  begun_ = false;
  control_.start();
  grid_.start(t, options_.step);
  mean_reach_.start(y_);
}

StepStatus ExplicitRungeKutta::step(double t_end) {
  assert(t_end > t_);
  if (!begun_ && !begin(t_end)) return StepStatus::no_value;

  double h = adaptive() ? length_towards(t_end) : 0;
  bool is_cut_short = h < h_;
  while (true) {
    const double t_new = adaptive() ? (h >= t_end - t_ ? t_end : t_ + h) : grid_.next(t_end);
    h = t_new - t_;
    if (!(h > 0)) return StepStatus::stalled;
    const Attempt result = attempt(t_new, h);
    if (result == Attempt::fits) {
      accept(t_new, h, is_cut_short);
      return StepStatus::done;
    }
    ++counts_.rejected;
    if (!adaptive()) return StepStatus::no_value;
    h *= result == Attempt::no_value ? control_.factor_after_no_value() : control_.factor_after_failure(error_size_);
    if (h < shortest_step(t_)) {
      return result == Attempt::no_value ? StepStatus::no_value : StepStatus::stalled;
    }
    h_ = h;
    is_cut_short = false;
  }
}

/// The rate at the start, and the first step.
bool ExplicitRungeKutta::begin(double t_end) {
  if (!problem_.rate(t_, y_, rate_end_)) return false;
  begun_ = true;
  if (adaptive() && h_ == 0) h_ = options_.step > 0 ? std::min(options_.step, options_.max_step) : first_step(t_end);
  return true;
}

/// The length for which a step of Euler's method changes y by a hundredth and the terms of order p are within the
/// tolerance. [Hairer, Nørsett, Wanner I, II.4]
double ExplicitRungeKutta::first_step(double t_end) {
  const double most = std::min(options_.max_step, t_end - t_);
  const auto norm = [&](std::span<const double> x) { return error_norm(x, y_, y_, options_); };
  const double size = norm(y_), slope = norm(rate_end_);
  double h0 = std::min(size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope, most);

  // If f has no value that far away, a shorter step.
  bool has_value = false;
  for (int tries = 0; tries < 8 && !has_value; ++tries) {
    if (tries > 0) h0 *= 0.1;
    for (std::size_t i = 0; i < n_; ++i) y_stage_[i] = y_[i] + h0 * rate_end_[i];
    has_value = problem_.rate(t_ + h0, y_stage_, k(0));
  }
  if (!has_value) return h0;

  for (std::size_t i = 0; i < n_; ++i) error_[i] = (k(0)[i] - rate_end_[i]) / h0;
  const double steepest = std::max(slope, norm(error_));
  const double h1 = steepest <= 1e-15 ? std::max(1e-6, h0 * 1e-3) : std::pow(0.01 / steepest, 1.0 / tab_.error_order);
  return std::min({100 * h0, h1, most});
}

/// The step that the controller wants, or one that ends at t_end; two equal ones where one does not suffice.
double ExplicitRungeKutta::length_towards(double t_end) const {
  const double left = t_end - t_;
  if (left <= h_ || (left <= 1.01 * h_ && left <= options_.max_step)) return left;
  return left < 2 * h_ ? left / 2 : h_;
}

ExplicitRungeKutta::Attempt ExplicitRungeKutta::attempt(double t_new, double h) {
  std::copy(rate_end_.begin(), rate_end_.end(), k(0).begin());
  if (!run_stages(h)) return Attempt::no_value;
  combine(h, tab_.b, y_new_);
  for (std::size_t i = 0; i < n_; ++i) y_new_[i] += y_[i];

  // Projects first, so that the rate at the end can be used for the estimate, the output and the next step. The
  // correction is of the size of the error; its effect on the estimate is h times that.
  problem_.project(t_new, y_new_);
  if (!problem_.rate(t_new, y_new_, k(stages_))) return Attempt::no_value;
  if (!adaptive()) return Attempt::fits;

  combine(h, tab_.e, error_);
  error_size_ = error_norm(error_, y_, y_new_, options_);
  if (!std::isfinite(error_size_)) return Attempt::no_value;
  return error_size_ <= 1 ? Attempt::fits : Attempt::too_inexact;
}

bool ExplicitRungeKutta::run_stages(double h) {
  const double* row = tab_.a.data();
  for (std::size_t i = 1; i < stages_; row += i, ++i) {
    combine(h, {row, i}, y_stage_);
    for (std::size_t m = 0; m < n_; ++m) y_stage_[m] += y_[m];
    if (!problem_.rate(t_ + tab_.c[i] * h, y_stage_, k(i))) return false;
  }
  return true;
}

/// h Σ weights_i k_i
void ExplicitRungeKutta::combine(double h, std::span<const double> weights, std::span<double> sum) {
  std::fill(sum.begin(), sum.end(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const double weight = h * weights[i];
    const double* rate = k_.data() + i * n_;
    for (std::size_t m = 0; m < n_; ++m) sum[m] += weight * rate[m];
  }
}

/// h·|λ|. With a tolerance from the last stage and the end of the step, two states at nearly the same time that differ most
/// in what is fastest.  [Hairer, Wanner II, IV.2]
///
/// Of the classical method from its stages: where f = J·y, k₃ − k₂ = (h/2)²·J²·k₁, and J² = λ² for an oscillation, too.
void ExplicitRungeKutta::judge_stability(double t_new, double h) {
  stability_.bound = tab_.stability;
  if (!adaptive()) {
    mean_reach_.grow(y_new_);
    std::fill(error_.begin(), error_.end(), 0.0);
    const double start = squared_distance(k(0), error_, mean_reach_.scale());
    const double twice = squared_distance(k(2), k(1), mean_reach_.scale());
    const bool moves = start * h * h > 1e-18 * static_cast<double>(n_);  // more than rounding does
    stability_.reach = mean_reach_.see(moves ? 2 * std::pow(twice / start, 0.25) : 0);
    return;
  }
  for (std::size_t i = 0; i < n_; ++i) scale_[i] = options_.absolute + options_.relative * std::abs(y_new_[i]);
  stability_.reach = h * fastest_rate(k(stages_), k(stages_ - 1), y_new_, y_stage_, scale_);
  if (stiff_.see(stability_.reach > 0.98 * tab_.stability) && !stiffness_) {
    stiffness_ = Stiffness{t_new, h, stability_.reach};
  }
}

void ExplicitRungeKutta::accept(double t_new, double h, bool is_cut_short) {
  judge_stability(t_new, h);
  if (!tab_.d.empty()) combine(h, tab_.d, bump_);
  std::swap(y_before_, y_);
  std::swap(y_, y_new_);
  std::swap(rate_before_, rate_end_);
  std::copy(k(stages_).begin(), k(stages_).end(), rate_end_.begin());
  t_before_ = t_;
  t_ = t_new;
  ++counts_.steps;
  if (!adaptive()) {
    grid_.took(t_new);
    return;
  }
  // A step cut short by t_end says that longer ones are possible, not that shorter ones are needed.
  const double next = h * control_.factor_after_success(error_size_);
  h_ = std::min(is_cut_short ? std::max(next, h_) : next, options_.max_step);
}

void ExplicitRungeKutta::interpolate(double t, std::span<double> y) {
  assert(y.size() == n_);
  const double h = t_ - t_before_;
  if (t == t_ || !(h > 0)) {
    std::copy(y_.begin(), y_.end(), y.begin());
    return;
  }
  if (t == t_before_) {
    std::copy(y_before_.begin(), y_before_.end(), y.begin());
    return;
  }
  const double s = (t - t_before_) / h, r = 1 - s;
  for (std::size_t i = 0; i < n_; ++i) {
    const double chord = y_[i] - y_before_[i];
    const double bend0 = h * rate_before_[i] - chord;
    const double bend1 = chord - h * rate_end_[i] - bend0;
    y[i] = y_before_[i] + s * (chord + r * (bend0 + s * (bend1 + r * bump_[i])));
  }
  problem_.project(t, y);
}

}  // namespace

std::unique_ptr<Integrator> make_explicit_runge_kutta(Problem& problem, const IntegratorOptions& options,
                                                      const Tableau& tableau) {
  return std::make_unique<ExplicitRungeKutta>(problem, options, tableau);
}

}  // namespace articula::integrate::internal
