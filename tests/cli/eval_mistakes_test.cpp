/// Every message that the input of `articula eval` can cause, and its behaviour on numerical failure.

#include "cli/eval.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

struct Mistake {
  std::string name, states, message;

  friend void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }
};

class EvalMistake : public testing::TestWithParam<Mistake> {};

TEST_P(EvalMistake, IsSaid) {
  const Outcome run = eval(arm, GetParam().states, "inverse_dynamics");
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, GetParam().message);
}

std::string nested(std::string_view opening, int levels) {
  std::string text;
  for (int k = 0; k < levels; ++k) text += opening;
  return text;
}

std::string one(const std::string& message) { return "error: states.json:" + message + "\n"; }

INSTANTIATE_TEST_SUITE_P(
    Of, EvalMistake,
    testing::Values(
        Mistake{"NoText", " \n",
                one(" the text is empty. States are written as {\"states\": [{\"q\": [...]}, ...]}.  [text-empty]")},
        Mistake{"NotUtf8", "{\"\xff\": 1}",
                one(" the text is not UTF-8. Only UTF-8 is read; save the file as UTF-8.  [text-encoding]")},
        Mistake{"Binary", std::string("{\n\0}", 4),
                one("2: the text holds the control character \"\\x00\". Is this a binary file?  [text-binary]")},
        Mistake{"Truncated", "{\"states\": [\n{\"q\": [0.1,",
                one("2: the text ends before its brackets and quotes are closed. The file may be truncated.  "
                    "[text-truncated]")},
        Mistake{"TruncatedName", "{\"sta",
                one("1: the text ends before its brackets and quotes are closed. The file may be truncated.  "
                    "[text-truncated]")},
        Mistake{"Nested", "{\"states\": [{\"q\": " + nested("[", 200000),
                one("1: states[0].q[0] is a list. A number is needed.  [value-type]") +
                    one("1: values are nested more than 64 deep. States need four levels.  [text-too-deep]")},
        Mistake{"NestedNames", nested("{\"states\":", 200000),
                one("1: states is an object. A list is needed.  [value-type]") +
                    one("1: values are nested more than 64 deep. States need four levels.  [text-too-deep]")},
        Mistake{"TrailingComma", "{\"states\": [],\n}",
                one("2: \"}\" cannot stand here. The text is not JSON; check commas, brackets and quotes up to this "
                    "place.  [json-syntax]")},
        Mistake{"Rest", "{\"states\": []} nonsense",
                one("1: \"nonsense\" cannot stand here. The text is not JSON; check commas, brackets and quotes up to "
                    "this place.  "
                    "[json-syntax]")},
        Mistake{"LeadingZero", "{\"states\": [{\"q\": [01, 2]}]}",
                one("1: \"01\" cannot stand here. The text is not JSON; check commas, brackets and quotes up to this "
                    "place.  "
                    "[json-syntax]")},
        Mistake{"NotANumber", "{\"states\": [{\"q\": [1,\nNaN]}]}",
                one("2: states[0].q[1]: \"NaN\" is not finite. Only finite numbers are allowed.  [number-invalid]")},
        Mistake{
            "Infinity", "{\"states\": [{\"q\": [-Infinity]}]}",
            one("1: states[0].q[0]: \"-Infinity\" is not finite. Only finite numbers are allowed.  [number-invalid]")},
        Mistake{"TooLarge", "{\"states\": [{\"q\": [1,\n1e400\n]}]}",
                one("2: states[0].q[1]: \"1e400\" is outside the range of numbers. Allowed: up to ±1.79e308, down to "
                    "±4.9e-324.  "
                    "[number-invalid]")},
        Mistake{"TooSmall", "{\"states\": [{\"q\": [0, 1e-400]}]}",
                one("1: states[0].q[1]: \"1e-400\" is outside the range of numbers. Allowed: up to ±1.79e308, down to "
                    "±4.9e-324.  "
                    "[number-invalid]")},
        Mistake{"Hexadecimal", "{\"states\": [{\"q\": [0x10]}]}",
                one("1: \"0x10\" is not a number. Write e.g. 0.5 or 1e-3.  [number-invalid]")},
        Mistake{"NoObject", "[]", one("1: the text is a list. An object {\"states\": [...]} is needed.  [value-type]")},
        Mistake{"NoStates", "{\"order\": [\"joint1\", \"joint2\"]}",
                one("1: states is missing. Write {\"states\": [{\"q\": [...]}, ...]}.  [value-missing]")},
        Mistake{"WrongTypes",
                "{\"order\": \"joint1\",\n\"states\": [{\"q\": [\"1\", null]},\n{\"q\": 5}, 3,\n{\"q\": [[1], {\"q\": "
                "[1]}], \"v\": true}]}",
                one("1: order is a text. A list is needed.  [value-type]") +
                    one("2: states[0].q[0] is a text. A number is needed.  [value-type]") +
                    one("2: states[0].q[1] is null. A number is needed.  [value-type]") +
                    one("3: states[1].q is a number. A list of numbers is needed; leave it out if it is zero.  "
                        "[value-type]") +
                    one("3: states[2] is a number. An object {\"q\": [...]} is needed.  [value-type]") +
                    one("4: states[3].q[0] is a list. A number is needed.  [value-type]") +
                    one("4: states[3].q[1] is an object. A number is needed.  [value-type]") +
                    one("4: states[3].v is true or false. A list of numbers is needed; leave it out if it is zero.  "
                        "[value-type]")},
        Mistake{
            "UnknownKeys", "{\"state\": [[[0]]],\n\"states\": [{\"q\": [1, 2], \"taau\": [1, 2]}]}",
            one("1: key \"state\" is not known here. Did you mean \"states\"? Allowed: order, states.  [key-unknown]") +
                one("2: states[0]: key \"taau\" is not known here. Did you mean \"tau\"? Allowed: q, v, a, tau, "
                    "q_derivatives, motor_position.  "
                    "[key-unknown]")},
        Mistake{"DuplicateKeys", "{\"states\": [{\"q\": [1, 2], \"q\": [1, 2]}],\n\"states\": []}",
                one("1: states[0]: key \"q\" stands twice. Keys are unique; remove one of them.  [key-duplicate]") +
                    one("2: key \"states\" stands twice. Keys are unique; remove one of them.  [key-duplicate]")},
        Mistake{"WrongLengths",
                "{\"states\": [{\"q\": [1, 2]},\n{\"q\": [1], \"v\": [1, 2, 3], \"a\": [], \"tau\": [1]}]}",
                one("2: states[1].q has 1 number, but 2 are needed: joint1, joint2.  [state-size]") +
                    one("2: states[1].v has 3 numbers, but 2 are needed: joint1, joint2.  [state-size]") +
                    one("2: states[1].a has 0 numbers, but 2 are needed: joint1, joint2.  [state-size]") +
                    one("2: states[1].tau has 1 number, but 2 are needed: joint1, joint2.  [state-size]")},
        Mistake{"NoConfiguration", "{\"states\": [\n{\"v\": [1, 2]}]}",
                one("2: states[0] has no q. It needs 2 numbers: joint1, joint2.  [value-missing]")},
        Mistake{"OrderIncomplete", "{\"order\": [\"joint2\"], \"states\": []}",
                one("1: order: joint joint1 is missing. List every joint that moves, or leave `order` out.  "
                    "[order-incomplete]")},
        Mistake{"OrderEmpty", "{\"order\": [], \"states\": []}",
                one("1: order: joints joint1, joint2 are missing. List every joint that moves, or leave `order` out.  "
                    "[order-incomplete]")},
        Mistake{"OrderUnknown", "{\"states\": [],\n\"order\": [\"joint1\", \"joint2\", \"jiont2\"]}",
                one("2: order: joint \"jiont2\" not found among those that move in \"two_link\". Did you mean "
                    "\"joint2\"? Joints: joint1, "
                    "joint2.  [no-such-joint]")},
        Mistake{"OrderTwice", "{\"order\": [\"joint1\", \"joint2\", \"joint1\"], \"states\": []}",
                one("1: order: joint \"joint1\" is listed twice. List each joint once.  [exterior-twice]")},
        Mistake{"OrderType", "{\"order\": [\"joint1\", 2, null], \"states\": []}",
                one("1: order[1] is a number. The name of a joint is needed.  [value-type]") +
                    one("1: order[2] is null. The name of a joint is needed.  [value-type]")}),
    [](const auto& test) { return test.param.name; });

TEST(Eval, ManyMistakesAreCut) {
  for (const char* state : {"{}", "{\"x\": 1}"}) {
    std::string states;
    for (int k = 0; k < 1000; ++k) states += std::string(k == 0 ? "" : ",") + state;
    const Outcome run = eval(arm, "{\"states\": [" + states + "]}", "gravity");
    EXPECT_EQ(run.code, 3);
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 101);
    EXPECT_THAT(run.err, EndsWith("reading stops after 100 errors. Mend these first.  [too-many-errors]\n"));
  }
}

TEST(Eval, AQuaternionHasLengthOne) {
  const Outcome run =
      eval("models/biped.yaml", "{\"states\": [{\"q\": [0,0,0,0,0,0,1.1,0,0,0,0,0,0,0,0,0,0,0,0]}]}", "gravity");
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, EndsWith("error: states.json:1: states[0]: the quaternion \"base.qx\" to \"base.qw\" has length "
                                "1.1. It must be 1 within 1e-6; divide it by its length.  [quaternion-not-unit]\n"));
}

TEST(Eval, FilesThatCannotBeReadAreSaid) {
  const Outcome missing = articula_program("eval " + arm + " --states no_states.json --compute gravity");
  EXPECT_EQ(missing.code, 3);
  EXPECT_EQ(
      missing.err,
      "error: no_states.json: there is no such file. Check the path; relative paths start from the current folder.  "
      "[file-missing]\n");
  const Outcome folder = articula_program("eval " + arm + " --states models --compute gravity");
  EXPECT_EQ(folder.code, 3);
  EXPECT_EQ(folder.err, "error: models: it is a folder. Name a file in it.  [file-unreadable]\n");
  const Outcome model = eval("models/two_lnik.yaml", "{\"states\": []}", "gravity");
  EXPECT_EQ(model.code, 3);
  EXPECT_THAT(model.err, EndsWith("[file-missing]\n"));
}

TEST(Eval, WrongUsageIsTwoAndNamesTheChoices) {
  const auto wrong = [](const std::string& compute) {
    const Outcome run = eval(arm, "{\"states\": []}", compute);
    EXPECT_EQ(run.code, 2) << compute;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_THAT(wrong("gravty"),
              StartsWith("--compute: \"gravty\" is nothing that can be computed. Did you mean \"gravity\"? Quantities: "
                         "frames, inverse_dynamics, forward_dynamics, mass_matrix, inverse_mass_matrix, "
                         "coriolis_matrix, gravity, derivatives, energy, center_of_mass, momentum, regressor, "
                         "closed_form, operators, elastic_inverse_dynamics, rotor_coupling, jacobian:FRAME, "
                         "parameter_jacobian:FRAME, "
                         "restriction:PORT+PORT.\n"));
  EXPECT_THAT(wrong("jacobian"), HasSubstr("Did you mean \"jacobian:FRAME\"?"));
  EXPECT_THAT(wrong("gravity,energy,gravity"),
              StartsWith("--compute: \"gravity\" is asked for twice. Ask for each quantity once.\n"));
  EXPECT_THAT(wrong("gravity,"), StartsWith("--compute: \"\" is nothing that can be computed."));
  EXPECT_THAT(wrong("gravity --run-as compiled"), HasSubstr("--run-as"));
  EXPECT_THAT(wrong("gravity --representation own"), HasSubstr("--representation"));
  EXPECT_EQ(articula_program("eval " + arm + " --compute gravity").code, 2);
}

TEST(Eval, WhatCannotBeComputedIsRefused) {
  const auto refused = [](const std::string& model, const std::string& states, const std::string& compute) {
    const Outcome run = eval(model, states, compute);
    EXPECT_EQ(run.code, 3) << compute;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  const std::string none = "{\"states\": []}";
  EXPECT_EQ(refused(arm, none, "jacobian:lnik2"),
            "error: frame \"lnik2\" not found in \"two_link\". Did you mean \"link2\"? Frames: world, "
            "world.joint1.from, link1, "
            "link1.joint2.from, link2.  [no-such-frame]\n");
  EXPECT_THAT(refused(arm, none, "mass_matrix --run-as network"), EndsWith("[run-as-not-available]\n"));
  EXPECT_EQ(refused(arm, none, "energy --run-as generated"),
            "error: \"energy\" does not run as \"generated\". These do: frames, inverse_dynamics, forward_dynamics, "
            "mass_matrix, inverse_mass_matrix, derivatives, jacobian:FRAME. Ask for it in a run of its own, as "
            "\"flat\".  [run-as-not-available]\n");
  EXPECT_THAT(refused("models/four_bar.yaml", none, "gravity"), EndsWith("[loop-not-computed]\n"));
}

/// The axis of the first joint runs through the point mass when the second is at zero.
TEST(Eval, ASingularStateKeepsTheResultsBeforeIt) {
  const TemporaryFolder folder;
  const std::string gimbal =
      folder.file("gimbal.yaml",
                  "articula: 1\nname: gimbal\nbodies: {fork: {}, bob: {mass: 1, com: [0, 0, 1]}}\njoints:\n"
                  "  turn: {type: revolute, axis: z, from: world, to: fork}\n"
                  "  tilt: {type: revolute, axis: y, from: fork, to: bob, start: 1}\n");
  const std::string states =
      "{\"states\": [{\"q\": [0, 1]},\n{\"q\": [0, 2]},\n{\"q\": [0, 0], \"v\": [0, 1]},\n{\"q\": [0, 1]}]}";
  for (const std::string what : {"forward_dynamics", "inverse_mass_matrix", "derivatives"}) {
    const Outcome run = eval(gimbal, states, what);
    EXPECT_EQ(run.code, 4);
    EXPECT_EQ(Json::parse(run.out)["results"].size(), 2U) << what;
    EXPECT_EQ(
        run.err,
        "error: states.json:3: states[2]: " + what +
            ": joint \"turn\" moves nothing that has inertia. Forward dynamics needs some: give the bodies beyond it "
            "mass, or fix the joint. Results of the states before it are kept: 2.  [joint-inertia-singular]\n");
  }
  const Outcome masses = eval(gimbal, states, "mass_matrix");
  EXPECT_EQ(masses.code, 0);
  EXPECT_EQ(Json::parse(masses.out)["results"].size(), 4U);
}

TEST(Eval, AMasslessTipIsRefusedBeforeAnythingIsComputed) {
  const TemporaryFolder folder;
  const std::string tip = folder.file(
      "tip.yaml", "articula: 1\nbodies: {tip: {}}\njoints: {j: {from: world, to: tip, type: revolute, axis: x}}\n");
  const Outcome run = eval(tip, "{\"states\": [{\"q\": [0]}]}", "forward_dynamics");
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("error: joint \"j\" moves nothing that has inertia."));
}

TEST(Eval, AResultThatIsNotFiniteIsANumericalFailure) {
  const Outcome run =
      eval(arm, "{\"states\": [{\"q\": [0, 1]},\n{\"q\": [0, 1], \"v\": [1e200, 0]}]}", "inverse_dynamics");
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(Json::parse(run.out)["results"].size(), 1U);
  EXPECT_THAT(run.err, StartsWith("error: states.json:2: states[1]: inverse_dynamics: the result holds "));
  EXPECT_THAT(
      run.err,
      EndsWith("The numbers of the state, or of the model, are too large for it. Results of the states before it are "
               "kept: 1.  [result-not-finite]\n"));
}

TEST(Eval, AFullDiskIsSaid) {
  const TemporaryFolder folder;
  std::string states;
  for (int k = 0; k < 1000; ++k) states += k == 0 ? "{\"q\": [0, 1]}" : ", {\"q\": [0, 1]}";
  const std::string file = folder.file("s.json", "{\"states\": [" + states + "]}");
  const Outcome run = articula_program("eval " + arm + " --states " + file + " --compute gravity", "ulimit -f 8 && ");
  EXPECT_EQ(run.code, 5);
  EXPECT_THAT(run.err, StartsWith("error: <stdout>: it cannot be written: "));
  EXPECT_THAT(run.err, EndsWith("  [output-unwritable]\n"));
}

}  // namespace
