#include <articula/integrate/events.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace articula::integrate {
namespace {

/// Sampling points of each step, as fractions; the first ones are used only while the sign of a function is unknown.
constexpr std::array early{1e-6, 1e-3};
constexpr std::array places{1.0 / 3, 2.0 / 3, 1.0};

/// Accuracy of the time of an event.
double time_tolerance(const Integrator& integrator) {
  return 1e-14 * (std::abs(integrator.t()) + integrator.t() - integrator.t_before());
}

signed char sign(double g) { return static_cast<signed char>((g > 0) - (g < 0)); }

/// Where the parabola through three points comes nearest to zero, if that is between them, on their side of zero or
/// beyond it, and much nearer than they are.
std::optional<double> dip(std::array<double, 3> t, std::array<double, 3> g) {
  const int side = sign(g[0]);
  if (side == 0 || sign(g[1]) != side || sign(g[2]) != side) return {};
  const double slope = (g[1] - g[0]) / (t[1] - t[0]);
  const double bend = ((g[2] - g[1]) / (t[2] - t[1]) - slope) / (t[2] - t[0]);
  if (!(side * bend > 0)) return {};
  const double bottom = (t[0] + t[1]) / 2 - slope / (2 * bend);
  if (!(bottom > t[0] && bottom < t[2])) return {};
  const double value = g[0] + (bottom - t[0]) * (slope + bend * (bottom - t[1]));
  const double least = std::min({side * g[0], side * g[1], side * g[2]});
  return side * value < 0.5 * least ? std::optional(bottom) : std::nullopt;
}

}  // namespace

EventFinder::EventFinder(Problem& problem)
    : problem_(problem),
      n_(static_cast<std::size_t>(problem.event_count())),
      sides_(n_, 0),
      residuals_(n_, -1.0),
      y_(static_cast<std::size_t>(problem.size())) {
  samples_.resize(early.size() + places.size() + n_);
  for (Sample& sample : samples_) sample.g.resize(n_);
  for (Sample* sample : {&low_, &high_, &probe_}) sample->g.resize(n_);
  crossings_.reserve(n_);
  directions_.reserve(n_);
  for (int k = 0; k < problem.event_count(); ++k) directions_.push_back(problem.event_direction(k));
}

void EventFinder::watch(int function, EventDirection direction) {
  directions_.at(static_cast<std::size_t>(function)) = direction;
}

void EventFinder::start(double t, std::span<const double> y) {
  std::fill(residuals_.begin(), residuals_.end(), -1.0);
  restart(t, y);
}

void EventFinder::restart(double t, std::span<const double> y) {
  used_ = next_ = 0;
  sampled_until_ = t;
  look(t, y, low_);
  for (std::size_t k = 0; k < n_; ++k) {
    const bool is_same_zero = std::abs(low_.g[k]) <= 4 * residuals_[k];
    sides_[k] = is_same_zero ? 0 : sign(low_.g[k]);
  }
}

const Event* EventFinder::find(Integrator& integrator) {
  if (n_ == 0) return nullptr;
  if (integrator.t() > sampled_until_) sample_step(integrator);
  for (; next_ < used_; ++next_) {
    Sample& sample = samples_[next_];
    if (!(sample.t > low_.t)) continue;
    if (any_crosses(sample)) {
      high_.t = sample.t;
      std::copy(sample.g.begin(), sample.g.end(), high_.g.begin());
      narrow(integrator);
      return report(integrator);
    }
    pass(sample);
  }
  return nullptr;
}

void EventFinder::look(double t, std::span<const double> y, Sample& sample) {
  sample.t = t;
  problem_.event_values(t, y, sample.g);
}

void EventFinder::look_inside(Integrator& integrator, double t, Sample& sample) {
  integrator.interpolate(t, y_);
  look(t, y_, sample);
}

void EventFinder::sample_step(Integrator& integrator) {
  const double t0 = low_.t, h = integrator.t() - t0;
  used_ = next_ = 0;
  sampled_until_ = integrator.t();
  const auto add = [&](double part) {
    const double t = part == 1 ? integrator.t() : t0 + part * h;
    look_inside(integrator, t, samples_[used_++]);
  };
  if (std::find(sides_.begin(), sides_.end(), 0) != sides_.end()) std::for_each(early.begin(), early.end(), add);
  std::for_each(places.begin(), places.end(), add);
  add_dips(integrator);
}

/// Adds a sample where a function seems to touch zero between samples.
void EventFinder::add_dips(Integrator& integrator) {
  const std::size_t regular = used_;
  const auto at = [&](std::size_t i) -> const Sample& { return i == 0 ? low_ : samples_[i - 1]; };
  for (std::size_t k = 0; k < n_; ++k) {
    for (std::size_t i = 0; i + 2 <= regular; ++i) {
      const auto bottom = dip({at(i).t, at(i + 1).t, at(i + 2).t}, {at(i).g[k], at(i + 1).g[k], at(i + 2).g[k]});
      if (!bottom) continue;
      look_inside(integrator, *bottom, samples_[used_++]);
      break;
    }
  }
  std::sort(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(used_),
            [](const Sample& a, const Sample& b) { return a.t < b.t; });
}

bool EventFinder::crosses(std::size_t k, double g) const {
  if (sides_[k] == 0 || !(g * sides_[k] <= 0)) return false;
  const bool rising = sides_[k] < 0;
  return directions_[k] == EventDirection::both || rising == (directions_[k] == EventDirection::rising);
}

bool EventFinder::any_crosses(const Sample& sample) const {
  for (std::size_t k = 0; k < n_; ++k) {
    if (crosses(k, sample.g[k])) return true;
  }
  return false;
}

/// Moves the lower end there. Takes the values of `sample` and leaves older ones in it.
void EventFinder::pass(Sample& sample) {
  std::swap(low_, sample);
  for (std::size_t k = 0; k < n_; ++k) {
    const bool may_be_the_last_zero =
        sides_[k] == 0 && low_.t < sides_from_ && std::abs(low_.g[k]) <= 4 * residuals_[k];
    if (const signed char side = sign(low_.g[k]); side != 0 && !may_be_the_last_zero) sides_[k] = side;
  }
}

/// The Illinois variant of the secant rule for the function that seems to be first, with halving where that shrinks the
/// interval too slowly. [Dowell, Jarratt: BIT 11 (1971) 168]
void EventFinder::narrow(Integrator& integrator) {
  const double tolerance = time_tolerance(integrator);
  double weight_low = 1, weight_high = 1;
  int last_moved = 0;
  double width_before = std::numeric_limits<double>::infinity(), width_before_that = width_before;
  while (high_.t - low_.t > tolerance) {
    const double width = high_.t - low_.t;
    double t = width > 0.5 * width_before_that ? low_.t + width / 2 : guess(weight_low, weight_high);
    t = std::clamp(t, low_.t + tolerance / 2, high_.t - tolerance / 2);
    look_inside(integrator, t, probe_);
    const int moved = any_crosses(probe_) ? 1 : -1;
    if (moved > 0) {
      std::swap(high_, probe_);
    } else {
      pass(probe_);
    }
    // The value at an end that is kept twice is halved.
    weight_low = moved > 0 ? (last_moved > 0 ? weight_low / 2 : weight_low) : 1;
    weight_high = moved < 0 ? (last_moved < 0 ? weight_high / 2 : weight_high) : 1;
    last_moved = moved;
    width_before_that = std::exchange(width_before, width);
  }
}

double EventFinder::guess(double weight_low, double weight_high) const {
  double part = 1;
  for (std::size_t k = 0; k < n_; ++k) {
    if (!crosses(k, high_.g[k])) continue;
    const double low = weight_low * std::abs(low_.g[k]), high = weight_high * std::abs(high_.g[k]);
    part = std::min(part, low + high > 0 ? low / (low + high) : 0.5);
  }
  return low_.t + part * (high_.t - low_.t);
}

const Event* EventFinder::report(Integrator& integrator) {
  crossings_.clear();
  for (std::size_t k = 0; k < n_; ++k) {
    residuals_[k] = -1;
    if (!crosses(k, high_.g[k])) continue;
    crossings_.push_back({.function = static_cast<int>(k), .rising = sides_[k] < 0});
    residuals_[k] = std::max(std::abs(low_.g[k]), std::abs(high_.g[k]));
    sides_[k] = 0;
  }
  sides_from_ = high_.t + 1e4 * time_tolerance(integrator);
  pass(high_);
  integrator.interpolate(low_.t, y_);
  event_ = {.t = low_.t, .y = y_, .crossings = crossings_};
  return &event_;
}

}  // namespace articula::integrate
