#include <articula/simulate/internal/prescribed_motion.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/scalar/dual.h>
#include <articula/solve/internal/exposed_mechanism.h>
#include <articula/spatial/orientation.h>
#include <articula/spatial/rotation.h>

namespace articula {
namespace {

constexpr std::array<std::string_view, 6> pose_coordinates{"x", "y", "z", "roll", "pitch", "yaw"};

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
    Driven driven{joint.kind, joint.q, joint.v, joint.has_quaternion(), {}};
    const int angles_only = driven.by_angles && joint.v.count == 3 ? 3 : 0;
    const int count = driven.by_angles ? 6 - angles_only : joint.v.count;
    int given = 0;
    for (int k = 0; k < count; ++k) {
      const auto part = static_cast<std::size_t>(driven.by_angles ? k + angles_only : k);
      const std::string coordinate = driven.by_angles
                                         ? concat(joint.name, ".", pose_coordinates[part])
                                         : shown.map().v_names()[static_cast<std::size_t>(joint.v.first + k)];
      driven.sources[part] = find(coordinate, joint.name, by_model);
      given += driven.sources[part].motion != held;
    }
    if (given == 0 && by_model) {
      throw Error("prescribed-without-motion", {},
                  concat("joint ", quoted(joint.name), " of ", quoted(shown.mech().name),
                         " is prescribed, and no trajectory moves it. Give the study a trajectory of this joint",
                         driven.by_angles ? concat(" (coordinates ", quoted(joint.name + ".x"), " … ",
                                                   quoted(joint.name + ".yaw"), ")")
                                          : std::string(),
                         ", or take `prescribed` away."));
    }
    if (given == 0) continue;
    if (!driven.by_angles && given < count) {
      throw Error(
          "prescribed-without-motion", {},
          concat("joint ", quoted(joint.name), " has ", count, " degrees of freedom, of which trajectories move ",
                 given, ". A prescribed joint needs them all."));
    }
    if (driven.by_angles) {
      const double* const q = shown.par().q_start.data() + joint.flat_q;
      const double* const p = q + joint.q.count - 4;
      const Vec3<double> rpy = rpy_of(rotation_of(Quaternion<double>{p[0], p[1], p[2], p[3]}));
      const std::array<double, 6> start{
          angles_only ? 0 : q[0], angles_only ? 0 : q[1], angles_only ? 0 : q[2], rpy.x, rpy.y, rpy.z};
      for (std::size_t k = 0; k < 6; ++k) driven.sources[k].value = start[k];
    }
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
  for (const Driven& joint : joints_) {
    if (joint.by_angles) {
      evaluate_pose(joint, q, v, vdot);
      continue;
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(joint.v.count); ++k) {
      const auto in_v = static_cast<std::size_t>(joint.v.first) + k;
      q[static_cast<std::size_t>(joint.q.first) + k] = value(joint.sources[k], 0);
      v[in_v] = value(joint.sources[k], 1);
      vdot[in_v] = value(joint.sources[k], 2);
    }
  }
}

/// With R(t) = Rz(yaw)·Ry(pitch)·Rx(roll) and its derivatives by second-order dual numbers along t,
///
///     [ω]× = Rᵀ·Ṙ,   [ω̇]× = the antisymmetric part of Rᵀ·R̈,   v = Rᵀ·ṗ,   v̇ = Rᵀ·p̈ − ω × v
///
/// all in the joint's outboard axes. (Rᵀ·R̈ = [ω̇]× + [ω]×², whose second term is symmetric.)
void PrescribedMotion::evaluate_pose(const Driven& joint, std::span<double> q, std::span<double> v,
                                     std::span<double> vdot) const {
  using Second = DualOver<Dual>;
  const auto along = [&](std::size_t part) {
    const Source& source = joint.sources[part];
    return Second{Dual{value(source, 0), value(source, 1)}, Dual{value(source, 1), value(source, 2)}};
  };
  const Rotation<Second> R_t =
      rotation_about(2, along(5)) * (rotation_about(1, along(4)) * rotation_about(0, along(3)));
  // Columns of R, Ṙ and R̈.
  std::array<std::array<Vec3<double>, 3>, 3> R{};
  for (int c = 0; c < 3; ++c) {
    const Vec3<Second> column = R_t * Vec3<Second>::unit(c);
    for (int r = 0; r < 3; ++r) {
      R[0][static_cast<std::size_t>(c)][r] = column[r].x.x;
      R[1][static_cast<std::size_t>(c)][r] = column[r].x.dx;
      R[2][static_cast<std::size_t>(c)][r] = column[r].dx.dx;
    }
  }
  // [w]×(2, 1) = w.x and so on.
  const auto antisymmetric = [&](std::size_t order) {
    const auto entry = [&](std::size_t i, std::size_t j) { return dot(R[0][i], R[order][j]); };
    return Vec3<double>{(entry(2, 1) - entry(1, 2)) / 2, (entry(0, 2) - entry(2, 0)) / 2,
                        (entry(1, 0) - entry(0, 1)) / 2};
  };
  const Vec3<double> w = antisymmetric(1), wdot = antisymmetric(2);
  const auto q0 = static_cast<std::size_t>(joint.q.first), v0 = static_cast<std::size_t>(joint.v.first);
  const std::size_t turn = joint.v.count == 6 ? 3 : 0;
  // By half angles, so that its sign does not jump.
  const auto turned = [&](std::size_t part, const Vec3<double>& axis) {
    const double half = value(joint.sources[part], 0) / 2, sine = std::sin(half);
    return Quaternion<double>{axis.x * sine, axis.y * sine, axis.z * sine, std::cos(half)};
  };
  const Quaternion<double> p = turned(5, {0, 0, 1}) * turned(4, {0, 1, 0}) * turned(3, {1, 0, 0});
  for (std::size_t k = 0; k < 3; ++k) {
    v[v0 + turn + k] = w[static_cast<int>(k)];
    vdot[v0 + turn + k] = wdot[static_cast<int>(k)];
  }
  q[q0 + turn] = p.x, q[q0 + turn + 1] = p.y, q[q0 + turn + 2] = p.z, q[q0 + turn + 3] = p.w;
  if (turn == 0) return;
  const auto position = [&](int order) {
    return Vec3<double>{value(joint.sources[0], order), value(joint.sources[1], order), value(joint.sources[2], order)};
  };
  const auto in_body = [&](const Vec3<double>& x) {
    return Vec3<double>{dot(R[0][0], x), dot(R[0][1], x), dot(R[0][2], x)};
  };
  const Vec3<double> x = position(0), rate = in_body(position(1)), more = in_body(position(2)) - cross(w, rate);
  for (std::size_t k = 0; k < 3; ++k) {
    q[q0 + k] = x[static_cast<int>(k)];
    v[v0 + k] = rate[static_cast<int>(k)];
    vdot[v0 + k] = more[static_cast<int>(k)];
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

}  // namespace articula
