// A gear on one shaft of a joint with several degrees of freedom: the others stay independent, in every way of running.
// Compared with the same mechanism whose joint is written as joints with one degree of freedom in a row.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/batch/batch.h>
#include <articula/generate/record.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/mass_matrix.h>

#include "generate/evaluate.h"
#include "network/flat.h"
#include "simulate/runs.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr double agreement = 1e-12;

struct Step {
  JointKind kind;
  Vec3<double> axis;
};
/// A joint, the same as joints in a row, and the one of them that follows a slide by a gear.
struct Case {
  Joint joint;
  std::vector<Step> row;
  std::size_t follower;
};

std::vector<Case> cases() {
  using enum JointKind;
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  std::vector<Case> all;
  for (const std::size_t follower : {0, 1}) {
    all.push_back({{.kind = cylindrical, .axis = y_axis}, {{prismatic, y}, {revolute, y}}, follower});
    all.push_back(
        {{.kind = universal, .axis = x_axis, .second_axis = y_axis}, {{revolute, x}, {revolute, y}}, follower});
  }
  for (const std::size_t follower : {0, 1, 2})
    all.push_back({{.kind = planar, .axis = z_axis}, {{prismatic, x}, {prismatic, y}, {revolute, z}}, follower});
  return all;
}

std::string shaft(std::size_t k) { return concat("shaft", k + 1); }

/// A carriage on a slide, on it a plate held by the joint, on that an arm.
Model model_of(const Case& each, bool in_a_row) {
  Model model("press");
  const RigidBody body{.mass = 2, .com = {0.1, 0.2, -0.05}, .inertia = {0.3, 0.01, 0.02, 0.25, -0.03, 0.2}};
  model.add("carriage", body).add("plate", body).add("arm", body);
  model.add("slide", Joint{.kind = JointKind::prismatic, .axis = z_axis, .damping = 0.4}, "world", "carriage");
  model.add("gear", Gear{.ratio = {{0.7}}, .offset = {0.2}});
  model.connect({{"gear", "out1"}, {"slide", "shaft"}});
  Joint damped = each.joint;
  damped.damping = 0.3;
  if (in_a_row) {
    std::string before = "carriage";
    for (std::size_t k = 0; k < each.row.size(); ++k) {
      const bool last = k + 1 == each.row.size();
      const std::string next = last ? "plate" : concat("link", k);
      if (!last) model.add(next, RigidBody{});
      model.add(concat("c", k), Joint{.kind = each.row[k].kind, .axis = {each.row[k].axis}, .damping = 0.3}, before,
                next);
      before = next;
    }
    model.connect({{"gear", "in1"}, {concat("c", each.follower), "shaft"}});
  } else {
    model.add("c", damped, "carriage", "plate");
    model.connect({{"gear", "in1"}, {"c", shaft(each.follower)}});
  }
  model.add("hinge", Joint{.axis = x_axis, .damping = 0.2}, at("plate", {.xyz = {0.3, 0, 0.1}}), "arm");
  return model;
}

void append(Numbers& to, VectorView x) { to.insert(to.end(), x.begin(), x.end()); }
void append(Numbers& to, const MatrixView& M) {
  for (int i = 0; i < M.rows(); ++i) {
    for (int j = 0; j < M.columns(); ++j) to.push_back(M(i, j));
  }
}

/// Everything that solvers give, in y.
Numbers solved(const Model& model, const State& state) {
  InverseDynamics inverse(model, {.passive = true});
  ForwardDynamics forward(model, {.passive = true});
  MassMatrix mass(model);
  Derivatives changes(model, Derivatives::Of::forward_dynamics, {.passive = true});
  for (Solver* each : std::initializer_list<Solver*>{&inverse, &forward, &mass, &changes}) each->update(state);
  Numbers all;
  append(all, inverse.compute()), append(all, forward.compute()), append(all, mass.compute());
  const StateDerivatives& d = changes.compute();
  append(all, d.dq), append(all, d.dv), append(all, d.du);
  return all;
}

struct Given {
  explicit Given(std::uint32_t seed, int n) {
    Random random(seed);
    for (Numbers* each : {&q, &v, &x}) {
      for (int k = 0; k < n; ++k) each->push_back(random.number());
    }
  }
  State state() const { return {.q = q, .v = v, .vdot = x, .tau = x}; }
  Numbers q, v, x;
};

TEST(PartlyFollowing, JointsHaveTheCoordinatesThatAreLeft) {
  Case each = cases().front();
  each.follower = 0;
  const Model model = model_of(each, false);
  const ForwardDynamics solver(model);
  EXPECT_THAT(solver.q_names(), ElementsAre("slide", "c.angle", "hinge"));
  EXPECT_THAT(solver.v_names(), ElementsAre("slide", "c.angular_speed", "hinge"));
  EXPECT_THAT(build_mechanism(model).mechanism.independent.q_names, ElementsAreArray(solver.q_names()));
  const ForwardDynamics one(model, {.exterior = {.joints = {"c"}}});
  EXPECT_THAT(one.v_names(), ElementsAre("c.angular_speed"));
  const BlockSite site(model);
  ASSERT_EQ(site.dofs().size(), 3U);
  EXPECT_EQ(site.dofs()[1].name, "c.angular_speed");
  EXPECT_EQ(site.dofs()[1].position, "c.angle");
  EXPECT_TRUE(site.dofs()[1].angular);
  ASSERT_EQ(site.followers().size(), 1U);
  EXPECT_EQ(site.followers()[0].position, "c.distance");
}

TEST(PartlyFollowing, SolversComputeWhatTheyDoForJointsInARow) {
  for (const Case& each : cases()) {
    const Model model = model_of(each, false), row = model_of(each, true);
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(concat(traits(each.joint.kind).name, ", ", shaft(each.follower), ", seed ", seed));
      const Given given(seed, ForwardDynamics(row).nv());
      ASSERT_EQ(ForwardDynamics(model).nv(), static_cast<int>(given.v.size()));
      EXPECT_LT(distance(solved(model, given.state()), solved(row, given.state())), agreement);
    }
  }
}

TEST(PartlyFollowing, LanesAndRecordedCodeComputeTheSame) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(concat(traits(each.joint.kind).name, ", ", shaft(each.follower)));
    const Model model = model_of(each, false);
    ForwardDynamics flat(model);
    const Given given(3, flat.nv());
    flat.update(given.state());
    Numbers expected;
    append(expected, flat.compute());
    BatchedForwardDynamics lanes(model, 1);
    EXPECT_THAT(lanes.v_names(), ElementsAreArray(flat.v_names()));
    lanes.update({.q = given.q, .v = given.v, .tau = given.x});
    Numbers in_lanes(expected.size());
    lanes.compute().store(in_lanes);
    EXPECT_LT(distance(in_lanes, expected), agreement);
    EXPECT_LT(
        distance(evaluate(record(Algorithm::forward_dynamics, build_mechanism(model)), {given.q, given.v, given.x, {}}),
                 expected),
        agreement);
  }
}

TEST(PartlyFollowing, RunsEndWhereThoseOfJointsInARowDo) {
  for (const Case& each : cases()) {
    for (const Method method : {Method::rk45, Method::bdf, Method::semi_implicit}) {
      SCOPED_TRACE(concat(traits(each.joint.kind).name, ", ", shaft(each.follower), ", ", static_cast<int>(method)));
      const auto end = [&](bool in_a_row) {
        const Model model = model_of(each, in_a_row);
        const BlockSite site(model);
        System system(site, {}, {});
        const Given given(3, static_cast<int>(system.v_names().size()));
        const Ran ran = run(system, {.q = given.q, .v = given.v},
                            {.integrator = {.method = method, .relative = 1e-9, .absolute = 1e-9, .step = 1e-3},
                             .until = 0.5,
                             .output_every = 0.5});
        EXPECT_EQ(ran.outcome.end, RunEnd::done);
        Numbers q(ran.rows.rows.back().begin() + 1, ran.rows.rows.back().begin() + 1 + system.q_names().size() * 2);
        return q;
      };
      EXPECT_LT(distance(end(false), end(true)), 1e-7);
    }
  }
}

/// By differences of the rates, column by column.
TEST(PartlyFollowing, TheJacobianOfARunIsThatOfItsRates) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(concat(traits(each.joint.kind).name, ", ", shaft(each.follower)));
    const BlockSite site(model_of(each, false));
    System system(site, {}, {});
    const Given given(5, static_cast<int>(system.v_names().size()));
    Numbers y = system.start({.q = given.q, .v = given.v});
    const std::size_t n = y.size();
    Numbers J(n * n), ahead(n), behind(n), by_differences(n * n);
    ASSERT_TRUE(system.jacobian(0, y, J));
    constexpr double h = 1e-6;
    for (std::size_t j = 0; j < n; ++j) {
      Numbers moved = y;
      moved[j] += h;
      ASSERT_TRUE(system.rate(0, moved, ahead));
      moved[j] -= 2 * h;
      ASSERT_TRUE(system.rate(0, moved, behind));
      for (std::size_t i = 0; i < n; ++i) by_differences[i * n + j] = (ahead[i] - behind[i]) / (2 * h);
    }
    EXPECT_LT(distance(J, by_differences), 1e-8);
  }
}

}  // namespace
}  // namespace articula::test
