#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

#include <articula/spatial/motion.h>

/// The turns of the loop that follows do not depend on one another: the compiler may take several at once.
#if defined(__clang__)
#define ARTICULA_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ARTICULA_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace articula {

/// Memory that begins where a line of the cache does.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{alignof(T) > 64 ? alignof(T) : 64};

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}  // NOLINT: containers convert between the kinds of their parts

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};

template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

/// Of doubles, rows are filled up to whole blocks of eight, so that SIMD lanes need no special case at their end.
template <class T>
constexpr int padded(int count) {
  return std::is_same_v<T, double> ? (count + 7) / 8 * 8 : count;
}

/// Six rows of numbers: motions or forces side by side, one for each degree of freedom, component by component.
template <class T>
struct SixRows {
  T* first;
  std::ptrdiff_t apart;

  ARTICULA_INLINE T* operator[](int component) const { return first + component * apart; }
};

/// Motions or forces side by side, one for each degree of freedom, component by component: what happens to neighbours
/// happens in SIMD lanes.
template <class T>
class Columns {
 public:
  explicit Columns(int count) : count_(static_cast<std::size_t>(padded<T>(count))), data_(6 * count_) {}

  SixRows<T> rows() { return {data_.data(), static_cast<std::ptrdiff_t>(count_)}; }

 protected:
  ARTICULA_INLINE const T* row(int component) const {
    return data_.data() + static_cast<std::size_t>(component) * count_;
  }
  ARTICULA_INLINE T* row(int component) { return data_.data() + static_cast<std::size_t>(component) * count_; }

 private:
  std::size_t count_;
  LineVector<T> data_;
};

template <class T>
struct ForceColumns : Columns<T> {
  using Columns<T>::Columns;

  ARTICULA_INLINE Force<T> at(int k) const {
    return {{this->row(0)[k], this->row(1)[k], this->row(2)[k]}, {this->row(3)[k], this->row(4)[k], this->row(5)[k]}};
  }
  ARTICULA_INLINE void set(int k, const Force<T>& F) {
    this->row(0)[k] = F.n.x, this->row(1)[k] = F.n.y, this->row(2)[k] = F.n.z;
    this->row(3)[k] = F.f.x, this->row(4)[k] = F.f.y, this->row(5)[k] = F.f.z;
  }
};

template <class T>
struct MotionColumns : Columns<T> {
  using Columns<T>::Columns;

  ARTICULA_INLINE Motion<T> at(int k) const {
    return {{this->row(0)[k], this->row(1)[k], this->row(2)[k]}, {this->row(3)[k], this->row(4)[k], this->row(5)[k]}};
  }
  ARTICULA_INLINE void set(int k, const Motion<T>& V) {
    this->row(0)[k] = V.w.x, this->row(1)[k] = V.w.y, this->row(2)[k] = V.w.z;
    this->row(3)[k] = V.v.x, this->row(4)[k] = V.v.y, this->row(5)[k] = V.v.z;
  }
};

}  // namespace articula
