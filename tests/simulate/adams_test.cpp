// Single joints and a spring against histories of MSC ADAMS, which come with Project Chrono's tests and are read from
// ARTICULA_REFERENCE: positions, velocities, accelerations, and what the joints do to the ground.

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/formats/yaml_reader.h>
#include <articula/simulate/simulation.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>

#include "support/reference.h"

namespace articula::test {
namespace {

/// What the histories are good for, by their own digits and the step they were made with. The first one of the spherical
/// joint was made with a longer step, and is good for 1 mm only. Moments are off by what forces are, times their arm.
constexpr double position_error = 2e-5, force_error = 2e-3, relative_digits = 1e-5;

struct Case {
  std::string folder, name;
  std::string joint;                ///< type and axis
  std::array<double, 3> hinge;      ///< where the joint stands, the body's centre being 2 m along x
  double turned_deg = 0;            ///< about x, ground and body alike
  double error = position_error;    ///< of positions
  double rate_error = force_error;  ///< of speeds, accelerations and reactions
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// time, x, y, z [, …] line by line.
using History = std::vector<std::vector<double>>;

History read_history(const Case& c, const std::string& what) {
  std::ifstream in(test::reference_file("adams/" + c.folder + "/" + c.name + "_ADAMS_" + what + ".txt"));
  History history;
  for (std::string line; std::getline(in, line);) {
    std::istringstream numbers(line);
    std::vector<double> row;
    for (double x = 0; numbers >> x;) row.push_back(x);
    if (!row.empty()) history.push_back(std::move(row));
  }
  return history;
}

Model read(const std::string& text) {
  Findings findings;
  return read_yaml(text, "adams.yaml", findings);
}

struct Rows : RowSink {
  void columns(std::span<const Signal> signals) override { names.assign(signals.begin(), signals.end()); }
  void row(std::span<const double> values) override { rows.emplace_back(values.begin(), values.end()); }

  /// The entries of `kind` ("q", "v", "a") in row k, in their order.
  std::vector<double> part(std::size_t k, const std::string& kind) const {
    std::vector<double> found;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i].name.starts_with(kind + ".")) found.push_back(rows[k][i]);
    return found;
  }

  std::vector<Signal> names;
  std::vector<std::vector<double>> rows;
};

Rows simulate(const Model& model, double until) {
  System system(model, {}, {});
  SimulationOptions options;
  options.integrator = {.method = Method::rk45, .relative = 1e-11, .absolute = 1e-11};
  options.until = until;
  options.output_every = 0.01;
  Simulation simulation(system, options);
  Rows rows;
  const Outcome outcome = simulation.run(system.start({}), rows);
  EXPECT_EQ(outcome.end, RunEnd::done) << outcome.what;
  return rows;
}

/// The largest difference in units of what is allowed.
double compare(const std::vector<double>& expected, const Vec3<double>& got, double allowed) {
  const std::array<double, 3> g{got.x, got.y, got.z};
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i)
    worst = std::max(worst, std::abs(expected[i + 1] - g[i]) / (allowed + relative_digits * std::abs(expected[i + 1])));
  return worst;
}

class Adams : public testing::TestWithParam<Case> {};

TEST_P(Adams, agrees_about_a_single_joint) {
  const Case& c = GetParam();
  ARTICULA_NEEDS_REFERENCES();
  const History pos = read_history(c, "Pos"), vel = read_history(c, "Vel"), acc = read_history(c, "Acc"),
                avel = read_history(c, "Avel"), aacc = read_history(c, "Aacc"), force = read_history(c, "Rforce"),
                torque = read_history(c, "Rtorque");
  ASSERT_EQ(pos.size(), 501u);

  std::ostringstream text;
  text << "articula: 1\nenvironment: {gravity: [0, 0, -9.80665]}\n"
       << "bodies: {pendulum: {mass: 1, inertia: {xx: 0.04, yy: 0.1, zz: 0.1}}}\n"
       << "joints: {hinge: {" << c.joint << ", from: {world: {xyz: [" << c.hinge[0] << ", " << c.hinge[1] << ", "
       << c.hinge[2] << "], rpy: [" << c.turned_deg << " deg, 0, 0]}}, to: {pendulum: {xyz: [-2, 0, 0]}}}}\n";
  const Model model = read(text.str());
  const Rows rows = simulate(model, 5);
  ASSERT_EQ(rows.rows.size(), pos.size());

  ForwardKinematics body(model);
  InverseDynamics reaction(model);
  const Vec3<double> ground{c.hinge[0], c.hinge[1], c.hinge[2]};
  double worst_position = 0, worst_rate = 0, worst_force = 0;
  for (std::size_t k = 0; k < pos.size(); ++k) {
    const std::vector<double> q = rows.part(k, "q"), v = rows.part(k, "v"), a = rows.part(k, "a");
    body.update({.q = q, .v = v, .vdot = a});
    const MovingFrame at = body.compute()[0];
    reaction.update({.q = q, .v = v, .vdot = a});
    reaction.compute();
    const Force<double> F = reaction.cut_force({"pendulum", "hinge.to"});
    const Vec3<double> f = -(at.X_WF.R * F.f);                           // on the ground, in World
    const Vec3<double> arm = at.X_WF * Vec3<double>{-2, 0, 0} - ground;  // from the ground's marker to the body's
    const Vec3<double> n = -(at.X_WF.R * F.n) + cross(arm, f);

    worst_position = std::max(worst_position, compare(pos[k], at.X_WF.p, c.error));
    worst_rate = std::max({worst_rate, compare(vel[k], at.V.v, c.rate_error), compare(avel[k], at.V.w, c.rate_error)});
    worst_force = std::max({worst_force, compare(acc[k], at.A.v, c.rate_error), compare(aacc[k], at.A.w, c.rate_error),
                            compare(force[k], f, c.rate_error), compare(torque[k], n, c.rate_error * (1 + norm(arm)))});
  }
  EXPECT_LE(worst_position, 1) << "of " << c.error << " m";
  EXPECT_LE(worst_rate, 1) << "of " << c.rate_error << " m/s and rad/s";
  EXPECT_LE(worst_force, 1) << "of " << c.rate_error << " m/s², rad/s², N and N·m";
}

INSTANTIATE_TEST_SUITE_P(
    Joints, Adams,
    testing::Values(Case{"revolute_joint", "Revolute_Case01", "type: revolute", {0, 0, 0}, -90},
                    Case{"revolute_joint", "Revolute_Case02", "type: revolute", {1, 2, 3}, -45},
                    Case{"spherical_joint", "Spherical_Case01", "type: spherical", {0, 0, 0}, 0, 1e-3, 2e-2},
                    Case{"spherical_joint", "Spherical_Case02", "type: spherical", {1, 2, 3}, -45},
                    Case{"prismatic_joint", "Prismatic_Case01", "type: prismatic", {0, 0, 0}, 0},
                    Case{"prismatic_joint", "Prismatic_Case02", "type: prismatic", {1, 2, 3}, -45},
                    Case{"prismatic_joint", "Prismatic_Case03", "type: prismatic", {1, 2, 3}, -90}),
    [](const auto& test) { return test.param.name; });

/// A free body on a spring and damper to the origin. The second case's numbers are those its own histories obey
/// (least squares over force, length and speed give 100.000 N/m and 5.000 N·s/m, and 10.000 and 0.500 for the first).
struct SpringCase {
  std::string name;
  std::array<double, 3> start;
  double stiffness, damping, rest;
};
void PrintTo(const SpringCase& c, std::ostream* out) { *out << c.name; }

class AdamsSpring : public testing::TestWithParam<SpringCase> {};

TEST_P(AdamsSpring, agrees_about_a_spring_with_damping) {
  const SpringCase& c = GetParam();
  const Case files{"transpring_force", c.name, "", {}};
  ARTICULA_NEEDS_REFERENCES();
  const History pos = read_history(files, "Pos"), acc = read_history(files, "Acc");

  std::ostringstream text;
  text << "articula: 1\nenvironment: {gravity: [0, 0, -9.80665]}\n"
       << "bodies: {pendulum: {mass: 1, inertia: {xx: 0.04, yy: 0.1, zz: 0.1}}}\n"
       << "joints: {free: {type: free, from: world, to: pendulum, start: [" << c.start[0] << ", " << c.start[1] << ", "
       << c.start[2] << ", 0, 0, 0, 1]}}\n"
       << "spring_damper_actuators: {spring: {from: world, to: pendulum, stiffness: " << c.stiffness
       << ", damping: " << c.damping << ", rest: " << c.rest << "}}\n";
  const Model model = read(text.str());
  const Rows rows = simulate(model, 5);
  ASSERT_EQ(rows.rows.size(), pos.size());

  ForwardKinematics body(model);
  double worst_position = 0, worst_acceleration = 0;
  // At the very start of the first case the ends of the spring coincide, and it has no direction.
  for (std::size_t k = 1; k < pos.size(); ++k) {
    const std::vector<double> q = rows.part(k, "q"), v = rows.part(k, "v"), a = rows.part(k, "a");
    body.update({.q = q, .v = v, .vdot = a});
    const MovingFrame at = body.compute()[0];
    worst_position = std::max(worst_position, compare(pos[k], at.X_WF.p, position_error));
    worst_acceleration = std::max(worst_acceleration, compare(acc[k], at.A.v, force_error));
  }
  EXPECT_LE(worst_position, 1) << "of " << position_error << " m";
  EXPECT_LE(worst_acceleration, 1) << "of " << force_error << " m/s²";
}

INSTANTIATE_TEST_SUITE_P(Springs, AdamsSpring,
                         testing::Values(SpringCase{"TranSpring_Case01", {0, 0, 0}, 10, 0.5, 0},
                                         SpringCase{"TranSpring_Case02", {0, 2, 0}, 100, 5, 2}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace articula::test
