/// `articula eval`: its results compared with those of other engines, and the example of its page.

#include "cli/eval.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/reference.h"

namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

/// Compared with other engines: normwise, relative.
constexpr double agreement = 1e-10;
/// Between two ways to compute the same result: rounding, over some thirty joints.
constexpr double rounding = 1e-12;

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// All numbers in a JSON value, in order.
void collect(const Json& json, std::vector<double>& numbers) {
  if (json.is_number()) numbers.push_back(json);
  if (json.is_structured()) {
    for (const Json& each : json) collect(each, numbers);
  }
}

double distance(const Json& a, const Json& b) {
  std::vector<double> x, y;
  collect(a, x), collect(b, y);
  EXPECT_EQ(x.size(), y.size());
  EXPECT_FALSE(y.empty());
  double difference = 0, size = 0;
  for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
    difference += (x[k] - y[k]) * (x[k] - y[k]);
    size += y[k] * y[k];
  }
  return std::sqrt(difference / (size > 0 ? size : 1));
}

std::vector<std::vector<double>> rotation_of(double x, double y, double z, double w) {
  return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

Json results_of(const std::string& model, const Json& states, const std::string& rest) {
  const Outcome run = eval(model, states.dump(), rest);
  EXPECT_EQ(run.code, 0) << run.err;
  return run.code == 0 ? Json::parse(run.out) : Json();
}

class EvalReference : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    ARTICULA_NEEDS_REFERENCES();
    const std::string stem =
        articula::test::reference_file("urdf/" + GetParam() + ".urdf").replace_extension().string();
    expected = Json::parse(text_of(stem + ".json"));
    floating = expected["floating_base"];
    model = stem + ".urdf";
    options = std::string(" --mimic independent") + (floating ? " --base floating" : "");
    states["order"] = expected["joint_order"];
    for (const Json& state : expected["states"]) {
      const Json& s = floating ? state["pinocchio_style"] : state;
      states["states"].push_back({{"q", s["q"]}, {"v", s["v"]}, {"a", s["a"]}, {"tau", s["tau_fd"]}});
    }
  }

  /// The reference has the base's linear velocity in World axes, v_mujoco = T·v, so that M = Tᵀ·M_mujoco·T.
  Json mass_matrix(const Json& state) const {
    auto M = state["M"].get<std::vector<std::vector<double>>>();
    if (!floating) return M;
    const auto q = state["pinocchio_style"]["q"].get<std::vector<double>>();
    const auto R = rotation_of(q[3], q[4], q[5], q[6]);
    for (auto& row : M) {
      const double r[3] = {row[0], row[1], row[2]};
      for (std::size_t j = 0; j < 3; ++j) row[j] = r[0] * R[0][j] + r[1] * R[1][j] + r[2] * R[2][j];
    }
    for (std::size_t j = 0; j < M.size(); ++j) {
      const double c[3] = {M[0][j], M[1][j], M[2][j]};
      for (std::size_t i = 0; i < 3; ++i) M[i][j] = R[0][i] * c[0] + R[1][i] * c[1] + R[2][i] * c[2];
    }
    return M;
  }

  Json expected, states;
  std::string model, options;
  bool floating = false;
};

TEST_P(EvalReference, AgreesWithOtherEngines) {
  const Json out = results_of(model, states, "inverse_dynamics,forward_dynamics,mass_matrix" + options);
  ASSERT_EQ(out["results"].size(), expected["states"].size());
  for (std::size_t k = 0; k < out["results"].size(); ++k) {
    const Json& state = expected["states"][k];
    const Json& s = floating ? state["pinocchio_style"] : state;
    EXPECT_LT(distance(out["results"][k]["inverse_dynamics"], s[floating ? "tau_ID" : "ID"]), agreement);
    EXPECT_LT(distance(out["results"][k]["forward_dynamics"], s["FD"]), agreement);
    EXPECT_LT(distance(out["results"][k]["mass_matrix"], mass_matrix(state)), agreement);
  }
}

TEST_P(EvalReference, RepresentationsAndNetworkGiveTheSame) {
  states.erase("order");
  const std::string what = "frames,inverse_dynamics,forward_dynamics" + options;
  const Json flat = results_of(model, states, what);
  const double condition = expected["cond_M_max"];
  for (const char* other : {" --representation inertial", " --representation absolute", " --run-as network"}) {
    const Json same = results_of(model, states, what + other);
    EXPECT_EQ(same["names"], flat["names"]);
    for (std::size_t k = 0; k < flat["results"].size(); ++k) {
      EXPECT_LT(distance(same["results"][k]["frames"], flat["results"][k]["frames"]), rounding) << other;
      EXPECT_LT(distance(same["results"][k]["inverse_dynamics"], flat["results"][k]["inverse_dynamics"]), rounding)
          << other;
      EXPECT_LT(distance(same["results"][k]["forward_dynamics"], flat["results"][k]["forward_dynamics"]),
                rounding * condition)
          << other;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Urdf, EvalReference, testing::Values("ur5", "panda", "anymal_c", "simple_humanoid"),
                         [](const auto& test) { return test.param; });

/// Every quantity that can run as generated code; joints in the order of the file.
TEST(Eval, GeneratedCodeGivesTheSame) {
  if (std::system("command -v cc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
  const TemporaryFolder cache;
  const Json states{
      {"order", {"joint2", "joint1"}},
      {"states",
       {{{"q", {0.3, -0.8}}, {"v", {1, 2}}, {"a", {3, 4}}, {"tau", {5, 6}}}, {{"q", {1.2, 0.1}}, {"tau", {-2, 7}}}}}};
  const std::string what =
      "frames,inverse_dynamics,forward_dynamics,mass_matrix,inverse_mass_matrix,derivatives,jacobian:link2:world";
  const std::string file = cache.file("states.json", states.dump());
  const Outcome run =
      articula_program("eval " + arm + " --states " + file + " --compute " + what + " --run-as generated",
                       "XDG_CACHE_HOME='" + cache.path().string() + "' ");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const Json flat = results_of(arm, states, what), same = Json::parse(run.out);
  EXPECT_EQ(same["names"], flat["names"]);
  ASSERT_EQ(same["results"].size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(same["results"][k].size(), 7u);
    for (const auto& [key, value] : flat["results"][k].items()) {
      EXPECT_LT(distance(same["results"][k][key], value), rounding) << key;
    }
  }
}

TEST(Eval, KukaHasTheTorquesOfThePaper) {
  ARTICULA_NEEDS_REFERENCES();
  std::ifstream table(articula::test::reference_file("kuka_lwr4/inverse_dynamics_torques.csv"));
  Json states, expected = Json::array();
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::stringstream fields(line);
    std::vector<double> row;
    for (std::string field; std::getline(fields, field, ',');) row.push_back(std::strtod(field.c_str(), nullptr));
    if (row[0] != 9.81) continue;
    const auto all = [&](std::size_t k) { return std::vector<double>(7, row[k]); };
    states["states"].push_back({{"q", all(2)}, {"v", all(3)}, {"a", all(4)}});
    expected.push_back(std::vector<double>(row.begin() + 5, row.end()));
  }
  ASSERT_EQ(expected.size(), 15U);
  const Json out = results_of("models/kuka_lwr4.yaml", states, "inverse_dynamics");
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_LT(distance(out["results"][k]["inverse_dynamics"], expected[k]), agreement) << "t = " << k;
  }
}

/// Two point masses of 1 kg, half-way along two rods of 1 m that hang in a vertical plane; the textbook's formulas.
TEST(Eval, EverythingOfTwoLinksIsThatOfTheTextbook) {
  const double q1 = 0.3, q2 = 0.5, v1 = 0.7, v2 = -1.1, g = 9.81;
  const Json states = Json::parse(R"({"states": [{"q": [0.3, 0.5], "v": [0.7, -1.1]}]})");
  const Json out =
      results_of(arm, states,
                 "center_of_mass,mass_matrix,inverse_mass_matrix,coriolis_matrix,gravity,energy,momentum,frames,"
                 "jacobian:link2,jacobian:link2:local,jacobian:link2:world,derivatives,regressor,inverse_dynamics");
  EXPECT_EQ(out["names"],
            Json::parse(R"({"q": ["joint1", "joint2"], "v": ["joint1", "joint2"], "bodies": ["link1", "link2"]})"));
  const Json& at = out["results"][0];
  EXPECT_EQ(at.begin().key(), "center_of_mass");  // in the order asked for
  EXPECT_EQ(std::prev(at.end()).key(), "inverse_dynamics");

  const double c2 = std::cos(q2), s2 = std::sin(q2), c1 = std::cos(q1), s1 = std::sin(q1), c12 = std::cos(q1 + q2),
               s12 = std::sin(q1 + q2), v12 = v1 + v2;
  const double M11 = 1.5 + c2, M12 = 0.25 + 0.5 * c2, M22 = 0.25, det = M11 * M22 - M12 * M12;
  EXPECT_LT(distance(at["mass_matrix"], Json{{M11, M12}, {M12, M22}}), rounding);
  EXPECT_LT(distance(at["inverse_mass_matrix"], Json{{M22 / det, -M12 / det}, {-M12 / det, M11 / det}}), rounding);
  const double h = -0.5 * s2;  // Christoffel's symbols
  EXPECT_LT(distance(at["coriolis_matrix"], Json{{h * v2, h * v12}, {-h * v1, 0.0}}), rounding);
  const Json G{g * (1.5 * c1 + 0.5 * c12), g * 0.5 * c12};
  EXPECT_LT(distance(at["gravity"], G), rounding);
  const double b1 = h * (v2 * v1 + v12 * v2), b2 = -h * v1 * v1;
  EXPECT_LT(distance(at["inverse_dynamics"], Json{G[0].get<double>() + b1, G[1].get<double>() + b2}), rounding);

  const double z1 = 0.5 * s1, z2 = s1 + 0.5 * s12, x1 = 0.5 * c1, x2 = c1 + 0.5 * c12;
  const double kinetic = 0.5 * (M11 * v1 * v1 + 2 * M12 * v1 * v2 + M22 * v2 * v2);
  EXPECT_LT(distance(at["energy"], Json{kinetic, g * (z1 + z2)}), rounding);
  EXPECT_EQ(at["center_of_mass"]["mass"], 2);
  EXPECT_LT(distance(at["center_of_mass"]["position"], Json{(x1 + x2) / 2, 0.0, (z1 + z2) / 2}), rounding);
  const double px = -0.5 * s1 * v1 - s1 * v1 - 0.5 * s12 * v12, pz = 0.5 * c1 * v1 + c1 * v1 + 0.5 * c12 * v12;
  EXPECT_LT(distance(at["momentum"]["linear"], Json{px, 0.0, pz}), rounding);
  EXPECT_LT(distance(at["center_of_mass"]["velocity"], Json{px / 2, 0.0, pz / 2}), rounding);

  // The joints' axes are −y of World, and the second rod begins at the end of the first.
  const Json& link2 = at["frames"]["link2"];
  EXPECT_LT(distance(link2["pose"]["xyz"], Json{c1, 0.0, s1}), rounding);
  EXPECT_LT(distance(link2["velocity"], Json{0.0, -v12, 0.0, -s1 * v1, 0.0, c1 * v1}), rounding);
  const Json& R = link2["pose"]["rotation"];
  EXPECT_LT(distance(R, Json{{c12, -s12, 0.0}, {0.0, 0.0, -1.0}, {s12, c12, 0.0}}), rounding);
  const Json& e = link2["pose"]["quaternion"];
  EXPECT_LT(distance(R, rotation_of(e["x"], e["y"], e["z"], e["w"])), rounding);
  EXPECT_LT(
      distance(at["jacobian:link2"], Json{{0.0, 0.0}, {-1.0, -1.0}, {0.0, 0.0}, {-s1, 0.0}, {0.0, 0.0}, {c1, 0.0}}),
      rounding);
  EXPECT_LT(
      distance(at["jacobian:link2:local"], Json{{0.0, 0.0}, {0.0, 0.0}, {1.0, 1.0}, {s2, 0.0}, {c2, 0.0}, {0.0, 0.0}}),
      rounding);
  EXPECT_LT(distance(at["jacobian:link2:world"],
                     Json{{0.0, 0.0}, {-1.0, -1.0}, {0.0, 0.0}, {0.0, s1}, {0.0, 0.0}, {0.0, -c1}}),
            rounding);

  EXPECT_LT(distance(at["derivatives"]["inverse_dynamics"]["da"], at["mass_matrix"]), rounding);
  EXPECT_LT(distance(at["derivatives"]["forward_dynamics"]["dtau"], at["inverse_mass_matrix"]), rounding);
  EXPECT_LT(distance(at["derivatives"]["inverse_dynamics"]["dv"], Json{{2 * h * v2, 2 * h * v12}, {-2 * h * v1, 0.0}}),
            rounding);
  // tau = Y·π with π = m, h, I about the body's own frame: a point of 1 kg at x = 0.5.
  std::vector<double> tau(2, 0.0);
  const double pi[10] = {1, 0.5, 0, 0, 0, 0, 0, 0.25, 0, 0.25};
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(at["regressor"][i].size(), 20U);
    for (std::size_t k = 0; k < 20; ++k) tau[i] += at["regressor"][i][k].get<double>() * pi[k % 10];
  }
  EXPECT_LT(distance(tau, at["inverse_dynamics"]), rounding);
}

TEST(Eval, OrderIsThatOfAllVectors) {
  const Json plain = Json::parse(R"({"states": [{"q": [0.3, 0.5], "v": [1, 2], "a": [3, 4], "tau": [5, 6]}]})");
  const Json swapped = Json::parse(
      R"({"order": ["joint2", "joint1"], "states": [{"q": [0.5, 0.3], "v": [2, 1], "a": [4, 3], "tau": [6, 5]}]})");
  const std::string what = "inverse_dynamics,forward_dynamics,mass_matrix,frames";
  const Json a = results_of(arm, plain, what), b = results_of(arm, swapped, what);
  EXPECT_EQ(b["names"], Json::parse(R"({"q": ["joint2", "joint1"], "v": ["joint2", "joint1"]})"));
  const Json &x = a["results"][0], &y = b["results"][0];
  for (const char* key : {"inverse_dynamics", "forward_dynamics"}) {
    EXPECT_EQ(x[key][0], y[key][1]) << key;
    EXPECT_EQ(x[key][1], y[key][0]) << key;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(x["mass_matrix"][i][j], y["mass_matrix"][1 - i][1 - j]);
  }
  EXPECT_EQ(x["frames"], y["frames"]);
}

TEST(Eval, AFloatingBaseComesFirstAndNeedNotBeListed) {
  const Json info = Json::parse(articula_program("info --json models/biped.yaml").out);
  Json order = Json::array();
  const auto names = info["mechanism"]["names"]["v"].get<std::vector<std::string>>();
  for (std::size_t k = names.size(); k-- > 6;) order.push_back(names[k]);
  const Json out = results_of("models/biped.yaml", {{"order", order}, {"states", Json::array()}}, "gravity");
  EXPECT_EQ(out["results"], Json::array());
  EXPECT_EQ(out["names"]["q"].size(), info["mechanism"]["nq"]);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(out["names"]["v"][k], names[k]);
  for (std::size_t k = 6; k < names.size(); ++k) EXPECT_EQ(out["names"]["v"][k], order[k - 6]);
}

TEST(Eval, WhatIsLeftOutIsZero) {
  const Json some = Json::parse(R"({"states": [{"q": [0.3, 0.5]}]})");
  const Json all = Json::parse(R"({"states": [{"q": [0.3, 0.5], "v": [0, 0], "a": [0, 0], "tau": [0, 0]}]})");
  const std::string what = "inverse_dynamics,forward_dynamics,energy";
  EXPECT_EQ(results_of(arm, some, what), results_of(arm, all, what));
}

TEST(Eval, PassiveAddsWhatIsNotRigid) {
  const TemporaryFolder folder;
  const std::string damped =
      folder.file("damped.yaml",
                  "articula: 1\nbodies: {bob: {mass: 1, com: [0, 0, -1]}}\n"
                  "joints: {hinge: {type: revolute, axis: y, from: world, to: bob, damping: 0.5}}\n");
  const Json states = Json::parse(R"({"states": [{"q": [0], "v": [2], "a": [3]}]})");
  EXPECT_NEAR(results_of(damped, states, "inverse_dynamics")["results"][0]["inverse_dynamics"][0], 3, rounding);
  const Json passive = results_of(damped, states, "inverse_dynamics,frames,jacobian:bob,gravity --passive");
  EXPECT_NEAR(passive["results"][0]["inverse_dynamics"][0], 4, rounding);
  const Outcome refused = eval(damped, states.dump(), "energy --passive");
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, EndsWith("[passive-not-available]\n"));
}

TEST(Eval, ReadsTheStandardInput) {
  const TemporaryFolder folder;
  const std::string good = folder.file("good.json", "\xef\xbb\xbf{\"states\": [{\"q\": [0, 0]}]}\r\n");
  const std::string bad = folder.file("bad.json", "{");
  const auto from = [](const std::string& file) { return "sh -c '\"$0\" \"$@\" <" + file + "' "; };
  const std::string arguments = "eval " + arm + " --states - --compute gravity";
  const Outcome run = articula_program(arguments, from(good));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_LT(distance(Json::parse(run.out)["results"][0]["gravity"], Json{19.62, 4.905}), rounding);
  EXPECT_EQ(run.err, "");
  const Outcome refused = articula_program(arguments, from(bad));
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, StartsWith("error: <stdin>:1: the text ends"));
}

TEST(Eval, EveryDigitComesThrough) {
  const TemporaryFolder folder;
  const std::string slider = folder.file("slider.yaml",
                                         "articula: 1\nenvironment: {gravity: [0, 0, 0]}\nbodies: {a: {mass: 1}}\n"
                                         "joints: {j: {type: prismatic, axis: x, from: world, to: a}}\n");
  std::string states;
  const char* numbers[] = {"0.1",
                           "0.30000000000000004",
                           "1e-300",
                           "4.9406564584124654e-324",
                           "1.7976931348623157e308",
                           "-2.2250738585072014E-308",
                           "123456789012345678",
                           "1"};
  for (const char* number : numbers) states += std::string(states.empty() ? "" : ", ") + "{\"q\": [" + number + "]}";
  // Libraries that open a locale as the program starts never close it, which is no leak of ours.
  for (const char* locale : {"", "LOCPATH=$ARTICULA_TEST_LOCALES LC_ALL=de_DE.UTF-8 ASAN_OPTIONS=detect_leaks=0 "}) {
    const std::string file = folder.file("s.json", "{\"states\": [" + states + "]}");
    const Outcome run = articula_program("eval " + slider + " --states " + file + " --compute frames", locale);
    ASSERT_EQ(run.code, 0) << run.err;
    const Json out = Json::parse(run.out);
    for (std::size_t k = 0; k < std::size(numbers); ++k) {
      EXPECT_EQ(out["results"][k]["frames"]["a"]["pose"]["xyz"][0].get<double>(), std::strtod(numbers[k], nullptr))
          << numbers[k];
    }
  }
}

TEST(Eval, AJointThatFollowsCannotBeListed) {
  const TemporaryFolder folder;
  const std::string hand = folder.file(
      "hand.urdf",
      "<robot name=\"hand\"><link name=\"palm\"/><link name=\"a\"><inertial><mass value=\"1\"/>"
      "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>"
      "<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
      "izz=\"1\"/></inertial></link>"
      "<joint name=\"f1\" type=\"continuous\"><parent link=\"palm\"/><child link=\"a\"/><axis xyz=\"0 0 1\"/></joint>"
      "<joint name=\"f2\" type=\"continuous\"><parent link=\"palm\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/>"
      "<mimic joint=\"f1\" multiplier=\"2\"/></joint></robot>");
  const std::string both = "{\"order\": [\"f2\", \"f1\"], \"states\": [{\"q\": [0, 0], \"a\": [0, 1]}]}";
  const Outcome refused = eval(hand, both, "inverse_dynamics");
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(
      refused.err,
      EndsWith("states.json:1: order: joint \"f2\" follows others by a gear and has no value of its own. Leave it "
               "out, or read the robot with --mimic independent.  [exterior-follows]\n"));
  // Coupled, both bodies turn: 1 + 2²·1; independent, one does.
  const Json coupled = results_of(hand, Json::parse(R"({"states": [{"q": [0], "a": [1]}]})"), "inverse_dynamics");
  EXPECT_NEAR(coupled["results"][0]["inverse_dynamics"][0], 5, rounding);
  const Json independent = results_of(hand, Json::parse(both), "inverse_dynamics --mimic independent");
  EXPECT_EQ(independent["names"]["v"], Json::parse(R"(["f2", "f1"])"));
  EXPECT_LT(distance(independent["results"][0]["inverse_dynamics"], Json{0.0, 1.0}), rounding);
}

TEST(Eval, HelpSaysWhatItTakes) {
  const Outcome run = articula_program("eval --help");
  EXPECT_EQ(run.code, 0);
  for (const char* word : {"--states", "--compute", "--base", "--mimic", "--passive", "--representation", "--run-as",
                           "jacobian:FRAME", "a native file says itself"}) {
    EXPECT_THAT(run.out, HasSubstr(word));
  }
  EXPECT_THAT(articula_program("--help").out, HasSubstr("eval"));
}

/// The blocks of a page between ``` lines, by language, in order.
std::multimap<std::string, std::string> blocks_of(const std::string& page) {
  std::multimap<std::string, std::string> blocks;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("```")) continue;
    const std::string language = line.substr(3);
    std::string text;
    while (std::getline(lines, line) && line != "```") text += line + "\n";
    blocks.emplace(language, text);
  }
  return blocks;
}

TEST(Eval, TheExampleOfItsPageIsTrue) {
  const auto blocks = blocks_of(text_of(ARTICULA_SOURCE_DIR "/docs/eval.md"));
  const auto [in, end] = blocks.equal_range("json");
  ASSERT_EQ(std::distance(in, end), 2);
  std::string command = blocks.find("sh")->second;
  const std::string start = "articula eval ", file = "states.json";
  ASSERT_THAT(command, StartsWith(start));
  const TemporaryFolder folder;
  command.replace(command.find(file), file.size(), folder.file(file, in->second));
  command.pop_back();
  const Outcome run = articula_program(command.substr(start.size() - 5));
  ASSERT_EQ(run.code, 0) << run.err;
  const Json out = Json::parse(run.out), shown = Json::parse(std::next(in)->second);
  EXPECT_EQ(out["names"], shown["names"]);
  EXPECT_LT(distance(out["results"], shown["results"]), rounding);
}

}  // namespace
