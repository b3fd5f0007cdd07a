#include <articula/spatial/representation.h>

#include <array>
#include <complex>

#include "dense.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-12;    // masses of about ten
constexpr double step = 1e-5;         // of central differences, whose error is step² times a third derivative
constexpr double differences = 2e-7;  // what that leaves of masses of about ten
constexpr std::array all_representations{Representation::body, Representation::inertial, Representation::absolute};

/// A body that tumbles along a smooth path.
template <class T>
Pose<T> tumbling(const T& t) {
  using std::cos, std::sin;
  const Rotation<T> R = rotation_about(2, T(0.3 + 0.8 * t + 0.5 * t * t)) *
                        rotation_about(1, T(0.7 * sin(T(1.3) * t) - 0.4)) *
                        rotation_about(0, T(1.1 - 0.9 * t + 0.2 * t * t * t));
  return {R, {T(0.4 + 0.7 * t - t * t), T(sin(T(2.0) * t)), T(cos(t) + 0.3 * t * t)}};
}

/// Its motion in body coordinates, exact: the imaginary part of a step too small to matter carries the derivative.
Motion<double> motion_of_tumbling(double t) {
  constexpr double tiny = 1e-30;
  const Pose<std::complex<double>> X = tumbling(std::complex<double>(t, tiny));
  const Pose<double> X_WB = tumbling(t);
  Eigen::Matrix3d Rdot;
  Eigen::Vector3d pdot;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) Rdot(i, j) = X.R.m(i, j).imag() / tiny;
    pdot(i) = X.p[i].imag() / tiny;
  }
  const Eigen::Matrix3d w = dense(X_WB.R).transpose() * Rdot;
  const Eigen::Vector3d v = dense(X_WB.R).transpose() * pdot;
  return {{w(2, 1), w(0, 2), w(1, 0)}, {v.x(), v.y(), v.z()}};
}

template <class F>
auto rate(F&& f, double t) {
  return ((f(t + step) - f(t - step)) / (2 * step)).eval();
}

Motion<double> motion_from(const Vector6& a) { return {{a(0), a(1), a(2)}, {a(3), a(4), a(5)}}; }

constexpr std::array moments_in_time{-0.7, 0.0, 0.4, 1.1};

TEST(Representation, OfBodyLeavesAsItIs) {
  Random random(1);
  EXPECT_EQ(pose_to(Representation::body, random.pose()), Pose<double>::identity());
}

TEST(Representation, OfInertialTurnsTheAxesOnly) {
  Random random(2);
  const Pose<double> X_WB = random.pose();
  EXPECT_EQ(pose_to(Representation::inertial, X_WB), (Pose<double>{X_WB.R, Vec3<double>::zero()}));
}

TEST(Representation, OfAbsoluteIsSeenFromWorld) {
  Random random(3);
  const Pose<double> X_WB = random.pose();
  EXPECT_EQ(pose_to(Representation::absolute, X_WB), X_WB);
}

TEST(Representation, KeepsPowerAndEnergy) {
  Random random(4);
  const Pose<double> X_WB = random.pose();
  const Motion<double> V = random.motion();
  const Force<double> F = random.force();
  const Inertia<double> M = random.inertia();
  for (const Representation to : all_representations) {
    const Pose<double> X = pose_to(to, X_WB);
    EXPECT_NEAR(dot(X * V, X * F), dot(V, F), rounding);
    EXPECT_NEAR(dot(X * V, (X * M) * (X * V)), dot(V, M * V), rounding);
    EXPECT_THAT(dense((X * M) * (X * V)), IsNear(dense(X * (M * V)), rounding));
  }
}

TEST(ShiftBetween, CarriesMotionsForwardAndForcesBack) {  // [UNI (2.19)]
  Random random(5);
  const Pose<double> X_Wx = random.pose(), X_Wy = random.pose();
  const Motion<double> V = random.motion();  // of the body and the force on it, both seen from World
  const Force<double> F = random.force();
  for (const Representation in : all_representations) {
    const Pose<double> phi_xy = shift_between(in, X_Wx, X_Wy);
    const auto seen_at = [&](const Pose<double>& X_W, const auto& quantity) {
      return pose_to(in, X_W) * (X_W.inverse() * quantity);
    };
    EXPECT_THAT(dense(phi_xy * seen_at(X_Wy, V)), IsNear(dense(seen_at(X_Wx, V)), rounding));
    EXPECT_THAT(dense(phi_xy.inverse() * seen_at(X_Wx, F)), IsNear(dense(seen_at(X_Wy, F)), rounding));
    EXPECT_THAT(dense(phi_xy.inverse() * seen_at(X_Wx, F)),
                IsNear(motion_matrix(dense(phi_xy)).transpose() * dense(seen_at(X_Wx, F)), rounding));
  }
}

TEST(ShiftBetween, IsTheOperatorOfTheThesis) {
  Random random(6);
  const Pose<double> X_Wx = random.pose(), X_Wy = random.pose();
  const Eigen::Vector3d l = dense(X_Wx.p - X_Wy.p);  // from y to x, in World axes
  const Eigen::Matrix3d R_Wy = dense(X_Wy.R), R_xy = dense(X_Wx.R).transpose() * R_Wy;
  Matrix6 inertial, body;
  inertial << Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Zero(), -skew(l), Eigen::Matrix3d::Identity();
  body << R_xy, Eigen::Matrix3d::Zero(), -R_xy * skew(R_Wy.transpose() * l), R_xy;
  const auto phi = [&](Representation in) { return motion_matrix(dense(shift_between(in, X_Wx, X_Wy))); };
  EXPECT_THAT(phi(Representation::inertial), IsNear(inertial, rounding));  // [UNI (2.18)]
  EXPECT_THAT(phi(Representation::body), IsNear(body, rounding));          // [UNI (2.22)]
  EXPECT_EQ(phi(Representation::absolute), Matrix6::Identity());
}

TEST(ShiftBetween, ChangesWithTheRateOfTheThesis) {  // [UNI (2.20)]: d(φ)/dt = Ω̃·φ − φ·Ω̃
  Random random(7);
  const Pose<double> X_Bx = random.pose(), X_By = random.pose();
  for (const double t : moments_in_time) {
    for (const Representation in : {Representation::inertial, Representation::body}) {
      const auto phi = [&](double at) {
        return motion_matrix(dense(shift_between(in, tumbling(at) * X_Bx, tumbling(at) * X_By)));
      };
      const Motion<double> V = pose_to(in, tumbling(t)) * motion_of_tumbling(t);
      const Matrix6 Omega = skew(frame_rate(in, V));
      EXPECT_THAT(rate(phi, t), IsNear(Omega * phi(t) - phi(t) * Omega, differences));
    }
  }
}

TEST(FrameRate, IsTheRateOfWhatIsFixedInTheBody) {  // [UNI (2.23), (2.26)]
  Random random(8);
  for (const double t : moments_in_time) {
    const Motion<double> a = random.motion(), adot = random.motion();
    const Force<double> f = random.force();
    for (const Representation in : all_representations) {
      const Pose<double> X = pose_to(in, tumbling(t));
      const Motion<double> Omega = frame_rate(in, X * motion_of_tumbling(t));
      const auto moving = [&](double at) { return dense(pose_to(in, tumbling(at)) * (a + adot * (at - t))); };
      EXPECT_THAT(rate(moving, t), IsNear(dense(X * adot + cross(Omega, X * a)), differences));
      const auto fixed = [&](double at) { return dense(pose_to(in, tumbling(at)) * f); };
      EXPECT_THAT(rate(fixed, t), IsNear(dense(cross(Omega, X * f)), differences));
    }
  }
}

TEST(FrameRate, GivesTheRateOfTheInertia) {
  // [UNI 2.1.2.1] Ṁ = Ω̃·M − M·Ω̃ (inertial) and [UNI 2.1.2.3] Ṁ = −Ṽᵀ·M − M·Ṽ (absolute), in one: −Ω̃ᵀ·M − M·Ω̃,
  // for the Ω̃ of the inertial representation is skew.
  Random random(9);
  const Inertia<double> M_B = random.inertia();
  for (const double t : moments_in_time) {
    for (const Representation in : all_representations) {
      const auto M = [&](double at) { return dense(pose_to(in, tumbling(at)) * M_B); };
      const Matrix6 Omega = skew(frame_rate(in, pose_to(in, tumbling(t)) * motion_of_tumbling(t)));
      EXPECT_THAT(rate(M, t), IsNear(-Omega.transpose() * M(t) - M(t) * Omega, differences));
    }
  }
}

TEST(NewtonEuler, IsTheRateOfMomentumInEveryRepresentation) {
  Random random(10);
  const Inertia<double> M_B = random.inertia();
  for (const double t : moments_in_time) {
    // Newton and Euler: the force is the rate of the momentum about a point fixed in World. [UNI (2.1), (2.2)]
    const auto momentum = [&](double at) { return dense(tumbling(at) * (M_B * motion_of_tumbling(at))); };
    const Vector6 F_W = rate(momentum, t);
    for (const Representation in : all_representations) {
      const Pose<double> X = pose_to(in, tumbling(t));
      const auto velocity = [&](double at) { return dense(pose_to(in, tumbling(at)) * motion_of_tumbling(at)); };
      const Motion<double> V = motion_from(velocity(t)), Vdot = motion_from(rate(velocity, t));
      const Force<double> F = newton_euler(in, X * M_B, V, Vdot);
      const Force<double> F_B = X.inverse() * F;
      EXPECT_THAT(dense(tumbling(t) * F_B), IsNear(F_W, differences));
    }
  }
}

TEST(NewtonEuler, IsTheSameForceInEveryRepresentation) {
  Random random(11);
  for (int i = 0; i < 50; ++i) {
    const Pose<double> X_WB = random.pose();
    const Inertia<double> M = random.inertia();
    const Motion<double> V = random.motion(), Vdot = random.motion();
    const Force<double> F = newton_euler(Representation::body, M, V, Vdot);
    for (const Representation in : all_representations) {
      const Pose<double> X = pose_to(in, X_WB);
      const Motion<double> V_in = X * V;
      const Motion<double> Vdot_in = X * Vdot + cross(frame_rate(in, V_in), V_in);
      EXPECT_THAT(dense(newton_euler(in, X * M, V_in, Vdot_in)), IsNear(dense(X * F), rounding));
    }
  }
}

TEST(NewtonEuler, IsTheEquationOfTheThesis) {
  Random random(12);
  for (int i = 0; i < 50; ++i) {
    const Inertia<double> M = random.inertia();
    const Motion<double> V = random.motion(), Vdot = random.motion();
    const Matrix6 m = dense(M), Vt = skew(V), Omega = skew(Motion<double>{V.w, Vec3<double>::zero()});
    const Vector6 v = dense(V), vdot = dense(Vdot);
    // [UNI (2.24)] and [UNI (2.27)] read alike; [UNI (2.15)] with the minus sign that its proof ends with.
    const Vector6 moving = m * vdot - Vt.transpose() * m * v;
    EXPECT_THAT(dense(newton_euler(Representation::body, M, V, Vdot)), IsNear(moving, rounding));
    EXPECT_THAT(dense(newton_euler(Representation::absolute, M, V, Vdot)), IsNear(moving, rounding));
    EXPECT_THAT(dense(newton_euler(Representation::inertial, M, V, Vdot)),
                IsNear(m * vdot - (m * Omega + Vt.transpose() * m) * v, rounding));
  }
}

TEST(NewtonEuler, AtTheCentreOfMassIsNewtonAndEuler) {  // [UNI (2.8), (2.9), (2.11)]
  Random random(13);
  const double m = 3;
  const SymMat3<double> J = random.sym_mat3();
  const Inertia<double> M = inertia_about_origin(m, Vec3<double>::zero(), J);
  const Motion<double> V = random.motion(), Vdot = random.motion();
  const Force<double> F = newton_euler(Representation::inertial, M, V, Vdot);
  EXPECT_THAT(dense(F.f), IsNear(m * dense(Vdot.v), rounding));
  EXPECT_THAT(dense(F.n), IsNear(dense(J * Vdot.w + cross(V.w, J * V.w)), rounding));
}

TEST(NewtonEuler, RestsOnTheIdentityOfTheThesis) {
  // [UNI (2.21)]: −Ṽᵀ·M·V = φᵀ·Ω̃·φ⁻ᵀ·M·V with φ from x to the centre of mass c; printed without the transpose of Ṽ.
  Random random(14);
  for (int i = 0; i < 50; ++i) {
    const Vec3<double> c = random.vec3();
    const Inertia<double> M = inertia_about_origin(2 + random.number(), c, random.sym_mat3());
    const Motion<double> V = random.motion();
    const Matrix6 phi = motion_matrix(dense(Shift<double>{-c})),
                  Omega = skew(Motion<double>{V.w, Vec3<double>::zero()});
    EXPECT_THAT(dense(cross(V, M * V)),
                IsNear(phi.transpose() * Omega * phi.transpose().inverse() * dense(M) * dense(V), rounding));
  }
}

}  // namespace
}  // namespace articula::test
