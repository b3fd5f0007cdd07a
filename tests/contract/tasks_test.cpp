/// What every task of a study does with what a model can hold: the table of tasks. A later capability adds its rows and
/// columns here.
///
///     done       computed, and nothing to say
///     ~code      computed, with a warning of that code
///     !code      refused with that code, before anything is stored

#include <map>
#include <set>

#include <gtest/gtest.h>

#include <articula/study/run.h>
#include <articula/study/study_reader.h>

#include "support/temporary_folder.h"

namespace articula::test {
namespace {

/// A pendulum `bob` on the joint `hinge`, and whatever stands below it.
std::string model(const std::string& more, const std::string& hinge = "", const std::string& environment = "") {
  return "articula: 1\nname: m\n" + environment +
         "bodies:\n  bob: {mass: 1, com: [0, 0, -0.5], frames: {tip: {xyz: [0, 0, " +
         "-0.5]}}, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n  arm: {mass: 0.5, com: [0, 0, -0.2], inertia: {xx: 0.02, " +
         "yy: 0.02, zz: 0.02}}\njoints:\n  hinge: {type: revolute, axis: y, from: world, to: bob" + hinge +
         "}\n  elbow: {type: revolute, axis: y, from: {bob: tip}, to: arm}\n" + more;
}

const std::map<std::string, std::string> features{
    {"nothing more", model("")},
    {"external force", model("forces: {push: {on: arm, force: [1, 0, 0]}}\n")},
    {"spring and damper",
     model("springs: {s: {from: {world: {xyz: [1, 0, 0]}}, to: {bob: tip}, stiffness: 30, rest: 1}}\n"
           "dampers: {d: {from: {world: {xyz: [1, 0, 0]}}, to: {bob: tip}, damping: 2}}\n")},
    {"friction", model("", ", friction: 0.3")},
    {"gear", model("gears: {g: {in1: elbow, out1: hinge, ratio: [[2]]}}\n")},
    {"rigid drive", model("drives: {m: {joint: elbow, mounted_on: bob, rotor_inertia: 1e-3, gear: 10}}\n")},
    {"elastic drive", model("drives: {m: {joint: elbow, rotor_inertia: 1e-3, gear: 10, stiffness: 100}}\n")},
    {"prescribed joint", model("", ", prescribed: true")},
    {"contact", model("contacts: {c: {on: arm}}\n", "", "environment: {ground: {}}\n")},
    {"loop", model("rods: {r: {from: {world: {xyz: [0.5, 0, 0]}}, to: arm, length: 1.2}}\n")},
    {"central gravity", model("", "", "environment: {gravity: {central: {center: [0, 0, -1000], mu: 9.81e6}}}\n")},
};

const std::string along = "along: still, until: 0.1 s, every: 0.05 s";
const std::map<std::string, std::string> tasks{
    {"simulate", "{type: simulate, until: 0.05 s, integrator: rk45}"},
    {"inverse_dynamics", "{type: inverse_dynamics, " + along + "}"},
    {"inverse_dynamics, passive", "{type: inverse_dynamics, passive: true, " + along + "}"},
    {"forward_kinematics", "{type: forward_kinematics, " + along + "}"},
    {"linearize", "{type: linearize}"},
    {"equilibrium", "{type: equilibrium}"},
    {"compare_integrators", "{type: compare_integrators, until: 0.05 s, integrators: [rk45]}"},
    {"sweep", "{type: sweep, over: {bob.mass: [1, 2]}, task: {type: simulate, until: 0.05 s, integrator: rk45}}"},
};

/// `hinge` is moved, too, where it is prescribed; nothing else may be, in a run.
std::string outcome(const std::string& feature, const std::string& task) {
  const test::TemporaryFolder folder;
  folder.file("m.yaml", features.at(feature));
  const bool gear = feature == "gear";
  const std::string file = folder.file(
      "s.yaml", "articula_study: 1\nmodel: m.yaml\ntrajectories: {still: {type: constant, joints: [hinge" +
                    std::string(gear ? "" : ", elbow") + "], value: 0.2}}\ntasks: {t: " + tasks.at(task) + "}\n");
  std::set<std::string> warned;
  RunOptions options;
  options.tell = [&](const Finding& finding) {
    if (finding.severity == Severity::warning && finding.code != "trajectory-unused") warned.insert(finding.code);
  };
  try {
    Findings findings;
    const Study study = load_study(file, findings);
    Store store(folder.path("runs.db"), Store::Access::write);
    const RunReport report = run_study(study, store, options);
    if (report.status != RunStatus::done) return "failed: " + report.tasks.front().outcome.message;
  } catch (const Error& error) {
    return "!" + error.code() + (error.code().empty() ? error.what() : "");
  }
  std::string all;
  for (const std::string& code : warned) all += (all.empty() ? "~" : " ~") + code;
  return all.empty() ? "done" : all;
}

TEST(Contract, OfTasks) {
  using Cells = std::map<std::string, std::string>;
  const Cells moving{{"nothing more", "done"},
                     {"external force", "done"},
                     {"spring and damper", "done"},
                     {"friction", "done"},
                     {"gear", "done"},
                     {"rigid drive", "done"},
                     {"elastic drive", "done"},
                     {"prescribed joint", "done"},
                     {"contact", "!contact-not-computed"},
                     {"loop", "!loop-not-computed"},
                     {"central gravity", "done"}};
  const auto but = [](Cells cells, const Cells& other) {
    for (const auto& [name, cell] : other) cells[name] = cell;
    return cells;
  };
  // Torques and poses along a given motion: contacts are warned of, drives act only if passive.
  const Cells told = but(moving, {{"contact", "~contact-not-computed"}});
  const std::map<std::string, Cells> table{
      {"simulate", moving},
      {"inverse_dynamics", told},
      {"inverse_dynamics, passive", told},
      {"forward_kinematics", but(told, {{"contact", "done"}})},
      {"linearize", moving},
      {"equilibrium", moving},
      {"compare_integrators", moving},
      {"sweep", moving},
  };
  for (const auto& [task, cells] : table) {
    for (const auto& [feature, expected] : cells)
      EXPECT_EQ(outcome(feature, task), expected) << task << " × " << feature;
  }
}

}  // namespace
}  // namespace articula::test
