// Recorded inverse dynamics of elastic drives against the solver, and C against reference numbers of a Taylor arithmetic of
// 40 digits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include <articula/articula.h>
#include <articula/base/text.h>

#include "generate/evaluate.h"
#include "support/driven_tree.h"
#include "support/findings.h"
#include "support/random_state.h"
#include "support/reference.h"
#include "support/temporary_folder.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

/// Mechanism, drives and the recorded function.
struct ElasticCode {
  explicit ElasticCode(const Model& model)
      : locked(build_mechanism(model, {.drives = Drives::locked})),
        full(build_mechanism(model, {.drives = Drives::elastic})),
        chain(std::make_shared<const drives::ElasticChain>(locked.mechanism, locked.parameters, full.mechanism,
                                                           full.parameters)),
        function(generate::record(Algorithm::elastic_inverse_dynamics, locked, {.chain = chain})) {}

  Built locked, full;
  std::shared_ptr<const drives::ElasticChain> chain;
  RecordedFunction function;
};

Model seven_axes() { return load(std::filesystem::path(ARTICULA_SOURCE_DIR) / "models/lbr_like.yaml"); }

/// q and its derivatives, one after another: not those of a motion, where there are quaternions.
std::vector<std::vector<double>> any_derivatives(const Mechanism& mech, int order, Random& random) {
  std::vector<std::vector<double>> all;
  const std::vector<double> neutral = neutral_configuration(mech);
  for (int k = 0; k <= order; ++k) {
    auto& q = all.emplace_back(static_cast<std::size_t>(mech.nq));
    for (double& x : q) x = random.number() * std::pow(2, k);
    if (k == 0 && mech.nq > mech.nv) q = neutral;
  }
  return all;
}

TEST(ElasticCode, ComputesWhatTheSolverComputes) {
  int damped = 0, wrists = 0;
  for (std::uint32_t seed = 1; seed <= 40 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const DrivenTree tree(seed);
    const ElasticCode code(tree.model);
    ElasticInverseDynamics solver(tree.model);
    Random random(seed);
    const auto q = any_derivatives(code.locked.mechanism, solver.order(), random);
    std::vector<std::vector<double>> in(3);
    for (const auto& each : q) in[0].insert(in[0].end(), each.begin(), each.end());
    std::vector<VectorView> views(q.begin(), q.end());
    if (solver.has_damped_springs()) {
      ++damped;
      for (std::size_t r = 0; r < solver.drives().size(); ++r) in[1].push_back(random.number());
      solver.update(views, in[1]);
    } else {
      solver.update(views);
    }
    wrists += code.chain->groups.size() < code.chain->rotors.size();
    const auto& [torque, position, velocity, spring] = solver.compute();
    std::size_t which = 0;
    for (const VectorView& expected : {torque, position, velocity, spring}) {
      const Numbers got = evaluate(code.function, in, which++);
      EXPECT_LT(distance(got, Numbers(expected.begin(), expected.end())), 1e-11) << which;
    }
  }
  EXPECT_GT(damped, 5);
  EXPECT_GT(wrists, 5);
}

TEST(ElasticCode, AsCHasTheTorquesOfTheReference) {
  ARTICULA_NEEDS_REFERENCES();
  const ElasticCode code(seven_axes());
  TemporaryFolder cache;
  const generate::CompiledFunction compiled(code.function, {.cache = cache.path().string()});
  const nlohmann::json json =
      nlohmann::json::parse(std::ifstream(reference_file("elastic/lbr_like_elastic_inverse_dynamics.json")));
  int states = 0;
  for (const auto& state : json["times"]) {
    ++states;
    std::vector<double> q(7 * 11), torque(7), position(7), velocity(7), spring(7);
    for (std::size_t k = 0; k <= 10; ++k) {
      for (std::size_t i = 0; i < 7; ++i) q[7 * k + i] = state["q_derivs_0_16"][k];
    }
    const double* in[] = {q.data()};
    double* out[] = {torque.data(), position.data(), velocity.data(), spring.data()};
    compiled(in, out);
    for (std::size_t d = 0; d < 7; ++d) {
      const auto near = [&](double value, const char* name) {
        const double expected = state[name][d];
        EXPECT_NEAR(value, expected, 1e-9 * std::abs(expected)) << name << " " << d;
      };
      near(torque[d], "tau_full"), near(spring[d], "u"), near(position[d], "theta"), near(velocity[d], "thetad");
    }
  }
  EXPECT_EQ(states, 9);
}

TEST(ElasticCode, OfDryFrictionIsRefusedByName) {
  Model model = seven_axes();
  model.at<Drive>("drive3").friction = 0.2;
  EXPECT_EQ(error_of([&] { ElasticCode code(model); }),
            "elastic_inverse_dynamics of \"lbr_like\" is not generated: drive \"drive3\" has Coulomb friction, a jump "
            "with the "
            "direction of motion that recorded code does not contain. Set friction to 0, and add it to the torques "
            "yourself.  [generate-not-available]");
}

TEST(ElasticCode, InAnotherLanguageIsRefused) {
  generate::GenerateOptions options;
  options.algorithms = {Algorithm::elastic_inverse_dynamics};
  options.target = generate::Target::cpp;
  EXPECT_THAT(error_of([&] { generate_code(seven_axes(), options); }),
              HasSubstr("is generated as C only. Take away --target"));
}

}  // namespace
}  // namespace articula::test
