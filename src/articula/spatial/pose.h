#pragma once

#include <articula/spatial/rotation.h>

namespace articula::spatial {

/// The pose of frame B in frame A: p_A = X_AB · p_B, and X_AC = X_AB · X_BC.
///
/// Motions, forces and inertias are moved by every kind of pose through the same few operations
/// (`rotate`, `rotate_back`, `p`); a pose that knows its rotation to be about one coordinate axis, or to be
/// none, does them with fewer multiplications. That is how sparsity reaches the algorithms: by type.
template <class T>
struct Pose {
  using Scalar = T;

  Rotation<T> R;
  Vec3<T> p = Vec3<T>::zero();

  static Pose identity() { return {}; }

  template <class B>
  ARTICULA_INLINE auto rotate(const Vec3<B>& v_B) const {
    return R.rotate(v_B);
  }
  template <class B>
  ARTICULA_INLINE auto rotate_back(const Vec3<B>& v_A) const {
    return R.rotate_back(v_A);
  }
  /// R·S·Rᵀ.
  template <class B>
  ARTICULA_INLINE auto rotate(const SymMat3<B>& S) const {
    using C = Product<T, B>;
    const Vec3<C> s0 = S * R.m.row[0], s1 = S * R.m.row[1], s2 = S * R.m.row[2];
    return SymMat3<C>{dot(R.m.row[0], s0), dot(R.m.row[0], s1), dot(R.m.row[0], s2),
                      dot(R.m.row[1], s1), dot(R.m.row[1], s2), dot(R.m.row[2], s2)};
  }
  template <class B>
  ARTICULA_INLINE auto rotate(const Mat3<B>& S) const {
    return R.m * S * R.m.transpose();
  }

  ARTICULA_INLINE auto inverse() const&;
  ARTICULA_INLINE Pose inverse() && { return {R.inverse(), -R.rotate_back(p)}; }

  friend bool operator==(const Pose&, const Pose&) = default;
};

/// A pose that only shifts.
template <class T>
struct Shift {
  using Scalar = T;

  Vec3<T> p = Vec3<T>::zero();

  /// Of a Vec3, SymMat3 or Mat3.
  template <template <class> class Value, class B>
  ARTICULA_INLINE auto rotate(const Value<B>& v) const {
    return over<Product<T, B>>(v);
  }
  template <class B>
  ARTICULA_INLINE auto rotate_back(const Vec3<B>& v) const {
    return over<Product<T, B>>(v);
  }

  ARTICULA_INLINE auto inverse() const&;
  ARTICULA_INLINE Shift inverse() && { return {-p}; }
  Pose<T> dense() const { return {Rotation<T>::identity(), p}; }
};

/// A pose that turns about coordinate axis k, by the angle with cosine c and sine s, and shifts by p, which may be
/// over a plainer scalar P: a constant placement among packs.
template <class T, int k, class P = T>
struct Turn {
  using Scalar = T;

  T c = T(1), s = T(0);
  Vec3<P> p = Vec3<P>::zero();

  static constexpr int a = (k + 1) % 3, b = (k + 2) % 3;

  template <class B>
  ARTICULA_INLINE auto rotate(const Vec3<B>& v) const {
    Vec3<Product<T, B>> r;
    r[k] = Product<T, B>(v[k]);
    r[a] = c * v[a] - s * v[b];
    r[b] = s * v[a] + c * v[b];
    return r;
  }
  template <class B>
  ARTICULA_INLINE auto rotate_back(const Vec3<B>& v) const {
    Vec3<Product<T, B>> r;
    r[k] = Product<T, B>(v[k]);
    r[a] = c * v[a] + s * v[b];
    r[b] = c * v[b] - s * v[a];
    return r;
  }
  template <class B>
  ARTICULA_INLINE auto rotate(const SymMat3<B>& S) const {
    using C = Product<T, B>;
    const C cc = c * c, ss = s * s, cs = c * s;
    const C both = C(2) * cs * S(a, b);
    SymMat3<C> r;
    r(a, a) = cc * S(a, a) - both + ss * S(b, b);
    r(b, b) = ss * S(a, a) + both + cc * S(b, b);
    r(a, b) = cs * (S(a, a) - S(b, b)) + (cc - ss) * S(a, b);
    r(k, k) = C(S(k, k));
    r(k, a) = c * S(k, a) - s * S(k, b);
    r(k, b) = s * S(k, a) + c * S(k, b);
    return r;
  }
  template <class B>
  ARTICULA_INLINE auto rotate(const Mat3<B>& S) const {
    Mat3<Product<T, B>> r;
    const auto row_a = rotate(S.row[a]), row_b = rotate(S.row[b]);  // of S·Rᵀ
    r.row[k] = rotate(S.row[k]);
    r.row[a] = c * row_a - s * row_b;
    r.row[b] = s * row_a + c * row_b;
    return r;
  }

  ARTICULA_INLINE auto inverse() const&;
  ARTICULA_INLINE Turn<T, k> inverse() && { return {c, -s, -rotate_back(p)}; }
  Pose<T> dense() const { return {rotation_about(k, c, s), over<T>(p)}; }
};

/// The inverse of a pose, not computed but applied backwards. It refers to the pose, which must outlive it: the
/// inverse of a temporary is therefore no such thing but a pose of its own.
template <class X>
struct Inverse {
  const X& X_AB;

  ARTICULA_INLINE const X& inverse() const { return X_AB; }
};

template <class T>
ARTICULA_INLINE auto Pose<T>::inverse() const& {
  return Inverse<Pose<T>>{*this};
}
template <class T>
ARTICULA_INLINE auto Shift<T>::inverse() const& {
  return Inverse<Shift<T>>{*this};
}
template <class T, int k, class P>
ARTICULA_INLINE auto Turn<T, k, P>::inverse() const& {
  return Inverse<Turn<T, k, P>>{*this};
}

/// The kinds of pose: what moves vectors, motions, forces and inertias from one frame to another.
template <class X>
concept AnyPose = requires(const X& x) {
  typename X::Scalar;
  x.p;
  x.rotate(x.p);
  x.rotate_back(x.p);
};

/// The inverse as a pose of its own.
template <class T>
Pose<T> inverted(const Pose<T>& X_AB) {
  return Pose<T>(X_AB).inverse();
}

template <class A, class B>
ARTICULA_INLINE auto operator*(const Pose<A>& X_AB, const Pose<B>& X_BC) {
  return Pose<Product<A, B>>{X_AB.R * X_BC.R, X_AB.R * X_BC.p + X_AB.p};
}
template <class T>
ARTICULA_INLINE Pose<T> operator*(const Pose<T>& X_AB, const Shift<T>& X_BC) {
  return {X_AB.R, X_AB.R * X_BC.p + X_AB.p};
}
template <class T, int k, class P>
ARTICULA_INLINE Pose<T> operator*(const Pose<T>& X_AB, const Turn<T, k, P>& X_BC) {
  Pose<T> X_AC{X_AB.R, X_AB.R * X_BC.p + X_AB.p};
  for (int i = 0; i < 3; ++i) X_AC.R.m.row[i] = X_BC.rotate_back(X_AB.R.m.row[i]);  // rows of R·Rk are Rkᵀ·row
  return X_AC;
}
template <class A, class B>
ARTICULA_INLINE auto operator*(const Inverse<Pose<A>>& X_BA, const Pose<B>& X_AC) {
  return inverted(X_BA.X_AB) * X_AC;
}

/// Where a point given in B lies in A.
template <AnyPose X, class T>
ARTICULA_INLINE auto operator*(const X& X_AB, const Vec3<T>& p_B) {
  return X_AB.rotate(p_B) + X_AB.p;
}
template <AnyPose X, class T>
ARTICULA_INLINE auto operator*(const Inverse<X>& X_BA, const Vec3<T>& p_A) {
  return X_BA.X_AB.rotate_back(p_A - X_BA.X_AB.p);
}

/// What a pose consists of: a translation, a rotation about a coordinate axis and a translation, or any rotation.
enum class PoseForm : unsigned char { shift, turn_x, turn_y, turn_z, general };

}  // namespace articula::spatial
