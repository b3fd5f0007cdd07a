#include <articula/control/internal/closed_form_arm.h>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <numbers>

namespace articula::control {

namespace {

using V = Vec3<double>;
constexpr double near_zero = 1e-9;

bool parallel(const V& a, const V& b) { return norm(cross(a, b)) < near_zero; }

/// Angles of a joint that satisfy a condition.
struct Angles {
  std::array<double, 4> list{};
  int count = 0;

  void add(double angle) { list[static_cast<std::size_t>(count++)] = std::remainder(angle, 2 * std::numbers::pi); }
  const double* begin() const { return list.data(); }
  const double* end() const { return list.data() + count; }
};

/// k0 + k1·cos + k2·sin.
struct Affine {
  double k0 = 0, k1 = 0, k2 = 0;

  double operator()(double angle) const { return k0 + k1 * std::cos(angle) + k2 * std::sin(angle); }
  Affine operator+(const Affine& b) const { return {k0 + b.k0, k1 + b.k1, k2 + b.k2}; }
  Affine operator*(double f) const { return {f * k0, f * k1, f * k2}; }

  /// Its zeros. A target slightly out of reach counts as just in reach: a double zero.
  Angles zeros() const {
    Angles angles;
    const double size = std::hypot(k1, k2), tallest = std::atan2(k2, k1);
    if (size == 0 || std::abs(k0) > size * (1 + near_zero)) return angles;
    const double half = std::acos(std::clamp(-k0 / size, -1.0, 1.0));
    angles.add(tallest + half);
    if (half > 0 && half < std::numbers::pi) angles.add(tallest - half);
    return angles;
  }
};

/// The component along d of x rotated about h: d·R(angle)·x.
Affine along(const V& d, const V& h, const V& x) {
  const V fixed = h * dot(h, x), across = x - fixed;
  return {dot(d, fixed), dot(d, across), dot(d, cross(h, across))};
}
/// |offset + R(angle)·x|².
Affine squared_length(const V& offset, const V& h, const V& x) {
  const Affine mixed = along(offset, h, x) * 2;
  return {mixed.k0 + dot(offset, offset) + dot(x, x), mixed.k1, mixed.k2};
}

/// A trigonometric polynomial of second degree, as a quadratic form of (1, cos, sin).
struct Quadratic {
  double q[3][3] = {};

  void add_square(const Affine& a, double factor) {
    const double k[3] = {a.k0, a.k1, a.k2};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) q[i][j] += factor * k[i] * k[j];
    }
  }
  void add(const Affine& a, double factor) {
    q[0][0] += factor * a.k0, q[0][1] += factor * a.k1, q[0][2] += factor * a.k2;
  }
  double value(double angle) const {
    const double x[3] = {1, std::cos(angle), std::sin(angle)};
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) sum += q[i][j] * x[i] * x[j];
    }
    return sum;
  }
  double slope(double angle) const {
    const double c = std::cos(angle), s = std::sin(angle), x[3] = {1, c, s}, d[3] = {0, -s, c};
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) sum += q[i][j] * (d[i] * x[j] + x[i] * d[j]);
    }
    return sum;
  }

  /// Its zeros: a quartic in u = tan((angle − shift)/2), with a shift that keeps all roots finite.
  Angles zeros() const;
};

Angles Quadratic::zeros() const {
  double shift = 0, largest = -1;
  for (int k = 0; k < 16; ++k) {
    const double at = k * std::numbers::pi / 8;
    if (const double size = std::abs(value(at + std::numbers::pi)); size > largest) largest = size, shift = at;
  }
  Angles angles;
  if (!(largest > 0)) return angles;
  // In the shifted angle: (1, cos, sin) = T·(1, c, s), and (1 + u²)·(1, c, s) = (1 + u², 1 − u², 2u).
  const double C = std::cos(shift), S = std::sin(shift);
  Eigen::Matrix3d form, T, U;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) form(i, j) = 0.5 * (q[i][j] + q[j][i]);
  }
  T << 1, 0, 0, 0, C, -S, 0, S, C;
  U << 1, 0, 1, 1, 0, -1, 0, 2, 0;
  const Eigen::Matrix3d f = (T * U).transpose() * form * (T * U);
  const double p[5] = {f(0, 0), 2 * f(0, 1), f(1, 1) + 2 * f(0, 2), 2 * f(1, 2), f(2, 2)};
  Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();
  for (int k = 0; k < 4; ++k) companion(k, 3) = -p[k] / p[4];
  for (int k = 0; k < 3; ++k) companion(k + 1, k) = 1;
  const Eigen::EigenSolver<Eigen::Matrix4d> roots(companion, false);
  for (int k = 0; k < 4; ++k) {
    const auto root = roots.eigenvalues()[k];
    // Rounding moves a nearly double root off the real axis by its square root.
    if (std::abs(root.imag()) > 1e-5 * (1 + std::abs(root.real()))) continue;
    double angle = shift + 2 * std::atan(root.real());
    for (int n = 0; n < 2; ++n) {
      const double step = value(angle) / slope(angle);
      if (std::abs(step) < 1e-3) angle -= step;
    }
    angles.add(angle);
  }
  return angles;
}

/// The point where two axes meet; none if they do not.
std::optional<V> meeting_point(const Axis& a, const Axis& b, double tolerance) {
  const V n = cross(a.h, b.h);
  if (norm(n) < near_zero) return std::nullopt;
  const V way = b.o - a.o;
  if (std::abs(dot(way, n)) > tolerance * norm(n)) return std::nullopt;
  return a.o + a.h * (dot(cross(way, b.h), n) / dot(n, n));
}

bool lies_on(const Axis& axis, const V& point, double tolerance) {
  return norm(cross(axis.h, point - axis.o)) <= tolerance;
}

double wrapped(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

}  // namespace

std::string_view to_text(ArmForm form) {
  switch (form) {
    case ArmForm::spherical_wrist: return "closed form, spherical wrist";
    case ArmForm::three_parallel: return "closed form, three parallel axes";
    case ArmForm::three_axes: return "closed form, position by three axes";
    case ArmForm::planar_two: return "closed form, position by two parallel axes";
    case ArmForm::planar_three: return "closed form, three parallel axes in the plane";
    case ArmForm::none: break;
  }
  return "iteration";
}

ClosedFormArm::ClosedFormArm(const ScrewChain& chain, bool position_only) : chain_(chain) {
  if (!chain.all_turn) return;
  const std::size_t n = chain.axes.size();
  if (position_only && n == 3 && find_three_axes(chain.X_WF_0.p)) {
    form_ = ArmForm::three_axes;
  } else if (position_only && n == 2 && parallel(chain.axes[0].h, chain.axes[1].h) &&
             !lies_on(chain.axes[0], chain.axes[1].o, near_zero * chain.size)) {
    form_ = ArmForm::planar_two;
  } else if (!position_only && n == 3 && find_planar()) {
    form_ = ArmForm::planar_three;
  } else if (!position_only && n == 6 && find_spherical_wrist()) {
    form_ = ArmForm::spherical_wrist;
  } else if (!position_only && n == 6 && find_three_parallel()) {
    form_ = ArmForm::three_parallel;
  }
}

bool ClosedFormArm::find_planar() {
  const std::vector<Axis>& axes = chain_.axes;
  const double tolerance = near_zero * chain_.size;
  return parallel(axes[0].h, axes[1].h) && parallel(axes[1].h, axes[2].h) && !lies_on(axes[0], axes[1].o, tolerance) &&
         !lies_on(axes[1], axes[2].o, tolerance);
}

bool ClosedFormArm::find_spherical_wrist() {
  const std::vector<Axis>& axes = chain_.axes;
  const double tolerance = near_zero * chain_.size;
  const auto center = meeting_point(axes[3], axes[4], tolerance);
  if (!center || !lies_on(axes[5], *center, tolerance) || parallel(axes[4].h, axes[5].h)) return false;
  return find_three_axes(*center);
}

bool ClosedFormArm::find_three_parallel() {
  const std::vector<Axis>& axes = chain_.axes;
  const double tolerance = near_zero * chain_.size;
  if (!parallel(axes[1].h, axes[2].h) || !parallel(axes[2].h, axes[3].h)) return false;
  if (parallel(axes[0].h, axes[1].h) || parallel(axes[3].h, axes[4].h)) return false;
  if (lies_on(axes[1], axes[2].o, tolerance) || lies_on(axes[2], axes[3].o, tolerance)) return false;
  const auto meeting = meeting_point(axes[4], axes[5], tolerance);
  if (!meeting) return false;
  point_ = *meeting;
  return true;
}

/// Whether solve_point can place a point with three axes.
bool ClosedFormArm::find_three_axes(const V& point) {
  const Axis &a = chain_.axes[0], &b = chain_.axes[1], &c = chain_.axes[2];
  const double tolerance = near_zero * chain_.size;
  point_ = point;
  if (lies_on(c, point, tolerance)) return false;  // the third axis does not move it
  const V n = cross(a.h, b.h), way = b.o - a.o;
  if (norm(n) < near_zero) {
    shoulder_ = Shoulder::parallel;
    o1_ = a.o;
    o2_ = b.o - b.h * dot(b.h, way);
    return norm(o2_ - o1_) > tolerance && !parallel(b.h, c.h);
  }
  o1_ = a.o + a.h * (dot(cross(way, b.h), n) / dot(n, n));
  o2_ = b.o + b.h * (dot(cross(way, a.h), n) / dot(n, n));
  shoulder_ = norm(o2_ - o1_) > tolerance ? Shoulder::general : Shoulder::intersecting;
  if (shoulder_ == Shoulder::general) return true;
  // The third joint must change the distance to where the first two axes meet.
  const Affine distance = squared_length(c.o - o2_, c.h, point - c.o);
  return std::hypot(distance.k1, distance.k2) > tolerance * chain_.size;
}

/// The angles of three joints that bring `point_` to p: e₁·e₂·e₃·point = p.
///
/// The first joint changes neither the height along its axis nor the distance from o1. With r = e₃·point − o2,
/// u = R₂·r⊥ its part across axis 2 after the second joint, and m = o2 − o1:
///
///     h1·u = A(q3) = h1·(p − o1) − h1·m − (h1·h2)·(h2·r)
///     2m·u = B(q3) = |p − o1|² − |m|² − |r|² − 2(m·h2)·(h2·r),       |u|² = |r|² − (h2·r)²
///
/// A, B, |r|² and h2·r are affine in cos q3 and sin q3; across axis 2, h1 and m are at right angles. So in general
/// q3 is a zero of A²/|h1⊥|² + B²/|2m|² − |u|², at most four; where axes 1 and 2 meet (m = 0) it is a zero of B, where
/// they are parallel of A, and u has then two signs.  [Pieper 1968, the position part]
template <class Use>
void ClosedFormArm::solve_point(const V& p, std::span<const double> near, Use&& use) const {
  const V &h1 = chain_.axes[0].h, &h2 = chain_.axes[1].h, &h3 = chain_.axes[2].h;
  const V offset = chain_.axes[2].o - o2_, arm = point_ - chain_.axes[2].o, m = o2_ - o1_;
  const Affine depth = along(h2, h3, arm) + Affine{dot(h2, offset)}, squared = squared_length(offset, h3, arm);
  const V to_p = p - o1_, h1_across = h1 - h2 * dot(h1, h2);
  const Affine A = depth * -dot(h1, h2) + Affine{dot(h1, to_p) - dot(h1, m)};
  const Affine B = squared * -1 + depth * (-2 * dot(m, h2)) + Affine{dot(to_p, to_p) - dot(m, m)};

  Angles thirds;
  if (shoulder_ == Shoulder::intersecting) {
    thirds = B.zeros();
  } else if (shoulder_ == Shoulder::parallel) {
    thirds = A.zeros();
  } else {
    Quadratic f;
    f.add_square(A, 1 / dot(h1_across, h1_across));
    f.add_square(B, 0.25 / dot(m, m));
    f.add_square(depth, 1);
    f.add(squared, -1);
    thirds = f.zeros();
  }
  for (const double q3 : thirds) {
    const V r = offset + turned(h3, q3, arm), r_across = r - h2 * dot(h2, r);
    const auto finish = [&](const V& u) {
      const double q2 = angle_about(h2, r_across, u).value_or(near[1]);
      const V y = m + turned(h2, q2, r);
      use(angle_about(h1, y, to_p).value_or(near[0]), q2, q3);
    };
    if (shoulder_ == Shoulder::general) {
      finish(h1_across * (A(q3) / dot(h1_across, h1_across)) + m * (0.5 * B(q3) / dot(m, m)));
      continue;
    }
    const V direction = shoulder_ == Shoulder::intersecting ? h1_across : m * 2.0;
    const V known = direction * ((shoulder_ == Shoulder::intersecting ? A(q3) : B(q3)) / dot(direction, direction));
    const V side = cross(h2, direction) * (1 / norm(direction));
    const double left = dot(r_across, r_across) - dot(known, known), scale = dot(r, r);
    if (left < -near_zero * scale) continue;
    const double other = std::sqrt(std::max(0.0, left));
    finish(known + side * other);
    if (other > 0) finish(known - side * other);
  }
}

/// Two adjacent parallel joints, the first at index `first`, that bring the point x to b.
template <class Use>
void ClosedFormArm::solve_planar_two(int first, const V& x, const V& b, std::span<const double> near, Use&& use) const {
  const auto k = static_cast<std::size_t>(first);
  const Axis &one = chain_.axes[k], &other = chain_.axes[k + 1];
  const auto across = [&](const V& a) { return a - one.h * dot(one.h, a); };
  const V to_b = across(b - one.o);
  const Affine gap = squared_length(across(other.o - one.o), other.h, across(x - other.o)) + Affine{-dot(to_b, to_b)};
  for (const double second : gap.zeros()) {
    const V y = turned(other, second, x) - one.o;
    use(angle_about(one.h, y, to_b).value_or(near[k]), second);
  }
}

void ClosedFormArm::solve_spherical_wrist(const Pose<double>& D, std::span<const double> near,
                                          Candidates& found) const {
  const V &h4 = chain_.axes[3].h, &h5 = chain_.axes[4].h, &h6 = chain_.axes[5].h;
  solve_point(D * point_, near, [&](double q1, double q2, double q3) {
    // R₄·R₅·R₆ = M: joints 4 and 6 do not change h4·R₅·h6.
    Rotation<double> M = D.R;
    const double q[3] = {q1, q2, q3};
    for (int k = 0; k < 3; ++k) M = turn_about(chain_.axes[static_cast<std::size_t>(k)].h, -q[k]) * M;
    const Affine fifth = along(h4, h5, h6) + Affine{-dot(h4, M * h6)};
    for (const double q5 : fifth.zeros()) {
      const double q4 = angle_about(h4, turned(h5, q5, h6), M * h6).value_or(near[3]);
      const Rotation<double> R6 = turn_about(h5, -q5) * (turn_about(h4, -q4) * M);
      const V x = std::abs(h6.x) < 0.7 ? V{1, 0, 0} : V{0, 1, 0};
      found.add({q1, q2, q3, q4, q5, angle_about(h6, x, R6 * x).value_or(near[5])});
    }
  });
}

/// Axes 2, 3, 4 are parallel to h: they change neither the component along h nor h·R₅·h6. So q1 and q5 are found first,
/// then q6 and the sum of the three angles; a problem with two parallel axes remains.
void ClosedFormArm::solve_three_parallel(const Pose<double>& D, std::span<const double> near, Candidates& found) const {
  const std::vector<Axis>& axes = chain_.axes;
  const V &h1 = axes[0].h, &h = axes[1].h, &h5 = axes[4].h, &h6 = axes[5].h;
  const double sign3 = dot(h, axes[2].h) < 0 ? -1 : 1, sign4 = dot(h, axes[3].h) < 0 ? -1 : 1;
  const V p = D * point_;
  const Affine first = along(h, -h1, p - axes[0].o) + Affine{dot(h, axes[0].o) - dot(h, point_)};
  for (const double q1 : first.zeros()) {
    const Rotation<double> M = turn_about(h1, -q1) * D.R;  // R₂₃₄·R₅·R₆
    const V w = turned(axes[0], -q1, p);
    const Affine fifth = along(h, h5, h6) + Affine{-dot(h, M * h6)};
    for (const double q5 : fifth.zeros()) {
      const double together =
          angle_about(h, turned(h5, q5, h6), M * h6).value_or(near[1] + sign3 * near[2] + sign4 * near[3]);
      const Rotation<double> R6 = turn_about(h5, -q5) * (turn_about(h, -together) * M);
      const V x = std::abs(h6.x) < 0.7 ? V{1, 0, 0} : V{0, 1, 0};
      const double q6 = angle_about(h6, x, R6 * x).value_or(near[5]);
      const V b = w - turned(h, together, point_ - axes[3].o);
      solve_planar_two(1, axes[3].o, b, near, [&](double q2, double q3) {
        found.add({q1, q2, q3, wrapped(sign4 * (together - q2 - sign3 * q3)), q5, q6});
      });
    }
  }
}

void ClosedFormArm::solve_planar_three(const Pose<double>& D, std::span<const double> near, Candidates& found) const {
  const std::vector<Axis>& axes = chain_.axes;
  const V& h = axes[0].h;
  const double sign2 = dot(h, axes[1].h) < 0 ? -1 : 1, sign3 = dot(h, axes[2].h) < 0 ? -1 : 1;
  const V x = std::abs(h.x) < 0.7 ? V{1, 0, 0} : V{0, 1, 0};
  const auto together = angle_about(h, x, D.R * x);
  if (!together) return;
  const V b = D * chain_.X_WF_0.p - turned(h, *together, chain_.X_WF_0.p - axes[2].o);
  solve_planar_two(0, axes[2].o, b, near, [&](double q1, double q2) {
    found.add({q1, q2, wrapped(sign3 * (*together - q1 - sign2 * q2))});
  });
}

void ClosedFormArm::solve(const Pose<double>& X_WF, std::span<const double> near, Candidates& found) const {
  found.count = 0;
  const Pose<double> D = X_WF * inverted(chain_.X_WF_0);
  switch (form_) {
    case ArmForm::none: break;
    case ArmForm::spherical_wrist: solve_spherical_wrist(D, near, found); break;
    case ArmForm::three_parallel: solve_three_parallel(D, near, found); break;
    case ArmForm::planar_three: solve_planar_three(D, near, found); break;
    case ArmForm::three_axes:
      solve_point(X_WF.p, near, [&](double q1, double q2, double q3) { found.add({q1, q2, q3}); });
      break;
    case ArmForm::planar_two:
      solve_planar_two(0, chain_.X_WF_0.p, X_WF.p, near, [&](double q1, double q2) { found.add({q1, q2}); });
      break;
  }
}

}  // namespace articula::control
