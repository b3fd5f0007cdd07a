#pragma once

#include <cmath>

#include <articula/base/modules.h>

namespace articula::control {

/// Compressible oil that cavitates at its vapour pressure: the equation of state of one chamber.
///
///     p = p_v + β·ln(V_oil/V)    while V_oil ≥ V: the chamber is full of liquid
///     p = p_v                    while V_oil < V: the volume V − V_oil is vapour
///
/// V_oil is the volume that the oil of the chamber has as a liquid at the vapour pressure p_v, so it measures the mass.
/// The state is s = p_v + β·ln(V_oil/V) in both cases: the pressure of a full chamber, and below p_v a measure of the
/// vapour volume. From d(ln V_oil)/dt = Q_oil/V_oil follows
///
///     ṡ = β·(Q_oil/V_oil − V̇/V)
///
/// which is ṗ = β/V·(Q − V̇) in the liquid, with Q = Q_oil·V/V_oil the inflow at the density of the chamber. The oil is
/// conserved exactly: the cavity collapses when, and only when, V is full again. Vapour has no mass, and no dissolved
/// gas is released (the discrete vapour cavity model with one cavity).
/// [Bergant, Simpson & Tijsseling: Water hammer with column separation: a historical review, J. Fluids Struct. 22 (2006)]
struct Oil {
  double bulk_modulus = 0;     ///< β
  double vapour_pressure = 0;  ///< p_v, in the same scale as all other pressures

  template <class T>
  T pressure(const T& s) const {
    return s > T(vapour_pressure) ? s : T(vapour_pressure);
  }
  /// V_oil/V.
  template <class T>
  T filling(const T& s) const {
    using std::exp;
    return exp((s - vapour_pressure) / bulk_modulus);
  }
  template <class T>
  T vapour_volume(const T& s, const T& V) const {
    return s < T(vapour_pressure) ? V * (T(1) - filling(s)) : T(0);
  }
  /// ṡ with the inflows Q of liquid at the density it has in the chamber, and Q_oil at the density it has at p_v.
  template <class T>
  T rate(const T& s, const T& V, const T& Vdot, const T& Q, const T& Q_oil) const {
    if (s < T(vapour_pressure)) return bulk_modulus / V * ((Q + Q_oil) / filling(s) - Vdot);
    return bulk_modulus / V * (Q + Q_oil / filling(s) - Vdot);
  }
};

}  // namespace articula::control
