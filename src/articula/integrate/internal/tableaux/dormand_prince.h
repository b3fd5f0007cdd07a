#pragma once

#include <array>

#include <articula/integrate/internal/tableau.h>

namespace articula::integrate::internal {

/// Order 5 with an estimate by order 4, and a dense output of order 4.
/// [Dormand, Prince: A family of embedded Runge-Kutta formulae. J. Comp. Appl. Math. 6 (1980) 19;
///  the dense output: Hairer, Nørsett, Wanner I, II.6]
struct DormandPrince {
  // clang-format off
  static constexpr std::array c{0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0};
  static constexpr std::array a{
      1.0 / 5,
      3.0 / 40,        9.0 / 40,
      44.0 / 45,      -56.0 / 15,       32.0 / 9,
      19372.0 / 6561, -25360.0 / 2187,  64448.0 / 6561, -212.0 / 729,
      9017.0 / 3168,  -355.0 / 33,      46732.0 / 5247,  49.0 / 176,  -5103.0 / 18656};
  static constexpr std::array b{35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
  static constexpr std::array e{71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525,
                                -1.0 / 40};
  static constexpr std::array d{-12715105075.0 / 11282082432, 0.0,                          87487479700.0 / 32700410799,
                                -10690763975.0 / 1880347072,  701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                69997945.0 / 29380423};
  // clang-format on
  static constexpr Tableau tableau{.c = c, .a = a, .b = b, .e = e, .d = d, .error_order = 5, .stability = 3.306};
};

}  // namespace articula::integrate::internal
