#include <articula/report/report_run.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <articula/report/report.h>

#include "support/temporary_folder.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ReportOfStoredRun : public testing::Test {
 protected:
  void SetUp() override {
    Store store(folder.path("runs.db"), Store::Access::write);
    auto origin = StoredRun().provenance;
    origin.study = "swing";
    origin.version = "0.1.0";
    origin.host = "bench";
    origin.command = "articula run swing.yaml";
    origin.created = "2026-01-31T12:00:00Z";
    origin.seed = 7;
    origin.texts = {{"study", "swing.yaml", "articula_study: 1\n"},
                    {"model", "../models/pendulum.yaml", "articula: 1\n"}};
    origin.options = {{"threads", "2"}};
    const std::vector<NewTask> tasks{{"motion", "simulate"}, {"later", "linearize"}};
    run = store.add_run(origin, tasks);
    const StoredTask task = store.run(run).task("motion");
    {
      TaskWriter writer = store.write(task.id);
      writer.columns(std::vector<StoredSignal>{{"t", "s"}, {"q.swing", "rad"}, {"energy.kinetic", "J"}});
      for (int k = 0; k <= rows; ++k) {
        const double t = 0.01 * k;
        writer.row(std::vector{t, std::cos(t), std::sin(t) * std::sin(t) / 2});
      }
      writer.finish(RunStatus::done, "reached 10 s");
    }
    store.set_counts(task.id, std::vector<Count>{{"right-hand sides", 1924}, {"real-time factor", 1234.5678}});
    store.set_checks(run, std::vector<CheckResult>{{.task = "motion",
                                                    .name = "",
                                                    .signal = "q.swing",
                                                    .expected = 0.5,
                                                    .got = 0.75,
                                                    .tolerance = 0.125,
                                                    .pass = false,
                                                    .message = "at t = 1 s",
                                                    .reference = "closed form",
                                                    .unit = "rad"},
                                                   {.task = "motion",
                                                    .name = "no more than a bound",
                                                    .signal = "q.swing",
                                                    .expected = 2,
                                                    .got = 1,
                                                    .tolerance = 0,
                                                    .pass = true,
                                                    .message = "is 1 rad, expected at most 2 rad",
                                                    .reference = "",
                                                    .unit = "rad",
                                                    .upper = 2}});
    store.add_log(run, {{Severity::warning, "start-outside", {}, "joint \"swing\" starts outside its limits."}});
    store.set_status(run, RunStatus::done);
  }

  static constexpr int rows = 1000;
  test::TemporaryFolder folder;
  std::string run;
};

TEST_F(ReportOfStoredRun, ShowsWhatTheStoreHolds) {
  const ReportData data = make_report_data(Store(folder.path("runs.db")), run);
  EXPECT_EQ(data.title, "swing");
  EXPECT_EQ(data.run, run);
  EXPECT_EQ(data.model, "pendulum.yaml");
  EXPECT_EQ(data.date, "2026-01-31 12:00:00 UTC");
  EXPECT_EQ(data.status, "done");
  ASSERT_EQ(data.tasks.size(), 2);
  const ReportTask& motion = data.tasks[0];
  EXPECT_EQ(motion.status, "done: reached 10 s");
  EXPECT_EQ(motion.over.name, "t");
  ASSERT_EQ(motion.signals.size(), 2);
  EXPECT_EQ(motion.signals[1].unit, "J");
  ASSERT_EQ(motion.over.values.size(), rows + 1);
  for (std::size_t k = 0; k <= rows; ++k) {
    const double t = 0.01 * static_cast<double>(k);
    ASSERT_EQ(motion.over.values[k], t);
    ASSERT_EQ(motion.signals[0].values[k], std::cos(t));
  }
  ASSERT_EQ(motion.facts.size(), 2);
  EXPECT_EQ(motion.facts[0].value, "1924");
  EXPECT_EQ(motion.facts[1].value, "1235");
  EXPECT_EQ(data.tasks[1].status, "waiting");
  ASSERT_EQ(data.checks.size(), 2);
  EXPECT_EQ(data.checks[0].name, "motion: q.swing");
  EXPECT_EQ(data.checks[0].unit, "rad");
  EXPECT_EQ(data.checks[0].difference, 0.25);
  EXPECT_FALSE(data.checks[0].passed);
  EXPECT_FALSE(data.checks[1].tolerance);
  EXPECT_FALSE(data.checks[1].expected);
  EXPECT_EQ(data.checks[1].upper, 2);
  EXPECT_EQ(data.checks[1].note, "");  // the columns say the same
}

TEST_F(ReportOfStoredRun, BecomesAPageThatSaysWhereTheRunComesFrom) {
  const std::string page = report_page(make_report_data(Store(folder.path("runs.db")), "latest"));
  for (const char* part : {"1 of 2 checks fails, 1 holds.", "≤ ", "articula run swing.yaml", "Study: swing.yaml",
                           "Model: ../models/pendulum.yaml", "threads", "bench", "starts outside its limits",
                           "closed form", "Positions q", "Energies E", "This task left no rows."}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
}

TEST_F(ReportOfStoredRun, NeedsARunThatIsThere) {
  EXPECT_THROW(make_report_data(Store(folder.path("runs.db")), "zzz"), Error);
}

}  // namespace
}  // namespace articula::test
