#pragma once

#include <array>

#include <articula/generate/internal/schedule.h>

namespace articula::generate {

/// Where a statement of a routine finds an operand.
struct RoutineOperand {
  enum class Kind : unsigned char {
    none,
    local,     ///< an earlier statement of the same routine
    read,      ///< a slot, the index-th that the routine reads
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

/// Which slot a routine reads: so many after one that the call's table names.
struct RoutineRead {
  int base = 0;  ///< a place in the table
  int offset = 0;
};

/// Where a routine writes a result: so many behind an entry that the call's table names.
struct RoutineWrite {
  int statement = 0, array = 0;
  int base = 0;  ///< a place in the table
  int offset = 0;
};

/// Values are kept for the next few calls, for some, or for many: those that end together stand together, and what is
/// at work stays small.
constexpr int lifetimes = 3;

/// Where a value stands among those that a call keeps as long.
struct KeptValue {
  int lifetime = -1;  ///< 0 is short; −1: not kept
  int place = 0;
};

/// Statements that occur again and again with other numbers: the code of a loop's body.
struct Routine {
  std::vector<RoutineStatement> statements;
  std::vector<RoutineRead> reads;
  std::vector<RoutineWrite> writes;        ///< by statement: results wherever the routine is called
  int bases = 0;                           ///< how many slots a call names
  std::vector<KeptValue> kept;             ///< by statement
  std::array<int, lifetimes> values = {};  ///< how many are kept so long
};

/// One passage through a routine: the slots that it names, then the entries of results; its constants; and where its
/// values go, by lifetime.
struct RoutineCall {
  int routine = 0;
  std::vector<int> bases;
  std::vector<double> constants;
  std::array<int, lifetimes> first_slot = {};
};

/// A result that no routine writes, and the slot where it is found.
struct RolledResult {
  int entry = 0, slot = 0;
};

/// Some calls one after another, and results that are taken away behind them, by output array.
struct RolledStage {
  int calls = 0;
  std::vector<std::vector<RolledResult>> results;
};

/// A recorded function as a loop over calls of few routines.
///
/// Slots hold the inputs, array after array; the sines of `schedule.angles`, then their cosines, padded; results that are
/// constant; then what calls keep, until the last call that reads it has passed and its results are taken away.
struct RolledFunction {
  Schedule schedule;
  std::vector<Routine> routines;
  std::vector<RoutineCall> calls;
  std::vector<RolledStage> stages;  ///< the first has no calls, but the results that none computes
  std::vector<double> constants;    ///< results that are
  std::vector<int> angles;          ///< of `schedule.angles`, the slots
  int first_sine = 0, first_cosine = 0, first_constant = 0, slots = 0;
  int operations = 0;  ///< in all routines together: the length of the code
};

/// Finds what repeats, whatever the algorithm. The statements, in the order of the schedule, are cut where the hash of a few
/// neighbouring operations is least among many: that depends on what stands there alone, so that wherever the same
/// statements stand again they are cut in the same way. Pieces that do the same are then one routine.
///
/// Results that are left out are not written.
RolledFunction roll(const Schedule& schedule, const LeavesOut& leaves_out = {});

}  // namespace articula::generate
