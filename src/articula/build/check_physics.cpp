#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/build/check.h>

namespace articula::build {
namespace {

/// Tolerance for rounding, relative to the largest moment.
constexpr double moment_tolerance = 1e-9;
/// At least m times this for a body of mass m: no body is as thin as a micrometre.
constexpr double least_gyration_squared = 1e-12;

/// Whether the least principal moment is negative by more than rounding.
bool is_negative(double a, double c, double m) {
  return a < -std::fmax(moment_tolerance * std::fmax(c, -a), least_gyration_squared * m);
}

/// A body this large, or this dense, has wrong units: with kg·mm² for kg·m² it is a thousand times too large.
constexpr double implausible_size = 30, implausible_density = 1e6;

struct Principal {
  double least, middle, greatest;
};

Principal principal_moments(const SymMat3<double>& J) {
  Eigen::Matrix3d m;
  m << J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz;
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m, Eigen::EigenvaluesOnly).eigenvalues();
  return {moments[0], moments[1], moments[2]};
}

class Physics {
 public:
  Physics(const CheckOptions& options, Severity least, Findings& findings)
      : options_(options), least_(least), findings_(findings) {}

  /// A body as written. Of a foreign file a negative moment is only warned of, and a negative mass if the body is no
  /// moving one by itself.
  void body(const Entity& entity, const RigidBody& body, bool foreign, bool alone) {
    const auto M = mass_properties(body);
    if (!M) return;
    if (M->m < 0) {
      add(hard(foreign && !alone), "mass-negative", entity, "mass is ", M->m, " kg. It must not be negative.");
      return;
    }
    const SymMat3<double> J = body.density && M->m > 0 ? inertia_about_center(*M) : body.inertia;
    const auto [a, b, c] = principal_moments(J);
    if (is_negative(a, c, M->m)) {
      add(hard(foreign), "inertia-negative", entity, "its inertia has the principal moment ", a,
          " kg*m^2. None may be negative; check the signs and the "
          "products of inertia.");
      return;
    }
    if (a + b < c * (1 - moment_tolerance)) {
      add(options_.strict ? Severity::error : Severity::warning, "inertia-triangle", entity, "its principal moments ",
          a, ", ", b, ", ", c,
          " kg*m^2 violate the triangle inequality: no body has two "
          "that add up to less than the third.");
    }
    if (M->m == 0 && c > 0 && body.constituents.empty()) {
      add(Severity::warning, "inertia-without-mass", entity, "its mass is 0 kg, but its largest principal moment is ",
          c, " kg*m^2. A body that has inertia has mass. Give its mass, or set its inertia to zero.");
    }
    plausible(entity, M->m, a, b, c);
  }

  /// A body that moves after merging, as a whole.
  void moving(const Entity& entity, const RigidBody& body, bool foreign) {
    if (body.mass < 0) {
      add(Severity::error, "mass-negative", entity, "together with what is fixed to it, its mass is ", body.mass,
          " kg. It must not be negative.");
    }
    const auto [a, b, c] = principal_moments(body.inertia);
    if (is_negative(a, c, body.mass)) {
      add(hard(foreign), "inertia-negative", entity,
          "together with what is fixed to it, its inertia has the principal moment ", a,
          " kg*m^2. None may be negative.");
    }
  }

 private:
  Severity hard(bool lenient) const { return lenient && !options_.strict ? Severity::warning : Severity::error; }

  template <class... Pieces>
  void add(Severity severity, std::string_view code, const Entity& entity, const Pieces&... what) {
    if (severity < least_) return;
    add_finding(findings_, {severity, std::string(code), entity.where, concat(to_text(entity), ": ", what...)});
  }

  /// The box of the same mass and moments: its sides and density tell whether units were mixed up.
  void plausible(const Entity& entity, double m, double a, double b, double c) {
    if (!(m > 0) || !(c > 0)) return;
    const auto side = [&](double twice) { return std::sqrt(std::fmax(0.0, 6 * twice / m)); };
    const double x = side(b + c - a), y = side(a + c - b), z = side(a + b - c);
    const double largest = std::max({x, y, z});
    if (largest > implausible_size) {
      add(Severity::warning, "inertia-implausible", entity, "its inertia is that of a body ", largest,
          " m long. Was it given in kg*mm^2 or g*mm^2? It is read in kg*m^2.");
    }
    const double least = std::min({x, y, z});
    if (least > 0 && m / (x * y * z) > implausible_density) {
      add(Severity::warning, "inertia-implausible", entity, "its inertia is that of a body of ", x, " by ", y, " by ",
          z, " m, with a density of ", m / (x * y * z), " kg/m^3. Was it scaled twice? It is read in kg*m^2.");
    }
  }

  const CheckOptions& options_;
  Severity least_;
  Findings& findings_;
};

}  // namespace

void check_physics(const Model& flat, const Model& merged, const CheckOptions& options, Findings& findings,
                   Severity least) {
  Physics physics(options, least, findings);
  for (const Entity& entity : flat.entities()) {
    if (const auto* body = std::get_if<RigidBody>(&entity.kind)) {
      // Alone and moving, it is judged here and nowhere else; merged or fixed, a foreign file's may be odd.
      const Entity* now = merged.find(entity.name, Family::body);
      const auto* whole = now == nullptr ? nullptr : std::get_if<RigidBody>(&now->kind);
      const bool alone = whole != nullptr && whole->constituents.empty();
      physics.body(entity, *body, flat.imported, alone);
    }
  }
  for (const Entity& entity : merged.entities()) {
    const auto* body = std::get_if<RigidBody>(&entity.kind);
    if (body != nullptr && !body->constituents.empty()) physics.moving(entity, *body, flat.imported);
  }
}

}  // namespace articula::build
