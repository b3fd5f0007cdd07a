#pragma once

#include <optional>

#include <articula/build/build.h>
#include <articula/closure/computed.h>
#include <articula/dynamics/jacobian_frame.h>
#include <articula/generate/function.h>

namespace articula::generate {

struct RecordOptions {
  /// Numbers that stay arguments of the generated function, array `p`: `hand` (mass, com and inertia of that body),
  /// `hand.mass`, `hand.com`, `hand.inertia`, `gravity`. All others become constants.
  std::vector<std::string> symbolic;
  /// Of kinematics and motions, all that are wanted (none: the own frames of all bodies); of a Jacobian, one.
  std::vector<PortRef> frames;
  JacobianFrame jacobian_frame = JacobianFrame::local_world_aligned;
  bool regroup = true;  ///< base parameters, where the result allows it
  int most_operations = 4'000'000;
  bool many_states = false;  ///< for packs of states or a GPU, rather than for one state
  /// Beyond so many operations loops are written rather than straight lines. None: 4,500 for one state, where instructions
  /// that fit no cache cost more than what loops add; 50,000 for packs, which keep the processor busy as long as
  /// compilers bear with them.
  std::optional<int> most_in_straight_lines;
};

/// Runs an algorithm of dynamics/ with a recording scalar. Forces that belong to the model act; springs, dampers,
/// friction and drives do not, as in every computation of the bare mechanism.
///
/// Throws an Error for loops, prescribed motion where it matters, unknown names, and what is too large.
ARTICULA_EXPORT RecordedFunction record(Algorithm algorithm, const Mechanism& mech, const Parameters<double>& par,
                                        const RecordOptions& options = {});
inline RecordedFunction record(Algorithm algorithm, const Built& built, const RecordOptions& options = {}) {
  return record(algorithm, built.mechanism, built.parameters, options);
}

/// What a number that stays an argument, an entry of the array `p`, is in the model as it is.
ARTICULA_EXPORT double parameter_value(const Built& built, const std::string& name);

}  // namespace articula::generate
