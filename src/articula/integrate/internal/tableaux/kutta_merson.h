#pragma once

#include <array>

#include <articula/integrate/internal/tableau.h>

namespace articula::integrate::internal {

/// Order 4 with Merson's estimate: a fifth of the difference between y₁ and the place of the fifth stage.
///
///     error ≈ h/30 (2k₁ − 9k₃ + 8k₄ − k₅)
///
/// It is the error of y₁ where f is linear with constant coefficients. Elsewhere the fifth stage is of order 3 only, and
/// the estimate, proportional to h⁴, says nothing about y₁ but that it is smaller, for small steps: they come out shorter
/// than the tolerance asks. [Merson 1957; Hairer, Nørsett, Wanner I, II.4]
struct KuttaMerson {
  // clang-format off
  static constexpr std::array c{0.0, 1.0 / 3, 1.0 / 3, 1.0 / 2, 1.0};
  static constexpr std::array a{1.0 / 3,
                                1.0 / 6, 1.0 / 6,
                                1.0 / 8, 0.0, 3.0 / 8,
                                1.0 / 2, 0.0, -3.0 / 2, 2.0};
  static constexpr std::array b{1.0 / 6, 0.0, 0.0, 2.0 / 3, 1.0 / 6};
  static constexpr std::array e{1.0 / 15, 0.0, -3.0 / 10, 4.0 / 15, -1.0 / 30, 0.0};
  // clang-format on
  static constexpr Tableau tableau{.c = c, .a = a, .b = b, .e = e, .d = {}, .error_order = 4, .stability = 3.548};
};

}  // namespace articula::integrate::internal
