#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/export.h>
#include <articula/closure/algorithm.h>
#include <articula/mechanism/mechanism.h>

/// What can be computed, how it can run, and what it takes: the one table of it. Solvers, recorded code, batches, runs and
/// the program read it; whatever a mechanism holds and a computation does not take is refused by name.
namespace articula::closure {

/// `flat`, ...
ARTICULA_EXPORT std::string_view name_of(RunAs run_as);

/// How many numbers a result has.
enum class Width : unsigned char { none, vector, matrix, poses, velocities };

/// A row of the table.
struct AlgorithmTraits {
  Algorithm algorithm = Algorithm::inverse_dynamics;
  bool accelerates = false;                           ///< needs the inertia that every free joint moves
  bool forces = false;                                ///< its results depend on the forces that act
  bool inertia = false;                               ///< its results depend on the inertia of bodies and rotors
  bool square = false;                                ///< its results have nv² numbers
  bool passive = false;                               ///< flat, it takes springs, dampers, friction and drives
  bool any_gravity = true;                            ///< it takes gravity that depends on the place
  bool network = false, code = false, lanes = false;  ///< how it runs, beside flat
  std::array<Width, 3> in_lanes{};                    ///< its results there; none: it writes the states themselves
  bool floats = false;                                ///< its lanes take floats too
  bool solver = true;                                 ///< there is a flat solver
  bool measured = true;                               ///< `bench` measures its code, lanes or solver

  std::string_view name() const { return algorithm_texts[static_cast<std::size_t>(algorithm)]; }
  bool is_of_motion() const { return !forces && !inertia; }
};
ARTICULA_EXPORT const AlgorithmTraits& traits(Algorithm algorithm);

ARTICULA_EXPORT std::vector<Algorithm> all_algorithms();

/// `inverse_dynamics`, ...
inline std::string_view name_of(Algorithm algorithm) { return traits(algorithm).name(); }
/// Of all that can be generated as code.
ARTICULA_EXPORT std::vector<std::string> algorithm_names();
/// One that can be generated, by its name; throws, naming the choices.
ARTICULA_EXPORT Algorithm algorithm_of(std::string_view name);

/// What is to be computed, and how.
struct Computation {
  Algorithm algorithm = Algorithm::inverse_dynamics;
  RunAs run_as = RunAs::flat;
  bool passive = false;          ///< springs, dampers, friction and drives act
  bool batch = false;            ///< a batch computes, rather than a solver, which has one state
  std::string_view who;          ///< for messages: `ForwardDynamics`
  std::string_view locked = {};  ///< a joint that `exterior` leaves out; empty: none
};

/// Throws an Error that names what of the mechanism, or of the options, this computation does not take; also dense matrices
/// that are too large. Returns the mechanism.
ARTICULA_EXPORT const Mechanism& computable(const Computation& computation, const Mechanism& mech);

/// The first joint that moves by itself and is not exposed; empty: none. @param exposed empty: all are
ARTICULA_EXPORT std::string_view locked_joint(const Mechanism& mech, std::span<const std::string> exposed);

/// The part of it that holds for every computation of a mechanism: closed loops.
ARTICULA_EXPORT void refuse_loops(std::string_view who, const Mechanism& mech);

}  // namespace articula::closure
