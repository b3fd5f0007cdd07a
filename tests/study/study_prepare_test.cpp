// Everything that can be found before computing is found, in one go, and nothing is stored then.
#include "study/study_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace articula::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace testing_study;

std::vector<std::string> texts_of(const Bench& bench) {
  std::vector<std::string> all;
  for (const Finding& finding : prepare_study(bench.study()).findings) {
    std::string text = to_text(finding);
    const std::size_t name = text.find("swing.yaml:");
    all.push_back(text.substr(name == std::string::npos ? 0 : name));
  }
  return all;
}

constexpr const char* swing = "tasks: {swing: {type: simulate, until: 1 s}}\n";

TEST(PrepareStudy, FindsNothingWrongWithAGoodOne) {
  Bench bench(std::string(swing) + "checks: [{task: swing, signal: q.hinge, between: [-10 deg, 10 deg]}]\n");
  const PreparedStudy prepared = prepare_study(bench.study());
  EXPECT_THAT(prepared.findings, IsEmpty());
  ASSERT_EQ(prepared.plans.size(), 1u);
  EXPECT_EQ(prepared.plans[0]->columns.front(), (Signal{"t", "s"}));
}

TEST(PrepareStudy, FindsAllMistakesAtOnce) {
  Bench bench(
      "trajectories:\n"
      "  wave: {type: harmonic, amplitude: 1, omega: 2}\n"
      "  gone: {type: table, file: gone.csv}\n"
      "blocks:\n"
      "  servo: {type: pd, reference: wave, stiffness: [1, 2]}\n"
      "tasks:\n"
      "  torques: {type: inverse_dynamics, along: wav, until: 1 s, frames: [rodd]}\n"
      "  places: {type: forward_kinematics, at: [[1, 2]]}\n"
      "  reach: {type: inverse_kinematics, frame: rod.tipp, targets: [{xyz: [0, 0, 1]}]}\n"
      "  many: {type: sweep, over: {rod.mas: [1]}, task: {type: simulate, until: 1 s}}\n"
      "checks:\n"
      "- {task: places, signal: pose.rod.x, expect: 1, within: 0}\n");
  const std::vector<std::string> found = texts_of(bench);
  const auto finds = [&](std::initializer_list<std::string> parts) {
    for (const std::string& text : found) {
      if (std::all_of(parts.begin(), parts.end(), [&](const auto& part) { return text.find(part) != text.npos; }))
        return true;
    }
    return false;
  };
  EXPECT_TRUE(finds({"gone.csv", "[file-missing]"}));
  EXPECT_TRUE(finds({"swing.yaml:7: block \"servo\": stiffness has 2 numbers"}));
  EXPECT_TRUE(finds({"swing.yaml:10: task \"places\": at #1 has 2 numbers", "[state-size]"}));
  EXPECT_TRUE(finds({"swing.yaml:11: task \"reach\": frame \"rod.tipp\" not found"}));
  EXPECT_TRUE(finds({"swing.yaml:12: override \"rod.mas\"", "Did you mean \"mass\"?"}));
  EXPECT_TRUE(finds({"swing.yaml:9: task \"torques\": the study has no trajectory \"wav\". Did you mean \"wave\"?"}));
  EXPECT_TRUE(finds({"swing.yaml:9: task \"torques\": ", "\"rodd\" not found"})) << testing::PrintToString(found);
  EXPECT_EQ(
      std::count_if(found.begin(), found.end(), [](const auto& text) { return text.find("gone.csv") != text.npos; }), 1)
      << testing::PrintToString(found);
  EXPECT_THAT(bench.error(), HasSubstr("[block-values]"));
  EXPECT_TRUE(Store(bench.store_file(), Store::Access::write).list().empty());
}

TEST(PrepareStudy, SetsUpSomeOfAMillionPoints) {
  for (const char* combine : {"grid", "together"}) {
    Bench bench(
        concat("tasks: {many: {type: sweep, combine: ", combine,
               ", over: {rod.mass: {from: 1 kg, to: 2 kg, count: 1000000}}, task: {type: simulate, until: 1 s}}}"
               "\n"));
    EXPECT_THAT(prepare_study(bench.study()).findings, IsEmpty());
  }
}

TEST(PrepareStudy, CountsWhatIsWrongBeyondAHundred) {
  std::string text = "override:\n";
  for (int k = 0; k < 40'000; ++k) text += concat("  rod.mass", k, ": 1\n");
  Bench bench(text + swing);
  const std::vector<std::string> found = texts_of(bench);
  ASSERT_EQ(found.size(), 101u);
  EXPECT_THAT(found.back(), HasSubstr("and 39900 more errors of this kind.  [override-unknown]"));
}

TEST(PrepareStudy, RefusesTrajectoriesOfTooManyCoordinates) {
  Bench bench(swing);
  articula::study::Setup setup = prepare_study(bench.study()).setup;
  Model chain("chain");
  for (int k = 0; k < 1000; ++k) {
    chain.add(concat("b", k), RigidBody{.mass = 1, .inertia = SymMat3<double>::identity()});
    chain.add(concat("j", k), Joint{}, "world", concat("b", k));
  }
  setup.model = std::move(chain);
  for (int k = 0; k <= 100; ++k) setup.trajectories.push_back({concat("w", k), ConstantMotion{.value = {0}}, {}});
  try {
    make_trajectories(setup);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(
        error.message(),
        "trajectory \"w100\": the trajectories of the study have more than 100000 coordinates together. Take fewer, "
        "or name the joints that each one moves.");
  }
}

TEST(PrepareStudy, KnowsTheSignalsAndFiguresOfEveryTask) {
  Bench bench(
      "trajectories: {wave: {type: harmonic, amplitude: 1, omega: 2}}\n"
      "tasks:\n"
      "  swing: {type: simulate, until: 0.1 s, frames: [rod.tip]}\n"
      "  torques: {type: inverse_dynamics, along: wave, until: 0.1 s, frames: [rod], cut_forces: [rod.tip]}\n"
      "  places: {type: forward_kinematics, along: wave, until: 0.1 s}\n"
      "  listed: {type: forward_kinematics, at: [[1]]}\n"
      "  reach: {type: inverse_kinematics, frame: rod.tip, reaches: position, targets: [{xyz: [0, 0, -0.5]}]}\n"
      "  modes: {type: linearize}\n"
      "  many: {type: sweep, over: {rod.mass: [1, 2]}, task: {type: linearize}}\n"
      "  each: {type: sweep, keep: rows, over: {rod.mass: [1, 2]}, task: {type: simulate, until: 0.1 s}}\n"
      "  table: {type: compare_integrators, until: 0.1 s, integrators: [rk45, bdf], reference_tolerance: 1e-9}\n");
  const PreparedStudy prepared = prepare_study(bench.study());
  EXPECT_THAT(prepared.findings, IsEmpty());
  bench.run();
  const StoredRun run = Store(bench.store_file()).run("latest");
  for (std::size_t k = 0; k < run.tasks.size(); ++k) {
    SCOPED_TRACE(run.tasks[k].name);
    ASSERT_TRUE(prepared.plans[k]);
    std::vector<StoredSignal> planned;
    for (const Signal& signal : prepared.plans[k]->columns) planned.push_back({signal.name, signal.unit});
    EXPECT_EQ(planned, run.tasks[k].signals);
    std::vector<std::string> counts = prepared.plans[k]->counts;
    if (prepared.plans[k]->has_real_time_factor) counts.emplace_back("real_time_factor");
    std::vector<std::string> stored = names_of(run.tasks[k].counts);
    std::sort(counts.begin(), counts.end());
    std::sort(stored.begin(), stored.end());
    EXPECT_EQ(counts, stored);
  }
}

TEST(PrepareStudy, ChecksSignalsAndUnitsOfChecks) {
  const auto found = [](const std::string& check) {
    const std::vector<std::string> all =
        texts_of(Bench(std::string(swing) + "checks: [{task: swing, " + check + "}]\n"));
    return all.empty() ? std::string("nothing") : all.front();
  };
  EXPECT_THAT(
      found("signal: q.hing, between: [0, 1]"),
      AllOf(HasSubstr("swing.yaml:4: check: task \"swing\" has no signal \"q.hing\". Did you mean \"q.hinge\"?"),
            HasSubstr("[no-such-signal]")));
  EXPECT_THAT(found("signal: q.hinge, minus: q.hing, between: [0, 1]"), HasSubstr("[no-such-signal]"));
  EXPECT_EQ(
      found("signal: q.hinge, expect: 1 kg, within: 1"),
      "swing.yaml:4: check: expect is \"1 kg\", but q.hinge is in rad. Write it in that unit or another of its kind. "
      " [unit-dimension]");
  EXPECT_THAT(found("signal: q.hinge, expect: 1, within: 1 m"), HasSubstr("within is \"1 m\", but q.hinge is in rad"));
  EXPECT_THAT(found("signal: q.hinge, between: [0, 1 s]"), HasSubstr("between is \"1 s\", but q.hinge is in rad"));
  EXPECT_THAT(found("signal: q.hinge, at: 1 m, expect: 1, within: 1"), HasSubstr("at is \"1 m\", but t is in s"));
  EXPECT_THAT(found("signal: q.hinge, minus: 1 m, expect: 1, within: 1"),
              HasSubstr("minus is \"1 m\", but q.hinge is in rad"));
  EXPECT_THAT(found("signal: q.hinge, minus: v.hinge, expect: 1, within: 1"),
              HasSubstr("minus is \"v.hinge\" in rad/s, but q.hinge is in rad. Take away a signal of the same kind."));
  EXPECT_THAT(found("signal: q.hinge, expect: 1, within_relative: 1 deg"), HasSubstr("but a ratio is in no unit"));
  EXPECT_THAT(found("count: rates, between: [0, 1 s]"), HasSubstr("but a count is in no unit"));
  EXPECT_THAT(found("count: rate, between: [0, 1]"), HasSubstr("[no-such-count]"));
  EXPECT_THAT(found("count: steps, divided_by: rate, between: [0, 1]"), HasSubstr("[no-such-count]"));
  EXPECT_EQ(found("count: real_time_factor, between: [0, none]"), "nothing");
  EXPECT_EQ(
      found("signal: tau.hinge, expect: 1 kNm, within: 1 %"),
      "swing.yaml:4: check: within is \"1 %\", but tau.hinge is in N*m. Write it in that unit or another of its kind.  "
      "[unit-dimension]");
  EXPECT_EQ(found("signal: energy.kinetic, expect: 1 J, within_relative: 1 %"), "nothing");
}

TEST(PrepareStudy, ReadsTheTablesOfChecks) {
  const auto found = [](const std::string& text, const std::string& more = "") {
    Bench bench(std::string(swing) + "checks: [{task: swing, table: ref.csv, columns: {q.hinge: x}, within: 1" + more +
                "}]\n");
    if (!text.empty()) bench.folder.file("ref.csv", text);
    const std::vector<std::string> all = texts_of(bench);
    return all.empty() ? std::string("nothing") : all.front();
  };
  EXPECT_THAT(found(""), AllOf(HasSubstr("swing.yaml:4: check: table "), HasSubstr("[file-missing]")));
  EXPECT_EQ(
      found("t,y\n0,0\n"),
      "swing.yaml:4: check: table ref.csv: column \"x\" not found. Did you mean \"t\"? Columns: t, y.  [csv-column]");
  EXPECT_EQ(found("t,x\n0,one\n"),
            "swing.yaml:4: check: table ref.csv:2: column \"x\": \"one\" is not a number. Write e.g. 0.5 or 1e-3.  "
            "[number-invalid]");
  EXPECT_EQ(
      found("t,x [mm]\n0,1\n"),
      "swing.yaml:4: check: column \"x\" of ref.csv is in m, but q.hinge is in rad. Compare with another column.  "
      "[unit-dimension]");
  EXPECT_THAT(found("t [mm],x\n0,1\n"), HasSubstr("column \"t\" of ref.csv is in m, but t is in s"));
  EXPECT_THAT(found("t,x\n"), HasSubstr("[table-empty]"));
  EXPECT_THAT(found("t,x\n0,0\n", ", where: {g: 1}"), HasSubstr("column \"g\" not found"));
  EXPECT_EQ(found("t [ms],x [deg]\n0,0\n"), "nothing");
  EXPECT_THAT(testing_study::error_in("model: a\ntasks: {t: {type: simulate, until: 1}}\n"
                                      "checks: [{task: t, table: a, columns: {x: y}, units: {y: degg}, within: 1}]"),
              HasSubstr("units.y: unit \"degg\": \"degg\" is not known. Did you mean \"deg\"?"));
}

TEST(PrepareStudy, WarnsOfWhatNothingUses) {
  EXPECT_THAT(
      texts_of(Bench("trajectories: {wave: {type: harmonic, amplitude: 1, omega: 2}}\n" + std::string(swing))),
      ElementsAre("swing.yaml:3: trajectory \"wave\" is not used: no task, block, start or check names it. Remove "
                  "it, or name it, e.g. along: wave.  [trajectory-unused]"));
  for (const char* use : {"start: wave\n", "blocks: {servo: {type: pd, reference: wave, stiffness: 1, damping: 1}}\n",
                          "checks: [{task: swing, signal: q.hinge, minus: wave.q.hinge, between: [0, 1]}]\n"}) {
    EXPECT_THAT(
        texts_of(Bench("trajectories: {wave: {type: harmonic, amplitude: 1, omega: 2}}\n" + std::string(use) + swing)),
        IsEmpty())
        << use;
  }
  const std::string blocks =
      "blocks:\n  spring: {type: spring_damper, joints: all, stiffness: 1}\n"
      "  rub: {type: friction, joints: all, viscous: 1}\n"
      "  short: {type: switched, block: rub, until: 1 s}\n";
  EXPECT_THAT(texts_of(Bench(blocks + swing)), IsEmpty());
  EXPECT_THAT(texts_of(Bench(blocks + "tasks: {swing: {type: simulate, until: 1 s, blocks: [short]}}\n")),
              ElementsAre("swing.yaml:4: block \"spring\" is not used: no task includes it. Remove it, or name it in "
                          "`blocks` of a task, e.g. blocks: [spring].  [block-unused]"));
  EXPECT_EQ(texts_of(Bench(blocks + "tasks: {places: {type: forward_kinematics, at: [[1]]}}\n")).size(), 3u);
}

TEST(PrepareStudy, OfATrajectoryOfSomeJointsLeavesTheOthersWhereTheyStart) {
  Bench bench("");
  bench.folder.file("arm.yaml", R"(articula: 1
bodies:
  upper: {mass: 2, com: [0, 0, -0.5]}
  fore: {mass: 1, com: [0, 0, -0.25]}
joints:
  shoulder: {type: revolute, axis: y, from: world, to: upper}
  elbow: {type: revolute, axis: y, from: {upper: {xyz: [0, 0, -1]}}, to: fore}
)");
  bench.folder.file("swing.yaml", study_text("model: arm.yaml\n"
                                             "start: {q: {shoulder: 30 deg}, v: {shoulder: 2}}\n"
                                             "trajectories: {still: {type: constant, joints: [elbow], value: 60 deg}}\n"
                                             "tasks:\n"
                                             "  torques: {type: inverse_dynamics, along: still, times: [0]}\n"
                                             "  places: {type: forward_kinematics, along: still, times: [0]}\n"));
  const std::vector<std::string> found = texts_of(bench);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(
      found[0],
      "swing.yaml:6: task \"torques\": start: v of \"shoulder\" is 2, but trajectory \"still\" does not move it. Here "
      "it stays where it starts, at rest; to move it, add it to the trajectory.  [start-speed-ignored]");
  bench.run();
  const Store store(bench.store_file());
  const StoredRun run = store.run("latest");
  // The upper arm at 30°, the forearm at 90°: level.
  constexpr double g = 9.81;
  const double elbow = 1 * g * 0.25, shoulder = 2 * g * 0.5 * 0.5 + 1 * g * (1 * 0.5 + 0.25);
  EXPECT_NEAR(store.column(run.task("torques").id, "tau.elbow").at(0), elbow, 1e-12);
  EXPECT_NEAR(store.column(run.task("torques").id, "tau.shoulder").at(0), shoulder, 1e-12);
  EXPECT_NEAR(store.column(run.task("places").id, "q.shoulder").at(0), 0.5235987755982988, 1e-15);
}

}  // namespace
}  // namespace articula::test
