// Integrators against closed forms, published numbers and an independent count of evaluations.

#include <articula/integrate/integrator.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <articula/base/error.h>
#include <integrate/problems.h>

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Every step has the length h: the tolerance never matters.
IntegratorOptions with_steps(Method method, double h) {
  return {.method = method, .relative = 1e6, .absolute = 1e6, .step = h, .max_step = h};
}

/// log2 of how much halving the step improves the result.
double order_of(CountingProblem& problem, Method method, double h, double t_end) {
  return std::log2(error_at(problem, with_steps(method, h), t_end) /
                   error_at(problem, with_steps(method, h / 2), t_end));
}

TEST(Integrator, HasTheOrderOfItsMethod) {
  constexpr double tolerance = 0.15;
  Growth growth;
  Planet planet;
  EXPECT_NEAR(order_of(growth, Method::rk4, 0.05, 2), 4, tolerance);
  EXPECT_NEAR(order_of(growth, Method::rk23, 0.05, 2), 3, tolerance);
  EXPECT_NEAR(order_of(growth, Method::rk45, 0.05, 2), 5, tolerance);
  EXPECT_NEAR(order_of(growth, Method::kutta_merson, 0.05, 2), 4, tolerance);
  EXPECT_NEAR(order_of(planet, Method::rk4, 0.02, 5), 4, tolerance);
  EXPECT_NEAR(order_of(planet, Method::rk23, 0.02, 5), 3, tolerance);
  EXPECT_NEAR(order_of(planet, Method::rk45, 0.02, 5), 5, tolerance);
  EXPECT_NEAR(order_of(planet, Method::kutta_merson, 0.01, 5), 4, tolerance);
  EXPECT_NEAR(order_of(planet, Method::semi_implicit, 0.001, 5), 1, tolerance);
}

/// The largest error between the ends of steps, of a method with steps h.
double dense_error(CountingProblem& problem, Method method, double h, double t_end) {
  const auto integrator = make_integrator(problem, with_steps(method, h));
  integrator->start(0, problem.start());
  std::vector<double> y(problem.start().size());
  double largest = 0;
  while (integrator->t() < t_end) {
    if (integrator->step(t_end) != StepStatus::done) return std::numeric_limits<double>::infinity();
    for (const double part : {0.17, 0.5, 0.71}) {
      const double t = integrator->t_before() + part * (integrator->t() - integrator->t_before());
      integrator->interpolate(t, y);
      largest = std::max(largest, largest_difference(y, problem.exact(t)));
    }
  }
  return largest;
}

TEST(Integrator, IsOfItsOrderBetweenTheEndsOfSteps) {
  // One order is lost where the error of a single interpolation, of order p + 1, is larger than what has added up.
  const auto order = [](Method method, double h) {
    Planet planet;
    return std::log2(dense_error(planet, method, h, 5) / dense_error(planet, method, h / 2, 5));
  };
  EXPECT_NEAR(order(Method::rk4, 0.02), 4, 0.2);
  EXPECT_NEAR(order(Method::rk23, 0.02), 3, 0.2);
  EXPECT_GT(order(Method::rk45, 0.02), 4.5);
  EXPECT_NEAR(order(Method::kutta_merson, 0.02), 4, 0.3);
  EXPECT_NEAR(order(Method::semi_implicit, 0.001), 1, 0.2);
}

TEST(Integrator, IsAsExactBetweenTheEndsOfStepsAsAtThem) {
  for (const Method method : adaptive_methods) {
    Planet planet;
    const auto integrator = make_integrator(planet, with_tolerance(method, 1e-8));
    integrator->start(0, planet.start());
    std::vector<double> y(4);
    double at_ends = 0, between = 0;
    while (integrator->t() < 10) {
      ASSERT_EQ(integrator->step(10), StepStatus::done);
      at_ends = std::max(at_ends, largest_difference(integrator->y(), planet.exact(integrator->t())));
      for (const double part : {0.2, 0.5, 0.8}) {
        const double t = integrator->t_before() + part * (integrator->t() - integrator->t_before());
        integrator->interpolate(t, y);
        between = std::max(between, largest_difference(y, planet.exact(t)));
      }
    }
    EXPECT_LT(between, 3 * at_ends + 1e-8) << name_of(method);
  }
}

TEST(Integrator, IsContinuousAtTheEndsOfSteps) {
  for (const Method method : adaptive_methods) {
    Planet planet;
    const auto integrator = make_integrator(planet, with_tolerance(method, 1e-8));
    integrator->start(0, planet.start());
    std::vector<double> before(4), y(4);
    for (int k = 0; k < 50; ++k) {
      before.assign(integrator->y().begin(), integrator->y().end());
      ASSERT_EQ(integrator->step(100), StepStatus::done);
      integrator->interpolate(integrator->t_before(), y);
      EXPECT_LT(largest_difference(y, before), 1e-14) << name_of(method) << " step " << k;
      integrator->interpolate(integrator->t(), y);
      EXPECT_EQ(largest_difference(y, integrator->y()), 0) << name_of(method);
    }
  }
}

TEST(Integrator, ErrorFollowsTheTolerance) {
  // Per thousandfold tolerance the error falls by about as much, and stays within a factor of the tolerance that
  // belongs to the problem (an orbit and a half: errors along it grow).
  for (const Method method : adaptive_methods) {
    Planet planet;
    const double coarse = error_at(planet, with_tolerance(method, 1e-5), 10);
    const double fine = error_at(planet, with_tolerance(method, 1e-8), 10);
    EXPECT_LT(fine, 1e-8 * 3000) << name_of(method);
    EXPECT_GT(coarse / fine, 60) << name_of(method);
    EXPECT_LT(coarse / fine, 20000) << name_of(method);
  }
}

TEST(Integrator, StepsGrowWithTheOrderOfTheMethod) {
  // A method of order p needs 10^(k/(p + 1)) times the steps for k digits more; DIRK's estimate is of order 3.
  const auto steps = [](Method method, double tolerance) {
    Growth growth;
    const auto integrator = make_integrator(growth, with_tolerance(method, tolerance));
    integrator->start(0, growth.start());
    EXPECT_EQ(advance(*integrator, 20), StepStatus::done);
    return static_cast<double>(integrator->counts().steps);
  };
  const auto ratio = [&](Method method) { return std::log10(steps(method, 1e-10) / steps(method, 1e-6)); };
  EXPECT_NEAR(ratio(Method::rk23), 4.0 / 3, 0.1);
  EXPECT_NEAR(ratio(Method::rk45), 4.0 / 5, 0.1);
  EXPECT_NEAR(ratio(Method::dirk), 4.0 / 4, 0.15);
}

TEST(Integrator, DormandPrinceCountsAsItsAuthorsCodeDoes) {
  // The driver of dopri5 by Hairer and Wanner, Arenstorf orbit at tolerance 1e-7: 1442 evaluations, 240 steps, of which
  // 216 accepted (a rejection before the first success it does not list).
  Arenstorf orbit;
  const auto integrator = make_integrator(orbit, with_tolerance(Method::rk45, 1e-7));
  integrator->start(0, orbit.start());
  ASSERT_EQ(advance(*integrator, Arenstorf::period), StepStatus::done);
  EXPECT_NEAR(static_cast<double>(integrator->counts().rates), 1442, 12);
  EXPECT_NEAR(static_cast<double>(integrator->counts().steps), 216, 2);
  EXPECT_LT(error_at(orbit, with_tolerance(Method::rk45, 1e-12), Arenstorf::period), 1e-6);
}

TEST(Integrator, MersonsEstimateIsExactForLinearEquationsOnly) {
  // y' = −y: the estimate is the error of y₁, so that the accepted error of one step is near the tolerance. For the
  // planet it is of lower order than the error, which therefore falls faster than the tolerance.
  const auto fall = [](CountingProblem& problem) {
    return error_at(problem, with_tolerance(Method::kutta_merson, 1e-6), 10) /
           error_at(problem, with_tolerance(Method::kutta_merson, 1e-10), 10);
  };
  class Decay : public CountingProblem {
   public:
    int size() const override { return 1; }
    std::vector<double> start() const override { return {1}; }
    std::vector<double> exact(double t) const override { return {std::exp(-t)}; }
    bool f(double, std::span<const double> y, std::span<double> ydot) override {
      ydot[0] = -y[0];
      return true;
    }
  };
  Decay decay;
  Planet planet;
  const auto steps = [](CountingProblem& problem, double tolerance) {
    const auto integrator = make_integrator(problem, with_tolerance(Method::kutta_merson, tolerance));
    integrator->start(0, problem.start());
    EXPECT_EQ(advance(*integrator, 3), StepStatus::done);
    return static_cast<double>(integrator->counts().steps);
  };
  EXPECT_NEAR(std::log10(steps(decay, 1e-12) / steps(decay, 1e-8)), 4.0 / 5, 0.06);
  EXPECT_NEAR(std::log10(steps(planet, 1e-12) / steps(planet, 1e-8)), 4.0 / 4, 0.06);
  EXPECT_GT(fall(planet), 1.5e4);
}

TEST(Integrator, CountsEveryEvaluationOnce) {
  for (std::size_t k = 0; k < method_names.size(); ++k) {
    Top top;
    IntegratorOptions options = with_tolerance(static_cast<Method>(k), 1e-7);
    if (options.method == Method::rk4 || options.method == Method::semi_implicit) options.step = 0.01;
    const auto integrator = make_integrator(top, options);
    integrator->start(0, top.start());
    ASSERT_EQ(advance(*integrator, 2), StepStatus::done) << method_names[k];
    std::vector<double> y(7);
    integrator->interpolate(0.5 * (integrator->t() + integrator->t_before()), y);
    integrator->start(2, std::vector<double>(integrator->y().begin(), integrator->y().end()));
    ASSERT_EQ(advance(*integrator, 3), StepStatus::done) << method_names[k];
    EXPECT_EQ(integrator->counts().rates, top.rates) << method_names[k];
    EXPECT_EQ(integrator->counts().restarts, options.method == Method::adams ? integrator->counts().restarts : 1);
    EXPECT_GE(integrator->counts().restarts, 1);
    EXPECT_GT(integrator->counts().steps, 0);
    EXPECT_LE(integrator->counts().rates_for_jacobians, integrator->counts().rates);
  }
}

TEST(Integrator, ExplicitStepsCostWhatTheirTableausSay) {
  Planet planet;
  for (const auto& [method, stages] : {std::pair{Method::rk23, 3}, {Method::rk45, 6}, {Method::kutta_merson, 5}}) {
    planet.rates = 0;
    const auto integrator = make_integrator(planet, with_tolerance(method, 1e-8));
    integrator->start(0, planet.start());
    ASSERT_EQ(advance(*integrator, 10), StepStatus::done);
    const IntegratorCounts& counts = integrator->counts();
    EXPECT_EQ(planet.rates, 2 + stages * (counts.steps + counts.rejected)) << name_of(method);
  }
}

TEST(Integrator, EndsAtTheTimeAskedExactly) {
  const std::vector<double> ends{0.1, 0.3, 1.0 / 3, 0.35, 1.7, 1.7 + 1e-15, 2, 2 + 1e-9, 3.3};
  for (std::size_t k = 0; k < method_names.size(); ++k) {
    Growth growth;
    IntegratorOptions options = with_tolerance(static_cast<Method>(k), 1e-9);
    options.step = 1e-4;
    const auto integrator = make_integrator(growth, options);
    integrator->start(0, growth.start());
    for (const double end : ends) {
      ASSERT_EQ(advance(*integrator, end), StepStatus::done) << method_names[k] << " to " << end;
      EXPECT_EQ(integrator->t(), end) << method_names[k];
    }
    EXPECT_NEAR(integrator->y()[0], growth.exact(3.3)[0], options.method == Method::semi_implicit ? 1e-3 : 1e-6);
  }
}

TEST(Integrator, BeginsAfterAnIntervalThatRoundingAlmostSwallows) {
  for (const Method method : adaptive_methods) {
    Growth growth;
    const auto integrator = make_integrator(growth, with_tolerance(method, 1e-9));
    const double t = 1, next = std::nextafter(1.0, 2.0);
    integrator->start(t, growth.exact(t));
    EXPECT_EQ(integrator->step(next), StepStatus::done) << name_of(method);
    EXPECT_EQ(integrator->t(), next);
    ASSERT_EQ(advance(*integrator, 2), StepStatus::done) << name_of(method);
    EXPECT_NEAR(integrator->y()[0], growth.exact(2)[0], 1e-6) << name_of(method);
    EXPECT_EQ(integrator->counts().rates, growth.rates);
  }
}

TEST(Integrator, FixedStepsDoNotDrift) {
  Growth growth;
  const auto integrator = make_integrator(growth, {.method = Method::rk4, .step = 0.1});
  integrator->start(0, growth.start());
  for (int k = 1; k <= 1000; ++k) {
    ASSERT_EQ(integrator->step(1000), StepStatus::done);
    EXPECT_DOUBLE_EQ(integrator->t(), k * 0.1);
  }
  EXPECT_EQ(integrator->counts().rates, 4 * 1000 + 1);
}

TEST(Integrator, StartedAnewItForgetsEverything) {
  // A run that passes a restart and one that begins there are the same, bit by bit.
  for (const Method method : adaptive_methods) {
    Planet planet;
    const auto passing = make_integrator(planet, with_tolerance(method, 1e-7));
    passing->start(0, planet.start());
    ASSERT_EQ(advance(*passing, 3), StepStatus::done);
    const std::vector<double> middle(passing->y().begin(), passing->y().end());
    passing->start(3, middle);
    const auto resumed = make_integrator(planet, with_tolerance(method, 1e-7));
    resumed->start(3, middle);
    std::vector<double> y1(4), y2(4);
    while (passing->t() < 7) {
      ASSERT_EQ(passing->step(7), StepStatus::done);
      ASSERT_EQ(resumed->step(7), StepStatus::done);
      ASSERT_EQ(passing->t(), resumed->t()) << name_of(method);
      const double t = 0.3 * passing->t() + 0.7 * passing->t_before();
      passing->interpolate(t, y1);
      resumed->interpolate(t, y2);
      ASSERT_EQ(y1, y2) << name_of(method);
    }
  }
}

TEST(Integrator, KeepsToTheLargestStepAllowed) {
  for (const Method method : adaptive_methods) {
    Growth growth;
    const auto integrator =
        make_integrator(growth, {.method = method, .relative = 1e-2, .absolute = 1e-2, .max_step = 0.125});
    integrator->start(0, growth.start());
    while (integrator->t() < 5) {
      ASSERT_EQ(integrator->step(5), StepStatus::done);
      EXPECT_LE(integrator->t() - integrator->t_before(), 0.125 * (1 + 1e-12)) << name_of(method);
    }
  }
}

/// y' = −1/√y has no value where y ≤ 0: there is a last moment.
class Edge : public CountingProblem {
 public:
  int size() const override { return 1; }
  std::vector<double> start() const override { return {1}; }
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = -1 / std::sqrt(y[0]);
    return y[0] > 0;
  }
};

TEST(Integrator, SaysWhereTheRateHasNoValue) {
  // y = (1 − 3t/2)^(2/3) ends at t = 2/3.
  for (const Method method : adaptive_methods) {
    Edge edge;
    const auto integrator = make_integrator(edge, with_tolerance(method, 1e-6));
    integrator->start(0, edge.start());
    const StepStatus status = advance(*integrator, 2);
    EXPECT_NE(status, StepStatus::done) << name_of(method);
    EXPECT_NEAR(integrator->t(), 2.0 / 3, 1e-3) << name_of(method);
    EXPECT_GE(integrator->y()[0], -1e-5) << name_of(method);
    EXPECT_EQ(integrator->counts().rates, edge.rates);
  }
}

/// A place that may be approached, from t ≥ 1 nothing is known.
class Wall : public CountingProblem {
 public:
  int size() const override { return 1; }
  std::vector<double> start() const override { return {0}; }
  bool f(double t, std::span<const double>, std::span<double> ydot) override {
    ydot[0] = t >= 1 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    return true;
  }
};

TEST(Integrator, TakesShorterStepsBeforeItGivesUp) {
  for (const Method method : adaptive_methods) {
    Wall wall;
    const auto integrator = make_integrator(wall, with_tolerance(method, 1e-6));
    integrator->start(0, wall.start());
    EXPECT_EQ(advance(*integrator, 2), StepStatus::no_value) << name_of(method);
    EXPECT_NEAR(integrator->t(), 1, 1e-6) << name_of(method);
    EXPECT_NEAR(integrator->y()[0], integrator->t(), 1e-6) << name_of(method);
  }
  for (const Method method : {Method::rk4, Method::semi_implicit}) {
    Wall wall;
    const auto integrator = make_integrator(wall, {.method = method, .step = 0.25});
    integrator->start(0, wall.start());
    EXPECT_EQ(advance(*integrator, 2), StepStatus::no_value) << name_of(method);
    EXPECT_NEAR(integrator->y()[0], integrator->t(), 1e-12);
  }
}

TEST(Integrator, HasNoValueAtOnceWhereTheStartHasNone) {
  for (const Method method : adaptive_methods) {
    Wall wall;
    const auto integrator = make_integrator(wall, with_tolerance(method, 1e-6));
    integrator->start(1.5, wall.start());
    EXPECT_EQ(integrator->step(2), StepStatus::no_value) << name_of(method);
    EXPECT_EQ(integrator->t(), 1.5);
    EXPECT_EQ(integrator->counts().rates, wall.rates);
  }
}

/// y' = y², y = 1/(1 − t): infinite at t = 1.
class BlowUp : public CountingProblem {
 public:
  int size() const override { return 1; }
  std::vector<double> start() const override { return {1}; }
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = y[0] * y[0];
    return true;
  }
};

TEST(Integrator, StallsWhereTheSolutionEnds) {
  for (const Method method : adaptive_methods) {
    BlowUp problem;
    const auto integrator = make_integrator(problem, with_tolerance(method, 1e-6));
    integrator->start(0, problem.start());
    EXPECT_NE(advance(*integrator, 2), StepStatus::done) << name_of(method);
    EXPECT_NEAR(integrator->t(), 1, 1e-3) << name_of(method);
    EXPECT_TRUE(std::isfinite(integrator->y()[0]));
  }
}

TEST(Integrator, PassesOnWhatTheProblemThrows) {
  class Thrower : public Growth {
   protected:
    bool f(double t, std::span<const double> y, std::span<double> ydot) override {
      if (t > 0.5) throw std::runtime_error("no further");
      return Growth::f(t, y, ydot);
    }
  };
  for (const Method method : adaptive_methods) {
    Thrower thrower;
    const auto integrator = make_integrator(thrower, with_tolerance(method, 1e-6));
    integrator->start(0, thrower.start());
    EXPECT_THROW(advance(*integrator, 2), std::runtime_error) << name_of(method);
  }
}

TEST(Integrator, GoesThroughAProblemWithoutStates) {
  class Nothing : public CountingProblem {
   public:
    int size() const override { return 0; }
    std::vector<double> start() const override { return {}; }
    bool f(double, std::span<const double>, std::span<double>) override { return true; }
  };
  for (std::size_t k = 0; k < method_names.size(); ++k) {
    Nothing nothing;
    const auto integrator = make_integrator(nothing, {.method = static_cast<Method>(k), .step = 0.5});
    integrator->start(0, nothing.start());
    EXPECT_EQ(advance(*integrator, 3), StepStatus::done) << method_names[k];
  }
}

TEST(Integrator, SemiImplicitStepsKeepTheEnergyOfAnOrbit) {
  Planet planet;
  const auto energy = [](std::span<const double> y) {
    return (y[2] * y[2] + y[3] * y[3]) / 2 - 1 / std::hypot(y[0], y[1]);
  };
  const auto integrator = make_integrator(planet, {.method = Method::semi_implicit, .step = 0.01});
  integrator->start(0, planet.start());
  double largest = 0;
  while (integrator->t() < 600) {
    ASSERT_EQ(integrator->step(600), StepStatus::done);
    largest = std::max(largest, std::abs(energy(integrator->y()) + 0.5));
  }
  EXPECT_LT(largest, 0.02);
  EXPECT_EQ(planet.rates, integrator->counts().steps);
}

std::string message_of(const IntegratorOptions& options) {
  Growth growth;
  try {
    make_integrator(growth, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Integrator, RefusesOptionsThatMakeNoSense) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of({.relative = -1e-6}),
            "integrator \"auto\": the relative tolerance is -1e-06. It must be finite and not negative; give e.g. "
            "1e-6.  [integrator-tolerance]");
  EXPECT_EQ(message_of({.method = Method::bdf, .absolute = 0}),
            "integrator \"bdf\": the absolute tolerance is 0. It must be finite and positive; give e.g. 1e-6.  "
            "[integrator-tolerance]");
  EXPECT_EQ(message_of({.method = Method::rk4}),
            "integrator \"rk4\": the step is 0 s. A method with a fixed step needs one that is finite and positive; "
            "give e.g. 0.001 s.  [integrator-step]");
  EXPECT_EQ(message_of({.method = Method::rk4, .step = 0.1, .max_step = 0.01}),
            "integrator \"rk4\": the step is 0.1 s, the largest allowed 0.01 s. Make the step shorter, or allow longer "
            "ones.  [integrator-step]");
  EXPECT_EQ(message_of({.step = -1}),
            "integrator \"auto\": the first step is -1 s. It must be finite and positive, or 0 to have it chosen.  "
            "[integrator-step]");
  EXPECT_EQ(message_of({.max_step = 0}),
            "integrator \"auto\": the largest step allowed is 0 s. It must be positive; leave it out for no limit.  "
            "[integrator-max-step]");
  EXPECT_THAT(message_of({.relative = nan}), HasSubstr("[integrator-tolerance]"));
  EXPECT_THAT(message_of({.absolute = inf}), HasSubstr("[integrator-tolerance]"));
  EXPECT_THAT(message_of({.absolute = nan}), HasSubstr("[integrator-tolerance]"));
  EXPECT_THAT(message_of({.method = Method::semi_implicit, .step = nan}), HasSubstr("[integrator-step]"));
  EXPECT_THAT(message_of({.step = inf}), HasSubstr("[integrator-step]"));
  EXPECT_THAT(message_of({.max_step = nan}), HasSubstr("[integrator-max-step]"));
  EXPECT_EQ(message_of({.relative = 0}), "");
}

TEST(Integrator, TellsAllThatIsWrongAtOnce) {
  Growth growth;
  try {
    make_integrator(growth, {.relative = -1, .absolute = -1, .max_step = -1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.errors().size(), 3u);
  }
}

}  // namespace
}  // namespace articula::test
