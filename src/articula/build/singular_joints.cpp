#include <articula/build/singular_joints.h>

#include <articula/base/text.h>
#include <articula/mechanism/joint_motion.h>
#include <articula/spatial/articulated_inertia.h>

namespace articula {

/// An inertia this much smaller than the largest one seen from the joint is rounding.
constexpr double singular_ratio = 1e-12;

/// M −= U·Uᵀ/d for one degree of freedom after another, U = M·H, d = Hᵀ·U: the inertia felt through the joint.
/// Directions without inertia of their own pass nothing on.
static bool pass_joint(ArticulatedInertia<double>& M, const JointMotion<double>& joint, int nv) {
  const double scale = M.A.xx + M.A.yy + M.A.zz + M.C.xx + M.C.yy + M.C.zz;
  bool regular = true;
  for (int a = 0; a < nv; ++a) {
    const Motion<double>& H = joint.H_B[static_cast<std::size_t>(a)];
    const Force<double> U = M * H;
    const double d = dot(H, U);
    if (d > singular_ratio * scale) {
      subtract_outer(M, U, 1 / d);
    } else {
      regular = false;
    }
  }
  return regular;
}

std::vector<std::string> find_singular_joints(const Mechanism& mech, const Parameters<double>& par,
                                              std::span<const double> q) {
  std::vector<ArticulatedInertia<double>> M(mech.bodies.size());
  for (std::size_t i = 0; i < M.size(); ++i) M[i] = ArticulatedInertia<double>::of(par.M_B[i]);
  std::vector<std::string> singular;
  for (int i = mech.size() - 1; i > 0; --i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    const JointMotion<double> joint = joint_motion(mech, par, i, q.data());
    const bool free = mech.roles[static_cast<std::size_t>(body.v.first)] == DofRole::free;
    if (free && !pass_joint(M[k], joint, body.v.count)) {
      singular.insert(singular.begin(), mech.provenance.entities[static_cast<std::size_t>(body.entity)].name);
    }
    M[static_cast<std::size_t>(body.parent)] += joint.X_PB * M[k];
  }
  return singular;
}

std::string singular_joint_message(const std::string& joint) {
  return concat("joint ", quoted(joint), " moves nothing that has inertia. Forward dynamics needs some: give the bodies "
                "beyond it mass, or fix the joint.");
}

}  // namespace articula
