#pragma once

#include <cmath>

#include <articula/model/model.h>

#include "support/sample.h"

/// Mechanisms whose equations of motion every textbook has.
namespace articula::test {

/// Two links that hang from a pivot and swing about parallel axes; q2 is measured from the upper link.
struct DoublePendulum {
  double m1 = 3, c1 = 0.4, l1 = 0.9, I1 = 0.2;  ///< mass, distance of its centre, length, inertia about the centre
  double m2 = 2, c2 = 0.3, I2 = 0.07;
  double g = 9.81;

  Model model() const {
    Model m("double_pendulum");
    m.add("upper", RigidBody{.mass = m1, .com = {0, 0, -c1}, .inertia = SymMat3<double>::diagonal(I1, I1, I1)});
    m.add("lower", RigidBody{.mass = m2, .com = {0, 0, -c2}, .inertia = SymMat3<double>::diagonal(I2, I2, I2)});
    m.add("pivot", Joint{.axis = y_axis}, "world", "upper");
    m.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0, 0, -l1}}), "lower");
    return m;
  }
  /// M, row by row.
  Numbers masses(const Numbers& q) const {
    const double c = std::cos(q[1]), m12 = I2 + m2 * (c2 * c2 + l1 * c2 * c);
    return {I1 + m1 * c1 * c1 + I2 + m2 * (l1 * l1 + c2 * c2 + 2 * l1 * c2 * c), m12, m12, I2 + m2 * c2 * c2};
  }
  /// M·vdot + C·v + gravity.
  Numbers torques(const Numbers& q, const Numbers& v, const Numbers& vdot) const {
    const Numbers M = masses(q);
    const double k = m2 * l1 * c2 * std::sin(q[1]), lower = m2 * c2 * g * std::sin(q[0] + q[1]);
    return {M[0] * vdot[0] + M[1] * vdot[1] - k * (2 * v[0] * v[1] + v[1] * v[1]) +
                (m1 * c1 + m2 * l1) * g * std::sin(q[0]) + lower,
            M[2] * vdot[0] + M[3] * vdot[1] + k * v[0] * v[0] + lower};
  }
};

/// A rigid body that flies freely, with principal axes along its own.
struct FlyingBody {
  double m = 4;
  double A = 0.5, B = 0.8, C = 1.1;  ///< moments of inertia about x, y, z

  Model model() const {
    Model flying("flying_body");
    flying.add("hull", RigidBody{.mass = m, .inertia = SymMat3<double>::diagonal(A, B, C)});
    flying.add("flight", Joint{.kind = JointKind::free}, "world", "hull");
    return flying;
  }
  /// Newton's and Euler's equations in the body's axes, while these are parallel to World's: force, then couple.
  Numbers torques(const Numbers& v, const Numbers& vdot, double g = 9.81) const {
    const auto [x, y, z] = std::array{v[3], v[4], v[5]};
    return {m * (vdot[0] + y * v[2] - z * v[1]),     m * (vdot[1] + z * v[0] - x * v[2]),
            m * (vdot[2] + x * v[1] - y * v[0] + g), A * vdot[3] + (C - B) * y * z,
            B * vdot[4] + (A - C) * z * x,           C * vdot[5] + (B - A) * x * y};
  }
};

}  // namespace articula::test
