// Regressors against inverse dynamics with one parameter at a time, and with all of them.

#include <articula/dynamics/regressor.h>

#include "dynamics/moving_model.h"

namespace articula::test {
namespace {

constexpr double rounding = 1e-11;  ///< relative, through a dozen joints
constexpr std::uint32_t models = 80;

Inertia<double> unit_inertia(std::size_t k) {
  Inertia<double> M;
  double* const entries[] = {&M.m, &M.h.x, &M.h.y, &M.h.z, &M.I.xx, &M.I.xy, &M.I.xz, &M.I.yy, &M.I.yz, &M.I.zz};
  *entries[k] = 1;
  return M;
}

struct Regressed {
  explicit Regressed(const MovingModel& moving) : m(moving), motion(m.mech) {
    torques(m.par);
    bodies.resize(m.v.size() * 10 * (m.mech.bodies.size() - 1), 7.0);
    constituents.resize(m.v.size() * 10 * m.par.M_C.size(), 7.0);
    regressor_of_bodies<double, double>(m.mech, m.par, m.kin, m.poses, motion, bodies);
    regressor<double, double>(m.mech, m.par, m.kin, m.poses, motion, constituents,
                              inertial_parameters * m.par.X_BC.size());
  }
  Eigen::VectorXd torques(const Parameters<double>& par) {
    Numbers tau(m.v.size());
    inverse_dynamics<double, double>(m.mech, par, m.kin, m.q, m.v, m.vdot, {}, motion, tau);
    return vector(tau);
  }
  /// A mechanism of no mass at all.
  Parameters<double> empty() const {
    Parameters<double> par = m.par;
    for (auto& M : par.M_B) M = {};
    for (auto& h : par.internal_momentum) h = Vec3<double>::zero();
    std::fill(par.armature.begin(), par.armature.end(), 0.0);
    return par;
  }

  const MovingModel& m;
  NewtonEuler<double> motion;
  Numbers bodies, constituents;
};

template <class F>
void for_regressed(F&& f) {
  for_moving_models(models, [&](const MovingModel& m) {
    if (m.mech.nv == 0) return;
    Regressed regressed(m);
    f(regressed);
  });
}

TEST(Regressor, TimesTheParametersIsTheTorque) {
  for_regressed([](Regressed& r) {
    const MovingModel& m = r.m;
    Numbers of_bodies, of_constituents;
    for (std::size_t k = 1; k < m.mech.bodies.size(); ++k) {
      for (const double x : parameters_of(m.par.M_B[k])) of_bodies.push_back(x);
    }
    for (const Inertia<double>& M_C : m.par.M_C) {
      for (const double x : parameters_of(M_C)) of_constituents.push_back(x);
    }
    Parameters<double> spinning = r.empty();
    spinning.internal_momentum = m.par.internal_momentum;
    spinning.armature = m.par.armature;  // no inertial parameter of a body
    const Eigen::VectorXd expected = r.torques(m.par) - r.torques(spinning);
    const double size = 1 + expected.norm();
    EXPECT_LE((matrix(r.bodies, m.mech.nv) * vector(of_bodies) - expected).norm(), rounding * size);
    EXPECT_LE((matrix(r.constituents, m.mech.nv) * vector(of_constituents) - expected).norm(), rounding * size);
  });
}

TEST(Regressor, HasTheTorquesOfUnitParametersAsColumns) {
  for_regressed([](Regressed& r) {
    const MovingModel& m = r.m;
    for (std::size_t i = 1; i < m.mech.bodies.size(); ++i) {
      for (std::size_t k = 0; k < 10; ++k) {
        Parameters<double> par = r.empty();
        par.M_B[i] = unit_inertia(k);
        const Eigen::VectorXd expected = r.torques(par);
        const auto column = static_cast<int>(10 * (i - 1) + k);
        EXPECT_LE((matrix(r.bodies, m.mech.nv).col(column) - expected).norm(), rounding * (1 + expected.norm()));
      }
    }
    for (std::size_t c = 0; c < m.par.M_C.size(); ++c) {
      const auto body = static_cast<std::size_t>(m.mech.provenance.constituents[c].body);
      for (std::size_t k = 0; k < 10; ++k) {
        Parameters<double> par = r.empty();
        par.M_B[body] = m.par.X_BC[c] * unit_inertia(k);
        const Eigen::VectorXd expected = r.torques(par);
        const auto column = static_cast<int>(10 * c + k);
        EXPECT_LE((matrix(r.constituents, m.mech.nv).col(column) - expected).norm(), rounding * (1 + expected.norm()));
      }
    }
  });
}

/// A hinge about y feels Iyy·vdot and the moment of the weight.
TEST(Regressor, OfAPendulumIsTheTextbooks) {
  Model model("pendulum");
  model.add("bob", RigidBody{.mass = 1, .inertia = SymMat3<double>::identity()});
  model.add("pivot", Joint{.axis = y_axis}, "world", "bob");
  MovingModel m(model, 1);
  const double q = 0.4, w = 1.5, wdot = 0.7, g = 9.81;
  m.move_to({q}, {w}, {wdot});
  const Regressed r(m);
  // The weight m·g at (x, z) in the body has the lever x·cos q + z·sin q about y.
  Eigen::RowVectorXd expected(10);
  expected << 0, -g * std::cos(q), 0, -g * std::sin(q), 0, 0, 0, wdot, 0, 0;
  EXPECT_LE((matrix(r.constituents, 1) - expected).norm(), 1e-14);
}

}  // namespace
}  // namespace articula::test
