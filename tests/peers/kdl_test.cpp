/// Random trees against Orocos KDL: inverse and forward dynamics, mass matrix, Jacobians.

#include <gtest/gtest.h>

#ifdef ARTICULA_HAS_KDL

#include "peers/compare.h"
#include "peers/kdl_peer.h"

namespace articula::test {
namespace {

const std::vector<JointKind> all_kinds(all_joint_kinds.begin(), all_joint_kinds.end());

TEST(Kdl, AgreesOnArms) {
  Coverage coverage;
  compare_with_peer(1, 200, {.kinds = {JointKind::revolute, JointKind::prismatic}, .chain = true, .floating = 0},
                    make_kdl_peer, coverage);
  coverage.print("KDL, arms");
}

TEST(Kdl, AgreesOnChainsOfAllKinds) {
  Coverage coverage;
  compare_with_peer(1001, 200, {.kinds = all_kinds, .most_bodies = 6, .chain = true}, make_kdl_peer, coverage);
  coverage.print("KDL, chains");
}

TEST(Kdl, AgreesOnTreesOfAllKinds) {
  Coverage coverage;
  compare_with_peer(2001, 200, {.kinds = all_kinds}, make_kdl_peer, coverage);
  coverage.print("KDL, trees");
  EXPECT_EQ(coverage.joints.size(), all_joint_kinds.size());
}

}  // namespace
}  // namespace articula::test

#else

TEST(Kdl, IsMissing) { GTEST_SKIP() << "built without Orocos KDL: install liborocos-kdl-dev and configure again"; }

#endif
