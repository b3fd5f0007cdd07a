#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/mechanism/parameters.h>
#include <articula/model/model.h>

namespace articula::control {

/// Options of inverse kinematics.
struct InverseKinematicsOptions {
  /// Weights of the pose error in the axes of the target: rotation about x, y, z, then translation along them. A
  /// component with weight zero is ignored; other weights only matter if a target cannot be reached.
  std::array<double, 6> weight{1, 1, 1, 1, 1, 1};
  double tolerance = 1e-10;  ///< error of a solution, in metres and radians
  bool limits = true;        ///< whether joints must be within their limits
  bool closed_form = true;   ///< whether to use the closed form, if there is one
  int starts = 64;           ///< starts of the iteration: at `near`, and distributed over all configurations
  int iterations = 200;      ///< maximum for each start
};

inline constexpr std::array<double, 6> position_only{0, 0, 0, 1, 1, 1}, orientation_only{1, 1, 1, 0, 0, 0};

/// The outcome for a target.
struct InverseKinematicsReport {
  enum class Status {
    found,
    outside_limits,  ///< it can be reached, but not within the limits of the joints
    unreachable,     ///< no configuration was found
  };
  Status status = Status::unreachable;
  double position_error = 0,
         angle_error = 0;  ///< of the returned configuration, which is the best one if there is no solution
  int solutions = 0;       ///< number of solutions found
  int iterations = 0;      ///< total

  bool ok() const { return status == Status::found; }
};

/// A message: what happened, and what to do.
ARTICULA_EXPORT std::string to_text(const InverseKinematicsReport& report);

/// The configurations in which a frame has a given pose.
///
///     InverseKinematics hand(robot, {"link6", "tool"});
///     InverseKinematicsReport report = hand.solve_nearest(X_WF, q_now, q);
///
/// Six revolute axes of which the last three meet (most industrial robots), or 2, 3, 4 are parallel and 5, 6 meet, have
/// a closed form, and so have three axes that move a point and two or three parallel ones; this is detected from the
/// mechanism. All others are solved by iteration from several starts, which are always the same. Joints that do not
/// move the frame keep their positions.
///
/// For a revolute joint without limits, whole turns are the same configuration.
class ARTICULA_EXPORT InverseKinematics {
 public:
  InverseKinematics(const Model& model, const PortRef& frame, const InverseKinematicsOptions& options = {});
  /// Both must outlive it.
  InverseKinematics(const Mechanism& mech, const Parameters<double>& par, int frame,
                    const InverseKinematicsOptions& options = {});
  InverseKinematics(InverseKinematics&&) noexcept;
  InverseKinematics& operator=(InverseKinematics&&) noexcept;
  ~InverseKinematics();

  const Mechanism& mechanism() const;
  const Parameters<double>& parameters() const;
  /// "closed form, spherical wrist", …, or "iteration".
  std::string_view method() const;
  /// The degrees of freedom that move the frame.
  std::span<const int> dofs() const;

  /// The solution nearest to `near`, or the configuration with the least error. Revolute joints are within half a turn
  /// of `near` if their limits allow it.
  InverseKinematicsReport solve_nearest(const Pose<double>& X_WF, std::span<const double> near, std::span<double> q);

  struct Solutions {
    std::vector<std::vector<double>> q;  ///< the nearest to `near` first; the best configuration if none is a solution
    InverseKinematicsReport report;
  };
  /// All solutions of a closed form; all that were found by iteration. If there are infinitely many, some of them.
  Solutions solve_all(const Pose<double>& X_WF, std::span<const double> near = {});

  /// The frame's pose at q.
  Pose<double> pose(std::span<const double> q) const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace articula::control
