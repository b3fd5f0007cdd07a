/// Random trees against Simbody: inverse and forward dynamics, mass matrix, Jacobians.

#include <gtest/gtest.h>

#include "peers/compare.h"
#include "peers/simbody_peer.h"

namespace articula::test {
namespace {

const std::vector<JointKind> all_kinds(all_joint_kinds.begin(), all_joint_kinds.end());

TEST(Simbody, AgreesOnEveryJointKindByItself) {
  Coverage coverage;
  for (const JointKind kind : all_kinds) {
    if (kind == JointKind::fixed) continue;
    SCOPED_TRACE(traits(kind).name);
    compare_with_peer(1, 30, {.kinds = {kind}, .most_bodies = 6, .floating = 0}, make_simbody_peer, coverage);
  }
  coverage.print("Simbody, one kind at a time");
}

TEST(Simbody, AgreesOnTreesOfAllKinds) {
  Coverage coverage;
  compare_with_peer(1001, 300, {.kinds = all_kinds}, make_simbody_peer, coverage);
  coverage.print("Simbody");
  EXPECT_EQ(coverage.joints.size(), all_kinds.size());
}

TEST(Simbody, AgreesOnRobotsWithFloatingBases) {
  Coverage coverage;
  compare_with_peer(3001, 100, {.kinds = {JointKind::revolute}, .most_bodies = 30, .floating = 1}, make_simbody_peer,
                    coverage);
  coverage.print("Simbody, floating bases");
}

}  // namespace
}  // namespace articula::test
