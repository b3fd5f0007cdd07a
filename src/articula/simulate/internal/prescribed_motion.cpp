#include <articula/simulate/internal/prescribed_motion.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/joints/time_series.h>
#include <articula/solve/internal/exposed_mechanism.h>

namespace articula::simulate {
namespace {

/// A velocity that changes by less than this part of the largest there is does not jump: rounding.
constexpr double same_speed = 1e-9;

std::vector<std::string> names_of(std::span<const NamedTrajectory> trajectories) {
  std::vector<std::string> names;
  for (const NamedTrajectory& each : trajectories) names.push_back(each.name);
  return names;
}

}  // namespace

PrescribedMotion::PrescribedMotion(const BlockSite& site, std::span<const NamedTrajectory> trajectories)
    : chosen_(trajectories.size(), false), q_given_(site.mechanism()->nq(), 0), v_given_(site.mechanism()->nv(), 0) {
  const ExposedMechanism& shown = *site.mechanism();
  for (const NamedTrajectory& each : trajectories) {
    motions_.push_back({each, std::vector<double>(3 * each.coordinates.size())});
  }
  for (const std::string& name : site.options().prescribe) {
    const auto found =
        std::find_if(trajectories.begin(), trajectories.end(), [&](const auto& each) { return each.name == name; });
    if (found == trajectories.end()) {
      throw Error("no-such-trajectory", {},
                  concat("prescribe: there is no trajectory ", quoted(name), ".",
                         choices(name, "Trajectories", names_of(trajectories))));
    }
    chosen_[static_cast<std::size_t>(found - trajectories.begin())] = true;
  }
  for (const ExposedMechanism::Joint& joint : shown.joints()) {
    const bool by_model = shown.roles()[static_cast<std::size_t>(joint.flat_v)] == DofRole::prescribed;
    Driven driven{joint.kind, joint.q, joint.v, {}};
    const std::span<const Coordinate> series = traits(joint.kind).series;
    int given = 0;
    for (int k = 0; k < joint.v.count; ++k) {
      const auto part = static_cast<std::size_t>(k);
      const std::string coordinate = series.empty() ? shown.map().v_names()[static_cast<std::size_t>(joint.v.first + k)]
                                                    : concat(joint.name, ".", series[part].name);
      driven.sources[part] = find(coordinate, joint.name, by_model);
      given += driven.sources[part].motion != held;
    }
    if (given == 0 && by_model) {
      throw Error("prescribed-without-motion", {},
                  concat("joint ", quoted(joint.name), " of ", quoted(shown.mech().name),
                         " is prescribed, and no trajectory moves it. Give the study a trajectory of this joint",
                         series.empty() ? std::string()
                                        : concat(" (coordinates ", quoted(concat(joint.name, ".", series.front().name)),
                                                 " … ", quoted(concat(joint.name, ".", series.back().name)), ")"),
                         ", or take `prescribed` away."));
    }
    if (given == 0) continue;
    if (series.empty() && given < joint.v.count) {
      throw Error(
          "prescribed-without-motion", {},
          concat("joint ", quoted(joint.name), " has ", joint.v.count,
                 " degrees of freedom, of which trajectories move ", given, ". A prescribed joint needs them all."));
    }
    std::array<double, most_joint_dofs> start{};
    visit_joint(joint.kind, [&]<class J>(J) {
      JointSeries<J>::series_at(shown.par().q_start.data() + joint.flat_q, start.data());
    });
    for (std::size_t k = 0; k < start.size(); ++k) driven.sources[k].value = start[k];
    for (const int k : joint.q) q_given_[static_cast<std::size_t>(k)] = 1;
    for (const int k : joint.v) v_given_[static_cast<std::size_t>(k)] = 1;
    joints_.push_back(driven);
  }
  for (std::size_t m = 0; m < motions_.size(); ++m) {
    const bool used = std::any_of(joints_.begin(), joints_.end(), [&](const Driven& joint) {
      return std::any_of(joint.sources.begin(), joint.sources.end(),
                         [&](const Source& source) { return source.motion == static_cast<int>(m); });
    });
    if (used) {
      used_.push_back(motions_[m].named.name);
      if (motions_[m].named.motion->highest_order() < 2) {
        throw Error(
            "prescribed-not-smooth", {},
            concat("trajectory ", quoted(used_.back()), " prescribes a joint, but has no accelerations. Use one ",
                   "that can be differentiated twice."));
      }
    } else if (chosen_[m]) {
      throw Error("prescribed-nothing", {},
                  concat("prescribe: trajectory ", quoted(motions_[m].named.name), " moves ",
                         list_of(motions_[m].named.coordinates), ", none of which is a joint that can be prescribed."));
    }
  }
}

/// The trajectory that moves a coordinate: of those chosen the only one, else of all the only one.
PrescribedMotion::Source PrescribedMotion::find(const std::string& coordinate, const std::string& joint,
                                                bool needed) const {
  Source found;
  std::vector<std::string> names;
  const bool by_choice = std::find(chosen_.begin(), chosen_.end(), true) != chosen_.end();
  for (const bool among_chosen : {true, false}) {
    if (!among_chosen && (!needed || !names.empty())) break;
    if (among_chosen && !by_choice) continue;
    for (std::size_t m = 0; m < motions_.size(); ++m) {
      if (chosen_[m] != among_chosen) continue;
      const auto& coordinates = motions_[m].named.coordinates;
      const auto place = std::find(coordinates.begin(), coordinates.end(), coordinate);
      if (place == coordinates.end()) continue;
      found = {static_cast<int>(m), static_cast<int>(place - coordinates.begin()), 0};
      names.push_back(motions_[m].named.name);
    }
  }
  if (names.size() > 1) {
    throw Error("prescribed-twice", {},
                concat("joint ", quoted(joint), " is prescribed, and several trajectories move it: ", list_of(names),
                       ". Say which: `prescribe: ", names.front(), "`."));
  }
  return found;
}

double PrescribedMotion::value(const Source& source, int order) const {
  if (source.motion == held) return order == 0 ? source.value : 0;
  const Motion& motion = motions_[static_cast<std::size_t>(source.motion)];
  const std::size_t n = motion.named.coordinates.size();
  return motion.x[static_cast<std::size_t>(order) * n + static_cast<std::size_t>(source.coordinate)];
}

void PrescribedMotion::evaluate(double t, std::span<double> q, std::span<double> v, std::span<double> vdot) {
  if (joints_.empty()) return;
  for (Motion& motion : motions_) motion.named.motion->evaluate(t, 2, motion.x);
  std::array<std::array<double, most_joint_dofs>, 3> x;  // of one joint, with its derivatives
  for (const Driven& joint : joints_) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(joint.v.count); ++k) {
      for (std::size_t order = 0; order < 3; ++order) x[order][k] = value(joint.sources[k], static_cast<int>(order));
    }
    visit_joint(joint.kind, [&]<class J>(J) {
      JointSeries<J>::follow(x[0].data(), x[1].data(), x[2].data(), q.data() + joint.q.first, v.data() + joint.v.first,
                             vdot.data() + joint.v.first);
    });
  }
}

std::vector<double> PrescribedMotion::breaks(double until) const {
  std::vector<double> all;
  for (const Motion& motion : motions_) {
    if (std::find(used_.begin(), used_.end(), motion.named.name) == used_.end()) continue;
    const std::vector<double> own = motion.named.motion->breaks(until);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void PrescribedMotion::require_smooth(double begin, double until) const {
  for (const Driven& joint : joints_) {
    for (const Source& source : joint.sources) {
      if (source.motion == held) continue;
      const NamedTrajectory& named = motions_[static_cast<std::size_t>(source.motion)].named;
      if (named.motion->smoothness() >= 1) continue;
      const std::size_t n = named.coordinates.size(), at = static_cast<std::size_t>(source.coordinate);
      std::vector<double> before(3 * n), after(3 * n);
      for (const double t : named.motion->breaks(until)) {
        if (!(t > begin) || !(t < until)) continue;
        // The value at a jump is that after it; a moment before, position and velocity have moved on by their rates.
        const double step = 1e-9 * std::max(1.0, std::abs(t));
        named.motion->evaluate(t - step, 2, before);
        named.motion->evaluate(t, 2, after);
        for (const std::size_t order : {std::size_t{0}, std::size_t{1}}) {
          const double expected = before[order * n + at] + step * before[(order + 1) * n + at];
          const double found = after[order * n + at];
          const double scale = std::max({std::abs(expected), std::abs(found), 1e-6});
          if (std::abs(found - expected) <= 1e3 * same_speed * scale) continue;
          throw Error("prescribed-not-smooth", {},
                      concat("trajectory ", quoted(named.name), " prescribes ", quoted(named.coordinates[at]),
                             ", whose ", order == 0 ? "position" : "velocity", " jumps from ", expected, " to ", found,
                             " at t = ", t, " s. That takes an infinite force. Use a trajectory with continuous ",
                             "velocity, e.g. quintic or trapezoidal, or drive the joint by a pd block."));
        }
      }
    }
  }
}

}  // namespace articula::simulate
