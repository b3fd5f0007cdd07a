// The implicit methods on stiff problems with published solutions, with and without the problem's Jacobian.

#include <gtest/gtest.h>

#include <vector>

#include <articula/integrate/integrator.h>
#include <integrate/problems.h>

namespace articula::test {
namespace {

/// The largest error of an entry beside the reference, relative to it.
double relative_error(CountingProblem& problem, const IntegratorOptions& options, double t_end,
                      std::span<const double> reference) {
  const auto integrator = make_integrator(problem, options);
  integrator->start(0, problem.start());
  if (advance(*integrator, t_end) != StepStatus::done) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t k = 0; k < reference.size(); ++k) {
    largest = std::max(largest, std::abs(integrator->y()[k] / reference[k] - 1));
  }
  return largest;
}

constexpr std::array implicit_methods{Method::bdf, Method::dirk};

TEST(Stiff, RobertsonsReactionsEndWherePublished) {
  // Test Set for IVP Solvers (Mazzia, Magherini 2008), problem ROBER, reference solution at t = 1e11.
  const std::vector<double> reference{0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050};
  for (const Method method : implicit_methods) {
    for (const bool use_jacobian : {true, false}) {
      Robertson problem;
      const IntegratorOptions options{
          .method = method, .relative = 1e-8, .absolute = 1e-18, .use_jacobian = use_jacobian};
      EXPECT_LT(relative_error(problem, options, 1e11, reference), 1e-6) << name_of(method) << use_jacobian;
    }
  }
}

TEST(Stiff, VanDerPolsOscillatorEndsWherePublished) {
  // Test Set for IVP Solvers, problem VDPOL, ε = 1e-6, reference solution at t = 2.
  const std::vector<double> reference{0.1706167732170483e1, -0.8928097010247975e0};
  for (const Method method : implicit_methods) {
    for (const bool use_jacobian : {true, false}) {
      VanDerPol problem;
      IntegratorOptions options = with_tolerance(method, 1e-8);
      options.use_jacobian = use_jacobian;
      EXPECT_LT(relative_error(problem, options, 2, reference), 3e-6) << name_of(method) << use_jacobian;
    }
  }
}

TEST(Stiff, JacobiansAreCountedWhereverTheyComeFrom) {
  for (const Method method : implicit_methods) {
    for (const bool use_jacobian : {true, false}) {
      VanDerPol problem;
      IntegratorOptions options = with_tolerance(method, 1e-6);
      options.use_jacobian = use_jacobian;
      const auto integrator = make_integrator(problem, options);
      integrator->start(0, problem.start());
      ASSERT_EQ(advance(*integrator, 2), StepStatus::done);
      const IntegratorCounts& counts = integrator->counts();
      EXPECT_EQ(counts.rates, problem.rates);
      EXPECT_GT(counts.jacobians, 0);
      EXPECT_GE(counts.factorizations, counts.jacobians);
      EXPECT_EQ(problem.jacobians, use_jacobian ? counts.jacobians : 0) << name_of(method);
      EXPECT_EQ(counts.rates_for_jacobians, use_jacobian ? 0 : 2 * counts.jacobians) << name_of(method);
    }
  }
}

TEST(Stiff, ExplicitMethodsNeedManyMoreSteps) {
  // On the slow part the fast motion decays with (y² − 1)/ε ≈ 3e4 per second: the stable step of RK45 is about 1e-4 s.
  const auto rates = [](Method method) {
    VanDerPol problem(1e-4);
    const auto integrator = make_integrator(problem, with_tolerance(method, 1e-5));
    integrator->start(0, problem.start());
    EXPECT_EQ(advance(*integrator, 0.7), StepStatus::done);
    return integrator->counts().rates;
  };
  EXPECT_GT(rates(Method::rk45), 100 * rates(Method::bdf));
}

TEST(Stiff, AWrongJacobianCostsTimeAndNotAccuracy) {
  class Careless : public VanDerPol {
   protected:
    bool dfdy(double t, std::span<const double> y, std::span<double> J) override {
      VanDerPol::dfdy(t, y, J);
      J[3] *= 1.3;
      return true;
    }
  };
  const std::vector<double> reference{0.1706167732170483e1, -0.8928097010247975e0};
  Careless problem;
  EXPECT_LT(relative_error(problem, with_tolerance(Method::bdf, 1e-8), 2, reference), 1e-5);
}

}  // namespace
}  // namespace articula::test
