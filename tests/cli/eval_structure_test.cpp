/// `articula eval` of the structure of results: closed-form equations, stacked operators, a restricted recursion, the
/// Jacobian with respect to kinematic parameters. Each is compared with an independent implementation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/eval.h"

namespace {

using Eigen::MatrixXd;
using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr double rounding = 1e-12;

Json result(const std::string& model, const std::string& states, const std::string& rest) {
  const Outcome run = eval(model, states, rest);
  EXPECT_EQ(run.code, 0) << run.err;
  return run.code == 0 ? Json::parse(run.out) : Json();
}

MatrixXd matrix(const Json& rows) {
  MatrixXd A(rows.size(), rows.at(0).size());
  for (int i = 0; i < A.rows(); ++i) {
    for (int j = 0; j < A.cols(); ++j) A(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  return A;
}

// The two-link arm of the textbooks: links of length 1 and mass 1, centres in their middle, no inertia about them.
// Every part of both torques in closed form.  [Spong, Hutchinson, Vidyasagar 2006, section 7.4]
TEST(EvalClosedForm, EachPartOfEachTorqueIsThatOfTheTextbook) {
  const double q1 = 1, q2 = 2, v1 = 3, v2 = 4, a1 = 5, a2 = 6, g = 9.81;
  const Json results = result(arm, R"({"states": [{"q": [1, 2], "v": [3, 4], "a": [5, 6]}]})", "closed_form");
  const Json& first = results["results"][0]["closed_form"]["joint1"];
  const Json& second = results["results"][0]["closed_form"]["joint2"];
  const double d11 = 0.25 + (1 + 0.25 + std::cos(q2)), d12 = 0.25 + 0.5 * std::cos(q2), d22 = 0.25;
  const double h = -0.5 * std::sin(q2);
  EXPECT_NEAR(first["mass"][0], d11, rounding);
  EXPECT_NEAR(first["mass"][1], d12, rounding);
  EXPECT_NEAR(second["mass"][0], d12, rounding);
  EXPECT_NEAR(second["mass"][1], d22, rounding);
  EXPECT_NEAR(first["inertial"][0], d11 * a1, rounding);
  EXPECT_NEAR(first["inertial"][1], d12 * a2, rounding);
  EXPECT_NEAR(first["coriolis"], h * (2 * v1 * v2 + v2 * v2), rounding);
  EXPECT_NEAR(second["coriolis"], -h * v1 * v1, rounding);
  EXPECT_NEAR(first["gravity"], 1.5 * g * std::cos(q1) + 0.5 * g * std::cos(q1 + q2), 1e-11);
  EXPECT_NEAR(second["gravity"], 0.5 * g * std::cos(q1 + q2), 1e-11);
  // Corke's Robotics Toolbox, rne([1 2], [3 4], [5 6]).
  EXPECT_NEAR(first["tau"], -9.420487993866276, 1e-11);
  EXPECT_NEAR(second["tau"], 0.945558133522526, 1e-11);
}

TEST(EvalClosedForm, OnlyChainsHaveThem) {
  const Outcome run = eval("models/quadruped.yaml", R"({"states": []})", "closed_form");
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("[chain-needed]"));
}

// The identities that define the operators  [Höpler 2004, (2.36), (3.7)-(3.13)], and M = HᵀΦᵀMΦH against the mass matrix
// of the textbook.
TEST(EvalOperators, SatisfyTheirDefinitions) {
  for (const std::string in : {"body", "inertial", "absolute"}) {
    const Json results = result(arm, R"({"states": [{"q": [1, 2]}]})", "operators --representation " + in);
    const Json& at = results["results"][0]["operators"];
    const MatrixXd E_phi = matrix(at["E_phi"]), Phi = matrix(at["Phi"]), H = matrix(at["H"]), M = matrix(at["M"]);
    const MatrixXd P = matrix(at["P"]), D = matrix(at["D"]), K = matrix(at["K"]), E_psi = matrix(at["E_psi"]);
    const MatrixXd Psi = matrix(at["Psi"]), one = MatrixXd::Identity(12, 12);
    EXPECT_LT((Phi * (one - E_phi) - one).norm(), rounding);
    EXPECT_LT((Psi * (one - E_psi) - one).norm(), rounding);
    EXPECT_LT((P - E_psi.transpose() * P * E_psi - M).norm(), rounding);
    EXPECT_LT((D - H.transpose() * P * H).norm(), rounding);
    EXPECT_LT((K - D.inverse() * H.transpose() * P * E_phi).norm(), 1e-11);
    const MatrixXd mass = H.transpose() * Phi.transpose() * M * Phi * H;
    EXPECT_NEAR(mass(0, 0), 1.5 + std::cos(2.0), rounding);
    EXPECT_NEAR(mass(0, 1), 0.25 + 0.5 * std::cos(2.0), rounding);
    EXPECT_NEAR(mass(1, 1), 0.25, rounding);
    // World's port, then an inport and an outport for each of two links; outports are connected with inports.
    const MatrixXd C = matrix(at["ports"]["C"]);
    EXPECT_EQ(C.rows() % 5, 0);
    EXPECT_LT((C - C.transpose()).norm(), rounding);
    EXPECT_GT(C.norm(), 0);
  }
}

// The motion of the tip of the arm, by differentiating its position (cos q1 + cos(q1 + q2), 0, sin q1 + sin(q1 + q2)).
TEST(EvalRestriction, GivesTheMotionOfTheChosenPortsOnly) {
  const double q1 = 1, q2 = 2, v1 = 3, v2 = 4;
  const Json results = result(arm, R"({"states": [{"q": [1, 2], "v": [3, 4]}]})", "restriction:link2+link1");
  const Json& at = results["results"][0]["restriction:link2+link1"];
  const Json& second = at["ports"]["link2"];
  EXPECT_EQ(second["before"], "link1");
  EXPECT_EQ(at["ports"]["link1"]["before"], "");
  EXPECT_NEAR(second["pose"]["xyz"][0], std::cos(q1), rounding);
  EXPECT_NEAR(second["pose"]["xyz"][2], std::sin(q1), rounding);
  // In the axes of link2, z along the joint: angular speed v1 + v2, and v1 of the elbow at right angles to link 1.
  EXPECT_NEAR(second["velocity"]["angular"][2], v1 + v2, rounding);
  EXPECT_NEAR(second["velocity"]["linear"][0], v1 * std::sin(q2), rounding);
  EXPECT_NEAR(second["velocity"]["linear"][1], v1 * std::cos(q2), rounding);
  // Δ of link2 beyond link1 is what joint2 adds.
  EXPECT_NEAR(second["delta"]["angular"][2], v2, rounding);
  const Json one = result(arm, R"({"states": [{"q": [1, 2]}]})", "restriction:link1");
  EXPECT_LT(one["results"][0]["restriction:link1"]["entities"].get<int>(), at["entities"].get<int>());
  const Outcome wrong = eval(arm, R"({"states": []})", "restriction:link3");
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.err, HasSubstr("link3"));
}

// Central differences of forward kinematics between models whose joint stands a little elsewhere, or turns about another
// axis.
TEST(EvalParameterJacobian, IsTheDerivativeOfForwardKinematics) {
  const TemporaryFolder folder;
  const auto model = [&](double x, double y, double yaw, double tilt) {
    std::ostringstream text;
    text.precision(17);
    text << "articula: 1\nbodies: {a: {mass: 1}, b: {mass: 1}}\njoints:\n"
         << "  j: {type: revolute, axis: z, from: world, to: a}\n"
         << "  k: {type: revolute, axis: [" << std::sin(tilt) << ", 0, " << std::cos(tilt) << "], from: {a: {xyz: ["
         << 0.7 + x << ", " << 0.2 + y << ", 0], rpy: [0, 0, " << yaw << "]}}, to: {b: {xyz: [-0.4, 0.1, 0.2]}}}\n";
    return folder.file("m.yaml", text.str());
  };
  const std::string states = R"({"states": [{"q": [0.3, 0.9]}]})";
  const auto place = [&](const std::string& file) {
    const Json frames = result(file, states, "frames --snap 0");
    const Json& xyz = frames["results"][0]["frames"]["b"]["pose"]["xyz"];
    return Eigen::Vector3d(xyz[0], xyz[1], xyz[2]);
  };
  const Json results = result(model(0, 0, 0, 0), states, "parameter_jacobian:b");
  EXPECT_EQ(results["names"]["joints"], Json::parse(R"(["j", "k"])"));
  const MatrixXd placement = matrix(results["results"][0]["parameter_jacobian:b"]["placement"]);
  const MatrixXd axis = matrix(results["results"][0]["parameter_jacobian:b"]["axis"]);
  const double h = 1e-5;
  const Eigen::Vector3d along_x = (place(model(h, 0, 0, 0)) - place(model(-h, 0, 0, 0))) / (2 * h);
  const Eigen::Vector3d along_y = (place(model(0, h, 0, 0)) - place(model(0, -h, 0, 0))) / (2 * h);
  const Eigen::Vector3d about_z = (place(model(0, 0, h, 0)) - place(model(0, 0, -h, 0))) / (2 * h);
  const Eigen::Vector3d tilted = (place(model(0, 0, 0, h)) - place(model(0, 0, 0, -h))) / (2 * h);
  // Joint k is the second: columns 6 to 11 are turns about and shifts along x, y, z of its port; linear rows are the last.
  EXPECT_LT((placement.block(3, 6 + 3, 3, 1) - along_x).norm(), 1e-9);
  EXPECT_LT((placement.block(3, 6 + 4, 3, 1) - along_y).norm(), 1e-9);
  EXPECT_LT((placement.block(3, 6 + 2, 3, 1) - about_z).norm(), 1e-9);
  // A turn of the axis about y tilts z towards x.
  EXPECT_LT((axis.block(3, 3 + 1, 3, 1) - tilted).norm(), 1e-9);
}

TEST(EvalStructure, RunsAsFlatOnly) {
  const Outcome run = eval(arm, R"({"states": []})", "operators --run-as network");
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("\"operators\" runs as \"flat\" only."));
}

}  // namespace
