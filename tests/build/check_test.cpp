// Every error, warning and note that a model can meet, with its exact text. What text files can do wrong is tested
// with their readers.

#include <articula/build/check.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <ostream>

#include <articula/base/text.h>
#include <articula/spatial/orientation.h>

#include "samples.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

/// A model with something wrong, and what is said about it.
struct Case {
  std::string name;
  std::function<Model()> model;
  std::vector<std::string> findings;

  friend void PrintTo(const Case& c, std::ostream* os) { *os << c.name; }
};

/// The pendulum with an entity more, described at arm.yaml:7.
Model with(Kind kind, const std::vector<Attachment>& attached = {}) {
  Model model = pendulum();
  const Family family = family_of(kind);
  model.add(Entity{"it", std::move(kind), {"arm.yaml", 7}});
  const std::vector<std::string> ports = port_names(model.entities().back());
  for (std::size_t k = 0; k < attached.size(); ++k) model.attach("it", family, ports.at(k), attached[k]);
  return model;
}
/// A body more, on a hinge.
Model with_body(RigidBody body) {
  Model model = with(std::move(body));
  model.add("joint", Joint{}, "world", "it");
  return model;
}
/// A joint more, that carries a body.
Model with_joint(Joint joint) {
  Model model = with(std::move(joint), {"world"});
  model.add("more", body()).attach("it", Family::joint, "to", "more");
  return model;
}
/// An element between World and the pendulum's body.
Model between(Kind kind) { return with(std::move(kind), {"world", "bob"}); }

std::vector<Case> property_cases() {
  const auto one = [](std::string text) { return std::vector<std::string>{"error: arm.yaml:7: " + text}; };
  return {
      // --- values that are no numbers
      {"MassNotANumber", [] { return with_body({.mass = nan}); },
       one("body \"it\": mass is nan. Only finite numbers are allowed.  [value-not-finite]")},
      {"CentreInfinite",
       [] {
         return with_body({.mass = 1, .com = {0, inf, 0}});
       },
       one("body \"it\": com is inf. Only finite numbers are allowed.  [value-not-finite]")},
      {"InertiaNotANumber",
       [] {
         return with_body({.mass = 1, .inertia = {1, nan, 0, 1, 0, 1}});
       },
       one("body \"it\": inertia is nan. Only finite numbers are allowed.  [value-not-finite]")},
      {"PlacementNotANumber",
       [] {
         return with_body(
             {.mass = 1, .inertia = SymMat3<double>::identity(), .frames = {{"tool", {{}, {0, -inf, 0}}}}});
       },
       one("body \"it\": tool is -inf. Only finite numbers are allowed.  [value-not-finite]")},
      {"ShapePlacementNotANumber",
       [] {
         return with_body({.density = 1000, .shapes = {{"box", Box{{0.1, 0.1, 0.1}}, {{}, {nan, 0, 0}}}}});
       },
       one("body \"it\": box is nan. Only finite numbers are allowed.  [value-not-finite]")},
      {"GearRatioNotANumber",
       [] {
         return with(Gear{.ratio = {{nan}}}, {"hinge", "hinge"});
       },
       one("gear \"it\": ratio is nan. Only finite numbers are allowed.  [value-not-finite]")},
      {"SpeedLimitInfinite", [] { return with_joint({.speed_limit = {inf}}); },
       one("joint \"it\": speed_limit is inf. Only finite numbers are allowed.  [value-not-finite]")},
      {"ForceNotANumber",
       [] {
         return with(ExternalForce{.force = {0, 0, nan}}, {"bob"});
       },
       one("external_force \"it\": force is nan. Only finite numbers are allowed.  [value-not-finite]")},
      // --- values whose products are no numbers
      {"CentreTooFar",
       [] {
         return with_body({.mass = 1, .com = {0, 0, 1e200}, .inertia = SymMat3<double>::identity()});
       },
       one("body \"it\": com is 1e+200. Numbers up to 1e+50 are allowed, in SI; check its unit.  [value-too-large]")},
      {"MassTooLarge", [] { return with_body({.mass = 1e60, .inertia = SymMat3<double>::identity()}); },
       one("body \"it\": mass is 1e+60. Numbers up to 1e+50 are allowed, in SI; check its unit.  [value-too-large]")},
      // --- rotations and directions
      {"RotationNotOrthogonal",
       [] {
         RigidBody it = body();
         it.frames = {{"tool", {}}};
         it.frames[0].X_EF.R.m(0, 0) = 1.5;
         return with_body(it);
       },
       one("body \"it\": the rotation of \"tool\" is 1.25 away from a rotation. It must be orthogonal, with "
           "determinant 1, "
           "within 1e-6.  [rotation-invalid]")},
      {"RotationMirrors",
       [] {
         Displacement it;
         it.placement.R.m(2, 2) = -1;
         return with(it, {"bob"});
       },
       one("displacement \"it\": the rotation of \"placement\" is inf away from a rotation. It must be orthogonal, "
           "with "
           "determinant 1, within 1e-6.  [rotation-invalid]")},
      {"AxisZero",
       [] {
         return with_joint({.axis = {{0, 0, 0}}});
       },
       one("joint \"it\": axis is (0, 0, 0). An axis needs a direction; give e.g. (0, 0, 1).  [joint-axis-zero]")},
      {"AxisNotANumber",
       [] {
         return with_joint({.axis = {{0, nan, 0}}});
       },
       one("joint \"it\": axis is (0, nan, 0). An axis needs a direction; give e.g. (0, 0, 1).  [joint-axis-zero]")},
      {"SecondAxisZero",
       [] {
         return with_joint({.kind = JointKind::universal, .axis = x_axis, .second_axis = {{0, 0, 0}}});
       },
       one("joint \"it\": second_axis is (0, 0, 0). An axis needs a direction; give e.g. (0, 0, 1).  "
           "[joint-axis-zero]")},
      {"AxesNotAtRightAngles",
       [] {
         return with_joint({.kind = JointKind::universal, .axis = x_axis, .second_axis = {{1, 0, 0}}});
       },
       one("joint \"it\": axis and second_axis are 0 degrees apart. The axes of a universal joint are at right angles. "
           " "
           "[joint-axes-skew]")},
      {"RotorAxisZero",
       [] {
         return with(Rotor{.axis = {{0, 0, 0}}}, {"world", {"hinge", "shaft"}});
       },
       one("rotor \"it\": axis is (0, 0, 0). An axis needs a direction; give e.g. (0, 0, 1).  [direction-zero]")},
      {"DriveAxisZero",
       [] {
         return with(Drive{.rotor_axis = Direction{{0, 0, 0}}}, {"hinge", "world"});
       },
       one("drive \"it\": rotor_axis is (0, 0, 0). An axis needs a direction; give e.g. (0, 0, 1).  [direction-zero]")},
      // --- bodies by their shapes
      {"DensityZero",
       [] {
         return with_body({.density = 0, .shapes = {{"box", Box{{1, 1, 1}}}}});
       },
       one("body \"it\": density is 0. It must be above 0.  [density-not-positive]")},
      {"DensityWithoutASolid",
       [] {
         return with_body({.density = 1000, .shapes = {{"hull", Mesh{"hull.stl"}}}});
       },
       one("body \"it\": a density needs at least one shape with `use: both`, and every such shape a volume (box, "
           "sphere, "
           "cylinder, capsule). Give mass, com and inertia instead.  [density-needs-solid]")},
      {"ShapeWithoutSize",
       [] {
         return with_body({.density = 1000, .shapes = {{"ball", Sphere{0}}}});
       },
       one("body \"it\": shape \"ball\" has the size 0. Its sizes must be above 0.  [shape-size]")},
      {"ShapeTurnedInsideOut",
       [] {
         return with_body({.density = 1000, .shapes = {{"box", Box{{-1, -2, 1}}}}});
       },
       one("body \"it\": shape \"box\" has the size -2. Its sizes must be above 0.  [shape-size]")},
      // --- joints
      {"TooManyLimits",
       [] {
         return with_joint({.limits = {{-1, 1}, {-1, 1}}});
       },
       one("joint \"it\": limits has 2 entries, but a revolute joint has 1.  [joint-size]")},
      {"TooFewStarts", [] { return with_joint({.kind = JointKind::spherical, .start = {1}}); },
       one("joint \"it\": start has 1 entry, but a spherical joint has 4.  [joint-size]")},
      {"LimitsReversed",
       [] {
         return with_joint({.limits = {{2, -1}}});
       },
       one("joint \"it\": limits are [2, -1]. The lower must not be above the upper; swap them.  [limits-reversed]")},
      {"LimitNotANumber",
       [] {
         return with_joint({.limits = {{nan, 1}}});
       },
       one("joint \"it\": limits are [nan, 1]. The lower must not be above the upper; swap them.  [limits-reversed]")},
      {"StartOutsideLimits",
       [] {
         return with_joint({.limits = {{-1, 1}}, .start = {1.5}});
       },
       one("joint \"it\": start is 1.5, outside its limits [-1, 1]. Move the start, or widen the limits.  "
           "[start-outside-limits]")},
      {"SpeedLimitNegative", [] { return with_joint({.speed_limit = {-2}}); },
       one("joint \"it\": speed_limit is -2. It must not be negative.  [limit-negative]")},
      {"ForceLimitNegative", [] { return with_joint({.force_limit = {-2}}); },
       one("joint \"it\": force_limit is -2. It must not be negative.  [limit-negative]")},
      {"JointDampingNegative", [] { return with_joint({.damping = -0.1}); },
       one("joint \"it\": damping is -0.1. It must not be negative.  [damping-negative]")},
      {"JointFrictionNegative", [] { return with_joint({.friction = -0.1}); },
       one("joint \"it\": friction is -0.1. It must not be negative.  [friction-negative]")},
      {"StartNotUnitQuaternion",
       [] {
         return with_joint({.kind = JointKind::spherical, .start = {0, 0, 0, 2}});
       },
       one("joint \"it\": the quaternion in start has length 2. It must be 1 within 1e-6; divide it by its length.  "
           "[quaternion-not-unit]")},
      {"FreeStartNotUnitQuaternion",
       [] {
         return with_joint({.kind = JointKind::free, .start = {9, 9, 9, 0, 0, 0, 0}});
       },
       one("joint \"it\": the quaternion in start has length 0. It must be 1 within 1e-6; divide it by its length.  "
           "[quaternion-not-unit]")},
      // --- elements
      {"StiffnessNegative", [] { return between(Spring{.stiffness = -5}); },
       one("spring \"it\": stiffness is -5. It must not be negative.  [stiffness-negative]")},
      {"DampingNegative", [] { return between(Damper{.damping = -5}); },
       one("damper \"it\": damping is -5. It must not be negative.  [damping-negative]")},
      {"ActuatorNegative",
       [] { return between(SpringDamperActuator{.stiffness = -1, .damping = -2}); },
       {"error: arm.yaml:7: spring_damper_actuator \"it\": stiffness is -1. It must not be negative.  "
        "[stiffness-negative]",
        "error: arm.yaml:7: spring_damper_actuator \"it\": damping is -2. It must not be negative.  "
        "[damping-negative]"}},
      {"GearEmpty", [] { return with(Gear{.ratio = {}}); },
       one("gear \"it\": ratio is empty. Give one row per input shaft.  [gear-ratio-empty]")},
      {"GearRagged",
       [] {
         return with(Gear{.ratio = {{1, 2}, {3}}}, {"hinge", "hinge", "hinge", "hinge"});
       },
       one("gear \"it\": ratio has rows of 2 and of 1 numbers. All rows need one number per output shaft.  "
           "[gear-ratio-ragged]")},
      {"GearZero",
       [] {
         return with(Gear{.ratio = {{0}}}, {"hinge", "hinge"});
       },
       one("gear \"it\": ratio is 0. It must not be 0: the input shaft would stand still.  [gear-ratio-zero]")},
      {"GearOffsets",
       [] {
         return with(Gear{.offset = {1, 2}}, {"hinge", "hinge"});
       },
       one("gear \"it\": offset has 2 numbers, but the gear has 1 input shaft.  [gear-offset-size]")},
      {"RotorInertiaNegative",
       [] {
         return with(Rotor{.inertia = -1}, {"world", {"hinge", "shaft"}});
       },
       one("rotor \"it\": inertia is -1. It must not be negative.  [rotor-inertia-negative]")},
      {"DriveInertiaNegative", [] { return with(Drive{.rotor_inertia = -1}, {"hinge"}); },
       one("drive \"it\": rotor_inertia is -1. It must not be negative.  [rotor-inertia-negative]")},
      {"DriveGearZero", [] { return with(Drive{.gear = 0}, {"hinge"}); },
       one("drive \"it\": gear is 0. It must not be 0.  [gear-ratio-zero]")},
      {"DriveStiffnessZero", [] { return with(Drive{.stiffness = 0}, {"hinge"}); },
       one("drive \"it\": stiffness is 0. It must be above 0; leave it out for a rigid drive.  [stiffness-negative]")},
      {"DriveDampingNegative", [] { return with(Drive{.damping = -1}, {"hinge"}); },
       one("drive \"it\": damping is -1. It must not be negative.  [damping-negative]")},
      {"DriveFrictionNegative", [] { return with(Drive{.friction = -1}, {"hinge"}); },
       one("drive \"it\": friction is -1. It must not be negative.  [friction-negative]")},
      {"DriveViscousFrictionNegative", [] { return with(Drive{.viscous_friction = -1}, {"hinge"}); },
       one("drive \"it\": viscous_friction is -1. It must not be negative.  [friction-negative]")},
      {"DriveLimitsNegative",
       [] { return with(Drive{.torque_limit = -1, .speed_limit = -2}, {"hinge"}); },
       {"error: arm.yaml:7: drive \"it\": torque_limit is -1. It must not be negative.  [limit-negative]",
        "error: arm.yaml:7: drive \"it\": speed_limit is -2. It must not be negative.  [limit-negative]"}},
      {"RollingRadiusZero", [] { return between(Rolling{.radius = 0}); },
       one("rolling \"it\": radius is 0. It must be above 0.  [length-not-positive]")},
      {"RodLengthZero", [] { return between(ConnectingRod{.length = 0}); },
       one("connecting_rod \"it\": length is 0. It must be above 0.  [length-not-positive]")},
      {"RodMassNegative", [] { return between(ConnectingRod{.length = 1, .mass = -1}); },
       one("connecting_rod \"it\": mass is -1. It must not be negative.  [mass-negative]")},
      {"BeamWithoutLength", [] { return between(Beam{.length = 0, .area = 1, .youngs_modulus = 1}); },
       one("beam \"it\": length is 0. It must be above 0.  [length-not-positive]")},
      {"BeamWithoutSection",
       [] { return between(Beam{.length = 1}); },
       {"error: arm.yaml:7: beam \"it\": area is 0. It must be above 0.  [beam-section]",
        "error: arm.yaml:7: beam \"it\": youngs_modulus is 0. It must be above 0.  [beam-section]"}},
      {"BeamDensityNegative", [] { return between(Beam{.length = 1, .density = -1, .area = 1, .youngs_modulus = 1}); },
       one("beam \"it\": density is -1. It must not be negative.  [density-not-positive]")},
      {"BeamInNoPieces", [] { return between(Beam{.length = 1, .area = 1, .youngs_modulus = 1, .segments = 0}); },
       one("beam \"it\": segments is 0. It must be between 1 and 10000.  [beam-segments]")},
      // --- surroundings
      {"GravityNotANumber",
       [] {
         Model model = pendulum();
         model.environment.gravity = UniformGravity{{0, 0, nan}};
         return model;
       },
       {"error: environment: gravity is not finite.  [value-not-finite]"}},
      {"GravityTooLarge",
       [] {
         Model model = pendulum();
         model.environment.gravity = UniformGravity{{0, 0, 1e300}};
         return model;
       },
       {"error: environment: gravity holds 1e+300. Numbers up to 1e+50 are allowed, in SI; check its unit.  "
        "[value-too-large]"}},
      {"CentralGravityNotANumber",
       [] {
         Model model = pendulum();
         model.environment.gravity = CentralGravity{.mu = inf};
         return model;
       },
       {"error: environment: gravity is not finite.  [value-not-finite]"}},
      {"GroundWithoutNormal",
       [] {
         Model model = pendulum();
         model.environment.ground = Ground{.normal = {{0, 0, 0}}, .height = nan, .friction = -1};
         return model;
       },
       {"error: environment: the ground's normal is (0, 0, 0). It needs a direction; give e.g. (0, 0, 1).  "
        "[direction-zero]",
        "error: environment: the ground's height is nan. Only finite numbers are allowed.  [value-not-finite]",
        "error: environment: the ground's friction is -1. It must not be negative.  [friction-negative]"}},
      {"WorldPlaced",
       [] {
         Model model = pendulum();
         model.at<ReferenceFrame>("world").placement.p = {0, 0, 1};
         return model;
       },
       {"error: reference_frame \"world\": it is placed or moved. World stays where it is; add a reference frame of "
        "your own.  "
        "[world-moved]"}},
      {"WorldMoving",
       [] {
         Model model = pendulum();
         model.at<ReferenceFrame>("world").motion = FrameMotion::prescribed;
         return model;
       },
       {"error: reference_frame \"world\": it is placed or moved. World stays where it is; add a reference frame of "
        "your own.  "
        "[world-moved]"}},
  };
}

std::vector<Case> contact_cases() {
  const auto touching = [](const ContactPoint& contact) {
    Model model = with(contact, {"bob"});
    model.environment.ground.emplace();
    return model;
  };
  const auto one = [](std::string text) { return std::vector<std::string>{"error: arm.yaml:7: " + text}; };
  return {
      {"ContactRadiusNegative", [=] { return touching({.radius = -1}); },
       one("contact_point \"it\": radius is -1. It must not be negative.  [length-negative]")},
      {"ContactFrictionNegative", [=] { return touching({.friction = -1}); },
       one("contact_point \"it\": friction is -1. It must not be negative.  [friction-negative]")},
      {"ContactBouncesHigher", [=] { return touching({.restitution = 1.5}); },
       one("contact_point \"it\": restitution is 1.5. It must be between 0 and 1.  [restitution-range]")},
      {"ContactWithoutGround",
       [] { return with(ContactPoint{}, {"bob"}); },
       {"warning: there are contact points but no ground to touch. Give environment: {ground: {normal: z}}.  "
        "[ground-missing]",
        "warning: contact point it: contact is not computed yet, and no contact force is part of the result. Give "
        "contact forces as loads.  [contact-not-computed]"}},
  };
}

std::vector<Case> structure_cases() {
  return {
      {"OpenPort",
       [] { return with(Joint{}, {"world"}); },
       {"error: arm.yaml:7: joint \"it\": its port `to` is not connected. Say where it is attached, e.g. to: "
        "some_body.  "
        "[port-open]"}},
      {"OpenShaft",
       [] { return with(Drive{}); },
       {"error: arm.yaml:7: drive \"it\": its port `joint` is not connected. Say where it is attached, e.g. joint: "
        "some_joint.  "
        "[port-open]"}},
      {"OpenGear",
       [] { return with(Gear{}, {"hinge"}); },
       {"error: arm.yaml:7: gear \"it\": its port `out1` is not connected. Say where it is attached, e.g. out1: "
        "some_joint.  "
        "[port-open]"}},
      {"FrameNameTwice",
       [] {
         RigidBody it = body();
         it.frames = {{"tool", {}}, {"tool", {}}};
         return with_body(it);
       },
       {"error: arm.yaml:7: body \"it\": the frame name \"tool\" occurs twice. Names are unique; rename one of them.  "
        "[name-duplicate]"}},
      {"FrameNameEmpty",
       [] {
         RigidBody it = body();
         it.frames = {{"", {}}};
         return with_body(it);
       },
       {"error: arm.yaml:7: body \"it\": frame: the name is empty. A name needs at least one character.  "
        "[name-invalid]"}},
      {"ForceInUnknownAxes",
       [] { return with(ExternalForce{.expressed_in = "bab"}, {"bob"}); },
       {"error: arm.yaml:7: external_force \"it\": expressed_in is \"bab\", which is neither \"world\", \"local\" nor "
        "a body. Did "
        "you mean \"bob\"? Bodies: world, bob.  [no-such-frame]"}},
      {"ExteriorJointUnknown",
       [] {
         Model model = pendulum();
         model.exterior.joints = {"hinje"};
         return model;
       },
       {"error: exterior: joint \"hinje\" not found. Did you mean \"hinge\"? Joints: hinge.  [no-such-joint]"}},
      {"ExteriorFrameUnknown",
       [] {
         Model model = pendulum();
         model.exterior.frames = {{"bob", "tool"}};
         return model;
       },
       {"error: exterior: frame \"bob.tool\" not found. Name a body or one of its frames.  [no-such-frame]"}},
      {"ConnectionToNothing",
       [] {
         Model model = pendulum();
         model.connect({{"bob", ""}, {"bib", ""}}, {"arm.yaml", 8});
         return model;
       },
       {"error: arm.yaml:8: connection to \"bib\": there is no such entity. Did you mean \"bob\"? Entities: world, "
        "bob, hinge.  "
        "[no-such-entity]"}},
      {"ConnectionToNoPort",
       [] {
         Model model = pendulum();
         model.connect({{"bob", ""}, {"hinge", "too"}}, {"arm.yaml", 8});
         return model;
       },
       {"error: arm.yaml:8: joint \"hinge\" has no port or frame \"too\". Did you mean \"to\"? Ports: from, to, shaft. "
        " "
        "[no-such-port]"}},
      {"ConnectionOfOne",
       [] {
         Model model = pendulum();
         model.connect({{"bob", ""}}, {"arm.yaml", 8});
         return model;
       },
       {"error: arm.yaml:8: a connection joins 1 port. It needs two or more.  [connection-size]"}},
      {"ConnectionWithItself",
       [] {
         Model model = pendulum();
         model.connect({{"bob", ""}, {"bob", ""}}, {"arm.yaml", 8});
         return model;
       },
       {"error: arm.yaml:8: the port \"bob\" is connected with itself. Name two different ports.  [connection-self]"}},
      {"ConnectionOfAFrameWithAShaft",
       [] {
         Model model = pendulum();
         model.connect({{"bob", ""}, {"hinge", "shaft"}}, {"arm.yaml", 8});
         return model;
       },
       {"error: arm.yaml:8: a frame cannot be connected with a shaft: \"bob\" is a frame, \"hinge.shaft\" is a shaft.  "
        "[connection-type]"}},
  };
}

std::vector<Case> physics_cases() {
  const auto inertia = [](double x, double y, double z) { return SymMat3<double>::diagonal(x, y, z); };
  return {
      {"MassNegative",
       [=] { return with_body({.mass = -1, .inertia = inertia(1, 1, 1)}); },
       {"error: arm.yaml:7: body \"it\": mass is -1 kg. It must not be negative.  [mass-negative]"}},
      {"InertiaNegative",
       [=] { return with_body({.mass = 1, .inertia = inertia(1, 1, -1)}); },
       {"error: arm.yaml:7: body \"it\": its inertia has the principal moment -1 kg*m^2. None may be negative; check "
        "the signs "
        "and the products of inertia.  [inertia-negative]"}},
      {"InertiaNegativeByItsProducts",
       [] {
         return with_body({.mass = 1, .inertia = {1, 3, 0, 1, 0, 1}});
       },
       {"error: arm.yaml:7: body \"it\": its inertia has the principal moment -2 kg*m^2. None may be negative; check "
        "the signs "
        "and the products of inertia.  [inertia-negative]"}},
      {"TriangleViolated",
       [=] { return with_body({.mass = 1, .inertia = inertia(1, 1, 3)}); },
       {"warning: arm.yaml:7: body \"it\": its principal moments 1, 1, 3 kg*m^2 violate the triangle inequality: no "
        "body has two "
        "that add up to less than the third.  [inertia-triangle]"}},
      {"InertiaWithoutMass",
       [=] { return with_body({.inertia = inertia(0.02, 0.02, 0.02)}); },
       {"warning: arm.yaml:7: body \"it\": its mass is 0 kg, but its largest principal moment is 0.02 kg*m^2. A body "
        "that has inertia has mass. Give its mass, or set its inertia to zero.  [inertia-without-mass]"}},
      {"MillimetresMixedUp",
       [=] { return with_body({.mass = 6, .inertia = inertia(2000, 2000, 2000)}); },
       {"warning: arm.yaml:7: body \"it\": its inertia is that of a body 44.721359549995796 m long. Was it given in "
        "kg*mm^2 or "
        "g*mm^2? It is read in kg*m^2.  [inertia-implausible]"}},
      {"ScaledTwice",
       [=] { return with_body({.mass = 6, .inertia = inertia(1e-6, 1e-6, 1e-6)}); },
       {"warning: arm.yaml:7: body \"it\": its inertia is that of a body of 0.001 by 0.001 by 0.001 m, with a density "
        "of 6e+09 "
        "kg/m^3. Was it scaled twice? It is read in kg*m^2.  [inertia-implausible]"}},
      {"MasslessTip",
       [] { return with_body({}); },
       {"warning: joint \"joint\" moves nothing that has inertia. Forward dynamics needs some: give the bodies beyond "
        "it mass, or "
        "fix the joint.  [joint-inertia-singular]"}},
  };
}

class WhatIsWrong : public testing::TestWithParam<Case> {};

TEST_P(WhatIsWrong, IsSaidInFull) {
  const Model model = GetParam().model();
  EXPECT_THAT(texts(check(model)), testing::ElementsAreArray(GetParam().findings));
}

/// build throws the same errors, all of them, and gives the warnings when there are none.
TEST_P(WhatIsWrong, StopsTheBuilderWhenItIsAnError) {
  const Model model = GetParam().model();
  std::vector<std::string> errors, others;
  for (const std::string& text : GetParam().findings) (text.starts_with("error: ") ? errors : others).push_back(text);
  try {
    const Built built = build_mechanism(model);
    EXPECT_THAT(errors, IsEmpty());
  } catch (const Error& error) {
    EXPECT_EQ(texts(error.errors()), errors);
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Properties, WhatIsWrong, testing::ValuesIn(property_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Contacts, WhatIsWrong, testing::ValuesIn(contact_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Structure, WhatIsWrong, testing::ValuesIn(structure_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Physics, WhatIsWrong, testing::ValuesIn(physics_cases()), name_of);

// --- what is right ------------------------------------------------------------------------------------------------

TEST(Check, FindsNothingInAGoodModel) {
  EXPECT_THAT(texts(check(pendulum())), IsEmpty());
  EXPECT_THAT(texts(check(four_bar())), IsEmpty());
}

TEST(Check, AllowsWhatIsOnlyUnusual) {
  const std::vector<Model> models{
      with_body({.mass = 1, .inertia = SymMat3<double>::diagonal(1, 0, 1)}),     // semidefinite
      with_body({.mass = 1, .com = {1, 0, 0}}),                                  // a point mass
      with_joint({.limits = {{1, 1}}, .start = {1}}),                            // held in place
      with_joint({.limits = {{-inf, inf}}}),                                     //
      with_joint({.axis = {{0, 0, 1e-5}}}),                                      // a short direction is one
      with_joint({.kind = JointKind::spherical, .start = {0, 0, 0, 1 + 1e-7}}),  //
      with_body({.density = 1000, .shapes = {{"pill", Capsule{0.1, 0}}}}),       // a ball
      with(Spring{.form = Form::torsional, .stiffness = 1}, {"hinge"}),          // its other side is the housing
      with(Drive{.rotor_inertia = 1e-4}, {"hinge"}),                             // mounted nowhere
      with(Displacement{}, {"bob"}),                                             // leads nowhere
  };
  for (std::size_t k = 0; k < models.size(); ++k) EXPECT_THAT(texts(check(models[k])), IsEmpty()) << k;
}

TEST(Check, ThrowsNothingAndKeepsWarningsBesideErrors) {
  Model model = with(ContactPoint{}, {"bob"});
  model.at<Joint>("hinge").damping = -1;
  EXPECT_THAT(
      texts(check(model)),
      ElementsAre("warning: there are contact points but no ground to touch. Give environment: {ground: {normal: z}}.  "
                  "[ground-missing]",
                  "error: joint \"hinge\": damping is -1. It must not be negative.  [damping-negative]"));
}

TEST(Check, FindsAllErrorsOfAStageAtOnce) {
  Model model = pendulum();
  model.at<Joint>("hinge").damping = -1;
  model.at<Joint>("hinge").limits = {{1, -1}};
  model.add("open", Spring{}, "bob").connect({{"no", ""}, {"bob", ""}});
  std::vector<std::string> codes;
  for (const Finding& each : check(model)) codes.push_back(each.code);
  EXPECT_THAT(codes,
              testing::UnorderedElementsAre("limits-reversed", "damping-negative", "no-such-entity", "port-open"));
}

TEST(Check, TellsWhatIsWrongInParts) {
  Assembly arm;
  arm.add(Entity{"upper", RigidBody{.mass = -1}, {"arm.yaml", 3}}).add(Entity{"lower", body(), {"arm.yaml", 4}});
  arm.add("elbow", Joint{}, "upper", "lower");
  Model model;
  model.add_part("left", arm);
  model.add("shoulder", Joint{}, "world", "left/upper");
  EXPECT_THAT(
      texts(check(model)),
      ElementsAre("error: arm.yaml:3: body \"left/upper\": mass is -1 kg. It must not be negative.  [mass-negative]"));
}

TEST(Check, SaysWhatFlatteningFinds) {
  Model model;
  model.add_part("p", Model());
  EXPECT_THAT(texts(check(model)),
              ElementsAre("error: part \"p\" has a World of its own. World is outside of every part; "
                          "connect the part from outside.  [part-mentions-world]"));
}

}  // namespace
}  // namespace articula::test
