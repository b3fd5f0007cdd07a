#pragma once

#include <articula/base/export.h>
#include <articula/dynamics/axes_rate.h>
#include <articula/dynamics/inverse_dynamics.h>

namespace articula::dynamics {

/// What cut forces need beside their inputs.
template <class T>
struct CutForces {
  explicit CutForces(const Mechanism& mech) : F_B(mech.pieces.size()) {}

  /// What each piece, with all that hangs on it, needs from the piece or joint that holds it; in the flat body's frame.
  std::vector<Force<T>> F_B;
};

/// A port at which to cut, and between which pieces the force passes there.
struct Cut {
  int frame = -1;        ///< the port, in the frame table
  int piece = -1;        ///< the further one from the joint that holds the body
  bool outward = false;  ///< the port's owner is the nearer one, and feels what the other needs as a load
};

/// The cut at a port of a body or reference frame of the user. Throws when rigid connections lead around a cycle
/// through it, so that statics alone does not tell what passes, or when the frame is no such port.
ARTICULA_EXPORT Cut make_cut(const Mechanism& mech, int frame);

/// Forces on constituents, and at ports, as forces on flat bodies, for use as F_applied_B in inverse dynamics.
///
/// @param F_applied_C on each constituent, in its frame; may be empty
/// @param F_applied_F on what is connected at each frame of the table, in that frame; may be empty
template <class T, class P>
void applied_forces(const Mechanism& mech, const Parameters<P>& par, std::span<const Force<T>> F_applied_C,
                    std::span<const Force<T>> F_applied_F, std::span<Force<T>> F_applied_B) {
  for (Force<T>& F : F_applied_B) F = Force<T>::zero();
  for (std::size_t c = 0; c < F_applied_C.size(); ++c) {
    F_applied_B[static_cast<std::size_t>(mech.provenance.constituents[c].body)] += par.X_BC[c] * F_applied_C[c];
  }
  for (std::size_t f = 0; f < F_applied_F.size(); ++f) {
    F_applied_B[static_cast<std::size_t>(mech.frames[f].body)] += par.X_BF[f] * F_applied_F[f];
  }
}

/// What an inertia J about the axis a of a body needs when the body moves: J·(a·(a·ω̇) + (ω × a)·(a·ω)).
template <class T>
Vec3<T> axial_couple(const T& J, const Vec3<T>& a, const Motion<T>& V, const Motion<T>& A) {
  return (a * dot(a, A.w) + cross(V.w, a) * dot(a, V.w)) * J;
}

/// Inverse dynamics computed a rotor by inertias that its joint's bodies exchanged (build/rotors.h). Torques are the same,
/// but not what passes through the joint: the rotor exerts the couple J·(θ̈·a + θ̇·ω × a) on its carrier instead.
template <class T, class P>
void undo_exchange(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin, const RotorElement& rotor,
                   const NewtonEuler<T>& motion, Force<T>* F_of_piece) {
  const int i = mech.body_of_dof[static_cast<std::size_t>(rotor.dof)];
  const auto b = static_cast<std::size_t>(i), p = static_cast<std::size_t>(mech.bodies[b].parent);
  const auto frame = static_cast<std::size_t>(rotor.frame);
  const RotorNumbers<P>& numbers = par.rotors[&rotor - mech.rotors.data()];
  const FlatFrame& mount = mech.frames[frame];
  const Vec3<T> a_C = over<T>(par.X_BF[frame].R * numbers.axis);
  const Motion<T>& V_C = motion.V_B[static_cast<std::size_t>(mount.body)];
  with_joint(mech, par, kin, i, [&](const auto& X_PB, const auto& H) {
    const Vec3<T> h = dense_axis<T>(H.template axis_at<T>(0)).w;
    const T speed = dot(h, motion.V_B[b].w - X_PB.rotate_back(motion.V_B[p].w)) * T(numbers.gear);
    const T acceleration = dot(h, motion.A_B[b].w - X_PB.rotate_back(motion.A_B[p].w)) * T(numbers.gear);
    const Vec3<T> couple = (a_C * acceleration + cross(V_C.w, a_C) * speed) * T(numbers.inertia);
    const bool on_moved = mount.body == i;
    const Vec3<T> a_B = on_moved ? a_C : X_PB.rotate_back(a_C);
    const T exchanged = dot(a_B, h) * T(numbers.gear * numbers.inertia);  // what body i got
    Vec3<T> through_joint = -axial_couple(exchanged, a_B, motion.V_B[b], motion.A_B[b]);
    if (on_moved) through_joint += couple;
    F_of_piece[mech.bodies[b].piece_P].n += X_PB.rotate(through_joint);
    F_of_piece[mount.node].n += couple;
  });
}

/// The inertia of a constituent includes that of the rotors that it carries, as at rest; as bodies of their own, rotors
/// exert that force once more.
template <class T, class P>
void subtract_resting_rotor(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin,
                            const RotorElement& rotor, const NewtonEuler<T>& motion, Force<T>* F_of_piece) {
  const auto b = static_cast<std::size_t>(rotor.body), p = static_cast<std::size_t>(mech.bodies[b].parent);
  if (p == 0) return;
  with_joint(mech, par, kin, rotor.body, [&](const auto& X_PB, const auto& H) {
    const Vec3<T> a_P = X_PB.rotate(dense_axis<T>(H.template axis_at<T>(0)).w);
    const T J(par.rotors[&rotor - mech.rotors.data()].inertia);
    F_of_piece[mech.bodies[b].piece_P].n -= axial_couple(J, a_P, motion.V_B[p], motion.A_B[p]);
  });
}

/// The forces that pass through all ports at once, also inside merged bodies.
///
/// Each piece needs the force of its own motion less what is applied to it, and what the pieces and joints that hang
/// on it need. Pieces of one body move with it: V_C = X_CB·V_B, A_C = X_CB·A_B; O(pieces), inward.
///
///     F_piece = X_BC·(M_C·A_C + V_C ×* (M_C·V_C + h_C) − F_applied_C) + Σ F_children
///
/// Gravity is in A_B, which is lifted against it.  [UNI 3.1.2]
///
/// @param motion what `inverse_dynamics` left there, with F_applied_B the sum (`applied_forces`) of those given here
template <class T, class P>
void cut_forces(const Mechanism& mech, const Parameters<P>& par, const Positions<T>& kin, const NewtonEuler<T>& motion,
                std::span<const Force<T>> F_applied_C, std::span<const Force<T>> F_applied_F, CutForces<T>& cuts) {
  Force<T>* const F_B = cuts.F_B.data();

  // Each piece by itself.
  for (std::size_t k = 0; k < mech.pieces.size(); ++k) {
    F_B[k] = Force<T>::zero();
    if (mech.pieces[k].constituent < 0) continue;
    const auto c = static_cast<std::size_t>(mech.pieces[k].constituent);
    const auto b = static_cast<std::size_t>(mech.pieces[k].body);
    const Motion<T> V_C = par.X_BC[c].inverse() * motion.V_B[b], A_C = par.X_BC[c].inverse() * motion.A_B[b];
    Force<T> momentum = par.M_C[c] * V_C;
    momentum.n += par.internal_momentum_C[c];
    Force<T> F_C = par.M_C[c] * A_C + cross(V_C, momentum);
    if (!F_applied_C.empty()) F_C -= F_applied_C[c];
    F_B[k] = par.X_BC[c] * F_C;
  }
  for (std::size_t f = 0; f < F_applied_F.size(); ++f) {
    if (mech.frames[f].node >= 0) F_B[mech.frames[f].node] -= par.X_BF[f] * F_applied_F[f];
  }

  // What the joints carry that leave from it.
  for (int i = 1; i < mech.size(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    with_joint(mech, par, kin, i,
               [&](const auto& X_PB, const auto&) { F_B[mech.bodies[b].piece_P] += X_PB * motion.F_B[b]; });
  }
  for (const RotorElement& rotor : mech.rotors) {
    if (rotor.form == RotorForm::exchanged) undo_exchange<T, P>(mech, par, kin, rotor, motion, F_B);
    if (rotor.form == RotorForm::body) subtract_resting_rotor<T, P>(mech, par, kin, rotor, motion, F_B);
  }

  // Inward, from piece to piece.
  for (std::size_t k = mech.pieces.size(); k-- > 1;) {
    if (mech.pieces[k].parent >= 0) F_B[mech.pieces[k].parent] += F_B[k];
  }
}

/// The force that is exerted through a port on the body or reference frame that owns it: moment about the port's
/// origin and force, in the port's frame. At a port of World or of a fixed reference frame it is the force on the ground.
template <class T, class P>
Force<T> cut_force(const Parameters<P>& par, const CutForces<T>& cuts, const Cut& cut) {
  const auto f = static_cast<std::size_t>(cut.frame);
  const Force<T> F_F = par.X_BF[f].inverse() * cuts.F_B[static_cast<std::size_t>(cut.piece)];
  return cut.outward ? -F_F : F_F;
}

}  // namespace articula::dynamics
