#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/mechanism/parameters.h>
#include <articula/model/model.h>

namespace articula {

/// How inverse kinematics is done.
struct InverseKinematicsOptions {
  /// What of the pose is led, in the axes of the target: turning about x, y, z, then shifting along them. Zero lets a
  /// part go; other weights matter only where a target cannot be reached.
  std::array<double, 6> weight{1, 1, 1, 1, 1, 1};
  double tolerance = 1e-10;  ///< a solution is so near to the target, in metres and radians
  bool limits = true;        ///< joints stay within their limits
  bool closed_form = true;   ///< where there is one
  int starts = 64;           ///< of the iteration: from where one is, and spread over all configurations
  int iterations = 200;      ///< at most, from each start
};

inline constexpr std::array<double, 6> position_only{0, 0, 0, 1, 1, 1}, orientation_only{1, 1, 1, 0, 0, 0};

/// What became of a target.
struct InverseKinematicsReport {
  enum class Status {
    found,
    outside_limits,  ///< it can be reached, but not within the limits of the joints
    unreachable,     ///< no configuration was found
  };
  Status status = Status::unreachable;
  double position_error = 0, angle_error = 0;  ///< of the configuration given: the best, if none is a solution
  int solutions = 0;                           ///< how many were found
  int iterations = 0;                          ///< in all

  bool ok() const { return status == Status::found; }
};

/// For people: what happened, and what to do.
ARTICULA_EXPORT std::string to_text(const InverseKinematicsReport& report);

/// The configurations in which a frame has a given pose.
///
///     InverseKinematics hand(robot, {"link6", "tool"});
///     InverseKinematicsReport report = hand.solve_nearest(X_WF, q_now, q);
///
/// Six revolute axes of which the last three meet (most industrial robots), or 2, 3, 4 are parallel and 5, 6 meet, have
/// a closed form, as have three axes that carry a point and two or three parallel ones; this is found out from the
/// mechanism. Everything else is iterated from several starts, always the same ones. Joints that do not move the frame
/// stay as they are.
///
/// A turning joint without limits counts whole turns as the same configuration.
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

  /// The solution nearest to `near`, or the configuration with the least error. Turning joints come within half a turn
  /// of `near` where their limits allow it.
  InverseKinematicsReport solve_nearest(const Pose<double>& X_WF, std::span<const double> near, std::span<double> q);

  struct Solutions {
    std::vector<std::vector<double>> q;  ///< the nearest to `near` first; the best configuration if none is a solution
    InverseKinematicsReport report;
  };
  /// All solutions of a closed form; all that were found by iteration. Where there are infinitely many, some of them.
  Solutions solve_all(const Pose<double>& X_WF, std::span<const double> near = {});

  /// The frame's pose at q.
  Pose<double> pose(std::span<const double> q) const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace articula
