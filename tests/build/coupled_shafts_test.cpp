#include <articula/build/coupled_shafts.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>

#include "samples.h"
#include "support/random_model.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Place = Provenance::Place;

/// Five hinges on World, j0 … j4.
Model fan() {
  Model model;
  for (int k = 0; k < 5; ++k) {
    model.add(concat("b", k), body()).add(concat("j", k), Joint{}, "world", concat("b", k));
  }
  return model;
}

TEST(Clusters, AMimicFollowsItsMaster) {
  Model model = fan();
  model.add("mimic", Gear{.ratio = {{2}}, .offset = {0.1}}, "j3", "j1");  // q3 = 2·q1 + 0.1
  const Built built = build_mechanism(model);
  const auto& [mech, par] = std::tie(built.mechanism, built.parameters);
  ASSERT_THAT(mech.couplings, SizeIs(1));
  EXPECT_THAT(mech.couplings[0].dofs, ElementsAre(3, 1));
  EXPECT_THAT(par.couplings[0].factors, ElementsAre(1, -2));
  EXPECT_EQ(par.couplings[0].offset, 0.1);
  ASSERT_THAT(mech.clusters, SizeIs(1));
  EXPECT_EQ(mech.clusters[0].closure, Cluster::Closure::linear);
  EXPECT_THAT(mech.clusters[0].dofs, ElementsAre(1, 3));
  EXPECT_THAT(mech.clusters[0].independent, ElementsAre(1));
  EXPECT_EQ(mech.clusters[0].rows, (Range{0, 1}));
  EXPECT_EQ(entry(built, "gear", "mimic").place, Place::coupling);
}

TEST(Clusters, AChainOfMimicsIsOne) {
  Model model = fan();
  model.add("g1", Gear{}, "j2", "j1").add("g2", Gear{}, "j3", "j2").add("g3", Gear{}, "j0", "j4");
  const Built built = build_mechanism(model);
  const Mechanism& mech = built.mechanism;
  ASSERT_THAT(mech.clusters, SizeIs(2));
  for (const Cluster& cluster : mech.clusters) {
    const bool chain = cluster.dofs.size() == 3;
    EXPECT_THAT(cluster.dofs, chain ? testing::Matcher<std::vector<int>>(ElementsAre(1, 2, 3)) : ElementsAre(0, 4));
    EXPECT_THAT(cluster.independent, chain ? testing::Matcher<std::vector<int>>(ElementsAre(1)) : ElementsAre(4));
    // Its relations stand together, and are its own.
    for (const int row : cluster.rows) {
      for (const int dof : mech.couplings.at(static_cast<std::size_t>(row)).dofs) {
        EXPECT_THAT(cluster.dofs, testing::Contains(dof));
      }
    }
    EXPECT_EQ(cluster.rows.count, chain ? 2 : 1);
  }
  for (const char* name : {"g1", "g2", "g3"}) {
    const int row = entry(built, "gear", name).index;
    EXPECT_EQ(mech.couplings.at(static_cast<std::size_t>(row)).entity,
              &entry(built, "gear", name) - mech.provenance.entities.data());
  }
}

TEST(Clusters, AWristWithAFullMatrixHasARowPerInput) {
  Model model = fan();
  model.add("wrist", Gear{.ratio = {{1, 2}, {3, 4}}, .offset = {5, 6}}, "j0", "j1");
  model.connect({{"wrist", "out1"}, {"j2", "shaft"}}).connect({{"wrist", "out2"}, {"j3", "shaft"}});
  const Built built = build_mechanism(model);
  ASSERT_THAT(built.mechanism.couplings, SizeIs(2));
  EXPECT_THAT(built.mechanism.couplings[1].dofs, ElementsAre(1, 2, 3));
  EXPECT_THAT(built.parameters.couplings[1].factors, ElementsAre(1, -3, -4));
  EXPECT_EQ(built.parameters.couplings[1].offset, 6);
  EXPECT_THAT(built.mechanism.clusters.at(0).independent, ElementsAre(2, 3));
}

TEST(Clusters, ConnectedShaftsTurnTogether) {
  Model model = fan();
  model.connect({{"j1", "shaft"}, {"j3", "shaft"}, {"j4", "shaft"}});
  const Built built = build_mechanism(model);
  EXPECT_THAT(built.mechanism.couplings, SizeIs(2));
  EXPECT_THAT(built.mechanism.clusters.at(0).dofs, ElementsAre(1, 3, 4));
  EXPECT_THAT(built.mechanism.clusters.at(0).independent, ElementsAre(1));
  EXPECT_THAT(built.parameters.couplings[0].factors, ElementsAre(1, -1));
}

TEST(Clusters, RelationsThatShareAnInputLeaveOneFreedom) {
  Model model = fan();
  model.add("g", Gear{}, "j0", "j1").add("h", Gear{.ratio = {{3}}}, "j0", "j2");
  EXPECT_THAT(build_mechanism(model).mechanism.clusters.at(0).independent, SizeIs(1));
  model.add("again", Gear{.ratio = {{3}}}, "j1", "j2");  // says nothing new
  EXPECT_THAT(build_mechanism(model).mechanism.clusters.at(0).independent, SizeIs(1));
  model.add("lock", Gear{.ratio = {{5}}}, "j1", "j2");
  EXPECT_THAT(build_mechanism(model).mechanism.clusters.at(0).independent, IsEmpty())
      << "two ratios for one pair: it is locked";
}

TEST(Clusters, RelationsThatContradictAreRefused) {
  Model model = fan();
  model.add("g", Gear{.offset = {0.1}}, "j0", "j1");
  model.add(Entity{"h", Gear{.offset = {0.2}}, {"arm.yaml", 7}});
  model.attach("h", Family::element, "in1", "j0").attach("h", Family::element, "out1", "j1");
  EXPECT_EQ(
      error_of([&] { build_mechanism(model); }),
      "arm.yaml:7: gear \"h\": other gears tie the same shafts with another offset, so that no position fits both. "
      "Take one of them away, or correct its offset.  [coupling-contradiction]");
}

TEST(Clusters, APrescribedJointLeadsTheOther) {
  for (const bool motor_leads : {true, false}) {
    Model model = fan();
    model.add("g", Gear{.ratio = {{4}}, .offset = {0.3}}, "j3", "j1");  // q3 = 4·q1 + 0.3
    model.at<Joint>(motor_leads ? "j3" : "j1").prescribed = true;
    const Built built = build_mechanism(model);
    const Cluster& cluster = built.mechanism.clusters.at(0);
    EXPECT_THAT(cluster.independent, ElementsAre(motor_leads ? 3 : 1));
    EXPECT_THAT(cluster.dependent, ElementsAre(motor_leads ? 1 : 3));
    EXPECT_THAT(built.parameters.closures.at(0).G, ElementsAre(motor_leads ? 0.25 : 4));
    EXPECT_DOUBLE_EQ(built.parameters.closures.at(0).offset.at(0), motor_leads ? -0.075 : 0.3);
  }
}

TEST(Clusters, RelationsBetweenPrescribedJointsAreRefused) {
  Model model = fan();
  model.at<Joint>("j0").prescribed = model.at<Joint>("j1").prescribed = true;
  model.add(Entity{"g", Gear{}, {"arm.yaml", 9}});
  model.attach("g", Family::element, "in1", "j0").attach("g", Family::element, "out1", "j1");
  EXPECT_EQ(error_of([&] { build_mechanism(model); }),
            "arm.yaml:9: gear \"g\": every joint that could follow is prescribed: j0, j1. A gear needs one joint that "
            "follows the others. Take `prescribed` away from one of these joints, or remove the gear.  "
            "[coupling-prescribed]");
  Model chain = fan();
  chain.at<Joint>("j0").prescribed = chain.at<Joint>("j1").prescribed = true;
  chain.add("g", Gear{}, "j0", "j2").add("h", Gear{}, "j1", "j2");  // j2 follows j0, and j1 = j0
  EXPECT_EQ(error_of([&] { build_mechanism(chain); }).substr(0, 62),
            "gear \"h\": every joint that could follow is prescribed: j0, j1.");
}

/// Prescribed joints can all be independent if the columns of the others have the full rank.
TEST(Clusters, PrescribedJointsStayIndependentWhereTheRankAllows) {
  int refused = 0, kept = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Random random(seed);
    Model model = fan();
    for (int k = 0; k < 5; ++k) model.at<Joint>(concat("j", k)).prescribed = random.chance(0.4);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(3, 5);
    for (int g = 0; g < 3; ++g) {
      const int a = random.below(5), b = (a + 1 + random.below(4)) % 5;
      const double ratio = 1 + random.below(2);
      model.add(concat("g", g), Gear{.ratio = {{ratio}}}, concat("j", a), concat("j", b));
      K(g, a) = 1, K(g, b) = -ratio;
    }
    Eigen::MatrixXd of_free = K;
    for (int k = 0; k < 5; ++k) {
      if (model.at<Joint>(concat("j", k)).prescribed) of_free.col(k).setZero();
    }
    if (Eigen::FullPivLU<Eigen::MatrixXd>(of_free).rank() < Eigen::FullPivLU<Eigen::MatrixXd>(K).rank()) {
      EXPECT_THAT(error_of([&] { build_mechanism(model); }), testing::HasSubstr("[coupling-prescribed]"));
      ++refused;
      continue;
    }
    const Mechanism mech = build_mechanism(model).mechanism;
    for (int k = 0; k < 5; ++k) {
      const auto dof = static_cast<std::size_t>(k);
      if (mech.roles[dof] != DofRole::prescribed) continue;
      EXPECT_GE(mech.independent.place[dof], 0) << "j" << k;
      ++kept;
    }
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(kept, 100);
}

/// q0 = 0.3·q1 + 3·q2 and q2 = −0.1·q1 + q3 give q0 = 3·q3; in floating point 3·0.1 is not 0.3.
TEST(Clusters, FactorsThatCancelAreZero) {
  Model model = fan();
  model.add("g", Gear{.ratio = {{0.3, 3}}}).add("h", Gear{.ratio = {{-0.1, 1}}});
  for (const auto& [gear, port, joint] : {std::tuple("g", "in1", "j0"),
                                          {"g", "out1", "j1"},
                                          {"g", "out2", "j2"},
                                          {"h", "in1", "j2"},
                                          {"h", "out1", "j1"},
                                          {"h", "out2", "j3"}}) {
    model.connect({{gear, port}, {joint, "shaft"}});
  }
  const Built built = build_mechanism(model);
  EXPECT_THAT(built.mechanism.clusters.at(0).dependent, ElementsAre(0, 2));
  EXPECT_THAT(built.mechanism.clusters.at(0).independent, ElementsAre(1, 3));
  EXPECT_THAT(built.parameters.closures.at(0).G, ElementsAre(0.0, 3.0, -0.1, 1.0));
}

/// The rank of the relations of a cluster, by Eigen.
TEST(Clusters, HaveAsManyIndependentsAsTheRankLeaves) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Random random(seed);
    Model model = fan();
    for (int k = 0; k < 1 + random.below(6); ++k) {
      const int a = random.below(5), b = random.below(5);
      if (a != b)
        model.add(concat("g", k), Gear{.ratio = {{static_cast<double>(1 + random.below(2))}}}, concat("j", a),
                  concat("j", b));
    }
    const Built built = build_mechanism(model);
    for (const Cluster& cluster : built.mechanism.clusters) {
      Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(cluster.rows.count, 5), dependent = rows;
      for (const int row : cluster.rows) {
        const auto& coupling = built.mechanism.couplings[static_cast<std::size_t>(row)];
        for (std::size_t k = 0; k < coupling.dofs.size(); ++k) {
          rows(row - cluster.rows.first, coupling.dofs[k]) +=
              built.parameters.couplings[static_cast<std::size_t>(row)].factors[k];
        }
      }
      const auto rank = Eigen::FullPivLU<Eigen::MatrixXd>(rows).rank();
      EXPECT_EQ(cluster.dofs.size() - cluster.independent.size(), static_cast<std::size_t>(rank));
      // The others follow from them: without the independent columns the rank is the same.
      for (const int dof : cluster.independent) rows.col(dof).setZero();
      EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(rows).rank(), rank);
    }
  }
}

}  // namespace
}  // namespace articula::test
