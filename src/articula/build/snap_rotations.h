#pragma once

#include <articula/base/export.h>
#include <articula/build/explanation.h>

namespace articula {

/// Rotations that are within the model's `snap` of an exact one, such as the quarter turn that somebody wrote as
/// 1.57079632679, become exact, and so do axes. Residues of 1e-12 would otherwise cost speed everywhere. With fewer
/// digits, 1.5707963, it is left as it is: it may be meant so.
///
/// Rule: R with |R − R₀| ≤ snap, R₀ of zeros and ones or a turn about one coordinate axis  →  R₀.
ARTICULA_EXPORT Rewritten snap_rotations(const Model& model);

/// The same for one entity, in place.
ARTICULA_EXPORT void snap_rotations_of(Kind& kind, double tolerance);

/// Whether snap_rotations would change anything.
ARTICULA_EXPORT bool has_rotations_to_snap(const Model& model);

}  // namespace articula
