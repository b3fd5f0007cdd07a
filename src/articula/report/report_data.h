#pragma once

#include <optional>
#include <string>
#include <vector>

#include <articula/base/error.h>

namespace articula::report {

/// One line of a list such as `right-hand sides: 1924`.
struct ReportFact {
  std::string name, value;
};

/// A column of numbers. The unit is as in texts (`rad/s`, `N*m`), empty for a dimensionless number.
struct ReportSignal {
  std::string name, unit;
  std::vector<double> values;
};

/// The results of one task of a run.
struct ReportTask {
  std::string name;
  std::string kind;    ///< `simulate`, `inverse_dynamics`, ...
  std::string status;  ///< `done`, or why it ended
  std::vector<ReportFact> facts;
  ReportSignal over;                  ///< the horizontal axis of plots, usually time
  std::vector<ReportSignal> signals;  ///< each of the same length as `over`
};

/// One check of the study. Numbers that a check does not have are empty.
struct ReportCheck {
  std::string name;
  std::string reference;  ///< the origin of the expected value
  std::string unit;
  std::optional<double> expected, got, difference, tolerance;
  bool passed = false;
  std::string note;                              ///< an additional sentence, e.g. where the largest difference is
  std::optional<double> lower = {}, upper = {};  ///< bounds, instead of expected, difference and tolerance
};

/// A text of the run in a collapsible section of the page: the study, the model.
struct ReportText {
  std::string title, text;
};

/// All data in the report of a run.
struct ReportData {
  std::string title;   ///< the study's name
  std::string run;     ///< the run's name or id
  std::string model;   ///< the model's name
  std::string date;    ///< when the run began
  std::string status;  ///< `done`, or how it ended
  std::vector<ReportFact> provenance;
  std::vector<ReportTask> tasks;
  std::vector<ReportCheck> checks;
  Findings log;  ///< the findings of the run
  std::vector<ReportText> texts;
};

}  // namespace articula::report
