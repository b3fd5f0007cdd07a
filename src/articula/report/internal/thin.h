#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <articula/base/rooms.h>

namespace articula::report {

/// The rows of a signal to keep, at most `most` and in order: the first and the last, and of each of many stretches of
/// equal length between them the row of the least and the row of the greatest value. Where values are not finite, each
/// stretch keeps the first of these too, so that the gap stays to be seen. @pre most ≥ 8
std::vector<std::size_t> kept_rows(std::span<const double> values, std::size_t most);

}  // namespace articula::report
