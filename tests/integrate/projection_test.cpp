// Unit quaternions stay unit, whatever the method, against the closed form of a free symmetric top.

#include <gtest/gtest.h>

#include <vector>

#include <articula/integrate/integrator.h>
#include <integrate/problems.h>

namespace articula::test {
namespace {

TEST(Projection, QuaternionsStayUnit) {
  for (std::size_t k = 0; k < method_names.size(); ++k) {
    Top top;
    IntegratorOptions options = with_tolerance(static_cast<Method>(k), 1e-5);
    if (options.method == Method::rk4 || options.method == Method::semi_implicit) options.step = 0.05;
    const auto integrator = make_integrator(top, options);
    integrator->start(0, top.start());
    std::vector<double> y(7);
    while (integrator->t() < 50) {
      ASSERT_EQ(integrator->step(50), StepStatus::done) << method_names[k];
      EXPECT_NEAR(Top::length(integrator->y()), 1, 1e-14) << method_names[k];
      integrator->interpolate(0.4 * integrator->t() + 0.6 * integrator->t_before(), y);
      EXPECT_NEAR(Top::length(y), 1, 1e-14) << method_names[k];
    }
  }
}

TEST(Projection, ATopTurnsAsTheClosedFormSays) {
  for (const Method method : adaptive_methods) {
    Top top;
    EXPECT_LT(error_at(top, with_tolerance(method, 1e-9), 10), 3e-7) << name_of(method);
    EXPECT_LT(error_at(top, with_tolerance(method, 1e-6), 10), 3e-4) << name_of(method);
  }
}

TEST(Projection, KeepsTheOrderOfTheMethod) {
  const auto order = [](Method method) {
    Top top;
    const auto error = [&](double h) {
      return error_at(top, {.method = method, .relative = 1e6, .absolute = 1e6, .step = h, .max_step = h}, 5);
    };
    return std::log2(error(0.05) / error(0.025));
  };
  EXPECT_NEAR(order(Method::rk4), 4, 0.2);
  EXPECT_NEAR(order(Method::rk23), 3, 0.2);
  EXPECT_NEAR(order(Method::rk45), 5, 0.2);
  EXPECT_NEAR(order(Method::kutta_merson), 4, 0.2);
}

TEST(Projection, CostsNoEvaluation) {
  // The projected end of a step is where its last stage is evaluated.
  Top top;
  const auto integrator = make_integrator(top, with_tolerance(Method::rk45, 1e-8));
  integrator->start(0, top.start());
  ASSERT_EQ(advance(*integrator, 20), StepStatus::done);
  EXPECT_EQ(top.rates, 2 + 6 * (integrator->counts().steps + integrator->counts().rejected));
}

}  // namespace
}  // namespace articula::test
