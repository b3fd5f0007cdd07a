#pragma once

#include <articula/generate/internal/dialect.h>
#include <articula/generate/internal/limbs.h>

namespace articula::generate {

/// Statements that compute all results from inputs and from `s0`, `c0`, `s1`, …, the sines and cosines of
/// `schedule.angles`. One operation per line, except products inside the sum that is their only use.
std::string body_text(const Schedule& schedule, const Dialect& dialect);

/// The statements of one of several warps that share a state: `x[slot][0]` is shared memory between warps, `meet()`
/// ends a phase. @pre the dialect reads inputs into variables
std::string warp_text(const Split& split, int warp, const Dialect& dialect);

}  // namespace articula::generate
