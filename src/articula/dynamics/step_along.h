#pragma once

#include <articula/joints/step_along.h>
#include <articula/mechanism/mechanism.h>

/// What a step in time does with velocities whose components refer to axes that turn: those of free and spherical joints.
///
///     a = v̇ + turning terms      the rate of v in the axes before the step (hold_axes)
///     v⁺ = v + h·a               in those axes
///     q⁺ = q ⊕ h·v⁺, and v⁺ in the axes at q⁺ (step_along)
///
/// so that a body without forces keeps its velocity in World to rounding.
namespace articula::dynamics {

/// Whether the velocities of some joint refer to axes that turn with it.
inline bool has_turning_axes(const Mechanism& mech) { return mech.nq != mech.nv; }

template <class T>
void hold_axes(const Mechanism& mech, const T* v, T* vdot) {
  for (const Body& body : mech.bodies) {
    visit_joint(body.joint, [&]<class J>(J) { JointStep<J>::hold_axes(v + body.v.first, vdot + body.v.first); });
  }
}

template <class T>
void step_along(const Mechanism& mech, const T& h, T* q, T* v) {
  for (const Body& body : mech.bodies) {
    visit_joint(body.joint, [&]<class J>(J) { JointStep<J>::step_along(h, q + body.q.first, v + body.v.first); });
  }
}

}  // namespace articula::dynamics
