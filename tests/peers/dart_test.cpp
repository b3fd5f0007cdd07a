/// Random trees against DART: inverse and forward dynamics, mass matrix, Jacobians.

#include <gtest/gtest.h>

#include "peers/compare.h"
#include "peers/dart_peer.h"

namespace articula::test {
namespace {

std::vector<JointKind> kinds_of_dart() {
  std::vector<JointKind> kinds;
  for (const JointKind kind : all_joint_kinds) {
    if (kind != JointKind::cylindrical) kinds.push_back(kind);
  }
  return kinds;
}

TEST(Dart, AgreesOnEveryJointKindByItself) {
  Coverage coverage;
  for (const JointKind kind : kinds_of_dart()) {
    if (kind == JointKind::fixed) continue;
    SCOPED_TRACE(traits(kind).name);
    compare_with_peer(1, 30, {.kinds = {kind}, .most_bodies = 6, .floating = 0}, make_dart_peer, coverage);
  }
  coverage.print("DART, one kind at a time");
}

TEST(Dart, AgreesOnTreesOfAllKinds) {
  Coverage coverage;
  compare_with_peer(1001, 300, {.kinds = kinds_of_dart()}, make_dart_peer, coverage);
  coverage.print("DART");
  EXPECT_EQ(coverage.joints.size(), kinds_of_dart().size());
}

TEST(Dart, AgreesOnRobotsWithFloatingBases) {
  Coverage coverage;
  compare_with_peer(3001, 100, {.kinds = {JointKind::revolute}, .most_bodies = 30, .floating = 1}, make_dart_peer,
                    coverage);
  coverage.print("DART, floating bases");
}

}  // namespace
}  // namespace articula::test
