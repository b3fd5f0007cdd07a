// That checks of a study pass and fail as they should, on rows that are known.
#include "study/study_text.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace articula::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using namespace testing_study;

/// A store with a task `motion`: t = 0, 0.5, …, 2; x = t², y = −2t, z = 3; and one called `other`.
class Checks : public testing::Test {
 protected:
  Checks() : store_(folder_.path("runs.db"), Store::Access::write) {
    const std::vector<NewTask> tasks{{"motion", "simulate"}, {"other", "simulate"}};
    run_ = store_.add_run(RunOrigin::here(), tasks);
    const StoredRun stored = store_.run(run_);
    TaskWriter writer = store_.write(stored.task("motion").id);
    writer.columns(std::vector<StoredSignal>{{"t", "s"}, {"x", "m"}, {"y", "m"}, {"z", "m"}});
    for (int k = 0; k <= 4; ++k) {
      const double t = 0.5 * k;
      writer.row(std::vector<double>{t, t * t, -2 * t, 3});
    }
    writer.finish(RunStatus::done);
    store_.set_counts(stored.task("motion").id, std::vector<Count>{{"rates", 900}, {"steps", 300}});
    store_.set_counts(stored.task("other").id, std::vector<Count>{{"rates", 1800}});
  }

  Verdict judged(const std::string& check) {
    const Study study = read(
        "model: a\ntasks: {motion: {type: simulate, until: 1}, other: {type: simulate, until: 1}}\n"
        "checks: [" +
        check + "]");
    const StoredRun stored = store_.run(run_);
    return judge(study.checks.at(0), {store_, stored, folder_.path("")});
  }
  bool passes(const std::string& check) { return judged(check).result.pass; }
  std::string message(const std::string& check) { return judged(check).result.message; }

  Folder folder_;
  Store store_;
  std::string run_;
};

TEST_F(Checks, OfAValueAtATime) {
  EXPECT_TRUE(passes("{task: motion, signal: x, at: 1.5 s, expect: 2.25, within: 0}"));
  EXPECT_TRUE(passes("{task: motion, signal: x, at: 1500 ms, expect: 2.26, within: 0.011}"));
  EXPECT_FALSE(passes("{task: motion, signal: x, at: 1.5 s, expect: 2.26, within: 0.009}"));
  EXPECT_TRUE(passes("{task: motion, signal: x, at: 1.5 s, expect: 2.26, within_relative: 0.01}"));
  EXPECT_FALSE(passes("{task: motion, signal: x, at: 1.5 s, expect: 2.26, within_relative: 0.001}"));
  EXPECT_EQ(message("{task: motion, signal: x, at: 1.5 s, expect: 2, within: 0.125}"),
            "is 2.25 m, expected 2 ± 0.125 m; off by 0.25 m");
}

TEST_F(Checks, OfATimeWithoutARow) {
  EXPECT_FALSE(passes("{task: motion, signal: x, at: 0.7 s, expect: 0.49, within: 1}"));
  EXPECT_THAT(message("{task: motion, signal: x, at: 0.7 s, expect: 0.49, within: 1}"),
              AllOf(HasSubstr("no row at t = 0.7; its rows go from 0 to 2"), HasSubstr("[check-no-rows]")));
}

TEST_F(Checks, OfTheWholeHistory) {
  EXPECT_TRUE(passes("{task: motion, signal: x, expect: 4, within: 0}"));
  EXPECT_TRUE(passes("{task: motion, signal: x, take: first, expect: 0, within: 0}"));
  EXPECT_TRUE(passes("{task: motion, signal: x, take: maximum, expect: 4, within: 0}"));
  EXPECT_TRUE(passes("{task: motion, signal: y, take: minimum, expect: -4, within: 0}"));
  EXPECT_TRUE(passes("{task: motion, signal: y, take: largest, expect: 4, within: 0}"));
  EXPECT_TRUE(passes("{task: motion, signal: z, take: rms, expect: 3, within: 1e-15}"));
}

TEST_F(Checks, OfDifferencesAndDistances) {
  EXPECT_TRUE(passes("{task: motion, signal: z, minus: y, expect: 7, within: 0}"));
  EXPECT_TRUE(passes("{task: motion, signal: z, minus: 1.5, expect: 1.5, within: 0}"));
  // At the end (4, −4, 3) is √41 from the origin, and 5 from (1, 0, 3).
  EXPECT_TRUE(passes("{task: motion, signals: [x, y, z], expect: 6.4031242374328485, within: 1e-14}"));
  EXPECT_TRUE(passes("{task: motion, signals: [x, y, z], minus: [1, 0, 3], expect: 5, within: 1e-14}"));
}

TEST_F(Checks, OfFiguresAndTheirRatio) {
  EXPECT_TRUE(passes("{task: motion, count: rates, between: [500, 2200]}"));
  EXPECT_FALSE(passes("{task: motion, count: rates, between: [1000, none]}"));
  EXPECT_TRUE(passes("{task: motion, count: rates, divided_by: steps, expect: 3, within: 0}"));
  EXPECT_TRUE(passes("{task: motion, count: rates, of: other, divided_by: rates, between: [0, 0.5]}"));
  EXPECT_THAT(message("{task: motion, count: rate, between: [0, 1]}"),
              AllOf(HasSubstr("Did you mean \"rates\"?"), HasSubstr("[no-such-count]")));
}

TEST_F(Checks, OfTheStatus) {
  EXPECT_TRUE(passes("{task: motion, status: done}"));
  EXPECT_FALSE(passes("{task: motion, status: failed}"));
  EXPECT_FALSE(passes("{task: other, status: done}"));
}

TEST_F(Checks, OfATable) {
  folder_.file("good.csv", "# made by hand\nt [s],ex [m],ey\n0,0,0\n1,1,-2\n2,+4.0E+00,-4\n");
  folder_.file("bad.txt", "t\tex\n0\t0\n1\t1.125\n2\t4\n");
  EXPECT_TRUE(passes("{task: motion, table: good.csv, columns: {x: ex, y: ey}, within: 1e-15}"));
  const Verdict bad = judged("{task: motion, table: bad.txt, columns: {x: ex}, within: 0.1}");
  EXPECT_FALSE(bad.result.pass);
  EXPECT_EQ(bad.result.message, "3 values, the worst x at 1: is 1 m, expected 1.125 ± 0.1 m, off by 0.125 m");
  EXPECT_EQ(bad.result.expected, 1.125);
  EXPECT_TRUE(passes("{task: motion, table: bad.txt, columns: {x: ex}, within: 0.1, where: {ex: 4}}"));
}

TEST_F(Checks, OfBoundsAreShownAsBoundsWithTheirUnit) {
  const Verdict inside = judged("{task: motion, signal: x, at: 0.5 s, between: [0, 50 cm]}");
  EXPECT_EQ(inside.result.message, "is 0.25 m, expected between 0 and 0.5 m");
  EXPECT_EQ(inside.result.unit, "m");
  EXPECT_EQ(inside.result.lower, 0);
  EXPECT_EQ(inside.result.upper, 0.5);
  const Verdict above = judged("{task: motion, signal: x, at: 0.5 s, between: [none, 10 cm]}");
  EXPECT_EQ(above.result.message, "is 0.25 m, expected at most 0.1 m");
  EXPECT_FALSE(above.result.pass);
  EXPECT_EQ(above.result.lower, std::nullopt);
}

TEST_F(Checks, OfATableBetweenRowsAreInterpolated) {
  // y is straight, x = t² is not: half way between rows 0.5 s apart, a line is off by 0.5²/4/2·2 = 0.0625.
  folder_.file("measured.txt", "time [ms]; ey [mm]; ex\n250; -500,0; 0,0625\n500; -1000; 0,25\n1250; -2500; 1,5625\n");
  const std::string table = "{task: motion, table: measured.txt, time: time, ";
  EXPECT_TRUE(passes(table + "columns: {y: ey}, within: 1e-15}"));
  EXPECT_FALSE(passes(table + "columns: {x: ex}, within: 0.062}"));
  EXPECT_TRUE(passes(table + "columns: {x: ex}, within: 0.0626}"));
  EXPECT_TRUE(passes(table + "columns: {x: ex}, interpolation: cubic, within: 1e-15}"));
  EXPECT_THAT(message(table + "columns: {y: ey}, within: 1e-15}"),
              HasSubstr("3 values, 2 between rows, the worst y at "));
}

TEST_F(Checks, OfATableTakeUnitsThatItsHeaderLacks) {
  folder_.file("plain.csv", "t,ex\n500,25\n1000,100\n");
  EXPECT_TRUE(passes("{task: motion, table: plain.csv, columns: {x: ex}, units: {t: ms, ex: cm}, within: 1e-15}"));
}

TEST_F(Checks, OfATableThatIsWrong) {
  folder_.file("short.csv", "t,ex\n0\n");
  folder_.file("word.csv", "t,ex\n0,one\n");
  folder_.file("empty.csv", "t,ex\n");
  folder_.file("late.csv", "t,ex\n7,1\n");
  folder_.file("fine.csv", "t,ex\n1,1\n");
  const auto with = [&](const std::string& table, const std::string& column = "ex") {
    return message("{task: motion, table: " + table + ", columns: {x: " + column + "}, within: 1}");
  };
  EXPECT_THAT(with("short.csv"), HasSubstr("short.csv:2: the line has 1 field, but the header has 2"));
  EXPECT_THAT(with("word.csv"), AllOf(HasSubstr("word.csv:2: column \"ex\""), HasSubstr("[number-invalid]")));
  EXPECT_THAT(with("empty.csv"), HasSubstr("[table-empty]"));
  EXPECT_THAT(with("late.csv"), HasSubstr("[check-no-rows]"));
  EXPECT_THAT(with("fine.csv", "ez"), AllOf(HasSubstr("Columns: t, ex"), HasSubstr("[csv-column]")));
  EXPECT_THAT(with("none.csv"), HasSubstr("[file-missing]"));
}

TEST_F(Checks, AreSkippedWithoutTheDataOfOthers) {
  unsetenv("ARTICULA_NO_SUCH_VARIABLE");
  const Verdict verdict =
      judged("{task: motion, table: \"${ARTICULA_NO_SUCH_VARIABLE}/a.csv\", columns: {x: ex}, within: 1}");
  EXPECT_TRUE(verdict.skipped);
  EXPECT_FALSE(verdict.result.pass);
  EXPECT_THAT(verdict.result.message, HasSubstr("names a variable of the environment that is not set"));
  folder_.file("a.csv", "t,ex\n1,1\n");
  setenv("ARTICULA_SOME_VARIABLE", folder_.path("").c_str(), 1);
  EXPECT_TRUE(passes("{task: motion, table: \"${ARTICULA_SOME_VARIABLE}/a.csv\", columns: {x: ex}, within: 0}"));
}

TEST_F(Checks, OfASignalThatIsNotThere) {
  EXPECT_THAT(message("{task: motion, signal: w, expect: 1, within: 1}"),
              AllOf(HasSubstr("task \"motion\" has no signal \"w\""), HasSubstr("[no-such-signal]")));
}

TEST_F(Checks, NeverPassOnWhatIsNoNumber) {
  const StoredRun stored = store_.run(run_);
  TaskWriter writer = store_.write(stored.task("other").id);
  writer.columns(std::vector<StoredSignal>{{"t", "s"}, {"x", "m"}});
  writer.row(std::vector<double>{0, std::numeric_limits<double>::quiet_NaN()});
  writer.row(std::vector<double>{1, 1});
  writer.finish(RunStatus::done);
  EXPECT_FALSE(passes("{task: other, signal: x, at: 0, expect: 0, within: 1e300}"));
  EXPECT_FALSE(passes("{task: other, signal: x, at: 0, between: [none, 1e300]}"));
  EXPECT_FALSE(passes("{task: other, signal: x, take: largest, between: [none, 1e300]}"));
  EXPECT_FALSE(passes("{task: other, signal: x, take: rms, between: [none, 1e300]}"));
  EXPECT_FALSE(passes("{task: other, signal: x, take: maximum, between: [none, 1e300]}"));
  EXPECT_FALSE(passes("{task: other, signal: x, take: minimum, between: [none, 1e300]}"));
  folder_.file("n.csv", "t,ex\n0,0\n1,1\n");
  EXPECT_FALSE(passes("{task: other, table: n.csv, columns: {x: ex}, within: 1e300}"));
}

}  // namespace
}  // namespace articula::test
