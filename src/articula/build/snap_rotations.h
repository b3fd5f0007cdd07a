#pragma once

#include <articula/base/export.h>
#include <articula/build/explanation.h>

namespace articula::build {

/// Replaces rotations that are within the model's `snap` of an exact one, such as a quarter turn written as
/// 1.57079632679, by the exact one, and axes likewise: residues of 1e-12 would make all computations slower. A value
/// with fewer digits, 1.5707963, is not changed, since it may be intended.
///
/// Rule: R with |R − R₀| ≤ snap, R₀ of zeros and ones or a turn about one coordinate axis  →  R₀.
ARTICULA_EXPORT Rewritten snap_rotations(const Model& model);

/// The same for one entity, in place.
ARTICULA_EXPORT void snap_rotations_of(Kind& kind, double tolerance);

/// Whether snap_rotations would change anything.
ARTICULA_EXPORT bool has_rotations_to_snap(const Model& model);

}  // namespace articula::build
