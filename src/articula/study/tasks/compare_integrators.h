#pragma once

#include <optional>

#include <articula/study/tasks/simulate.h>

namespace articula::study {

/// A stated count, e.g. a published one, to compare with.
struct StatedCount {
  std::string what;  ///< "Scilab BDF"
  double tolerance = 0;
  double rates = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("what", self.what, dimension::none, "name of the source");
    field("tolerance", self.tolerance, dimension::none, "tolerance");
    field("rates", self.rates, dimension::none, "right-hand-side evaluations");
  }
};

/// The Jacobian of implicit integrators.
enum class JacobianUse { analytic, differences, both };
constexpr std::array<std::string_view, 3> enum_names(JacobianUse) { return {"analytic", "differences", "both"}; }

/// What each integrator needs for the same motion: its steps and evaluations, and how far off it ends. Nothing makes
/// them stop on the way: no rows in between, no checkpoints.
struct CompareIntegratorsTask {
  static constexpr std::string_view name = "compare_integrators";
  static constexpr std::string_view about =
      "compares the cost of the integrators for the same motion, with each other and with stated values";
  static constexpr std::array<std::string_view, 1> required{"until"};

  double begin = 0, until = 0;
  std::vector<Method> integrators{Method::rk23, Method::rk45,  Method::kutta_merson,
                                  Method::bdf,  Method::adams, Method::dirk};
  std::vector<double> tolerances{1e-3, 1e-6};
  std::vector<double> steps;
  JacobianUse jacobian = JacobianUse::both;
  std::optional<double> reference_tolerance;
  Method reference_integrator = Method::rk45;
  bool passive = true;
  std::vector<std::string> blocks, prescribe, ignore;
  double friction_speed = 0;
  std::vector<StatedCount> stated;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("begin", self.begin, dimension::time, "start time");
    field("until", self.until, dimension::time, "end time", "required");
    field("integrators", self.integrators, dimension::none, "integrators to compare");
    field("tolerances", self.tolerances, dimension::none, "tolerances for each");
    field("steps", self.steps, dimension::time, "steps of fixed-step integrators", "none");
    field("jacobian", self.jacobian, dimension::none,
          "Jacobian of implicit integrators: `analytic`, by `differences`, or both");
    field("reference_tolerance", self.reference_tolerance, dimension::none,
          "tolerance of the reference motion for the errors at the end", "none: no errors");
    field("reference_integrator", self.reference_integrator, dimension::none, "integrator of the reference motion");
    driven_fields(self, field);
    field("stated", self.stated, dimension::none, "stated values, a list of `{what: ..., tolerance: ..., rates: ...}`",
          "none");
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

/// `1e-3` for 0.001, `1e-6` for 1e-06, `0.05` for 0.05: tolerances as people write them.
ARTICULA_EXPORT std::string short_number(double value);

}  // namespace articula::study
