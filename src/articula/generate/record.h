#pragma once

#include <memory>
#include <optional>

#include <articula/build/build.h>
#include <articula/closure/computed.h>
#include <articula/drives/elastic_chain.h>
#include <articula/dynamics/jacobian_frame.h>
#include <articula/generate/function.h>

namespace articula::generate {

struct RecordOptions {
  /// Parameters that remain arguments of the generated function, in the array `p`: `hand` (mass, com and inertia of
  /// that body), `hand.mass`, `hand.com`, `hand.inertia`, `gravity`. All others become constants.
  std::vector<std::string> symbolic;
  /// For kinematics and motions, the frames (empty: the body frames of all bodies); for a Jacobian, one frame.
  std::vector<PortRef> frames;
  JacobianFrame jacobian_frame = JacobianFrame::local_world_aligned;
  /// For inverse dynamics of elastic drives, the drives, of a mechanism built with locked ones.
  std::shared_ptr<const drives::ElasticChain> chain = {};
  bool regroup = true;  ///< to base parameters, if results are invariant
  int most_operations = 4'000'000;
  bool many_states = false;  ///< for packs of states or a GPU, not for one state
  /// Code with more operations is written as loops instead of straight lines. Default: 4,500 for one state, beyond
  /// which instruction cache misses cost more than loops add; 50,000 for packs, which keep the processor busy up to
  /// sizes that compilers can handle.
  std::optional<int> most_in_straight_lines;
};

/// Runs an algorithm of dynamics/ or drives/ with a recording scalar. Forces of the model are included, but not springs, dampers,
/// friction and drives, as in every computation of the bare mechanism.
///
/// Throws an Error for loops, for prescribed motion if the result depends on it, for unknown names, and if the graph is
/// too large.
ARTICULA_EXPORT RecordedFunction record(Algorithm algorithm, const Mechanism& mech, const Parameters<double>& par,
                                        const RecordOptions& options = {});
inline RecordedFunction record(Algorithm algorithm, const Built& built, const RecordOptions& options = {}) {
  return record(algorithm, built.mechanism, built.parameters, options);
}

/// The value in the model of a parameter that remains an argument (an entry of the array `p`).
ARTICULA_EXPORT double parameter_value(const Built& built, const std::string& name);

}  // namespace articula::generate
