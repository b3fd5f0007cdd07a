#include <articula/formats/urdf_writer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include <articula/base/text.h>
#include <articula/formats/internal/model_tree.h>
#include <articula/formats/internal/urdf_rpy.h>
#include <articula/formats/urdf_reader.h>
#include <articula/spatial/orientation.h>

#include "urdf_text.h"

namespace articula::test {
namespace {

using namespace testing_urdf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> lines_of(const Findings& findings) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings) lines.push_back(concat(to_text(finding.severity), ": ", to_text(finding)));
  return lines;
}

std::vector<std::string> losses_of(const Model& model) {
  Findings losses;
  write_urdf(model, losses);
  return lines_of(losses);
}

Model written_and_read(const Model& model) {
  Findings losses;
  return read(write_urdf(model, losses));
}

// Round trips -----------------------------------------------------------------------------------------------

TEST(UrdfWriter, AFileThatUrdfCanFullyExpressComesBackEqual) {
  const std::string text = robot(R"(
  <link name="base"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/><mass value="3"/>
    <inertia ixx="0.1" ixy="0.001" ixz="0.002" iyy="0.2" iyz="0.003" izz="0.25"/></inertial>
    <visual name="skin &quot;&lt;&amp;&#10;"><origin rpy="3 2 1"/><geometry><box size="1 2 3"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/><texture filename="a.png"/></material></visual>
    <collision><geometry><mesh filename="package://arm/base.stl" scale="1 2 3"/></geometry></collision></link>
  <link name="upper"><visual><geometry><sphere radius="0.1"/></geometry><material name="red"/></visual>
    <collision><geometry><cylinder radius="0.1" length="1"/></geometry></collision></link>
  <link name="fore"/><link name="hand &amp; fingers"/><link name="slide"/><link name="plate"/><link name="drone"/>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 0.5" rpy="-1.2 0.3 2.9"/><parent link="base"/><child link="upper"/>
    <axis xyz="1 2 3"/><limit lower="-1" upper="2" effort="100" velocity="3"/><dynamics damping="0.1" friction="0.2"/></joint>
  <joint name="elbow" type="continuous"><origin xyz="0 0 0.5" rpy="1.5707963267948966 1.5707963267948966 0.4"/>
    <parent link="upper"/><child link="fore"/><axis xyz="0 0 -1"/><limit effort="5" velocity="6"/></joint>
  <joint name="wrist" type="fixed"><origin xyz="0 0 0.1"/><parent link="fore"/><child link="hand &amp; fingers"/></joint>
  <joint name="rail" type="prismatic"><parent link="hand &amp; fingers"/><child link="slide"/>
    <limit lower="0" upper="0.1" effort="1" velocity="1"/><mimic joint="shoulder" multiplier="0.5" offset="-0.01"/></joint>
  <joint name="table" type="planar"><parent link="base"/><child link="plate"/><axis xyz="0 1 0"/></joint>
  <joint name="flight" type="floating"><parent link="base"/><child link="drone"/></joint>
  <transmission name="motor"><type>SimpleTransmission</type><joint name="elbow"/><actuator name="motor">
    <mechanicalReduction>-100</mechanicalReduction><drake:rotor_inertia value="1e-5"/></actuator></transmission>)");
  for (const auto base : {ReadOptions::Base::fixed, ReadOptions::Base::floating}) {
    const Model model = read(text, {.base = base});
    EXPECT_THAT(losses_of(model), IsEmpty());
    EXPECT_EQ(written_and_read(model), model);
  }
}

TEST(UrdfWriter, WhatIsReadBackIsWrittenTheSame) {
  const Model model = read(elbow("<origin rpy=\"0.1 0.2 0.3\"/>" + std::string(some_limit)));
  Findings losses;
  const std::string text = write_urdf(model, losses);
  EXPECT_EQ(write_urdf(read(text), losses), text);
}

TEST(UrdfWriter, LimitsThatAreNotThereComeBackAsNone) {
  for (const std::string_view limit :
       {"", "<limit lower=\"0\" upper=\"1\"/>", "<limit lower=\"0\" upper=\"1\" effort=\"2\"/>"}) {
    for (const std::string_view type : {"revolute", "prismatic", "continuous"}) {
      const Model model = read(elbow(limit, type));
      EXPECT_EQ(written_and_read(model), model) << type << limit;
    }
  }
}

TEST(UrdfWriter, RotationsComeBackToTheLastBit) {
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> any(-3.2, 3.2);
  for (int k = 0; k < 20000; ++k) {
    Vec3<double> rpy{any(random), any(random), any(random)};
    if (k % 3 == 0) rpy[k % 9 / 3] = 1.5707963267948966 * static_cast<double>(k % 5 - 2);
    const Rotation<double> R = rotation_from_urdf(rpy);
    const WrittenRpy written = written_rpy(R);
    ASSERT_TRUE(written.exact) << rpy.x << " " << rpy.y << " " << rpy.z;
    ASSERT_EQ(rotation_from_urdf(written.rpy), R);
  }
}

TEST(UrdfWriter, TheLoopsOfUrdfPlusComeBackWithANote) {
  const Model model =
      read(four_bar(R"(<loop name="pin" type="revolute"><predecessor link="b"><origin xyz="0 1 0"/></predecessor>
    <successor link="c"><origin xyz="1 0 0"/></successor><axis xyz="0 0 1"/></loop>)"));
  EXPECT_EQ(written_and_read(model), model);
  EXPECT_THAT(losses_of(model),
              ElementsAre("note: joint \"pin\": it closes a loop, and is written as <loop> of URDF+, which "
                          "many readers do not know.  [expressed-otherwise]"));
}

// The same physics ------------------------------------------------------------------------------------------

using Coordinates = std::map<std::string, std::vector<double>>;

/// X_FM in the frames that the user wrote, for any kind with axes.
Pose<double> motion(const Joint& joint, const std::vector<double>& q) {
  Pose<double> X_FC;  // the canonical frame of the kind, in the user's
  if (traits(joint.kind).axis_use == AxisUse::one) X_FC.R = rotation_z_to(joint.axis.v);
  if (traits(joint.kind).axis_use == AxisUse::two) {
    const Vec3<double> z = cross(joint.axis.v, joint.second_axis.v);
    X_FC.R.m = Mat3<double>{{joint.axis.v, joint.second_axis.v, z}}.transpose();
  }
  const Pose<double> X =
      visit_joint(joint.kind, [&]<class J>(J) { return J::X_FM(joint.parameters.of<J>(), q.data()); });
  return X_FC * X * inverted(X_FC);
}

/// The poses of bodies in World.
std::map<std::string, Pose<double>> body_poses(const Model& model, const Coordinates& q) {
  Findings findings;
  const ModelTree tree(model, findings);
  std::vector<std::optional<Pose<double>>> X_W(tree.bodies().size());
  X_W[0] = Pose<double>::identity();
  for (std::size_t round = 0; round < tree.bodies().size(); ++round) {
    for (const ModelTree::Edge& edge : tree.edges()) {
      if (edge.role == ModelTree::Role::loop) continue;
      Pose<double> X_FM;
      if (edge.item >= 0) {
        const auto& item = tree.items()[static_cast<std::size_t>(edge.item)];
        if (const auto* displacement = std::get_if<Displacement>(item.kind)) X_FM = displacement->placement;
        if (const auto* joint = std::get_if<Joint>(item.kind); joint != nullptr && joint->kind != JointKind::fixed) {
          X_FM = motion(*joint, q.at(item.name));
        }
      }
      auto &from = X_W[static_cast<std::size_t>(edge.from.body)], &to = X_W[static_cast<std::size_t>(edge.to.body)];
      if (from && !to) to = *from * edge.from.X_BP * X_FM * inverted(edge.to.X_BP);
      if (to && !from) from = *to * edge.to.X_BP * inverted(X_FM) * inverted(edge.from.X_BP);
    }
  }
  std::map<std::string, Pose<double>> poses;
  for (std::size_t k = 0; k < X_W.size(); ++k) poses[tree.bodies()[k].name] = X_W[k].value_or(Pose<double>::identity());
  return poses;
}

double distance(const Pose<double>& a, const Pose<double>& b) {
  double largest = norm(a.p - b.p);
  for (int i = 0; i < 3; ++i) largest = std::max(largest, norm(a.R.m.row[i] - b.R.m.row[i]));
  return largest;
}

/// A tree of random bodies and joints, attached with random poses and directions; with coordinates for it, and for the
/// URDF joints that replace its joints.
struct RandomModel {
  Model model{"random"};
  Coordinates q, q_urdf;
  std::mt19937_64 random;

  explicit RandomModel(unsigned seed) : random(seed) {
    for (int k = 0; k < 8; ++k) add(k);
  }
  double number() { return std::uniform_real_distribution<double>(-1.5, 1.5)(random); }
  Vec3<double> vector() { return {number(), number(), number()}; }
  Vec3<double> unit() {
    const Vec3<double> v = vector();
    return v * (1 / norm(v));
  }
  Attachment place(const std::string& body) {
    if (random() % 3 == 0) return Attachment(body);
    return at(body, {.xyz = vector(), .rpy = vector()});
  }

  void add(int k) {
    const std::string body = concat("body", k), name = concat("joint", k);
    const std::string parent = k == 0              ? "world"
                               : random() % 4 == 0 ? "world"
                                                   : concat("body", random() % static_cast<unsigned>(k));
    model.add(body, RigidBody{.mass = 1 + number() * 0.1, .com = vector(), .inertia = SymMat3<double>::identity()});
    Joint joint;
    constexpr std::array kinds{JointKind::revolute, JointKind::prismatic, JointKind::cylindrical, JointKind::universal,
                               JointKind::helical,  JointKind::fixed,     JointKind::planar};
    joint.kind = kinds[random() % kinds.size()];
    joint.axis = {unit()};
    const Vec3<double> side = cross(joint.axis.v, unit());
    joint.second_axis = {side * (1 / norm(side))};
    const double pitch = joint.parameters.of<Helical>().pitch = number();
    std::vector<double>& own = q[name];
    for (int dof = 0; dof < traits(joint.kind).nv(); ++dof) own.push_back(number());
    q_urdf[name] = own;
    if (joint.kind == JointKind::cylindrical) q_urdf[name + "_distance"] = {own[0]}, q_urdf[name + "_angle"] = {own[1]};
    if (joint.kind == JointKind::universal) q_urdf[name + "_angle1"] = {own[0]}, q_urdf[name + "_angle2"] = {own[1]};
    if (joint.kind == JointKind::helical)
      q_urdf[name + "_angle"] = {own[0]}, q_urdf[name + "_advance"] = {pitch * own[0]};
    const bool inward = joint.kind != JointKind::planar && random() % 2 == 0;
    model.add(name, joint, place(inward ? body : parent), place(inward ? parent : body));
  }
};

constexpr double pose_tolerance = 1e-12;

TEST(UrdfWriter, BodiesMoveAsBeforeHoweverTheirJointsAreAttached) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const RandomModel random(seed);
    const Model back = written_and_read(random.model);
    const auto before = body_poses(random.model, random.q), after = body_poses(back, random.q_urdf);
    for (const auto& [body, X_W] : before) {
      ASSERT_TRUE(after.contains(body)) << "seed " << seed;
      EXPECT_LT(distance(X_W, after.at(body)), pose_tolerance) << "seed " << seed << ", " << body;
      if (body == "world") continue;
      EXPECT_EQ(back.at<RigidBody>(body).com, random.model.at<RigidBody>(body).com);
      EXPECT_EQ(back.at<RigidBody>(body).inertia, random.model.at<RigidBody>(body).inertia);
    }
  }
}

// Losses ----------------------------------------------------------------------------------------------------

Model pendulum() {
  Model model("pendulum");
  model.add("rod", RigidBody{.mass = 1, .com = {0, 0, -1}});
  model.add("pivot", Joint{.axis = y_axis}, "world", "rod");
  return model;
}

TEST(UrdfWriter, AModelBuiltInCodeIsWrittenWithAWorld) {
  EXPECT_THAT(losses_of(pendulum()), IsEmpty());
  EXPECT_EQ(written_and_read(pendulum()), pendulum());
}

TEST(UrdfWriter, WhatSurroundsAModelIsLost) {
  Model model = pendulum();
  model.environment.gravity = UniformGravity{{0, -9.81, 0}};
  model.environment.ground = Ground{};
  model.exterior.joints = {"pivot"};
  EXPECT_THAT(losses_of(model),
              ElementsAre("warning: environment: URDF says nothing of gravity; readers will take (0, 0, -9.81).  "
                          "[not-expressed]",
                          "warning: environment: URDF says nothing of the ground; it was left out.  [not-expressed]",
                          "warning: exterior ports: URDF does not know them; they were left out.  [not-expressed]"));
}

TEST(UrdfWriter, EntitiesThatUrdfDoesNotKnowAreNamed) {
  Model model = pendulum();
  model.add("bob", RigidBody{.mass = 1});
  model.add("weld", Joint{.kind = JointKind::fixed}, "rod", "bob");
  model.add("s", Spring{}, "world", "rod");
  model.add("d", Damper{}, "world", "rod");
  model.add("a", SpringDamperActuator{}, "world", "rod");
  model.add("r", Rotor{}, "rod", "pivot");
  model.add("f", ExternalForce{}, "rod");
  model.add("c", ContactPoint{}, "rod");
  model.add("w", Rolling{}, "rod", "world");
  model.add("l", ConnectingRod{}, "world", "rod");
  model.add("b", Beam{}, "world", "rod");
  model.add("x", Custom{});
  const auto line = [](std::string_view what) {
    return concat("warning: ", what, ": it cannot be expressed and was left out.  [not-expressed]");
  };
  EXPECT_THAT(
      losses_of(model),
      ElementsAre(line("spring \"s\""), line("damper \"d\""), line("spring_damper_actuator \"a\""), line("rotor \"r\""),
                  line("external_force \"f\""), line("contact_point \"c\""), line("rolling \"w\""),
                  line("connecting_rod \"l\""), line("beam \"b\""), line("custom \"x\"")));
}

TEST(UrdfWriter, PropertiesThatUrdfDoesNotKnowAreNamed) {
  Model model = pendulum();
  Joint& pivot = model.at<Joint>("pivot");
  pivot.start = {0.1};
  pivot.prescribed = true;
  pivot.actuated = true;
  model.at<RigidBody>("rod").internal_momentum = {0, 0, 1};
  EXPECT_THAT(losses_of(model),
              ElementsAre("warning: body \"rod\": its internal momentum cannot be expressed.  [not-expressed]",
                          "warning: joint \"pivot\": its start cannot be expressed.  [not-expressed]",
                          "warning: joint \"pivot\": its prescribed motion cannot be expressed.  [not-expressed]",
                          "note: joint \"pivot\": that it is actuated is said by the transmission \"pivot_drive\".  "
                          "[expressed-otherwise]"));
  EXPECT_EQ(written_and_read(model).at<Drive>("pivot_drive"), Drive{});
}

TEST(UrdfWriter, AJointWithSeveralDegreesOfFreedomHasNoTransmission) {
  Model model("plate");
  model.add("plate", RigidBody{.mass = 1});
  model.add("table", Joint{.kind = JointKind::planar, .actuated = true}, "world", "plate");
  model.add("motor", Drive{}, Attachment("table", "shaft2"));
  EXPECT_THAT(losses_of(model),
              ElementsAre("warning: drive \"motor\": it does not drive one joint with one degree of freedom, and "
                          "cannot be expressed.  [not-expressed]",
                          "warning: joint \"table\": that it is actuated cannot be expressed.  [not-expressed]"));
}

TEST(UrdfWriter, WhatADriveHasBeyondAGearIsNamed) {
  Model model = pendulum();
  model.add("motor",
            Drive{.rotor_inertia = 1e-4,
                  .gear = 50,
                  .stiffness = 1e4,
                  .damping = 1,
                  .rotor_axis = z_axis,
                  .friction = 1,
                  .viscous_friction = 1,
                  .torque_limit = 1,
                  .speed_limit = 1},
            "pivot", "world");
  const auto line = [](std::string_view what) {
    return concat("warning: drive \"motor\": its ", what, " cannot be expressed.  [not-expressed]");
  };
  EXPECT_THAT(losses_of(model),
              ElementsAre(line("stiffness"), line("damping"), line("friction"), line("viscous_friction"),
                          line("torque_limit"), line("speed_limit"), line("rotor_axis"),
                          "warning: drive \"motor\": where it is mounted cannot be expressed; its rotor only "
                          "acts along the joint.  [not-expressed]"));
  EXPECT_EQ(written_and_read(model).at<Drive>("motor"), (Drive{.rotor_inertia = 1e-4, .gear = 50}));
}

TEST(UrdfWriter, ShapesAndDensitiesAreSaidInAnotherWay) {
  Model model = pendulum();
  RigidBody& rod = model.at<RigidBody>("rod");
  rod.density = 1000;
  rod.shapes = {
      Shape{.name = "s", .geometry = Box{{0.1, 0.1, 1}}, .X_BS = {Rotation<double>::identity(), {0, 0, -0.5}}}};
  EXPECT_THAT(losses_of(model),
              ElementsAre("note: body \"rod\": its density was turned into mass and inertia.  [expressed-otherwise]",
                          "note: body \"rod\": 1 shape was written twice, as <visual> and as <collision>.  "
                          "[expressed-otherwise]"));
  const RigidBody back = written_and_read(model).at<RigidBody>("rod");
  EXPECT_NEAR(back.mass, 10, 1e-12);
  EXPECT_NEAR(back.com.z, -0.5, 1e-12);
  EXPECT_NEAR(back.inertia.xx, 10.0 / 12 * 1.01, 1e-12);
  EXPECT_EQ(back.shapes.size(), 2u);
}

TEST(UrdfWriter, FramesBecomeLinks) {
  Model model = pendulum();
  model.at<RigidBody>("rod").frames.push_back({"tip", to_pose({.xyz = {0, 0, -2}})});
  EXPECT_THAT(
      losses_of(model),
      ElementsAre("note: body \"rod\": its frame \"tip\" became the massless link \"tip\".  [expressed-otherwise]"));
  EXPECT_EQ(body_poses(written_and_read(model), {{"pivot", {0}}}).at("tip").p, (Vec3<double>{0, 0, -2}));
}

TEST(UrdfWriter, AJointBesideItsBodysFrameGetsALinkBetween) {
  Model model("arm");
  model.add("fore", RigidBody{.mass = 1});
  model.add("elbow", Joint{.axis = y_axis}, "world", at("fore", {.xyz = {0, 0, 1}}));
  EXPECT_THAT(losses_of(model),
              ElementsAre("note: joint \"elbow\": it leads to \"elbow.to\" on body \"fore\", not to the body's own "
                          "frame; the massless link \"elbow_to\" was put between.  [expressed-otherwise]"));
}

TEST(UrdfWriter, AJointThatLeadsInwardIsTurnedRound) {
  Model model("arm");
  model.add("fore", RigidBody{.mass = 1});
  model.add("elbow", Joint{.axis = y_axis}, "fore", "world");
  EXPECT_THAT(
      losses_of(model),
      ElementsAre("note: joint \"elbow\": it leads from \"world\" to \"fore\" in the file.  [expressed-otherwise]"));
  EXPECT_EQ(written_and_read(model).at<Joint>("elbow").axis, (Direction{{0, -1, 0}}));
}

TEST(UrdfWriter, GearsThatAreNoMimicAreNamed) {
  Model model = pendulum();
  model.add("bob", RigidBody{.mass = 1});
  model.add("hinge", Joint{.axis = y_axis}, "rod", "bob");
  model.add("wrist", Gear{.ratio = {{1, 2}, {3, 4}}});
  model.add("belt", Gear{.ratio = {{3}}}, "hinge", "pivot");
  model.add("loose", Gear{});
  EXPECT_THAT(
      losses_of(model),
      ElementsAre("warning: gear \"wrist\": a gear with 2 inputs and 2 outputs cannot be expressed.  [not-expressed]",
                  "note: gear \"belt\": its name is not kept; joint \"hinge\" mimics \"pivot\".  "
                  "[expressed-otherwise]",
                  "warning: gear \"loose\": it is not between the shafts of two joints, and cannot be expressed.  "
                  "[not-expressed]"));
}

TEST(UrdfWriter, PartsAreDissolvedAndLoosePiecesAreFree) {
  Assembly arm;
  arm.add("hand", RigidBody{.mass = 1});
  Model model = pendulum();
  model.add_part("arm", arm);
  EXPECT_THAT(losses_of(model),
              ElementsAre("note: part \"arm\": URDF knows no parts; its entities are named by their paths.  "
                          "[expressed-otherwise]",
                          "note: body \"arm/hand\": nothing connects it with World. The floating joint "
                          "\"arm/hand_free\" says so.  [expressed-otherwise]"));
  EXPECT_NE(written_and_read(model).find("arm/hand", Family::body), nullptr);
}

TEST(UrdfWriter, TextsAreEscaped) {
  Model model("<&\"'>");
  model.add("a;\"<script>\n\t", RigidBody{.mass = 1});
  model.add("j&j", Joint{}, "world", "a;\"<script>\n\t");
  EXPECT_THAT(losses_of(model), IsEmpty());
  EXPECT_EQ(written_and_read(model), model);
  model.name = "a\x01";
  EXPECT_THAT(
      losses_of(model),
      ElementsAre("warning: the text \"a\\x01\" holds what XML cannot. It was replaced by U+FFFD.  [not-expressed]"));
}

TEST(UrdfWriter, RotationsThatRollPitchYawCannotGiveExactlyAreCounted) {
  Model model = pendulum();
  model.add("bob", RigidBody{});
  Rotation<double> R = rotation_of(Quaternion<double>{0.1, 0.2, 0.3, std::sqrt(1 - 0.14)});
  model.add("weld", Joint{.kind = JointKind::fixed}, Attachment("rod", Pose<double>{R, {}}), "bob");
  const auto losses = losses_of(model);
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_THAT(
      losses[0],
      HasSubstr("note: 1 rotation is not exact as roll, pitch and yaw. Entries of the matrices differ by up to "));
}

TEST(UrdfWriter, LongChainsNeedNoStack) {
  Model model("chain");
  std::string before = "world";
  for (int k = 0; k < 20000; ++k) {
    const std::string body = concat("b", k);
    model.add(body, RigidBody{.mass = 1});
    model.add(concat("j", k), Joint{}, at(before, {.xyz = {0, 0, 1}}), body);
    before = body;
  }
  EXPECT_EQ(written_and_read(model), model);
}

}  // namespace
}  // namespace articula::test
