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

/// A column of numbers. The unit is as in texts (`rad/s`, `N*m`), empty for a plain number.
struct ReportSignal {
  std::string name, unit;
  std::vector<double> values;
};

/// What one task of a run left.
struct ReportTask {
  std::string name;
  std::string kind;    ///< `simulate`, `inverse_dynamics`, ...
  std::string status;  ///< `done`, or why it ended
  std::vector<ReportFact> facts;
  ReportSignal over;                  ///< what the signals are plotted over, most often the time
  std::vector<ReportSignal> signals;  ///< each as long as `over`
};

/// One check of the study. A number that a check does not have is left out.
struct ReportCheck {
  std::string name;
  std::string reference;  ///< where the expected value comes from
  std::string unit;
  std::optional<double> expected, got, difference, tolerance;
  bool passed = false;
  std::string note;                              ///< a sentence more, e.g. where the largest difference is
  std::optional<double> lower = {}, upper = {};  ///< bounds, in place of expected, difference and tolerance
};

/// A text of the run that the page shows folded: the study, the model.
struct ReportText {
  std::string title, text;
};

/// All that a report shows of a run.
struct ReportData {
  std::string title;   ///< the study's name
  std::string run;     ///< the run's name or number
  std::string model;   ///< the model's name
  std::string date;    ///< when the run began
  std::string status;  ///< `done`, or what became of it
  std::vector<ReportFact> provenance;
  std::vector<ReportTask> tasks;
  std::vector<ReportCheck> checks;
  Findings log;  ///< what the run had to say
  std::vector<ReportText> texts;
};

}  // namespace articula::report
