#pragma once

// Artificial runs for tests of the report: the numbers do not belong to a mechanism, but have the size and shape of
// real ones.

#include <cmath>
#include <string>
#include <vector>

#include <articula/report/report_data.h>

#include "support/names.h"

namespace articula::test::testing_report {

inline ReportSignal sampled(std::string name, std::string unit, std::size_t rows, double step, auto&& f) {
  ReportSignal signal{std::move(name), std::move(unit), std::vector<double>(rows)};
  for (std::size_t k = 0; k < rows; ++k) signal.values[k] = f(step * static_cast<double>(k));
  return signal;
}

/// An arm that follows sines: positions, velocities, accelerations, torques, energies, pressures.
inline ReportTask arm_task(std::string name, std::size_t joints, std::size_t rows, double until) {
  const double step = until / static_cast<double>(rows - 1);
  ReportTask task{.name = std::move(name), .kind = "simulate", .status = "done"};
  task.facts = {{"integrator", "bdf"},       {"tolerance", "1e-06"}, {"steps", "812"},
                {"right-hand sides", "993"}, {"Jacobians", "17"},    {"computing time", "0.0112 s"},
                {"real-time factor", "1250"}};
  task.over = sampled("t", "s", rows, step, [](double t) { return t; });
  const auto add = [&](const char* what, const char* unit, auto&& f) {
    for (std::size_t j = 0; j < joints; ++j) {
      const double w = 0.3 + 0.11 * static_cast<double>(j), A = 1.6 / (1 + 0.35 * static_cast<double>(j));
      task.signals.push_back(sampled(std::string(what) + ".joint" + std::to_string(j + 1), unit, rows, step,
                                     [&](double t) { return f(t, w, A); }));
    }
  };
  add("q", "rad", [](double t, double w, double A) { return A * std::sin(w * t) * (1 - 0.6 * std::exp(-t)); });
  add("v", "rad/s",
      [](double t, double w, double A) { return A * w * std::cos(w * t) + 0.2 * std::exp(-t) * std::sin(9 * t); });
  add("a", "rad/s^2",
      [](double t, double w, double A) { return -A * w * w * std::sin(w * t) + 1.8 * std::exp(-t) * std::cos(9 * t); });
  add("tau", "N*m", [](double t, double w, double A) {
    return 38 * A * A * std::cos(w * t) + 12 * std::exp(-2 * t) * std::cos(25 * t) + 2 * A;
  });
  task.signals.push_back(
      sampled("energy.kinetic", "J", rows, step, [](double t) { return 2 + 1.8 * std::sin(0.9 * t); }));
  task.signals.push_back(
      sampled("energy.potential", "J", rows, step, [](double t) { return 31 + 9 * std::cos(0.5 * t); }));
  task.signals.push_back(sampled("cylinder.p1", "Pa", rows, step,
                                 [](double t) { return 6.2e6 + 9e5 * std::exp(-0.4 * t) * std::cos(14 * t); }));
  task.signals.push_back(sampled("cylinder.p2", "Pa", rows, step,
                                 [](double t) { return 2.1e6 - 5e5 * std::exp(-0.4 * t) * std::cos(14 * t); }));
  return task;
}

/// A run of a robot of seven joints: 14 s of motion in 1401 rows.
inline ReportData arm_run() {
  ReportData data{.title = "kuka_lwr4_pd",
                  .run = "3f9c01ab7e",
                  .model = "kuka_lwr4",
                  .date = "2026-11-15 14:02:11 UTC",
                  .status = "done"};
  data.provenance = {{"Articula", "0.1.0"},
                     {"host", "bench-3"},
                     {"seed", "1"},
                     {"command", "articula run examples/kuka_lwr4/study.yaml"}};
  data.tasks.push_back(arm_task("motion", 7, 1401, 14));
  ReportTask count{.name = "counts", .kind = "sweep", .status = "done"};
  count.over = {"case", "", {1}};
  count.signals = {{"right_hand_sides", "", {993}}, {"hand.x", "m", {0.123456789012}}};
  data.tasks.push_back(count);
  data.checks = {
      {"motion: q.joint1 at 14 s", "[LWR] section 4", "rad", 1.5301224, 1.5301224031, 3.1e-9, 1e-7, true, ""},
      {"motion: q.joint2 at 14 s", "[LWR] section 4", "rad", -0.7340119, -0.7340117, 2e-7, 1e-7, false, ""},
      {"torques: tau.joint1 … tau.joint7 against table torques.csv",
       "kuka_lwr4/torques.csv",
       "N*m",
       {},
       {},
       4.2e-12,
       1e-10,
       true,
       "largest difference at t = 3.27 s in tau.joint4"},
      {"motion: right-hand sides", "[LWR] table 2", "", 1924, 993, -931, 1000, true, ""}};
  data.log = {{Severity::warning,
               "start-outside-limits",
               {"study.yaml", 12},
               "joint \"joint4\" starts at 2.2 rad, outside [-2.09, 2.09]."}};
  data.texts = {{"Study study.yaml", "articula_study: 1\nname: kuka_lwr4_pd\nmodel: ../../models/kuka_lwr4.yaml\n"},
                {"Model kuka_lwr4.yaml", "articula: 1\nname: kuka_lwr4\n"}};
  return data;
}

/// The same with texts that could be mistaken for HTML or scripts.
inline ReportData hostile_run() {
  const std::string evil =
      "</script><script>document.title='taken'</script>\"'<img src=x onerror=alert(1)>\n&amp;<!--{{data}}";
  ReportData data = arm_run();
  data.title = data.run = data.model = data.date = data.status = evil;
  for (ReportTask& task : data.tasks) {
    task.name = task.kind = task.status = evil;
    for (ReportFact& fact : task.facts) fact.name = fact.value = evil;
    for (ReportSignal& signal : task.signals) signal.name += evil, signal.unit += evil.substr(0, 20);
    task.over.name = task.over.unit = evil;
  }
  for (ReportCheck& check : data.checks) check.name = check.reference = check.unit = check.note = evil;
  for (ReportFact& fact : data.provenance) fact.name = fact.value = evil;
  for (ReportText& text : data.texts) text.title = text.text = evil;
  for (Finding& finding : data.log) finding.message = finding.where.file = evil;
  data.tasks[0].signals[0].name = "\xff\xfe not UTF-8 \x01";
  return data;
}

}  // namespace articula::test::testing_report
