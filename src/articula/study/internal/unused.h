#pragma once

#include <articula/study/study.h>

namespace articula {

/// Adds a warning for each trajectory that nothing else in the study names, and for each block that no task includes or
/// that acts on nothing and nothing reads.
void find_unused(const Study& study, const Setup& setup, Findings& findings);

}  // namespace articula
