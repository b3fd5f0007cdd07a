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
  const Outcome negative = articula_program("info --snap -1 " + file);
  EXPECT_EQ(negative.code, 2);
  EXPECT_THAT(negative.err, HasSubstr("It must be from 0 (no rotation is made exact) to 0.001."));
}

/// A slide whose axis is level but for what 1.57079632679 lacks: gravity moves it by ½·g·cos(1.57079632679)·t².
class TiltedSlide : public ::testing::Test {
 protected:
  std::string model(const std::string& top = "") {
    return folder.file("slide.yaml", "articula: 1\n" + top +
                                         "bodies: {cart: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
                                         "joints: {slide: {type: prismatic, axis: z, from: {world: {rpy: "
                                         "[1.57079632679, 0, 0]}}, to: cart}}\n");
  }
  std::string study(const std::string& top = "") {
    return folder.file("slip.yaml",
                       "articula_study: 1\nmodel: slide.yaml\n" + top +
                           "tasks: {slip: {type: simulate, until: 1000 s, output_every: 1000 s, integrator: rk4, step: "
                           "100 s}}\n");
  }
  /// The position of the slide at the end of the last run.
  double end() {
    articula_program("runs export latest --task slip -o " + folder.path("slip.csv") + " --store " + store);
    std::ifstream table(folder.path("slip.csv"));
    std::string last;
    for (std::string line; std::getline(table, line);) last = line;
    return std::stod(last.substr(last.find(',') + 1));
  }
  double after(const std::string& command) {
    const Outcome run = articula_program("run " + command + " --store " + store);
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    return end();
  }
  const TemporaryFolder folder;
  const std::string store = folder.path("runs.db");
  const double slipped = -0.5 * 9.81 * std::cos(1.57079632679) * 1e6;
};

TEST_F(TiltedSlide, SlipsWhereRotationsAreTakenAsWritten) {
  model();
  EXPECT_EQ(after(study()), 0);
  EXPECT_NEAR(after(study() + " --snap 0"), slipped, 1e-3 * std::abs(slipped));
  EXPECT_NEAR(after(study("snap: 0\n")), slipped, 1e-3 * std::abs(slipped));
  model("snap: 0\n");
  EXPECT_NEAR(after(study()), slipped, 1e-3 * std::abs(slipped));
  EXPECT_EQ(after(study("snap: 1e-11\n")), 0) << "the study's word counts";
  EXPECT_EQ(after(study() + " --snap 1e-11"), 0) << "and so does the command's";
  const Outcome wrong = articula_program("check " + model("snap: 0.1\n"));
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.err,
              HasSubstr("slide.yaml:2: snap is 0.1. It must be from 0 (no rotation is made exact) to 0.001."));
}

TEST_F(TiltedSlide, ConvertKeepsWhatWasAskedFor) {
  const std::string out = folder.path("out.yaml"), urdf = folder.path("out.urdf");
  ASSERT_EQ(articula_program("convert --snap 0 " + model() + " " + out).code, 0);
  EXPECT_THAT(articula_program("info " + out).out, Not(HasSubstr("snap:")));
  EXPECT_THAT(articula_program("info " + model()).out, HasSubstr("snap:"));
  EXPECT_THAT(articula_program("convert --snap 0 " + model() + " " + urdf).err,
              HasSubstr("snap: URDF says nothing of it; say --snap 0 where the file is read."));
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
