#pragma once

#include <array>

#include <articula/mechanism/parameters.h>

namespace articula::mechanism {

/// The pose of body i in its parent at q, and the axes of its joint in B: the definition of the flat form, dense and
/// not optimized. The axis of sparse forms is ±(a coordinate axis); the joint rotates about it or slides along it by q.
template <class T>
struct JointMotion {
  Pose<T> X_PB;
  std::array<Motion<T>, most_joint_dofs> H_B;
};

template <class T>
JointMotion<T> joint_motion(const Mechanism& mech, const Parameters<T>& par, int i, const T* q) {
  const auto k = static_cast<std::size_t>(i);
  const Body& body = mech.bodies[k];
  JointMotion<T> motion;
  const T* own = q + body.q.first;
  if (body.axis != AxisForm::general) {
    const Motion<T> H = SparseAxis<T>{body.axis, par.axis_sign[k], {}}.dense();
    motion.H_B[0] = H;
    Pose<T> X_FM;
    for (int a = 0; a < 3; ++a) {
      if (body.form == PoseForm::shift) X_FM.p[a] = H.v[a] * own[0];
      if (H.w[a] != T(0)) X_FM.R = rotation_about(a, T(H.w[a] * own[0]));
    }
    motion.X_PB = par.X_PF[k] * X_FM;
    return motion;
  }
  visit_joint(body.joint, [&]<class J>(J) {
    const auto& parameters = parameters_of<J>(par.joint[k]);
    const Pose<T> X_FM = J::X_FM(parameters, own);
    J::H_M(parameters, own, motion.H_B.data());
    motion.X_PB = par.X_PF[k] * (body.reversed ? inverted(X_FM) : X_FM);
    // The reversed joint: F moves in M with the inverse motion.
    for (std::size_t d = 0; body.reversed && d < J::v.size(); ++d) motion.H_B[d] = -(X_FM * motion.H_B[d]);
  });
  return motion;
}

}  // namespace articula::mechanism
