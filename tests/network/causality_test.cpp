/// Direction is derived, not written: what is reached how, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/network/network.h>

#include "network/flat.h"
#include "support/findings.h"

namespace articula::test {
namespace {

using network::PortRole;

Model two_links() {
  Model model("arm");
  RigidBody link;
  link.mass = 1;
  link.inertia = SymMat3<double>::identity();
  model.add("upper", link);
  model.add("fore", link);
  model.add("shoulder", Joint{}, "world", "upper");
  return model;
}

PortRole role(const network::Network& network, const PortRef& port) {
  return network.structure().causality.role[static_cast<std::size_t>(network.structure().port(port))];
}

TEST(Causality, FollowsTheWayFromWorld) {
  for (const bool written_backwards : {false, true}) {
    Model model = two_links();
    const Attachment upper = at("upper", Place{{0, 0, 0.5}, {}}), fore("fore");
    model.add("elbow", Joint{}, written_backwards ? fore : upper, written_backwards ? upper : fore);
    const network::Network network(model);
    EXPECT_EQ(role(network, {"world", ""}), PortRole::out);
    EXPECT_EQ(role(network, {"shoulder", "from"}), PortRole::in);
    EXPECT_EQ(role(network, {"upper", ""}), PortRole::in);
    EXPECT_EQ(role(network, {"elbow", written_backwards ? "to" : "from"}), PortRole::in);
    EXPECT_EQ(role(network, {"elbow", written_backwards ? "from" : "to"}), PortRole::out);
    EXPECT_EQ(role(network, {"fore", ""}), PortRole::in);
  }
}

/// Every inport is fed by exactly one outport of the same connection, and entities come after those that feed them.
TEST(Causality, IsAnOrderInWhichEveryMessageArrivesInTime) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    RandomModelOptions options;
    options.elements = 5;
    const network::Network network(random_model(seed, options));
    const network::Causality& causality = network.structure().causality;
    std::vector<int> place(causality.root.size(), -1);
    for (std::size_t k = 0; k < causality.order.size(); ++k)
      place[static_cast<std::size_t>(causality.order[k])] = static_cast<int>(k);
    const auto place_of = [&](int port) {
      return place[static_cast<std::size_t>(causality.owner[static_cast<std::size_t>(port)])];
    };
    for (int p = 0; p < static_cast<int>(causality.role.size()); ++p) {
      const int source = causality.source[static_cast<std::size_t>(p)];
      EXPECT_EQ(causality.role[static_cast<std::size_t>(p)] == PortRole::in, source >= 0) << "seed " << seed;
      if (source < 0) continue;
      EXPECT_EQ(causality.role[static_cast<std::size_t>(source)], PortRole::out) << "seed " << seed;
      EXPECT_LT(place_of(source), place_of(p)) << "seed " << seed;
      EXPECT_THAT(causality.fed_by(source), testing::Contains(p)) << "seed " << seed;
    }
  }
}

TEST(Causality, LeavesOneWayAroundARigidCycle) {
  Model model = two_links();
  model.add("bolt", Joint{.kind = JointKind::fixed}, at("upper", {.xyz = {1, 0, 0}}), "fore");
  model.add("strut", Displacement{{{}, {1, 0, 0}}}, "upper", "fore");
  network::Network network(model);
  const std::vector<PortRole> ends{role(network, {"bolt", "to"}), role(network, {"strut", "to"})};
  EXPECT_THAT(ends, testing::UnorderedElementsAre(PortRole::out, PortRole::cut));
  Numbers tau(1), vdot(1);
  network.inverse_dynamics(Numbers{0}, Numbers{0}, Numbers{1}, tau);
  EXPECT_DOUBLE_EQ(tau[0], 1 + (1 + 1));  // each about itself, and one at a distance of 1
  network.forward_dynamics(Numbers{0}, Numbers{0}, tau, vdot);
  EXPECT_DOUBLE_EQ(vdot[0], 1);
}

TEST(Causality, RefusesALoopAndNamesItsJoints) {
  Model model = two_links();
  Joint closing;
  closing.closes_loop = true;
  model.add("elbow", Joint{}, at("upper", {.xyz = {1, 0, 0}}), "fore");
  model.add("slide", closing, at("world", {.xyz = {1, 0, 0}}), "fore");
  EXPECT_EQ(
      error_of([&] { network::Network network(model); }),
      "joint \"slide\" closes a loop with elbow, shoulder. A network passes motions one way and computes trees only; "
      "take it away, or use an algorithm for closed loops.  [network-loop]");
}

TEST(Causality, RefusesALoopThroughAMovingFrame) {
  Model model = two_links();
  Joint closing;
  closing.closes_loop = true;
  ReferenceFrame ship;
  ship.motion = FrameMotion::prescribed;
  model.add("ship", ship);
  model.add("elbow", Joint{}, "upper", "fore");
  model.add("tether", closing, "ship", "fore");
  EXPECT_THAT(error_of([&] { network::Network network(model); }),
              testing::HasSubstr("joint \"tether\" closes a loop with elbow, shoulder, ship."));
}

TEST(Causality, RefusesEveryLoopThatIsDrawn) {
  int refused = 0;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    RandomModelOptions options;
    options.loops = 1;
    const Model model = random_model(seed, options);
    const bool has_loop = !build_mechanism(model).loops.empty();
    const std::string message = error_of([&] { network::Network network(model); });
    EXPECT_EQ(message.find("[network-loop]") != std::string::npos, has_loop) << "seed " << seed << ": " << message;
    refused += has_loop ? 1 : 0;
  }
  EXPECT_GT(refused, 25);
}

TEST(Causality, RefusesWhatItCannotLeaveOut) {
  Model model = two_links();
  model.add("elbow", Joint{}, "upper", "fore");
  model.add("bar", ConnectingRod{.length = 0.5}, "world", "fore");
  EXPECT_EQ(error_of([&] { network::Network network(model); }),
            "connecting_rod \"bar\": the network has no implementation of this kind, and it cannot be left out. Take "
            "it away, "
            "or put an entity of your own in its place.  [network-no-implementation]");
}

TEST(Causality, LeavesWrongModelsToTheChecks) {
  Model model = two_links();
  EXPECT_THAT(error_of([&] { network::Network network(model); }), testing::HasSubstr("[body-unconnected]"));
}

TEST(Causality, StatesHaveTheSizeOfTheMechanism) {
  Model model = two_links();
  model.add("elbow", Joint{}, "upper", "fore");
  network::Network network(model);
  Numbers two(2), three(3);
  EXPECT_EQ(error_of([&] { network.inverse_dynamics(two, two, two, three); }),
            "tau has 3 entries, but this mechanism has 2: shoulder, elbow.  [state-size]");
  EXPECT_EQ(error_of([&] { network.forward_dynamics(three, two, two, two); }),
            "q has 3 entries, but this mechanism has 2: shoulder, elbow.  [state-size]");
  two[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of([&] { network.kinematics(two, two, two); }),
            "vdot[1], \"elbow\", is nan. Only finite numbers are allowed.  [state-not-finite]");
}

}  // namespace
}  // namespace articula::test
