#include <articula/control/trajectories/piecewise_polynomial.h>

#include <algorithm>
#include <cmath>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::control {

PiecewisePolynomial::PiecewisePolynomial(int size, int degree, std::vector<double> knots,
                                         std::vector<double> coefficients, bool periodic)
    : size_(static_cast<std::size_t>(size)),
      degree_(static_cast<std::size_t>(degree)),
      knots_(std::move(knots)),
      c_(std::move(coefficients)),
      periodic_(periodic) {
  find_breaks();
}

double PiecewisePolynomial::end() const { return periodic_ ? std::numeric_limits<double>::infinity() : knots_.back(); }

/// Horner's scheme for the value and, at the same time, for the derivatives divided by their factorials.
void PiecewisePolynomial::evaluate_piece(std::size_t piece, double s, std::size_t order, std::span<double> x) const {
  const std::size_t n = size_, most = std::min(order, degree_);
  std::fill_n(x.begin(), n * (order + 1), 0.0);
  for (std::size_t k = degree_ + 1; k-- > 0;) {
    const double* c = c_.data() + (piece * (degree_ + 1) + k) * n;
    for (std::size_t j = most; j > 0; --j) {
      for (std::size_t i = 0; i < n; ++i) x[j * n + i] = x[j * n + i] * s + x[(j - 1) * n + i];
    }
    for (std::size_t i = 0; i < n; ++i) x[i] = x[i] * s + c[i];
  }
  double factorial = 1;
  for (std::size_t j = 2; j <= most; ++j) {
    factorial *= static_cast<double>(j);
    for (std::size_t i = 0; i < n; ++i) x[j * n + i] *= factorial;
  }
}

void PiecewisePolynomial::evaluate(double t, int order, std::span<double> x) const {
  const auto derivatives = static_cast<std::size_t>(order);
  if (periodic_) {
    const double period = knots_.back() - knots_.front();
    const double rest = std::fmod(t - knots_.front(), period);
    t = knots_.front() + (rest < 0 ? rest + period : rest);
  }
  const bool early = t < knots_.front(), late = t >= knots_.back();
  if (early || late) {
    const std::size_t piece = early ? 0 : knots_.size() - 2;
    evaluate_piece(piece, early ? 0 : knots_.back() - knots_[piece], 0, x);
    std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(size_), size_ * derivatives, 0.0);
    return;
  }
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), t);
  const auto piece = static_cast<std::size_t>(after - knots_.begin()) - 1;
  evaluate_piece(piece, t - knots_[piece], derivatives, x);
}

std::vector<double> PiecewisePolynomial::breaks(double until) const {
  std::vector<double> list;
  const double period = knots_.back() - knots_.front();
  constexpr double most = 1e6;
  if (periodic_ && !breaks_.empty() && (until - knots_.front()) / period > most) {
    throw Error("trajectory-breaks", {},
                concat("a periodic trajectory of ", period, " s has more than ", most, " periods until ", until,
                       " s, and a jump in each. Make the period longer, or the time shorter."));
  }
  for (double shift = 0; shift == 0 || (periodic_ && knots_.front() + shift <= until); shift += period) {
    for (const double t : breaks_) {
      if (t + shift <= until) list.push_back(t + shift);
    }
  }
  return list;
}

/// The lowest derivative that is different before and after a knot; degree + 1 if none is.
int PiecewisePolynomial::first_jump(std::span<const double> before, std::span<const double> after,
                                    std::span<const double> noise) const {
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (std::abs(after[k] - before[k]) > noise[k / size_]) return static_cast<int>(k / size_);
  }
  return static_cast<int>(degree_) + 1;
}

/// A jump must exceed rounding: 1e-9 of the largest value of the derivative at a knot.
void PiecewisePolynomial::find_breaks() {
  const std::size_t n = size_, pieces = knots_.size() - 1, all = n * (degree_ + 1);
  std::vector<double> starts(pieces * all), ends(pieces * all), noise(degree_ + 1, 0.0);
  double least = knots_.back() - knots_.front();
  for (std::size_t p = 0; p < pieces; ++p) {
    const double width = knots_[p + 1] - knots_[p];
    least = std::min(least, width);
    evaluate_piece(p, 0, degree_, std::span(starts).subspan(p * all, all));
    evaluate_piece(p, width, degree_, std::span(ends).subspan(p * all, all));
  }
  for (std::size_t k = 0; k < starts.size(); ++k) {
    double& largest = noise[k % all / n];
    largest = std::max({largest, 1e-9 * std::abs(starts[k]), 1e-9 * std::abs(ends[k])});
  }
  // The effect on a derivative of rounding errors of the values.
  for (std::size_t k = 1; k <= degree_; ++k) noise[k] = std::max(noise[k], 1e-4 * noise[k - 1] / least);

  const auto meet = [&](double t, std::span<const double> before, std::span<const double> after) {
    const int jump = first_jump(before, after, noise);
    if (jump > static_cast<int>(degree_)) return;
    breaks_.push_back(t);
    smoothness_ = std::min(smoothness_, jump - 1);
  };
  const auto start = [&](std::size_t p) { return std::span<const double>(starts).subspan(p * all, all); };
  const auto finish = [&](std::size_t p) { return std::span<const double>(ends).subspan(p * all, all); };
  const auto still = [&](std::span<const double> x) {
    std::vector<double> rest(all, 0.0);
    std::copy_n(x.begin(), n, rest.begin());
    return rest;
  };
  if (periodic_) {
    meet(knots_.front(), finish(pieces - 1), start(0));
  } else {
    meet(knots_.front(), still(start(0)), start(0));
  }
  for (std::size_t p = 1; p < pieces; ++p) meet(knots_[p], finish(p - 1), start(p));
  if (!periodic_) meet(knots_.back(), finish(pieces - 1), still(finish(pieces - 1)));
}

}  // namespace articula::control
