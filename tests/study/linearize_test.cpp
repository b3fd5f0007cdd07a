// Linearization in the tangent space, against closed forms of bodies that spin.
#include "study/study_text.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace articula::test {
namespace {

using namespace testing_study;
using Complex = std::complex<double>;

constexpr double g = 9.81;

/// The task `modes` of a study of a model.
struct Modes {
  Modes(std::string_view model, std::string_view content, std::string_view task = "{type: linearize}") {
    folder.file("body.yaml", model);
    const std::string file = folder.file("modes.yaml", study_text("model: body.yaml\n" + std::string(content) +
                                                                  "tasks: {modes: " + std::string(task) + "}\n"));
    Findings findings;
    Store store(folder.path("runs.db"), Store::Access::write);
    report = run_study(load_study(file, findings), store);
    const StoredTask stored = store.run("latest").task("modes");
    for (const StoredSignal& signal : stored.signals) values[signal.name] = store.column(stored.id, signal.name).at(0);
    units = stored.signals;
  }

  std::vector<Complex> eigenvalues() const {
    std::vector<Complex> all;
    for (int k = 1; values.contains("eigenvalue." + std::to_string(k) + ".re"); ++k) {
      const std::string name = "eigenvalue." + std::to_string(k);
      all.emplace_back(values.at(name + ".re"), values.at(name + ".im"));
    }
    return all;
  }

  Folder folder;
  RunReport report;
  std::map<std::string, double> values;
  std::vector<StoredSignal> units;
};

/// Each expected value is met, one by one, and there are no others.
void expect_spectrum(std::vector<Complex> got, const std::vector<Complex>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (const Complex& each : expected) {
    const auto nearest = std::min_element(got.begin(), got.end(), [&](const Complex& a, const Complex& b) {
      return std::abs(a - each) < std::abs(b - each);
    });
    EXPECT_LT(std::abs(*nearest - each), tolerance) << each << " is not there; the nearest is " << *nearest;
    got.erase(nearest);
  }
}

TEST(Linearize, OfASphericalPendulumAtRestHasItsTwoFrequencies) {
  constexpr double mass = 2, length = 0.5, transverse = 0.03;
  const Modes modes(R"(articula: 1
bodies: {bob: {mass: 2, com: [0, 0, -0.5], inertia: {xx: 0.03, yy: 0.03, zz: 0.01}}}
joints: {ball: {type: spherical, from: world, to: bob}}
)",
                    "");
  const double omega = std::sqrt(mass * g * length / (transverse + mass * length * length));
  const Complex i(0, omega);
  // About the vertical it turns freely: an angle and its rate, both zero.
  expect_spectrum(modes.eigenvalues(), {i, i, -i, -i, 0, 0}, 1e-6);
  EXPECT_NEAR(modes.values.at("frequency.3"), omega / (2 * std::numbers::pi), 1e-9);
}

TEST(Linearize, OfABodyThatSpinsAboutItsIntermediateAxisGrowsAsEulerSays) {
  // Euler's equations about ω = (0, Ω, 0): λ² = Ω²·(I_y − I_z)·(I_x − I_y)/(I_x·I_z). The orientation deviates in axes
  // that turn with Ω: δ̇ = δω − ω×δ has 0 and ±iΩ.
  constexpr double x = 3, y = 2, z = 1, spin = 5;
  const double growth = spin * std::sqrt((y - z) * (x - y) / (x * z));
  const Complex i(0, spin);
  const Modes ball(R"(articula: 1
bodies: {block: {mass: 1, inertia: {xx: 3, yy: 2, zz: 1}}}
joints: {ball: {type: spherical, from: world, to: block}}
)",
                   "start: {v: {ball: [0, 5, 0]}}\n");
  expect_spectrum(ball.eigenvalues(), {growth, -growth, 0, 0, i, -i}, 1e-6);
  // The same body, free and weightless: its position turns with it as well.
  const Modes free(R"(articula: 1
bodies: {block: {mass: 1, inertia: {xx: 3, yy: 2, zz: 1}}}
joints: {base: {type: free, from: world, to: block}}
environment: {gravity: [0, 0, 0]}
)",
                   "start: {v: {base: [0, 0, 0, 0, 5, 0]}}\n");
  expect_spectrum(free.eigenvalues(), {growth, -growth, 0, 0, i, -i, 0, 0, i, -i, i, -i}, 1e-4);
}

/// A heavy symmetric top on its tip, upright, with spin s: A·ξ̈ − i·C·s·ξ̇ − m·g·l·ξ = 0 for the tilt ξ in fixed axes.
/// In axes that turn with the top, roots r are r − i·s. [Goldstein 2002, sec. 5.7]
void expect_top(double spin) {
  constexpr double mass = 1, length = 0.2, axial = 0.01, transverse = 0.005;
  const double about_tip = transverse + mass * length * length;
  const Modes modes(R"(articula: 1
bodies: {top: {mass: 1, com: [0, 0, 0.2], inertia: {xx: 0.005, yy: 0.005, zz: 0.01}}}
joints: {tip: {type: spherical, from: world, to: top}}
)",
                    "start: {v: {tip: [0, 0, " + std::to_string(spin) + "]}}\n");
  const Complex i(0, 1);
  const Complex root = std::sqrt(Complex(4 * about_tip * mass * g * length - axial * axial * spin * spin, 0));
  const Complex fast = (i * axial * spin + root) / (2 * about_tip) - i * spin,
                slow = (i * axial * spin - root) / (2 * about_tip) - i * spin;
  expect_spectrum(modes.eigenvalues(), {fast, slow, std::conj(fast), std::conj(slow), 0, 0}, 1e-6);
}

TEST(Linearize, OfATopThatSleepsIsThatOfLagrange) { expect_top(200); }
TEST(Linearize, OfATopThatFallsIsThatOfLagrange) { expect_top(20); }

TEST(Linearize, NamesStatesByDegreeOfFreedomAndPrintsItsModes) {
  const Modes modes(R"(articula: 1
bodies: {rod: {mass: 2, com: [0, 0, -0.5]}}
joints: {hinge: {type: revolute, axis: y, damping: 0.5, from: world, to: rod}}
)",
                    "");
  EXPECT_TRUE(modes.values.contains("A[q.hinge][v.hinge]"));
  const auto unit = std::find_if(modes.units.begin(), modes.units.end(),
                                 [](const StoredSignal& signal) { return signal.name == "frequency.1"; });
  ASSERT_NE(unit, modes.units.end());
  EXPECT_EQ(unit->unit, "Hz");
  // θ̈ + (d/ml²)·θ̇ + (g/l)·θ = 0: |λ| = √19.62 = 4.42945 rad/s, damping ratio 1/(2·4.42945) = 0.112881.
  EXPECT_EQ(modes.report.tasks.at(0).outcome.text,
            "  t = 0 s\n"
            "    mode   frequency Hz    damping %   eigenvalue 1/s\n"
            "       1       0.704968        11.29   -0.5 ± 4.40114i\n");
}

TEST(Linearize, OfAFreeBodyThatFliesTurnsItsCourse) {
  // δx = R·ξ in axes of the body: ξ̇ = δv + δ×v − ω×ξ. With v = (3, 0, 0), a turn about z moves it along y.
  const Modes modes(R"(articula: 1
bodies: {block: {mass: 1, inertia: {xx: 3, yy: 2, zz: 1}}}
joints: {base: {type: free, from: world, to: block}}
environment: {gravity: [0, 0, 0]}
)",
                    "start: {v: {base: [3, 0, 0, 0, 0, 0]}}\n");
  double largest = 0;
  int count = 0;
  for (const auto& [name, value] : modes.values) {
    if (!name.starts_with("A[q.") || name.find("][q.") == std::string::npos || std::abs(value) < 1e-12) continue;
    largest = std::max(largest, std::abs(value));
    ++count;
  }
  EXPECT_EQ(count, 2);  // y by the turn about z, z by that about y
  EXPECT_NEAR(largest, 3, 1e-12);
}

/// Why the task cannot be computed of so many tables that turn.
std::string refusal(int tables, const std::string& task) {
  std::string bodies, joints;
  for (int k = 0; k < tables; ++k) {
    const std::string number = std::to_string(k);
    bodies += "  b" + number + ": {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n";
    joints += "  j" + number + ": {type: revolute, axis: z, from: world, to: b" + number + "}\n";
  }
  const Folder folder;
  folder.file("tables.yaml", "articula: 1\nbodies:\n" + bodies + "joints:\n" + joints);
  const std::string file = folder.file("modes.yaml", study_text("model: tables.yaml\ntasks: {modes: " + task + "}\n"));
  Findings findings;
  const PreparedStudy prepared = prepare_study(load_study(file, findings));
  return prepared.findings.empty() ? "good" : to_text(prepared.findings.front()).substr(file.size());
}

TEST(Linearize, OfTooManyJointsIsRefusedBeforeItRuns) {
  EXPECT_EQ(
      refusal(1001, "{type: linearize, matrices: false}"),
      ":3: task \"modes\": linearize: the model has 2002 states, of which 1001 are speeds of joints. At most 2000 "
      "are allowed, since A is a dense matrix. Take a smaller model, or lock joints.  [jacobian-too-large]");
  EXPECT_EQ(refusal(500, "{type: linearize}"),
            ":3: task \"modes\": linearize: A and B have 1500000 numbers, for 1000 states and 500 forces. At most "
            "1000000 are stored. Write `matrices: false` to store the eigenvalues alone, or take a smaller model.  "
            "[jacobian-too-large]");
  EXPECT_EQ(refusal(500, "{type: linearize, matrices: false}"), "good");
  EXPECT_EQ(refusal(100, "{type: linearize}"), "good");
  EXPECT_EQ(refusal(2001, "{type: equilibrium}").substr(0, 72),
            ":3: task \"modes\": the equilibrium of a system of 4002 states is sought, ");
}

}  // namespace
}  // namespace articula::test
