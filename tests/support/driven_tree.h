#pragma once

#include <string>
#include <tuple>
#include <vector>

#include <articula/base/text.h>
#include <articula/model/model.h>

#include "support/random_model.h"

namespace articula::test {

/// Chances of what a random driven tree has only when asked for.
struct DrivenTreeOptions {
  double parallel = 0;  ///< rotors about the axis of their joint, on the body that it moves or on none
  double friction = 0;  ///< Coulomb's, of a joint and its drive
};

/// A random tree with drives whose rotors have any axis on any body between their joint and World: elastic, damped and rigid
/// ones, and coupled wrists. Some joints have no drive, and there may be a base that moves freely.
struct DrivenTree {
  explicit DrivenTree(std::uint32_t seed, const DrivenTreeOptions& chances = {}) : options(chances), random(seed) {
    if (random.chance(0.3)) add_joint(Joint{.kind = JointKind::free}, 0);
    for (int k = 0; k < 5; ++k) {
      const std::size_t parent = random.chance(0.7) ? bodies.size() - 1 : some_body();
      if (k > 0 && random.chance(0.15)) {
        const JointKind kind = random.chance(0.5) ? JointKind::universal : JointKind::spherical;
        add_joint(Joint{.kind = kind, .axis = {random.direction()}}, parent);
      }
      const bool slides = random.chance(0.2);
      add_joint(Joint{.kind = slides ? JointKind::prismatic : JointKind::revolute, .axis = {random.direction()}},
                random.chance(0.7) ? bodies.size() - 1 : parent);
      if (random.chance(0.2)) {
        const std::string first = joints.back();
        const std::size_t on = parents.back();
        add_joint(Joint{.axis = {random.direction()}}, bodies.size() - 1);
        add_wrist(first, joints.back(), on);
      } else {
        add_drive(joints.back(), parents.back());
      }
    }
  }

  std::size_t some_body() {
    return static_cast<std::size_t>(random.number(0, 0.99) * static_cast<double>(bodies.size()));
  }
  void add_joint(Joint joint, std::size_t parent) {
    const std::string body = concat("b", bodies.size()), name = concat("j", bodies.size());
    joint.second_axis = {cross(joint.axis.v, random.direction())};
    joint.damping = random.chance(0.3) ? random.number(0, 2) : 0;
    model.add(body, RigidBody{.mass = random.number(3, 5),
                              .com = random.vec3() * 0.2,
                              .inertia = SymMat3<double>::diagonal(random.number(2, 3), random.number(2, 3),
                                                                   random.number(2, 3))});
    model.add(name, joint, at(bodies[parent], {.xyz = random.vec3(), .rpy = random.vec3()}), body);
    carriers.push_back(carriers[parent]), carriers.back().push_back(body);
    bodies.push_back(body), joints.push_back(name), parents.push_back(parent);
  }
  Attachment mount(std::size_t parent) {
    return at(random.one_of(carriers[parent]), {.xyz = random.vec3(), .rpy = random.vec3()});
  }
  double ratio() { return (random.chance(0.5) ? 1 : -1) * random.number(3, 30); }
  void add_drive(const std::string& joint, std::size_t parent) {
    Drive drive{
        .rotor_inertia = random.number(0.001, 0.02), .gear = ratio(), .rotor_axis = Direction{random.direction()}};
    if (random.chance(0.8)) drive.stiffness = random.number(500, 2000);
    if (drive.stiffness && random.chance(0.3)) drive.damping = random.number(5, 20);
    if (random.chance(0.3)) drive.viscous_friction = random.number(0, 1);
    if (options.parallel > 0 && random.chance(options.parallel)) {
      const std::string& child = bodies.back();
      drive.rotor_axis.reset();
      if (random.chance(0.5)) drive.rotor_axis = model.at<Joint>(joint).axis;
      if (random.chance(0.7))
        model.add(concat("d", joint), drive, joint, child);  // its frame is that of the joint
      else
        model.add(concat("d", joint), drive, joint);
    } else {
      model.add(concat("d", joint), drive, joint, mount(parent));
    }
    if (options.friction > 0 && random.chance(options.friction)) {
      model.at<Drive>(concat("d", joint)).friction = random.number(0, 1);
      model.at<Joint>(joint).friction = random.number(0, 1);
    }
  }
  /// Two rotors, a gear with a full matrix, and a spring to each of two joints, or none.
  void add_wrist(const std::string& first, const std::string& second, std::size_t parent) {
    const std::string name = concat("w", first);
    for (const char* r : {"a", "b"})
      model.add(name + r, Rotor{.inertia = random.number(0.001, 0.02), .axis = {random.direction()}}, mount(parent));
    const double n = ratio();
    Gear gear{.ratio = {{n, 0.3 * n}, {-0.4 * n, 0.9 * n}}};
    if (random.chance(0.5)) gear.offset = {random.number(), random.number()};
    const auto port = [&](const char* of, const char* p) { return at(name + of, p); };
    model.add(name + "g", gear);
    model.connect({{name + "g", "in1"}, {name + "a", "shaft"}}).connect({{name + "g", "in2"}, {name + "b", "shaft"}});
    if (random.chance(0.3)) {
      model.connect({{name + "g", "out1"}, {first, "shaft"}}).connect({{name + "g", "out2"}, {second, "shaft"}});
      return;
    }
    for (const auto& [spring, out, joint] : {std::tuple{"s", "out1", first}, std::tuple{"t", "out2", second}}) {
      SpringDamperActuator element{.form = Form::torsional, .stiffness = random.number(500, 2000)};
      if (random.chance(0.3)) element.damping = random.number(5, 20);
      if (random.chance(0.3)) element.rest = random.number(), element.force = random.number();
      if (random.chance(0.5)) {
        model.add(name + spring, element, port("g", out), joint);
      } else {
        model.add(name + spring, element, joint, port("g", out));
      }
    }
  }

  DrivenTreeOptions options;
  Random random;
  Model model{"driven"};
  std::vector<std::string> bodies{"world"}, joints;
  std::vector<std::size_t> parents;                           ///< of each joint, in `bodies`
  std::vector<std::vector<std::string>> carriers{{"world"}};  ///< of each body, those that carry it, and itself
};

}  // namespace articula::test
