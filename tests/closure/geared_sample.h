#pragma once

#include <articula/base/text.h>
#include <articula/build/build.h>

#include <Eigen/Dense>

#include "support/random_model.h"
#include "support/walk.h"

namespace articula::test {

/// A random tree whose joints with one degree of freedom are tied by random gears: simple ones, chains of them,
/// differentials with two inputs and outputs; and a state of its independent coordinates.
struct GearedSample {
  /// @param kinds of joints; empty: revolute, prismatic, spherical and free
  explicit GearedSample(std::uint32_t seed, const std::vector<JointKind>& kinds = {})
      : model(geared(seed, kinds)), built(build_mechanism(model)), random(seed + 1) {
    const Mechanism& mech = built.mechanism;
    const std::vector<double> q = to_q(mech, random_coordinates(model, seed));
    for (const int k : mech.independent.q) y.push_back(q[static_cast<std::size_t>(k)]);
    for (std::vector<double>* each : {&ydot, &yddot, &tau_y}) {
      for (int k = 0; k < mech.independent.nv(); ++k) each->push_back(random.number());
    }
  }

  const Mechanism& mech() const { return built.mechanism; }
  const Parameters<double>& par() const { return built.parameters; }

  /// The relations as the model says them: K·q = offset, of all degrees of freedom.
  Eigen::MatrixXd K() const {
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(mech().couplings.size()), mech().nv);
    for (std::size_t r = 0; r < mech().couplings.size(); ++r) {
      for (std::size_t k = 0; k < mech().couplings[r].dofs.size(); ++k) {
        K(static_cast<Eigen::Index>(r), mech().couplings[r].dofs[k]) += par().couplings[r].factors[k];
      }
    }
    return K;
  }
  double offset(std::size_t row) const { return par().couplings[row].offset; }

  static Model geared(std::uint32_t seed, std::vector<JointKind> kinds = {}) {
    using enum JointKind;
    if (kinds.empty()) kinds = {revolute, revolute, prismatic, revolute, spherical, free};
    Model model =
        random_model(seed, {.bodies = 10, .kinds = kinds, .parts = 0, .moving_frames = 0, .rigid = 0.1, .chained = 0});
    Random random(seed + 7);
    std::vector<std::string> shafts;
    for (const Entity& entity : model.entities()) {
      const auto* const joint = std::get_if<Joint>(&entity.kind);
      if (joint == nullptr || joint->prescribed) continue;
      if (joint->kind == JointKind::revolute || joint->kind == JointKind::prismatic) shafts.push_back(entity.name);
    }
    const auto ratio = [&] { return (random.chance(0.5) ? 1 : -1) * random.number(0.3, 3.0); };
    std::size_t next = 0;
    for (int g = 0; next + 1 < shafts.size() && g < 3; ++g) {
      const std::string name = concat("gear", g);
      if (next + 3 < shafts.size() && random.chance(0.4)) {  // two follow two
        model.add(name, Gear{.ratio = {{ratio(), ratio()}, {ratio(), ratio()}}, .offset = {random.number(), 0}});
        for (const char* port : {"in1", "in2", "out1", "out2"})
          model.attach(name, Family::element, port, shafts[next++]);
        if (random.chance(0.5)) --next;  // the next gear goes on from here
      } else {
        model.add(name, Gear{.ratio = {{ratio()}}, .offset = {random.number()}}, shafts[next], shafts[next + 1]);
        next += random.chance(0.5) ? 1 : 2;
      }
    }
    return model;
  }

  Model model;
  Built built;
  Random random;
  std::vector<double> y, ydot, yddot, tau_y;
};

}  // namespace articula::test
