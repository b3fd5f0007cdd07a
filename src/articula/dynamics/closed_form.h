#pragma once

#include <algorithm>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/dynamics/axes_rate.h>

namespace articula::dynamics {

/// An open chain of turning and sliding joints at a state, everything in World: what the closed-form equations are
/// made of. Link i hangs on link i − 1 by joint i and its degree of freedom; 0 is World.
template <class T>
struct ClosedForm {
  /// Throws, naming the joint, unless every body hangs on the one before by a revolute or prismatic joint.
  explicit ClosedForm(const Mechanism& mech);

  int links() const { return static_cast<int>(X_WB.size()) - 1; }

  std::vector<char> slides;    ///< whether joint i is prismatic
  std::vector<Pose<T>> X_WB;   ///< frame i; its origin P_i lies on joint i
  std::vector<Vec3<T>> Z;      ///< axis of joint i
  std::vector<T> m;            ///< mass of link i
  std::vector<Vec3<T>> P_C;    ///< its centre of mass
  std::vector<SymMat3<T>> I;   ///< its inertia about the centre of mass
  std::vector<Vec3<T>> l;      ///< its internal momentum
  std::vector<T> armature;     ///< inertia along joint i in addition to that of the links
  std::vector<Vec3<T>> w;      ///< angular velocity of link i
  std::vector<Vec3<T>> C_eps;  ///< its angular acceleration, where no joint accelerates
  std::vector<Vec3<T>> C_V;    ///< the acceleration of P_i, where no joint accelerates
  std::vector<Vec3<T>> C_VC;   ///< and of P_C
  Vec3<T> gravity;
};

template <class T>
ClosedForm<T>::ClosedForm(const Mechanism& mech)
    : slides(mech.bodies.size()), X_WB(slides.size()), m(slides.size()), I(slides.size()), armature(slides.size()) {
  for (auto* each : {&Z, &P_C, &l, &w, &C_eps, &C_V, &C_VC}) each->resize(slides.size());
  for (int i = 1; i < mech.size(); ++i) {
    const Body& body = mech.bodies[static_cast<std::size_t>(i)];
    const bool turns = traits(body.joint).is_turn(), slide = traits(body.joint).is_slide();
    slides[static_cast<std::size_t>(i)] = slide;
    if (body.parent == i - 1 && (turns || slide)) continue;
    const std::string name =
        body.entity < 0 ? "" : mech.provenance.entities[static_cast<std::size_t>(body.entity)].name;
    throw Error("chain-needed", {},
                concat("joint ", quoted(name), " is ", traits(body.joint).name,
                       body.parent == i - 1 ? "" : " and begins a branch",
                       ". The closed-form equations are those of an open chain of revolute and prismatic joints; use "
                       "inverse_dynamics for any other mechanism."));
  }
}

/// Fills in what depends on q alone.
template <class T, class P>
void closed_form_positions(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                           ClosedForm<T>& chain) {
  chain.gravity = over<T>(par.gravity_W);
  for (int i = 1; i < mech.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Pose<T>& X_WP = chain.X_WB[k - 1];
    with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
      Pose<T>& X = chain.X_WB[k];
      X.p = X_WP * X_PB.p;
      for (int a = 0; a < 3; ++a) {
        const Vec3<T> column = X_WP.rotate(X_PB.rotate(Vec3<T>::unit(a)));
        for (int b = 0; b < 3; ++b) X.R.m(b, a) = column[b];
      }
      const Motion<T> axis = dense_axis<T>(H.template axis_at<T>(0));
      chain.Z[k] = X.rotate(chain.slides[k] ? axis.v : axis.w);
    });
    const Pose<T>& X_WB = chain.X_WB[k];
    const Inertia<P>& M_B = par.M_B[k];
    const bool massless = M_B.m == P(0);  // it has no centre of mass, and needs none
    chain.m[k] = T(M_B.m);
    chain.P_C[k] = massless ? X_WB.p : X_WB * (M_B.h * (P(1) / M_B.m));
    chain.I[k] = X_WB.rotate(massless ? M_B.I : inertia_about_center(M_B));
    chain.l[k] = X_WB.rotate(par.internal_momentum[k]);
    chain.armature[k] = T(par.armature[k - 1]);
  }
}

/// Fills in what depends on q and v: the members without joint accelerations.  [GNE (6), (8)]
template <class T>
void closed_form_velocities(std::span<const T> v, ClosedForm<T>& chain) {
  auto& [slides, X_WB, Z, m, P_C, I, l, armature, w, C_eps, C_V, C_VC, gravity] = chain;
  for (std::size_t j = 1; j < X_WB.size(); ++j) {
    const Vec3<T> along = Z[j] * v[j - 1], P = X_WB[j].p - X_WB[j - 1].p, c = P_C[j] - X_WB[j].p;
    w[j] = w[j - 1];
    C_eps[j] = C_eps[j - 1];
    C_V[j] = cross(C_eps[j - 1], P) + cross(w[j - 1], cross(w[j - 1], P)) + C_V[j - 1];
    if (slides[j]) {
      C_V[j] += T(2) * cross(w[j - 1], along);
    } else {
      w[j] += along;
      C_eps[j] += cross(w[j - 1], along);
    }
    C_VC[j] = cross(C_eps[j], c) + cross(w[j], cross(w[j], c)) + C_V[j];
  }
}

/// The part along joint j of a force f at the centre of mass of link i and a moment n: Z_j·(n + (P_Ci − P_j) × f), or
/// Z_j·f.
template <class T>
T closed_form_projection(const ClosedForm<T>& chain, std::size_t j, std::size_t i, const Vec3<T>& n, const Vec3<T>& f) {
  if (chain.slides[j]) return dot(chain.Z[j], f);
  return dot(chain.Z[j], n + cross(chain.P_C[i] - chain.X_WB[j].p, f));
}

/// The equations of motion of joint j, each term on its own:
///
///     Σ_k M_jk·θ̈_k = G_j − H_j + τ_j      [GNE (9), (12)]
///
/// Newton and Euler for all links from j outward as one body, O(n) for a term and nothing of any other joint's
/// equation. Joints are counted from 1.

/// M_jk = Z_j · Σ_{i ≥ max(j, k)} ( (P_Ci − P_j) × m_i·(Z_k × (P_Ci − P_k)) + I_i·Z_k ) + δ_jk·armature_j
template <class T>
T closed_form_mass(const ClosedForm<T>& chain, int j, int k) {
  const auto from = static_cast<std::size_t>(j), of = static_cast<std::size_t>(k);
  const Vec3<T>& Z = chain.Z[of];
  T sum = j == k ? chain.armature[from] : T(0);
  for (std::size_t i = std::max(from, of); i < chain.X_WB.size(); ++i) {
    sum += chain.slides[of] ? closed_form_projection(chain, from, i, Vec3<T>::zero(), Z * chain.m[i])
                            : closed_form_projection(chain, from, i, chain.I[i] * Z,
                                                     cross(Z, chain.P_C[i] - chain.X_WB[of].p) * chain.m[i]);
  }
  return sum;
}

/// H_j = Z_j · Σ_{i ≥ j} ( (P_Ci − P_j) × m_i·C_VCi + I_i·C_εi + ω_i × (I_i·ω_i + l_i) )
template <class T>
T closed_form_bias(const ClosedForm<T>& chain, int j) {
  T sum(0);
  for (auto i = static_cast<std::size_t>(j); i < chain.X_WB.size(); ++i) {
    const Vec3<T> n = chain.I[i] * chain.C_eps[i] + cross(chain.w[i], chain.I[i] * chain.w[i] + chain.l[i]);
    sum += closed_form_projection(chain, static_cast<std::size_t>(j), i, n, chain.C_VC[i] * chain.m[i]);
  }
  return sum;
}

/// G_j = Z_j · Σ_{i ≥ j} (P_Ci − P_j) × m_i·g
template <class T>
T closed_form_gravity(const ClosedForm<T>& chain, int j) {
  T sum(0);
  for (auto i = static_cast<std::size_t>(j); i < chain.X_WB.size(); ++i) {
    sum += closed_form_projection(chain, static_cast<std::size_t>(j), i, Vec3<T>::zero(), chain.gravity * chain.m[i]);
  }
  return sum;
}

/// What forces applied to the links, each in its own frame, do along joint j.
template <class T>
T closed_form_applied(const ClosedForm<T>& chain, int j, std::span<const Force<T>> F_applied_B) {
  T sum(0);
  for (auto i = static_cast<std::size_t>(j); i < F_applied_B.size(); ++i) {
    const Vec3<T> f = chain.X_WB[i].rotate(F_applied_B[i].f);
    const Vec3<T> n = chain.X_WB[i].rotate(F_applied_B[i].n) + cross(chain.X_WB[i].p - chain.P_C[i], f);
    sum += closed_form_projection(chain, static_cast<std::size_t>(j), i, n, f);
  }
  return sum;
}

/// The torque or force of joint j alone: τ_j = Σ_k M_jk·θ̈_k + H_j − G_j, less what applied forces do.  [GNE (13)]
template <class T>
T closed_form_torque(const ClosedForm<T>& chain, int j, std::span<const T> vdot,
                     std::span<const Force<T>> F_applied_B) {
  T tau = closed_form_bias(chain, j) - closed_form_gravity(chain, j) - closed_form_applied(chain, j, F_applied_B);
  for (int k = 1; k <= chain.links(); ++k) tau += closed_form_mass(chain, j, k) * vdot[static_cast<std::size_t>(k - 1)];
  return tau;
}

}  // namespace articula::dynamics
