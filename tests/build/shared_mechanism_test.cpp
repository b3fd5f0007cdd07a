#include <articula/build/shared_mechanism.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include <articula/build/builder_counts.h>

#include "samples.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

std::uint64_t lowerings_of(const auto& act) {
  const std::uint64_t before = builder_counts().lowerings;
  act();
  return builder_counts().lowerings - before;
}

TEST(SharedMechanism, RefreshesTheNumbersOfTheSameStructure) {
  Model model = pendulum();
  const SharedMechanism light(model);
  model.at<RigidBody>("bob").mass = 3;
  EXPECT_EQ(lowerings_of([&] {
              const SharedMechanism heavy = light.of(model);
              EXPECT_EQ(&heavy.mechanism(), &light.mechanism());
              EXPECT_EQ(heavy.parameters().M_B[1].m, 3);
            }),
            0u);
  EXPECT_EQ(light.parameters().M_B[1].m, 1);
}

TEST(SharedMechanism, BuildsAnotherStructureOnceAndKnowsBothThen) {
  Model model = pendulum();
  const SharedMechanism turns(model);
  Model other = model;
  other.at<Joint>("hinge").kind = JointKind::prismatic;
  EXPECT_EQ(lowerings_of([&] {
              const SharedMechanism slides = turns.of(other);
              EXPECT_EQ(slides.mechanism().bodies[1].joint, JointKind::prismatic);
              EXPECT_EQ(&slides.of(model).mechanism(), &turns.mechanism());
              EXPECT_EQ(&turns.of(other).mechanism(), &slides.mechanism());
            }),
            1u);
}

TEST(SharedMechanism, HasTheFormsOfABuildWhereAnAxisBecomesACoordinateAxis) {
  Model model = pendulum();
  model.at<Joint>("hinge").axis = Direction{{1, 1, 0}};
  const SharedMechanism oblique(model);
  model.at<Joint>("hinge").axis = y_axis;
  EXPECT_EQ(oblique.mechanism().bodies[1].axis, AxisForm::general);
  EXPECT_EQ(oblique.of(model).mechanism().bodies[1].axis, build_mechanism(model).mechanism.bodies[1].axis);
  EXPECT_EQ(oblique.of(model).mechanism().bodies[1].axis, AxisForm::turn_y);
}

TEST(SharedMechanism, IsRefreshedByManyThreads) {
  const Model model = pendulum();
  const SharedMechanism shared(model);
  std::vector<std::string> wrong(4);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < wrong.size(); ++k) {
    threads.emplace_back([&, k] {
      Model own = model;
      for (int round = 1; round <= 100; ++round) {
        const double mass = static_cast<double>(k) + round;
        own.at<RigidBody>("bob").mass = mass;
        own.at<Joint>("hinge").kind = round % 2 == 0 ? JointKind::prismatic : JointKind::revolute;
        const SharedMechanism mine = shared.of(own);
        const bool slides = mine.mechanism().bodies[1].joint == JointKind::prismatic;
        if (mine.parameters().M_B[1].m != mass || slides != (round % 2 == 0)) wrong[k] = std::to_string(round);
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_THAT(wrong, testing::Each(""));
}

TEST(SharedMechanism, ThrowsWhatBuildThrows) {
  Model model = pendulum();
  const SharedMechanism good(model);
  model.at<RigidBody>("bob").mass = -1;
  std::string expected, found;
  try {
    build_mechanism(model);
  } catch (const Error& error) {
    expected = error.what();
  }
  try {
    good.of(model);
  } catch (const Error& error) {
    found = error.what();
  }
  EXPECT_THAT(found, HasSubstr("mass"));
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace articula::test
