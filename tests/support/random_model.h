#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <articula/model/model.h>

#include "support/walk.h"

namespace articula::test {

/// Random values of the order of one, the same on every machine.
class Random {
 public:
  explicit Random(std::uint32_t seed) : bits_(seed) {}

  std::uint32_t bits() { return static_cast<std::uint32_t>(bits_()); }
  double number() { return 2 * (bits() / 4294967295.0) - 1; }
  double number(double low, double high) { return low + (high - low) * (bits() / 4294967295.0); }
  /// One of 0, …, n − 1.
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint32_t>(n)); }
  bool chance(double probability) { return bits() < probability * 4294967296.0; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

  Vec3<double> vec3() {
    const double x = number(), y = number();  // in this order
    return {x, y, number()};
  }
  Vec3<double> direction();
  std::vector<double> quaternion();  ///< x, y, z, w
  /// Any, or with `aligned` one that only swaps and flips axes.
  Rotation<double> rotation(bool aligned = false);
  Pose<double> pose(bool aligned = false) {
    const Rotation<double> R = rotation(aligned);
    return {R, vec3()};
  }

 private:
  std::mt19937 bits_;
};

/// What a random model is made of. Every share is a probability.
struct RandomModelOptions {
  int bodies = 8;
  std::vector<JointKind> kinds;  ///< of the joints that move; empty: all of them
  int loops = 0;                 ///< joints beyond a tree; they close where the model starts
  int parts = 1;                 ///< assemblies inside, each with a few of the bodies
  int fixed_frames = 1;          ///< reference frames beside World
  int moving_frames = 1;
  int elements = 0;           ///< springs, dampers, forces, drives, gears, contacts, rods
  double rigid = 0.25;        ///< bodies that hang rigidly on others: direct, by displacements, by fixed joints
  double chained = 0.25;      ///< joints that meet another without a body between
  double rigid_cycles = 0.1;  ///< rigid connections that lead around and fit
  double reversed = 0.5;      ///< joints and displacements written towards World
  double aligned = 0.5;       ///< axes along coordinate axes, placements of quarter turns
  double own_frame = 0.3;     ///< attached at a body's own frame rather than at a place on it
  double density = 0.2;       ///< bodies weighed by their shapes
};

/// A model that the builder accepts: a tree, or with loops, of bodies with mass, everything placed at random and
/// written in random directions. The same for the same seed and options.
Model random_model(std::uint32_t seed, const RandomModelOptions& options = {});

/// Random coordinates for all joints that move and all moving frames.
Coordinates random_coordinates(const Model& model, std::uint32_t seed);

/// Where the model starts: the start of each joint, neutral where it has none.
Coordinates start_coordinates(const Model& model);

}  // namespace articula::test
