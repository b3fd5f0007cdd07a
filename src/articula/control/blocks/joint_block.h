#pragma once

#include <limits>
#include <string>
#include <vector>

#include <articula/control/block_site.h>

namespace articula::control {

/// u limited to ±limit; at the limit its derivatives are zero.
template <class T>
T limited(const T& u, double limit) {
  return u > limit ? T(limit) : u < -limit ? T(-limit) : u;
}

/// Limits of n joints, from a list of n numbers or one for all; infinite for an empty list.
inline std::vector<double> limits_of(const BlockMaking& making, std::string_view property,
                                     const std::vector<double>& values, std::size_t n) {
  if (values.empty()) return std::vector<double>(n, std::numeric_limits<double>::infinity());
  return making.each(property, values, n);
}

/// A block that outputs one generalized force for each of several degrees of freedom.
template <class Self>
class JointBlock : public BlockOf<Self> {
 public:
  explicit JointBlock(std::vector<BlockSite::Dof> dofs) : dofs_(std::move(dofs)) {}

  std::vector<Signal> outputs() const override {
    std::vector<Signal> signals;
    for (const BlockSite::Dof& dof : dofs_) signals.push_back({dof.name, dof.effort_unit()});
    return signals;
  }
  std::vector<Block::Action> actions() const override {
    std::vector<Block::Action> all;
    for (const BlockSite::Dof& dof : dofs_) all.push_back({static_cast<int>(all.size()), dof.name});
    return all;
  }

 protected:
  std::size_t n() const { return dofs_.size(); }

  /// Appends `q.elbow`, `v.elbow` or `wave.q.elbow` of all joints.
  void read_positions(std::vector<std::string>& inputs) const {
    for (const BlockSite::Dof& dof : dofs_) inputs.push_back("q." + dof.position);
  }
  void read_speeds(std::vector<std::string>& inputs) const {
    for (const BlockSite::Dof& dof : dofs_) inputs.push_back("v." + dof.name);
  }
  void read(std::vector<std::string>& inputs, const std::string& prefix) const {
    for (const BlockSite::Dof& dof : dofs_) inputs.push_back(prefix + "." + dof.name);
  }

  std::vector<BlockSite::Dof> dofs_;
};

}  // namespace articula::control
