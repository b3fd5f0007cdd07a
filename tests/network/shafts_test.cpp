// Gears, rotors, drives and springs in the network, against the flat form: exchanged inertias, rotors as bodies, postponed
// joints and sums over shafts there, turns and torques from port to port here.

#include <gtest/gtest.h>

#include <articula/articula.h>

#include "network/flat.h"
#include "support/driven_tree.h"
#include "support/findings.h"

namespace articula::test {
namespace {

/// Normwise, relative. Measured: 3e-15.
constexpr double rounding = 1e-12;

constexpr std::uint32_t models = 200;

/// The same choice for both.
struct Choice {
  Drives drives;
  bool passive;
  std::string name;
};
const std::vector<Choice>& choices() {
  static const std::vector<Choice> all{{Drives::locked, false, "locked"},
                                       {Drives::locked, true, "locked, passive"},
                                       {Drives::rigid, false, "rigid"},
                                       {Drives::rigid, true, "rigid, passive"},
                                       {Drives::elastic, true, "elastic, passive"}};
  return all;
}

Model driven(std::uint32_t seed) { return DrivenTree(seed, {.parallel = 0.4, .friction = 0.3}).model; }

network::NetworkOptions options_of(const Choice& choice, Representation representation) {
  return {.representation = representation, .passive = choice.passive, .drives = choice.drives};
}
SolverOptions solver_options(const Choice& choice) {
  return {.passive = choice.passive, .build = {.drives = choice.drives}};
}

/// A state of a solver, of the order of one; quaternions are drawn on the unit sphere.
struct SolverState {
  SolverState(const Mechanism& mech, std::uint32_t seed) {
    Random random(seed);
    std::vector<double> all = neutral_configuration(mech), step(static_cast<std::size_t>(mech.nv));
    for (double& x : step) x = random.number();
    for (const Body& body : mech.bodies) {
      visit_joint(body.joint, [&]<class J>(J) {
        const std::vector<double> from(all.begin() + body.q.first, all.begin() + body.q.first + body.q.count);
        J::advanced(from.data(), step.data() + body.v.first, all.data() + body.q.first);
      });
    }
    for (const int k : mech.independent.q) q.push_back(all[static_cast<std::size_t>(k)]);
    for (int k = 0; k < mech.independent.nv(); ++k)
      v.push_back(random.number()), vdot.push_back(random.number()), tau.push_back(random.number());
  }
  Numbers q, v, vdot, tau;
};

TEST(NetworkShafts, GiveTheTorquesOfTheFlatForm) {
  int followers = 0, rotors = 0, wrists = 0;
  for (std::uint32_t seed = 1; seed <= models && !HasFailure(); ++seed) {
    const Model model = driven(seed);
    for (const Choice& choice : choices()) {
      SCOPED_TRACE(std::to_string(seed) + ", " + choice.name);
      InverseDynamics flat(model, solver_options(choice));
      const Mechanism& mech = flat.mechanism();
      followers += mech.nv - mech.independent.nv(), wrists += !mech.couplings.empty();
      for (const RotorElement& rotor : mech.rotors) rotors += rotor.is_turning();
      const SolverState state(mech, seed);
      flat.update({.q = state.q, .v = state.v, .vdot = state.vdot});
      const VectorView expected = flat.compute();
      for (const auto& [representation, name] : representations()) {
        network::Network network(model, options_of(choice, representation));
        ASSERT_EQ(network.layout().q, mech.independent.q_names);
        ASSERT_EQ(network.layout().v, mech.independent.v_names);
        Numbers tau(expected.size());
        network.inverse_dynamics(state.q, state.v, state.vdot, tau);
        EXPECT_LT(distance(tau, Numbers(expected.begin(), expected.end())), rounding) << name;
      }
    }
  }
  EXPECT_GT(followers, 500);
  EXPECT_GT(rotors, 2000);
  EXPECT_GT(wrists, 200);
}

TEST(NetworkShafts, GiveTheAccelerationsOfTheFlatForm) {
  for (std::uint32_t seed = 1; seed <= models / 4 && !HasFailure(); ++seed) {
    const Model model = driven(seed);
    for (const Choice& choice : choices()) {
      SCOPED_TRACE(std::to_string(seed) + ", " + choice.name);
      ForwardDynamics flat(model, solver_options(choice));
      MassMatrix mass(model, solver_options(choice));
      const SolverState state(flat.mechanism(), seed);
      flat.update({.q = state.q, .v = state.v, .tau = state.tau});
      const VectorView expected = flat.compute();
      mass.update({.q = state.q});
      const MatrixView M = mass.compute();
      const auto n = static_cast<Eigen::Index>(expected.size());
      const Eigen::VectorXd values =
          Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::Map<const Eigen::MatrixXd>(M.data(), n, n))
              .eigenvalues();
      network::Network network(model, options_of(choice, Representation::body));
      Numbers vdot(expected.size());
      network.forward_dynamics(state.q, state.v, state.tau, vdot);
      EXPECT_LT(distance(vdot, Numbers(expected.begin(), expected.end())),
                1e-14 * values.maxCoeff() / values.minCoeff());
      // The forces at ports are those of this acceleration.
      Numbers tau(expected.size());
      network.inverse_dynamics(state.q, state.v, vdot, tau);
      EXPECT_LT(distance(tau, state.tau), 1e-8);  // the mass matrix is solved, with its condition
    }
  }
}

/// Two disks on shafts, and a spring between them: J₁·θ̈₁ = −k·(θ₁ − θ₂), and back.
TEST(NetworkShafts, TurnAgainstASpringBetweenThem) {
  Model model("disks");
  model.add("first", Rotor{.inertia = 2}).add("second", Rotor{.inertia = 3});
  model.add("spring", Spring{.form = Form::torsional, .stiffness = 5, .rest = 0.1}, at("first", "shaft"),
            at("second", "shaft"));
  network::Network network(model, {.passive = true});
  ASSERT_EQ(network.nv(), 2);
  Numbers vdot(2);
  network.forward_dynamics(Numbers{0.7, 0.2}, Numbers{0, 0}, Numbers{0, 0}, vdot);
  EXPECT_NEAR(vdot[0], -5 * 0.4 / 2, 1e-15);
  EXPECT_NEAR(vdot[1], 5 * 0.4 / 3, 1e-15);
}

/// One input and two outputs: in = out₁ + out₂. The motor's torque is that of either output.
TEST(NetworkShafts, PassTheTorqueOfADifferential) {
  Model model("differential");
  const RigidBody wheel{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 2)};
  model.add("left", wheel).add("right", wheel).add("cage", wheel);
  model.add("l", Joint{}, "world", "left").add("r", Joint{}, "world", "right").add("c", Joint{}, "world", "cage");
  model.add("gear", Gear{.ratio = {{0.5, 0.5}}});
  model.connect({{"gear", "in1"}, {"c", "shaft"}})
      .connect({{"gear", "out1"}, {"l", "shaft"}})
      .connect({{"gear", "out2"}, {"r", "shaft"}});
  network::Network network(model);
  ASSERT_EQ(network.layout().v, (std::vector<std::string>{"l", "r"}));
  Numbers tau(2);
  network.inverse_dynamics(Numbers{0, 0}, Numbers{0, 0}, Numbers{1, 3}, tau);
  // The cage turns with (1 + 3)/2, and each output bears half of what it needs.
  EXPECT_NEAR(tau[0], 2 * 1 + 0.5 * 2 * 2, 1e-14);
  EXPECT_NEAR(tau[1], 2 * 3 + 0.5 * 2 * 2, 1e-14);
}

TEST(NetworkShafts, ThatOnlySeveralGearsDetermineAreRefused) {
  Model model("tangled");
  const RigidBody wheel{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 2)};
  for (const char* k : {"1", "2", "3"}) {
    model.add(std::string("w") + k, wheel);
    model.add(std::string("j") + k, Joint{}, "world", std::string("w") + k);
  }
  // 0 = j1 + j2 + j3 twice, with different ratios: j1 and j2 follow j3 together.
  for (const auto& [name, ratio] : {std::pair{"g", Rows{{1, 2}}}, std::pair{"h", Rows{{3, -1}}}}) {
    model.add(name, Gear{.ratio = ratio});
    model.connect({{name, "in1"}, {"j1", "shaft"}})
        .connect({{name, "out1"}, {"j2", "shaft"}})
        .connect({{name, "out2"}, {"j3", "shaft"}});
  }
  EXPECT_EQ(
      error_of([&] { network::Network network(model); }),
      "joint \"j1\" follows from several gears together, and from none of them alone. The network passes turns from "
      "gear to gear only; combine these gears into one with a ratio matrix, or use the flat form.  [network-shaft]");
}

TEST(NetworkShafts, OfAGearWithTooManyAreRefused) {
  Model model("comb");
  const Rows ratio(1, std::vector<double>(17, 1.0));
  model.add("gear", Gear{.ratio = ratio});
  for (int k = 0; k <= 17; ++k) {
    const std::string body = "b" + std::to_string(k), joint = "j" + std::to_string(k);
    model.add(body, RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
    model.add(joint, Joint{}, "world", body);
    model.connect({{"gear", k == 0 ? "in1" : "out" + std::to_string(k)}, {joint, "shaft"}});
  }
  EXPECT_EQ(error_of([&] { network::Network network(model); }),
            "gear \"gear\" has more than 16 shafts on one side, and the network takes no more. Use the flat form.  "
            "[network-no-implementation]");
}

/// A rotor without inertia has no acceleration; nothing is thrown.
TEST(NetworkShafts, WithoutInertiaHaveNoAcceleration) {
  Model model("light");
  model.add("first", Rotor{.inertia = 2}).add("second", Rotor{.inertia = 0});
  network::Network network(model, {.drives = Drives::rigid});
  Numbers vdot(2);
  network.forward_dynamics(Numbers{0, 0}, Numbers{0, 0}, Numbers{1, 1}, vdot);
  EXPECT_TRUE(std::isnan(vdot[1]));
}

/// The axis of a drive is that of its joint where nothing else is said, also beside an entity of the user's own.
TEST(NetworkShafts, OfDrivesBesideOwnEntitiesHaveTheAxesOfTheirJoints) {
  Model model("arm");
  const RigidBody link{.mass = 2, .com = {0.3, 0.1, 0}, .inertia = SymMat3<double>::diagonal(0.5, 0.6, 0.7)};
  model.add("upper", link).add("fore", link);
  model.add("shoulder", Joint{.axis = x_axis}, "world", "upper").add("elbow", Joint{.axis = y_axis}, "upper", "fore");
  model.add("motor", Drive{.rotor_inertia = 0.01, .gear = 20}, "elbow", "upper");
  const Numbers q{0.3, 0.4}, v{1, 2}, vdot{3, -1};
  const auto torques = [&] {
    network::Network network(model, {.drives = Drives::rigid});
    Numbers tau(2);
    network.inverse_dynamics(q, v, vdot, tau);
    return tau;
  };
  const Numbers expected = torques();
  Custom flag;
  flag.type = "flag";
  flag.custom_ports = {{"on"}};
  flag.implementation = std::make_shared<network::Bystander>();
  model.add("flag", flag, "fore");
  EXPECT_LT(distance(torques(), expected), 1e-15);
}

}  // namespace
}  // namespace articula::test
