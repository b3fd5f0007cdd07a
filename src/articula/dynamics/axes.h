#pragma once

#include <cstddef>

#include <articula/spatial/inertia.h>

namespace articula::dynamics {

/// The axes of a joint as one map H: how many, V += H·x, A += V × (H·x), x = Hᵀ·F, whose entries may stand
/// apart; and f(k, axis) for each axis. Sparse joints know their sparsity
/// by type; all algorithms are written with these few operations.

/// A joint with one coordinate axis.
template <class Axis>
struct OneAxis {
  Axis axis;

  static constexpr int count() { return 1; }
  static constexpr bool constant = true;  ///< Ḣ = 0

  template <class T>
  ARTICULA_INLINE void add(Motion<T>& V, const T* x) const {
    add_along(V, axis, x[0]);
  }
  template <class T>
  ARTICULA_INLINE void add_cross(Motion<T>& A, const Motion<T>& V, const T* x) const {
    add_cross_along(A, V, axis, x[0]);
  }
  template <class T>
  ARTICULA_INLINE void project(const Force<T>& F, T* x, std::ptrdiff_t = 1) const {
    x[0] = dot(axis, F);
  }
  template <class T>
  ARTICULA_INLINE const Axis& axis_at(int) const {
    return axis;
  }
  template <class T, class F>
  ARTICULA_INLINE void each(F&& f) const {
    f(0, axis);
  }
  template <class T, class F>
  ARTICULA_INLINE void each_backwards(F&& f) const {
    f(0, axis);
  }
};

/// A free joint whose frame is the body's: linear along x, y, z, then angular.
struct FreeAxes {
  static constexpr int count() { return 6; }
  static constexpr bool constant = true;

  template <class T>
  ARTICULA_INLINE void add(Motion<T>& V, const T* x) const {
    V.v += Vec3<T>{x[0], x[1], x[2]};
    V.w += Vec3<T>{x[3], x[4], x[5]};
  }
  template <class T>
  ARTICULA_INLINE void add_cross(Motion<T>& A, const Motion<T>& V, const T* x) const {
    A = plus_cross(A, V, Motion<T>{{x[3], x[4], x[5]}, {x[0], x[1], x[2]}});
  }
  template <class T>
  ARTICULA_INLINE void project(const Force<T>& F, T* x, std::ptrdiff_t apart = 1) const {
    x[0] = F.f.x, x[apart] = F.f.y, x[2 * apart] = F.f.z;
    x[3 * apart] = F.n.x, x[4 * apart] = F.n.y, x[5 * apart] = F.n.z;
  }
  template <class T>
  ARTICULA_INLINE Motion<T> axis_at(int k) const {
    return k < 3 ? Motion<T>{Vec3<T>::zero(), Vec3<T>::unit(k)} : Motion<T>{Vec3<T>::unit(k - 3), Vec3<T>::zero()};
  }
  template <class T, class F>
  ARTICULA_INLINE void each(F&& f) const {
    f(0, SlideAxis<T, 0>{}), f(1, SlideAxis<T, 1>{}), f(2, SlideAxis<T, 2>{});
    f(3, TurnAxis<T, 0>{}), f(4, TurnAxis<T, 1>{}), f(5, TurnAxis<T, 2>{});
  }
  template <class T, class F>
  ARTICULA_INLINE void each_backwards(F&& f) const {
    f(5, TurnAxis<T, 2>{}), f(4, TurnAxis<T, 1>{}), f(3, TurnAxis<T, 0>{});
    f(2, SlideAxis<T, 2>{}), f(1, SlideAxis<T, 1>{}), f(0, SlideAxis<T, 0>{});
  }
};

/// Any other joint: its axes one by one.
template <class S>
struct DenseAxes {
  const Motion<S>* H;
  int nv;

  ARTICULA_INLINE int count() const { return nv; }
  static constexpr bool constant = false;

  template <class T>
  ARTICULA_INLINE void add(Motion<T>& V, const T* x) const {
    for (int k = 0; k < nv; ++k) V += H[k] * x[k];
  }
  template <class T>
  ARTICULA_INLINE void add_cross(Motion<T>& A, const Motion<T>& V, const T* x) const {
    Motion<T> along;
    add(along, x);
    A = plus_cross(A, V, along);
  }
  template <class T>
  ARTICULA_INLINE void project(const Force<T>& F, T* x, std::ptrdiff_t apart = 1) const {
    for (int k = 0; k < nv; ++k) x[k * apart] = dot(H[k], F);
  }
  template <class T>
  ARTICULA_INLINE const Motion<T>& axis_at(int k) const {
    return H[k];
  }
  template <class T, class F>
  ARTICULA_INLINE void each(F&& f) const {
    for (int k = 0; k < nv; ++k) f(k, H[k]);
  }
  template <class T, class F>
  ARTICULA_INLINE void each_backwards(F&& f) const {
    for (int k = nv - 1; k >= 0; --k) f(k, H[k]);
  }
};

}  // namespace articula::dynamics
