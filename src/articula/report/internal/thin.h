#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <articula/base/modules.h>

namespace articula::report {

/// The rows of a signal to keep, at most `most`, in order: the first and the last, and of each of many intervals of
/// equal length between them the rows of the least and the greatest value. If an interval has values that are not
/// finite, its first one is kept too, so that the gap remains visible. @pre most ≥ 8
std::vector<std::size_t> kept_rows(std::span<const double> values, std::size_t most);

}  // namespace articula::report
