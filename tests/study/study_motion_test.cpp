// Prescribed motion, contacts, limits and positions of rest, said in studies.
#include "study/study_text.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace articula::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using namespace testing_study;

constexpr double g = 9.81;

/// A study of a model written beside it, with all that is told.
struct Told {
  Folder folder;
  RunReport report;
  std::vector<std::string> told;
  std::string error;

  Told(std::string_view model, std::string_view content) {
    folder.file("m.yaml", "articula: 1\n" + std::string(model));
    const std::string file = folder.file("s.yaml", study_text("model: m.yaml\n" + std::string(content)));
    RunOptions options;
    options.tell = [&](const Finding& finding) { told.push_back(to_text(finding)); };
    try {
      Findings findings;
      const Study study = load_study(file, findings);
      Store store(folder.path("runs.db"), Store::Access::write);
      report = run_study(study, store, options);
    } catch (const Error& caught) {
      error = caught.what();
    }
  }
  std::vector<double> column(const std::string& task, const std::string& signal) const {
    const Store store(folder.path("runs.db"));
    return store.column(store.run("latest").task(task).id, signal);
  }
};

constexpr std::string_view table_and_bead = R"(name: turntable
environment: {gravity: [0, 0, 0]}
bodies: {bead: {mass: 0.8}}
reference_frames: {table: {motion: prescribed}}
joints: {rail: {type: prismatic, axis: x, from: table, to: bead, start: [0.1]}}
)";

TEST(Motion, ABeadOnATurningTableMovesOutward) {
  // r = r₀·cosh(ω·t); the torque on the table is 2·m·ω·r·ṙ.
  const Told run(
      table_and_bead,
      "trajectories: {turn: {type: polynomial, joints: [table.yaw], times: [0, 10 s], points: [[0], [15]]}}\n"
      "tasks: {spin: {type: simulate, until: 1.5 s, tolerance: 1e-10, output_every: 0.5 s}}\n");
  ASSERT_EQ(run.error, "");
  const double w = 1.5;
  const auto r = run.column("spin", "q.rail"), torque = run.column("spin", "tau.table.wz");
  for (std::size_t k = 0; k < r.size(); ++k) {
    const double t = 0.5 * static_cast<double>(k);
    EXPECT_NEAR(r[k], 0.1 * std::cosh(w * t), 1e-8);
    EXPECT_NEAR(torque[k], 2 * 0.8 * w * 0.1 * std::cosh(w * t) * 0.1 * w * std::sinh(w * t), 1e-8);
  }
}

TEST(Motion, APrescribedJointWithoutTrajectoryIsRefused) {
  const Told run(table_and_bead, "tasks: {spin: {type: simulate, until: 1 s}}\n");
  EXPECT_THAT(run.error,
              HasSubstr("joint \"table\" of \"turntable\" is prescribed, and no trajectory moves it. Give the "
                        "study a trajectory of this joint (coordinates \"table.x\" … \"table.yaw\"), or take "
                        "`prescribed` away.  [prescribed-without-motion]"));
}

constexpr std::string_view cart = R"(name: cart
bodies:
  cart: {mass: 2}
  bob: {mass: 1, com: [0, 0, -0.7]}
joints:
  slide: {type: prismatic, axis: x, from: world, to: cart}
  hinge: {type: revolute, axis: y, from: cart, to: bob, limits: [-20 deg, 20 deg], speed_limit: [100]}
)";

TEST(Motion, LinearizeLeavesPrescribedJointsOut) {
  // A pendulum on a cart that stands still: sqrt(g/l).
  const Told run(cart,
                 "trajectories: {stand: {type: constant, joints: [slide], moves: sliding, value: 0}}\n"
                 "tasks: {modes: {type: linearize, prescribe: [stand]}}\n");
  ASSERT_EQ(run.error, "");
  const double expected = std::sqrt(g / 0.7);
  EXPECT_NEAR(run.column("modes", "eigenvalue.1.im")[0], expected, 1e-9);
  EXPECT_NEAR(run.column("modes", "eigenvalue.2.im")[0], -expected, 1e-9);
  EXPECT_NEAR(run.column("modes", "frequency.1")[0], expected / (2 * M_PI), 1e-9);
}

TEST(Motion, LimitsAreToldStoredAndCanStop) {
  const std::string content = "start: {v: {hinge: 3}}\ntasks: {swing: {type: simulate, until: 1 s, prescribe: [stand]";
  const std::string stand = "trajectories: {stand: {type: constant, joints: [slide], moves: sliding, value: 0}}\n";
  const Told warned(cart, stand + content + "}}\n");
  ASSERT_EQ(warned.error, "");
  EXPECT_EQ(warned.report.status, RunStatus::done);
  EXPECT_THAT(warned.told, Contains(HasSubstr("joint \"hinge\" passes its upper limit, 0.3490658503988659 rad. The run "
                                              "goes on. A joint_stops block would hold it.")));
  const Store store(warned.folder.path("runs.db"));
  const Findings log = store.run("latest").log;
  EXPECT_TRUE(std::any_of(log.begin(), log.end(), [](const Finding& each) { return each.code == "limit-passed"; }));

  const Told stopped(cart, stand + content + ", on_limit: stop}}\n");
  EXPECT_EQ(stopped.report.status, RunStatus::done);
  EXPECT_NEAR(stopped.column("swing", "q.hinge").back(), 20 * M_PI / 180, 1e-6);
  EXPECT_LT(stopped.column("swing", "t").back(), 0.2);

  const Told ignored(cart, stand + content + ", on_limit: ignore}}\n");
  EXPECT_TRUE(ignored.told.empty());
}

constexpr std::string_view standing = R"(name: hopper
environment: {ground: {}}
bodies: {foot: {mass: 1}}
joints: {leg: {type: prismatic, axis: z, from: world, to: foot}}
contacts: {sole: {on: foot}}
)";

TEST(Motion, ContactsAreRefusedUnlessIgnored) {
  const Told refused(standing, "tasks: {fall: {type: simulate, until: 1 s}}\n");
  EXPECT_THAT(refused.error, HasSubstr("\"hopper\" has contact sole."));
  EXPECT_THAT(refused.error, HasSubstr("[contact-not-computed]"));
  const Told ignored(standing, "tasks: {fall: {type: simulate, until: 1 s, ignore: [contacts]}}\n");
  ASSERT_EQ(ignored.error, "");
  EXPECT_EQ(ignored.report.status, RunStatus::done);
  EXPECT_THAT(ignored.told, Contains(HasSubstr("[contact-ignored]")));
  EXPECT_NEAR(ignored.column("fall", "q.leg").back(), -g / 2, 1e-9);
  const Told misspelt(standing, "tasks: {fall: {type: simulate, until: 1 s, ignore: [contact]}}\n");
  EXPECT_THAT(misspelt.error, HasSubstr("ignore: \"contact\" cannot be ignored. Did you mean \"contacts\"?"));
}

constexpr std::string_view scale = R"(name: scale
bodies: {pan: {mass: 2}}
joints: {slide: {type: prismatic, axis: z, from: world, to: pan}}
springs: {spring: {from: {world: {xyz: [0, 0, 2]}}, to: pan, stiffness: 500, rest: 1}}
)";

TEST(Motion, AMassHangsInEquilibriumAndStaysThere) {
  const Told run(scale,
                 "start: equilibrium\n"
                 "tasks: {rest: {type: equilibrium, start: {q: {slide: 0.2}}}, hang: {type: simulate, until: 1 s}}\n");
  ASSERT_EQ(run.error, "");
  EXPECT_NEAR(run.column("rest", "q.slide")[0], 1 - 2 * g / 500, 1e-12);
  EXPECT_NEAR(run.column("rest", "element.spring.force")[0], -2 * g, 1e-9);
  for (const double q : run.column("hang", "q.slide")) EXPECT_NEAR(q, 1 - 2 * g / 500, 1e-12);
  ASSERT_FALSE(run.report.tasks.empty());
  EXPECT_THAT(run.report.tasks[0].outcome.text, HasSubstr("element.spring.force"));
}

}  // namespace
}  // namespace articula::test
