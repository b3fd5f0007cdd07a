#pragma once

#include <articula/spatial/motion.h>

namespace articula::spatial {

/// The motion axis of a turn about coordinate axis k, through the origin; `sign` is ±1.
template <class T, int k>
struct TurnAxis {
  T sign = T(1);

  Motion<T> dense() const {
    Motion<T> H;
    H.w[k] = sign;
    return H;
  }
};

/// The motion axis of a slide along coordinate axis k; `sign` is ±1.
template <class T, int k>
struct SlideAxis {
  T sign = T(1);

  Motion<T> dense() const {
    Motion<T> H;
    H.v[k] = sign;
    return H;
  }
};

/// X_AB · H: the axis seen from A.
template <class T, class P, int k>
ARTICULA_INLINE Motion<T> operator*(const Pose<T>& X_AB, const TurnAxis<P, k>& H) {
  const Vec3<T> w = H.sign * X_AB.R.m.column(k);
  return {w, cross(X_AB.p, w)};
}
template <class T, class P, int k>
ARTICULA_INLINE Motion<T> operator*(const Pose<T>& X_AB, const SlideAxis<P, k>& H) {
  return {Vec3<T>::zero(), H.sign * X_AB.R.m.column(k)};
}

/// V += H·x, the motion that a rate x along the axis H adds.
template <class A, class T, int k>
ARTICULA_INLINE void add_along(Motion<A>& V, const TurnAxis<T, k>& H, const A& x) {
  V.w[k] += H.sign * x;
}
template <class A, class T, int k>
ARTICULA_INLINE void add_along(Motion<A>& V, const SlideAxis<T, k>& H, const A& x) {
  V.v[k] += H.sign * x;
}
template <class A, class T>
ARTICULA_INLINE void add_along(Motion<A>& V, const Motion<T>& H, const A& x) {
  V += H * x;
}

/// A += V × (H·x), the rate of the motion along the axis in a frame that moves with V.
template <class A, class T, int k>
ARTICULA_INLINE void add_cross_along(Motion<A>& rate, const Motion<A>& V, const TurnAxis<T, k>& H, const A& x) {
  constexpr int a = (k + 1) % 3, b = (k + 2) % 3;
  const A turn = H.sign * x;
  rate.w[a] += V.w[b] * turn, rate.w[b] -= V.w[a] * turn;
  rate.v[a] += V.v[b] * turn, rate.v[b] -= V.v[a] * turn;
}
template <class A, class T, int k>
ARTICULA_INLINE void add_cross_along(Motion<A>& rate, const Motion<A>& V, const SlideAxis<T, k>& H, const A& x) {
  constexpr int a = (k + 1) % 3, b = (k + 2) % 3;
  const A slide = H.sign * x;
  rate.v[a] += V.w[b] * slide, rate.v[b] -= V.w[a] * slide;
}
template <class A, class T>
ARTICULA_INLINE void add_cross_along(Motion<A>& rate, const Motion<A>& V, const Motion<T>& H, const A& x) {
  rate = plus_cross(rate, V, H * x);
}

/// Hᵀ·F, the part of a force that works along the axis.
template <class T, int k, class B>
ARTICULA_INLINE auto dot(const TurnAxis<T, k>& H, const Force<B>& F) {
  return H.sign * F.n[k];
}
template <class T, int k, class B>
ARTICULA_INLINE auto dot(const SlideAxis<T, k>& H, const Force<B>& F) {
  return H.sign * F.f[k];
}

/// Which kind of axis a SparseAxis holds.
enum class AxisForm : unsigned char { turn_x, turn_y, turn_z, slide_x, slide_y, slide_z, general };

/// A motion axis whose sparsity is known at run time, opened by `visit`.
template <class T>
struct SparseAxis {
  AxisForm form = AxisForm::general;
  T sign = T(1);
  Motion<T> H;  ///< of a general axis

  template <class F>
  ARTICULA_INLINE decltype(auto) visit(F&& f) const {
    switch (form) {
      case AxisForm::turn_x: return f(TurnAxis<T, 0>{sign});
      case AxisForm::turn_y: return f(TurnAxis<T, 1>{sign});
      case AxisForm::turn_z: return f(TurnAxis<T, 2>{sign});
      case AxisForm::slide_x: return f(SlideAxis<T, 0>{sign});
      case AxisForm::slide_y: return f(SlideAxis<T, 1>{sign});
      case AxisForm::slide_z: return f(SlideAxis<T, 2>{sign});
      default: return f(H);
    }
  }

  Motion<T> dense() const {
    return visit([](const auto& axis) -> Motion<T> {
      if constexpr (requires { axis.dense(); }) {
        return axis.dense();
      } else {
        return axis;
      }
    });
  }
};

}  // namespace articula::spatial
