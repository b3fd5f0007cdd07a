#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/joints/step_along.h>
#include <articula/joints/time_series.h>
#include <articula/scalar/dual.h>

/// The laws that every joint kind obeys, for the kinds of this library and for users' own:
///
///     for (const Finding& broken : check_joint_laws<MyJoint>()) std::cerr << to_text(broken) << '\n';
///
/// Derivatives are taken with dual numbers, so they are exact, and a kind must be written for any scalar.
namespace articula::joints {

/// How far the two sides of a law may differ; coordinates of the random samples are of the order of one.
inline constexpr double joint_law_tolerance = 1e-12;

namespace detail {

/// Numbers in [−1, 1], the same on every platform for the same seed.
class JointSamples {
 public:
  explicit JointSamples(std::uint32_t seed) : bits_(seed) {}

  double number() { return 2 * (bits_() / 4294967295.0) - 1; }

  /// A tangent vector shorter than π.
  std::vector<double> tangent(std::size_t nv) {
    std::vector<double> dv(nv);
    for (double& each : dv) each = 3 / std::sqrt(static_cast<double>(nv)) * number();
    return dv;
  }

 private:
  std::mt19937 bits_;
};

/// One law and the worst that was seen of it.
struct JointLaw {
  std::string_view code;
  std::string_view broken;  ///< what to say when it does not hold
  double worst = 0;
  std::string where{};  ///< the sample at which it was worst

  /// Notes how far the two sides of the law differ; not a number is as bad as can be.
  void see(double difference, const std::string& sample) {
    const double size = std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::abs(difference);
    if (size > worst) worst = size, where = sample;
  }
  bool holds() const { return worst <= joint_law_tolerance; }
};

/// Checks one joint kind: each law at the same random configurations and velocities.
template <JointKindOf J>
class JointLaws {
 public:
  explicit JointLaws(std::uint32_t seed) : seed_(seed), samples_(seed) {}

  void check_lists() {
    sample_ = "";
    lists_.see(J::q.size() == J::neutral.size() ? 0 : 1, "the lengths of q and neutral");
    lists_.see(J::v.size() <= J::q.size() && J::v.size() <= 6 ? 0 : 1, "the lengths of q and v");
    lists_.see(has_names(J::q) ? 0 : 1, "the names in q");
    lists_.see(has_names(J::v) ? 0 : 1, "the names in v");
    lists_.see(J::name.empty() ? 1 : 0, "the name of the kind");
    lists_.see(quaternion_stands_where_it_says() ? 0 : 1, "the quaternion in q and neutral");
    lists_.see(parameters_are_listed() ? 0 : 1, "the fields and members of its parameters");
  }

  void check_neutral() {
    take_sample("neutral");
    const std::vector<double> q(J::neutral.begin(), J::neutral.end());
    see_poses(neutral_, J::X_FM(par_, q.data()), Pose<double>::identity());
  }

  void check_sample(int index) {
    take_sample(concat("sample ", index));
    const std::vector<double> q = configuration(), v = samples_.tangent(nv), d = samples_.tangent(nv);
    const std::vector<double> q_other = configuration();
    sample_ += concat(", q = ", text_of(q), ", v = ", text_of(v));
    check_axes(q);
    check_axes_rate(q, v);
    check_axes_along(q, v);
    check_qdot(q, v);
    check_retraction(q, d, q_other);
    check_step(q, v);
    check_whole_turns(q);
    check_parts(q);
    check_series(q);
  }

  /// What was true of all samples.
  void check_angles() {
    for (std::size_t k = 0; k < J::q.size(); ++k) {
      if (J::q[k].dimension != dimension::angle || J::q[k].wraps || after_turn_[k] > joint_law_tolerance) continue;
      wraps_.see(1, concat(J::q[k].name, ", which wraps and does not say so"));
    }
  }

  Findings findings() const {
    Findings found;
    for (const JointLaw* law : {&lists_, &neutral_, &axes_, &axes_rate_, &axes_along_, &qdot_, &zero_, &difference_,
                                &reach_, &step_, &wraps_, &parts_, &series_}) {
      if (law->holds()) continue;
      Finding& broken = found.emplace_back();
      broken.code = law->code;
      broken.message = concat("joint kind ", quoted(J::name), ": ", law->broken, ": off by ", law->worst, " at ",
                              law->where, ". Allowed: ", joint_law_tolerance, ".");
    }
    return found;
  }

 private:
  static constexpr std::size_t nq = J::neutral.size(), nv = J::v.size();
  template <class T>
  using Values = std::vector<T>;
  template <class T>
  using Par = ParametersOf<J, T>;

  /// H = dX/dq:  X(q)⁻¹ · d/dε X(q ⊕ ε·e_k) = H·e_k, all of it: also that RᵀṘ is skew.
  void check_axes(const Values<double>& q) {
    const std::vector<Motion<double>> H = axes(par_, q);
    for (std::size_t k = 0; k < nv; ++k) {
      Values<Dual> direction(nv);
      direction[k].dx = 1;
      const Pose<Dual> X = J::X_FM(dual_par(), advanced(dual(q), direction).data());
      const Mat3<Dual> turn = constant(X.R.m).transpose() * X.R.m;
      const Vec3<Dual> slide = transpose_times(constant(X.R.m), X.p);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) axes_.see(turn(i, j).dx - tilde(H[k].w)(i, j), sample_);
        axes_.see(slide[i].dx - H[k].v[i], sample_);
      }
    }
  }

  /// Ḣ·v is the rate of H·v while q moves with v and v stays.
  void check_axes_rate(const Values<double>& q, const Values<double>& v) {
    Motion<Dual> V;
    const std::vector<Motion<Dual>> H = axes(dual_par(), moving(q, v));
    for (std::size_t k = 0; k < nv; ++k) V += H[k] * Dual(v[k]);
    const Motion<double> Hdot_v = J::Hdot_v(par_, q.data(), v.data());
    for (int i = 0; i < 3; ++i) {
      axes_rate_.see(V.w[i].dx - Hdot_v.w[i], sample_);
      axes_rate_.see(V.v[i].dx - Hdot_v.v[i], sample_);
    }
  }

  /// dH_M and dHdot_v are the derivatives of H_M and Hdot_v along each tangent direction; without them, H is constant.
  void check_axes_along(const Values<double>& q, const Values<double>& v) {
    for (std::size_t k = 0; k < nv; ++k) {
      Values<Dual> direction(nv);
      direction[k].dx = 1;
      const Values<Dual> q_along = advanced(dual(q), direction), v_same = dual(v);
      const std::vector<Motion<Dual>> H = axes(dual_par(), q_along);
      const Motion<Dual> bias = J::Hdot_v(dual_par(), q_along.data(), v_same.data());
      std::vector<Motion<double>> dH(nv);
      Motion<double> dbias;
      if constexpr (axes_change<J>) {
        J::dH_M(par_, q.data(), static_cast<int>(k), dH.data());
        dbias = J::dHdot_v(par_, q.data(), v.data(), static_cast<int>(k));
      }
      for (int i = 0; i < 3; ++i) {
        for (std::size_t m = 0; m < nv; ++m) {
          axes_along_.see(H[m].w[i].dx - dH[m].w[i], sample_);
          axes_along_.see(H[m].v[i].dx - dH[m].v[i], sample_);
        }
        axes_along_.see(bias.w[i].dx - dbias.w[i], sample_);
        axes_along_.see(bias.v[i].dx - dbias.v[i], sample_);
      }
    }
  }

  /// qdot(q, v) = d/dε (q ⊕ ε·v).
  void check_qdot(const Values<double>& q, const Values<double>& v) {
    Values<Dual> direction(nv);
    for (std::size_t k = 0; k < nv; ++k) direction[k].dx = v[k];
    const Values<Dual> q_new = advanced(dual(q), direction), along = moving(q, v);
    for (std::size_t k = 0; k < nq; ++k) qdot_.see(q_new[k].dx - along[k].dx, sample_);
  }

  /// q ⊕ 0 = q;  (q ⊕ d) ⊖ q = d;  q ⊕ (q′ ⊖ q) is the pose of q′.
  void check_retraction(const Values<double>& q, const Values<double>& d, const Values<double>& q_other) {
    const Values<double> q_same = advanced(q, Values<double>(nv));
    for (std::size_t k = 0; k < nq; ++k) zero_.see(q_same[k] - q[k], sample_);
    const Values<double> back = difference(q, advanced(q, d));
    for (std::size_t k = 0; k < nv; ++k) difference_.see(back[k] - d[k], sample_);
    see_poses(reach_, J::X_FM(par_, advanced(q, difference(q, q_other)).data()), J::X_FM(par_, q_other.data()));
  }

  /// A step of h·v ends at the pose of q ⊕ h·v. What moves as before moves so afterwards: dq/dt, or where v is not dq/dt,
  /// the motion of M in F's axes; and hold_axes is what v changes by on the way.
  void check_step(const Values<double>& q, const Values<double>& v) {
    constexpr double h = 0.2;
    Values<double> q_new = q, v_new = v, d = v;
    JointStep<J>::step_along(h, q_new.data(), v_new.data());
    for (double& each : d) each *= h;
    see_poses(step_, J::X_FM(par_, q_new.data()), J::X_FM(par_, advanced(q, d).data()));
    const auto motion_F = [&](const Values<double>& q_at, const Values<double>& v_at) {
      Motion<double> V;
      const std::vector<Motion<double>> H = axes(par_, q_at);
      for (std::size_t k = 0; k < nv; ++k) V += H[k] * v_at[k];
      const Rotation<double> R = J::X_FM(par_, q_at.data()).R;
      return Motion<double>{R * V.w, R * V.v};
    };
    const Motion<double> before = motion_F(q, v), after = motion_F(q_new, v_new);
    for (std::size_t k = 0; nq == nv && k < nv; ++k) step_.see(v_new[k] - v[k], sample_);
    for (int i = 0; nq != nv && i < 3; ++i) {
      step_.see(after.w[i] - before.w[i], sample_);
      step_.see(after.v[i] - before.v[i], sample_);
    }
    Values<Dual> q_along = dual(q), v_along = dual(v);
    JointStep<J>::step_along(Dual(0, 1), q_along.data(), v_along.data());
    Values<double> held(nv);
    JointStep<J>::hold_axes(v.data(), held.data());
    for (std::size_t k = 0; k < nv; ++k) step_.see(v_along[k].dx + held[k], sample_);
  }

  /// A whole turn of a coordinate that wraps leads back to the same pose.
  void check_whole_turns(const Values<double>& q) {
    constexpr double turn = 2 * 3.14159265358979323846;
    const Pose<double> X = J::X_FM(par_, q.data());
    for (std::size_t k = 0; k < nq; ++k) {
      Values<double> turned = q;
      turned[k] += turn;
      JointLaw gap{};
      see_poses(gap, J::X_FM(par_, turned.data()), X);
      after_turn_[k] = std::max(after_turn_[k], gap.worst);
      if (J::q[k].wraps) wraps_.see(gap.worst, sample_);
    }
  }

  /// X_FM is the product of the turns and slides.
  void check_parts(const Values<double>& q) {
    Pose<double> X;
    const auto parts = turns_and_slides<J, double>(par_);
    for (const TurnOrSlide<double>& part : parts) {
      const double by = part.ratio * q[static_cast<std::size_t>(part.coordinate)];
      Pose<double> step;
      if (part.turns) step.R = rotation_about(part.axis, by);
      if (!part.turns) step.p[part.axis] = by;
      X = X * step;
    }
    const Pose<double> X_FM = J::X_FM(par_, q.data());
    if (!parts.empty()) see_poses(parts_, X, X_FM);
    if constexpr (J::quaternion >= 0 && J::quaternion + 4 <= static_cast<int>(nq)) {
      constexpr auto first = static_cast<std::size_t>(J::quaternion);
      X = {rotation_of(QuaternionCoordinates::read(q.data() + first)), Vec3<double>::zero()};
      for (std::size_t k = 0; k < std::min(first, std::size_t{3}); ++k) X.p[static_cast<int>(k)] = q[k];
      see_poses(parts_, X, X_FM);
    }
  }

  /// Along x(t), v is the rate that qdot turns into dq/dt, vdot is dv/dt, and series_at leads back to q.
  void check_series(const Values<double>& q) {
    constexpr std::size_t n = J::series.empty() ? nq : J::series.size();
    Values<Dual> x(n), xdot(n), xddot(n), q_along(nq, unset<Dual>), v_along(nv, unset<Dual>),
        vdot_along(nv, unset<Dual>);
    for (std::size_t k = 0; k < n; ++k) {
      const double rate = samples_.number(), more = samples_.number();
      x[k] = {samples_.number(), rate}, xdot[k] = {rate, more}, xddot[k] = {more, samples_.number()};
    }
    JointSeries<J>::follow(x.data(), xdot.data(), xddot.data(), q_along.data(), v_along.data(), vdot_along.data());
    Values<double> q_now(nq), v_now(nv), x_back(n, unset<double>), rate(nq, unset<double>);
    for (std::size_t k = 0; k < nq; ++k) q_now[k] = q_along[k].x;
    for (std::size_t k = 0; k < nv; ++k) v_now[k] = v_along[k].x, series_.see(vdot_along[k].x - v_along[k].dx, sample_);
    J::qdot(q_now.data(), v_now.data(), rate.data());
    for (std::size_t k = 0; k < nq; ++k) series_.see(rate[k] - q_along[k].dx, sample_);
    JointSeries<J>::series_at(q.data(), x_back.data());
    const Values<double> still(n);
    JointSeries<J>::follow(x_back.data(), still.data(), still.data(), q_now.data(), v_now.data(), v_now.data());
    see_poses(series_, J::X_FM(par_, q_now.data()), J::X_FM(par_, q.data()));
  }

  // ---- the kind's functions, on vectors that start as not-a-number: what is not written shows.

  template <class T>
  static constexpr T unset = T(std::numeric_limits<double>::quiet_NaN());

  template <class T>
  static Values<T> advanced(const Values<T>& q, const Values<T>& dv) {
    Values<T> q_new(nq, unset<T>);
    J::advanced(q.data(), dv.data(), q_new.data());
    return q_new;
  }
  static Values<double> difference(const Values<double>& q0, const Values<double>& q1) {
    Values<double> dv(nv, unset<double>);
    J::difference(q0.data(), q1.data(), dv.data());
    return dv;
  }
  template <class T>
  static std::vector<Motion<T>> axes(const Par<T>& par, const Values<T>& q) {
    const Vec3<T> none{unset<T>, unset<T>, unset<T>};
    std::vector<Motion<T>> H(nv, Motion<T>{none, none});
    J::H_M(par, q.data(), H.data());
    return H;
  }
  /// q with the rate that v gives it.
  static Values<Dual> moving(const Values<double>& q, const Values<double>& v) {
    Values<double> rate(nq, unset<double>);
    J::qdot(q.data(), v.data(), rate.data());
    Values<Dual> both = dual(q);
    for (std::size_t k = 0; k < nq; ++k) both[k].dx = rate[k];
    return both;
  }

  // ---- samples

  void take_sample(const std::string& what) {
    sample_ = concat(what, " of seed ", seed_);
    Par<double>::fields(par_, [&](std::string_view name, double& value, const Dimension&) {
      value = samples_.number();
      sample_ += concat(", ", name, " = ", value);
    });
  }
  /// Two steps from neutral lead everywhere.
  Values<double> configuration() {
    const Values<double> neutral(J::neutral.begin(), J::neutral.end());
    return advanced(advanced(neutral, samples_.tangent(nv)), samples_.tangent(nv));
  }

  static Values<Dual> dual(const Values<double>& q) { return {q.begin(), q.end()}; }
  Par<Dual> dual_par() const {
    Par<Dual> par;
    Par<Dual>::members(par) = Par<double>::members(par_);
    return par;
  }

  static Mat3<Dual> constant(Mat3<Dual> m) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) m(i, j).dx = 0;
    }
    return m;
  }

  static bool quaternion_stands_where_it_says() {
    if (nq != nv + (J::quaternion >= 0 ? 1 : 0)) return false;
    const auto first = static_cast<std::size_t>(J::quaternion < 0 ? 0 : J::quaternion);
    if (J::quaternion < 0 || first + 4 > nq) return J::quaternion < 0;
    return J::neutral[first + 3] == 1;
  }
  static bool parameters_are_listed() {
    Par<double> par;
    std::vector<const void*> in_fields, in_members;
    std::vector<Coordinate> names;
    Par<double>::fields(par, [&](std::string_view name, auto& value, const Dimension& dimension) {
      in_fields.push_back(&value);
      names.push_back({name, dimension});
    });
    std::apply([&](auto&... each) { (in_members.push_back(&each), ...); }, Par<double>::members(par));
    return in_fields == in_members && has_names(names);
  }

  static bool has_names(std::span<const Coordinate> list) {
    std::set<std::string_view> names;
    for (const Coordinate& each : list) names.insert(each.name);
    return names.size() == list.size() && !names.contains("");
  }

  void see_poses(JointLaw& law, const Pose<double>& X, const Pose<double>& X_wanted) const {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) law.see(X.R.m(i, j) - X_wanted.R.m(i, j), sample_);
      law.see(X.p[i] - X_wanted.p[i], sample_);
    }
  }

  static std::string text_of(const Values<double>& values) {
    std::string text;
    for (const double value : values) text += concat(text.empty() ? "" : ", ", value);
    return concat("(", text, ")");
  }

  std::uint32_t seed_;
  JointSamples samples_;
  Par<double> par_;
  std::string sample_;

  std::array<double, J::neutral.size()> after_turn_{};  ///< how far a whole turn of each coordinate leads away

  JointLaw lists_{"joint-law-lists", "its lists do not fit together"};
  JointLaw neutral_{"joint-law-neutral", "X_FM(neutral) is not the identity"};
  JointLaw axes_{"joint-law-axes", "H_M is not the derivative of X_FM along the tangent"};
  JointLaw axes_rate_{"joint-law-axes-rate", "Hdot_v is not the rate of H_M·v"};
  JointLaw axes_along_{"joint-law-axes-along", "dH_M or dHdot_v is not the derivative of H_M or Hdot_v"};
  JointLaw qdot_{"joint-law-qdot", "qdot is not the rate of advanced"};
  JointLaw zero_{"joint-law-zero", "advanced by zero is not q"};
  JointLaw difference_{"joint-law-difference", "difference(q, advanced(q, d)) is not d"};
  JointLaw reach_{"joint-law-reach", "advanced(q, difference(q, q1)) is not the pose of q1"};
  JointLaw step_{"joint-law-step", "step_along or hold_axes does not go along v"};
  JointLaw wraps_{"joint-law-wraps", "a coordinate does not say whether a whole turn leads back to the same pose"};
  JointLaw series_{"joint-law-series", "JointSeries does not follow a time series, or series_at does not give q"};
  JointLaw parts_{"joint-law-parts", "X_FM is not the product of turns_and_slides, or not that of its quaternion"};
};

}  // namespace detail

/// What is wrong with the joint kind J: one error for each law it breaks, with the worst case of `count` random
/// configurations; none when it obeys them all.
///
/// | code                 | law                                                                    |
/// |----------------------|------------------------------------------------------------------------|
/// | joint-law-lists      | neutral is as long as q, v is no longer than q, all names are there once, |
/// |                      | a quaternion stands where it says, fields and members are the same      |
/// | joint-law-neutral    | X_FM(neutral) = 1                                                      |
/// | joint-law-axes       | X_FM⁻¹·dX_FM/dε = H·e_k along q ⊕ ε·e_k                                |
/// | joint-law-axes-rate  | Hdot_v = d(H·v)/dt along q(t), v fixed                                 |
/// | joint-law-axes-along | dH_M, dHdot_v = ∂H_M, ∂Hdot_v along q ⊕ ε·e_k; zero where not given    |
/// | joint-law-qdot       | qdot = d(q ⊕ ε·v)/dε                                                   |
/// | joint-law-zero       | q ⊕ 0 = q                                                              |
/// | joint-law-difference | (q ⊕ d) ⊖ q = d for \|d\| < π                                          |
/// | joint-law-reach      | q ⊕ (q′ ⊖ q) is the pose of q′                                         |
/// | joint-law-step       | step_along ends at q ⊕ h·v and keeps dq/dt or the motion in F's axes;  |
/// |                      | −hold_axes = dv/dh along it                                            |
/// | joint-law-wraps      | X_FM is the same a whole turn on, for angles that wrap and no others   |
/// | joint-law-series     | along x(t) dq/dt = qdot(q, v) and dv/dt = vdot; series_at gives q       |
/// | joint-law-parts      | X_FM is the product of the turns and slides, where they are given, and |
/// |                      | what its position and quaternion in q say, where there is one          |
template <JointKindOf J>
Findings check_joint_laws(std::uint32_t seed = 1, int count = 200) {
  detail::JointLaws<J> laws(seed);
  laws.check_lists();
  if (J::q.size() == J::neutral.size()) {
    laws.check_neutral();
    for (int i = 0; i < count; ++i) laws.check_sample(i);
    laws.check_angles();
  }
  return laws.findings();
}

}  // namespace articula::joints
