// Controllers that use the model of the mechanism.

#include <articula/control/blocks/computed_torque.h>
#include <articula/control/blocks/feed_forward.h>
#include <articula/control/blocks/gravity_compensation.h>
#include <articula/control/internal/inverse_model.h>

namespace articula::control {
namespace {

/// Base class: reads all coordinates and rates of the mechanism, and acts on some joints.
template <class Self>
class ModelBlock : public JointBlock<Self> {
 public:
  ModelBlock(std::vector<BlockSite::Dof> dofs, const BlockMaking& making)
      : JointBlock<Self>(std::move(dofs)), model_(making.site.mechanism()) {
    making.need_independent(this->dofs_);
    for (const std::string& each : making.site.q_names()) q_names_.push_back("q." + each);
    for (const BlockSite::Dof& dof : making.site.dofs()) v_names_.push_back("v." + dof.name);
    for (const BlockSite::Dof& dof : this->dofs_) {
      v_place_.push_back(place_of(v_names_, "v." + dof.name));
      q_place_.push_back(dof.position.empty() ? q_names_.size() : place_of(q_names_, "q." + dof.position));
    }
    resize(std::get<0>(work_));
    resize(std::get<1>(work_));
  }

 protected:
  template <class T>
  struct Work {
    std::vector<T> q, v, vdot, tau;
  };
  template <class T>
  Work<T>& work() const {
    return std::get<Work<T>>(work_);
  }

  /// Reads q and v from the first inputs; accelerations are zero.
  template <class T>
  Work<T>& state(std::span<const T> in) const {
    Work<T>& w = work<T>();
    for (std::size_t k = 0; k < w.q.size(); ++k) w.q[k] = in[k];
    for (std::size_t k = 0; k < w.v.size(); ++k) w.v[k] = in[w.q.size() + k], w.vdot[k] = T(0);
    return w;
  }
  template <class T>
  void torques(Work<T>& w, std::span<T> out) const {
    model_.template get<T>().torques(w.q, w.v, w.vdot, w.tau);
    for (std::size_t k = 0; k < v_place_.size(); ++k) out[k] = w.tau[v_place_[k]];
  }

  std::vector<std::string> q_names_, v_names_;
  std::vector<std::size_t> q_place_, v_place_;  ///< of each of its joints
  mutable BlockModel model_;

 private:
  static std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  template <class T>
  void resize(Work<T>& w) {
    w.q.resize(q_names_.size());
    w.v.resize(v_names_.size()), w.vdot.resize(v_names_.size()), w.tau.resize(v_names_.size());
  }

  mutable std::tuple<Work<double>, Work<Dual>> work_;
};

class ComputedTorqueBlock final : public ModelBlock<ComputedTorqueBlock> {
 public:
  ComputedTorqueBlock(std::vector<BlockSite::Dof> dofs, const ComputedTorque& said, const BlockMaking& making)
      : ModelBlock(std::move(dofs), making),
        reference_(said.reference),
        stiffness_(making.each("stiffness", said.stiffness, n())),
        damping_(making.each("damping", said.damping, n())),
        limit_(limits_of(making, "limit", said.limit, n())) {}

  std::vector<std::string> inputs() const override {
    std::vector<std::string> all = q_names_;
    all.insert(all.end(), v_names_.begin(), v_names_.end());
    for (const char* order : {".q", ".v", ".a"}) read(all, reference_ + order);
    return all;
  }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T>, std::span<T> out, std::span<T>) const {
    auto& w = this->template state<T>(in);
    const std::span<const T> r = in.subspan(w.q.size() + w.v.size());
    const std::size_t m = n();
    for (std::size_t k = 0; k < m; ++k) {
      w.vdot[v_place_[k]] =
          r[2 * m + k] + damping_[k] * (r[m + k] - w.v[v_place_[k]]) + stiffness_[k] * (r[k] - w.q[q_place_[k]]);
    }
    this->template torques<T>(w, out);
    for (std::size_t k = 0; k < m; ++k) out[k] = limited(out[k], limit_[k]);
  }

 private:
  std::string reference_;
  std::vector<double> stiffness_, damping_, limit_;
};

class GravityCompensationBlock final : public ModelBlock<GravityCompensationBlock> {
 public:
  using ModelBlock::ModelBlock;

  std::vector<std::string> inputs() const override { return q_names_; }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T>, std::span<T> out, std::span<T>) const {
    auto& w = this->template work<T>();  // at rest: v and vdot are zero
    for (std::size_t k = 0; k < w.q.size(); ++k) w.q[k] = in[k];
    this->template torques<T>(w, out);
  }
};

class FeedForwardBlock final : public ModelBlock<FeedForwardBlock> {
 public:
  FeedForwardBlock(std::vector<BlockSite::Dof> dofs, const FeedForward& said, const BlockMaking& making)
      : ModelBlock(std::move(dofs), making),
        reference_(said.reference),
        alone_(n() == q_names_.size() && n() == v_names_.size()) {}

  std::vector<std::string> inputs() const override {
    std::vector<std::string> all;
    if (!alone_) {
      all = q_names_;
      all.insert(all.end(), v_names_.begin(), v_names_.end());
    }
    for (const char* order : {".q", ".v", ".a"}) read(all, reference_ + order);
    return all;
  }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T>, std::span<T> out, std::span<T>) const {
    auto& w = alone_ ? this->template work<T>() : this->template state<T>(in);
    const std::span<const T> r = alone_ ? in : in.subspan(w.q.size() + w.v.size());
    const std::size_t m = n();
    for (std::size_t k = 0; k < m; ++k) {
      w.q[q_place_[k]] = r[k];
      w.v[v_place_[k]] = r[m + k];
      w.vdot[v_place_[k]] = r[2 * m + k];
    }
    this->template torques<T>(w, out);
  }

 private:
  std::string reference_;
  bool alone_;  ///< the trajectory moves all joints, so that the state of the mechanism is not needed
};

}  // namespace

std::unique_ptr<Block> ComputedTorque::make(const BlockMaking& making) const {
  making.need_text("reference", reference, "wave");
  const auto dofs = making.dofs(joints);
  making.need_positions(dofs);
  return making.done(std::make_unique<ComputedTorqueBlock>(dofs, *this, making));
}

std::unique_ptr<Block> GravityCompensation::make(const BlockMaking& making) const {
  return making.done(std::make_unique<GravityCompensationBlock>(making.dofs(joints), making));
}

std::unique_ptr<Block> FeedForward::make(const BlockMaking& making) const {
  making.need_text("reference", reference, "wave");
  const auto dofs = making.dofs(joints);
  making.need_positions(dofs);
  return making.done(std::make_unique<FeedForwardBlock>(dofs, *this, making));
}

}  // namespace articula::control
