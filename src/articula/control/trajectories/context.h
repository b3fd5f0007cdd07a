#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/build/shared_mechanism.h>
#include <articula/control/trajectory.h>
#include <articula/model/field.h>
#include <articula/model/model.h>
#include <articula/text/file_reach.h>

/// What the kinds of trajectories share. A kind is a plain struct that describes itself by `fields`, as entities of a
/// model do, and makes a Trajectory:
///
///     static constexpr std::string_view name = "harmonic";
///     static constexpr std::string_view about, smooth;           for reference tables: what it is, how smooth
///     std::vector<std::string> joints;                           which it moves; none or `all`: all
///     Moves moves = Moves::turning;
///     ...
///     template <class Self, class Visitor>
///     static void fields(Self& self, Visitor&& field);
///     JointTrajectory make(const TrajectoryContext& context) const;   throws an Error that says what is wrong
///
/// The list of all is in control/trajectory_kinds.h: a new kind is a file and a line there.

namespace articula::control {

/// What the joints of a trajectory do, and so what its numbers measure: `30 deg` fits turning ones, `12 mm` sliding
/// ones. Where both kinds are moved by one trajectory, plain SI numbers are taken.
enum class Moves { turning, sliding, mixed };
constexpr std::array<std::string_view, 3> enum_names(Moves) { return {"turning", "sliding", "mixed"}; }

/// The dimension of the k-th time derivative of such a coordinate.
inline Dimension rate_of(Moves moves, int k) {
  if (moves == Moves::mixed) return dimension::none;
  return moves == Moves::turning ? Dimension{.s = -k, .rad = 1} : Dimension{.m = 1, .s = -k};
}

/// One that was made before, for those that are made from it.
struct EarlierTrajectory {
  std::string name;
  std::vector<std::string> joints;
  const Trajectory* motion = nullptr;
};

/// What a trajectory is made for.
struct TrajectoryContext {
  const Mechanism& mechanism;
  const Parameters<double>& parameters;
  std::string name;              ///< the trajectory's, for messages
  Where where;                   ///< where it is written
  std::filesystem::path folder;  ///< that its files are named from
  std::vector<std::string> all;  ///< what `joints: all` means, Solver::v_names(); empty: all degrees of freedom
  std::vector<EarlierTrajectory> earlier = {};
  const Model* model = nullptr;                ///< for kinds that compute what moves it
  std::optional<SharedMechanism> shared = {};  ///< of the model, if it is built already
  FileReach reach = {};                        ///< through which its files are read
};

/// A trajectory and what it moves: coordinate i is the degree of freedom dofs[i] of the mechanism, called joints[i].
struct JointTrajectory {
  std::vector<std::string> joints;  ///< as in the mechanism's layout: "elbow", or "base.x"
  std::vector<int> dofs;
  std::unique_ptr<Trajectory> motion;
};

/// The fields that all kinds begin with.
template <class Self, class Visitor>
void joint_fields(Self& self, Visitor&& field) {
  field("joints", self.joints, dimension::none, "joints to move, in the order of the numbers, or `all`", "all");
  field("moves", self.moves, dimension::none,
        "what the numbers measure, which determines the units; with `mixed`, plain SI numbers");
}

/// Throws `trajectory "wave": message  [code]`.
[[noreturn]] ARTICULA_EXPORT void refuse(const TrajectoryContext& context, std::string code,
                                         const std::string& message);

/// A trajectory without its motion: the degrees of freedom that `joints` names, all of a joint with several. Throws for
/// a joint that is not there, is named twice, or whose coordinates are no vector (a quaternion), and where `moves` says
/// otherwise than the joints do.
ARTICULA_EXPORT JointTrajectory moved_joints(const TrajectoryContext& context, std::span<const std::string> joints,
                                             Moves moves);

/// One finite number for each joint, from that many or from one for all.
ARTICULA_EXPORT std::vector<double> for_each_joint(const TrajectoryContext& context, const JointTrajectory& moved,
                                                   std::string_view what, std::span<const double> values);

/// As for_each_joint, of each row. @return row after row
ARTICULA_EXPORT std::vector<double> rows_for_each_joint(const TrajectoryContext& context, const JointTrajectory& moved,
                                                        std::string_view what, const Rows& rows);

/// Throws unless the times are finite, ascend and are as many as the points.
ARTICULA_EXPORT void check_times(const TrajectoryContext& context, std::span<const double> times, std::size_t points,
                                 std::size_t least = 2);

/// Throws unless the coefficients of what was made are finite.
ARTICULA_EXPORT void check_range(const TrajectoryContext& context, std::span<const double> numbers);

/// Throws unless a trajectory has finite positions, speeds and accelerations at its ends.
ARTICULA_EXPORT void check_finite(const TrajectoryContext& context, const Trajectory& motion);

/// Throws unless the value is finite and greater than zero.
ARTICULA_EXPORT void check_positive(const TrajectoryContext& context, std::string_view what, double value);

}  // namespace articula::control
