// A robot under stiff control: the implicit methods on real equations of motion, against other programs' results.

#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <vector>

#include <articula/formats/load.h>
#include <articula/integrate/integrator.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/forward_dynamics.h>
#include <integrate/problems.h>

namespace articula::test {
namespace {

/// The KUKA LWR 4+ follows (π/2) cos(πt/7) with a PD controller on each joint. [LWR] (28) to (34)
class StiffArm : public CountingProblem {
 public:
  StiffArm() : motion_(robot()), derivatives_(robot(), Derivatives::Of::forward_dynamics) {}
  int size() const override { return 14; }
  std::vector<double> start() const override {
    std::vector<double> y(14, 0.0);
    for (std::size_t k = 0; k < n; ++k) y[k] = std::numbers::pi / 2;
    return y;
  }

 protected:
  bool f(double t, std::span<const double> y, std::span<double> ydot) override {
    motion_.update(state(t, y));
    const VectorView vdot = motion_.compute();
    for (std::size_t k = 0; k < n; ++k) {
      ydot[k] = y[n + k];
      ydot[n + k] = vdot[static_cast<int>(k)];
    }
    return motion_.report().ok();
  }
  bool dfdy(double t, std::span<const double> y, std::span<double> J) override {
    derivatives_.update(state(t, y));
    const auto& [dq, dv, du] = derivatives_.compute();
    std::fill(J.begin(), J.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      J[i * 2 * n + n + i] = 1;
      for (std::size_t j = 0; j < n; ++j) {
        const int row = static_cast<int>(i), column = static_cast<int>(j);
        J[(n + i) * 2 * n + j] = dq(row, column) - du(row, column) * stiffness[j];
        J[(n + i) * 2 * n + n + j] = dv(row, column) - du(row, column) * damping[j];
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t n = 7;
  static constexpr std::array<double, n> stiffness{10, 1000, 200, 100, 10, 10, 10};
  static constexpr std::array<double, n> damping{1000, 10000, 1000, 1000, 10, 10, 10};

  static Model robot() { return load(std::string(ARTICULA_SOURCE_DIR) + "/models/kuka_lwr4.yaml"); }

  State state(double t, std::span<const double> y) {
    constexpr double pi = std::numbers::pi;
    const double q = pi / 2 * std::cos(pi / 7 * t), v = -pi * pi / 14 * std::sin(pi / 7 * t);
    for (std::size_t k = 0; k < n; ++k) tau_[k] = stiffness[k] * (q - y[k]) + damping[k] * (v - y[n + k]);
    return {.q = {y.data(), n}, .v = {y.data() + n, n}, .tau = {tau_.data(), n}};
  }

  ForwardDynamics motion_;
  Derivatives derivatives_;
  std::array<double, n> tau_{};
};

TEST(StiffArm, MovesAsOtherProgramsSay) {
  // At t = 14: CVODE at 1e-12 with MuJoCo's equations of motion, and the paper's own equations, which agree to 4e-11.
  const std::vector<double> reference{
      1.57079914371388,     1.57242703611623,    1.5586093435249,      1.57251547586546,    1.5671499340502,
      1.56896597345673,     1.57081594366759,    0.000728622191344397, 0.0035862321298219,  -0.012913282842427,
      9.98218810418171e-05, 0.00366177784367788, 0.0015647790769654,   1.82763321666512e-06};
  for (const bool use_jacobian : {true, false}) {
    StiffArm arm;
    IntegratorOptions options = with_tolerance(Method::bdf, 1e-10);
    options.use_jacobian = use_jacobian;
    const auto integrator = make_integrator(arm, options);
    integrator->start(0, arm.start());
    ASSERT_EQ(advance(*integrator, 14), StepStatus::done);
    EXPECT_LT(largest_difference(integrator->y(), reference), 1e-7) << use_jacobian;
  }
}

TEST(StiffArm, ItsOwnJacobianHalvesTheEvaluations) {
  for (const double tolerance : {1e-3, 1e-6}) {
    const auto rates = [&](bool use_jacobian) {
      StiffArm arm;
      IntegratorOptions options = with_tolerance(Method::bdf, tolerance);
      options.use_jacobian = use_jacobian;
      const auto integrator = make_integrator(arm, options);
      integrator->start(0, arm.start());
      EXPECT_EQ(advance(*integrator, 14), StepStatus::done);
      EXPECT_EQ(integrator->counts().rates, arm.rates);
      return integrator->counts().rates;
    };
    EXPECT_LE(rates(true), rates(false) / 2) << tolerance;
  }
}

TEST(StiffArm, DifferencesCostWhatOtherBdfCodesCost) {
  // [LWR] table 1: 1924 evaluations at 1e-6 and 993 at 1e-3; other BDF codes need 1500 to 2200 and 490 to 1400.
  const auto rates = [](double tolerance) {
    StiffArm arm;
    IntegratorOptions options = with_tolerance(Method::bdf, tolerance);
    options.use_jacobian = false;
    const auto integrator = make_integrator(arm, options);
    integrator->start(0, arm.start());
    EXPECT_EQ(advance(*integrator, 14), StepStatus::done);
    return integrator->counts().rates;
  };
  EXPECT_GE(rates(1e-6), 1500);
  EXPECT_LE(rates(1e-6), 2200);
  EXPECT_GE(rates(1e-3), 400);
  EXPECT_LE(rates(1e-3), 1400);
}

}  // namespace
}  // namespace articula::test
