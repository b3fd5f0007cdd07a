#include <articula/closure/postponed_joints.h>

#include <algorithm>

namespace articula::closure {

PostponedJoints::PostponedJoints(const Mechanism& mech)
    : column_of_dof(static_cast<std::size_t>(mech.nv), -1),
      meeting(static_cast<std::size_t>(mech.nv)),
      released_(mech.bodies.size()),
      leaving_(mech.bodies.size()),
      met_by_(static_cast<std::size_t>(mech.nv)) {
  find_roots(mech);
  follow_columns(mech);
}

PostponedJoints::PostponedJoints(const PostponedJoints&) = default;
PostponedJoints::~PostponedJoints() = default;

void PostponedJoints::find_roots(const Mechanism& mech) {
  clusters_at_.resize(mech.bodies.size());
  const auto body = [&](int i) -> const Body& { return mech.bodies[static_cast<std::size_t>(i)]; };
  for (std::size_t c = 0; c < mech.clusters.size(); ++c) {
    int root = -1;
    for (const int dof : mech.clusters[c].dofs) {
      const int carrier = body(mech.body_of_dof[static_cast<std::size_t>(dof)]).parent;
      if (root < 0) root = carrier;
      while (root > 0 && (carrier < root || carrier >= body(root).beyond)) root = body(root).parent;
      column_of_dof[static_cast<std::size_t>(dof)] = static_cast<int>(dofs.size());
      dofs.push_back(dof);
    }
    clusters_at_[static_cast<std::size_t>(root)].push_back(static_cast<int>(c));
  }
  slots.resize(dofs.size());
}

/// From the tips inward, as the recursion goes.
void PostponedJoints::follow_columns(const Mechanism& mech) {
  std::vector<std::vector<int>> arrived(mech.bodies.size());  // at a body, from those that it carries
  for (std::size_t i = mech.bodies.size(); i-- > 0;) {
    std::vector<int>& here = arrived[i];
    released_[i] = {static_cast<int>(releases.size()), static_cast<int>(clusters_at_[i].size())};
    for (const int cluster : clusters_at_[i]) release(mech, cluster, here);
    if (i == 0) break;
    const Body& body = mech.bodies[i];
    const int first = static_cast<int>(lists_.size());
    for (int dof = body.v.first + body.v.count; dof-- > body.v.first;) {
      const auto k = static_cast<std::size_t>(dof);
      met_by_[k] = {first, static_cast<int>(here.size())};
      if (column_of_dof[k] < 0) {
        give_way(dof, here.size());
        continue;
      }
      if (unused_.empty()) unused_.push_back(slot_count++);
      slots[static_cast<std::size_t>(column_of_dof[k])] = unused_.back();
      unused_.pop_back();
      here.push_back(column_of_dof[k]);
    }
    lists_.insert(lists_.end(), here.begin(), here.end());
    leaving_[i] = {first, static_cast<int>(here.size())};
    std::vector<int>& next = arrived[static_cast<std::size_t>(body.parent)];
    next.insert(next.end(), here.begin(), here.end());
  }
}

void PostponedJoints::release(const Mechanism& mech, int cluster, std::vector<int>& here) {
  const Cluster& own = mech.clusters[static_cast<std::size_t>(cluster)];
  Release release{cluster, {}, {}, 0};
  const auto leave = [&](int dof) {
    const int column = column_of_dof[static_cast<std::size_t>(dof)];
    std::erase(here, column);
    unused_.push_back(slots[static_cast<std::size_t>(column)]);
    return column;
  };
  for (const int dof : own.dependent) release.dependent.push_back(leave(dof));
  std::vector<int> independent;
  for (const int dof : own.independent) independent.push_back(leave(dof));
  release.columns = here;
  release.others = here.size();
  release.columns.insert(release.columns.end(), independent.begin(), independent.end());
  for (std::size_t k = own.independent.size(); k-- > 0;) give_way(own.independent[k], release.met_by(k).size());
  releases.push_back(std::move(release));
}

}  // namespace articula::closure
