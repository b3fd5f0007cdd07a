#include <articula/network/restriction.h>

#include <algorithm>

#include <articula/base/index.h>
#include <articula/mechanism/state.h>

namespace articula::network {

Restriction::Restriction(std::shared_ptr<const Structure> structure, const std::vector<PortRef>& ports)
    : flow_(std::move(structure)) {
  const Causality& causality = flow_.causality();
  std::vector<int> place(causality.role.size(), -1);  // in E, by port
  for (const PortRef& name : ports) {
    ports_.push_back(flow_.structure().port(name));
    place[at(ports_.back())] = static_cast<int>(ports_.size()) - 1;
  }

  // Inboard from each port, until the way is known: the entities whose outports are passed are needed.
  std::vector<bool> needed(flow_.structure().entities.size(), false), known(place.size(), false);
  std::vector<int> nearest(place.size(), -1);  // place in E of the nearest port inboard
  std::vector<int> way;
  for (const int chosen : ports_) {
    way.clear();
    int port = chosen;
    for (; port >= 0 && !known[at(port)]; port = causality.inboard(port)) {
      known[at(port)] = true;
      way.push_back(port);
      if (causality.role[at(port)] != PortRole::in) needed[at(causality.owner[at(port)])] = true;
    }
    for (auto passed = way.rbegin(); passed != way.rend(); port = *passed++) {
      if (port >= 0) nearest[at(*passed)] = place[at(port)] >= 0 ? place[at(port)] : nearest[at(port)];
    }
    before_.push_back(nearest[at(chosen)]);
  }
  std::copy_if(causality.order.begin(), causality.order.end(), std::back_inserter(order_),
               [&](int e) { return needed[at(e)]; });
}

void Restriction::kinematics(std::span<const double> q, std::span<const double> v, std::span<const double> vdot) {
  check_numbers("vdot", vdot, flow_.structure().layout.v);
  flow_.set_motion(q, v, vdot);
  flow_.outward(order_, [](const EntityImplementation& entity, const Site& site) {
    entity.position(site);
    entity.velocity(site);
    entity.acceleration(site);
  });
}

Pose<double> Restriction::pose(int k) const { return motion(k).X_W; }

Motion<double> Restriction::velocity(int k) const {
  return velocity_in_port(flow_.structure().representation, motion(k));
}

Motion<double> Restriction::acceleration(int k) const {
  return acceleration_in_port(flow_.structure().representation, motion(k));
}

Motion<double> Restriction::delta(int k) const {
  if (before(k) < 0) return velocity(k);
  return velocity(k) - inverted(pose(k)) * (pose(before(k)) * velocity(before(k)));
}

Motion<double> velocity_in_port(Representation representation, const Motions& motion) {
  return inverted(pose_to(representation, motion.X_W)) * motion.V;
}

Motion<double> acceleration_in_port(Representation representation, const Motions& motion) {
  const auto& [X_W, V, A] = motion;
  return inverted(pose_to(representation, X_W)) * (A - cross(frame_rate(representation, V), V));
}

}  // namespace articula::network
