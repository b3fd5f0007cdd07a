// Comparison of two runs: bit-identical, equal within a tolerance, or with the largest difference.

#include <limits>

#include <articula/store/compare.h>

#include "store/store_support.h"
#include "support/names.h"

namespace articula::test {
namespace {

using namespace store_test;
using testing::ElementsAre;
using testing::IsEmpty;

class StoreCompare : public testing::Test {
 protected:
  using Table = std::vector<std::vector<double>>;

  StoredRun run(const Table& rows, std::vector<StoredSignal> signals = {{"t", "s"}, {"x", "m"}},
                const std::string& task = "motion") {
    const std::vector<NewTask> tasks{{task, "simulate"}};
    const StoredRun made = store.run(store.add_run({}, tasks));
    TaskWriter writer = store.write(made.tasks[0].id);
    writer.columns(signals);
    for (const std::vector<double>& row : rows) writer.row(row);
    writer.finish(RunStatus::done);
    return store.run(made.id);
  }
  RunDifference compare(const StoredRun& a, const StoredRun& b, std::optional<double> tolerance = {}) {
    return compare_runs(store, a, store, b, tolerance);
  }

  Folder folder;
  Store store{folder / "runs.db", Store::Access::write};
};

const double nan = std::numeric_limits<double>::quiet_NaN();

TEST_F(StoreCompare, equal_bits_are_bit_identical) {
  const RunDifference found = compare(run({{0, 1}, {1, nan}}), run({{0, 1}, {1, nan}}));
  EXPECT_TRUE(found.identical());
  EXPECT_FALSE(found.differs());
  EXPECT_EQ(found.tasks[0].common, 2);
}

TEST_F(StoreCompare, the_last_bit_counts_without_a_tolerance) {
  const StoredRun a = run({{0, 1}, {1, 1}}), b = run({{0, 1}, {1, std::nextafter(1, 2)}});
  const RunDifference found = compare(a, b);
  EXPECT_TRUE(found.differs());
  EXPECT_EQ(found.tasks[0].signals[1].largest, std::numeric_limits<double>::epsilon());
  EXPECT_EQ(found.tasks[0].signals[1].at, 1);
  EXPECT_FALSE(compare(a, b, 1e-15).differs());
  EXPECT_FALSE(compare(a, b, 1e-15).identical());
  EXPECT_FALSE(compare(run({{0, 0.0}}), run({{0, -0.0}})).identical());
  EXPECT_FALSE(compare(run({{0, 0.0}}), run({{0, -0.0}})).differs()) << "equal, though not the same bits";
}

TEST_F(StoreCompare, the_largest_difference_and_its_place_are_told) {
  const RunDifference found = compare(run({{0, 0}, {1, 5}, {2, 7}}), run({{0, 0.1}, {1, 3}, {2, 7.5}}), 2);
  const SignalDifference& x = found.tasks[0].signals[1];
  EXPECT_EQ(x.largest, 2);
  EXPECT_EQ(x.at, 1);
  EXPECT_EQ(x.a, 5);
  EXPECT_EQ(x.b, 3);
  EXPECT_FALSE(found.differs());
}

TEST_F(StoreCompare, only_common_times_are_compared_with_a_tolerance) {
  const StoredRun a = run({{0, 0}, {1, 1}, {2, 2}}), b = run({{0, 0}, {0.5, 9}, {1 + 1e-15, 1}, {1.5, 9}, {2, 2}});
  EXPECT_FALSE(compare(a, b, 1e-12).differs());
  EXPECT_EQ(compare(a, b, 1e-12).tasks[0].common, 3);
  EXPECT_TRUE(compare(a, b).differs());
  EXPECT_THAT(compare(a, b).tasks[0].remarks, ElementsAre("only 3 of 5 times are common"));
}

TEST_F(StoreCompare, tables_that_begin_or_end_elsewhere_differ) {
  const RunDifference found = compare(run({{0, 0}, {1, 1}}), run({{0, 0}, {1, 1}, {2, 1}}), 1);
  EXPECT_TRUE(found.differs());
  EXPECT_THAT(found.tasks[0].remarks, ElementsAre("they end at 1 and 2"));
  EXPECT_TRUE(compare(run({}), run({{0, 1}}), 1).differs());
}

TEST_F(StoreCompare, other_signals_units_and_tasks_are_told) {
  const RunDifference found = compare(run({{0, 1}}), run({{0, 1, 2}}, {{"t", "ms"}, {"y", "m"}, {"z", "m"}}), 1);
  EXPECT_THAT(found.tasks[0].only_in_a, ElementsAre("x"));
  EXPECT_THAT(found.tasks[0].only_in_b, ElementsAre("y", "z"));
  EXPECT_THAT(found.tasks[0].remarks, ElementsAre("the unit of t is \"s\" and \"ms\""));
  const RunDifference tasks = compare(run({}), run({}, {{"t", "s"}}, "other"));
  EXPECT_THAT(tasks.only_in_a, ElementsAre("motion"));
  EXPECT_THAT(tasks.only_in_b, ElementsAre("other"));
  EXPECT_TRUE(tasks.differs());
}

TEST_F(StoreCompare, a_value_that_is_no_number_differs_from_every_number) {
  const RunDifference found = compare(run({{0, nan}}), run({{0, 1}}), 1e9);
  EXPECT_TRUE(found.differs());
  EXPECT_EQ(found.tasks[0].signals[1].largest, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace articula::test
