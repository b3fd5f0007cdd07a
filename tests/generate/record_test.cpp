// Recorded functions compute the same results as the network of entities, which shares no algorithm with them.

#include <articula/generate/record.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/error.h>
#include <articula/formats/load.h>
#include <articula/network/network.h>

#include "generate/evaluate.h"
#include "network/flat.h"

namespace articula::test {
namespace {

using test::distance;
using test::evaluate;
using test::Numbers;
using testing::HasSubstr;

constexpr double tolerance = 1e-11;

Model robot(const char* name) { return load(std::string(ARTICULA_SOURCE_DIR "/models/") + name); }

struct Case {
  explicit Case(Model what, std::uint32_t seed = 3)
      : model(std::move(what)), built(build_mechanism(model)), state(model, built, seed), network(model) {}

  Numbers torques(const Numbers& q, const Numbers& v, const Numbers& vdot) {
    Numbers tau(v.size());
    network.inverse_dynamics(q, v, vdot, tau);
    return tau;
  }

  Model model;
  Built built;
  test::RandomState state;
  network::Network network;
};

Model random_tree(std::uint32_t seed, std::vector<JointKind> kinds = {}) {
  test::RandomModelOptions options;
  options.bodies = 7;
  options.kinds = std::move(kinds);
  options.moving_frames = 0;
  return test::random_model(seed, options);
}

TEST(Record, TorquesOfRandomTreesAreThoseOfTheNetwork) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    Case c(random_tree(seed), seed);
    const auto& [q, v, vdot, tau] = c.state;
    const RecordedFunction function = record(Algorithm::inverse_dynamics, c.built);
    EXPECT_LE(distance(evaluate(function, {q, v, vdot, {}}), c.torques(q, v, vdot)), tolerance) << "seed " << seed;
  }
}

TEST(Record, RegroupedInertiasGiveTheSameTorquesWithFewerOperations) {
  Case c(robot("kuka_lwr4.yaml"));
  const auto& [q, v, vdot, tau] = c.state;
  RecordOptions whole;
  whole.regroup = false;
  const RecordedFunction plain = record(Algorithm::inverse_dynamics, c.built, whole);
  const RecordedFunction regrouped = record(Algorithm::inverse_dynamics, c.built);
  EXPECT_LT(regrouped.graph.size(), plain.graph.size());
  EXPECT_LE(distance(evaluate(regrouped, {q, v, vdot, {}}), evaluate(plain, {q, v, vdot, {}})), tolerance);
}

TEST(Record, SlidingBodiesHandTheirWholeSecondMomentOn) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    Case c(random_tree(seed, {JointKind::prismatic, JointKind::revolute}), seed);
    const auto& [q, v, vdot, tau] = c.state;
    EXPECT_LE(distance(evaluate(record(Algorithm::inverse_dynamics, c.built), {q, v, vdot, {}}), c.torques(q, v, vdot)),
              tolerance)
        << "seed " << seed;
  }
}

TEST(Record, AccelerationsOfRobotsAreThoseOfTheNetwork) {
  for (const char* name : {"kuka_lwr4.yaml", "quadruped.yaml", "puma560.yaml", "biped.yaml"}) {
    Case c(robot(name));
    const auto& [q, v, vdot, tau] = c.state;
    Numbers expected(v.size());
    c.network.forward_dynamics(q, v, tau, expected);
    const double allowed = tolerance * test::condition(c.built, q);
    EXPECT_LE(distance(evaluate(record(Algorithm::forward_dynamics, c.built), {q, v, tau, {}}), expected), allowed)
        << name;
  }
}

TEST(Record, ColumnsOfTheMassMatrixAreTorquesOfUnitAccelerations) {
  Case c(robot("quadruped.yaml"));
  const Numbers& q = c.state.q;
  const auto n = static_cast<std::size_t>(c.built.mechanism.nv);
  const Numbers M = evaluate(record(Algorithm::mass_matrix, c.built), {q, {}, {}, {}});
  const Numbers rest(n), still = c.torques(q, rest, rest);
  for (std::size_t k = 0; k < n; ++k) {
    Numbers unit(n), column(n);
    unit[k] = 1;
    Numbers expected = c.torques(q, rest, unit);
    for (std::size_t i = 0; i < n; ++i) {
      expected[i] -= still[i];
      column[i] = M[i * n + k];
    }
    EXPECT_LE(distance(column, expected), 1e-10) << k;
  }
}

TEST(Record, TheInverseMassMatrixUndoesTheMassMatrix) {
  Case c(robot("kuka_lwr4.yaml"));
  const auto n = static_cast<std::size_t>(c.built.mechanism.nv);
  const Numbers M = evaluate(record(Algorithm::mass_matrix, c.built), {c.state.q, {}, {}, {}});
  const Numbers inverse = evaluate(record(Algorithm::inverse_mass_matrix, c.built), {c.state.q, {}, {}, {}});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += M[i * n + k] * inverse[k * n + j];
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-9);
    }
  }
}

TEST(Record, APayloadStaysAnArgument) {
  Case c(robot("two_link.yaml"));
  const auto& [q, v, vdot, tau] = c.state;
  RecordOptions options;
  options.symbolic = {"link2", "gravity"};
  const RecordedFunction function = record(Algorithm::inverse_dynamics, c.built, options);
  ASSERT_EQ(function.inputs[3].entries.size(), 13u);
  EXPECT_EQ(function.inputs[3].entries[0], "gravity.x");
  EXPECT_EQ(function.inputs[3].entries[3], "link2.mass");
  EXPECT_EQ(function.inputs[3].entries[12], "link2.inertia.zz");

  // The model with another forearm, said in the model instead.
  Model changed = c.model;
  RigidBody& body = changed.at<RigidBody>("link2");
  body.mass = 4;
  body.com = {0.01, 0.02, 0.3};
  body.inertia = {0.05, 0.001, 0.002, 0.06, 0.003, 0.02};
  network::Network expected(changed);
  Numbers torques(v.size());
  expected.inverse_dynamics(q, v, vdot, torques);
  const Numbers p{0, 0, -9.81, 4, 0.01, 0.02, 0.3, 0.05, 0.001, 0.002, 0.06, 0.003, 0.02};
  EXPECT_LE(distance(evaluate(function, {q, v, vdot, p}), torques), tolerance);
}

TEST(Record, WhatCannotStayAnArgumentIsNamed) {
  RecordOptions options;
  options.symbolic = {"link2.mas"};
  try {
    record(Algorithm::inverse_dynamics, build_mechanism(robot("two_link.yaml")), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "symbolic-unknown");
    EXPECT_THAT(error.message(), HasSubstr("Did you mean \"link2.mass\"?"));
  }
}

TEST(Record, GravityThatDependsOnThePlaceCannotStayAnArgument) {
  Model model = robot("two_link.yaml");
  model.environment.gravity = CentralGravity{{0, 0, -40}, 15'000};
  try {
    record(Algorithm::inverse_dynamics, build_mechanism(model), {.symbolic = {"gravity"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "\"gravity\" of \"two_link\" depends on the place, so that no vector can stay an argument for it. Name "
        "other numbers, or give the environment a uniform gravity.  [symbolic-unknown]");
  }
}

TEST(Record, LoopsAreRefusedByName) {
  try {
    record(Algorithm::inverse_dynamics, build_mechanism(robot("four_bar.yaml")));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "loop-not-computed");
    EXPECT_THAT(error.message(), HasSubstr("closes a loop"));
  }
}

TEST(Record, AnUnknownAlgorithmIsAnErrorWithASuggestion) {
  try {
    algorithm_of("inverse_dynamic");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "algorithm-unknown");
    EXPECT_THAT(error.message(), HasSubstr("Did you mean \"inverse_dynamics\"?"));
  }
}

Model chain(int length, JointKind kind = JointKind::revolute) {
  Model model("chain");
  std::string parent = "world";
  for (int k = 0; k < length; ++k) {
    const std::string name = "link" + std::to_string(k);
    RigidBody body;
    body.mass = 1;
    body.com = {0, 0.01, 0.05};
    body.inertia = {0.01, 0, 0, 0.01, 0, 0.01};
    model.add(name, body);
    model.add(name, Joint{.kind = kind, .axis = k % 2 == 0 ? z_axis : y_axis}, at(parent, Place{.xyz = {0, 0, 0.1}}),
              name);
    parent = name;
  }
  return model;
}

TEST(Record, TenThousandBodiesAreRefusedWithANumber) {
  const Built built = build_mechanism(chain(10'000));
  RecordOptions options;
  options.most_operations = 300'000;
  for (const Algorithm algorithm : {Algorithm::inverse_dynamics, Algorithm::mass_matrix}) {
    try {
      record(algorithm, built, options);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "trace-too-large");
      EXPECT_THAT(error.message(), HasSubstr("300000 operations"));
      EXPECT_THAT(error.message(), HasSubstr("\"flat\""));
    }
  }
}

TEST(Record, MatricesOfTwoThousandBodiesAreRefusedBeforeTheyAreRecorded) {
  const Built built = build_mechanism(chain(2'000));
  for (const Algorithm algorithm : {Algorithm::mass_matrix, Algorithm::inverse_mass_matrix,
                                    Algorithm::inverse_dynamics_derivatives, Algorithm::forward_dynamics_derivatives}) {
    try {
      record(algorithm, built);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "trace-too-large");
      EXPECT_THAT(error.message(), HasSubstr("000 operations or more, with 2000 degrees of freedom. At most 4000000 "
                                             "operations are recorded."));
    }
  }
}

TEST(Record, WhatIsRefusedBeforehandIsTooLong) {
  // The shortest matrices of their kind: in a plane. What is estimated is less than what is recorded.
  Model model("flat");
  std::string parent = "world";
  constexpr int n = 60;
  for (int k = 0; k < n; ++k) {
    const std::string name = "link" + std::to_string(k);
    model.add(name, RigidBody{.mass = 1, .com = {0.1, 0, 0}, .inertia = {0.01, 0, 0, 0.01, 0, 0.01}});
    model.add(name, Joint{.axis = z_axis}, at(parent, Place{.xyz = {0.2, 0, 0}}), name);
    parent = name;
  }
  const Built built = build_mechanism(model);
  constexpr int changing = 8 * n * (n - 1) / 2;
  EXPECT_GE(record(Algorithm::mass_matrix, built).graph.size(), changing);
  EXPECT_GE(record(Algorithm::inverse_mass_matrix, built).graph.size(), changing);
  EXPECT_GE(record(Algorithm::inverse_dynamics_derivatives, built).graph.size(), 2 * changing);
  EXPECT_GE(record(Algorithm::forward_dynamics_derivatives, built).graph.size(), 3 * changing);
}

TEST(Record, MatricesThatDoNotChangeAreNotRefused) {
  RecordOptions options;
  options.most_operations = 100'000;
  EXPECT_NO_THROW(record(Algorithm::mass_matrix, build_mechanism(chain(300, JointKind::prismatic)), options));
}

}  // namespace
}  // namespace articula::test
