#include <articula/build/singular_joints.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/mechanism/joint_motion.h>
#include <articula/spatial/articulated_inertia.h>

namespace articula::build {

/// An inertia this much smaller than what is felt where the joints just beyond do not give way is none.
constexpr double singular_ratio = 1e-12;

/// An inertia this much smaller than the terms that it is the sum of, or than what a single body has in any direction, is
/// rounding.
constexpr double rounding_ratio = 1e-14;

/// Magnitudes of a body's inertia for rotation and translation, independent of direction.
struct Size {
  double turning = 0, sliding = 0;
};
static double along(const Size& size, const Motion<double>& H) {
  return size.turning * dot(H.w, H.w) + size.sliding * dot(H.v, H.v);
}

/// The magnitudes of the terms of Hᵀ·M·H, added up. What acts across a coordinate axis is none of them: a long chain
/// that is stiff across its joints is not taken for one that has no inertia along them.
static double magnitude(const ArticulatedInertia<double>& M, const Motion<double>& H) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      sum += std::abs(H.w[i] * M.A(i, j) * H.w[j]) + 2 * std::abs(H.w[i] * M.B(i, j) * H.v[j]) +
             std::abs(H.v[i] * M.C(i, j) * H.v[j]);
    }
  }
  return sum;
}

/// M −= U·Uᵀ/d for one degree of freedom after another, U = M·H, d = Hᵀ·U: the inertia felt through the joint.
/// `armature` adds to d; `terms` are the magnitudes of what came from the bodies beyond. Directions without
/// inertia of their own pass nothing on.
static bool pass_joint(ArticulatedInertia<double>& M, const ArticulatedInertia<double>& held, const Size& size,
                       const JointMotion<double>& joint, std::span<const double> armature,
                       std::span<const double> terms) {
  const ArticulatedInertia<double> before = M;
  bool regular = true;
  for (std::size_t a = 0; a < armature.size(); ++a) {
    const Motion<double>& H = joint.H_B[a];
    const Force<double> U = M * H;
    const double d = dot(H, U) + armature[a];
    const double rounding = rounding_ratio * (magnitude(before, H) + along(size, H) + terms[a]);
    if (d > singular_ratio * dot(H, held * H) && d > rounding) {
      subtract_outer(M, U, 1 / d);
    } else {
      regular = false;
    }
  }
  return regular;
}

std::vector<std::string> find_singular_joints(const Mechanism& mech, const Parameters<double>& par,
                                              std::span<const double> q, std::span<const DofRole> roles) {
  std::vector<ArticulatedInertia<double>> M(mech.bodies.size());
  for (std::size_t i = 0; i < M.size(); ++i) M[i] = ArticulatedInertia<double>::of(par.M_B[i]);
  std::vector<ArticulatedInertia<double>> held = M;  // were the joints just beyond held; a massless body passes it on
  // A rotor that follows its joint is inertia along that joint.
  std::vector<double> armature(par.armature);
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    if (mech.rotors[r].coupling < 0) continue;
    armature[static_cast<std::size_t>(mech.rotors[r].dof)] +=
        par.rotors[r].gear * par.rotors[r].gear * par.rotors[r].inertia;
  }
  const auto follows = [&](const Body& body) {
    return body.rotor >= 0 && mech.independent.place[static_cast<std::size_t>(body.v.first)] < 0;
  };
  std::vector<Size> sizes(M.size());  // of each body; a massless one has those of its children
  for (std::size_t i = 0; i < M.size(); ++i)
    sizes[i] = {M[i].A.xx + M[i].A.yy + M[i].A.zz, M[i].C.xx + M[i].C.yy + M[i].C.zz};
  std::vector<double> terms(static_cast<std::size_t>(mech.nv), 0.0);  // by degree of freedom
  std::vector<std::string> singular;
  for (int i = mech.size() - 1; i > 0; --i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    const JointMotion<double> joint = joint_motion(mech, par, i, q.data());
    held[static_cast<std::size_t>(body.parent)] += joint.X_PB * (par.M_B[k].m > 0 ? M[k] : held[k]);
    if (body.parent > 0) {
      const Range& v_P = mech.bodies[static_cast<std::size_t>(body.parent)].v;
      const JointMotion<double> carrying = joint_motion(mech, par, body.parent, q.data());
      const Pose<double> X_BP = inverted(joint.X_PB);
      for (const int dof : v_P) {
        const Motion<double> H_B = X_BP * carrying.H_B[static_cast<std::size_t>(dof - v_P.first)];
        terms[static_cast<std::size_t>(dof)] += magnitude(M[k], H_B) + along(sizes[k], H_B);
      }
      if (par.M_B[static_cast<std::size_t>(body.parent)].m == 0) {
        Size& size_P = sizes[static_cast<std::size_t>(body.parent)];
        size_P.turning += sizes[k].turning + dot(joint.X_PB.p, joint.X_PB.p) * sizes[k].sliding;
        size_P.sliding += sizes[k].sliding;
      }
    }
    const bool free = roles[static_cast<std::size_t>(body.v.first)] == DofRole::free;
    const auto own = [&](const std::vector<double>& all) {
      return std::span(all).subspan(static_cast<std::size_t>(body.v.first), static_cast<std::size_t>(body.v.count));
    };
    if (free && !follows(body) && !pass_joint(M[k], held[k], sizes[k], joint, own(armature), own(terms))) {
      singular.push_back(joint_name(mech, body));
    }
    M[static_cast<std::size_t>(body.parent)] += joint.X_PB * M[k];
  }
  std::reverse(singular.begin(), singular.end());
  return singular;
}

std::string singular_joint_message(const std::string& joint) {
  return concat("joint ", quoted(joint),
                " moves nothing that has inertia. Forward dynamics needs some: give the bodies "
                "beyond it mass, or fix the joint.");
}

}  // namespace articula::build
