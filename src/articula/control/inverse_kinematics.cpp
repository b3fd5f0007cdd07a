#include <articula/control/inverse_kinematics.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/build.h>
#include <articula/closure/coordinates.h>
#include <articula/control/internal/closed_form_arm.h>
#include <articula/control/internal/pose_iteration.h>
#include <articula/mechanism/state.h>
#include <articula/spatial/orientation.h>

namespace articula::control {

namespace {

constexpr double turn = 2 * std::numbers::pi;
/// Configurations that differ by less are equal: near a double solution, accuracy is the square root of rounding.
constexpr double same = 1e-6;

bool leads_position_only(const std::array<double, 6>& weight) {
  return std::all_of(weight.begin(), weight.begin() + 3, [](double w) { return w == 0; }) &&
         std::all_of(weight.begin() + 3, weight.end(), [](double w) { return w != 0; });
}
bool leads_all(const std::array<double, 6>& weight) {
  return std::all_of(weight.begin(), weight.end(), [](double w) { return w != 0; });
}

/// The k-th number of Halton's sequence for a prime base, between 0 and 1.
double halton(int k, int base) {
  double value = 0, fraction = 1;
  for (; k > 0; k /= base) {
    fraction /= base;
    value += fraction * (k % base);
  }
  return value;
}

int nth_prime(std::size_t n) {
  for (int candidate = 2;; ++candidate) {
    bool prime = true;
    for (int d = 2; d * d <= candidate && prime; ++d) prime = candidate % d != 0;
    if (prime && n-- == 0) return candidate;
  }
}

/// The independent degrees of freedom that move those of a chain, in the chain's order.
std::vector<int> drivers_of(const Mechanism& mech, const Parameters<double>& par, const std::vector<int>& chain) {
  std::vector<int> drivers;
  const auto add = [&](int dof) {
    if (std::find(drivers.begin(), drivers.end(), dof) == drivers.end()) drivers.push_back(dof);
  };
  for (const int dof : chain) {
    if (mech.independent.place[at(dof)] >= 0) {
      add(dof);
      continue;
    }
    for_each_follower(mech, par, [&](const Cluster& cluster, int follower, const double* G, double) {
      for (std::size_t k = 0; follower == dof && k < cluster.independent.size(); ++k) {
        if (G[k] != 0) add(cluster.independent[k]);
      }
    });
  }
  return drivers;
}

void check_target(const Pose<double>& X_WF) {
  for (int k = 0; k < 3; ++k) {
    if (!std::isfinite(X_WF.p[k])) {
      throw Error("value-not-finite", {},
                  concat("target: position[", k, "] is ", X_WF.p[k], ". Only finite numbers are allowed."));
    }
  }
  const double departure = departure_from_rotation(X_WF.R);
  if (!(departure <= 1e-6)) {
    throw Error(
        "rotation-invalid", {},
        concat("target: its rotation matrix is off by ", departure, ". Columns must be unit vectors at right angles."));
  }
}

}  // namespace

struct InverseKinematics::Work {
  Work(std::unique_ptr<Built> owned, const Mechanism& m, const Parameters<double>& p, int f,
       const InverseKinematicsOptions& o)
      : built(std::move(owned)),
        mech(m),
        par(p),
        options(o),
        chain(m, p, f),
        dofs(drivers_of(m, p, chain.dofs)),
        arm(chain, leads_position_only(o.weight)),
        closed(o.closed_form && dofs == chain.dofs && arm.form() != ArmForm::none &&
               (leads_all(o.weight) || leads_position_only(o.weight))),
        iteration(m, p, f, dofs, o.weight, chain.size > 0 ? chain.size : 1.0) {
    for (const int dof : dofs) {
      const Body& body = mech.bodies[at(mech.body_of_dof[at(dof)])];
      plain.push_back(body.q.count == body.v.count);
      // A whole turn of a joint moves its followers.
      turns.push_back(plain.back() && traits(body.joint).q[at(dof - body.v.first)].wraps &&
                      mech.independent.cluster[at(dof)] < 0);
    }
  }

  /// The index in q of the coordinate of the k-th joint.
  std::size_t q_of(std::size_t k) const { return at(position_of(mech, dofs[k])); }

  /// Shifts revolute joints by whole turns, as near to `near` as their limits allow. @return whether all are within
  /// limits
  bool settle(std::span<const double> near, std::span<double> q) const {
    bool inside = true;
    for (std::size_t k = 0; k < dofs.size(); ++k) {
      if (!plain[k]) continue;
      const double lower = iteration.lower(dofs[k]), upper = iteration.upper(dofs[k]), slack = options.tolerance;
      double& x = q[q_of(k)];
      if (turns[k]) {
        x += turn * std::round((near[q_of(k)] - x) / turn);
        if (options.limits && x > upper + slack) x -= turn * std::ceil((x - upper - slack) / turn);
        if (options.limits && x < lower - slack) x += turn * std::ceil((lower - slack - x) / turn);
      }
      if (options.limits && (x < lower - slack || x > upper + slack)) inside = false;
      if (options.limits && inside) x = std::clamp(x, lower, std::max(lower, upper));
    }
    follow_positions(mech, par, q.data());
    return inside && (!options.limits || followers_are_inside(q));
  }

  /// Whether the followers of joints that move the frame are within their limits. Those that follow a single joint have
  /// narrowed its limits.
  bool followers_are_inside(std::span<const double> q) const {
    bool inside = true;
    for_each_follower(mech, par, [&](const Cluster& cluster, int dof, const double* G, double) {
      bool moves = false;
      for (std::size_t k = 0; k < cluster.independent.size(); ++k)
        moves |= G[k] != 0 && std::find(dofs.begin(), dofs.end(), cluster.independent[k]) != dofs.end();
      if (!moves) return;
      const double x = q[at(position_of(mech, dof))], slack = options.tolerance;
      inside &= x >= par.lower[at(dof)] - slack && x <= par.upper[at(dof)] + slack;
    });
    return inside;
  }

  /// Distance in coordinates, also of quaternions, which is sufficient to distinguish solutions.
  double distance(std::span<const double> a, std::span<const double> b, bool whole_turns_count) const {
    double sum = 0;
    for (std::size_t k = 0; k < dofs.size(); ++k) {
      const int dof = dofs[k];
      const Body& body = mech.bodies[at(mech.body_of_dof[at(dof)])];
      if (!plain[k]) {
        if (dof != body.v.first) continue;
        std::array<double, most_joint_dofs> d{};
        visit_joint(body.joint,
                    [&]<class J>(J) { J::difference(a.data() + body.q.first, b.data() + body.q.first, d.data()); });
        for (const double each : d) sum += each * each;
        continue;
      }
      double d = a[q_of(k)] - b[q_of(k)];
      if (turns[k] && !whole_turns_count) d = std::remainder(d, turn);
      sum += d * d;
    }
    return std::sqrt(sum);
  }

  /// Stores a configuration that reaches the target, without duplicates, or the best of those that do not.
  void keep(const Pose<double>& X_WF, std::span<const double> near, std::vector<double> q, Solutions& found) {
    const PoseError error = iteration.error(X_WF, q);
    if (error.within(options.tolerance)) {
      if (!settle(near, q)) {
        if (found.report.status == InverseKinematicsReport::Status::unreachable)
          found.report.status = InverseKinematicsReport::Status::outside_limits;
        return;
      }
      for (const auto& other : found.q) {
        if (distance(q, other, false) < same) return;
      }
      found.q.push_back(std::move(q));
      return;
    }
    const double size = chain.size > 0 ? chain.size : 1.0;
    if (const double badness = error.position / size + error.angle; badness < best_badness) {
      best_badness = badness;
      best = std::move(q);
    }
  }

  void by_closed_form(const Pose<double>& X_WF, std::span<const double> near, Solutions& found) {
    std::array<double, Candidates::most_joints> close{};
    for (std::size_t k = 0; k < dofs.size(); ++k) close[k] = near[q_of(k)];
    Candidates candidates;
    arm.solve(X_WF, close, candidates);
    for (const auto& candidate : candidates.all()) {
      std::vector<double> q(near.begin(), near.end());
      for (std::size_t k = 0; k < dofs.size(); ++k) q[q_of(k)] = candidate[k];
      // One or two steps of the iteration remove rounding errors.
      found.report.iterations += iteration.improve(X_WF, q, false, 3);
      keep(X_WF, near, std::move(q), found);
    }
  }

  /// Start number k: `near` itself, then configurations distributed over the whole range.
  std::vector<double> start(std::span<const double> near, int k) const {
    std::vector<double> q(near.begin(), near.end());
    if (k == 0) return q;
    for (std::size_t j = 0; j < dofs.size(); ++j) {
      if (!plain[j]) continue;
      const double reach = turns[j] ? std::numbers::pi : 1.0, x = near[q_of(j)];
      double lower = turns[j] ? -reach : x - reach, upper = turns[j] ? reach : x + reach;
      if (options.limits) {
        const double a = iteration.lower(dofs[j]), b = iteration.upper(dofs[j]);
        if (std::isfinite(a)) lower = turns[j] && std::isfinite(b) && b - a > turn ? std::max(a, lower) : a;
        if (std::isfinite(b)) upper = turns[j] && std::isfinite(a) && b - a > turn ? std::min(b, upper) : b;
        if (!(lower < upper)) upper = lower;
      }
      q[q_of(j)] = lower + (upper - lower) * halton(k, nth_prime(j));
    }
    follow_positions(mech, par, q.data());
    return q;
  }

  void by_iteration(const Pose<double>& X_WF, std::span<const double> near, int starts, Solutions& found) {
    for (int k = 0; k < starts; ++k) {
      std::vector<double> q = start(near, k);
      if (options.limits && k == 0) {
        for (std::size_t j = 0; j < dofs.size(); ++j) {
          const double lower = iteration.lower(dofs[j]), upper = iteration.upper(dofs[j]);
          if (plain[j]) q[q_of(j)] = std::clamp(q[q_of(j)], lower, std::max(lower, upper));
        }
        follow_positions(mech, par, q.data());
      }
      found.report.iterations += iteration.improve(X_WF, q, options.limits, options.iterations);
      keep(X_WF, near, std::move(q), found);
    }
  }

  /// Whether the target can be reached without limits.
  bool reachable_without_limits(const Pose<double>& X_WF, std::span<const double> near, int& iterations) {
    for (int k = 0; k < options.starts; ++k) {
      std::vector<double> q = start(near, k);
      iterations += iteration.improve(X_WF, q, false, options.iterations);
      if (iteration.error(X_WF, q).within(options.tolerance)) return true;
    }
    return false;
  }

  std::unique_ptr<Built> built;  ///< if it was made from a model
  const Mechanism& mech;
  const Parameters<double>& par;
  InverseKinematicsOptions options;
  ScrewChain chain;
  std::vector<int> dofs;  ///< the independent ones that move the frame
  ClosedFormArm arm;
  bool closed;
  PoseIteration iteration;
  std::vector<bool> turns,
      plain;  ///< for each of them: whether whole turns do not matter; whether its coordinates are plain numbers

  std::vector<double> best;
  double best_badness = 0;
};

namespace {

std::unique_ptr<Built> built_of(const Model& model) { return std::make_unique<Built>(build_mechanism(model)); }

}  // namespace

InverseKinematics::InverseKinematics(const Model& model, const PortRef& frame,
                                     const InverseKinematicsOptions& options) {
  auto built = built_of(model);
  const Built& made = *built;
  work_ =
      std::make_unique<Work>(std::move(built), made.mechanism, made.parameters, made.mechanism.frame(frame), options);
}
InverseKinematics::InverseKinematics(const Mechanism& mech, const Parameters<double>& par, int frame,
                                     const InverseKinematicsOptions& options)
    : work_(std::make_unique<Work>(nullptr, mech, par, frame, options)) {}
InverseKinematics::InverseKinematics(InverseKinematics&&) noexcept = default;
InverseKinematics& InverseKinematics::operator=(InverseKinematics&&) noexcept = default;
InverseKinematics::~InverseKinematics() = default;

const Mechanism& InverseKinematics::mechanism() const { return work_->mech; }
const Parameters<double>& InverseKinematics::parameters() const { return work_->par; }
std::string_view InverseKinematics::method() const {
  return to_text(work_->closed ? work_->arm.form() : ArmForm::none);
}
std::span<const int> InverseKinematics::dofs() const { return work_->dofs; }
Pose<double> InverseKinematics::pose(std::span<const double> q) const { return work_->iteration.pose(q); }

InverseKinematics::Solutions InverseKinematics::solve_all(const Pose<double>& X_WF, std::span<const double> near) {
  Work& w = *work_;
  using Status = InverseKinematicsReport::Status;
  if (near.empty()) near = w.par.q_start;
  check_state(w.mech, near, std::vector<double>(at(w.mech.nv)));
  check_target(X_WF);
  std::vector<double> here(near.begin(), near.end());
  follow_positions(w.mech, w.par, here.data());
  near = here;
  Solutions found;
  w.best.assign(near.begin(), near.end());
  w.best_badness = std::numeric_limits<double>::infinity();
  if (w.closed) w.by_closed_form(X_WF, near, found);
  // There is no solution, since the closed form has none; the iteration finds the best configuration.
  if (found.q.empty()) w.by_iteration(X_WF, near, w.closed ? std::min(8, w.options.starts) : w.options.starts, found);
  std::sort(found.q.begin(), found.q.end(),
            [&](const auto& a, const auto& b) { return w.distance(a, near, true) < w.distance(b, near, true); });
  InverseKinematicsReport& report = found.report;
  report.solutions = static_cast<int>(found.q.size());
  if (!found.q.empty()) {
    report.status = Status::found;
  } else {
    if (report.status == Status::unreachable && w.options.limits && !w.closed &&
        w.reachable_without_limits(X_WF, near, report.iterations)) {
      report.status = Status::outside_limits;
    }
    found.q.push_back(w.best);
  }
  const PoseError error = w.iteration.error(X_WF, found.q.front());
  report.position_error = error.position;
  report.angle_error = error.angle;
  return found;
}

InverseKinematicsReport InverseKinematics::solve_nearest(const Pose<double>& X_WF, std::span<const double> near,
                                                         std::span<double> q) {
  const Solutions found = solve_all(X_WF, near);
  std::copy(found.q.front().begin(), found.q.front().end(), q.begin());
  return found.report;
}

std::string to_text(const InverseKinematicsReport& report) {
  const std::string error =
      concat(" The best configuration misses it by ", report.position_error, " m and ", report.angle_error, " rad.");
  switch (report.status) {
    case InverseKinematicsReport::Status::found:
      return concat(report.solutions, report.solutions == 1 ? " solution" : " solutions", " found.");
    case InverseKinematicsReport::Status::outside_limits:
      return "the target can be reached, but not within the limits of the joints." + error;
    case InverseKinematicsReport::Status::unreachable: break;
  }
  return "no configuration was found that reaches the target." + error + " Choose a nearer target, or more starts.";
}

}  // namespace articula::control
