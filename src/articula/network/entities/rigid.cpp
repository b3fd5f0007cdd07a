#include <articula/network/entities/rigid.h>

namespace articula::network {

void Rigid::position(const Site& site) const {
  const Pose<double> X_WE = site.X_W(site.root) * inverted(X_EP(site.root));
  for (int k = 0; k < ports(); ++k) {
    if (k != site.root) site.motion_at(k).X_W = X_WE * X_EP(k);
  }
}

void Rigid::velocity(const Site& site) const {
  for (int k = 0; k < ports(); ++k) {
    if (k != site.root) site.motion_at(k).V = phi(site, k) * site.motion_at(site.root).V;
  }
}

void Rigid::acceleration(const Site& site) const {
  for (int k = 0; k < ports(); ++k) {
    if (k == site.root) continue;
    const Pose<double> phi_k = phi(site, k);
    site.motion_at(k).A = phi_k * site.motion_at(site.root).A + site.phidot_V(k, site.root, phi_k);
  }
}

Force<double> Rigid::passed_on(const Site& site) const {
  Force<double> F;
  for (int k = 0; k < ports(); ++k) {
    if (k != site.root) F += phi(site, k).inverse() * site.force_at(k);
  }
  return F;
}

Articulated Rigid::passed_on_articulated(const Site& site) const {
  Articulated sum;
  for (int k = 0; k < ports(); ++k) {
    if (k == site.root) continue;
    const auto& [P, z] = site.articulated_at(k);
    const Pose<double> phi_k = phi(site, k), phi_T = inverted(phi_k);
    sum += {phi_T * P, phi_T * (z + P * site.phidot_V(k, site.root, phi_k))};
  }
  return sum;
}

std::vector<Pose<double>> own_and(const std::vector<Frame>& frames) {
  std::vector<Pose<double>> poses{Pose<double>::identity()};
  for (const Frame& frame : frames) poses.push_back(frame.X_EF);
  return poses;
}

Force<double> Mass::weight(const Site& site, int k, const Pose<double>& X_EP) const {
  if (M.m == 0) return Force<double>::zero();
  const Vec3<double> c_P = X_EP.inverse() * (M.h * (1 / M.m));
  const Vec3<double> f_P = M.m * site.X_W(k).rotate_back(site.gravity_at(site.X_W(k) * c_P));
  return site.X(k) * Force<double>{cross(c_P, f_P), f_P};
}

Force<double> Mass::force(const Site& site, int k, const Pose<double>& X_EP, const Motion<double>& A) const {
  const Motion<double>& V = site.motion_at(k).V;
  const Vec3<double> h = site.X(k).rotate(X_EP.rotate_back(internal_momentum));
  return newton_euler(site.representation, inertia(site, k, X_EP), V, A) +
         cross(V, Force<double>{h, Vec3<double>::zero()}) - weight(site, k, X_EP);
}

Articulated Mass::articulated(const Site& site, int k, const Pose<double>& X_EP) const {
  return {ArticulatedInertia<double>::of(inertia(site, k, X_EP)), force(site, k, X_EP, Motion<double>::zero())};
}

}  // namespace articula::network
