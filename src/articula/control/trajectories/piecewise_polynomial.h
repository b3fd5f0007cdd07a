#pragma once

#include <articula/control/trajectory.h>

namespace articula::control {

/// A piecewise polynomial: on the piece from knots[p] to knots[p + 1],
///
///     xᵢ(t) = Σ_k c[(p·(degree + 1) + k)·size + i]·(t − knots[p])ᵏ
///
/// Splines, ramps and tables use it. It detects where derivatives jump, also at its ends, outside of which it is at
/// rest; a periodic one repeats.
class ARTICULA_EXPORT PiecewisePolynomial final : public Trajectory {
 public:
  /// @pre the knots are ascending; there are (knots − 1)·(degree + 1)·size coefficients
  PiecewisePolynomial(int size, int degree, std::vector<double> knots, std::vector<double> coefficients,
                      bool periodic = false);

  int size() const override { return static_cast<int>(size_); }
  void evaluate(double t, int order, std::span<double> x) const override;
  std::vector<double> breaks(double until) const override;
  int smoothness() const override { return smoothness_; }
  double begin() const override { return knots_.front(); }
  double end() const override;

 private:
  void evaluate_piece(std::size_t piece, double s, std::size_t order, std::span<double> x) const;
  void find_breaks();
  int first_jump(std::span<const double> before, std::span<const double> after, std::span<const double> noise) const;

  std::size_t size_, degree_;
  std::vector<double> knots_, c_;
  bool periodic_;
  std::vector<double> breaks_;
  int smoothness_ = std::numeric_limits<int>::max();
};

}  // namespace articula::control
