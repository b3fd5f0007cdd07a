#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <vector>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::batch {

/// Numbers of many states in the layout of SIMD lanes: an array of structures of arrays.
///
///     row by row (users):   q[state][k]                        lanes:   q[group][k][lane],  state = group·lanes + lane
///
/// Number k of a group of states, as many as there are lanes, is contiguous. The last group is padded with states that
/// are computed but not returned.
template <class S>
class ARTICULA_EXPORT LaneArray {
 public:
  LaneArray() = default;
  LaneArray(int states, int width, int lanes, S value = S(0));

  int states() const { return states_; }
  int width() const { return width_; }  ///< numbers of each state
  int lanes() const { return lanes_; }
  int groups() const { return (states_ + lanes_ - 1) / lanes_; }

  /// Number k of a state, without range check; the index takes two multiplications.
  S& operator()(int state, int k) { return data_[place(state, k)]; }
  const S& operator()(int state, int k) const { return data_[place(state, k)]; }

  /// All numbers of a group, aligned for its instructions.
  S* group(int g) { return data_.data() + offset(g); }
  const S* group(int g) const { return data_.data() + offset(g); }

  /// From, and to, rows: state after state. Throws an Error unless there are states × width numbers.
  void load(std::span<const S> rows);
  void store(std::span<S> rows) const;

  /// Sets the same number in every state, also in padding.
  void fill(int k, S value);

 private:
  /// Cache lines that begin where instructions want them.
  template <class X>
  struct Aligned {
    using value_type = X;
    Aligned() = default;
    template <class Y>
    Aligned(const Aligned<Y>&) {}  // NOLINT
    X* allocate(std::size_t n) { return static_cast<X*>(::operator new(n * sizeof(X), std::align_val_t{64})); }
    void deallocate(X* p, std::size_t) { ::operator delete(p, std::align_val_t{64}); }
    friend bool operator==(const Aligned&, const Aligned&) { return true; }
  };

  void check(std::size_t rows) const;
  std::size_t offset(int g) const { return static_cast<std::size_t>(g) * static_cast<std::size_t>(width_ * lanes_); }
  std::size_t place(int state, int k) const {
    return offset(state / lanes_) + static_cast<std::size_t>(k * lanes_ + state % lanes_);
  }

  int states_ = 0, width_ = 0, lanes_ = 1;
  std::vector<S, Aligned<S>> data_;
};

extern template class LaneArray<double>;
extern template class LaneArray<float>;

}  // namespace articula::batch
