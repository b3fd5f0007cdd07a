#include <articula/study/tasks/compare_integrators.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/core.h>

#include <articula/base/text.h>
#include <articula/simulate/simulation.h>
#include <articula/study/internal/system_options.h>
#include <articula/study/internal/variables.h>

namespace articula {
namespace {

/// One integrator with its settings.
struct Case {
  Method method = Method::rk45;
  bool analytic = true;
  bool fixed = false;
  double setting = 0;  ///< tolerance, or step of fixed-step integrators
  std::string label;   ///< "bdf", "bdf_differences"
};

/// Rows of a run that nobody keeps.
class Nowhere final : public RowSink {
 public:
  void columns(std::span<const Signal>) override {}
  void row(std::span<const double>) override {}
};

bool has_fixed_step(Method method) { return method == Method::rk4 || method == Method::semi_implicit; }
bool takes_jacobian(Method method) { return method == Method::bdf || method == Method::dirk; }

std::vector<Case> cases_of(const CompareIntegratorsTask& task) {
  std::vector<Case> cases;
  for (const Method method : task.integrators) {
    const bool fixed = has_fixed_step(method);
    const std::string label(method_names[static_cast<std::size_t>(method)]);
    for (const double setting : fixed ? task.steps : task.tolerances) {
      const bool choice = takes_jacobian(method);
      if (!choice || task.jacobian != JacobianUse::differences) cases.push_back({method, true, fixed, setting, label});
      if (choice && task.jacobian != JacobianUse::analytic)
        cases.push_back({method, false, fixed, setting, label + "_differences"});
    }
  }
  return cases;
}

Outcome integrate(const CompareIntegratorsTask& task, const TaskContext& context, const Case& one, System& system,
                  std::span<const double> y) {
  SimulationOptions options;
  options.integrator = {.method = one.method, .use_jacobian = one.analytic};
  if (one.fixed) {
    options.integrator.step = one.setting;
  } else {
    options.integrator.relative = options.integrator.absolute = one.setting;
  }
  options.begin = task.begin;
  options.until = task.until;
  options.output_every = task.until - task.begin;
  options.checkpoint_every = 0;
  options.cancel = context.cancel;
  Nowhere sink;
  return Simulation(system, options).run(y, sink);
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

std::string table_line(const Case& one, std::span<const double> row) {
  return fmt::format("  {:<24} {:>10} {:>8.0f} {:>8.0f} {:>8.0f} {:>8.0f} {:>10.2g}\n", one.label,
                     short_number(one.setting), row[4], row[6], row[7], row[8], row[10]);
}

}  // namespace

std::string short_number(double value) {
  if (value == 0 || std::abs(value) >= 0.01) return number_text(value);
  // The digits of the shortest exact text, and the exponent without zeros before it.
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
  const std::string all(text.data(), end);
  const std::size_t e = all.find('e');
  return concat(all.substr(0, e), "e", std::stoi(all.substr(e + 1)));
}

TaskOutcome CompareIntegratorsTask::run(const TaskContext& context) const {
  const std::vector<Case> cases = cases_of(*this);
  if (!(until > begin)) throw Error("value-range", {}, concat("until is ", until, " s. It must be later than begin."));
  if (steps.empty() && std::any_of(integrators.begin(), integrators.end(), has_fixed_step))
    throw Error("value-missing", {}, "steps is missing. Integrators with a fixed step need some, e.g. steps: [1 ms].");
  const std::vector<NamedTrajectory> trajectories = make_trajectories(context.setup);
  const SystemOptions acting = system_options(*this);
  System system(context.setup.model, trajectories, blocks_of(context.setup, acting, blocks), acting);
  const std::vector<double> y =
      system.start(start_state(context.setup.start, variables_of(context.setup.model), trajectories, begin));

  std::vector<double> exact;
  if (reference_tolerance) {
    const Outcome reference =
        integrate(*this, context, {reference_integrator, true, false, *reference_tolerance, ""}, system, y);
    if (reference.end == RunEnd::cancelled) return {.status = RunStatus::interrupted};
    if (!reference.ok()) return {.status = RunStatus::failed, .message = "the reference motion: " + reference.what};
    exact = reference.y;
  }
  context.sink.columns(std::vector<Signal>{{"case", "1"},
                                           {"integrator", "1"},
                                           {"analytic", "1"},
                                           {"setting", "1"},
                                           {"rates", "1"},
                                           {"rates_for_jacobians", "1"},
                                           {"steps", "1"},
                                           {"rejected", "1"},
                                           {"jacobians", "1"},
                                           {"factorizations", "1"},
                                           {"error", "1"}});
  TaskOutcome outcome;
  outcome.text = fmt::format("  {:<24} {:>10} {:>8} {:>8} {:>8} {:>8} {:>10}\n", "integrator", "tolerance", "rates",
                             "steps", "rejected", "jacobians", "error");
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& one = cases[k];
    const Outcome end = integrate(*this, context, one, system, y);
    if (end.end == RunEnd::cancelled) {
      outcome.status = RunStatus::interrupted;
      return outcome;
    }
    if (!end.ok()) {
      outcome.status = RunStatus::failed;
      outcome.message +=
          concat(outcome.message.empty() ? "" : "; ", one.label, " at ", short_number(one.setting), ": ", end.what);
    }
    const double error =
        exact.empty() || !end.ok() ? std::numeric_limits<double>::quiet_NaN() : largest_difference(end.y, exact);
    const auto number = [](long n) { return static_cast<double>(n); };
    const std::vector<double> row{number(static_cast<long>(k) + 1),
                                  static_cast<double>(one.method),
                                  one.analytic ? 1.0 : 0.0,
                                  one.setting,
                                  number(end.counts.rates),
                                  number(end.counts.rates_for_jacobians),
                                  number(end.counts.steps),
                                  number(end.counts.rejected),
                                  number(end.counts.jacobians),
                                  number(end.counts.factorizations),
                                  error};
    context.sink.row(row);
    const std::string prefix = concat(one.label, ".", short_number(one.setting), ".");
    for (const Count& count : figures_of(end.counts)) {
      if (count.name != "restarts" && count.name != "factorizations")
        outcome.counts.push_back({prefix + count.name, count.value});
    }
    if (!std::isnan(error)) outcome.counts.push_back({prefix + "error", error});
    outcome.text += table_line(one, row);
    if (context.progress) context.progress(static_cast<double>(k + 1) / static_cast<double>(cases.size()));
  }
  for (const StatedCount& each : stated) {
    outcome.counts.push_back({concat(each.what, ".", short_number(each.tolerance), ".rates"), each.rates});
    outcome.text +=
        fmt::format("  {:<24} {:>10} {:>8.0f}   as stated\n", each.what, short_number(each.tolerance), each.rates);
  }
  return outcome;
}

}  // namespace articula
