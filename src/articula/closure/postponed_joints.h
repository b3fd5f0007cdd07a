#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <articula/mechanism/mechanism.h>

namespace articula {

/// Where coupled joints are eliminated in articulated-body recursion. A joint of a cluster does not give way at its own
/// body: its column M_A·H travels inward to the root of the cluster, the outermost body that carries all of its joints.
/// There the independent coordinates of the cluster give way, the last one first. Found from the topology alone.
struct PostponedJoints {
  explicit PostponedJoints(const Mechanism& mech);

  /// A cluster at its root. Columns are counted as `dofs`.
  struct Release {
    int cluster = -1;
    std::vector<int> dependent;  ///< columns that are expressed by those of independent coordinates
    std::vector<int> columns;    ///< first `others`, which travel on; then those of its independent coordinates
    std::size_t others = 0;

    std::span<const int> independent() const { return std::span(columns).subspan(others); }
    /// Those that the k-th independent coordinate meets when it gives way.
    std::span<const int> met_by(std::size_t k) const { return std::span(columns).first(others + k); }
  };

  /// Whether no column passes the joint of a body or begins there.
  bool is_untouched(std::size_t body) const { return leaving_[body].count == 0; }
  /// The columns that travel on from a body to its parent.
  std::span<const int> leaving(std::size_t body) const { return in(leaving_[body]); }
  /// The columns that a degree of freedom meets at its joint: of joints beyond it, and of later ones of the same joint.
  std::span<const int> met_by(std::size_t dof) const { return in(met_by_[dof]); }
  /// Clusters whose root is a body, in the order of release.
  std::span<const Release> at_root(std::size_t body) const {
    const Range& range = released_[body];
    return std::span(releases).subspan(static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.count));
  }

  std::vector<int> order;          ///< all degrees of freedom, as they give way
  std::vector<int> dofs;           ///< of each column, the degree of freedom that is postponed
  std::vector<int> slots;          ///< of each column: those that travel at the same time have different ones
  std::vector<int> column_of_dof;  ///< −1: it is not postponed
  std::vector<Release> releases;   ///< from the tips inward
  std::vector<std::size_t>
      meeting;               ///< of each degree of freedom that gives way, where its products with columns begin
  std::size_t meetings = 0;  ///< the number of these products
  int slot_count = 0;

 private:
  std::span<const int> in(const Range& range) const {
    return std::span(lists_).subspan(static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.count));
  }
  void find_roots(const Mechanism& mech);
  void follow_columns(const Mechanism& mech);
  void release(const Mechanism& mech, int cluster, std::vector<int>& here);
  void give_way(int dof, std::size_t met) {
    order.push_back(dof);
    meeting[static_cast<std::size_t>(dof)] = meetings;
    meetings += met;
  }

  std::vector<std::vector<int>> clusters_at_;  ///< by root
  std::vector<Range> released_, leaving_, met_by_;
  std::vector<int> lists_;
  std::vector<int> unused_;  ///< slots
};

inline PostponedJoints::PostponedJoints(const Mechanism& mech)
    : column_of_dof(static_cast<std::size_t>(mech.nv), -1),
      meeting(static_cast<std::size_t>(mech.nv)),
      released_(mech.bodies.size()),
      leaving_(mech.bodies.size()),
      met_by_(static_cast<std::size_t>(mech.nv)) {
  find_roots(mech);
  follow_columns(mech);
}

inline void PostponedJoints::find_roots(const Mechanism& mech) {
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
inline void PostponedJoints::follow_columns(const Mechanism& mech) {
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

inline void PostponedJoints::release(const Mechanism& mech, int cluster, std::vector<int>& here) {
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

}  // namespace articula
