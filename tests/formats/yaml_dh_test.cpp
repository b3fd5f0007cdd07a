// Tables of link parameters: the bodies and joints they expand to have the placements of the table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/spatial/orientation.h>

#include "yaml_text.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_yaml::error_in;
using testing_yaml::read;

constexpr double rounding = 1e-14;

/// The pose, on its body, of the frame that a port refers to.
Pose<double> frame_pose(const Model& m, const PortRef& ref) {
  const Entity* body = m.find(ref.entity, Family::body);
  for (const Frame& frame : *frames_of(body->kind)) {
    if (frame.name == ref.port) return frame.X_EF;
  }
  EXPECT_EQ(ref.port, "") << to_text(ref);
  return Pose<double>::identity();
}

/// Pose of the body after joint `name` in the body before it, at joint value q.
Pose<double> link_pose(const Model& m, const std::string& name, double q) {
  Pose<double> X_PF, X_BM;
  for (const Connection& c : m.connections()) {
    if (c.ports[0] == PortRef{name, "from"}) X_PF = frame_pose(m, c.ports[1]);
    if (c.ports[0] == PortRef{name, "to"}) X_BM = frame_pose(m, c.ports[1]);
  }
  const JointKind kind = m.at<Joint>(name).kind;
  Pose<double> X_FM;
  if (kind == JointKind::revolute) X_FM.R = rotation_about(2, q);
  if (kind == JointKind::prismatic) X_FM.p.z = q;
  return X_PF * X_FM * inverted(X_BM);
}

double distance(const Pose<double>& a, const Pose<double>& b) {
  double largest = norm(a.p - b.p);
  for (int i = 0; i < 3; ++i) largest = std::max(largest, norm(a.R.m.row[i] - b.R.m.row[i]));
  return largest;
}

Pose<double> link(LinkConvention convention, LinkParameters parameters, bool slides, double q) {
  (slides ? parameters.d : parameters.theta) += q;
  const LinkDisplacement displaced = displacement(convention, parameters);
  return displaced.before * displaced.after;
}

TEST(LinkTable, EveryConventionPutsLinksWhereItsFormulaDoes) {
  const LinkParameters parameters{.theta = 0.3, .d = 0.4, .a = 0.5, .alpha = 0.6};
  for (const auto& [name, convention, letters] :
       {std::tuple{"standard", LinkConvention::standard, "theta: 0.3, d: 0.4, a: 0.5, alpha: 0.6"},
        std::tuple{"craig", LinkConvention::craig, "theta: 0.3, d: 0.4, a: 0.5, alpha: 0.6"},
        std::tuple{"khalil", LinkConvention::khalil, "theta: 0.3, r: 0.4, d: 0.5, alpha: 0.6"}}) {
    for (const std::string type : {"revolute", "prismatic"}) {
      const Model m = read("dh: {convention: " + std::string(name) + ", links: [{name: one, type: " + type + ", " +
                           letters + "}, {name: two, joint: q2, type: " + type + ", " + letters + "}]}");
      for (const double q : {0.0, 0.7}) {
        const Pose<double> wanted = link(convention, parameters, type == "prismatic", q);
        EXPECT_LT(distance(link_pose(m, "one", q), wanted), rounding) << name << " " << type << " " << q;
        EXPECT_LT(distance(link_pose(m, "q2", q), wanted), rounding) << name << " " << type << " " << q;
      }
    }
  }
}

TEST(LinkTable, AJointIsCalledLikeItsLinkUnlessItHasAName) {
  const Model m = read("dh: {convention: craig, links: [{name: a}, {name: b, joint: q2}]}");
  EXPECT_THAT(m.names(Family::body), ElementsAre("world", "a", "b"));
  EXPECT_THAT(m.names(Family::joint), ElementsAre("a", "q2"));
}

TEST(LinkTable, LinksTakeThePropertiesOfBodiesAndJoints) {
  const Model m = read(
      "dh: {convention: standard, links: [{name: a, d: 300 mm, alpha: 90 deg, mass: 2, com: [0, 0, 0.1], "
      "inertia: {xx: 1}, "
      "frames: {tool: }, limits: [-90 deg, 1], damping: 0.1, actuated: true, start: 0.2}]}");
  EXPECT_EQ(m.at<RigidBody>("a").mass, 2);
  EXPECT_EQ(m.at<RigidBody>("a").inertia.xx, 1);
  EXPECT_EQ(m.at<Joint>("a").damping, 0.1);
  EXPECT_TRUE(m.at<Joint>("a").actuated);
  EXPECT_EQ(m.at<Joint>("a").axis, z_axis);
}

TEST(LinkTable, TheBaseIsWorldOrAnyFrameOrPlace) {
  const auto base_of = [](std::string_view base) {
    const Model m =
        read("bodies: {plinth: {frames: {top: {xyz: [0, 0, 1]}}}}\ndh: {convention: craig, base: " + std::string(base) +
             ", links: [{name: a, d: 2}]}");
    return link_pose(m, "a", 0).p.z;
  };
  EXPECT_EQ(base_of("world"), 2);
  EXPECT_EQ(base_of("plinth"), 2);
  EXPECT_EQ(base_of("{plinth: top}"), 3);
  EXPECT_EQ(base_of("{plinth: {xyz: [0, 0, 5]}}"), 7);
}

TEST(LinkTable, BranchesNameTheirAntecedent) {
  const Model m = read(
      "dh: {convention: khalil, links: [{name: a, r: 1}, {name: b, r: 1}, {name: c, antecedent: a, gamma: 90 "
      "deg, b: 0.5}, {name: d, antecedent: base}]}");
  const auto parent = [&](const char* joint) {
    for (const Connection& c : m.connections()) {
      if (c.ports[0] == PortRef{joint, "from"}) return c.ports[1].entity;
    }
    return std::string();
  };
  EXPECT_EQ(parent("b"), "a");
  EXPECT_EQ(parent("c"), "a");
  EXPECT_EQ(parent("d"), "world");
  EXPECT_LT(distance(link_pose(m, "c", 0), {rotation_about(2, 0.0, 1.0), {0, 0, 0.5}}), rounding);
}

TEST(LinkTable, SeveralTablesMayStandInAList) {
  EXPECT_EQ(read("dh: [{convention: craig, links: [{name: a}]}, {convention: standard, base: a, links: "
                 "[{name: b}]}]")
                .names(Family::body)
                .size(),
            3u);
}

TEST(LinkTable, SaysWhatIsWrong) {
  EXPECT_EQ(error_in("dh: {links: []}"),
            "arm.yaml:2: dh: convention is missing. Allowed: standard, craig, khalil.  [value-missing]");
  EXPECT_EQ(error_in("dh: {convention: denavit, links: []}"),
            "arm.yaml:2: dh.convention is \"denavit\". Allowed: standard, craig, khalil.  [value-unknown]");
  EXPECT_EQ(error_in("dh: {convention: craig}"),
            "arm.yaml:2: dh: links is missing. It is the list of links, from the base outward.  [value-missing]");
  EXPECT_EQ(error_in("dh:\n  convention: craig\n  links:\n    - {d: 1}"),
            "arm.yaml:5: dh.links #1: name is missing. Every link has one.  [value-missing]");
  EXPECT_EQ(error_in("dh: {convention: craig, links: [{name: a, type: spherical}]}"),
            "arm.yaml:2: dh.links #1.type is spherical. In a table a joint is revolute, prismatic or fixed.  "
            "[dh-joint]");
  EXPECT_EQ(error_in("dh: {convention: craig, links: [{name: a, antecedent: b}]}"),
            "arm.yaml:2: dh.links #1.antecedent is \"b\". It is an earlier link of the same table, or base.  "
            "[dh-antecedent]");
  EXPECT_THAT(error_in("dh: {convention: craig, links: [{name: a, r: 1}]}"),
              HasSubstr("dh.links #1: key \"r\" is not known here."));
  EXPECT_THAT(error_in("dh: {convention: craig, links: [{name: a, axis: y}]}"), HasSubstr("[key-unknown]"));
  EXPECT_EQ(error_in("bodies: {p: }\ndh: {convention: craig, base: {p: top}, links: [{name: a, d: 1}]}"),
            "arm.yaml:3: joint \"a\": the base \"p\" has no frame \"top\". Define it under frames of the "
            "base.  [no-such-port]");
  EXPECT_THAT(error_in("parts: {arm: {dh: {convention: craig, links: [{name: a}]}}}"),
              HasSubstr("dh: base is missing. Inside a part it cannot be World; name a body.  [value-missing]"));
  EXPECT_THAT(error_in("bodies: {a: }\ndh: {convention: craig, links: [{name: a}]}"), HasSubstr("[name-duplicate]"));
}

}  // namespace
}  // namespace articula::test
