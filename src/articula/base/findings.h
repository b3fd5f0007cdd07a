#pragma once

#include <cstddef>

#include <articula/base/error.h>
#include <articula/base/export.h>

namespace articula::base {

/// Maximum number of findings that are kept of each severity and code.
inline constexpr std::size_t most_findings = 100;

/// Adds a finding. Beyond the first hundred of its severity and code it is only counted, in one last finding of that code:
/// `and 3 more warnings of this kind.`
ARTICULA_EXPORT void add_finding(Findings& all, Finding finding);

/// Adds all of them, with their counts.
ARTICULA_EXPORT void add_findings(Findings& all, const Findings& more);

/// Counts `count` more of the severity and code of `one`, without their texts, if the maximum was reached.
ARTICULA_EXPORT void count_findings(Findings& all, Finding one, std::size_t count);

/// The number of findings that it stands for: 1, or the count of a last one.
ARTICULA_EXPORT std::size_t count_of(const Finding& finding);

}  // namespace articula::base
