/// Random trees against MuJoCo: inverse and forward dynamics, mass matrix, Jacobians.

#include <gtest/gtest.h>

#ifdef ARTICULA_HAS_MUJOCO

#include "peers/compare.h"
#include "peers/mujoco_peer.h"

namespace articula::test {
namespace {

TEST(Mujoco, AgreesOnEveryJointKindByItself) {
  Coverage coverage;
  for (const JointKind kind : all_joint_kinds) {
    if (kind == JointKind::fixed) continue;
    SCOPED_TRACE(traits(kind).name);
    compare_with_peer(1, 30, {.kinds = {kind}, .most_bodies = 6, .floating = 0}, make_mujoco_peer, coverage);
  }
  coverage.print("MuJoCo, one kind at a time");
}

TEST(Mujoco, AgreesOnTreesOfAllKinds) {
  Coverage coverage;
  // Without screws, whose forward dynamics it does not have.
  std::vector<JointKind> kinds;
  for (const JointKind kind : all_joint_kinds) {
    if (kind != JointKind::helical) kinds.push_back(kind);
  }
  compare_with_peer(1001, 400, {.kinds = kinds}, make_mujoco_peer, coverage);
  kinds.push_back(JointKind::helical);
  compare_with_peer(2001, 200, {.kinds = kinds}, make_mujoco_peer, coverage);
  coverage.print("MuJoCo");
  EXPECT_EQ(coverage.joints.size(), all_joint_kinds.size());
}

TEST(Mujoco, AgreesOnRobotsWithFloatingBases) {
  Coverage coverage;
  compare_with_peer(3001, 100, {.kinds = {JointKind::revolute}, .most_bodies = 30, .floating = 1}, make_mujoco_peer,
                    coverage);
  coverage.print("MuJoCo, floating bases");
}

}  // namespace
}  // namespace articula::test

#else

TEST(Mujoco, IsMissing) { GTEST_SKIP() << "built without MuJoCo: install libmujoco-dev and configure again"; }

#endif
