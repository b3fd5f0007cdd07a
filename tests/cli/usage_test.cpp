// Wrong usage: suggestions for misspelled words, and the command whose help to read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Usage, AMisspeltCommandIsGuessed) {
  const Outcome run = articula_program("rnu study.yaml");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("\"rnu\" is no command of articula. Did you mean \"run\"? Commands: check, info, "));
  EXPECT_THAT(run.err, HasSubstr("Run articula --help for its commands.\n"));
  EXPECT_THAT(run.err, Not(HasSubstr("study.yaml")));
}

TEST(Usage, AMisspeltOptionIsGuessed) {
  const Outcome top = articula_program("--verion");
  EXPECT_EQ(top.code, 2);
  EXPECT_THAT(top.err, HasSubstr("\"--verion\" is no option of articula. Did you mean \"--version\"?"));
  const Outcome run = articula_program("run study.yaml --stor x.db");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("\"--stor\" is no option of articula run. Did you mean \"--store\"?"));
  EXPECT_THAT(run.err, HasSubstr("Run articula run --help for its options.\n"));
  const Outcome runs = articula_program("runs exprt latest");
  EXPECT_EQ(runs.code, 2);
  EXPECT_THAT(runs.err, HasSubstr("\"exprt\" is no command of articula runs. Did you mean \"export\"?"));
}

TEST(Usage, WhatIsMissingNamesTheHelpOfItsCommand) {
  const Outcome run = articula_program("info");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("FILE is required"));
  EXPECT_THAT(run.err, HasSubstr("Run articula info --help for its options.\n"));
}

TEST(Usage, AValueThatIsNotAllowedIsToldWithThoseThatAre) {
  const auto told = [](const std::string& words) {
    const Outcome outcome = articula_program(words);
    EXPECT_EQ(outcome.code, 2) << words;
    return outcome.err.substr(0, outcome.err.find('\n'));
  };
  EXPECT_EQ(told("eval arm.yaml --states s.json --compute gravity --run-as flta"),
            "--run-as: \"flta\" is no choice. Did you mean \"flat\"? Choices: flat, network, generated, batched.");
  EXPECT_EQ(told("bench arm.yaml --threads 99999"), "--threads: 99999 is out of range. Give 0 to 4096.");
  EXPECT_EQ(told("bench arm.yaml --threads 1.5"), "--threads: 1.5 is not a whole number.");
  EXPECT_EQ(told("bench arm.yaml --seconds 1,5"),
            "--seconds: \"1,5\" is not a number. The decimal mark is a point: write 1.5.");
  EXPECT_EQ(told("runs compare a b --tolerance=-1"), "--tolerance: -1 is out of range. Give 0 to 1e+300.");
  EXPECT_EQ(told("info arm.yaml --snap 3"), "--snap: It must be from 0 (no rotation is made exact) to 0.001.");
  const std::string untrusted = "run study.yaml --untrusted --most-memory ";
  EXPECT_EQ(told(untrusted + "3q"),
            "--most-memory: \"3q\" has a unit that is not known. Use kB, MB, GB, TB, or kiB to TiB.");
  EXPECT_EQ(told(untrusted + "0"), "--most-memory: 0 is out of range. Give 1 to 1e+18.");
  for (const char* size : {"500MB", "1.5GiB", "4g", "\"100 kB\"", "1e9"}) {  // the study is missing, no more
    EXPECT_EQ(articula_program(untrusted + size).code, 3) << size;
  }
}

TEST(Usage, HelpIsACommandToo) {
  const Outcome all = articula_program("help");
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(all.out, articula_program("--help").out);
  const Outcome run = articula_program("help run");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, articula_program("run --help").out);
  EXPECT_THAT(run.out, HasSubstr("--store"));
  EXPECT_EQ(articula_program("help runs export").out, articula_program("runs export --help").out);
  const Outcome wrong = articula_program("help rnu");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("Did you mean \"run\"?"));
  EXPECT_THAT(articula_program("help run foo").err,
              HasSubstr("articula run has no commands of its own, and so no \"foo\"."));
}

TEST(Usage, HelpKnowsWhatStudiesContain) {
  const Outcome block = articula_program("help block pd");
  EXPECT_EQ(block.code, 0);
  EXPECT_EQ(block.err, "");
  EXPECT_EQ(block.out.substr(0, block.out.find("  joints")),
            "block pd: proportional-derivative control towards a trajectory\n"
            "\n"
            "  key        value                     default    meaning\n"
            "  form       translational, torsional  torsional  whether the joints turn (`torsional`) or slide "
            "(`translational`),\n"
            "                                                  which determines the units\n");
  EXPECT_THAT(block.out, HasSubstr("\n  <joint>  N·m or N  force or torque on the joint\n"));
  EXPECT_THAT(articula_program("help task simulate").out, HasSubstr("\n  until               s  "));
  EXPECT_THAT(articula_program("help trajectories").out, HasSubstr("\n  harmonic          offset + amplitude·sin"));
  EXPECT_THAT(articula_program("help signals").out, HasSubstr("\n  energy.{kinetic,potential}  "));
  const Outcome wrong = articula_program("help block pdd");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("help: there is no block of type \"pdd\". Did you mean \"pd\"? Types: pd, pid,"));
  EXPECT_THAT(articula_program("--help").out,
              HasSubstr("`articula help blocks`, `trajectories`, `tasks` and `signals`"));
}

TEST(Usage, ARobotFileIsNoStudy) {
  const TemporaryFolder folder;
  const std::string urdf =
      folder.file("arm.urdf", "<?xml version=\"1.0\"?>\n<robot name=\"arm\"><link name=\"a\"/></robot>\n");
  const Outcome run = articula_program("run " + urdf);
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.err,
            "error: " + urdf +
                ": this is XML, a robot file perhaps, but no study. Describe a robot with `articula info`, or name "
                "it under `model:` in a study.  [study-is-model]\n");
}

TEST(Usage, AModelThatIsMissingIsSaidOnceWithOneCode) {
  const TemporaryFolder folder;
  const std::string study =
      folder.file("swing.yaml", "articula_study: 1\nmodel: no.yaml\ntasks: {motion: {type: simulate, until: 1 s}}\n");
  const Outcome run = articula_program("run " + study + " --store " + folder.path("runs.db"));
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("[file-missing]\n"));
  EXPECT_EQ(run.err.find("[file-missing]"), run.err.rfind("[file-missing]"));
}

TEST(Usage, WarningsOfOneKindShareALineAndAreSaidOnce) {
  const TemporaryFolder folder;
  std::string text =
      "<robot name=\"arm\">\n<link name=\"l0\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
      "izz=\"1\"/></inertial></link>\n";
  for (int k = 1; k <= 6; ++k) {
    const std::string n = std::to_string(k);
    text += "<link name=\"l" + n +
            "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n";
    text += "<joint name=\"j" + n + "\" type=\"revolute\"><parent link=\"l" + std::to_string(k - 1) +
            "\"/><child link=\"l" + n + "\"/></joint>\n";
  }
  const std::string file = folder.file("arm.urdf", text + "</robot>\n");
  const Outcome run = articula_program("check " + file);
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("good, 6 warnings"));
  EXPECT_EQ(run.err,
            "warning: " + file +
                ":4: joint \"j1\": a revolute joint needs <limit>. It was read without limits. (6 of this kind: joint "
                "\"j1\", joint \"j2\", joint \"j3\", joint \"j4\", ...)  [limit-missing]\n"
                "6 findings are shown in 1 lines; --verbose lists each\n");
  const Outcome all = articula_program("check --verbose " + file);
  EXPECT_THAT(all.err, HasSubstr("joint \"j6\": a revolute joint needs <limit>."));
  EXPECT_THAT(all.err, Not(HasSubstr("of this kind")));
  EXPECT_EQ(articula_program("check " + file + " " + file).err, run.err);
}
