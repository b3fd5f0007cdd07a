#pragma once

#include <articula/control/trajectories/spline.h>

namespace articula::control {

/// The slopes at all points for which the cubic pieces between them form a spline; x and the result are row-major.
///
///     h_k·m_{k−1} + 2(h_{k−1} + h_k)·m_k + h_{k−1}·m_{k+1} = 3(h_k·δ_{k−1} + h_{k−1}·δ_k),   δ_k = (x_{k+1} − x_k)/h_k
///
/// [de Boor, A practical guide to splines, IV]
///
/// @pre the times ascend and there are at least two; of a periodic spline the last point is the first
std::vector<double> spline_slopes(std::span<const double> times, std::span<const double> x, std::size_t size,
                                  SplineEnds ends, std::span<const double> start_speed,
                                  std::span<const double> end_speed);

/// The coefficients of the cubic pieces with these points and slopes, as PiecewisePolynomial takes them.
std::vector<double> cubic_pieces(std::span<const double> times, std::span<const double> x, std::span<const double> m,
                                 std::size_t size);

}  // namespace articula::control
