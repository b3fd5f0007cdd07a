#include <articula/control/trajectories/context.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <articula/base/text.h>

namespace articula::control {

void refuse(const TrajectoryContext& context, std::string code, const std::string& message) {
  throw Error(std::move(code), context.where, concat("trajectory ", quoted(context.name), ": ", message));
}

namespace {

/// The joint that a degree of freedom belongs to.
const Body& joint_of(const Mechanism& mech, int dof) {
  return mech.bodies[static_cast<std::size_t>(mech.body_of_dof[static_cast<std::size_t>(dof)])];
}

/// A coordinate of a trajectory: its name, and the degree of freedom it belongs to.
struct Moved {
  std::string name;
  int dof;
};

/// The coordinates by which a trajectory moves a prescribed joint with a quaternion, as its kind says: `base.roll`, or
/// all of `base`. None if there is no such joint.
std::vector<Moved> pose_coordinates_of(const TrajectoryContext& context, const std::string& name) {
  std::vector<Moved> found;
  for (const StateBlock& block : context.mechanism.layout.blocks) {
    if (block.kind != StateKind::velocity || !name.starts_with(block.owner)) continue;
    const Body& body = joint_of(context.mechanism, block.range.first);
    const std::span<const Coordinate> series = traits(body.joint).series;
    for (std::size_t k = 0; k < series.size(); ++k) {
      const std::string own = concat(block.owner, ".", series[k].name);
      if (name == block.owner || name == own) found.push_back({own, body.v.first + static_cast<int>(k)});
    }
  }
  return found;
}

/// The degrees of freedom that a name refers to: one by its own name, or all of a joint.
std::vector<int> dofs_of(const TrajectoryContext& context, const std::string& name) {
  const Mechanism& mech = context.mechanism;
  const auto found = std::find(mech.layout.v.begin(), mech.layout.v.end(), name);
  if (found != mech.layout.v.end()) return {static_cast<int>(found - mech.layout.v.begin())};
  std::vector<int> dofs;
  std::vector<std::string> names = mech.layout.v;
  for (const StateBlock& block : mech.layout.blocks) {
    if (block.kind != StateKind::velocity) continue;
    if (block.owner == name) dofs.assign(block.range.begin(), block.range.end());
    if (block.range.count > 1) names.push_back(block.owner);
  }
  if (dofs.empty()) {
    refuse(context, "no-such-joint",
           concat("joint ", quoted(name), " not found in ", quoted(mech.name), ".", choices(name, "joints", names)));
  }
  return dofs;
}

void check_moves(const TrajectoryContext& context, const std::string& name, int dof, Moves moves, bool by_pose) {
  const Body& body = joint_of(context.mechanism, dof);
  if (body.q.count != body.v.count && !by_pose) {
    refuse(
        context, "trajectory-joint",
        concat("joint ", quoted(name), " is ", traits(body.joint).name,
               ": its coordinates are no plain numbers that could follow a trajectory. Name other joints, or prescribe "
               "its pose by the coordinates x, y, z, roll, pitch, yaw of the joint."));
  }
  if (moves == Moves::mixed) return;
  const auto place = static_cast<std::size_t>(dof - body.v.first);
  const bool turns = traits(body.joint).v[place].dimension == dimension::angular_speed;
  if (turns != (moves == Moves::turning)) {
    const std::string_view does = turns ? "turns" : "slides", needed = turns ? "turning" : "sliding";
    refuse(context, "trajectory-moves",
           concat("joint ", quoted(name), " ", does, ", but the trajectory's numbers are of ",
                  turns ? "sliding" : "turning", " joints. Write `moves: ", needed,
                  "`, or `moves: mixed` and plain SI numbers."));
  }
}

/// The names without angles of rotors.
void remove_motors(const Mechanism& mech, std::vector<std::string>& names) {
  std::unordered_set<std::string_view> motors;
  for (const Body& body : mech.bodies) {
    if (body.rotor >= 0) motors.insert(mech.layout.v[static_cast<std::size_t>(body.v.first)]);
  }
  std::erase_if(names, [&](const std::string& name) { return motors.contains(name); });
}

}  // namespace

JointTrajectory moved_joints(const TrajectoryContext& context, std::span<const std::string> joints, Moves moves) {
  const Mechanism& mech = context.mechanism;
  std::vector<std::string> names(joints.begin(), joints.end());
  if (names.empty() || (names.size() == 1 && names.front() == "all")) {
    names = context.all.empty() ? mech.layout.v : context.all;
    remove_motors(mech, names);
  }
  JointTrajectory moved;
  std::vector<bool> met(mech.layout.v.size(), false);
  const auto add = [&](const Moved& one, bool by_pose) {
    if (met[static_cast<std::size_t>(one.dof)]) {
      refuse(context, "trajectory-joint", concat("joint ", quoted(one.name), " is named twice. Name it once."));
    }
    met[static_cast<std::size_t>(one.dof)] = true;
    check_moves(context, one.name, one.dof, moves, by_pose);
    moved.dofs.push_back(one.dof);
    moved.joints.push_back(one.name);
  };
  std::unordered_map<std::string_view, int> dofs;
  for (const std::string& name : mech.layout.v) dofs.emplace(name, static_cast<int>(dofs.size()));
  const bool has_poses = std::any_of(mech.bodies.begin(), mech.bodies.end(),
                                     [](const Body& body) { return body.q.count != body.v.count; });
  for (const std::string& name : names) {
    const std::vector<Moved> by_pose = has_poses ? pose_coordinates_of(context, name) : std::vector<Moved>();
    for (const Moved& one : by_pose) add(one, true);
    if (!by_pose.empty()) continue;
    if (const auto found = dofs.find(name); found != dofs.end()) {
      add({name, found->second}, false);
      continue;
    }
    for (const int dof : dofs_of(context, name)) add({mech.layout.v[static_cast<std::size_t>(dof)], dof}, false);
  }
  if (moved.dofs.empty()) refuse(context, "trajectory-joint", concat(quoted(mech.name), " has no joints that move."));
  return moved;
}

std::vector<double> for_each_joint(const TrajectoryContext& context, const JointTrajectory& moved,
                                   std::string_view what, std::span<const double> values) {
  const std::size_t n = moved.dofs.size();
  if (values.size() != n && values.size() != 1) {
    refuse(context, "trajectory-count",
           concat(what, " has ", values.size(), values.size() == 1 ? " number" : " numbers",
                  ". It needs one for all joints, or ", n, ", one for each of: ", list_of(moved.joints), "."));
  }
  for (const double value : values) {
    if (!std::isfinite(value)) {
      refuse(context, "trajectory-value", concat(what, " is ", value, ". Only finite numbers are allowed."));
    }
  }
  return values.size() == n ? std::vector<double>(values.begin(), values.end())
                            : std::vector<double>(n, values.front());
}

std::vector<double> rows_for_each_joint(const TrajectoryContext& context, const JointTrajectory& moved,
                                        std::string_view what, const Rows& rows) {
  std::vector<double> all;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = for_each_joint(context, moved, concat(what, "[", k, "]"), rows[k]);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

void check_times(const TrajectoryContext& context, std::span<const double> times, std::size_t points,
                 std::size_t least) {
  if (times.size() != points) {
    refuse(context, "trajectory-times",
           concat("there are ", times.size(), " times for ", points, " points. Each point needs its time."));
  }
  if (points < least) {
    refuse(context, "trajectory-times", concat("there are ", points, " points. At least ", least, " are needed."));
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k]) || (k > 0 && !(times[k] > times[k - 1]))) {
      refuse(context, "trajectory-times",
             concat("times[", k, "] is ", times[k], k > 0 ? concat(" after ", times[k - 1]) : std::string(),
                    ". Times are finite and ascend."));
    }
  }
}

void check_range(const TrajectoryContext& context, std::span<const double> numbers) {
  if (std::all_of(numbers.begin(), numbers.end(), [](double each) { return std::isfinite(each); })) return;
  refuse(context, "trajectory-range",
         "its times, points or rates are so large or so close together that its coefficients leave the range of "
         "floating point. Give times and points of ordinary size, further apart.");
}

void check_finite(const TrajectoryContext& context, const Trajectory& motion) {
  const int order = std::min(2, motion.highest_order());
  std::vector<double> x(static_cast<std::size_t>(motion.size() * (order + 1)));
  for (const double t : {motion.begin(), std::isfinite(motion.end()) ? motion.end() : motion.begin()}) {
    motion.evaluate(t, order, x);
    check_range(context, x);
  }
}

void check_positive(const TrajectoryContext& context, std::string_view what, double value) {
  if (!(value > 0) || !std::isfinite(value)) {
    refuse(context, "trajectory-value", concat(what, " is ", value, ". It must be greater than zero."));
  }
}

}  // namespace articula::control
