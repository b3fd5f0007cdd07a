#include <articula/control/trajectories/torques_along.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/control/internal/cubic_spline.h>
#include <articula/control/motor_torques.h>
#include <articula/control/trajectories/piecewise_polynomial.h>
#include <articula/solve/inverse_dynamics.h>

namespace articula::control {
namespace {

const EarlierTrajectory& find_earlier(const TrajectoryContext& context, const std::string& name) {
  std::vector<std::string> names;
  for (const EarlierTrajectory& each : context.earlier) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  refuse(context, "no-such-trajectory",
         concat("trajectory ", quoted(name), " not found before this one.", choices(name, "Trajectories", names)));
}

/// Torques at given times for a motion of some joints; the others are at rest at their start.
struct Torques {
  virtual ~Torques() = default;
  virtual std::vector<std::string> names() const = 0;  ///< of the coordinates that they act along
  /// Appended to `tau`.
  virtual void at(double t, std::vector<double>& tau) = 0;
};

/// Of motors.
class TorquesOfMotors final : public Torques {
 public:
  TorquesOfMotors(const TrajectoryContext& context, const EarlierTrajectory& motion, Drives drives)
      : motors_(*context.model, {.drives = drives}, motion.name, motion.joints, *motion.motion,
                context.mechanism.layout.q, context.parameters.q_start) {}

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [coordinate, factor] : motors_.solver().actuation()) names.push_back(coordinate);
    return names;
  }
  void at(double t, std::vector<double>& tau) override {
    const VectorView torque = motors_.at(t).motor_torque;
    for (std::size_t d = 0; d < torque.size(); ++d) tau.push_back(torque[d] * motors_.solver().actuation()[d].factor);
  }

 private:
  MotorTorques motors_;
};

/// Along joints.
class TorquesOfJoints final : public Torques {
 public:
  TorquesOfJoints(const TrajectoryContext& context, const EarlierTrajectory& motion, bool passive)
      : solver_(*context.model,
                {.passive = passive, .build = {.drives = Drives::rigid}, .mechanism = shared(context, passive)}),
        motion_(*motion.motion),
        x_(3 * motion.joints.size()) {
    const auto place_of = [&](std::span<const std::string> names, const std::string& joint) {
      const auto found = std::find(names.begin(), names.end(), joint);
      if (found == names.end())
        refuse(context, "trajectory-joint", concat("joint ", quoted(joint), " of the motion has no torque."));
      return static_cast<std::size_t>(found - names.begin());
    };
    for (const std::string& joint : motion.joints) {
      q_place_.push_back(place_of(solver_.q_names(), joint));
      v_place_.push_back(place_of(solver_.v_names(), joint));
    }
    q_.resize(solver_.q_names().size());
    for (std::size_t k = 0; k < q_.size(); ++k) {
      const auto& all = context.mechanism.layout.q;
      const auto found = std::find(all.begin(), all.end(), solver_.q_names()[k]);
      if (found != all.end()) q_[k] = context.parameters.q_start[static_cast<std::size_t>(found - all.begin())];
    }
    v_.resize(size());
    a_.resize(size());
  }

  std::size_t size() const { return solver_.v_names().size(); }
  std::vector<std::string> names() const override { return {solver_.v_names().begin(), solver_.v_names().end()}; }

  void at(double t, std::vector<double>& tau) override {
    const std::size_t n = q_place_.size();
    motion_.evaluate(t, 2, x_);
    for (std::size_t k = 0; k < n; ++k) {
      q_[q_place_[k]] = x_[k];
      v_[v_place_[k]] = x_[n + k];
      a_[v_place_[k]] = x_[2 * n + k];
    }
    solver_.update({.q = q_, .v = v_, .vdot = a_});
    const VectorView found = solver_.compute();
    tau.insert(tau.end(), found.begin(), found.end());
  }

 private:
  /// The mechanism that is built already has locked drives.
  static std::optional<SharedMechanism> shared(const TrajectoryContext& context, bool passive) {
    if (context.shared && passive && !context.shared->mechanism().rotors.empty()) return std::nullopt;
    return context.shared;
  }

  InverseDynamics solver_;
  const Trajectory& motion_;
  std::vector<std::size_t> q_place_, v_place_;
  std::vector<double> q_, v_, a_, x_;
};

std::unique_ptr<Torques> make_torques(const TrajectoryContext& context, const EarlierTrajectory& motion, bool passive,
                                      std::optional<Drives> drives) {
  if (!drives) return std::make_unique<TorquesOfJoints>(context, motion, passive);
  try {
    return std::make_unique<TorquesOfMotors>(context, motion, *drives);
  } catch (const Error& error) {
    refuse(context, error.code(), error.message());
  }
}

}  // namespace

JointTrajectory TorquesAlong::make(const TrajectoryContext& context) const {
  constexpr double most = 1e7;
  check_positive(context, "every", every);
  const EarlierTrajectory& motion = find_earlier(context, along);
  const double begin = motion.motion->begin(), end = until.value_or(motion.motion->end());
  if (!std::isfinite(end) || end <= begin || (end - begin) / every > most) {
    refuse(context, "trajectory-value",
           concat("the torques are to be computed from ", begin, " s until ", end, " s, every ", every,
                  " s. Give `until`, an end after the begin, and at most ten million points."));
  }
  const auto torques = make_torques(context, motion, passive, drives);
  const std::size_t n = torques->names().size();

  // One spline between two jumps of the motion; its last point is just before the jump.
  std::vector<double> jumps{begin};
  for (const double t : motion.motion->breaks(end))
    if (t > begin && t < end) jumps.push_back(t);
  jumps.push_back(end);
  std::vector<double> knots, pieces;
  for (std::size_t j = 0; j + 1 < jumps.size(); ++j) {
    const double from = jumps[j], to = jumps[j + 1];
    const auto steps = static_cast<std::size_t>(std::max(3.0, std::ceil((to - from) / every)));
    std::vector<double> times, tau;
    for (std::size_t k = 0; k <= steps; ++k)
      times.push_back(k == steps ? to : from + (to - from) * static_cast<double>(k) / static_cast<double>(steps));
    for (std::size_t k = 0; k < steps; ++k) torques->at(times[k], tau);
    torques->at(std::nextafter(to, from), tau);
    const auto slopes = spline_slopes(times, tau, n, SplineEnds::not_a_knot, {}, {});
    const auto cubics = cubic_pieces(times, tau, slopes, n);
    knots.insert(knots.end(), times.begin(), times.end() - 1);
    pieces.insert(pieces.end(), cubics.begin(), cubics.end());
  }
  // The torques at rest after the end.
  std::vector<double> hold;
  torques->at(end, hold);
  hold.resize(4 * n);
  knots.insert(knots.end(), {end, end + every});
  pieces.insert(pieces.end(), hold.begin(), hold.end());

  JointTrajectory made = moved_joints(context, torques->names(), Moves::mixed);
  check_range(context, pieces);
  made.motion = std::make_unique<PiecewisePolynomial>(static_cast<int>(n), 3, std::move(knots), std::move(pieces));
  return made;
}

}  // namespace articula::control
