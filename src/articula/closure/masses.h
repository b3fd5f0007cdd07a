#pragma once

#include <cmath>
#include <optional>

#include <articula/closure/coupled_masses.h>
#include <articula/closure/hybrid_dynamics.h>
#include <articula/dynamics/inverse_mass_matrix.h>
#include <articula/scalar/finite.h>

namespace articula::closure {

/// From the tips inward, the first degree of freedom whose d = 1/(Hᵀ·M_A·H) is not finite: the cause of those before it.
inline std::size_t first_singular(std::span<const double> d) {
  std::size_t dof = d.size();
  while (dof-- > 0) {
    if (!std::isfinite(d[dof])) return dof;
  }
  return d.size() - 1;
}

/// The mass matrix in independent coordinates, M_y = Gᵀ·M·G, and its inverse, over any scalar; row by row.
/// Allocates in its constructor only.
template <class T, class P = T>
class Masses {
 public:
  Masses(const Mechanism& mech, bool inverse) : mech_(mech), composite_(mech), n_(static_cast<std::size_t>(mech.nv)) {
    if (mech.is_coupled()) M_.resize(n_ * n_), M_G_.resize(n_ * mech.independent.v.size());
    if (!inverse) return;
    if (mech.is_coupled()) {
      factors_.emplace(mech);
    } else {
      recursion_.emplace(mech);
    }
  }

  /// M_y
  void matrix(const Parameters<P>& par, const Positions<T>& kin, std::span<T> M_y) {
    const std::span<T> M = mech_.is_coupled() ? std::span<T>(M_) : M_y;
    mass_matrix<T, P>(mech_, par, kin, composite_, M);
    if (mech_.is_coupled()) reduce_matrix(mech_, par, mech_.independent, M.data(), M_G_.data(), M_y.data());
  }

  /// M_y⁻¹ of the coordinates that are free; zero where motion is prescribed. False, with `failed`, where a joint cannot be
  /// accelerated; only numbers can tell.
  bool inverse(const Parameters<P>& par, const Positions<T>& kin, std::span<const DofRole> roles,
               std::span<T> inverse) {
    if (!factors_) {
      inverse_mass_matrix<T, P>(mech_, par, kin, *recursion_, inverse, roles);
      if constexpr (std::is_same_v<T, double>) {
        if (all_finite(inverse)) return true;
        failed = first_singular(recursion_->d());
        return false;
      }
      return true;
    }
    factor_coupled_masses<T, P>(mech_, par, kin, roles, *factors_);
    if constexpr (std::is_same_v<T, double>) {
      if (const auto singular = find_singular(mech_, *factors_)) {
        failed = *singular;
        return false;
      }
    }
    inverse_of_coupled_masses<T>(mech_, roles, *factors_, inverse.data());
    return true;
  }

  std::size_t failed = 0;  ///< the degree of freedom that could not be accelerated

 private:
  const Mechanism& mech_;
  CompositeBody<T> composite_;
  std::size_t n_;
  std::vector<T> M_, M_G_;  ///< where joints are coupled
  std::optional<CoupledMasses<T>> factors_;
  std::optional<InverseMassMatrix<T>> recursion_;
};

}  // namespace articula::closure
