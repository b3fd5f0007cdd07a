#pragma once

#include <span>

#include <articula/base/export.h>
#include <articula/mechanism/mechanism.h>

namespace articula::mechanism {

/// Throws an Error that names the entry, unless `q` and `v` have the mechanism's sizes and contain finite numbers, and
/// each quaternion in q has unit length within 1e-6. Called before any state changes.
ARTICULA_EXPORT void check_state(const Mechanism& mech, std::span<const double> q, std::span<const double> v);

/// Throws an Error that names the quaternion, unless each in q has unit length within 1e-6. @pre q has the mechanism's
/// size
ARTICULA_EXPORT void check_quaternions(const Mechanism& mech, std::span<const double> q);

/// Calls check_quaternions, then normalizes quaternions. If it throws, nothing changes. Quaternions that have unit
/// length up to rounding keep their bits.
ARTICULA_EXPORT void normalize_quaternions(const Mechanism& mech, std::span<double> q);

/// Like check_state, for one vector `what` of velocities, accelerations or forces.
ARTICULA_EXPORT void check_tangent(const Mechanism& mech, std::string_view what, std::span<const double> x);

/// Throws an Error that names the entry, unless `x` has an entry for each name and contains finite numbers.
ARTICULA_EXPORT void check_numbers(std::string_view what, std::span<const double> x,
                                   const std::vector<std::string>& names);

/// The neutral configuration of all joints.
ARTICULA_EXPORT std::vector<double> neutral_configuration(const Mechanism& mech);

}  // namespace articula::mechanism
