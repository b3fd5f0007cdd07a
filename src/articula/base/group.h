#pragma once

#include <articula/base/error.h>
#include <articula/base/export.h>

namespace articula::base {

/// A shorter list for display: three or more warnings or notes of one kind become one, with their number and the first
/// few names. They are of one kind if severity, code and file are the same, and their messages differ in names and
/// numbers only. Errors are not grouped: each must be fixed.
ARTICULA_EXPORT Findings grouped(const Findings& findings);

}  // namespace articula::base
