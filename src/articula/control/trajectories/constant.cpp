#include <articula/control/trajectories/constant.h>

#include <algorithm>

namespace articula::control {

namespace {

class Constant final : public Trajectory {
 public:
  explicit Constant(std::vector<double> value) : value_(std::move(value)) {}

  int size() const override { return static_cast<int>(value_.size()); }

  void evaluate(double /*t*/, int order, std::span<double> x) const override {
    const std::size_t n = value_.size();
    std::copy(value_.begin(), value_.end(), x.begin());
    std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(n), n * static_cast<std::size_t>(order), 0.0);
  }

 private:
  std::vector<double> value_;
};

}  // namespace

JointTrajectory ConstantMotion::make(const TrajectoryContext& context) const {
  JointTrajectory made = moved_joints(context, joints, moves);
  made.motion = std::make_unique<Constant>(for_each_joint(context, made, "value", value));
  return made;
}

}  // namespace articula::control
