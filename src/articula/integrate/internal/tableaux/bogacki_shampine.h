#pragma once

#include <array>

#include <articula/integrate/internal/tableau.h>

namespace articula::integrate::internal {

/// Order 3 with an estimate by order 2. The cubic is of the order of the method.
/// [Bogacki, Shampine: A 3(2) pair of Runge-Kutta formulas. Appl. Math. Lett. 2 (1989) 321]
struct BogackiShampine {
  // clang-format off
  static constexpr std::array c{0.0, 1.0 / 2, 3.0 / 4};
  static constexpr std::array a{1.0 / 2,
                                0.0, 3.0 / 4};
  static constexpr std::array b{2.0 / 9, 1.0 / 3, 4.0 / 9};
  static constexpr std::array e{2.0 / 9 - 7.0 / 24, 1.0 / 3 - 1.0 / 4, 4.0 / 9 - 1.0 / 3, -1.0 / 8};
  // clang-format on
  static constexpr Tableau tableau{.c = c, .a = a, .b = b, .e = e, .d = {}, .error_order = 3, .stability = 2.512};
};

}  // namespace articula::integrate::internal
