#include <articula/report/internal/thin.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace articula::report {
namespace {

/// Keeps the rows of [begin, end) with the extreme values and the first gap, in order.
void keep_extremes(std::span<const double> values, std::size_t begin, std::size_t end, std::vector<std::size_t>& kept) {
  std::size_t least = end, greatest = end, gap = end;
  for (std::size_t row = begin; row < end; ++row) {
    if (!std::isfinite(values[row])) {
      if (gap == end) gap = row;
      continue;
    }
    if (least == end || values[row] < values[least]) least = row;
    if (greatest == end || values[row] > values[greatest]) greatest = row;
  }
  std::array rows{least, greatest, gap};
  std::sort(rows.begin(), rows.end());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k] != end && (k == 0 || rows[k] != rows[k - 1])) kept.push_back(rows[k]);
  }
}

}  // namespace

std::vector<std::size_t> kept_rows(std::span<const double> values, std::size_t most) {
  const std::size_t size = values.size();
  if (size <= most) {
    std::vector<std::size_t> all(size);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  const bool finite = std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  const std::size_t stretches = (most - 2) / (finite ? 2 : 3);
  std::vector<std::size_t> kept{0};
  const std::size_t inner = size - 2;
  for (std::size_t k = 0; k < stretches; ++k) {
    keep_extremes(values, 1 + inner * k / stretches, 1 + inner * (k + 1) / stretches, kept);
  }
  kept.push_back(size - 1);
  return kept;
}

}  // namespace articula::report
