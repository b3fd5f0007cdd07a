#pragma once

#include <array>

#include <articula/integrate/internal/tableau.h>

namespace articula::integrate::internal {

/// Kutta's classical method of order 4. [Kutta 1901]
struct Classical {
  // clang-format off
  static constexpr std::array c{0.0, 1.0 / 2, 1.0 / 2, 1.0};
  static constexpr std::array a{1.0 / 2,
                                0.0, 1.0 / 2,
                                0.0, 0.0, 1.0};
  static constexpr std::array b{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  // clang-format on
  static constexpr Tableau tableau{.c = c, .a = a, .b = b, .e = {}, .d = {}, .stability = 2.785};
};

}  // namespace articula::integrate::internal
