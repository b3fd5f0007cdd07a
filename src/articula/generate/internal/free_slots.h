#pragma once

#include <algorithm>
#include <iterator>
#include <map>

#include <articula/base/modules.h>

namespace articula::generate {

/// Allocates runs of consecutive slots of a workspace.
class FreeSlots {
 public:
  explicit FreeSlots(int first) : end_(first) {}

  /// The lowest free run of `count` consecutive slots.
  int take(int count) {
    auto gap = std::find_if(gaps_.begin(), gaps_.end(), [&](const auto& g) { return g.second - g.first >= count; });
    if (gap == gaps_.end()) {
      const int first = end_;
      end_ += count;
      return first;
    }
    const auto [first, end] = *gap;
    gaps_.erase(gap);
    if (first + count < end) gaps_.emplace(first + count, end);
    return first;
  }

  void give(int first, int count) {
    if (count == 0) return;
    int end = first + count;
    auto next = gaps_.lower_bound(first);
    if (next != gaps_.end() && next->first == end) {
      end = next->second;
      next = gaps_.erase(next);
    }
    if (next != gaps_.begin() && std::prev(next)->second == first) {
      std::prev(next)->second = end;
    } else {
      gaps_.emplace_hint(next, first, end);
    }
  }

  /// One past the highest slot that was ever allocated.
  int end() const { return end_; }

 private:
  std::map<int, int> gaps_;  ///< first slot, one past the last
  int end_;
};

}  // namespace articula::generate
