#pragma once

#include <articula/control/trajectory.h>

namespace articula {

/// Polynomials one after another: on the piece from knots[p] to knots[p + 1],
///
///     xᵢ(t) = Σ_k c[(p·(degree + 1) + k)·size + i]·(t − knots[p])ᵏ
///
/// What splines, ramps and tables become. Where derivatives jump it finds out itself, at the ends too, beyond which it
/// stands still; a periodic one repeats instead.
class ARTICULA_EXPORT PiecewisePolynomial final : public Trajectory {
 public:
  /// @pre the knots ascend; there are (knots − 1)·(degree + 1)·size coefficients
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

}  // namespace articula
