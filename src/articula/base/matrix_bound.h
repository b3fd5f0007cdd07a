#pragma once

#include <cstddef>
#include <string_view>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::base {

/// The size of the largest allowed dense matrix, in numbers: 80 MB of doubles. Computations need several.
inline constexpr std::size_t most_matrix_numbers = 10'000'000;

/// Throws `matrix-too-large` if a matrix is larger. Call it before allocating. @param what `MassMatrix of "arm"`
ARTICULA_EXPORT void require_matrix(std::string_view what, std::size_t rows, std::size_t columns);

}  // namespace articula::base
