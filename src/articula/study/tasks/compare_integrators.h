#pragma once

#include <optional>

#include <articula/study/tasks/simulate.h>

namespace articula {

/// A count that somebody else states, to stand beside ours.
struct StatedCount {
  std::string what;  ///< "Scilab BDF"
  double tolerance = 0;
  double rates = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("what", self.what, dimension::none);
    field("tolerance", self.tolerance, dimension::none);
    field("rates", self.rates, dimension::none);
  }
};

/// Whose Jacobian implicit integrators take.
enum class JacobianUse { analytic, differences, both };
template <>
struct EnumNames<JacobianUse> {
  static constexpr std::array<std::string_view, 3> names{"analytic", "differences", "both"};
};

/// What each integrator needs for the same motion: its steps and evaluations, and how far off it ends. Nothing makes
/// them stop on the way: no rows in between, no checkpoints.
struct CompareIntegratorsTask {
  static constexpr std::string_view name = "compare_integrators";
  static constexpr std::array<std::string_view, 1> required{"until"};

  double begin = 0, until = 0;
  std::vector<Method> integrators{Method::rk23, Method::rk45,  Method::kutta_merson,
                                  Method::bdf,  Method::adams, Method::dirk};
  std::vector<double> tolerances{1e-3, 1e-6};
  std::vector<double> steps;  ///< of integrators with a fixed step
  JacobianUse jacobian = JacobianUse::both;
  std::optional<double> reference_tolerance;  ///< of the motion that errors are taken from; none: no errors
  Method reference_integrator = Method::rk45;
  bool passive = true;
  std::vector<std::string> blocks, prescribe, ignore;  ///< as of SimulateTask
  double friction_speed = 0;
  std::vector<StatedCount> stated;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("begin", self.begin, dimension::time);
    field("until", self.until, dimension::time);
    field("integrators", self.integrators, dimension::none);
    field("tolerances", self.tolerances, dimension::none);
    field("steps", self.steps, dimension::time);
    field("jacobian", self.jacobian, dimension::none);
    field("reference_tolerance", self.reference_tolerance, dimension::none);
    field("reference_integrator", self.reference_integrator, dimension::none);
    field("passive", self.passive, dimension::none);
    field("blocks", self.blocks, dimension::none);
    field("prescribe", self.prescribe, dimension::none);
    field("ignore", self.ignore, dimension::none);
    field("friction_speed", self.friction_speed, dimension::none);
    field("stated", self.stated, dimension::none);
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

/// `1e-3` for 0.001, `1e-6` for 1e-06, `0.05` for 0.05: tolerances as people write them.
ARTICULA_EXPORT std::string short_number(double value);

}  // namespace articula
