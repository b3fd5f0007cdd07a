// Stiffness is found by counts, and `auto` changes the method because of it.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include <articula/base/error.h>
#include <articula/integrate/integrator.h>
#include <integrate/problems.h>

namespace articula::test {
namespace {

std::vector<double> copy(std::span<const double> y) { return {y.begin(), y.end()}; }

bool same_bytes(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// y' = −λ(t)·(y − cos t) − sin t, y = cos t; λ is large until a time and small from then on.
class Relaxing : public CountingProblem {
 public:
  explicit Relaxing(double fast, double until = 1e9) : fast_(fast), until_(until) {}
  int size() const override { return 1; }
  std::vector<double> start() const override { return {1}; }
  std::vector<double> exact(double t) const override { return {std::cos(t)}; }

 protected:
  double lambda(double t) const { return t < until_ ? fast_ : 1; }
  bool f(double t, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = -lambda(t) * (y[0] - std::cos(t)) - std::sin(t);
    return true;
  }
  bool dfdy(double t, std::span<const double>, std::span<double> J) override {
    J[0] = -lambda(t);
    return true;
  }

 private:
  double fast_, until_;
};

/// x'' = −ω²·x
class Spring : public CountingProblem {
 public:
  explicit Spring(double omega) : omega_(omega) {}
  int size() const override { return 2; }
  std::vector<double> start() const override { return {1, 0}; }
  void semi_implicit_step(double h, std::span<const double> ydot, std::span<double> y) override {
    y[1] += h * ydot[1];
    y[0] += h * y[1];
  }

 protected:
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = y[1], ydot[1] = -omega_ * omega_ * y[0];
    return true;
  }

 private:
  double omega_;
};

TEST(Auto, IsTheDefault) {
  EXPECT_EQ(IntegratorOptions{}.method, Method::automatic);
  EXPECT_EQ(name_of(Method::automatic), "auto");
}

TEST(Auto, KeepsTheBitsOfRk45WhereNothingIsStiff) {
  const auto compare = [](CountingProblem& problem, double until, double tolerance) {
    const auto one = make_integrator(problem, with_tolerance(Method::rk45, tolerance));
    const auto other = make_integrator(problem, with_tolerance(Method::automatic, tolerance));
    one->start(0, problem.start()), other->start(0, problem.start());
    ASSERT_EQ(advance(*one, until), StepStatus::done);
    ASSERT_EQ(advance(*other, until), StepStatus::done);
    EXPECT_TRUE(same_bytes(one->y(), other->y()));
    EXPECT_EQ(one->counts().rates, other->counts().rates);
    EXPECT_EQ(one->counts().steps, other->counts().steps);
    EXPECT_EQ(other->counts().switches, 0);
    EXPECT_EQ(other->method(), Method::rk45);
    EXPECT_FALSE(one->stiffness());
  };
  for (const double tolerance : {1e-2, 1e-4, 1e-6, 1e-9, 1e-12}) {
    Growth growth;
    Planet planet;
    Planet comet(0.9);
    Top top;
    Arenstorf satellites;
    compare(growth, 30, tolerance);
    compare(planet, 60, tolerance);
    compare(comet, 60, tolerance);
    compare(top, 20, tolerance);
    compare(satellites, 17, tolerance);
  }
}

/// Test Set for IVP Solvers (Mazzia, Magherini 2008): VDPOL at t = 2, ROBER at t = 1e11.
TEST(Auto, StiffProblemsEndWherePublished) {
  VanDerPol oscillator;
  const auto a = make_integrator(oscillator, with_tolerance(Method::automatic, 1e-8));
  a->start(0, oscillator.start());
  ASSERT_EQ(advance(*a, 2), StepStatus::done);
  EXPECT_NEAR(a->y()[0], 0.1706167732170483e1, 5e-6);
  EXPECT_NEAR(a->y()[1], -0.8928097010247975e0, 5e-6);
  EXPECT_EQ(a->method(), Method::bdf);
  EXPECT_EQ(a->counts().rates, oscillator.rates);

  Robertson reactions;
  const auto b = make_integrator(reactions, {.method = Method::automatic, .relative = 1e-8, .absolute = 1e-18});
  b->start(0, reactions.start());
  ASSERT_EQ(advance(*b, 1e11), StepStatus::done);
  EXPECT_NEAR(b->y()[0] / 0.2083340149701255e-07, 1, 1e-6);
  EXPECT_NEAR(b->y()[1] / 0.8333360770334713e-13, 1, 1e-6);
  EXPECT_NEAR(b->y()[2] / 0.9999999791665050, 1, 1e-6);
  EXPECT_EQ(b->counts().rates, reactions.rates);
}

TEST(Auto, CostsLittleMoreThanBdfOnWhatIsStiff) {
  const auto rates = [](Method method) {
    VanDerPol problem;
    const auto integrator = make_integrator(problem, with_tolerance(method, 1e-6));
    integrator->start(0, problem.start());
    EXPECT_EQ(advance(*integrator, 2), StepStatus::done);
    return integrator->counts().rates;
  };
  EXPECT_LT(rates(Method::automatic), 3 * rates(Method::bdf));
}

TEST(Auto, GoesBackWhenTheProblemIsStiffNoLonger) {
  Relaxing problem(1e5, 1);
  const auto integrator = make_integrator(problem, with_tolerance(Method::automatic, 1e-7));
  integrator->start(0, problem.start());
  ASSERT_EQ(advance(*integrator, 1), StepStatus::done);
  EXPECT_EQ(integrator->method(), Method::bdf);
  integrator->start(1, copy(integrator->y()));
  EXPECT_EQ(integrator->method(), Method::bdf) << "lasts over a restart";
  ASSERT_EQ(advance(*integrator, 20), StepStatus::done);
  EXPECT_EQ(integrator->method(), Method::rk45);
  EXPECT_EQ(integrator->counts().switches, 2);
  EXPECT_EQ(integrator->counts().restarts, 1);
  EXPECT_NEAR(integrator->y()[0], std::cos(20), 1e-5);
}

TEST(Auto, GoesOnFromItsMemoryBitByBit) {
  const auto problem = [] { return Relaxing(1e4, 3); };
  Relaxing whole = problem();
  const auto one = make_integrator(whole, with_tolerance(Method::automatic, 1e-6));
  one->start(0, whole.start());
  for (double t = 0.01; t < 6; t += 0.01) {
    ASSERT_EQ(advance(*one, t), StepStatus::done);
    Relaxing rest = problem();
    const auto other = make_integrator(rest, with_tolerance(Method::automatic, 1e-6));
    other->recall(one->memory());
    const std::vector<double> y = copy(one->y());
    one->start(t, y), other->start(t, y);
    EXPECT_EQ(other->method(), one->method());
    ASSERT_EQ(advance(*other, t + 0.01), StepStatus::done);
    ASSERT_EQ(advance(*one, t + 0.01), StepStatus::done);
    ASSERT_TRUE(same_bytes(one->y(), other->y())) << t;
    ASSERT_EQ(one->memory(), other->memory()) << t;
  }
  EXPECT_GE(one->counts().switches, 1);
}

/// Many stiff problems side by side.
class Many : public CountingProblem {
 public:
  explicit Many(int size) : size_(size) {}
  int size() const override { return size_; }
  std::vector<double> start() const override { return std::vector<double>(static_cast<std::size_t>(size_), 1.0); }

 protected:
  bool f(double, std::span<const double> y, std::span<double> ydot) override {
    for (std::size_t k = 0; k < y.size(); ++k) ydot[k] = -1e4 * (y[k] - 1);
    return true;
  }

 private:
  int size_;
};

TEST(Auto, StaysWithRk45WhereMatricesWouldBeTooLarge) {
  for (const int size : {100, most_states_of_implicit_methods + 1}) {
    Many problem(size);
    const auto integrator = make_integrator(problem, {});
    integrator->start(0, std::vector<double>(static_cast<std::size_t>(size), 1.5));
    while (integrator->t() < 0.5) ASSERT_EQ(integrator->step(0.5), StepStatus::done);
    EXPECT_EQ(integrator->method(), size == 100 ? Method::bdf : Method::rk45);
    EXPECT_TRUE(integrator->stiffness());
    EXPECT_NEAR(integrator->y()[0], 1, 1e-3);
  }
}

TEST(ImplicitMethods, RefuseVeryManyStates) {
  Many problem(4001);
  for (const Method method : {Method::bdf, Method::adams, Method::dirk}) {
    try {
      make_integrator(problem, {.method = method});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()),
                "integrator \"" + std::string(method_names[static_cast<std::size_t>(method)]) +
                    "\": the problem has 4001 states, and the method solves dense systems of equations. At most 4000 "
                    "states are allowed; take an explicit method, e.g. rk45.  [integrator-too-large]");
    }
  }
}

TEST(Stiffness, IsFoundByExplicitMethodsWithItsRate) {
  for (const Method method : {Method::rk23, Method::rk45, Method::kutta_merson}) {
    Relaxing problem(1e4);
    const auto integrator = make_integrator(problem, with_tolerance(method, 1e-6));
    integrator->start(0, problem.start());
    ASSERT_EQ(advance(*integrator, 1), StepStatus::done);
    ASSERT_TRUE(integrator->stiffness()) << name_of(method);
    EXPECT_LT(integrator->stiffness()->t, 0.1);
    EXPECT_NEAR(integrator->stiffness()->reach / integrator->stiffness()->step, 1e4, 1000) << name_of(method);
    EXPECT_GT(integrator->stiffness()->reach, 0.9 * integrator->stability().bound);
  }
}

TEST(Stability, OfAFixedStepIsItsLengthTimesTheFrequency) {
  for (const Method method : {Method::rk4, Method::semi_implicit}) {
    for (const double h : {0.2e-3, 1e-3, 1.9e-3}) {
      Spring spring(1000);
      const auto integrator = make_integrator(spring, {.method = method, .step = h});
      integrator->start(0, spring.start());
      double mean = 0;
      for (int k = 0; k < 60; ++k) {  // with h·ω = 1.9, rk4 damps by 0.8 a step
        ASSERT_EQ(integrator->step(1e3), StepStatus::done);
        if (k >= 20) mean += integrator->stability().reach / 40;
      }
      EXPECT_NEAR(mean, 1000 * h, 0.2 * 1000 * h) << name_of(method) << h;
      EXPECT_LT(integrator->stability().reach, integrator->stability().bound);
    }
    Spring spring(1000);
    const auto integrator = make_integrator(spring, {.method = method, .step = 3.5e-3});
    integrator->start(0, spring.start());
    for (int k = 0; k < 30; ++k) ASSERT_EQ(integrator->step(1e3), StepStatus::done);
    EXPECT_GT(integrator->stability().reach, integrator->stability().bound) << name_of(method);
  }
}

}  // namespace
}  // namespace articula::test
