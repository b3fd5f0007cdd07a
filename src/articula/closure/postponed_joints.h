#pragma once

#include <span>
#include <vector>

#include <articula/mechanism/mechanism.h>

namespace articula::closure {

/// Where coupled joints are eliminated in articulated-body recursion. A joint of a cluster does not give way at its own
/// body: its column M_A·H travels inward to the root of the cluster, the outermost body that carries all of its joints.
/// There the independent coordinates of the cluster give way, the last one first. Found from the topology alone.
struct PostponedJoints {
  ARTICULA_EXPORT explicit PostponedJoints(const Mechanism& mech);
  ARTICULA_EXPORT PostponedJoints(const PostponedJoints&);
  ARTICULA_EXPORT ~PostponedJoints();

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

}  // namespace articula::closure
