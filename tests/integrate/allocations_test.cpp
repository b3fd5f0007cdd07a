// A step takes nothing from the heap.

#include <gtest/gtest.h>

#include <vector>

#include <articula/integrate/events.h>
#include <articula/integrate/integrator.h>
#include <articula/integrate/problem_stepper.h>
#include <integrate/problems.h>
#include <support/allocations.h>

namespace articula::test {
namespace {

/// A top that reports when its axis comes back.
class WatchedTop : public Top {
 public:
  int event_count() const override { return 2; }
  void event_values(double, std::span<const double> y, std::span<double> g) override {
    g[0] = y[4];
    g[1] = y[0] - 0.1;
  }
};

TEST(Allocations, StepsOutputAndEventsTakeNone) {
  for (std::size_t k = 0; k < method_names.size(); ++k) {
    WatchedTop top;
    // Adams may begin anew by itself where its state leaves the surface, which makes its memory anew.
    IntegratorOptions options = with_tolerance(static_cast<Method>(k), 1e-6);
    if (options.method == Method::rk4 || options.method == Method::semi_implicit) options.step = 0.01;
    const auto integrator = make_integrator(top, options);
    EventFinder events(top);
    const std::vector<double> start = top.start();
    std::vector<double> y(7);
    integrator->start(0, start);
    events.start(0, start);
    ASSERT_EQ(integrator->step(10), StepStatus::done);  // the libraries of the implicit methods set up in the first
    int found = 0;
    const std::size_t before = allocations();
    const long restarts = integrator->counts().restarts;
    while (integrator->t() < 10 && integrator->counts().restarts == restarts) {
      if (integrator->step(10) != StepStatus::done) break;
      integrator->interpolate(0.5 * (integrator->t() + integrator->t_before()), y);
      while (events.find(*integrator) != nullptr) ++found;
    }
    const std::size_t taken = allocations() - before;
    if (integrator->counts().restarts == restarts) {
      EXPECT_EQ(integrator->t(), 10) << method_names[k];
      EXPECT_EQ(taken, 0u) << method_names[k];
      EXPECT_GT(found, 3) << method_names[k];
    }
  }
}

TEST(Allocations, AdvancingTakesNoneBetweenEvents) {
  for (const Method method : {Method::rk4, Method::rk23, Method::rk45, Method::kutta_merson, Method::semi_implicit,
                              Method::bdf, Method::dirk}) {
    WatchedTop top;
    IntegratorOptions options = with_tolerance(method, 1e-6);
    if (method == Method::rk4 || method == Method::semi_implicit) options.step = 1e-3;
    ProblemStepper stepper(top, options);
    stepper.start(0, top.start());
    stepper.advance(0.01, 10);
    const std::size_t before = allocations();
    const long restarts = stepper.integrator().counts().restarts;
    double t = stepper.t();
    const bool by_library = method == Method::bdf || method == Method::dirk;  // which allocates where it restarts
    while (t < 10 && (stepper.integrator().counts().restarts == restarts || !by_library)) {
      stepper.advance(t += 0.01, 20);
      if (stepper.integrator().counts().restarts == restarts || !by_library) {
        ASSERT_EQ(allocations() - before, 0u) << name_of(method) << " at " << t;
      }
    }
  }
}

}  // namespace
}  // namespace articula::test
