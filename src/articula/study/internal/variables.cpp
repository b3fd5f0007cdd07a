#include <articula/study/internal/variables.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <articula/base/findings.h>
#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/formats/internal/yaml_values.h>
#include <articula/simulate/equilibrium.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/internal/exposed_mechanism.h>
#include <articula/study/internal/read_passage.h>

namespace articula::study {
namespace {

/// Indices of coordinates by name.
class Places {
 public:
  explicit Places(std::span<const NamedCoordinate> all) {
    for (std::size_t k = 0; k < all.size(); ++k) places_.emplace(all[k].name, k);
  }
  std::optional<std::size_t> of(std::string_view name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::string_view, std::size_t> places_;
};

std::vector<std::string> names_of(std::span<const NamedCoordinate> all) {
  std::vector<std::string> names;
  for (const NamedCoordinate& each : all) names.push_back(each.name);
  return names;
}

/// `[1, 2 deg]`: all of them, in order.
void read_list(const Spot& spot, std::span<const NamedCoordinate> all, std::vector<double>& x) {
  if (spot.node.size() != all.size()) {
    spot.error("state-size", concat(" has ", spot.node.size(), " entries. ", all.size(),
                                    " are needed: ", list_of(names_of(all)), "."));
    return;
  }
  for (std::size_t k = 0; k < all.size(); ++k) read_value(Spot(spot, k), x[k], all[k].dimension);
}

/// `{elbow: 90 deg, base: [0, 0, 1, 0, 0, 0, 1]}`: some, by coordinate or by joint.
void read_named(const Spot& spot, std::span<const NamedCoordinate> all, std::vector<double>& x) {
  const Places named(all);
  std::unordered_map<std::string_view, std::vector<std::size_t>> of_joint;
  for (std::size_t i = 0; i < all.size(); ++i) of_joint[all[i].joint].push_back(i);
  for (std::size_t k = 0; k < spot.node.size(); ++k) {
    const YamlNode key = spot.node.key(k);
    const Spot value(spot, spot.node.value(k), key.text());
    if (const auto place = named.of(key.text()); place && !value.node.is_sequence()) {
      read_value(value, x[*place], all[*place].dimension);
      continue;
    }
    const auto joint = of_joint.find(key.text());
    const std::vector<std::size_t> places = joint == of_joint.end() ? std::vector<std::size_t>() : joint->second;
    if (places.empty()) {
      spot.error_at(key, "no-such-coordinate",
                    concat(": the model has no coordinate ", quoted(key.text()), ".",
                           choices(key.text(), "Coordinates", names_of(all))));
    } else if (!value.node.is_sequence() || value.node.size() != places.size()) {
      value.error("vector-length", concat(" is ", what_stands(value.node), ". A list of ", places.size(),
                                          " numbers is needed for that joint."));
    } else {
      for (std::size_t i = 0; i < places.size(); ++i)
        read_value(Spot(value, i), x[places[i]], all[places[i]].dimension);
    }
  }
}

/// Derivative `order` of a trajectory, for those coordinates that it moves.
void read_trajectory(const Spot& spot, std::span<const NamedCoordinate> all,
                     std::span<const NamedTrajectory> trajectories, double t, int order, std::vector<double>& x) {
  const NamedTrajectory& from = trajectory_called(trajectories, spot.node.text(), spot.where());
  const auto n = static_cast<std::size_t>(from.motion->size());
  std::vector<double> values(n * static_cast<std::size_t>(order + 1));
  from.motion->evaluate(t, order, values);
  const Places named(all);
  for (std::size_t k = 0; k < n; ++k) {
    if (const auto place = named.of(from.coordinates[k])) x[*place] = values[static_cast<std::size_t>(order) * n + k];
  }
}

std::vector<double> read_variables(const Passage& text, std::string_view what, std::span<const NamedCoordinate> all,
                                   std::span<const NamedTrajectory> trajectories, double t, int order,
                                   std::vector<double> x) {
  read_passage(text, "start", what, [&](const Spot& spot) {
    if (spot.node.is_sequence()) return read_list(spot, all, x);
    if (spot.node.is_mapping()) return read_named(spot, all, x);
    read_trajectory(spot, all, trajectories, t, order, x);
  });
  return x;
}

}  // namespace

static Variables variables_of(const Mechanism& mech, const Parameters<double>& par,
                              std::span<const std::string> q_names, std::span<const std::string> v_names) {
  Variables variables{q_coordinates(mech, q_names), v_coordinates(mech, v_names), {}};
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t k = 0; k < mech.layout.q.size(); ++k) places.emplace(mech.layout.q[k], k);
  for (const NamedCoordinate& q : variables.q) variables.q_start.push_back(par.q_start[places.at(q.name)]);
  const Places q_places(variables.q), v_places(variables.v);
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    const RotorElement& rotor = mech.rotors[r];
    if (rotor.spring < 0) continue;
    const std::string &motor = mech.layout.v[at(rotor.resisted)], &joint = mech.layout.v[at(rotor.dof)];
    const auto q = q_places.of(motor), v = v_places.of(motor), joint_q = q_places.of(joint),
               joint_v = v_places.of(joint);
    if (q && v && joint_q && joint_v) variables.motors.push_back({*q, *v, *joint_q, *joint_v, par.rotors[r].gear});
  }
  return variables;
}

Variables variables_of(const Solver& solver) {
  return variables_of(solver.mechanism(), solver.parameters(), solver.q_names(), solver.v_names());
}

Variables variables_of(const ExposedMechanism& shown) {
  return variables_of(shown.mech(), shown.par(), shown.map().q_names(), shown.map().v_names());
}

Variables variables_of(const Setup& setup, bool passive) {
  return variables_of(ForwardKinematics(*setup.model, {.mechanism = setup.model.mechanism(passive)}));
}

[[noreturn]] static void refuse_trajectory(std::string_view name, const std::vector<std::string>& names,
                                           const Where& where) {
  throw Error("no-such-trajectory", where,
              concat("the study has no trajectory ", quoted(name), ".", choices(name, "Trajectories", names)));
}

const NamedTrajectory& trajectory_called(std::span<const NamedTrajectory> trajectories, std::string_view name,
                                         const Where& where) {
  std::vector<std::string> names;
  for (const NamedTrajectory& each : trajectories) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  refuse_trajectory(name, names, where);
}

void require_trajectory(const Setup& setup, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& each : setup.trajectories) {
    if (each.name == name) return;
    names.push_back(each.name);
  }
  refuse_trajectory(name, names, {});
}

StartState start_state(const StartText& text, const Variables& variables, std::span<const NamedTrajectory> trajectories,
                       double t) {
  StartState state{.q = {}, .v = {}, .t = t};
  constexpr double unnamed = std::numeric_limits<double>::quiet_NaN();
  if (!text.q.empty()) {
    std::vector<double> q = variables.q_start;
    for (const Variables::Motor& motor : variables.motors) q[motor.q] = unnamed;
    state.q = read_variables(text.q, "q", variables.q, trajectories, t, 0, std::move(q));
  }
  if (!text.v.empty()) {
    std::vector<double> v(variables.v.size());
    for (const Variables::Motor& motor : variables.motors) v[motor.v] = unnamed;
    state.v = read_variables(text.v, "v", variables.v, trajectories, t, 1, std::move(v));
  }
  for (const Variables::Motor& motor : variables.motors) {
    if (state.q && std::isnan((*state.q)[motor.q])) (*state.q)[motor.q] = motor.gear * (*state.q)[motor.joint_q];
    if (state.v && std::isnan((*state.v)[motor.v])) (*state.v)[motor.v] = motor.gear * (*state.v)[motor.joint_v];
  }
  return state;
}

/// Whether a start is `equilibrium` rather than the name of a trajectory.
static bool is_equilibrium(const StartText& text, std::span<const NamedTrajectory> trajectories) {
  return text.q.text == "equilibrium" && std::none_of(trajectories.begin(), trajectories.end(),
                                                      [](const auto& each) { return each.name == "equilibrium"; });
}

std::vector<double> start_of(System& system, const StartText& text, const Variables& variables,
                             std::span<const NamedTrajectory> trajectories, double t) {
  if (!is_equilibrium(text, trajectories)) return system.start(start_state(text, variables, trajectories, t));
  const Equilibrium found = find_equilibrium(system, {.q = {}, .v = {}, .t = t});
  if (!found.found) throw Error("no-equilibrium", text.q.where, "start: " + found.what);
  return found.y;
}

StartState start_state_of(const Setup& setup, const Variables& variables,
                          const std::vector<NamedTrajectory>& trajectories, double t) {
  if (!is_equilibrium(setup.start, trajectories)) return start_state(setup.start, variables, trajectories, t);
  const BlockSite site(*setup.model, {.ignore_contacts = true, .mechanism = setup.model.mechanism(true)});
  System system(site, trajectories, make_blocks(setup.blocks, site));
  const std::vector<double> y = start_of(system, setup.start, variables, trajectories, t);
  StartState state{.q = variables.q_start, .v = {}, .t = t};
  const Places named(variables.q);
  for (std::size_t k = 0; k < system.q_names().size(); ++k) {
    if (const auto place = named.of(system.q_names()[k])) (*state.q)[*place] = y[k];
  }
  return state;
}

MotionAlong::MotionAlong(const NamedTrajectory& trajectory, const Variables& variables, const StartState& start)
    : q(start.q.value_or(variables.q_start)),
      v(variables.v.size()),
      a(variables.v.size()),
      motion_(*trajectory.motion) {
  const Places q_places(variables.q), v_places(variables.v);
  std::vector<bool> moves(v.size(), false);
  for (const std::string& name : trajectory.coordinates) {
    const auto in_q = q_places.of(name), in_v = v_places.of(name);
    if (!in_q || !in_v) {
      throw Error("no-such-coordinate", {},
                  concat("trajectory ", quoted(trajectory.name), ": the model has no coordinate ", quoted(name), ".",
                         choices(name, "Coordinates", names_of(variables.v))));
    }
    q_place_.push_back(*in_q), v_place_.push_back(*in_v);
    moves[*in_v] = true;
  }
  x_.resize(3 * q_place_.size());
  for (std::size_t k = 0; start.v && k < v.size(); ++k) {
    if ((*start.v)[k] == 0 || moves[k]) continue;
    add_finding(warnings_, {Severity::warning,
                            "start-speed-ignored",
                            {},
                            concat("start: v of ", quoted(variables.v[k].name), " is ", (*start.v)[k],
                                   ", but trajectory ", quoted(trajectory.name),
                                   " does not move it. Here it stays where it starts, at rest; "
                                   "to move it, add it to the trajectory.")});
  }
}

void MotionAlong::sample(double t) {
  motion_.evaluate(t, 2, x_);
  const std::size_t n = q_place_.size();
  for (std::size_t k = 0; k < n; ++k) {
    q[q_place_[k]] = x_[k];
    v[v_place_[k]] = x_[n + k];
    a[v_place_[k]] = x_[2 * n + k];
  }
}

SampleTimes checked_times(const SampleTimes& asked, std::optional<double> begin, std::optional<double> until,
                          const Trajectory& motion, std::string_view name) {
  SampleTimes times = asked;
  times.begin = begin.value_or(motion.begin());
  times.until = until.value_or(motion.end());
  if (!times.times.empty()) return times;
  constexpr double most_rows = 1e8;
  if (!std::isfinite(times.until)) {
    throw Error("value-missing", {},
                concat("trajectory ", quoted(name), " has no end. Say until when, e.g. until: 10 s."));
  }
  if (!(times.every > 0)) {
    throw Error("value-range", {}, concat("every is ", times.every, " s. It must be greater than 0."));
  }
  if (times.until < times.begin) {
    throw Error("value-range", {},
                concat("until is ", times.until, " s, before begin, ", times.begin, " s. It must be later."));
  }
  if ((times.until - times.begin) / times.every > most_rows) {
    throw Error("value-range", {},
                concat("every is ", times.every, " s, which makes more than ", most_rows,
                       " rows. Take a longer time between rows."));
  }
  return times;
}

std::vector<double> all_times(const SampleTimes& asked) {
  if (!asked.times.empty()) return asked.times;
  // A last point that differs from `until` by rounding is `until`.
  constexpr double rounding = 1e-9;
  std::vector<double> times;
  const double count = (asked.until - asked.begin) / asked.every;
  const auto whole = static_cast<long>(std::floor(count + rounding));
  for (long k = 0; k <= whole; ++k) times.push_back(asked.begin + static_cast<double>(k) * asked.every);
  if (std::abs(count - static_cast<double>(whole)) > rounding) {
    times.push_back(asked.until);
  } else {
    times.back() = asked.until;
  }
  return times;
}

}  // namespace articula::study
