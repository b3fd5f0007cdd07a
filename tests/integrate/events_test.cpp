// Events against the times that closed forms give.

#include <articula/integrate/events.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <integrate/problems.h>

namespace articula::test {
namespace {

using testing::ElementsAre;

/// y' = 1, y = t: any functions of time, met exactly by every method but the last digits.
class Clock : public CountingProblem {
 public:
  using Function = std::function<double(double)>;
  explicit Clock(std::vector<Function> functions) : functions_(std::move(functions)) {}
  int size() const override { return 1; }
  std::vector<double> start() const override { return {0}; }
  int event_count() const override { return static_cast<int>(functions_.size()); }
  void event_values(double, std::span<const double> y, std::span<double> g) override {
    for (std::size_t k = 0; k < functions_.size(); ++k) g[k] = functions_[k](y[0]);
    ++looks;
  }
  long looks = 0;

 protected:
  bool f(double, std::span<const double>, std::span<double> ydot) override {
    ydot[0] = 1;
    return true;
  }

 private:
  std::vector<Function> functions_;
};

struct Met {
  double t;
  std::string what;  ///< "0+ 2-": functions and directions
};

std::string text_of(std::span<const EventCrossing> crossings) {
  std::string text;
  for (const EventCrossing& crossing : crossings) {
    text += (text.empty() ? "" : " ") + std::to_string(crossing.function) + (crossing.rising ? "+" : "-");
  }
  return text;
}

/// All events of steps of length h until t_end, without restarts.
std::vector<Met> met(Clock& clock, double h, double t_end,
                     const std::vector<std::pair<int, EventDirection>>& watched = {}) {
  const auto integrator = make_integrator(clock, {.method = Method::rk4, .step = h});
  EventFinder events(clock);
  for (const auto& [function, direction] : watched) events.watch(function, direction);
  integrator->start(0, clock.start());
  events.start(0, clock.start());
  std::vector<Met> all;
  while (integrator->t() < t_end) {
    EXPECT_EQ(integrator->step(t_end), StepStatus::done);
    while (const Event* event = events.find(*integrator)) {
      EXPECT_GE(event->t, integrator->t_before());
      EXPECT_LE(event->t, integrator->t());
      EXPECT_NEAR(event->y[0], event->t, 1e-14 * (1 + event->t));
      all.push_back({event->t, text_of(event->crossings)});
    }
  }
  return all;
}

MATCHER_P2(IsMet, t, what, "") { return std::abs(arg.t - t) <= 2e-14 * (1 + std::abs(t)) && arg.what == what; }

TEST(Events, ABallBouncesWhenTheClosedFormSays) {
  // Each bounce takes a third off the speed: t_k = √(2/g) (1 + 2 Σ e^j).
  constexpr double e = 2.0 / 3;
  for (std::size_t k = 0; k < method_names.size(); ++k) {
    const Method method = static_cast<Method>(k);
    Ball ball;
    IntegratorOptions options = with_tolerance(method, 1e-10);
    options.step = method == Method::semi_implicit ? 1e-5 : method == Method::rk4 ? 1e-3 : 0;
    const auto integrator = make_integrator(ball, options);
    EventFinder events(ball);
    std::vector<double> y = ball.start();
    integrator->start(0, y);
    events.start(0, y);
    const double fall = std::sqrt(2 / Ball::gravity);
    double expected = fall, flight = 2 * fall;
    int bounces = 0;
    while (integrator->t() < 2 && bounces < 12) {
      ASSERT_EQ(integrator->step(2), StepStatus::done) << method_names[k];
      while (const Event* event = events.find(*integrator)) {
        ASSERT_EQ(event->crossings.size(), 1u);
        EXPECT_FALSE(event->crossings[0].rising);
        const bool is_exact =
            method == Method::rk4 || method == Method::rk45 || method == Method::kutta_merson || method == Method::rk23;
        EXPECT_NEAR(event->t, expected,
                    is_exact                          ? 1e-12
                    : method == Method::semi_implicit ? 20 * options.step
                                                      : 1e-7)
            << method_names[k] << " bounce " << bounces;
        y.assign(event->y.begin(), event->y.end());
        y[1] *= -e;
        integrator->start(event->t, y);
        events.restart(event->t, y);
        flight *= e;
        expected += flight;
        ++bounces;
      }
    }
    EXPECT_GE(bounces, 4) << method_names[k];
  }
}

TEST(Events, AreFoundEarliestFirst) {
  Clock clock(
      {[](double t) { return t - 0.7; }, [](double t) { return 0.3 - t; }, [](double t) { return std::sin(9 * t); }});
  EXPECT_THAT(met(clock, 1, 1), ElementsAre(IsMet(0.3, "1-"), IsMet(std::numbers::pi / 9, "2-"),
                                            IsMet(2 * std::numbers::pi / 9, "2+"), IsMet(0.7, "0+")));
}

TEST(Events, AtTheSameMomentAreOne) {
  Clock clock(
      {[](double t) { return t - 0.5; }, [](double t) { return t - 0.6; }, [](double t) { return 5 - 10 * t; }});
  EXPECT_THAT(met(clock, 0.2, 1), ElementsAre(IsMet(0.5, "0+ 2-"), IsMet(0.6, "1+")));
}

TEST(Events, CountOnlyInTheDirectionWatched) {
  Clock clock({[](double t) { return std::sin(t); }, [](double t) { return std::cos(t); }});
  const double pi = std::numbers::pi;
  EXPECT_THAT(met(clock, 0.1, 10, {{0, EventDirection::rising}, {1, EventDirection::falling}}),
              ElementsAre(IsMet(pi / 2, "1-"), IsMet(2 * pi, "0+"), IsMet(5 * pi / 2, "1-")));
}

TEST(Events, TwoZerosInOneStepAreSeen) {
  // From zeros far apart to a dip a thousandth of the step wide.
  for (const double gap : {0.3, 0.1, 0.01, 0.001}) {
    for (const double middle : {0.2, 0.41, 0.5, 0.77}) {
      const double first = middle - gap / 2, second = middle + gap / 2;
      Clock clock({[=](double t) { return (t - first) * (t - second); }});
      const auto all = met(clock, 1, 1);
      ASSERT_EQ(all.size(), 2u) << gap << " at " << middle;
      EXPECT_NEAR(all[0].t, first, 1e-12);
      EXPECT_NEAR(all[1].t, second, 1e-12);
      EXPECT_EQ(all[0].what + all[1].what, "0-0+");
    }
  }
}

TEST(Events, DipsThatAreNoParabolasAreSeenToo) {
  Clock clock({[](double t) { return std::cosh(3 * (t - 0.55)) - 1.01; }});
  const double half = std::acosh(1.01) / 3;
  const auto all = met(clock, 1, 1);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NEAR(all[0].t, 0.55 - half, 1e-12);
  EXPECT_NEAR(all[1].t, 0.55 + half, 1e-12);
}

TEST(Events, AZeroAtTheStartIsNone) {
  Clock clock({[](double t) { return t; }, [](double t) { return -t; }, [](double t) { return t * (t - 0.01); }});
  EXPECT_THAT(met(clock, 0.25, 1), ElementsAre(IsMet(0.01, "2+")));
}

TEST(Events, AZeroAtTheEndOfAStepIsOneAndNotTwo) {
  Clock clock({[](double t) { return t - 0.5; }});
  EXPECT_THAT(met(clock, 0.25, 1), ElementsAre(IsMet(0.5, "0+")));
}

TEST(Events, AFunctionMayStayAtZero) {
  // It arrives, rests, and leaves on the other side: one event.
  Clock clock({[](double t) { return t < 0.3 ? t - 0.3 : t > 0.6 ? t - 0.6 : 0.0; }});
  EXPECT_THAT(met(clock, 0.1, 1), ElementsAre(IsMet(0.3, "0+")));
}

TEST(Events, JumpsOfAFunctionAreNarrowedDown) {
  const double where = std::numbers::inv_pi;
  Clock clock({[=](double t) { return t < where ? -1.0 : 7.0; }});
  EXPECT_THAT(met(clock, 1, 1), ElementsAre(IsMet(where, "0+")));
}

TEST(Events, WhatIsNoNumberIsNoEvent) {
  Clock clock({[](double t) { return t < 0.5 ? std::numeric_limits<double>::quiet_NaN() : t - 0.8; }});
  EXPECT_THAT(met(clock, 0.1, 1), ElementsAre(IsMet(0.8, "0+")));
}

TEST(Events, AreNotMetAgainAfterARestartWithoutAJump) {
  for (const Method method : adaptive_methods) {
    Planet planet;
    class Watched : public Planet {
     public:
      int event_count() const override { return 1; }
      void event_values(double, std::span<const double> y, std::span<double> g) override { g[0] = y[1]; }
    } watched;
    // The planet passes its axis at the aphelion and the perihelion, at t = k·π.
    const auto integrator = make_integrator(watched, with_tolerance(method, 1e-10));
    EventFinder events(watched);
    std::vector<double> y = watched.start();
    integrator->start(0, y);
    events.start(0, y);
    std::vector<double> times;
    while (integrator->t() < 10) {
      ASSERT_EQ(integrator->step(10), StepStatus::done);
      while (const Event* event = events.find(*integrator)) {
        times.push_back(event->t);
        y.assign(event->y.begin(), event->y.end());
        const double t = event->t;
        integrator->start(t, y);
        events.restart(t, y);
      }
    }
    ASSERT_EQ(times.size(), 3u) << name_of(method);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(times[k], static_cast<double>(k + 1) * std::numbers::pi, 1e-6) << name_of(method);
    }
  }
}

TEST(Events, AJumpThatMovesTheFunctionGivesItANewSide) {
  // A relay that waits for the next level as soon as it met one.
  class Relay : public Clock {
   public:
    Relay() : Clock({[](double) { return 0.0; }}) {}
    double level = 0.25;
    void event_values(double, std::span<const double> y, std::span<double> g) override { g[0] = y[0] - level; }
  } relay;
  const auto integrator = make_integrator(relay, {.method = Method::rk4, .step = 1});
  EventFinder events(relay);
  std::vector<double> y{0};
  integrator->start(0, y);
  events.start(0, y);
  std::vector<double> times;
  while (integrator->t() < 1.1) {
    ASSERT_EQ(integrator->step(1.1), StepStatus::done);
    while (const Event* event = events.find(*integrator)) {
      times.push_back(event->t);
      relay.level += 0.25;
      y.assign(event->y.begin(), event->y.end());
      const double t = event->t;
      integrator->start(t, y);
      events.restart(t, y);
    }
  }
  ASSERT_EQ(times.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(times[k], 0.25 * static_cast<double>(k + 1), 1e-13);
}

TEST(Events, AFunctionThatJumpsIsMetAgainAfterARestart) {
  // −1, 7, −1, 7, ...: nothing near zero tells that the last jump is over.
  Clock clock({[](double t) { return static_cast<long>(std::floor(t / 0.3)) % 2 == 0 ? -1.0 : 7.0; }});
  const auto integrator = make_integrator(clock, {.method = Method::rk4, .step = 0.05});
  EventFinder events(clock);
  std::vector<double> y{0}, times;
  integrator->start(0, y);
  events.start(0, y);
  while (integrator->t() < 1) {
    ASSERT_EQ(integrator->step(1), StepStatus::done);
    while (const Event* event = events.find(*integrator)) {
      times.push_back(event->t);
      y.assign(event->y.begin(), event->y.end());
      const double t = event->t;
      integrator->start(t, y);
      events.restart(t, y);
    }
  }
  ASSERT_EQ(times.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(times[k], 0.3 * static_cast<double>(k + 1), 1e-13);
}

TEST(Events, CostFewEvaluationsWhenSmooth) {
  Clock clock({[](double t) { return std::exp(t) - 2; }});
  EXPECT_THAT(met(clock, 1, 1), ElementsAre(IsMet(std::log(2.0), "0+")));
  EXPECT_LE(clock.looks, 20);
}

TEST(Events, OfAProblemWithoutAnyAreNone) {
  Growth growth;
  EventFinder events(growth);
  const auto integrator = make_integrator(growth, {});
  integrator->start(0, growth.start());
  events.start(0, growth.start());
  ASSERT_EQ(integrator->step(1), StepStatus::done);
  EXPECT_EQ(events.find(*integrator), nullptr);
}

}  // namespace
}  // namespace articula::test
