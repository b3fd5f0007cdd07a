#pragma once

#include <vector>

#include <articula/network/entity_implementation.h>

namespace articula::network {

/// What all entities share whose ports are frames of one rigid thing E.  [UNI table 3.3, 3.6, 3.11]
///
///     X_W,out = X_W,in · X_in,out
///     V_out = φ·V_in              A_out = φ·A_in + φ̇·V
///     F_in = Σ φᵀ·F_out           P_in = Σ φᵀ·P_out·φ,   z_in = Σ φᵀ·(z_out + P_out·φ̇·V)
class ARTICULA_EXPORT Rigid : public EntityImplementation {
 public:
  explicit Rigid(std::vector<Pose<double>> poses) : X_EP_(std::move(poses)) {}

  bool carries(int, int) const override { return true; }
  bool is_rigid() const override { return true; }

  void position(const Site& site) const override;
  void velocity(const Site& site) const override;
  void acceleration(const Site& site) const override;
  void action(const Site& site) const override { site.force_at(site.root) = passed_on(site); }
  void articulated_action(const Site& site) const override {
    site.articulated_at(site.root) = passed_on_articulated(site);
  }

 protected:
  /// What its other ports ask for, as felt at the root.
  Force<double> passed_on(const Site& site) const;
  Articulated passed_on_articulated(const Site& site) const;

  const Pose<double>& X_EP(int k) const { return X_EP_[static_cast<std::size_t>(k)]; }

 private:
  Pose<double> phi(const Site& site, int k) const {
    return site.phi(k, site.root, inverted(X_EP(k)) * X_EP(site.root));
  }
  int ports() const { return static_cast<int>(X_EP_.size()); }

  std::vector<Pose<double>> X_EP_;  ///< of each port in the entity's own frame
};

/// Its own frame, then those fixed in it: the ports of bodies and reference frames.
ARTICULA_EXPORT std::vector<Pose<double>> own_and(const std::vector<Frame>& frames);

/// The inertia and inner momentum of something rigid, and the force that it needs.  [UNI table 3.7, 3.11]
///
///     F = M·(A − Ω × V) + V ×* (M·V + (h, 0)) − weight        P = M,   z = F at A = 0
struct ARTICULA_EXPORT Mass {
  Inertia<double> M;
  Vec3<double> internal_momentum = Vec3<double>::zero();

  /// At port `k`, whose pose in E is X_EP.
  Force<double> force(const Site& site, int k, const Pose<double>& X_EP, const Motion<double>& A) const;
  Articulated articulated(const Site& site, int k, const Pose<double>& X_EP) const;

 private:
  Inertia<double> inertia(const Site& site, int k, const Pose<double>& X_EP) const {
    return site.X(k) * (inverted(X_EP) * M);
  }
  /// Gravity acts at the centre of mass, wherever it is.
  Force<double> weight(const Site& site, int k, const Pose<double>& X_EP) const;
};

}  // namespace articula::network
