#include <articula/network/entities/joint.h>

#include <cmath>

#include <articula/spatial/orientation.h>

namespace articula::network {
namespace {

/// The frame in which the kind's own axes are what the user wrote: z along one axis, x and y along two.
Rotation<double> canonical_axes(const Joint& joint) {
  const Vec3<double> a = joint.axis.v * (1 / norm(joint.axis.v));
  switch (traits(joint.kind).axis_use) {
    case AxisUse::none: return Rotation<double>::identity();
    case AxisUse::one: return rotation_z_to(a);
    case AxisUse::two: break;
  }
  const Vec3<double> across = cross(a, joint.second_axis.v);
  const Vec3<double> c = across * (1 / norm(across));
  return Rotation<double>{Mat3<double>{{a, cross(c, a), c}}}.inverse();
}

/// D = Hᵀ·P·H = L·Lᵀ, and U = P·H.
struct Projected {
  std::size_t n;
  std::array<Force<double>, 6> U;
  double L[6][6] = {};

  Projected(std::size_t count, const ArticulatedInertia<double>& P, const std::array<Motion<double>, 6>& H) : n(count) {
    for (std::size_t i = 0; i < n; ++i) U[i] = P * H[i];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double rest = dot(H[i], U[j]);
        for (std::size_t k = 0; k < j; ++k) rest -= L[i][k] * L[j][k];
        L[i][j] = i == j ? std::sqrt(rest) : rest / L[j][j];
      }
    }
  }

  /// x ← D⁻¹·x
  void solve(std::array<double, 6>& x) const {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= L[i][k] * x[k];
      x[i] /= L[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) x[i] -= L[k][i] * x[k];
      x[i] /= L[i][i];
    }
  }

  /// P ← P − U·D⁻¹·Uᵀ = τ̄ᵀ·P·τ̄
  void release(ArticulatedInertia<double>& P) const {
    std::array<Force<double>, 6> W;  // L⁻¹·Uᵀ, row by row
    for (std::size_t i = 0; i < n; ++i) {
      W[i] = U[i];
      for (std::size_t k = 0; k < i; ++k) W[i] -= W[k] * L[i][k];
      W[i] = W[i] * (1 / L[i][i]);
      subtract_outer(P, W[i], 1.0);
    }
  }
};

}  // namespace

Implementation<Joint>::Implementation(const Joint& joint)
    : kind_(joint.kind),
      parameters_(joint.parameters),
      prescribed_(joint.prescribed),
      nv_(traits(joint.kind).v.size()),
      damping_(joint.damping),
      friction_(joint.friction),
      X_PC_{canonical_axes(joint), Vec3<double>::zero()} {}

Pose<double> Implementation<Joint>::X_from_to(const Site& site) const {
  const Pose<double> X_FM = visit_joint(kind_, [&]<class J>(J) { return J::X_FM(parameters_.of<J>(), site.q.data()); });
  return X_PC_ * X_FM * inverted(X_PC_);
}

Implementation<Joint>::Stance Implementation<Joint>::stance(const Site& site) const {
  Stance at;
  visit_joint(kind_, [&]<class J>(J) {
    J::H_M(parameters_.of<J>(), site.q.data(), at.H.data());
    at.Hdot_v = J::Hdot_v(parameters_.of<J>(), site.q.data(), site.v.data());
  });
  // The axes are written in `to`; seen from there, `from` moves as `to` moves in it, but backwards.
  const Pose<double> X_ft = X_from_to(site);
  const bool forward = out(site) == to;
  const Pose<double> X = site.X(out(site)) * (forward ? X_PC_ : X_ft * X_PC_);
  const double direction = forward ? 1 : -1;
  for (std::size_t k = 0; k < nv_; ++k) at.H[k] = (X * at.H[k]) * direction;
  at.Hdot_v = (X * at.Hdot_v) * direction;
  at.phi = site.phi(out(site), site.root, forward ? inverted(X_ft) : X_ft);
  return at;
}

Motion<double> Implementation<Joint>::along(const Stance& at, std::span<const double> x) const {
  Motion<double> sum;
  for (std::size_t k = 0; k < nv_; ++k) sum += at.H[k] * x[k];
  return sum;
}

Motion<double> Implementation<Joint>::bias(const Site& site, const Stance& at) const {
  const Motion<double> b =
      site.phidot_V(out(site), site.root, at.phi) + at.Hdot_v + cross(site.motion_at(out(site)).V, along(at, site.v));
  return prescribed_ ? b + along(at, site.vdot) : b;
}

void Implementation<Joint>::position(const Site& site) const {
  const Pose<double> X_ft = X_from_to(site);
  site.motion_at(out(site)).X_W = site.X_W(site.root) * (out(site) == to ? X_ft : inverted(X_ft));
}

void Implementation<Joint>::velocity(const Site& site) const {
  const Stance at = stance(site);
  site.motion_at(out(site)).V = at.phi * site.motion_at(site.root).V + along(at, site.v);
}

void Implementation<Joint>::acceleration(const Site& site) const {
  const Stance at = stance(site);
  Motion<double>& A = site.motion_at(out(site)).A;
  A = at.phi * site.motion_at(site.root).A + bias(site, at);
  if (!prescribed_) A += along(at, site.vdot);
}

void Implementation<Joint>::action(const Site& site) const {
  const Stance at = stance(site);
  const Force<double>& F = site.force_at(out(site));
  for (std::size_t k = 0; k < nv_; ++k) site.tau[k] = dot(at.H[k], F) + resistance(site, k);
  site.force_at(site.root) = at.phi.inverse() * F;
}

void Implementation<Joint>::articulated_action(const Site& site) const {
  const Stance at = stance(site);
  auto [P, z] = site.articulated_at(out(site));
  z += P * bias(site, at);
  if (nv_ > 0 && !prescribed_) {
    const Projected D(nv_, P, at.H);
    std::array<double, 6> d{};  // D⁻¹·(tau − Hᵀ·z)
    for (std::size_t k = 0; k < nv_; ++k) d[k] = site.tau[k] - resistance(site, k) - dot(at.H[k], z);
    D.solve(d);
    for (std::size_t k = 0; k < nv_; ++k) z += D.U[k] * d[k];
    D.release(P);
  }
  const Pose<double> phi_T = inverted(at.phi);
  site.articulated_at(site.root) = {phi_T * P, phi_T * z};
}

void Implementation<Joint>::joint_acceleration(const Site& site) const {
  if (prescribed_ || nv_ == 0) return;
  const Stance at = stance(site);
  const auto& [P, z] = site.articulated_at(out(site));
  const Motion<double> A = at.phi * site.motion_at(site.root).A + bias(site, at);
  const Force<double> F = P * A + z;
  std::array<double, 6> x{};
  for (std::size_t k = 0; k < nv_; ++k) x[k] = site.tau[k] - resistance(site, k) - dot(at.H[k], F);
  Projected(nv_, P, at.H).solve(x);
  for (std::size_t k = 0; k < nv_; ++k) site.vdot[k] = x[k];
}

}  // namespace articula::network
