#pragma once

#include <articula/base/export.h>
#include <articula/build/explanation.h>

namespace articula {

/// How near to an exact rotation one must be to be meant as it.
inline constexpr double snap_tolerance = 1e-11;

/// Rotations that are within `tolerance` of an exact one, such as the quarter turn that somebody wrote as
/// 1.57079632679, become exact, and so do axes. Residues of 1e-12 would otherwise cost speed everywhere. With fewer
/// digits, 1.5707963, it is left as it is: it may be meant so.
///
/// Rule: R with |R − R₀| ≤ tolerance, R₀ of zeros and ones or a turn about one coordinate axis  →  R₀.
ARTICULA_EXPORT Rewritten snap_rotations(const Model& model, double tolerance = snap_tolerance);

/// The same for one entity, in place.
ARTICULA_EXPORT void snap_rotations_of(Kind& kind, double tolerance);

/// Whether snap_rotations would change anything.
ARTICULA_EXPORT bool has_rotations_to_snap(const Model& model, double tolerance = snap_tolerance);

}  // namespace articula
