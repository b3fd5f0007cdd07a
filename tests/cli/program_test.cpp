#include "cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Program, SaysItsVersion) {
  const Outcome run = articula_program("--version");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, StartsWith("articula 0."));
  EXPECT_EQ(run.err, "");
}

TEST(Program, HelpNamesTheCommandsAndExitCodes) {
  const Outcome run = articula_program("--help");
  EXPECT_EQ(run.code, 0);
  for (const char* word : {"check", "info", "convert", "eval", "Exit codes"}) EXPECT_THAT(run.out, HasSubstr(word));
}

TEST(Program, WrongUsageIsTwo) {
  EXPECT_EQ(articula_program("").code, 2);
  EXPECT_EQ(articula_program("chekc models/elbow.yaml").code, 2);
  EXPECT_EQ(articula_program("info").code, 2);
  EXPECT_EQ(articula_program("info models/elbow.yaml --json --graph").code, 2);
  const Outcome run = articula_program("check models/elbow.yaml --base flying");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("--base"));
}

TEST(Check, GoodFilesAreGood) {
  const Outcome run = articula_program("check models/two_link.yaml models/kuka_lwr4.yaml");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "models/two_link.yaml: good\nmodels/kuka_lwr4.yaml: good\n");
  EXPECT_EQ(run.err, "");
}

TEST(Check, BadInputIsThreeAndAllFilesAreChecked) {
  const TemporaryFolder folder;
  const std::string bad =
      folder.file("bad.yaml", "articula: 1\nbodies: {a: {mass: -1}}\njoints: {j: {from: world, to: a}}\n");
  const Outcome run = articula_program("check " + bad + " models/two_link.yaml");
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.out, bad + ": bad, 1 error\nmodels/two_link.yaml: good\n");
  EXPECT_EQ(run.err, "error: " + bad + ":2: body \"a\": mass is -1 kg. It must not be negative.  [mass-negative]\n");
}

TEST(Check, AMissingFileIsBadInput) {
  const Outcome run = articula_program("check models/elbwo.yaml");
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.out, "models/elbwo.yaml: bad, 1 error\n");
  EXPECT_THAT(run.err, HasSubstr("[file-missing]"));
}

TEST(Check, JsonHoldsTheFindings) {
  const TemporaryFolder folder;
  const std::string bad = folder.file("bad.yaml", "articula: 1\nbodies: {a: {masss: 1}}\n");
  const Outcome run = articula_program("check --json " + bad);
  EXPECT_EQ(run.code, 3);
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json[0]["good"], false);
  EXPECT_EQ(json[0]["findings"][0]["code"], "key-unknown");
  EXPECT_EQ(json[0]["findings"][0]["line"], 2);
}

TEST(Info, DescribesTheTree) {
  const Outcome run = articula_program("info models/kuka_lwr4.yaml");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("gravity    (0, -9.81, 0) m/s^2"));
  EXPECT_THAT(run.out, HasSubstr("mass       15.5 kg, of which 15.5 kg moves"));
  EXPECT_THAT(run.out, HasSubstr("freedom    nq 7, nv 7"));
  EXPECT_THAT(run.out, Not(HasSubstr("\033")));
}

TEST(Info, ShowsLoopsAndWhereTheyAreCut) {
  const Outcome run = articula_program("info models/palletizer.yaml");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("loops\n  rod_a, bell, R2; cut at rod_a\n  rod_b, wrist, R3, bell; cut at rod_b\n"));
}

TEST(Info, JsonNamesStatesInOrder) {
  const Outcome run = articula_program("info --json models/two_link.yaml");
  EXPECT_EQ(run.code, 0);
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["mechanism"]["nv"], 2);
  EXPECT_EQ(json["mechanism"]["names"]["q"].size(), 2U);
}

TEST(Info, SaysWhichDerivativesTorquesOfMotorsDependOn) {
  const Outcome outcome = articula_program("info models/lbr_like.yaml");
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("torques of motors depend on q and its time derivatives to order 10\n"),
                    HasSubstr("drive1: behind a spring, angle drive1.motor\n"),
                    HasSubstr("drive7: behind a spring, angle drive7.motor; time derivatives to order 8\n")));
  const Outcome top = articula_program("info examples/spinning_top/model.yaml");
  EXPECT_THAT(top.out,
              AllOf(HasSubstr("wheel: a body of its own, angle wheel.shaft\n"),
                    HasSubstr("torques of motors are not computed: rotor \"wheel\" is on a shaft without a joint")));
}

TEST(Info, JsonHoldsGravity) {
  const auto gravity = [](const std::string& text) {
    const TemporaryFolder folder;
    const std::string file = folder.file("arm.yaml", "articula: 1\nenvironment: {gravity: " + text +
                                                         "}\nbodies: {tip: {mass: 1}}\njoints: {j: {type: revolute, "
                                                         "from: world, to: tip}}\n");
    return nlohmann::json::parse(articula_program("info --json " + file).out)["gravity"];
  };
  EXPECT_EQ(gravity("[0, -1.5, 2]"), nlohmann::json::parse("[0.0, -1.5, 2.0]"));
  EXPECT_EQ(gravity("{central: {center: [1 km, 0, 2], mu: 3.986e14}}"),
            nlohmann::json::parse(R"({"central": {"center": [1000.0, 0.0, 2.0], "mu": 3.986e14}})"));
}

TEST(Info, WhatCannotBeComputedYetIsStillDescribed) {
  const TemporaryFolder folder;
  const std::string beam = folder.file(
      "beam.yaml",
      "articula: 1\nbodies: {tip: {mass: 1}}\nbeams: {b: {from: world, to: tip, length: 1, area: 1e-4, density: 7800, "
      "youngs_modulus: 210 GPa, area_moment_y: 1e-9, area_moment_z: 1e-9}}\n");
  const Outcome run = articula_program("info " + beam);
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("elements   1 beam"));
  EXPECT_THAT(run.err, HasSubstr("[not-computable]"));
}

TEST(Info, GraphIsDotWithHostileNamesEscaped) {
  const TemporaryFolder folder;
  const std::string file = folder.file("hostile.yaml",
                                       "articula: 1\nbodies: {\"a\\\"]; rm -rf <script>\\n\": {mass: 1}}\n"
                                       "joints: {j: {from: world, to: \"a\\\"]; rm -rf <script>\\n\"}}\n");
  const Outcome run = articula_program("info --graph " + file);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("graph \"\" {"));
  EXPECT_THAT(run.out, HasSubstr("label=\"a\\\"]; rm -rf <script>\\n\""));
}

TEST(Convert, GoesThereAndBack) {
  const TemporaryFolder folder;
  const Outcome there = articula_program("convert models/two_link.yaml " + folder.path("arm.urdf"));
  EXPECT_EQ(there.code, 0) << there.err;
  EXPECT_EQ(there.out, "");
  EXPECT_THAT(there.err, HasSubstr("wrote " + folder.path("arm.urdf")));
  const Outcome back = articula_program("convert " + folder.path("arm.urdf") + " " + folder.path("arm.yaml"));
  EXPECT_EQ(back.code, 0) << back.err;
  const auto before = nlohmann::json::parse(articula_program("info --json models/two_link.yaml").out);
  const auto after = nlohmann::json::parse(articula_program("info --json " + folder.path("arm.yaml")).out);
  EXPECT_EQ(before["mechanism"]["names"], after["mechanism"]["names"]);
  EXPECT_EQ(before["mechanism"]["moving_mass"], after["mechanism"]["moving_mass"]);
}

TEST(Convert, WritesNothingOfABadModel) {
  const TemporaryFolder folder;
  const std::string bad =
      folder.file("bad.yaml", "articula: 1\nbodies: {a: {mass: -1}}\njoints: {j: {from: world, to: a}}\n");
  const Outcome run = articula_program("convert " + bad + " " + folder.path("out.yaml"));
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("[mass-negative]"));
  EXPECT_EQ(articula_program("check " + folder.path("out.yaml")).code, 3);
}

TEST(Convert, AFullDiskIsSaidAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  const Outcome run = articula_program("convert models/kuka_lwr4.yaml " + folder.path("out.yaml"), "ulimit -f 1 && ");
  EXPECT_EQ(run.code, 5);
  EXPECT_THAT(run.err, HasSubstr("[file-unwritable]"));
  EXPECT_EQ(articula_program("check " + folder.path("out.yaml")).code, 3);
}

TEST(Convert, AFolderThatIsNotThereIsSaid) {
  const TemporaryFolder folder;
  const Outcome run = articula_program("convert models/elbow.yaml " + folder.path("no/such/out.yaml"));
  EXPECT_EQ(run.code, 5);
  EXPECT_THAT(run.err, HasSubstr("no/such"));
}
