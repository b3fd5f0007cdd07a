#include <articula/control/internal/led_frame.h>

#include <algorithm>

#include <articula/base/text.h>
#include <articula/model/port_text.h>

namespace articula::control {

int frame_of(const TrajectoryContext& context, const std::string& text) {
  const std::vector<FlatFrame>& frames = context.mechanism.frames;
  if (const FlatFrame* found = find_port(frames, text, &FlatFrame::name))
    return static_cast<int>(found - frames.data());
  std::vector<std::string> names;
  for (const FlatFrame& frame : frames) names.push_back(to_text(frame.name));
  refuse(context, "no-such-frame",
         concat("frame ", quoted(text), " not found in ", quoted(context.mechanism.name), ".",
                choices(text, "frames", names)));
}

JointTrajectory leading_joints(const TrajectoryContext& context, std::span<const std::string> joints, Moves moves,
                               const std::string& frame, std::span<const int> chain) {
  std::vector<std::string> names(joints.begin(), joints.end());
  if (names.empty() || (names.size() == 1 && names.front() == "all")) {
    names.clear();
    for (const int dof : chain) names.push_back(context.mechanism.layout.v[static_cast<std::size_t>(dof)]);
  }
  JointTrajectory made = moved_joints(context, names, moves);
  for (std::size_t k = 0; k < made.dofs.size(); ++k) {
    if (std::find(chain.begin(), chain.end(), made.dofs[k]) != chain.end()) continue;
    refuse(context, "trajectory-joint",
           concat("joint ", quoted(made.joints[k]), " does not move the frame ", quoted(frame), ". Leave it out."));
  }
  return made;
}

std::vector<double> start_near(const TrajectoryContext& context, const JointTrajectory& moved,
                               std::span<const double> near) {
  std::vector<double> q = context.parameters.q_start;
  if (near.empty()) return q;
  const auto given = for_each_joint(context, moved, "near", near);
  for (std::size_t k = 0; k < given.size(); ++k)
    q[static_cast<std::size_t>(position_of(context.mechanism, moved.dofs[k]))] = given[k];
  return q;
}

}  // namespace articula::control
