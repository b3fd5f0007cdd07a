// Inverse dynamics of elastic drives in three forms: power series through the recursion of its own; the recursion of [UNI]
// over orders of differentiation; and power series through the inverse dynamics of rigid mechanisms, drive by drive.

#include <gtest/gtest.h>

#include <cmath>

#include <articula/articula.h>
#include <articula/drives/elastic_inverse_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/mechanism/joint_motion.h>

namespace articula::test {
namespace {

using namespace drives;

constexpr double agreement = 1e-9;  ///< relative to the largest torque
constexpr int order = 10;           ///< of q

using T = Jet<double, order>;

/// The seven-axis arm on a fast motion: derivatives of q, by order.
struct Arm {
  /// @param softness of its springs
  explicit Arm(double softness = 1)
      : model(softer(load(std::filesystem::path(ARTICULA_SOURCE_DIR) / "models/lbr_like.yaml"), softness)),
        locked(build_mechanism(model, {.drives = Drives::locked})),
        full(build_mechanism(model, {.drives = Drives::elastic})),
        chain(locked.mechanism, locked.parameters, full.mechanism, full.parameters) {
    for (int k = 0; k <= order + 2; ++k) {
      std::vector<double>& each = q.emplace_back(7);
      for (int i = 0; i < 7; ++i) {
        const double w = 5 + 0.7 * i;
        each[static_cast<std::size_t>(i)] = 0.6 * std::pow(w, k) * std::sin(0.4 + i + k * M_PI / 2);
      }
    }
  }

  static Model softer(Model arm, double softness) {
    for (int k = 1; k <= 7; ++k) *arm.at<Drive>("drive" + std::to_string(k)).stiffness /= softness;
    return arm;
  }

  /// The axis of rotor j in its carrier.
  Vec3<double> axis(std::size_t j) const { return rotor_axis(locked.mechanism, locked.parameters, chain.rotors[j]); }
  const RotorNumbers<double>& rotor(std::size_t j) const {
    return locked.parameters.rotors[static_cast<std::size_t>(chain.rotors[j].element)];
  }
  double stiffness(std::size_t j) const { return chain.groups[j].shafts[0].stiffness; }
  double gear(std::size_t j) const { return chain.groups[j].R[0]; }
  std::vector<T> series() const {
    std::vector<T> all;
    for (std::size_t i = 0; i < 7; ++i) {
      T& x = all.emplace_back(T::zero_of_order(order));
      double factorial = 1;
      for (int k = 0; k <= order; ++k, factorial *= k) x[k] = q[static_cast<std::size_t>(k)][i] / factorial;
    }
    return all;
  }

  Model model;
  Built locked, full;
  ElasticChain chain;
  std::vector<std::vector<double>> q;
};

/// Torques to the orders that the chain says.
template <class Series = T>
std::vector<double> torques(const Arm& arm, const ElasticChain& chain) {
  ElasticNewtonEuler<Series> s(arm.locked.mechanism, chain);
  for (std::size_t i = 0; i < 7; ++i) {
    s.q[i] = Series::zero_of_order(chain.q_order);
    double factorial = 1;
    for (int k = 0; k <= chain.q_order; ++k, factorial *= k)
      s.q[i][k] = arm.q[static_cast<std::size_t>(k)][i] / factorial;
  }
  elastic_inverse_dynamics<Series, double>(arm.locked.mechanism, arm.locked.parameters, chain, s);
  std::vector<double> tau;
  for (std::size_t j = 0; j < 7; ++j)
    tau.push_back(motor_torque(arm.locked.mechanism, arm.locked.parameters, chain, s, j));
  return tau;
}

double binomial(int n, int k) {
  double b = 1;
  for (int i = 1; i <= k; ++i) b *= static_cast<double>(n - k + i) / i;
  return b;
}

/// [UNI (3.26)-(3.37), Algorithm 1]: derivatives in the axes of bodies, V̊⁽ᵅ⁾ = φ·V̊⁽ᵅ⁾ of the parent + A_α + B_α, and
/// f̊⁽ᵅ⁾ likewise inward. B and D come from (φ·x)˚ = φ·x̊ − Δ̃·φ·x and (φᵀ·f)˚ = φᵀ·(f̊ + Δ ×* f), applied again and again.
std::vector<double> by_orders(const Arm& arm) {
  const Mechanism& mech = arm.locked.mechanism;
  const Parameters<double>& par = arm.locked.parameters;
  constexpr std::size_t n = 7, orders = order;  // V to the ninth derivative, f to the eighth
  std::vector<JointMotion<double>> joints(n + 1);
  std::vector<std::vector<Motion<double>>> V(n + 1), Delta(n + 1);
  std::vector<std::vector<Force<double>>> f(n + 1);
  V[0].assign(orders, Motion<double>::zero());
  V[0][1].v = -par.gravity_W;
  for (std::size_t i = 1; i <= n; ++i) {
    joints[i] = joint_motion(mech, par, static_cast<int>(i), arm.q[0].data());
    const Motion<double> H = joints[i].H_B[0];
    for (std::size_t k = 0; k < orders; ++k) Delta[i].push_back(H * arm.q[k + 1][i - 1]);
    // W[k][m]: the k-th derivative of φ·V⁽ᵐ⁾ of the parent.
    std::vector<std::vector<Motion<double>>> W(orders);
    for (std::size_t m = 0; m < orders; ++m) W[0].push_back(joints[i].X_PB.inverse() * V[i - 1][m]);
    for (std::size_t k = 0; k + 1 < orders; ++k) {
      for (std::size_t m = 0; m + k + 1 < orders; ++m) {
        Motion<double> next = W[k][m + 1];
        for (std::size_t j = 0; j <= k; ++j)
          next = next - cross(Delta[i][j], W[k - j][m]) * binomial(static_cast<int>(k), static_cast<int>(j));
        W[k + 1].push_back(next);
      }
    }
    for (std::size_t k = 0; k < orders; ++k) V[i].push_back(W[k][0] + Delta[i][k]);
  }

  std::vector<std::vector<double>> theta(n + 1);
  std::vector<double> tau(n);
  for (std::size_t i = n; i > 0; --i) {
    const auto wanted = static_cast<std::size_t>(arm.chain.rotors[i - 1].order);
    std::vector<Force<double>> L(orders + 1, Force<double>::zero());  // of the rotor on this body
    if (i < n) {
      for (std::size_t k = 0; k + 1 < theta[i + 1].size(); ++k)
        L[k].n = arm.axis(i) * (arm.rotor(i).inertia * theta[i + 1][k + 1]);
    }
    const Inertia<double>& M = par.M_B[i];
    for (std::size_t a = 0; a <= wanted; ++a) {
      Force<double> sum = M * V[i][a + 1] + L[a + 1];
      for (std::size_t j = 0; j <= a; ++j) {
        const double b = binomial(static_cast<int>(a), static_cast<int>(j));
        sum += cross(V[i][j], M * V[i][a - j]) * b + cross(V[i][j], L[a - j]) * b;
      }
      f[i].push_back(sum);
    }
    if (i < n) {
      // P[k][m]: the derivatives of φᵀ·f of the child, before φᵀ.
      std::vector<std::vector<Force<double>>> P(wanted + 1);
      for (std::size_t m = 0; m <= wanted; ++m) P[0].push_back(f[i + 1][m]);
      for (std::size_t k = 0; k < wanted; ++k) {
        for (std::size_t m = 0; m + k + 1 <= wanted; ++m) {
          Force<double> next = P[k][m + 1];
          for (std::size_t j = 0; j <= k; ++j)
            next += cross(Delta[i + 1][j], P[k - j][m]) * binomial(static_cast<int>(k), static_cast<int>(j));
          P[k + 1].push_back(next);
        }
      }
      for (std::size_t a = 0; a <= wanted; ++a) f[i][a] += joints[i + 1].X_PB * P[a][0];
    }
    for (std::size_t a = 0; a <= wanted; ++a) {
      const double u = dot(joints[i].H_B[0], f[i][a]);
      theta[i].push_back(arm.gear(i - 1) * (u / arm.stiffness(i - 1) + arm.q[a][i - 1]));
    }
    const std::size_t j = i - 1;
    const double carried = i == 1 ? 0 : dot(arm.axis(j), V[i - 1][1].w);
    tau[j] = arm.rotor(j).inertia * (theta[i][2] + carried) + dot(joints[i].H_B[0], f[i][0]) / arm.gear(j);
  }
  return tau;
}

/// Inverse dynamics of the links over power series, once for each drive, from the last one inward: with the rotors that are
/// known by then as forces on the bodies that carry them.
std::vector<double> by_rigid_recursion(const Arm& arm) {
  const Mechanism& mech = arm.locked.mechanism;
  const Parameters<double>& par = arm.locked.parameters;
  const std::vector<T> q = arm.series();
  std::vector<T> v, vdot;
  for (const T& x : q) v.push_back(derivative(x)), vdot.push_back(derivative(v.back()));
  Velocities<T> kin(mech);
  positions<T, double>(mech, par, q, kin);
  velocities<T, double>(mech, par, q, v, kin);
  NewtonEuler<T> scratch(mech);
  std::vector<Force<T>> F(mech.bodies.size(), Force<T>::zero());
  std::vector<T> u(7);
  std::vector<double> tau(7);
  for (std::size_t i = 7; i > 0; --i) {
    const std::size_t j = i - 1;
    inverse_dynamics<T, double>(mech, par, kin, q, v, vdot, F, scratch, u);
    const T theta = (u[j] * (1 / arm.stiffness(j)) + q[j]) * arm.gear(j);
    const T speed = derivative(theta), acceleration = derivative(speed);
    tau[j] = u[j][0] / arm.gear(j) + arm.rotor(j).inertia * acceleration[0];
    if (i == 1) continue;
    const Vec3<double> a = arm.axis(j);
    const Vec3<T> a_T = over<T>(a);
    tau[j] += arm.rotor(j).inertia * dot(a_T, scratch.A_B[i - 1].w)[0];
    // Beyond the order that is known, θ has no effect.
    F[i - 1].n = -(a_T * extended(acceleration, order) + cross(kin.V_B[i - 1].w, a_T) * extended(speed, order)) *
                 T(arm.rotor(j).inertia);
  }
  return tau;
}

TEST(ElasticInverseDynamics, HasThreeFormsThatAgree) {
  const Arm arm;
  ASSERT_EQ(arm.chain.q_order, order);
  const std::vector<double> series = torques(arm, arm.chain), orders = by_orders(arm), rigid = by_rigid_recursion(arm);
  double size = 0;
  for (const double tau : series) size = std::max(size, std::abs(tau));
  for (std::size_t j = 0; j < 7; ++j) {
    EXPECT_NEAR(orders[j], series[j], agreement * size) << j;
    EXPECT_NEAR(rigid[j], series[j], agreement * size) << j;
  }
}

TEST(ElasticInverseDynamics, NeedsEachOrder) {
  const Arm arm(1e3);  // so that no derivative is lost in rounding
  const std::vector<double> expected = torques(arm, arm.chain);
  for (std::size_t r = 2; r < 7; ++r) {  // the first two rotors need an acceleration, as all do
    ElasticChain shorter = arm.chain;
    --shorter.rotors[r].order;
    const std::vector<double> found = torques(arm, shorter);
    double largest = 0;
    for (std::size_t j = 0; j < 7; ++j) largest = std::max(largest, std::abs(found[j] - expected[j]));
    EXPECT_GT(largest, 1e-9) << r;
  }
}

TEST(ElasticInverseDynamics, NeedsNoMoreOrders) {
  const Arm arm;
  ElasticChain longer = arm.chain;
  longer.q_order = order + 2;
  for (ElasticRotor& rotor : longer.rotors) rotor.order = order;
  for (ElasticGroup& group : longer.groups) group.shafts[0].order = order;
  for (auto* each : {&longer.order_u, &longer.order_F}) std::fill(each->begin(), each->end(), order);
  std::fill(longer.order_V.begin(), longer.order_V.end(), order + 1);
  const std::vector<double> expected = torques(arm, arm.chain), found = torques<Jet<double, order + 2>>(arm, longer);
  for (std::size_t j = 0; j < 7; ++j) EXPECT_NEAR(found[j], expected[j], 1e-12 * (1 + std::abs(expected[j]))) << j;
}

}  // namespace
}  // namespace articula::test
