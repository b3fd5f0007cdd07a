#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <articula/control/block_site.h>
#include <articula/dynamics/force_elements.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/internal/exterior_map.h>

namespace articula {

/// A mechanism that can be accelerated, in the variables that are shown: checked, built, with what resists in it.
class ShownMechanism {
 public:
  /// A joint whose variables are shown. Its coordinates are neighbours in q, as its rates are in v.
  struct ShownJoint {
    std::string name;
    JointKind kind = JointKind::fixed;
    Range q, v;      ///< among those shown
    int flat_v = 0;  ///< its first degree of freedom in the mechanism

    bool has_quaternion() const { return q.count != v.count; }
    int quaternion() const { return q.first + q.count - 4; }  ///< where in q it begins
  };

  ShownMechanism(const Model& model, const SystemOptions& options)
      : checked_(model, {.passive = options.passive, .exterior = options.exterior, .build = options.build}),
        ports_{options.exterior.joints.empty() ? model.exterior.joints : options.exterior.joints,
               options.exterior.frames.empty() ? model.exterior.frames : options.exterior.frames},
        map_(mech(), par(), ports_),
        passive_(options.passive),
        roles_(map_.roles()),
        reflected_(static_cast<std::size_t>(mech().nv)) {
    if (passive_) reflected_inertia<double>(mech(), par(), reflected_);
    const auto any = [](const std::vector<double>& x) {
      return std::any_of(x.begin(), x.end(), [](double e) { return e != 0; });
    };
    has_reflected_ = any(reflected_);
    resists_ = passive_ && (any(par().damping) || any(par().friction) || !mech().rotors.empty());
    all_free_ = std::all_of(roles_.begin(), roles_.end(), [](DofRole role) { return role == DofRole::free; });
    list_joints();
  }

  const Mechanism& mech() const { return checked_.mechanism(); }
  const Parameters<double>& par() const { return checked_.parameters(); }
  const ExteriorMap& map() const { return map_; }
  const ExteriorPorts& ports() const { return ports_; }
  const std::vector<ShownJoint>& joints() const { return joints_; }
  const std::vector<DofRole>& roles() const { return roles_; }
  const std::vector<double>& reflected() const { return reflected_; }
  std::size_t nq() const { return map_.q_names().size(); }
  std::size_t nv() const { return map_.v_names().size(); }
  bool passive() const { return passive_; }
  bool has_reflected() const { return has_reflected_; }
  bool all_free() const { return all_free_; }
  bool resists() const { return resists_; }  ///< damping or friction in joints and rotors
  /// Whether forces act on bodies, or between shafts, beside uniform gravity.
  bool has_elements() const { return !mech().forces.empty() || !mech().uniform_gravity; }

 private:
  void list_joints() {
    Range q, v;
    std::unordered_map<std::string_view, int> q_places, v_places;
    for (const std::string& name : map_.q_names()) q_places.emplace(name, static_cast<int>(q_places.size()));
    for (const std::string& name : map_.v_names()) v_places.emplace(name, static_cast<int>(v_places.size()));
    for (const Body& body : mech().bodies) {
      if (body.v.count == 0) continue;
      const auto place = v_places.find(mech().layout.v[static_cast<std::size_t>(body.v.first)]);
      if (place == v_places.end()) continue;  // held, or follows
      v = {place->second, body.v.count};
      q = {q_places.at(mech().layout.q[static_cast<std::size_t>(body.q.first)]), body.q.count};
      joints_.push_back(
          {mech().provenance.entities[static_cast<std::size_t>(body.entity)].name, body.joint, q, v, body.v.first});
    }
    std::sort(joints_.begin(), joints_.end(),
              [](const ShownJoint& a, const ShownJoint& b) { return a.v.first < b.v.first; });
  }

  ForwardDynamics checked_;  ///< made for its checks; its mechanism and numbers are used
  ExteriorPorts ports_;
  ExteriorMap map_;
  bool passive_ = false, has_reflected_ = false, all_free_ = true, resists_ = false;
  std::vector<DofRole> roles_;
  std::vector<double> reflected_;
  std::vector<ShownJoint> joints_;
};

}  // namespace articula
