/// The recursion restricted to a subset of ports, against the stacked operators of the thesis written out as matrices.

#include <gtest/gtest.h>

#include <articula/network/network.h>

#include "network/flat.h"
#include "support/findings.h"

namespace articula::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using network::PortRole;

/// Relative where large: products of some dozen 6 × 6 transformations.
constexpr double rounding = 1e-11;

Eigen::Index row(int k) { return 6 * static_cast<Eigen::Index>(k); }

Eigen::Matrix<double, 6, 1> stacked(const Motion<double>& V) {
  Eigen::Matrix<double, 6, 1> x;
  x << V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z;
  return x;
}

/// φ_{out,in}, column by column.
MatrixXd operator_of(const Pose<double>& X_out_in) {
  MatrixXd phi(6, 6);
  for (int k = 0; k < 3; ++k) {
    phi.col(k) = stacked(X_out_in * Motion<double>{Vec3<double>::unit(k), Vec3<double>::zero()});
    phi.col(k + 3) = stacked(X_out_in * Motion<double>{Vec3<double>::zero(), Vec3<double>::unit(k)});
  }
  return phi;
}

/// The stacked operators of a whole network at one state, over all ports that are reached.  [UNI (2.30)-(2.37)]
struct Operators {
  std::vector<PortRef> ports;
  MatrixXd shift;     ///< E↑ = T↑ + C↑
  VectorXd V, delta;  ///< Ô·Δ

  explicit Operators(const network::Network& network) {
    const network::Causality& causality = network.structure().causality;
    std::map<int, int> place;
    for (const auto& [name, port] : network.structure().port_of) {
      if (causality.role[static_cast<std::size_t>(port)] == PortRole::open) continue;
      place[port] = static_cast<int>(ports.size());
      ports.push_back(name);
    }
    const Eigen::Index n = row(static_cast<int>(ports.size()));
    shift = MatrixXd::Zero(n, n);
    V.resize(n);
    for (const auto& [port, k] : place) {
      const PortRef& name = ports[static_cast<std::size_t>(k)];
      V.segment(row(k), 6) = stacked(network.velocity_at(name));
      const int before = causality.inboard(port);
      if (before < 0) continue;
      const PortRef& source = ports[static_cast<std::size_t>(place.at(before))];
      const bool connection = causality.role[static_cast<std::size_t>(port)] == PortRole::in;
      shift.block(row(k), row(place.at(before)), 6, 6) =
          connection ? MatrixXd::Identity(6, 6)
                     : operator_of(inverted(network.pose_at(name)) * network.pose_at(source));
    }
    delta = V - shift * V;
  }
};

std::vector<PortRef> some_of(const std::vector<PortRef>& ports, Random& random) {
  std::vector<PortRef> chosen;
  for (const PortRef& port : ports) {
    if (random.chance(0.15)) chosen.push_back(port);
  }
  if (chosen.empty()) chosen.push_back(ports.front());
  return chosen;
}

TEST(Restriction, IsTheRestrictedOperatorOfTheThesis) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    RandomModelOptions options;
    options.bodies = 5;
    options.elements = 2;
    const Model model = random_model(seed, options);
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    network::Network whole(model);
    whole.kinematics(state.q, state.v, state.vdot);
    const Operators all(whole);
    const Eigen::Index n = all.V.size();
    const MatrixXd Phi = (MatrixXd::Identity(n, n) - all.shift).inverse();  // (2.36)
    ASSERT_LT((Phi * all.delta - all.V).norm(), rounding * (1 + all.V.norm())) << "(2.37), seed " << seed;

    Random random(seed);
    const std::vector<PortRef> chosen = some_of(all.ports, random);
    MatrixXd E = MatrixXd::Zero(n, row(static_cast<int>(chosen.size())));
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const auto place = std::find(all.ports.begin(), all.ports.end(), chosen[k]) - all.ports.begin();
      E.block(row(static_cast<int>(place)), row(static_cast<int>(k)), 6, 6).setIdentity();
    }
    const MatrixXd Phi_E = E.transpose() * Phi * E;  // (2.39)
    const MatrixXd others = MatrixXd::Identity(n, n) - E * E.transpose();
    const VectorXd Delta_E = (E.transpose() + Phi_E.inverse() * E.transpose() * Phi * others) * all.delta;  // (2.40)
    const VectorXd V_E = Phi_E * Delta_E;                                                                   // (2.38)

    network::Restriction restricted = whole.restricted_to(chosen);
    restricted.kinematics(state.q, state.v, state.vdot);
    ASSERT_EQ(restricted.size(), static_cast<int>(chosen.size()));
    for (int k = 0; k < restricted.size(); ++k) {
      const double size = 1 + V_E.norm();
      EXPECT_LT((stacked(restricted.velocity(k)) - V_E.segment(row(k), 6)).norm(), rounding * size) << "seed " << seed;
      EXPECT_LT((stacked(restricted.delta(k)) - Delta_E.segment(row(k), 6)).norm(), rounding * size) << "seed " << seed;
      // Φ|E leads to port k from those inboard of it, and from no others.
      for (int j = 0; j < restricted.size(); ++j) {
        bool inboard = false;
        for (int i = k; i >= 0 && !inboard; i = restricted.before(i)) inboard = i == j;
        EXPECT_EQ(Phi_E.block(row(k), row(j), 6, 6).norm() > 0.1, inboard) << "seed " << seed;
      }
    }
  }
}

TEST(Restriction, GivesTheSameMotionsInEveryRepresentation) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const Model model = random_model(seed);
    const Built built = build_mechanism(model);
    const RandomState state(model, built, seed);
    Random random(seed);
    for (const auto& [representation, name] : representations()) {
      network::Network whole(model, in(representation));
      whole.kinematics(state.q, state.v, state.vdot);
      const std::vector<PortRef> chosen = some_of(Operators(whole).ports, random);
      network::Restriction restricted = whole.restricted_to(chosen);
      restricted.kinematics(state.q, state.v, state.vdot);
      for (int k = 0; k < restricted.size(); ++k) {
        const PortRef& port = chosen[static_cast<std::size_t>(k)];
        EXPECT_EQ(restricted.pose(k), whole.pose_at(port)) << "seed " << seed << ", " << name;
        EXPECT_EQ(restricted.velocity(k), whole.velocity_at(port)) << "seed " << seed << ", " << name;
        EXPECT_EQ(restricted.acceleration(k), whole.acceleration_at(port)) << "seed " << seed << ", " << name;
      }
    }
  }
}

/// Two arms on a torso: the hand of one needs nothing of the other, and its own bodies only as far as they carry.
TEST(Restriction, ComputesOnlyWhatIsOnTheWay) {
  Model model("torso");
  RigidBody body;
  body.mass = 1;
  body.inertia = SymMat3<double>::identity();
  model.add("torso", body);
  model.add("waist", Joint{}, "world", "torso");
  for (const std::string side : {"left", "right"}) {
    model.add(side + "_upper", body).add(side + "_hand", body);
    model.add(side + "_shoulder", Joint{}, at("torso", {.xyz = {1, 0, 0}}), side + "_upper");
    model.add(side + "_wrist", Joint{}, at(side + "_upper", {.xyz = {1, 0, 0}}), side + "_hand");
  }
  const network::Network whole(model);
  // World, waist, torso, shoulder, upper arm, wrist; the hand's own frame is that of the wrist.
  EXPECT_EQ(whole.restricted_to({{"left_hand", ""}}).entities(), 6);
  EXPECT_EQ(whole.restricted_to({{"waist", "from"}}).entities(), 1);
  const network::Restriction both = whole.restricted_to({{"right_hand", ""}, {"torso", ""}, {"left_wrist", "to"}});
  EXPECT_EQ(both.entities(), 9);
  EXPECT_EQ(both.before(0), 1);
  EXPECT_EQ(both.before(1), -1);
  EXPECT_EQ(both.before(2), 1);
}

TEST(Restriction, NamesPortsThatAreNotThere) {
  Model model("empty");
  const network::Network whole(model);
  EXPECT_EQ(error_of([&] {
              (void)whole.restricted_to({{"hand", ""}});
            }),
            "port \"hand\" not found. Ports: world.  [no-such-port]");
}

}  // namespace
}  // namespace articula::test
