#include <articula/mechanism/frame_index.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>
#include <articula/build/build.h>
#include <articula/solve/forward_kinematics.h>

#include "support/names.h"

namespace articula::test {
namespace {

Model chain(int count) {
  Model model("chain");
  for (int k = 0; k < count; ++k) {
    const std::string name = concat("b", k);
    model.add(name, RigidBody{.mass = 1, .inertia = SymMat3<double>::identity(), .frames = {{"tip", {}}}});
    model.add(concat("j", k), Joint{}, k == 0 ? std::string("world") : concat("b", k - 1), name);
  }
  return model;
}

TEST(FrameIndex, FindsWhatTheMechanismFinds) {
  const Mechanism mech = build_mechanism(chain(20)).mechanism;
  const FrameIndex index(mech);
  for (std::size_t k = 0; k < mech.frames.size(); ++k)
    EXPECT_EQ(index.at(mech.frames[k].name), mech.frame(mech.frames[k].name));
  try {
    index.at({"b3", "tipp"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "no-such-frame");
    EXPECT_THAT(error.message(),
                testing::HasSubstr("frame \"b3.tipp\" not found in \"chain\". Did you mean \"b3.tip\"?"));
  }
}

TEST(FrameIndex, SolversOfLongChainsAreMadeInLinearTime) {
  // By looking through all frames for each, 10⁹ comparisons.
  const ForwardKinematics solver(chain(30'000));
  EXPECT_EQ(solver.frames().size(), 30'000u);
}

}  // namespace
}  // namespace articula::test
