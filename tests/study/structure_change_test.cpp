// Joints that open during a task `simulate`, from the text of a study.
#include "study/study_text.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace articula::test {
namespace {

using testing::HasSubstr;
using namespace testing_study;

std::string study_with(const std::string& changes) {
  return "override: {rod.inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n"
         "start: {q: {hinge: 1}}\n"
         "tasks: {fall: {type: simulate, until: 1 s, tolerance: 1e-10, output_every: 0.1 s, frames: [rod.tip], "
         "changes: " +
         changes + "}}\n";
}

TEST(StructureChange, ABodyThatIsReleasedByAStudyFallsFreely) {
  Bench bench(study_with("[{at: 500 ms, disconnect: hinge}]"));
  EXPECT_EQ(bench.run().status, RunStatus::done);
  const Store store(bench.store_file());
  const auto column = [&](const char* signal) { return store.column(store.run("latest").task("fall").id, signal); };
  const std::vector<double> t = column("t"), x = column("pose.rod.tip.x"), z = column("pose.rod.tip.z"),
                            q = column("q.hinge"), free = column("q.rod.x");
  ASSERT_EQ(t.size(), 11u);
  for (std::size_t k = 0; k < 11; ++k) {
    EXPECT_NEAR(t[k], 0.1 * static_cast<double>(k), 1e-12);
    EXPECT_EQ(std::isnan(q[k]), k >= 5);
    EXPECT_EQ(std::isnan(free[k]), k < 5);
    // The tip is the centre of mass: its second differences are those of a parabola.
    if (k < 6 || k == 10) continue;
    EXPECT_NEAR(x[k + 1] - 2 * x[k] + x[k - 1], 0, 1e-9);
    EXPECT_NEAR(z[k + 1] - 2 * z[k] + z[k - 1], -9.81 * 0.01, 1e-9);
  }
}

TEST(StructureChange, SaysWhatIsWrongWithTheText) {
  EXPECT_THAT(error_in("model: a.yaml\n" + study_with("[{disconnect: hinge}]")), HasSubstr("at is missing"));
  EXPECT_THAT(error_in("model: a.yaml\n" + study_with("[{at: 1 s, release: hinge}]")), HasSubstr("\"release\""));
  Bench bench(study_with("[{at: 500 ms, disconnect: hinges}]"));
  try {
    bench.run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("disconnect: joint \"hinges\" not found in \"pendulum\". Did you mean \"hinge\"?"));
  }
}

}  // namespace
}  // namespace articula::test
