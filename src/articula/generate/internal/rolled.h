#pragma once

#include <array>

#include <articula/generate/internal/schedule.h>

namespace articula::generate {

/// The source of an operand of a routine's statement.
struct RoutineOperand {
  enum class Kind : unsigned char {
    none,
    local,     ///< the result of an earlier statement of the same routine
    read,      ///< the slot of the index-th read of the routine
    constant,  ///< the index-th constant of the call
  } kind = Kind::none;
  int index = 0;

  friend auto operator<=>(const RoutineOperand&, const RoutineOperand&) = default;
};

struct RoutineStatement {
  Operation operation = Operation::add;
  RoutineOperand a, b;

  friend auto operator<=>(const RoutineStatement&, const RoutineStatement&) = default;
};

/// A slot that a routine reads: an offset from a slot in the table of the call.
struct RoutineRead {
  int base = 0;  ///< index in the table
  int offset = 0;
};

/// An entry of a result that a routine writes: an offset from an entry in the table of the call.
struct RoutineWrite {
  int statement = 0, array = 0;
  int base = 0;  ///< index in the table
  int offset = 0;
};

/// Number of lifetimes of kept values: short, medium and long. Values with the same lifetime are stored together, so
/// that the active part of the workspace stays small.
constexpr int lifetimes = 3;

/// The index of a value among those that a call keeps for the same lifetime.
struct KeptValue {
  int lifetime = -1;  ///< 0 is the shortest; −1: not kept
  int place = 0;
};

/// A sequence of statements that recurs with other numbers: the body of a loop.
struct Routine {
  std::vector<RoutineStatement> statements;
  std::vector<RoutineRead> reads;
  std::vector<RoutineWrite> writes;        ///< results that are written in every call
  int bases = 0;                           ///< number of slots in the table of a call
  std::vector<KeptValue> kept;             ///< by statement
  std::array<int, lifetimes> values = {};  ///< by lifetime, the number of kept values
};

/// One call of a routine: its base slots, then its entries of results; its constants; and the first slot of its kept
/// values, by lifetime.
struct RoutineCall {
  int routine = 0;
  std::vector<int> bases;
  std::vector<double> constants;
  std::array<int, lifetimes> first_slot = {};
};

/// A result that no routine writes, and its slot.
struct RolledResult {
  int entry = 0, slot = 0;
};

/// A number of consecutive calls, and the results to copy after them, by output array.
struct RolledStage {
  int calls = 0;
  std::vector<std::vector<RolledResult>> results;
};

/// A recorded function as a loop over calls of a small number of routines.
///
/// Slots contain the inputs of all arrays; the sines of `schedule.angles`, then their cosines, padded; constant
/// results; then the values that calls keep, each until the last call that reads it and until its results are copied.
struct RolledFunction {
  Schedule schedule;
  std::vector<Routine> routines;
  std::vector<RoutineCall> calls;
  std::vector<RolledStage> stages;  ///< the first has no calls, only results that no call computes
  std::vector<double> constants;    ///< constant results
  std::vector<int> angles;          ///< the slots of `schedule.angles`
  int first_sine = 0, first_cosine = 0, first_constant = 0, slots = 0;
  int operations = 0;  ///< in all routines together: the length of the code
};

/// Finds repetition in any recording. The scheduled statements are cut at local minima of the hash of a few
/// neighbouring operations. A cut depends only on the statements around it, so that equal sequences are cut in the same
/// way wherever they occur. Equal pieces become one routine.
///
/// Results for which `leaves_out` is true are not written.
RolledFunction roll(const Schedule& schedule, const LeavesOut& leaves_out = {});

}  // namespace articula::generate
