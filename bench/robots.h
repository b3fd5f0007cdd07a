#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <articula/formats/load.h>
#include <articula/model/model.h>

#include "names.h"

/// The mechanisms that are measured. Their joints turn about coordinate axes, as those of most robots do; the numbers
/// are of no robot in particular.
namespace articula::bench {

/// One joint of a limb: about which axis it turns, and how far from it the next one is.
struct Segment {
  Direction axis;
  Vec3<double> to_next;
};

/// A body that reaches from its joint to the next; nothing in it is zero or symmetric.
inline RigidBody segment_body(const Vec3<double>& reach) {
  const double length = std::max(norm(reach), 0.06);
  const double m = 0.4 + 9 * length, round = m * length * length / 12, flat = 0.004 * m;
  RigidBody body;
  body.mass = m;
  body.com = 0.45 * reach + Vec3<double>{0.011, -0.007, 0.013};
  body.inertia = {round + flat, 0.03 * flat, -0.05 * flat, round + 1.1 * flat, 0.02 * flat, round + 0.8 * flat};
  return body;
}

/// Adds bodies `name`1, `name`2, … with joints that carry the same names; returns the last body.
inline std::string add_limb(Model& model, const std::string& name, std::string parent, Vec3<double> origin,
                            const std::vector<Segment>& segments) {
  int count = 0;
  for (const auto& [axis, to_next] : segments) {
    const std::string body = name + std::to_string(++count);
    model.add(body, segment_body(to_next));
    model.add(body, Joint{.axis = axis}, at(parent, Place{.xyz = origin}), body);
    parent = body;
    origin = to_next;
  }
  return parent;
}

inline void add_floating(Model& model, const std::string& name, double mass, SymMat3<double> inertia) {
  RigidBody body;
  body.mass = mass;
  body.com = {0.02, -0.01, 0.03};
  body.inertia = inertia;
  model.add(name, body);
  model.add(name, Joint{.kind = JointKind::free}, "world", name);
}

/// Seven axes in a row, alternately along and across: nv 7.
inline Model arm() {
  Model model("arm");
  add_limb(model, "link", "world", {0, 0, 0.16},
           {{z_axis, {0, 0, 0.2}},
            {y_axis, {0, 0, 0.21}},
            {z_axis, {0, 0, 0.21}},
            {y_axis, {0, 0, 0.19}},
            {z_axis, {0, 0, 0.2}},
            {y_axis, {0, 0, 0.09}},
            {z_axis, {0, 0, 0.05}}});
  return model;
}

/// A floating trunk on four legs of three joints: nv 18.
inline Model quadruped() {
  Model model("quadruped");
  add_floating(model, "trunk", 14, {0.2, 0.003, -0.005, 0.7, 0.002, 0.8});
  for (const double x : {0.3, -0.3}) {
    for (const double y : {0.12, -0.12}) {
      const std::string name = std::string(x > 0 ? "front_" : "hind_") + (y > 0 ? "left_" : "right_");
      add_limb(model, name, "trunk", {x, y, 0},
               {{x_axis, {0, 0.7 * y, 0}}, {y_axis, {0, 0, -0.32}}, {y_axis, {0, 0, -0.31}}});
    }
  }
  return model;
}

/// A floating pelvis, two legs of six joints, a waist of three, two arms of seven and a neck: nv 36.
inline Model humanoid() {
  Model model("humanoid");
  add_floating(model, "pelvis", 10, {0.08, 0.002, -0.001, 0.06, 0.003, 0.1});
  const std::string chest = add_limb(model, "waist", "pelvis", {0, 0, 0.1},
                                     {{z_axis, {0, 0, 0.05}}, {x_axis, {0, 0, 0.05}}, {y_axis, {0, 0, 0.35}}});
  add_limb(model, "neck", chest, {0, 0, 0.4}, {{z_axis, {0, 0, 0.2}}});
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left_" : "right_";
    add_limb(model, name + "arm", chest, {0, 0.2 * side, 0.35},
             {{y_axis, {0, 0.05 * side, 0}},
              {x_axis, {0, 0.04 * side, 0}},
              {z_axis, {0, 0, -0.28}},
              {y_axis, {0.02, 0, 0}},
              {z_axis, {0, 0, -0.25}},
              {y_axis, {0, 0, -0.03}},
              {x_axis, {0, 0, -0.1}}});
    add_limb(model, name + "leg", "pelvis", {0, 0.1 * side, -0.05},
             {{z_axis, {0, 0, -0.06}},
              {x_axis, {0.02, 0, -0.02}},
              {y_axis, {0, 0, -0.4}},
              {y_axis, {0, 0, -0.4}},
              {y_axis, {0, 0, -0.02}},
              {x_axis, {0.04, 0, -0.07}}});
  }
  return model;
}

/// n joints in a row, about all axes in turn.
inline Model chain(int n) {
  const Segment cycle[] = {{z_axis, {0, 0, 0.1}}, {y_axis, {0, 0, 0.1}}, {x_axis, {0, 0, 0.1}}};
  std::vector<Segment> segments;
  for (int k = 0; k < n; ++k) segments.push_back(cycle[k % 3]);
  Model model("chain");
  add_limb(model, "link", "world", Vec3<double>::zero(), segments);
  return model;
}

/// Six axes as its file tells them, not all frames parallel.
inline Model ur5_like() { return load(ARTICULA_SOURCE_DIR "/models/ur5_like.yaml"); }

struct Robot {
  std::string name;
  std::function<Model()> model;
};
inline const std::vector<Robot> robots = {
    {"arm", arm}, {"quadruped", quadruped}, {"humanoid", humanoid}, {"ur5_like", ur5_like}};

/// The robots above; or, if a program has arguments, those in the model files that they name. `FILE:floating` leaves the
/// root of a URDF robot free. Joints that mimic others move independently: the algorithms of dynamics/ know no gears.
inline std::vector<Robot> robots_of(int count, char** arguments) {
  constexpr std::string_view floating = ":floating";
  std::vector<Robot> chosen;
  for (int k = 0; k < count; ++k) {
    std::string file = arguments[k];
    ReadOptions options{.mimic = ReadOptions::Mimic::independent};
    if (file.ends_with(floating)) {
      file.resize(file.size() - floating.size());
      options.base = ReadOptions::Base::floating;
    }
    chosen.push_back(
        {std::filesystem::path(file).stem().string(), [file, options] { return load(file, nullptr, options); }});
  }
  return chosen.empty() ? robots : chosen;
}

}  // namespace articula::bench
