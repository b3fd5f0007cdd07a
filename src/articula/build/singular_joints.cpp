#include <articula/build/singular_joints.h>

#include <algorithm>

#include <articula/base/text.h>
#include <articula/mechanism/joint_motion.h>
#include <articula/spatial/articulated_inertia.h>

namespace articula {

/// An inertia this much smaller than what is felt where the joints just beyond do not give way is rounding.
constexpr double singular_ratio = 1e-12;

/// M −= U·Uᵀ/d for one degree of freedom after another, U = M·H, d = Hᵀ·U: the inertia felt through the joint.
/// `rotor` is what rotors add to d. Directions without inertia of their own pass nothing on.
static bool pass_joint(ArticulatedInertia<double>& M, const ArticulatedInertia<double>& held,
                       const JointMotion<double>& joint, std::span<const double> rotor) {
  const double turning = held.A.xx + held.A.yy + held.A.zz, sliding = held.C.xx + held.C.yy + held.C.zz;
  bool regular = true;
  for (std::size_t a = 0; a < rotor.size(); ++a) {
    const Motion<double>& H = joint.H_B[a];
    const Force<double> U = M * H;
    const double d = dot(H, U) + rotor[a];
    if (d > singular_ratio * (dot(H.w, H.w) * turning + dot(H.v, H.v) * sliding)) {
      subtract_outer(M, U, 1 / d);
    } else {
      regular = false;
    }
  }
  return regular;
}

std::vector<std::string> find_singular_joints(const Mechanism& mech, const Parameters<double>& par,
                                              std::span<const double> q, std::span<const DofRole> roles,
                                              bool with_rotors) {
  std::vector<ArticulatedInertia<double>> M(mech.bodies.size());
  for (std::size_t i = 0; i < M.size(); ++i) M[i] = ArticulatedInertia<double>::of(par.M_B[i]);
  std::vector<ArticulatedInertia<double>> held = M;  // were the joints just beyond held; a massless body passes it on
  // Rotors that turn rigidly with a joint resist it: gear²·inertia.
  std::vector<double> rotor(static_cast<std::size_t>(mech.nv), 0.0);
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    const RotorElement& element = mech.rotors[r];
    if (!with_rotors || element.dof < 0 || element.elastic) continue;
    rotor[static_cast<std::size_t>(element.dof)] += par.rotors[r].gear * par.rotors[r].gear * par.rotors[r].inertia;
  }
  std::vector<std::string> singular;
  for (int i = mech.size() - 1; i > 0; --i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = mech.bodies[k];
    const JointMotion<double> joint = joint_motion(mech, par, i, q.data());
    held[static_cast<std::size_t>(body.parent)] += joint.X_PB * (par.M_B[k].m > 0 ? M[k] : held[k]);
    const bool free = roles[static_cast<std::size_t>(body.v.first)] == DofRole::free;
    const auto own = std::span<const double>(rotor).subspan(static_cast<std::size_t>(body.v.first),
                                                            static_cast<std::size_t>(body.v.count));
    if (free && !pass_joint(M[k], held[k], joint, own)) {
      singular.push_back(mech.provenance.entities[static_cast<std::size_t>(body.entity)].name);
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

}  // namespace articula
