#pragma once

#include <memory>

#include <articula/base/export.h>
#include <articula/build/build.h>

namespace articula::build {

/// Writes new parameters of an existing mechanism, from a model of the same structure, without rebuilding it and
/// without allocating, so that it can be used between two ticks of a controller.
///
///     Refresher refresher(robot);
///     Parameters<double> par = refresher.built().parameters;
///     robot.at<RigidBody>("hand").mass = 0.7;
///     refresher.refresh(robot, par);
///
/// Numbers are masses, centres of mass, inertias, densities and shapes, placements, axes, limits, damping, friction,
/// stiffnesses, rest lengths, forces, drives, gear ratios, start values, gravity and ground. Everything else is
/// structure: names, kinds, ports, connections, their order, joint types, which joints are driven or prescribed, what
/// closes a loop, whether a drive is elastic, exterior ports.
///
/// The result is the same, bit for bit, as that of `build`, with one exception: a joint whose axis was none of its
/// parent's coordinate axes, and becomes one, keeps its general form. Its results are correct, but it is slightly
/// slower.
///
/// It contains a copy of the model. Must not be used by two threads at the same time.
class ARTICULA_EXPORT Refresher {
 public:
  /// Builds. Throws what `build` throws.
  explicit Refresher(const Model& model, const BuildOptions& options = {});
  ~Refresher();
  Refresher(Refresher&&) noexcept;
  Refresher& operator=(Refresher&&) noexcept;

  /// The result of `build` for the model from which the refresher was made.
  const Built& built() const;

  /// Writes the numbers of `changed` into `par`, all of them, or none if it throws:
  /// - `structure-changed`, naming the first difference, where `changed` is not only other numbers, or where a joint's
  ///   axis leaves the coordinate axis for which the mechanism was made;
  /// - the errors of `build`, if a number is invalid.
  ///
  /// Costs O(model). Allocates nothing, except where a list of shapes or a text in it grows beyond the longest so far,
  /// where coupled gears need more steps to be solved than before, and to throw.
  void refresh(const Model& changed, Parameters<double>& par);

  /// The same without the exception: throws `structure-changed` also where an axis becomes a coordinate axis.
  void refresh_exactly(const Model& changed, Parameters<double>& par);

 private:
  struct Stages;
  std::unique_ptr<Stages> stages_;
};

}  // namespace articula::build
