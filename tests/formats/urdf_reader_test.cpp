#include <articula/formats/urdf_reader.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <articula/spatial/orientation.h>

#include "urdf_text.h"

namespace articula::test {
namespace {

using namespace testing_urdf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr double exactly_enough = 1e-15;

const Frame* frame_of(const Model& model, std::string_view body, std::string_view name) {
  for (const Frame& frame : *frames_of(model.find(body, Family::body)->kind)) {
    if (frame.name == name) return &frame;
  }
  return nullptr;
}

bool are_connected(const Model& model, const PortRef& a, const PortRef& b) {
  for (const Connection& connection : model.connections()) {
    const auto holds = [&](const PortRef& ref) {
      return std::find(connection.ports.begin(), connection.ports.end(), ref) != connection.ports.end();
    };
    if (holds(a) && holds(b)) return true;
  }
  return false;
}

// What is read ----------------------------------------------------------------------------------------------

TEST(UrdfReader, AFileWithoutFaultsHasNoFindings) { EXPECT_THAT(findings_in(elbow(some_limit)), IsEmpty()); }

TEST(UrdfReader, TheModelIsMarkedAsImportedAndKnowsItsLines) {
  const Model model = read(elbow(some_limit));
  EXPECT_TRUE(model.imported);
  EXPECT_EQ(model.name, "arm");
  EXPECT_EQ(to_text(model.find("fore", Family::body)->where), "arm.urdf:3");
  EXPECT_EQ(to_text(model.find("elbow", Family::joint)->where), "arm.urdf:4");
}

TEST(UrdfReader, LinksWithoutInertialAreMassless) {
  const RigidBody body = read(elbow(some_limit)).at<RigidBody>("fore");
  EXPECT_EQ(body.mass, 0);
  EXPECT_EQ(body.inertia, SymMat3<double>::zero());
}

TEST(UrdfReader, TheInertiaIsTurnedIntoTheAxesOfTheLink) {
  // A quarter turn about z swaps xx with yy and takes xy to −xy; xz becomes −yz, yz becomes xz.
  const Model model = read(robot(R"(<link name="hand"><inertial>
    <origin xyz="0.1 0.2 0.3" rpy="0 0 1.5707963267948966"/><mass value="2.5"/>
    <inertia ixx="1" iyy="2" izz="3" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial></link>)"));
  const RigidBody& hand = model.at<RigidBody>("hand");
  EXPECT_EQ(hand.mass, 2.5);
  EXPECT_EQ(hand.com, (Vec3<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(hand.inertia, (SymMat3<double>{.xx = 2, .xy = -0.1, .xz = -0.3, .yy = 1, .yz = 0.2, .zz = 3}));
}

TEST(UrdfReader, AnInertiaTurnedAnyWayKeepsItsInvariants) {
  const Model model = read(robot(R"(<link name="hand"><inertial><origin rpy="0.3 -1.1 2"/><mass value="1"/>
    <inertia ixx="1" iyy="2" izz="2.5"/></inertial></link>)"));
  const SymMat3<double>& I = model.at<RigidBody>("hand").inertia;
  EXPECT_NEAR(I.xx + I.yy + I.zz, 5.5, 4 * exactly_enough);
  EXPECT_NEAR(determinant(I.dense()), 5, 20 * exactly_enough);
  const Vec3<double> z = rotation_from_rpy({0.3, -1.1, 2}) * Vec3<double>{0, 0, 1};
  EXPECT_NEAR(norm(I * z - 2.5 * z), 0, 10 * exactly_enough);  // the third principal axis
}

TEST(UrdfReader, ShapesKeepTheirOrderUseAndColour) {
  const Model model = read(robot(R"(<link name="hand">
    <visual name="palm"><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><geometry><box size="1 2 3"/></geometry>
      <material name="red"><color rgba="1 0 0 0.5"/></material></visual>
    <collision><geometry><sphere radius="0.5"/></geometry></collision>
    <visual><geometry><cylinder radius="0.1" length="2"/></geometry><material name="red"/></visual>
    <collision><geometry><capsule radius="0.1" length="2"/></geometry></collision>
    <visual><geometry><mesh filename="package://arm/hand.stl" scale="0.001 0.001 0.001"/></geometry>
      <material name="wood"/></visual>
    </link>
    <material name="wood"><texture filename="wood.png"/></material>)"));
  const std::vector<Shape>& shapes = model.at<RigidBody>("hand").shapes;
  ASSERT_EQ(shapes.size(), 5u);
  EXPECT_EQ(shapes[0].name, "palm");
  EXPECT_EQ(shapes[0].geometry, Geometry(Box{{1, 2, 3}}));
  EXPECT_EQ(shapes[0].X_BS, (Pose<double>{rotation_about(2, 0.0, 1.0), {1, 2, 3}}));
  EXPECT_EQ(shapes[0].use, ShapeUse::visual);
  EXPECT_EQ(shapes[0].color, (Color{1, 0, 0, 0.5}));
  EXPECT_EQ(shapes[1].geometry, Geometry(Sphere{0.5}));
  EXPECT_EQ(shapes[1].use, ShapeUse::collision);
  EXPECT_EQ(shapes[2].geometry, Geometry(Cylinder{0.1, 2}));
  EXPECT_EQ(shapes[2].color, (Color{1, 0, 0, 0.5}));
  EXPECT_EQ(shapes[3].geometry, Geometry(Capsule{0.1, 2}));
  EXPECT_EQ(shapes[4].geometry, Geometry(Mesh{"package://arm/hand.stl", {0.001, 0.001, 0.001}}));
  EXPECT_EQ(shapes[4].texture, "wood.png");
  EXPECT_FALSE(shapes[4].color);
}

TEST(UrdfReader, AJointStandsAtItsOriginOnTheParentAndAtTheFrameOfTheChild) {
  const Model model = read(
      elbow(R"(<origin xyz="0 0 0.2" rpy="1.5707963267948966 0 0"/><axis xyz="0 0 2"/>)" + std::string(some_limit)));
  const Joint& joint = model.at<Joint>("elbow");
  EXPECT_EQ(joint.kind, JointKind::revolute);
  EXPECT_EQ(joint.axis, z_axis);
  EXPECT_EQ(joint.limits, std::vector<Limits>({{-1, 1}}));
  EXPECT_EQ(joint.force_limit, std::vector<double>{10});
  EXPECT_EQ(joint.speed_limit, std::vector<double>{2});
  ASSERT_NE(frame_of(model, "upper", "elbow.from"), nullptr);
  EXPECT_EQ(frame_of(model, "upper", "elbow.from")->X_EF, (Pose<double>{rotation_about(0, 0.0, 1.0), {0, 0, 0.2}}));
  EXPECT_TRUE(are_connected(model, {"elbow", "from"}, {"upper", "elbow.from"}));
  EXPECT_TRUE(are_connected(model, {"elbow", "to"}, {"fore", ""}));
}

TEST(UrdfReader, AJointWithoutOriginStandsAtTheFrameOfTheParent) {
  const Model model = read(elbow(some_limit));
  EXPECT_TRUE(are_connected(model, {"elbow", "from"}, {"upper", ""}));
  EXPECT_THAT(model.at<RigidBody>("upper").frames, IsEmpty());
}

TEST(UrdfReader, AnAxisIsXWhereNoneIsGiven) { EXPECT_EQ(read(elbow(some_limit)).at<Joint>("elbow").axis, x_axis); }

TEST(UrdfReader, AnAxisOfAnyLengthGetsUnitLength) {
  const Direction axis = read(elbow("<axis xyz=\"3e200 0 4e200\"/>", "continuous")).at<Joint>("elbow").axis;
  EXPECT_NEAR(axis.v.x, 0.6, exactly_enough);
  EXPECT_NEAR(axis.v.z, 0.8, exactly_enough);
}

TEST(UrdfReader, EveryTypeOfJointIsRead) {
  const auto kind = [](std::string_view type) { return read(elbow("", type)).at<Joint>("elbow").kind; };
  EXPECT_EQ(kind("revolute"), JointKind::revolute);
  EXPECT_EQ(kind("continuous"), JointKind::revolute);
  EXPECT_EQ(kind("prismatic"), JointKind::prismatic);
  EXPECT_EQ(kind("fixed"), JointKind::fixed);
  EXPECT_EQ(kind("floating"), JointKind::free);
  EXPECT_EQ(kind("planar"), JointKind::planar);
}

TEST(UrdfReader, DampingAndFrictionAreRead) {
  const Joint joint = read(elbow(R"(<dynamics damping="0.5" friction="0.25"/>)", "continuous")).at<Joint>("elbow");
  EXPECT_EQ(joint.damping, 0.5);
  EXPECT_EQ(joint.friction, 0.25);
}

TEST(UrdfReader, TheLargestNumberStandsForNoLimit) {
  const Joint joint =
      read(elbow(R"(<limit lower="-1" upper="1.7976931348623157e308" effort="1.7976931348623157e308" velocity="1"/>)"))
          .at<Joint>("elbow");
  EXPECT_EQ(joint.limits, std::vector<Limits>({{-1, Limits::none}}));
  EXPECT_THAT(joint.force_limit, IsEmpty());
}

TEST(UrdfReader, ALinkAndAJointMayShareAName) {
  const Model model = read(robot(R"(<link name="a"/><link name="b"/>
    <joint name="b" type="fixed"><parent link="a"/><child link="b"/></joint>)"));
  EXPECT_NE(model.find("b", Family::body), nullptr);
  EXPECT_NE(model.find("b", Family::joint), nullptr);
}

TEST(UrdfReader, AQuaternionMayStandForRollPitchYaw) {
  const Model model = read(elbow(R"(<origin quat_xyzw="0 0 1 0"/>)", "fixed"));
  EXPECT_EQ(frame_of(model, "upper", "elbow.from")->X_EF.R, rotation_about(2, -1.0, 0.0));
}

// World and the base ----------------------------------------------------------------------------------------

TEST(UrdfReader, AFixedRootCoincidesWithWorld) {
  const Model model = read(elbow(some_limit));
  EXPECT_TRUE(are_connected(model, {"world", ""}, {"upper", ""}));
  EXPECT_EQ(model.names(Family::joint), std::vector<std::string>{"elbow"});
}

TEST(UrdfReader, AFloatingRootHangsOnAFreeJointThatComesFirst) {
  const Model model = read(elbow(some_limit), {.base = ReadOptions::Base::floating});
  EXPECT_THAT(model.names(Family::joint), ElementsAre("floating_base", "elbow"));
  EXPECT_EQ(model.at<Joint>("floating_base").kind, JointKind::free);
  EXPECT_TRUE(are_connected(model, {"floating_base", "from"}, {"world", ""}));
  EXPECT_TRUE(are_connected(model, {"floating_base", "to"}, {"upper", ""}));
}

TEST(UrdfReader, TheFloatingJointGivesWayToAJointOfItsName) {
  const std::string text = robot(R"(<link name="a"/><link name="b"/>
    <joint name="floating_base" type="fixed"><parent link="a"/><child link="b"/></joint>)");
  EXPECT_THAT(read(text, {.base = ReadOptions::Base::floating}).names(Family::joint),
              ElementsAre("floating_base_2", "floating_base"));
}

TEST(UrdfReader, ARootCalledWorldIsWorld) {
  const std::string text = robot(R"(<link name="world"/><link name="a"/>
<joint name="j" type="fixed"><origin xyz="0 0 1"/><parent link="world"/><child link="a"/></joint>)");
  const Model model = read(text);
  EXPECT_THAT(model.names(Family::body), ElementsAre("world", "a"));
  ASSERT_NE(frame_of(model, "world", "j.from"), nullptr);
  EXPECT_TRUE(are_connected(model, {"j", "from"}, {"world", "j.from"}));
  EXPECT_THAT(findings_in(text, {.base = ReadOptions::Base::floating}),
              ElementsAre("note: arm.urdf:2: link \"world\" is World: the base stands in it as the file "
                          "says, and was not made floating.  [base-is-world]"));
}

TEST(UrdfReader, WorldHasNeitherInertiaNorShapes) {
  EXPECT_THAT(
      findings_in(robot(R"(<link name="world"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<visual><geometry><sphere radius="1"/></geometry></visual></link>)")),
      ElementsAre("note: arm.urdf:2: link \"world\": World does not move; its inertia has no effect.  "
                  "[not-expressed]",
                  "warning: arm.urdf:2: link \"world\": World has no shapes; 1 of <visual> and <collision> "
                  "were left out.  [not-expressed]"));
}

TEST(UrdfReader, OnlyTheRootMayBeCalledWorld) {
  EXPECT_EQ(error_in(robot(R"(<link name="a"/>
<link name="world"/><joint name="j" type="fixed"><parent link="a"/><child link="world"/></joint>)")),
            "arm.urdf:3: link \"world\" hangs on another link. The name is reserved for World, the root; "
            "rename the link.  [name-reserved]");
}

// Mimic, transmissions, loops -------------------------------------------------------------------------------

std::string fingers(std::string_view left, std::string_view right, std::string_view type = "prismatic") {
  return robot(
      "<link name=\"hand\"/><link name=\"l\"/><link name=\"r\"/>\n<joint name=\"left\" "
      "type=\"prismatic\"><parent link=\"hand\"/><child link=\"l\"/>" +
      std::string(some_limit) + std::string(left) + "</joint>\n<joint name=\"right\" type=\"" + std::string(type) +
      "\"><parent link=\"hand\"/><child link=\"r\"/>" + (type == "fixed" ? "" : std::string(some_limit)) +
      std::string(right) + "</joint>");
}

TEST(UrdfReader, AMimicIsAGearBetweenTheTwoShafts) {
  const Model model = read(fingers("", R"(<mimic joint="left" multiplier="-2" offset="0.1"/>)"));
  const Gear& gear = model.at<Gear>("right_mimic");
  EXPECT_EQ(gear.ratio, (Rows{{-2}}));
  EXPECT_EQ(gear.offset, std::vector<double>{0.1});
  EXPECT_TRUE(are_connected(model, {"right_mimic", "in1"}, {"right", "shaft"}));
  EXPECT_TRUE(are_connected(model, {"right_mimic", "out1"}, {"left", "shaft"}));
}

TEST(UrdfReader, AMimicMayBeMadeIndependent) {
  const std::string text = fingers("", R"(<mimic joint="left"/>)");
  const ReadOptions independent{.mimic = ReadOptions::Mimic::independent};
  EXPECT_EQ(read(text, independent).find("right_mimic", Family::element), nullptr);
  EXPECT_THAT(findings_in(text, independent),
              ElementsAre("note: arm.urdf:4: joint \"right\": it mimics \"left\" in the file, and was made "
                          "independent.  [mimic-independent]"));
}

TEST(UrdfReader, AMimicThatCannotBeFollowedIsIgnoredWithAWarning) {
  const std::string missing = fingers("", R"(<mimic joint="lefd"/>)");
  EXPECT_THAT(findings_in(missing),
              ElementsAre("warning: arm.urdf:4: joint \"right\": joint \"lefd\" not found; the joint moves on its own. "
                          "Did you mean \"left\"? Joints: left, right.  [no-such-joint]"));
  const std::string fixed = fingers("", R"(<mimic joint="left"/>)", "fixed");
  EXPECT_THAT(
      findings_in(fixed),
      ElementsAre("warning: arm.urdf:4: joint \"right\": it mimics \"left\", but joint \"right\" is fixed. Both "
                  "need one degree of freedom; <mimic> was ignored.  [mimic-type]"));
  for (const std::string& text : {missing, fixed}) {
    EXPECT_EQ(read(text).find("right_mimic", Family::element), nullptr);
    EXPECT_THAT(error_in(text, {.strict = true}), HasSubstr("joint \"right\""));
  }
}

TEST(UrdfReader, MimicsInACircleAreAnError) {
  EXPECT_EQ(error_in(fingers("", R"(<mimic joint="right"/>)")),
            "arm.urdf:4: joint \"right\": it mimics \"right\", which in the end mimics it. One joint must "
            "lead.  [mimic-cycle]");
  EXPECT_THAT(error_in(fingers(R"(<mimic joint="right"/>)", R"(<mimic joint="left"/>)")),
              StartsWith("arm.urdf:3: joint \"left\": it mimics \"right\", which in the end mimics it. One joint "
                         "must lead.  [mimic-cycle]\narm.urdf:4: joint \"right\": it mimics \"left\", which"));
}

TEST(UrdfReader, AMimicOfAMimicFollowsTheLastLeader) {
  // third = 3·right + 0.5 and right = 2·left + 0.1, so that third = 6·left + 0.8.
  const std::string third =
      R"(<link name="t"/><joint name="third" type="continuous"><parent link="r"/><child link="t"/>
<mimic joint="right" multiplier="3" offset="0.5"/></joint></robot>)";
  std::string chain = fingers("", R"(<mimic joint="left" multiplier="2" offset="0.1"/>)");
  chain.replace(chain.find("</robot>"), std::string::npos, third);
  const Model model = read(chain);
  EXPECT_EQ(model.at<Gear>("third_mimic").ratio, (Rows{{6}}));
  EXPECT_DOUBLE_EQ(model.at<Gear>("third_mimic").offset.at(0), 0.8);
  EXPECT_TRUE(are_connected(model, {"third_mimic", "out1"}, {"left", "shaft"}));
}

TEST(UrdfReader, ATransmissionIsADriveWithAGear) {
  const Model model =
      read(with_transmission(R"(<type>transmission_interface/SimpleTransmission</type><joint name="elbow"/>
    <actuator name="motor"><mechanicalReduction> -50.5 </mechanicalReduction></actuator>)"));
  EXPECT_EQ(model.at<Drive>("motor"), (Drive{.gear = -50.5}));
  EXPECT_TRUE(are_connected(model, {"motor", "joint"}, {"elbow", "shaft"}));
}

TEST(UrdfReader, TheOldFormOfATransmissionIsReadToo) {
  const Model model = read(
      with_transmission(R"(<actuator name="m"/><joint name="elbow"/><mechanicalReduction>3</mechanicalReduction>)"));
  EXPECT_EQ(model.at<Drive>("motor").gear, 3);
}

TEST(UrdfReader, DrakesRotorHasItsOwnGearAndIsMountedNowhere) {
  const Model model = read(with_transmission(R"(<joint name="elbow"/><actuator name="motor">
    <drake:rotor_inertia value="1e-4"/><drake:gear_ratio value="100"/></actuator>)"));
  EXPECT_EQ(model.at<Drive>("motor"), (Drive{.rotor_inertia = 1e-4, .gear = 100}));
  for (const Connection& connection : model.connections()) {
    EXPECT_THAT(connection.ports, testing::Not(Contains(PortRef{"motor", "mounted_on"})));
  }
}

TEST(UrdfReader, DrakesRotorMayStandAtTheJoint) {
  const Model model = read(elbow(R"(<drake:rotor_inertia value="2"/><drake:gear_ratio value="3"/>)", "continuous"));
  EXPECT_EQ(model.at<Drive>("elbow_drive"), (Drive{.rotor_inertia = 2, .gear = 3}));
}

TEST(UrdfReader, DetailsOfTransmissionsAreReported) {
  EXPECT_THAT(
      findings_in(with_transmission(R"(<joint name="elbow"><hardwareInterface>x</hardwareInterface></joint>
<actuator name="m"><mechanicalReduction>5</mechanicalReduction><drake:gear_ratio value="6"/></actuator>)")),
      ElementsAre("note: arm.urdf:8: transmission \"motor\": no part of a model, and ignored: the actuator's name "
                  "\"m\", <hardwareInterface>.  [not-expressed]",
                  "warning: arm.urdf:8: transmission \"motor\": drake:gear_ratio is 6, but "
                  "mechanicalReduction is 5. The first counts.  [drive-conflict]"));
  EXPECT_THAT(
      findings_in(with_transmission(R"(<type>FourBar</type><joint name="elbow"/><actuator name="motor"/>)")),
      ElementsAre("warning: arm.urdf:8: transmission \"motor\": a transmission of type \"FourBar\" with 1 joints and "
                  "1 actuators cannot be expressed. Its joints are actuated, without a gear.  [not-expressed]"));
}

TEST(UrdfReader, ATransmissionThatDrivesNothingIsIgnoredWithAWarning) {
  EXPECT_THAT(findings_in(with_transmission(R"(<joint name="elbo"/>)")),
              ElementsAre("warning: arm.urdf:8: transmission \"motor\": joint \"elbo\" not found; the transmission was "
                          "ignored. Did you mean \"elbow\"? Joints: elbow.  [no-such-joint]"));
  EXPECT_THAT(findings_in(with_transmission(R"(<actuator name="motor"/>)")),
              ElementsAre("warning: arm.urdf:8: transmission \"motor\": <transmission> has no element <joint> and was "
                          "ignored. Name the joint it drives.  [element-missing]"));
  for (const char* content : {R"(<joint name="elbo"/>)", R"(<actuator name="motor"/>)"}) {
    EXPECT_EQ(read(with_transmission(content)).find("motor", Family::element), nullptr);
    EXPECT_NE(error_in(with_transmission(content), {.strict = true}), "no error");
  }
}

TEST(UrdfReader, TransmissionsOfOneNameAreBothRead) {
  const std::string text = elbow(some_limit, "revolute",
                                 "<transmission name=\"motor\"><joint name=\"elbow\"/></transmission>\n"
                                 "<transmission name=\"motor\"><joint name=\"elbow\"/></transmission>");
  EXPECT_THAT(
      findings_in(text),
      ElementsAre("warning: arm.urdf:9: transmission \"motor\": the name is taken by what stands at arm.urdf:8. "
                  "It is called \"motor_2\" in the model; rename one of them.  [name-duplicate]"));
  EXPECT_NE(read(text).find("motor_2", Family::element), nullptr);
}

TEST(UrdfReader, ALoopIsAJointThatClosesIt) {
  const Model model =
      read(four_bar(R"(<loop name="pin" type="revolute"><predecessor link="b"><origin xyz="0 1 0"/></predecessor>
    <successor link="c"><origin xyz="1 0 0"/></successor><axis xyz="0 0 1"/></loop>)"));
  const Joint& pin = model.at<Joint>("pin");
  EXPECT_TRUE(pin.closes_loop);
  EXPECT_EQ(pin.kind, JointKind::revolute);
  EXPECT_EQ(pin.axis, z_axis);
  EXPECT_TRUE(are_connected(model, {"pin", "from"}, {"b", "pin.from"}));
  EXPECT_TRUE(are_connected(model, {"pin", "to"}, {"c", "pin.to"}));
  EXPECT_EQ(frame_of(model, "c", "pin.to")->X_EF.p, (Vec3<double>{1, 0, 0}));
}

TEST(UrdfReader, ACouplingIsAGearOverTheJointsToTheNearestCommonAncestor) {
  const Model model = read(
      four_bar(R"(<coupling name="belt"><predecessor link="c"/><successor link="b"/><ratio value="6"/></coupling>)"));
  const Gear& belt = model.at<Gear>("belt");  // q_a + q_b = 6·q_c
  EXPECT_EQ(belt.ratio, (Rows{{6, -1}}));
  EXPECT_TRUE(are_connected(model, {"belt", "in1"}, {"jb", "shaft"}));
  EXPECT_TRUE(are_connected(model, {"belt", "out1"}, {"jc", "shaft"}));
  EXPECT_TRUE(are_connected(model, {"belt", "out2"}, {"ja", "shaft"}));
}

TEST(UrdfReader, LoopsAndCouplingsNeedLinksAndJoints) {
  EXPECT_EQ(error_in(four_bar(R"(<loop name="pin" type="fixed"><predecessor link="d"/><successor link="c"/></loop>)")),
            "arm.urdf:6: loop \"pin\": link \"d\" not found. Did you mean \"a\"? Links: base, a, b, c.  "
            "[no-such-link]");
  EXPECT_EQ(
      error_in(four_bar(R"(<loop name="pin" type="floating"><predecessor link="b"/><successor link="c"/></loop>)")),
      "arm.urdf:6: loop \"pin\": a floating joint closes no loop. Types: revolute, continuous, "
      "prismatic, planar, fixed.  [joint-type-unknown]");
  EXPECT_EQ(error_in(four_bar(R"(<loop name="pin" type="fixed"><predecessor link="c"/><successor link="c"/></loop>)")),
            "arm.urdf:6: loop \"pin\": both its ends are on link \"c\". Name two different links.  [self-parent]");
  EXPECT_EQ(error_in(four_bar(R"(<coupling name="belt"><predecessor link="a"/><successor link="b"/></coupling>)")),
            "arm.urdf:6: coupling \"belt\": there is no joint between one of its links and their nearest common "
            "ancestor. It needs one at least, 16 at most.  [coupling-empty]");
}

}  // namespace
}  // namespace articula::test
