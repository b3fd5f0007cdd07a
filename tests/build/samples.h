#pragma once

#include <stdexcept>

#include <articula/build/build.h>

#include "support/findings.h"

/// Small models that the tests of build/ share.
namespace articula::test {

/// A plausible body.
inline RigidBody body(double mass = 1) {
  return {
      .mass = mass, .com = {0.1, 0, 0}, .inertia = SymMat3<double>::diagonal(0.02 * mass, 0.02 * mass, 0.02 * mass)};
}

/// World and one body on a hinge.
inline Model pendulum() {
  Model model("pendulum");
  model.add("bob", body());
  model.add("hinge", Joint{}, "world", "bob");
  return model;
}

/// Three bars in a closed chain with World: all hinges, the last one declared to close the loop.
inline Model four_bar() {
  Model model("four bar");
  model.add("crank", body()).add("coupler", body()).add("rocker", body());
  model.add("a", Joint{}, "world", "crank");
  model.add("b", Joint{}, at("crank", {.xyz = {0, 1, 0}}), "coupler");
  model.add("c", Joint{}, at("coupler", {.xyz = {2, 0, 0}}), at("rocker", {.xyz = {0, 1, 0}}));
  model.add("d", Joint{.closes_loop = true}, "rocker", at("world", {.xyz = {2, 0, 0}}));
  return model;
}

/// Where an entity went.
inline const Provenance::Entry& entry(const Built& built, std::string_view kind, std::string_view name) {
  const auto* found = built.mechanism.provenance.find(kind, name);
  if (found == nullptr) throw std::invalid_argument(std::string(name));
  return *found;
}

/// Two hinges in a row, `j` and `k`, carrying `a` and `b`.
inline Model chain() {
  Model model("chain");
  model.add("a", body(1)).add("b", body(2));
  model.add("j", Joint{}, "world", "a");
  model.add("k", Joint{.axis = y_axis}, at("a", {.xyz = {1, 0, 0}}), "b");
  return model;
}

}  // namespace articula::test
