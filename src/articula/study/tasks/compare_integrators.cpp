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
#include <articula/study/internal/attempts.h>
#include <articula/study/internal/driven.h>
#include <articula/study/internal/system_options.h>

namespace articula::study {
namespace {

/// One integrator with its settings.
struct Case {
  Method method = Method::rk45;
  bool analytic = true;
  bool fixed = false;
  double setting = 0;  ///< tolerance, or step of fixed-step integrators
  std::string label;   ///< "bdf", "bdf_differences"
};

/// A sink that discards rows.
class Nowhere final : public RowSink {
 public:
  void columns(std::span<const Signal>) override {}
  void row(std::span<const double>) override {}
};

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

SimulationOptions options_of(const CompareIntegratorsTask& task, const Case& one) {
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
  return options;
}

Outcome integrate(const CompareIntegratorsTask& task, const TaskContext& context, const Case& one, System& system,
                  std::span<const double> y) {
  SimulationOptions options = options_of(task, one);
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

namespace {

/// All that the motions are computed with.
struct Ready {
  std::vector<Case> cases;
  Driven driven;
  std::vector<double> y;
};

Ready make_ready(const CompareIntegratorsTask& task, const Setup& setup) {
  Attempts attempts;
  attempts([&] {
    if (!(task.until > task.begin))
      throw Error("value-range", {}, concat("until is ", task.until, " s. It must be later than begin."));
  });
  attempts([&] {
    if (task.steps.empty() && std::any_of(task.integrators.begin(), task.integrators.end(), has_fixed_step))
      throw Error("value-missing", {},
                  "steps is missing. Integrators with a fixed step need some, e.g. steps: [1 ms].");
  });
  auto driven = attempts([&] { return make_driven(setup, system_options(task), task.blocks); });
  attempts.finish();
  Ready ready{cases_of(task), std::move(*driven), {}};
  attempts([&] { ready.y = ready.driven.start(setup.start, task.begin); });
  for (const Case& one : ready.cases)
    attempts([&] { const Simulation tried(*ready.driven.system, options_of(task, one)); });
  attempts.finish();
  return ready;
}

std::vector<Signal> columns() {
  std::vector<Signal> all;
  for (const char* name : {"case", "integrator", "analytic", "setting", "rates", "rates_for_jacobians", "steps",
                           "rejected", "jacobians", "factorizations", "error"})
    all.push_back({name, "1"});
  return all;
}

std::string prefix_of(const Case& one) { return concat(one.label, ".", short_number(one.setting), "."); }

/// The figures of one case. An error that is not known is left out.
void add_figures(const Case& one, const IntegratorCounts& counts, std::optional<double> error,
                 std::vector<Count>& figures) {
  for (const Count& count : figures_of(counts)) {
    if (count.name != "restarts" && count.name != "factorizations" && count.name != "switches")
      figures.push_back({prefix_of(one) + count.name, count.value});
  }
  if (error) figures.push_back({prefix_of(one) + "error", *error});
}

Count figure_of(const StatedCount& each) {
  return {concat(each.what, ".", short_number(each.tolerance), ".rates"), each.rates};
}

}  // namespace

TaskPlan CompareIntegratorsTask::plan(const Setup& setup) const {
  const Ready ready = make_ready(*this, setup);
  std::vector<Count> figures;
  for (const Case& one : ready.cases)
    add_figures(one, {}, reference_tolerance ? std::optional(0.0) : std::nullopt, figures);
  for (const StatedCount& each : stated) figures.push_back(figure_of(each));
  return {.columns = columns(), .counts = names_of(figures), .warnings = ready.driven.system->findings()};
}

TaskOutcome CompareIntegratorsTask::run(const TaskContext& context) const {
  const Ready ready = make_ready(*this, context.setup);
  const std::vector<Case>& cases = ready.cases;
  System& system = *ready.driven.system;
  const std::vector<double>& y = ready.y;

  std::vector<double> exact;
  if (reference_tolerance) {
    const Outcome reference =
        integrate(*this, context, {reference_integrator, true, false, *reference_tolerance, ""}, system, y);
    if (reference.end == RunEnd::cancelled) return {.status = RunStatus::interrupted};
    if (!reference.ok()) return {.status = RunStatus::failed, .message = "the reference motion: " + reference.what};
    exact = reference.y;
  }
  context.sink.columns(columns());
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
    add_figures(one, end.counts, std::isnan(error) ? std::nullopt : std::optional(error), outcome.counts);
    outcome.text += table_line(one, row);
    if (context.progress) context.progress(static_cast<double>(k + 1) / static_cast<double>(cases.size()));
  }
  for (const StatedCount& each : stated) {
    outcome.counts.push_back(figure_of(each));
    outcome.text +=
        fmt::format("  {:<24} {:>10} {:>8.0f}   as stated\n", each.what, short_number(each.tolerance), each.rates);
  }
  return outcome;
}

}  // namespace articula::study
