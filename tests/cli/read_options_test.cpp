/// --lock and --snap: joints that become fixed, rotations that become exact.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/eval.h"

namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

TEST(Lock, AnArmWithALockedElbowIsAPendulum) {
  // Two links of mass 1 and length 1 with the elbow at a right angle: inertia about the shoulder 0.25 + (1 + 0.25).
  const Outcome run = eval(arm, R"({"states": [{"q": [0.3]}]})", "mass_matrix --lock 'joint2=90 deg'");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err,
            "note: joint \"joint2\": locked at 1.5707963267948966 rad; it is a fixed joint now.  [joint-locked]\n");
  EXPECT_NEAR(Json::parse(run.out)["results"][0]["mass_matrix"][0][0], 1.5, 1e-12);
  const Outcome info = articula_program("info " + arm + " --lock joint2=0.5");
  EXPECT_THAT(info.out, HasSubstr("freedom    nq 1, nv 1"));
  const Outcome wrong = articula_program("info " + arm + " --lock joint3=0.5");
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.err, HasSubstr("lock \"joint3\": joint not found."));
  EXPECT_EQ(articula_program("info " + arm + " --lock joint2").code, 3);
}

TEST(Lock, AStudyLocksToo) {
  const TemporaryFolder folder;
  // A physical pendulum of inertia 1.5 about its joint, released flat: the centre of mass of both links is at
  // (0.75, 0.25) from it, so that the first acceleration is -2·g·0.75/1.5.
  const std::string study =
      folder.file("swing.yaml", "articula_study: 1\nmodel: " ARTICULA_SOURCE_DIR
                                "/models/two_link.yaml\nlock: {joint2: 90 deg}\n"
                                "tasks: {fall: {type: simulate, until: 0.1 s}}\n"
                                "checks: [{task: fall, signal: a.joint1, take: first, expect: -9.81, within: 1e-9}]\n");
  const Outcome run = articula_program("run " + study + " --store " + folder.path("runs.db"));
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("1 of 1 checks passed"));
  const Outcome resumed = articula_program("runs resume latest --store " + folder.path("runs.db"));
  EXPECT_EQ(resumed.code, 0) << resumed.err;
}

TEST(Lock, AStudyReadsAUrdfFileWithAFloatingBase) {
  const TemporaryFolder folder;
  folder.file("box.urdf",
              "<robot name=\"box\"><link name=\"box\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" "
              "izz=\"1\"/></inertial></link></robot>");
  const std::string study = folder.file("fall.yaml",
                                        "articula_study: 1\nmodel: box.urdf\nbase: floating\n"
                                        "tasks: {fall: {type: simulate, until: 1 s}}\n"
                                        "checks: [{task: fall, signal: q.floating_base.z, take: final, expect: -4.905, "
                                        "within: 1e-6}]\n");
  const Outcome run = articula_program("run " + study + " --store " + folder.path("runs.db"));
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

TEST(Snap, IsShownAndCanBeTurnedOff) {
  const TemporaryFolder folder;
  const std::string file = folder.file("arm.urdf",
                                       "<robot name=\"arm\"><link name=\"base\"/><link name=\"fore\"><inertial><mass "
                                       "value=\"1\"/><origin xyz=\"1 0 0\"/><inertia ixx=\"1\" iyy=\"1\" "
                                       "izz=\"1\"/></inertial></link><joint name=\"elbow\" type=\"continuous\"><parent "
                                       "link=\"base\"/><child link=\"fore\"/><origin rpy=\"1.57079632679 0 0\"/><axis "
                                       "xyz=\"0 0 1\"/></joint></robot>");
  EXPECT_THAT(articula_program("info " + file).out,
              HasSubstr("snap: body \"base\": made exact: frame \"elbow.from\" by 4.9e-12\n"));
  EXPECT_THAT(articula_program("info --snap 0 " + file).out, Not(HasSubstr("snap:")));
  // The joint's axis is then not quite horizontal: at rest the gravity torque is -g·cos(angle), with the angle as written.
  const std::string states = R"({"states": [{"q": [1.5707963267948966]}]})";
  const auto torque = [&](const std::string& options) -> double {
    return Json::parse(
        eval(file, states, "frames " + options).out)["results"][0]["frames"]["fore"]["pose"]["rotation"][1][0];
  };
  EXPECT_EQ(torque(""), 0);
  EXPECT_NEAR(torque("--snap 0"), std::cos(1.57079632679), 1e-16);
  EXPECT_NE(torque("--snap 0"), 0);
  EXPECT_EQ(articula_program("info --snap -1 " + file).code, 2);
}

TEST(StopWhen, TakesAValueInAUnitOfTheSignal) {
  const TemporaryFolder folder;
  const auto study = [&](const std::string& reaches) {
    return folder.file("fall.yaml",
                       "articula_study: 1\nmodel: " ARTICULA_SOURCE_DIR
                       "/models/two_link.yaml\nlock: {joint2: 0}\n"
                       "blocks: {there: {type: stop_when, signal: q.joint1, reaches: " +
                           reaches +
                           "}}\n"
                           "tasks: {fall: {type: simulate, until: 10 s}}\n"
                           "checks: [{task: fall, signal: q.joint1, take: final, expect: -0.5235987755982988, within: "
                           "1e-9}]\n");
  };
  const Outcome run = articula_program("run " + study("-30 deg") + " --store " + folder.path("runs.db"));
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  const Outcome wrong = articula_program("run " + study("-30 mm") + " --store " + folder.path("runs.db"));
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.err,
              HasSubstr("block \"there\": reaches is in m, but q.joint1 is in rad. Give it in rad or another unit "
                        "of that kind.  [unit-dimension]"));
}

}  // namespace
