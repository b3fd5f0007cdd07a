#include <articula/integrate/problem_stepper.h>

#include <algorithm>
#include <cassert>

namespace articula::integrate {

ProblemStepper::ProblemStepper(Problem& problem, const IntegratorOptions& options)
    : problem_(problem),
      integrator_(make_integrator(problem, options)),
      events_(problem),
      y_(static_cast<std::size_t>(problem.size())) {}

void ProblemStepper::start(double t, std::span<const double> y) {
  assert(y.size() == y_.size());
  t_ = t;
  std::copy(y.begin(), y.end(), y_.begin());
  problem_.make_consistent(t_, y_);
  restart();
}

void ProblemStepper::resume(double t, std::span<const double> y, std::span<const double> modes, std::uint64_t memory) {
  assert(y.size() == y_.size());
  t_ = t;
  std::copy(y.begin(), y.end(), y_.begin());
  problem_.set_modes(modes);
  integrator_->recall(memory);
  restart();
}

ProblemStepper::Reached ProblemStepper::advance(double t, double stop) {
  assert(t_ <= t && t <= stop);
  while (t_ < t) {
    const StepStatus status = step(stop);
    if (status != StepStatus::done) return status == StepStatus::stalled ? Reached::stalled : Reached::no_value;
    const bool to_end = t >= end();
    move_to(to_end ? end() : t);
    if (is_at_event()) {
      if (meet_event()) return Reached::event;
    } else if (to_end) {
      correct();
    }
  }
  return Reached::time;
}

StepStatus ProblemStepper::step(double stop) {
  if (is_ahead()) return StepStatus::done;
  if (restart_ != Restart::none) {
    integrator_->start(t_, y_);
    restart_ == Restart::after_event ? events_.restart(t_, y_) : events_.start(t_, y_);
    restart_ = Restart::none;
  }
  const StepStatus status = integrator_->step(stop);
  if (status == StepStatus::done) {
    event_ = events_.find(*integrator_);
  } else {
    restart();
  }
  return status;
}

void ProblemStepper::move_to(double t) {
  assert(t_ <= t && t <= end());
  t_ = t;
  if (is_at_event()) {
    std::copy(event_->y.begin(), event_->y.end(), y_.begin());
  } else if (t == integrator_->t()) {
    std::copy(integrator_->y().begin(), integrator_->y().end(), y_.begin());
  } else {
    integrator_->interpolate(t, y_);
    problem_.project(t, y_);
  }
}

std::optional<int> ProblemStepper::meet_event() {
  assert(is_at_event());
  std::optional<int> ending;
  for (const EventCrossing& crossing : event_->crossings) {
    if (problem_.on_event(crossing.function, t_, y_) && !ending) ending = crossing.function;
  }
  restart_ = Restart::after_event;
  event_ = nullptr;
  return ending;
}

void ProblemStepper::correct() {
  if (problem_.is_inconsistent(y_)) problem_.make_consistent(t_, jump());
}

std::span<double> ProblemStepper::jump() {
  restart();
  return y_;
}

}  // namespace articula::integrate
