// In limb-by-limb order, or split over warps, a recording computes the same results as in recording order.

#include <articula/generate/internal/limbs.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <articula/base/index.h>
#include <articula/formats/load.h>
#include <articula/generate/record.h>

#include "generate/evaluate.h"
#include "network/flat.h"

namespace articula::test {
namespace {

using test::Numbers;

Model robot(const char* name) { return load(std::string(ARTICULA_SOURCE_DIR "/models/") + name); }

Model random_tree(std::uint32_t seed) {
  test::RandomModelOptions options;
  options.bodies = 12;
  options.moving_frames = 0;
  options.chained = 0;  // every joint moves some mass
  return test::random_model(seed, options);
}

/// Inputs, constants and sines of inputs, which need no computation.
bool is_given(const ExpressionGraph& graph, int k) {
  return operands(graph[k].operation) == 0 || is_of_angle(graph, graph[k]);
}

/// The computed operands of an expression.
std::vector<int> computed_operands(const ExpressionGraph& graph, int k) {
  std::vector<int> result;
  const int count = operands(graph[k].operation);
  if (count > 0 && !is_given(graph, graph[k].a)) result.push_back(graph[k].a);
  if (count > 1 && !is_given(graph, graph[k].b)) result.push_back(graph[k].b);
  return result;
}

/// One expression from the values of others, by the rules of evaluate.h: a graph of its own with constants as operands.
double value_of(const Expression& e, double a, double b) {
  ExpressionGraph small;
  small.add({Operation::constant, -1, -1, a});
  const int second = small.add({Operation::constant, -1, -1, b});
  small.add({e.operation, 0, operands(e.operation) > 1 ? second : -1, 0});
  return test::values_of(small, {}).back();
}

/// Equal bit by bit. A random tree with a joint without inertia has accelerations that are NaN.
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

class Trees : public testing::TestWithParam<Algorithm> {
 public:
  /// Calls check(function, inputs) for random trees with branches and for robots with limbs.
  template <class Check>
  void each(Check&& check) const {
    std::vector<Model> models{robot("quadruped.yaml"), robot("biped.yaml"), robot("kuka_lwr4.yaml")};
    for (std::uint32_t seed = 1; seed <= 12; ++seed) models.push_back(random_tree(seed));
    for (const Model& model : models) {
      const Built built = build_mechanism(model);
      const test::RandomState state(model, built, 5);
      const RecordedFunction function = record(GetParam(), built);
      std::vector<Numbers> inputs{state.q, state.v, state.vdot, {}};
      if (GetParam() == Algorithm::step) inputs[2].push_back(1e-3);
      check(function, inputs);
    }
  }
};

TEST_P(Trees, EachExpressionStandsBehindItsOperandsAndNoneIsLost) {
  each([](const RecordedFunction& function, const std::vector<Numbers>&) {
    const Schedule schedule = make_schedule(function);
    const std::vector<int> order = limb_by_limb(schedule, find_limbs(schedule)).order;
    std::vector<bool> done(at(function.graph.size()), false);
    for (const int k : order) {
      for (const int o : computed_operands(function.graph, k)) ASSERT_TRUE(done[at(o)]);
      ASSERT_FALSE(done[at(k)]);
      done[at(k)] = true;
    }
    EXPECT_EQ(order.size(), schedule.order.size());
  });
}

/// Each warp has its own values; it reads values of others from slots, and only after the phase in which they were
/// written. In each phase warps run one after another, in both directions: the order must not matter.
TEST_P(Trees, WarpsThatShareAStateComputeTheSame) {
  each([](const RecordedFunction& function, const std::vector<Numbers>& inputs) {
    const ExpressionGraph& graph = function.graph;
    const Schedule schedule = make_schedule(function);
    const Split split = split_by_limb(schedule, find_limbs(schedule));
    const std::vector<double> expected = test::values_of(graph, inputs);
    for (const bool backwards : {false, true}) {
      std::vector<double> slots(at(split.slots));
      std::vector<std::vector<double>> own(
          at(split.warps), std::vector<double>(at(graph.size()), std::numeric_limits<double>::quiet_NaN()));
      int computed = 0;
      for (int phase = 0; phase < split.phases; ++phase) {
        for (int turn = 0; turn < split.warps; ++turn) {
          const int warp = backwards ? split.warps - 1 - turn : turn;
          for (const int k : split.schedule.order) {
            if (split.warp[at(k)] != warp || split.phase[at(k)] != phase) continue;
            const auto value = [&](int o) {
              if (o < 0) return 0.0;
              if (is_given(graph, o)) return expected[at(o)];
              return split.warp[at(o)] == warp ? own[at(warp)][at(o)] : slots[at(split.slot[at(o)])];
            };
            const Expression& e = graph[k];
            own[at(warp)][at(k)] = value_of(e, value(e.a), operands(e.operation) > 1 ? value(e.b) : 0.0);
            if (split.slot[at(k)] >= 0) slots[at(split.slot[at(k)])] = own[at(warp)][at(k)];
            ASSERT_TRUE(same(own[at(warp)][at(k)], expected[at(k)]));
            ++computed;
          }
        }
      }
      EXPECT_EQ(computed, static_cast<int>(schedule.order.size()));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Trees,
                         testing::Values(Algorithm::inverse_dynamics, Algorithm::forward_dynamics,
                                         Algorithm::mass_matrix, Algorithm::step),
                         [](const auto& which) { return std::string(name_of(which.param)); });

TEST(Limbs, AQuadrupedHasFourAndAnArmIsOne) {
  const auto limbs_in = [](const char* name) {
    const RecordedFunction function = record(Algorithm::inverse_dynamics, build_mechanism(robot(name)));
    return find_limbs(make_schedule(function));
  };
  EXPECT_EQ(limbs_in("quadruped.yaml").count, 4);
  EXPECT_EQ(limbs_in("quadruped.yaml").phases, 3);  // the trunk's motion, the legs, the trunk's forces
  EXPECT_EQ(limbs_in("kuka_lwr4.yaml").count, 1);
  EXPECT_EQ(limbs_in("kuka_lwr4.yaml").phases, 1);
}

TEST(Limbs, OneAfterTheOtherNeedFewerValuesAtHand) {
  const RecordedFunction function = record(Algorithm::inverse_dynamics, build_mechanism(robot("quadruped.yaml")));
  const Schedule schedule = make_schedule(function);
  const Limbs limbs = find_limbs(schedule);
  const int by_limb = most_live(limb_by_limb(schedule, limbs));
  EXPECT_LT(by_limb, 2 * most_live(schedule) / 3);
  EXPECT_LT(split_by_limb(schedule, limbs).live, by_limb);
}

TEST(Limbs, AFunctionThatSaysNothingOfLimbsIsAllTrunk) {
  RecordedFunction function = record(Algorithm::inverse_dynamics, build_mechanism(robot("quadruped.yaml")));
  function.input_limbs.clear();
  function.output_limbs.clear();
  const Schedule schedule = make_schedule(function);
  const Limbs limbs = find_limbs(schedule);
  EXPECT_EQ(limbs.count, 0);
  EXPECT_EQ(limb_by_limb(schedule, limbs).order, schedule.order);
}

}  // namespace
}  // namespace articula::test
