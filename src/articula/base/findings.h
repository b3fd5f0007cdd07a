#pragma once

#include <cstddef>

#include <articula/base/error.h>
#include <articula/base/export.h>

namespace articula {

/// Of each severity and code so many are kept. Whoever has mended a hundred looks again.
inline constexpr std::size_t most_findings = 100;

/// Adds a finding. Beyond the first hundred of its severity and code it is only counted, in one last finding of that code:
/// `and 3 more warnings of this kind.`
ARTICULA_EXPORT void add_finding(Findings& all, Finding finding);

/// Adds each of them, and what they count.
ARTICULA_EXPORT void add_findings(Findings& all, const Findings& more);

/// Counts `count` more of the severity and code of `one`, without their texts, where a hundred of them were added.
ARTICULA_EXPORT void count_findings(Findings& all, Finding one, std::size_t count);

/// How many were found: 1, or what a last one counts.
ARTICULA_EXPORT std::size_t count_of(const Finding& finding);

}  // namespace articula
