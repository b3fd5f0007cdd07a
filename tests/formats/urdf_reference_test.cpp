// Real robots, from the folder in the environment variable ARTICULA_REFERENCE: compared with reference numbers, and
// with urdfdom, another reader, if it is installed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

#include <articula/formats/load.h>
#include <articula/formats/urdf_reader.h>
#include <articula/formats/urdf_writer.h>

#include "support/reference.h"

#if defined(ARTICULA_WITH_URDFDOM) && __has_include(<urdf_parser/urdf_parser.h>)
#define ARTICULA_COMPARES_WITH_URDFDOM 1
#include <urdf_parser/urdf_parser.h>

#endif

namespace articula::test {
namespace {

namespace fs = std::filesystem;

constexpr double mass_tolerance = 1e-12;      // relative; sums in another order
constexpr double rotation_tolerance = 1e-14;  // urdfdom goes through quaternions

class UrdfReference : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ARTICULA_NEEDS_REFERENCES();
    file_ = test::reference_file(std::string("urdf/") + GetParam() + ".urdf");
    numbers_ = nlohmann::json::parse(std::ifstream(fs::path(file_).replace_extension(".json")));
  }

  Model robot() {
    ReadOptions options;
    if (numbers_.at("floating_base").get<bool>()) options.base = ReadOptions::Base::floating;
    return load(file_, &findings_, options);
  }

  fs::path file_;
  nlohmann::json numbers_;
  Findings findings_;
};

/// The body that a port of a joint is attached to.
std::string body_at(const Model& model, const PortRef& port) {
  for (const Connection& connection : model.connections()) {
    if (std::find(connection.ports.begin(), connection.ports.end(), port) == connection.ports.end()) continue;
    for (const PortRef& other : connection.ports) {
      if (other != port) return other.entity;
    }
  }
  return "";
}

/// The movable joints, depth first from `root`, siblings in the order of the file.
std::vector<std::string> depth_first(const Model& model, const std::string& root) {
  std::multimap<std::string, std::string> joints_on;
  const auto names = model.names(Family::joint);
  for (auto name = names.rbegin(); name != names.rend(); ++name)
    joints_on.emplace(body_at(model, {*name, "from"}), *name);
  std::vector<std::string> order, pending;
  const auto push = [&](const std::string& body) {
    const auto [first, last] = joints_on.equal_range(body);
    for (auto each = first; each != last; ++each) pending.push_back(each->second);
  };
  push(root);
  while (!pending.empty()) {
    const std::string joint = pending.back();
    pending.pop_back();
    if (model.at<Joint>(joint).kind != JointKind::fixed) order.push_back(joint);
    push(body_at(model, {joint, "to"}));
  }
  return order;
}

TEST_P(UrdfReference, LoadsWithoutErrorAndWeighsWhatItShould) {
  const Model model = robot();
  double mass = 0;
  for (const Entity& entity : model.entities()) {
    if (const auto* body = std::get_if<RigidBody>(&entity.kind)) mass += body->mass;
  }
  const double expected = numbers_.at("total_mass");
  EXPECT_NEAR(mass, expected, mass_tolerance * expected);
  for (const Finding& finding : findings_) EXPECT_NE(finding.severity, Severity::error) << to_text(finding);
}

TEST_P(UrdfReference, JointsHaveTheirNamesTypesAndOrder) {
  const Model model = robot();
  std::vector<std::string> order = depth_first(model, numbers_.at("base_link"));
  EXPECT_EQ(order, numbers_.at("joint_order").get<std::vector<std::string>>());
  std::vector<std::string> types;
  for (const std::string& joint : order) types.emplace_back(traits(model.at<Joint>(joint).kind).name);
  EXPECT_EQ(types, numbers_.at("joint_types").get<std::vector<std::string>>());
}

TEST_P(UrdfReference, ComesBackEqual) {
  const Model model = robot();
  Findings losses, findings;
  const std::string text = write_urdf(model, losses);
  EXPECT_TRUE(losses.empty());
  EXPECT_EQ(read_urdf(text, "again.urdf", findings), model);
}

#ifdef ARTICULA_COMPARES_WITH_URDFDOM

void expect_same(const Pose<double>& X, const urdf::Pose& other, const std::string& what) {
  EXPECT_EQ(X.p, (Vec3<double>{other.position.x, other.position.y, other.position.z})) << what;
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> e = Vec3<double>::unit(k);
    const urdf::Vector3 turned = other.rotation * urdf::Vector3(e.x, e.y, e.z);
    EXPECT_LT(norm(X.R * e - Vec3<double>{turned.x, turned.y, turned.z}), rotation_tolerance) << what;
  }
}

void expect_same(const RigidBody& body, const urdf::Link& link) {
  if (!link.inertial) {
    EXPECT_EQ(body.mass, 0) << link.name;
    return;
  }
  const urdf::Inertial& other = *link.inertial;
  EXPECT_EQ(body.mass, other.mass) << link.name;
  EXPECT_EQ(body.com, (Vec3<double>{other.origin.position.x, other.origin.position.y, other.origin.position.z}))
      << link.name;
  Pose<double> X_BC;
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> e = Vec3<double>::unit(k);
    const urdf::Vector3 column = other.origin.rotation * urdf::Vector3(e.x, e.y, e.z);
    X_BC.R.m(0, k) = column.x, X_BC.R.m(1, k) = column.y, X_BC.R.m(2, k) = column.z;
  }
  const SymMat3<double> I =
      X_BC.rotate(SymMat3<double>{other.ixx, other.ixy, other.ixz, other.iyy, other.iyz, other.izz});
  const SymMat3<double> rest = I - body.inertia;
  const double size = other.ixx + other.iyy + other.izz;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_LE(std::abs(rest(i, j)), rotation_tolerance * size) << link.name;
  }
}

void expect_same(const Model& model, const urdf::Joint& other) {
  const Joint& joint = model.at<Joint>(other.name);
  EXPECT_EQ(body_at(model, {other.name, "from"}), other.parent_link_name);
  EXPECT_EQ(body_at(model, {other.name, "to"}), other.child_link_name);
  Pose<double> X_PF;
  for (const Frame& frame : *frames_of(model.find(other.parent_link_name, Family::body)->kind)) {
    if (frame.name == other.name + ".from") X_PF = frame.X_EF;
  }
  expect_same(X_PF, other.parent_to_joint_origin_transform, other.name);
  if (joint.kind == JointKind::fixed) return;
  EXPECT_LT(norm(joint.axis.v - Vec3<double>{other.axis.x, other.axis.y, other.axis.z}), rotation_tolerance)
      << other.name;
  if (other.limits && other.type != urdf::Joint::CONTINUOUS) {
    EXPECT_EQ(joint.limits, std::vector<Limits>({{other.limits->lower, other.limits->upper}})) << other.name;
  }
  if (other.limits) {
    EXPECT_EQ(joint.force_limit, std::vector<double>{other.limits->effort}) << other.name;
    EXPECT_EQ(joint.speed_limit, std::vector<double>{other.limits->velocity}) << other.name;
  }
  EXPECT_EQ(joint.damping, other.dynamics ? other.dynamics->damping : 0) << other.name;
  EXPECT_EQ(joint.friction, other.dynamics ? other.dynamics->friction : 0) << other.name;
}

TEST_P(UrdfReference, SaysWhatUrdfdomSays) {
  const Model model = load(file_);
  const auto other = urdf::parseURDFFile(file_.string());
  ASSERT_TRUE(other);
  EXPECT_EQ(model.name, other->getName());
  std::vector<std::string> links, joints, bodies = model.names(Family::body);
  if (other->links_.count("world") == 0) std::erase(bodies, "world");
  for (const auto& [name, link] : other->links_) {
    links.push_back(name);
    if (name != "world") expect_same(model.at<RigidBody>(name), *link);
  }
  for (const auto& [name, joint] : other->joints_) {
    joints.push_back(name);
    expect_same(model, *joint);
  }
  EXPECT_THAT(bodies, testing::UnorderedElementsAreArray(links));
  EXPECT_THAT(model.names(Family::joint), testing::UnorderedElementsAreArray(joints));
}

#else

TEST_P(UrdfReference, SaysWhatUrdfdomSays) { GTEST_SKIP() << "built without urdfdom"; }

#endif

INSTANTIATE_TEST_SUITE_P(Robots, UrdfReference, testing::Values("ur5", "panda", "anymal_c", "simple_humanoid"),
                         [](const auto& robot) { return std::string(robot.param); });

}  // namespace
}  // namespace articula::test
