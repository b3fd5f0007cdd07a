#include <articula/mechanism/state.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/findings.h"

namespace articula::test {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

/// A floating base with a hinge and a ball on it.
Mechanism walker() {
  Mechanism mech;
  mech.name = "walker";
  mech.bodies.resize(4);
  mech.bodies[1] = {.parent = 0, .joint = JointKind::free, .q = {0, 7}, .v = {0, 6}};
  mech.bodies[2] = {.parent = 1, .joint = JointKind::revolute, .q = {7, 1}, .v = {6, 1}};
  mech.bodies[3] = {.parent = 1, .joint = JointKind::spherical, .q = {8, 4}, .v = {7, 3}};
  mech.layout.q = {"base.x",  "base.y", "base.z", "base.qx", "base.qy", "base.qz",
                   "base.qw", "knee",   "hip.qx", "hip.qy",  "hip.qz",  "hip.qw"};
  mech.layout.v = {"base.vx", "base.vy", "base.vz", "base.wx", "base.wy",
                   "base.wz", "knee",    "hip.wx",  "hip.wy",  "hip.wz"};
  mech.layout.blocks = {{StateKind::position, "base", {0, 7}}, {StateKind::velocity, "base", {0, 6}},
                        {StateKind::position, "knee", {7, 1}}, {StateKind::velocity, "knee", {6, 1}},
                        {StateKind::position, "hip", {8, 4}},  {StateKind::velocity, "hip", {7, 3}},
                        {StateKind::motor, "drive", {0, 1}}};
  mech.nq = 12, mech.nv = 10;
  mech.frames = {{{"world", ""}, 0}, {{"trunk", ""}, 1}, {{"trunk", "head"}, 1}};
  return mech;
}

std::vector<double> good_q() { return {1, 2, 3, 0, 0.6, 0, 0.8, 0.5, 0, 0, 0, 1}; }
std::vector<double> good_v() { return std::vector<double>(10, 0.1); }

TEST(State, IsAcceptedWhenItFits) {
  EXPECT_EQ(error_of([] { check_state(walker(), good_q(), good_v()); }), "no error");
  EXPECT_EQ(error_of([] { check_state(Mechanism{}, {}, {}); }), "no error") << "World alone has no state";
}

TEST(State, OfTheWrongSizeIsRefusedWithItsNames) {
  auto q = good_q();
  q.pop_back();
  EXPECT_EQ(error_of([&] { check_state(walker(), q, good_v()); }),
            "q has 11 entries, but this mechanism has 12: base.x, base.y, base.z, base.qx, base.qy, base.qz, base.qw, "
            "knee, hip.qx, hip.qy, hip.qz, hip.qw.  [state-size]");
  EXPECT_EQ(error_of([&] { check_state(walker(), good_q(), {}); }),
            "v has 0 entries, but this mechanism has 10: base.vx, base.vy, base.vz, base.wx, base.wy, base.wz, knee, "
            "hip.wx, hip.wy, hip.wz.  [state-size]");
}

TEST(State, ThatIsNotFiniteIsRefusedByName) {
  auto q = good_q();
  q[7] = nan;
  EXPECT_EQ(error_of([&] { check_state(walker(), q, good_v()); }),
            "q[7], \"knee\", is nan. Only finite numbers are allowed.  [state-not-finite]");
  auto v = good_v();
  v[0] = -inf;
  EXPECT_EQ(error_of([&] { check_state(walker(), good_q(), v); }),
            "v[0], \"base.vx\", is -inf. Only finite numbers are allowed.  [state-not-finite]");
}

TEST(State, NeedsUnitQuaternions) {
  auto q = good_q();
  q[6] = 0.9;
  EXPECT_EQ(
      error_of([&] { check_state(walker(), q, good_v()); }),
      "the quaternion \"base.qx\" to \"base.qw\" has length 1.0816653826391969. It must be 1 within 1e-6; divide it "
      "by its length.  [quaternion-not-unit]");
  q = good_q();
  q[11] = 0;
  EXPECT_EQ(error_of([&] { check_state(walker(), q, good_v()); }),
            "the quaternion \"hip.qx\" to \"hip.qw\" has length 0. It must be 1 within 1e-6; divide it by its length.  "
            "[quaternion-not-unit]");
}

TEST(State, QuaternionsMayBeOffByAMillionth) {
  auto q = good_q();
  q[11] = 1 + 0.9e-6;
  EXPECT_EQ(error_of([&] { check_state(walker(), q, good_v()); }), "no error");
  q[11] = 1 + 1.1e-6;
  EXPECT_NE(error_of([&] { check_state(walker(), q, good_v()); }), "no error");
  q[11] = -1;
  EXPECT_EQ(error_of([&] { check_state(walker(), q, good_v()); }), "no error") << "the other one of the same turn";
}

TEST(Tangents, AreCheckedUnderTheirOwnName) {
  EXPECT_EQ(error_of([] { check_tangent(walker(), "tau", good_v()); }), "no error");
  EXPECT_EQ(error_of([] { check_tangent(walker(), "tau", std::vector<double>{1}); }),
            "tau has 1 entry, but this mechanism has 10: base.vx, base.vy, base.vz, base.wx, base.wy, base.wz, knee, "
            "hip.wx, hip.wy, hip.wz.  [state-size]");
  auto vdot = good_v();
  vdot[9] = inf;
  EXPECT_EQ(error_of([&] { check_tangent(walker(), "vdot", vdot); }),
            "vdot[9], \"hip.wz\", is inf. Only finite numbers are allowed.  [state-not-finite]");
}

TEST(State, NeutralIsThatOfEveryJoint) {
  EXPECT_THAT(neutral_configuration(walker()), ElementsAre(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1));
  EXPECT_EQ(error_of([] { check_state(walker(), neutral_configuration(walker()), good_v()); }), "no error");
}

TEST(StateLayout, CountsTheStatesOfAKind) {
  const StateLayout layout = walker().layout;
  EXPECT_EQ(layout.count(StateKind::position), 12);
  EXPECT_EQ(layout.count(StateKind::velocity), 10);
  EXPECT_EQ(layout.count(StateKind::motor), 1);
  EXPECT_EQ(layout.count(StateKind::modal), 0);
}

TEST(StateMap, FindsOldNamesInTheNewLayout) {
  StateLayout from, to;
  from.q = {"a", "b.x", "b.y", "gone"};
  from.v = {"a", "b.vx", "b.vy", "gone"};
  to.q = {"b.x", "b.y", "new", "a"};
  to.v = {"b.vx", "b.vy", "new", "a"};
  const StateMap map = map_state(from, to);
  EXPECT_THAT(map.q, ElementsAre(3, 0, 1, -1));
  EXPECT_THAT(map.v, ElementsAre(3, 0, 1, -1));
  EXPECT_THAT(map_state(to, to).q, ElementsAre(0, 1, 2, 3)) << "nothing changed";
  EXPECT_THAT(map_state({}, to).q, IsEmpty());
}

TEST(Mechanism, FindsFramesByName) {
  const Mechanism mech = walker();
  EXPECT_EQ(mech.frame({"trunk", "head"}), 2);
  EXPECT_EQ(mech.frame({"world", ""}), 0);
  EXPECT_EQ(
      error_of([&] {
        mech.frame({"trunk", "haed"});
      }),
      "frame \"trunk.haed\" not found in \"walker\". Did you mean \"trunk.head\"? Frames: world, trunk, trunk.head.  "
      "[no-such-frame]");
}

TEST(Provenance, FindsEntitiesByKindAndName) {
  Provenance provenance;
  provenance.entities = {{"a", "body", Provenance::Place::body, 1}, {"a", "joint", Provenance::Place::joint, 2}};
  EXPECT_EQ(provenance.find("joint", "a")->index, 2);
  EXPECT_EQ(provenance.find("body", "a")->index, 1);
  EXPECT_EQ(provenance.find("body", "b"), nullptr);
}

TEST(Range, CountsItsPlaces) {
  std::vector<int> places;
  for (const int k : Range{3, 4}) places.push_back(k);
  EXPECT_THAT(places, ElementsAre(3, 4, 5, 6));
  for (const int k : Range{3, 0}) ADD_FAILURE() << k;
}

}  // namespace
}  // namespace articula::test
