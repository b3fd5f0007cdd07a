// What a study says, and every message about one that cannot be read.
#include "study/study_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/study/internal/read_passage.h>

namespace articula::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using namespace testing_study;

constexpr std::string_view whole = R"(name: wave
description: an arm on a wave
model: arm.yaml
seed: 7
override: {link7.mass: 0.7 kg, environment.gravity: [0, 0, -1.6]}
start: {q: {joint1: 90 deg}, v: wave}
trajectories:
  wave: {type: harmonic, joints: [joint1, joint2], amplitude: 90 deg, omega: 2}
blocks:
  servo: {type: pd, reference: wave, stiffness: [10, 20], damping: 3}
tasks:
  motion: {type: simulate, until: 14 s, integrator: bdf, tolerance: 1e-6, output_every: 10 ms, checkpoint_every: 1 s}
  torques: {type: inverse_dynamics, along: wave, until: 14 s, every: 0.5 s, cut_forces: [{link7: flange}, link7.tip, link7.grip.from]}
  many: {type: sweep, over: {link7.mass: {from: 1 kg, to: 2 kg, count: 3}, servo.damping: [1, 2]}, task: {type: simulate, until: 1 s}}
checks:
  - {task: motion, signal: q.joint1, at: 14 s, expect: 1.53, within: 1e-7, reference: "[LWR] 4.3"}
  - {task: torques, table: reference.csv, columns: {tau.joint1: T1}, within: 1e-10, where: {g: 9.81}}
  - {task: motion, count: rates, between: [500, none]}
)";

TEST(StudyReader, ReadsAWholeStudy) {
  const Study study = read(whole);
  EXPECT_EQ(study.name, "wave");
  EXPECT_EQ(study.model, "arm.yaml");
  EXPECT_EQ(study.seed, 7u);
  ASSERT_EQ(study.overrides.size(), 2u);
  EXPECT_EQ(study.overrides[1].path, "environment.gravity");
  EXPECT_EQ(study.overrides[1].value.text, "[0, 0, -1.6]");
  EXPECT_EQ(study.start.v.text, "wave");
  const auto& wave = std::get<HarmonicMotion>(study.trajectories.at(0).kind);
  EXPECT_THAT(wave.joints, ElementsAre("joint1", "joint2"));
  EXPECT_DOUBLE_EQ(wave.amplitude.at(0), 1.5707963267948966);
  EXPECT_THAT(std::get<PdControl>(study.blocks.at(0).kind).stiffness, ElementsAre(10, 20));
  const auto& motion = std::get<SimulateTask>(study.tasks.at(0).kind);
  EXPECT_EQ(motion.integrator, Method::bdf);
  EXPECT_EQ(motion.output_every, 0.01);
  const auto& torques = std::get<InverseDynamicsTask>(study.tasks.at(1).kind);
  EXPECT_THAT(torques.cut_forces,
              ElementsAre(PortRef{"link7", "flange"}, PortRef{"link7", "tip"}, PortRef{"link7", "grip.from"}));
  const auto& many = std::get<SweepTask>(study.tasks.at(2).kind);
  ASSERT_EQ(many.over.size(), 2u);
  EXPECT_EQ(many.over[0].values[1].text, "1.5 kg");
  EXPECT_EQ(many.task->name, "task");
  ASSERT_EQ(study.checks.size(), 3u);
  EXPECT_EQ(study.checks[0].at, 14);
  EXPECT_EQ(study.checks[1].where_columns.at(0).second, 9.81);
  EXPECT_EQ(study.checks[2].between.lower, 500);
  EXPECT_EQ(study.checks[2].between.upper, Limits::none);
}

TEST(StudyReader, NamesTheStudyAfterItsFile) {
  EXPECT_EQ(read("model: a.yaml\ntasks: {m: {type: simulate, until: 1}}").name, "arm.study");
}

TEST(StudyReader, AsksForTheVersion) {
  EXPECT_THAT(error_in_text("name: x"), HasSubstr("A study begins with `articula_study: 1`.  [study-version]"));
  EXPECT_THAT(error_in_text("articula: 1"), HasSubstr("This is a model: describe it with `articula "
                                                      "info`, or name it under `model:` in a study."));
  EXPECT_EQ(
      error_in_text("<?xml version=\"1.0\"?>\n<robot name=\"arm\"/>"),
      "arm.study.yaml: this is XML, a robot file perhaps, but no study. Describe a robot with `articula info`, or name "
      "it under `model:` in a study.  [study-is-model]");
  EXPECT_THAT(error_in_text("articula_study: 2"), HasSubstr("This program reads versions up to 1; get a newer one."));
  EXPECT_THAT(error_in_text("articula_study: one"), HasSubstr("articula_study is \"one\""));
  EXPECT_THAT(error_in_text("  \n"),
              HasSubstr("the text is empty. A study begins with `articula_study: 1`.  [text-empty]"));
  EXPECT_THAT(error_in_text("- 1"), HasSubstr("A study is a mapping"));
}

TEST(StudyReader, SaysWhichKeysThereAre) {
  EXPECT_THAT(error_in("model: a\ntask: {}"),
              AllOf(StartsWith("arm.study.yaml:3: key \"task\" is not known here. Did you mean \"tasks\"?"),
                    HasSubstr("[key-unknown]")));
  EXPECT_THAT(error_in("model: a\ntasks: {m: {type: simulate, until: 1, intgrator: bdf}}"),
              HasSubstr("task \"m\": key \"intgrator\" is not known here. Did you mean \"integrator\"?"));
  EXPECT_THAT(error_in("model: a\ntasks: {m: {type: simulat, until: 1}}"), HasSubstr("Did you mean \"simulate\"?"));
  EXPECT_THAT(error_in("model: a\ntasks: {m: {until: 1}}"), HasSubstr("type is missing. Allowed: simulate,"));
  EXPECT_THAT(error_in("model: a\ntasks: {m: {type: simulate}}"), HasSubstr("task \"m\": until is missing."));
  EXPECT_THAT(
      error_in("model: a\ntrajectories: {w: {type: harmonic, amplitud: 1}}\ntasks: {m: {type: simulate, until: 1}}"),
      HasSubstr("trajectory \"w\": key \"amplitud\""));
  EXPECT_THAT(error_in("model: a\nblocks: {w: {type: pdd}}"), HasSubstr("Did you mean \"pd\"?"));
  EXPECT_THAT(error_in("tasks: {m: {type: simulate, until: 1}}"), HasSubstr("model is missing."));
  EXPECT_THAT(error_in("model: a"), HasSubstr("tasks is missing."));
}

TEST(StudyReader, TakesUnitsAndRefusesWrongOnes) {
  EXPECT_THAT(error_in("model: a\ntasks: {m: {type: simulate, until: 14 m}}"),
              AllOf(HasSubstr("task \"m\": until"), HasSubstr("[unit-dimension]")));
  EXPECT_THAT(error_in("model: a\ntasks: {m: {type: simulate, until: 1,5}}"), HasSubstr("arm.study.yaml:3: "));
  EXPECT_THAT(error_in("model: a\ntasks: {m: {type: simulate, until: nan}}"), HasSubstr("[number-invalid]"));
}

TEST(StudyReader, RefusesDuplicateAndReservedNames) {
  EXPECT_THAT(error_in("model: a\ntasks: {m: {type: simulate, until: 1}, m: {type: simulate, until: 2}}"),
              HasSubstr("[key-duplicate]"));
  EXPECT_THAT(
      error_in("model: a\ntrajectories: {w: {type: constant}}\nblocks: {w: {type: friction}}\n"
               "tasks: {m: {type: simulate, until: 1}}"),
      HasSubstr(
          "block \"w\": a trajectory or block of that name is there already. Use another name.  [duplicate-name]"));
  EXPECT_THAT(error_in("model: a\ntrajectories: {tau: {type: constant}}\ntasks: {m: {type: simulate, until: 1}}"),
              HasSubstr("the name is reserved for signals of the model."));
  EXPECT_THAT(error_in("model: a\ntasks: {a.b: {type: simulate, until: 1}}"), HasSubstr("holds a dot"));
}

TEST(StudyReader, ChecksNameTasksAndSayWhatTheyExpect) {
  const std::string head = "model: a\ntasks: {motion: {type: simulate, until: 1}}\nchecks:\n  - ";
  EXPECT_THAT(error_in(head + "{task: motoin, signal: q.a, expect: 1, within: 1}"),
              HasSubstr("arm.study.yaml:5: check: the study has no task \"motoin\". Did you mean \"motion\"?"));
  EXPECT_THAT(error_in(head + "{task: motion, signal: q.a, expect: 1}"), HasSubstr("within is missing"));
  EXPECT_THAT(error_in(head + "{task: motion, signal: q.a, within: 1}"), HasSubstr("nothing is expected"));
  EXPECT_THAT(error_in(head + "{task: motion, signal: q.a, expect: 1, within: 1, between: [0, 1]}"),
              HasSubstr("expect and between are both given"));
  EXPECT_THAT(error_in(head + "{task: motion, signal: q.a, count: rates, between: [0, 1]}"),
              HasSubstr("checks #1 looks at 2 different things"));
  EXPECT_THAT(error_in(head + "{task: motion, expect: 1, within: 1}"), HasSubstr("[check-form]"));
  EXPECT_THAT(error_in(head + "{task: motion, count: rates, between: [2, 1]}"), HasSubstr("[limits-reversed]"));
  EXPECT_THAT(error_in(head + "{task: motion, table: a.csv, within: 1}"), HasSubstr("columns is missing"));
  EXPECT_THAT(error_in(head + "{task: motion, signals: [a, b], minus: [c], take: largest, between: [0, 1]}"),
              HasSubstr("minus has 1 entries, but there are 2 signals"));
  EXPECT_THAT(error_in(head + "{task: motion, status: finished}"), HasSubstr("Allowed: done, failed"));
  EXPECT_THAT(error_in(head + "{task: motion, signal: q.a, expect: 1, within: -1}"), HasSubstr("[value-range]"));
}

TEST(StudyReader, SweepsNeedValues) {
  const auto sweep = [](const std::string& over) {
    return error_in("model: a\ntasks: {s: {type: sweep, over: " + over + ", task: {type: simulate, until: 1}}}");
  };
  EXPECT_THAT(sweep("{a.b: {from: 1, to: 2}}"), HasSubstr("from, to and count are needed"));
  EXPECT_THAT(sweep("{a.b: {from: 1, to: 2, count: 1}}"),
              HasSubstr("count is \"1\". A whole number from 2 to 1000000 is needed"));
  EXPECT_THAT(sweep("{a.b: []}"), HasSubstr("there are no values"));
  EXPECT_THAT(sweep("{}"), HasSubstr("Values by path are needed"));
  EXPECT_THAT(error_in("model: a\ntasks: {s: {type: sweep, over: {a.b: [1]}, task: {type: sweep, over: {a.c: [1]}, "
                       "task: {type: simulate, until: 1}}}}"),
              HasSubstr("a sweep inside a sweep"));
}

TEST(StudyReader, SurvivesHostileText) {
  EXPECT_THAT(error_in("model: " + std::string(200000, '[')), HasSubstr("[text-too-deep]"));
  EXPECT_THAT(error_in_text(std::string("articula_study: 1\nname: \0x", 26)), HasSubstr("[text-binary]"));
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 12; ++k) {
    const std::string before = "*a" + std::to_string(k - 1);
    bomb += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [";
    for (int i = 0; i < 10; ++i) bomb += (i == 0 ? "" : ", ") + before;
    bomb += "]\n";
  }
  EXPECT_THAT(error_in(bomb + "model: a\noverride: {a.b: *a11}"), HasSubstr("[alias-bomb]"));
  EXPECT_THAT(error_in("model: a\ntasks: [1]"), HasSubstr("[value-type]"));
  EXPECT_THAT(
      error_in("model: {a: 1}\ntasks: 1\nchecks: 1\nblocks: 1\ntrajectories: x\nstart: [1]\noverride: 3\nseed: -1"),
      HasSubstr("[value-type]"));
}

TEST(StudyReader, HasAThousandTrajectoriesBlocksAndTasksAtMost) {
  for (const auto& [section, entry] : {std::pair{"trajectories", "{type: constant, value: 0}"},
                                       {"blocks", "{type: torque, value: 0}"},
                                       {"tasks", "{type: simulate, until: 1 s}"}}) {
    std::string text = concat("model: a\n", section, ":\n");
    for (int k = 0; k < 1001; ++k) text += concat("  w", k, ": ", entry, "\n");
    EXPECT_THAT(error_in(text),
                HasSubstr(concat(section,
                                 " has 1001 entries. At most 1000 are allowed: split the study, or let a "
                                 "sweep take the values.  [study-too-large]")));
  }
}

TEST(StudyReader, ListsEachFrameOnce) {
  EXPECT_THAT(error_in("model: a\ntasks:\n  s: {type: simulate, until: 1, frames: [rod, rod.tip, {rod: tip}]}"),
              HasSubstr("task \"s\": frames lists \"rod.tip\" twice, as #2 and #3. List each frame once.  "
                        "[exterior-twice]"));
}

TEST(StudyReader, SaysHowManyValuesARangeMayHave) {
  const auto error = [](const std::string& count) {
    return error_in("model: a\ntasks: {s: {type: sweep, over: {a.b: {from: 1, to: 2, count: " + count +
                    "}}, task: {type: simulate, until: 1}}}");
  };
  const std::string needed = "A whole number from 2 to 1000000 is needed, e.g. 10.  ";
  EXPECT_THAT(error("1e9"), HasSubstr("over.a.b.count is \"1e9\". " + needed + "[value-range]"));
  EXPECT_THAT(error("1"), HasSubstr("count is \"1\". " + needed + "[value-range]"));
  EXPECT_THAT(error("2.5"), HasSubstr("count is \"2.5\". " + needed + "[value-range]"));
  EXPECT_THAT(error("many"), HasSubstr("count is \"many\". " + needed + "[number-invalid]"));
  EXPECT_EQ(error("1e3"), "no error");
}

TEST(StudyReader, AllThatIsWrongIsSaidAtOnceWithItsLine) {
  const std::string text = error_in("model: a\ntasks:\n  m: {type: simulate, until: x}\n  n: {type: simulate}\nfoo: 1");
  EXPECT_THAT(text,
              AllOf(HasSubstr("arm.study.yaml:4:"), HasSubstr("arm.study.yaml:5:"), HasSubstr("arm.study.yaml:6:")));
}

TEST(StudyReader, ValuesThatAreUnderstoodLaterKeepTheirLine) {
  const Study study =
      read("model: a\noverride:\n  a.b:\n    - 1\n    - \"two: \\\"x\\\"\"\ntasks: {m: {type: simulate, until: 1}}");
  EXPECT_EQ(study.overrides.at(0).value.where.line, 5);
  read_passage(study.overrides.at(0).value, "override", "a.b", [&](const Spot& spot) {
    EXPECT_EQ(spot.node.item(1).line(), 6);
    EXPECT_EQ(&spot.node.tree(), study.tree.get());  // nothing is parsed again
  });
}

TEST(StudyReader, ValuesThatAreUnderstoodLaterOutliveTheStudy) {
  const Passage value =
      read("model: a\nseed: &three 3\noverride: {a.b: [*three]}\ntasks: {m: {type: simulate, until: 1}}")
          .overrides.at(0)
          .value;
  EXPECT_EQ(value.text, "[3]");
  read_passage(value, "override", "a.b", [&](const Spot& spot) {
    EXPECT_EQ(spot.node.item(0).text(), "3");
    EXPECT_EQ(spot.node.item(0).line(), 3);  // where it is written
  });
}

TEST(StudyReader, ValuesOfTheirOwnHaveALineToo) {
  read_passage(Passage{"[1, x]", {"arm.study.yaml", 7}}, "override", "a.b", [&](const Spot& spot) {
    EXPECT_EQ(spot.node.item(1).text(), "x");
    EXPECT_EQ(spot.node.line(), 7);
  });
}

/// What a value says after it was kept as a passage.
std::string kept(const std::string& value) {
  const Study study = read("model: a\noverride: {a.b: " + value + "}\ntasks: {m: {type: simulate, until: 1}}");
  std::string text;
  read_passage(study.overrides.at(0).value, "override", "a.b", [&](const Spot& spot) {
    ASSERT_TRUE(spot.node.is_sequence());
    text = spot.node.item(0).text();
  });
  return text;
}

TEST(StudyReader, ValuesThatAreUnderstoodLaterKeepEveryCharacter) {
  for (const std::string word : {"a", "-5 deg", "x y", "../a.csv", "é", "~", "-.5"})
    EXPECT_EQ(kept("[" + word + "]"), word);
  EXPECT_EQ(kept("[\"a: [b], {c}, # \\\" \\\\\"]"), "a: [b], {c}, # \" \\");
  EXPECT_EQ(kept("[\"\\u2028 \\u0085 \\u0080 \\n \\t \\e \\U0001f600\"]"),
            "\u2028 \xc2\x85 \xc2\x80 \n \t \x1b \U0001f600");
  EXPECT_EQ(kept("[\"---\"]"), "---");
  EXPECT_EQ(kept("['?x']"), "?x");
  EXPECT_EQ(kept("['| x']"), "| x");
}

TEST(StudyReader, ValuesThatAreUnderstoodLaterMayHaveLongKeys) {
  const Study study = read("model: a\noverride:\n  a.b: {? " + std::string(5000, 'k') +
                           " : 1}\ntasks: {m: {type: simulate, until: 1}}");
  read_passage(study.overrides.at(0).value, "override", "a.b", [&](const Spot& spot) {
    ASSERT_TRUE(spot.node.is_mapping());
    EXPECT_EQ(spot.node.key(0).text().size(), 5000u);
  });
}

TEST(ReadStudy, RefusesSignalBesideSignals) {
  EXPECT_THAT(
      error_in("model: a\ntasks: {t: {type: simulate, until: 1}}\n"
               "checks: [{task: t, signal: q.a, signals: [q.b, q.c], between: [0, 1]}]"),
      testing::HasSubstr(": signal and signals are both given. Give one: signals: [...] is the norm of several.  "
                         "[check-form]"));
}

TEST(StudyReader, LocksAThousandJointsAtMost) {
  const auto locks = [](int count) {
    std::string text = "model: arm.yaml\nlock: {";
    for (int k = 0; k < count; ++k) text += (k == 0 ? "j" : ", j") + std::to_string(k) + ": 0";
    return text + "}\ntasks: {t: {type: simulate, until: 1 s}}\n";
  };
  EXPECT_EQ(error_in(locks(1000)), "no error");
  EXPECT_EQ(error_in(locks(1001)),
            "arm.study.yaml:3: lock has 1001 entries. At most 1000 are allowed: write joints that never move as `type: "
            "fixed` in the model.  [study-too-large]");
}

}  // namespace
}  // namespace articula::test
