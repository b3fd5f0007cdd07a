#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <articula/base/modules.h>

namespace articula::integrate::internal {

/// |a − b| in units of `scale`, squared.
inline double squared_distance(std::span<const double> a, std::span<const double> b, std::span<const double> scale) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double entry = (a[i] - b[i]) / scale[i];
    sum += entry * entry;
  }
  return sum;
}

/// The rate of change of f with y between two states: |f₁ − f₀| / |y₁ − y₀|, an estimate of the largest |λ| among what
/// moves. Entry i is measured in units of scale[i]. 0 if y₁ − y₀ is of the size of rounding.
inline double fastest_rate(std::span<const double> f1, std::span<const double> f0, std::span<const double> y1,
                           std::span<const double> y0, std::span<const double> scale) {
  double size = 0;
  for (std::size_t i = 0; i < y1.size(); ++i) size += y1[i] / scale[i] * (y1[i] / scale[i]);
  const double change_y = squared_distance(y1, y0, scale);
  return change_y > 1e-24 * size && change_y > 0 ? std::sqrt(squared_distance(f1, f0, scale) / change_y) : 0;
}

/// Detects from h·|λ| of successive steps whether stability limits the steps: 15 at the bound, unless six in a row are
/// below it in between.  [Hairer, Wanner II, IV.2]
class StiffnessTest {
 public:
  bool see(bool at_bound) {
    if (at_bound) {
      calm_ = 0;
      if (at_bound_ < 15) ++at_bound_;
    } else if (++calm_ == 6) {
      at_bound_ = calm_ = 0;
    }
    return at_bound_ >= 15;
  }

  std::uint64_t memory() const { return at_bound_ | calm_ << 8; }
  void recall(std::uint64_t memory) { at_bound_ = memory & 0xff, calm_ = memory >> 8 & 0xff; }

 private:
  std::uint64_t at_bound_ = 0, calm_ = 0;
};

/// h·|λ| with a fixed step: the geometric mean of the last 16 steps. A single step does not tell, since |f₁ − f₀| swings
/// about |λ|·|y₁ − y₀| as kinetic energy becomes potential and back; the mean over an oscillation is |λ|. Entries are
/// measured in units of the largest value they had.
class MeanReach {
 public:
  explicit MeanReach(std::size_t n) : scale_(n) {}

  void start(std::span<const double> y) {
    forget();
    std::fill(scale_.begin(), scale_.end(), 1e-9);
    grow(y);
  }
  void grow(std::span<const double> y) {
    for (std::size_t i = 0; i < y.size(); ++i) scale_[i] = std::max(scale_[i], std::abs(y[i]));
  }
  std::span<const double> scale() const { return scale_; }

  /// Adds one step; 0 or not finite if it is unknown. Returns 0 until 16 successive steps are known.
  double see(double reach) {
    if (!(reach > 0) || !std::isfinite(reach)) {
      forget();
      return 0;
    }
    double& slot = logs_[count_ % 16];
    if (count_ >= 16) sum_ -= slot;
    slot = std::log(reach);
    sum_ += slot;
    return ++count_ >= 16 ? std::exp(sum_ / 16) : 0;
  }

 private:
  void forget() { count_ = 0, sum_ = 0; }

  std::vector<double> scale_;
  double logs_[16] = {};
  double sum_ = 0;
  long count_ = 0;
};

}  // namespace articula::integrate::internal
