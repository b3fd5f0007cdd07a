#pragma once

#include <cmath>
#include <string_view>
#include <tuple>

#include <articula/base/units.h>
#include <articula/spatial/vec3.h>

namespace articula::model {

/// That of a point mass: acceleration −mu·r/|r|³ towards its centre. At the centre itself it is zero: 0.1 nm, added to the
/// distance in squares, keeps it finite there and is lost in rounding elsewhere.
template <class T>
struct CentralField {
  static constexpr std::string_view name = "central", example = "{center: [0, 0, 0], mu: 3.986e14}";

  Vec3<T> center = Vec3<T>::zero();
  T mu = T(0);  ///< gravitational parameter, m³/s²

  /// The acceleration at p.
  template <class S>
  Vec3<S> acceleration(const Vec3<S>& p_W) const {
    using std::sqrt;
    const Vec3<S> r = p_W - center;
    const S r2 = dot(r, r) + S(1e-20);
    return r * (S(1) / sqrt(r2)) * (S(-mu) / r2);
  }
  /// The potential per mass, zero at infinity.
  template <class S>
  S potential(const Vec3<S>& p_W) const {
    using std::sqrt;
    const Vec3<S> r = p_W - center;
    return S(-mu) / sqrt(dot(r, r) + S(1e-20));
  }

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("center", self.center, dimension::length);
    field("mu", self.mu, dimension::gravitational_parameter);
  }
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.center, self.mu);
  }
  friend bool operator==(const CentralField&, const CentralField&) = default;
};

using CentralGravity = CentralField<double>;

}  // namespace articula::model
