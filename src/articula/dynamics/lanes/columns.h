#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

#include <articula/spatial/motion.h>

/// The iterations of the following loop are independent: the compiler may vectorize it.
#if defined(__clang__)
#define ARTICULA_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ARTICULA_INDEPENDENT _Pragma("GCC ivdep")
#endif

/// The following loop has few iterations, whose number is known at compile time: the compiler unrolls it.
#if defined(__clang__)
#define ARTICULA_UNROLLED _Pragma("unroll")
#else
#define ARTICULA_UNROLLED _Pragma("GCC unroll 8")
#endif

/// Memory layouts for SIMD lanes, which process neighbouring degrees of freedom at once.
namespace articula::dynamics::lanes {

/// Allocates memory aligned to cache lines.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{alignof(T) > 64 ? alignof(T) : 64};

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}  // NOLINT: containers convert allocators between element types

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};

template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

/// Rows of doubles are padded to whole blocks of eight, so that SIMD lanes need no special case at their end.
template <class T>
constexpr int padded(int count) {
  return std::is_same_v<T, double> ? (count + 7) / 8 * 8 : count;
}

/// Numbers T in memory as an L: a pack of them, or T itself.
template <class L, class T>
ARTICULA_INLINE L load(const T* from) {
  if constexpr (std::is_same_v<L, T>) {
    return *from;
  } else {
    return L::load(from);
  }
}
template <class L, class T>
ARTICULA_INLINE void store(const L& value, T* to) {
  if constexpr (std::is_same_v<L, T>) {
    *to = value;
  } else {
    value.store(to);
  }
}

/// Motions or forces, one for each degree of freedom, as plain numbers. Doubles are stored component by component, so
/// that neighbouring degrees of freedom are in neighbouring lanes; other numbers are stored motion by motion.
template <class T>
struct SixRows {
  T* first;
  std::ptrdiff_t stride;  ///< from one component to the next, for doubles

  ARTICULA_INLINE T* at(int component, int k) const {
    if constexpr (std::is_same_v<std::remove_const_t<T>, double>) {
      return first + component * stride + k;
    } else {
      return first + 6 * static_cast<std::ptrdiff_t>(k) + component;
    }
  }
};

/// The motion or force of degree of freedom k; for a pack L, those of k and its successors.
template <class L, class T>
ARTICULA_INLINE Motion<L> motions(const SixRows<T>& rows, int k) {
  return {{load<L>(rows.at(0, k)), load<L>(rows.at(1, k)), load<L>(rows.at(2, k))},
          {load<L>(rows.at(3, k)), load<L>(rows.at(4, k)), load<L>(rows.at(5, k))}};
}
template <class L, class T>
ARTICULA_INLINE Force<L> forces(const SixRows<T>& rows, int k) {
  return {{load<L>(rows.at(0, k)), load<L>(rows.at(1, k)), load<L>(rows.at(2, k))},
          {load<L>(rows.at(3, k)), load<L>(rows.at(4, k)), load<L>(rows.at(5, k))}};
}
/// The same if only the angular part is stored.
template <class L, class T>
ARTICULA_INLINE Vec3<L> angular(const SixRows<T>& rows, int k) {
  return {load<L>(rows.at(0, k)), load<L>(rows.at(1, k)), load<L>(rows.at(2, k))};
}
template <class L, class T>
ARTICULA_INLINE void store(const Vec3<L>& w, const SixRows<T>& rows, int k) {
  store(w.x, rows.at(0, k)), store(w.y, rows.at(1, k)), store(w.z, rows.at(2, k));
}
template <class L, class T>
ARTICULA_INLINE void store(const Motion<L>& V, const SixRows<T>& rows, int k) {
  store(V.w.x, rows.at(0, k)), store(V.w.y, rows.at(1, k)), store(V.w.z, rows.at(2, k));
  store(V.v.x, rows.at(3, k)), store(V.v.y, rows.at(4, k)), store(V.v.z, rows.at(5, k));
}
template <class L, class T>
ARTICULA_INLINE void store(const Force<L>& F, const SixRows<T>& rows, int k) {
  store(F.n.x, rows.at(0, k)), store(F.n.y, rows.at(1, k)), store(F.n.z, rows.at(2, k));
  store(F.f.x, rows.at(3, k)), store(F.f.y, rows.at(4, k)), store(F.f.z, rows.at(5, k));
}

/// Storage for SixRows.
template <class T>
class Columns {
 public:
  explicit Columns(int count) : count_(static_cast<std::size_t>(padded<T>(count))), data_(6 * count_) {}

  ARTICULA_INLINE SixRows<T> rows() { return {data_.data(), static_cast<std::ptrdiff_t>(count_)}; }
  ARTICULA_INLINE SixRows<const T> rows() const { return {data_.data(), static_cast<std::ptrdiff_t>(count_)}; }

 private:
  std::size_t count_;
  LineVector<T> data_;
};

template <class T>
struct ForceColumns : Columns<T> {
  using Columns<T>::Columns;

  ARTICULA_INLINE Force<T> at(int k) const { return forces<T>(this->rows(), k); }
  ARTICULA_INLINE void set(int k, const Force<T>& F) { store(F, this->rows(), k); }
};

template <class T>
struct MotionColumns : Columns<T> {
  using Columns<T>::Columns;

  ARTICULA_INLINE Motion<T> at(int k) const { return motions<T>(this->rows(), k); }
  ARTICULA_INLINE void set(int k, const Motion<T>& V) { store(V, this->rows(), k); }
};

}  // namespace articula::dynamics::lanes
