#include <articula/integrate/internal/semi_implicit_euler.h>

#include <algorithm>
#include <cassert>
#include <vector>

#include <articula/integrate/internal/counted_problem.h>
#include <articula/integrate/internal/fixed_steps.h>
#include <articula/integrate/internal/stability.h>

namespace articula::integrate::internal {
namespace {

class SemiImplicitEuler final : public Integrator {
 public:
  SemiImplicitEuler(Problem& problem, const IntegratorOptions& options)
      : problem_(problem, counts_), h_(options.step), mean_reach_(static_cast<std::size_t>(problem.size())) {
    for (auto* values : {&y_, &y_before_, &y_new_, &rate_, &rate_before_})
      values->resize(static_cast<std::size_t>(problem.size()));
  }

  void start(double t, std::span<const double> y) override {
    assert(y.size() == y_.size());
    if (started_) ++counts_.restarts;
    started_ = true;
    t_ = t_before_ = t;
    std::copy(y.begin(), y.end(), y_.begin());
    grid_.start(t, h_);
    mean_reach_.start(y_);
    has_rate_ = false;
  }

  Method method() const override { return Method::semi_implicit; }

  StepStatus step(double t_end) override {
    assert(t_end > t_);
    const double t_new = grid_.next(t_end);
    if (!(t_new > t_)) return StepStatus::stalled;
    std::copy(y_.begin(), y_.end(), y_new_.begin());
    std::swap(rate_before_, rate_);
    bool has_value = problem_.rate(t_, y_, rate_);
    if (has_value) {
      judge_stability();
      problem_.uncounted().semi_implicit_step(t_new - t_, rate_, y_new_);
      problem_.project(t_new, y_new_);
      has_value = CountedProblem::finite(y_new_);
    }
    if (!has_value) {
      ++counts_.rejected;
      return StepStatus::no_value;
    }
    std::swap(y_before_, y_);
    std::swap(y_, y_new_);
    t_before_ = t_;
    t_ = t_new;
    grid_.took(t_new);
    ++counts_.steps;
    return StepStatus::done;
  }

  void interpolate(double t, std::span<double> y) override {
    const double h = t_ - t_before_;
    if (t == t_ || !(h > 0)) {
      std::copy(y_.begin(), y_.end(), y.begin());
      return;
    }
    const double s = (t - t_before_) / h;
    for (std::size_t i = 0; i < y_.size(); ++i) y[i] = y_before_[i] + s * (y_[i] - y_before_[i]);
    problem_.project(t, y);
  }

 private:
  /// λ from the rates at both ends of the step before.
  void judge_stability() {
    mean_reach_.grow(y_);
    if (has_rate_) {
      const double rate = fastest_rate(rate_, rate_before_, y_, y_before_, mean_reach_.scale());
      stability_ = {mean_reach_.see((t_ - t_before_) * rate), 2};
    }
    has_rate_ = true;
  }

  CountedProblem problem_;
  double h_;
  FixedSteps grid_;
  MeanReach mean_reach_;
  std::vector<double> y_before_, y_new_, rate_, rate_before_;
  bool has_rate_ = false;  ///< rate_ is that at t_before_, once a step has begun
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Integrator> make_semi_implicit_euler(Problem& problem, const IntegratorOptions& options) {
  return std::make_unique<SemiImplicitEuler>(problem, options);
}

}  // namespace articula::integrate::internal
