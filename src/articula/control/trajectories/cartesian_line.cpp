#include <articula/control/trajectories/cartesian_line.h>

#include <algorithm>
#include <cmath>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/control/internal/led_frame.h>
#include <articula/control/internal/pose_iteration.h>
#include <articula/spatial/orientation.h>

namespace articula::control {

namespace {

constexpr double tolerance = 1e-10;  ///< of poses on the line, in metres and radians
constexpr int pieces = 256;          ///< of the line; configurations at their ends are computed in advance

/// The fraction s of the line at time t, and its rates: constant acceleration, constant speed, constant deceleration.
struct Progress {
  double s = 0, rate = 0, acceleration = 0;
};
struct Profile {
  double ramp, whole;

  Progress at(double t) const {
    const double v = 1 / (whole - ramp), a = v / ramp, left = whole - t;
    if (t < 0) return {0, 0, 0};
    if (left <= 0) return {1, 0, 0};
    if (t < ramp) return {0.5 * a * t * t, a * t, a};
    if (left > ramp) return {v * (t - 0.5 * ramp), v, 0};
    return {1 - 0.5 * a * left * left, a * left, -a};
  }
};

/// Poses on a straight line as a function of the fraction s, with derivatives with respect to s.
class Way {
 public:
  Way(const Pose<double>& from, const Pose<double>& to)
      : from_(from), shift_(to.p - from.p), turn_(quaternion_log(quaternion_of(from.R.inverse() * to.R))) {}
  Way(const Pose<double>& from, const Pose<double>& to, std::string sequence, const Vec3<double>& angles,
      const Vec3<double>& to_angles)
      : from_(from),
        shift_(to.p - from.p),
        sequence_(std::move(sequence)),
        angles_(angles),
        turn_(to_angles - angles) {}

  const Vec3<double>& shift() const { return shift_; }
  double angle() const { return norm(turn_); }

  struct Point {
    Pose<double> X;
    Motion<double> d, dd;  ///< first and second derivative, in World's axes
  };
  Point at(double s) const {
    Point point;
    point.X.p = from_.p + shift_ * s;
    point.d.v = shift_;
    if (sequence_.empty()) {
      point.X.R = from_.R * rotation_of(quaternion_exp(turn_ * s));
      point.d.w = from_.R * turn_;
      return point;
    }
    // Each angle is about an axis that is rotated by the angles before it: ω = Σ θ'·a, ω' = Σ θ'·(ω so far × a).
    Rotation<double> R;
    for (int k = 0; k < 3; ++k) {
      const int axis = sequence_[static_cast<std::size_t>(k)] - 'x';
      const Vec3<double> a = R * Vec3<double>::unit(axis) * turn_[k];
      point.dd.w += cross(point.d.w, a);
      point.d.w += a;
      R = R * rotation_about(axis, angles_[k] + s * turn_[k]);
    }
    point.X.R = R;
    return point;
  }

 private:
  Pose<double> from_;
  Vec3<double> shift_;
  std::string sequence_;
  Vec3<double> angles_, turn_;
};

/// The joints along the line. Configurations are computed in advance at the ends of equal pieces; in between, by
/// iteration from a cubic interpolation.
class Line final : public Trajectory {
 public:
  Line(const TrajectoryContext& context, int frame, std::vector<int> dofs, const std::array<double, 6>& weight,
       double length, Way way, const Profile& profile, double begin)
      : par_(context.parameters),
        mech_(context.mechanism),
        iteration_(mech_, par_, frame, std::move(dofs), weight, length),
        way_(std::move(way)),
        profile_(profile),
        begin_(begin),
        v_(at(mech_.nv)),
        vdot_(at(mech_.nv)) {}

  /// Follows the line from q on. @return what is wrong, if it cannot be followed
  std::string follow(std::vector<double> q) {
    nodes_.clear(), slopes_.clear();
    for (int k = 0; k <= pieces; ++k) {
      const double s = static_cast<double>(k) / pieces;
      const Way::Point point = way_.at(s);
      const std::vector<double> before = q;
      iteration_.improve(point.X, q, false, 100);
      const PoseError error = iteration_.error(point.X, q);
      const auto where = [&] {
        return concat("at ", 100 * s, " % of the way, at (", point.X.p.x, ", ", point.X.p.y, ", ", point.X.p.z, "), ");
      };
      if (!error.within(tolerance)) {
        return where() +
               concat("the best configuration misses the line by ", error.position, " m and ", error.angle, " rad");
      }
      if (const double c = iteration_.conditioning(q); c < 1e-7) {
        return where() + concat("the arm is singular: its Jacobian has the conditioning ", c);
      }
      for (const int dof : iteration_.dofs()) {
        const double x = q[at(position_of(mech_, dof))], last = before[at(position_of(mech_, dof))];
        const std::string& joint = mech_.layout.v[at(dof)];
        if (k > 0 && std::abs(x - last) > 0.5) {
          return where() + concat("joint ", quoted(joint), " would have to jump from ", last, " to ", x);
        }
        const double lower = iteration_.lower(dof), upper = iteration_.upper(dof);
        if (x < lower - tolerance || x > upper + tolerance) {
          return where() + concat("joint ", quoted(joint), " is at ", x, ", outside its limits ", lower, " to ", upper);
        }
      }
      iteration_.rates(q, point.d, point.dd, 1, v_, vdot_);
      nodes_.insert(nodes_.end(), q.begin(), q.end());
      slopes_.insert(slopes_.end(), v_.begin(), v_.end());
    }
    q_.resize(q.size());
    return {};
  }

  int size() const override { return static_cast<int>(iteration_.dofs().size()); }
  int highest_order() const override { return 2; }
  int smoothness() const override { return 1; }
  double begin() const override { return begin_; }
  double end() const override { return begin_ + profile_.whole; }

  std::vector<double> breaks(double until) const override {
    std::vector<double> list;
    for (const double t : {0.0, profile_.ramp, profile_.whole - profile_.ramp, profile_.whole}) {
      if (begin_ + t <= until && (list.empty() || begin_ + t > list.back())) list.push_back(begin_ + t);
    }
    return list;
  }

  /// v = V(s)·ṡ by the Jacobian; A = V(s)·s̈ + V'(s)·ṡ².
  void evaluate(double t, int order, std::span<double> x) const override {
    const Progress progress = profile_.at(t - begin_);
    const Way::Point point = way_.at(progress.s);
    guess(progress.s);
    iteration_.improve(point.X, q_, false, 20);
    const std::vector<int>& dofs = iteration_.dofs();
    const std::size_t n = dofs.size();
    for (std::size_t k = 0; k < n; ++k) x[k] = q_[at(position_of(mech_, dofs[k]))];
    if (order == 0) return;
    const Motion<double> V = point.d * progress.rate,
                         A = point.d * progress.acceleration + point.dd * (progress.rate * progress.rate);
    iteration_.rates(q_, V, A, order, v_, vdot_);
    for (std::size_t k = 0; k < n; ++k) x[n + k] = v_[at(dofs[k])];
    for (std::size_t k = 0; order >= 2 && k < n; ++k) x[2 * n + k] = vdot_[at(dofs[k])];
    // Not available, see highest_order().
    std::fill(x.begin() + static_cast<std::ptrdiff_t>(n * std::min<std::size_t>(3, at(order) + 1)), x.end(),
              std::numeric_limits<double>::quiet_NaN());
  }

 private:
  /// Hermite's cubic between the nodes.
  void guess(double s) const {
    const int piece = std::clamp(static_cast<int>(s * pieces), 0, pieces - 1);
    const double h = 1.0 / pieces, u = s * pieces - piece, u2 = u * u, u3 = u2 * u;
    const double *q0 = nodes_.data() + at(piece) * q_.size(), *v0 = slopes_.data() + at(piece) * v_.size();
    std::copy_n(q0, q_.size(), q_.begin());
    for (const int dof : iteration_.dofs()) {
      const std::size_t i = at(position_of(mech_, dof)), k = at(dof);
      q_[i] = (2 * u3 - 3 * u2 + 1) * q0[i] + (3 * u2 - 2 * u3) * q0[q_.size() + i] +
              h * ((u3 - 2 * u2 + u) * v0[k] + (u3 - u2) * v0[v_.size() + k]);
    }
  }

  const Parameters<double> par_;  // a copy, since it outlives the original
  const Mechanism mech_;
  mutable PoseIteration iteration_;
  Way way_;
  Profile profile_;
  double begin_;
  std::vector<double> nodes_, slopes_;  ///< q, and dq/ds by degree of freedom, at the ends of the pieces
  mutable std::vector<double> q_, v_, vdot_;
};

Way way_of(const TrajectoryContext& context, const CartesianLine& line) {
  if (line.euler.empty()) return {line.from, line.to};
  const auto R0 = rotation_from_euler(line.euler, line.from_angles),
             R1 = rotation_from_euler(line.euler, line.to_angles);
  if (!R0 || !R1) {
    refuse(context, "trajectory-value",
           concat("euler is ", quoted(line.euler),
                  ". Three letters of x, y, z are needed, neighbours different: e.g. zxz."));
  }
  return {{*R0, line.from.p}, {*R1, line.to.p}, line.euler, line.from_angles, line.to_angles};
}

Profile profile_of(const TrajectoryContext& context, const CartesianLine& line, const Way& way) {
  check_positive(context, "ramp", line.ramp);
  if (line.speed.has_value() == line.duration.has_value()) {
    refuse(context, "value-missing",
           concat(line.speed ? "both" : "neither", " `speed` and `duration` are given. Give one of them."));
  }
  double whole = line.duration.value_or(0);
  if (line.speed) {
    check_positive(context, "speed", *line.speed);
    const double length = norm(way.shift());
    if (length == 0)
      refuse(context, "value-missing", "the frame only turns, so that a speed says nothing. Give `duration`.");
    whole = length / *line.speed + line.ramp;
  }
  if (whole < 2 * line.ramp) {
    refuse(context, "trajectory-value",
           concat("the whole takes ", whole, " s, but the two ramps ", 2 * line.ramp,
                  " s. Give shorter ramps, or a lower speed."));
  }
  return {line.ramp, whole};
}

JointTrajectory joints_of(const TrajectoryContext& context, const CartesianLine& line, std::span<const int> chain) {
  JointTrajectory made = leading_joints(context, line.joints, line.moves, line.frame, chain);
  const std::size_t led = line.leads == Leads::pose ? 6 : 3;
  if (made.dofs.size() > led) {
    refuse(context, "line-redundant",
           concat(made.dofs.size(), " joints are moved, but the line determines ", led,
                  ". Name as many with `joints`; the others stay where they start."));
  }
  return made;
}

}  // namespace

JointTrajectory CartesianLine::make(const TrajectoryContext& context) const {
  const int place_of_frame = frame_of(context, frame);
  const InverseKinematicsOptions options{.weight = weight_of(leads)};
  InverseKinematics hand(context.mechanism, context.parameters, place_of_frame, options);
  JointTrajectory made = joints_of(context, *this, hand.dofs());
  const Way way = way_of(context, *this);
  const Profile profile = profile_of(context, *this, way);

  const std::vector<double> q = start_near(context, made, near);
  // From the nearest solution at the start; if the line cannot be followed from there, from the next.
  std::vector<std::vector<double>> starts{q};
  if (made.dofs.size() == hand.dofs().size()) starts = hand.solve_all(way.at(0).X, q).q;
  const double length = std::max(norm(way.at(0).X.p), norm(way.at(1).X.p));
  auto line = std::make_unique<Line>(context, place_of_frame, made.dofs, options.weight, length > 0 ? length : 1.0, way,
                                     profile, begin);
  std::string why;
  for (const auto& start : starts) {
    const std::string trouble = line->follow(start);
    if (trouble.empty()) {
      made.motion = std::move(line);
      return made;
    }
    if (why.empty()) why = trouble;
  }
  refuse(context, "line-unreachable",
         why + ". Move the line into reach, or begin in another configuration with `near`.");
}

}  // namespace articula::control
