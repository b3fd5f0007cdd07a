#pragma once

#include <string>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula {

/// A joint that is to be fixed, and where: `0.5`, `30 deg`, or, for a joint with several coordinates, all of them with
/// commas between.
struct JointLock {
  std::string joint;  ///< by its path, "arm/elbow"
  std::string value;
  Where where;  ///< for messages; not compared

  friend bool operator==(const JointLock& a, const JointLock& b) { return a.joint == b.joint && a.value == b.value; }
};

/// The lock that `elbow=30 deg` says. Throws if it says none.
ARTICULA_EXPORT JointLock to_lock(std::string_view text);

/// The model with these joints fixed at their values.
///
/// Rule: a joint J with the pose X_FM(q) at its value  →  a fixed joint J and a displacement X_FM(q) behind it. What is
/// connected with its shaft follows: joints that gears couple with it are locked at the values that the gears give
/// them; gears, drives, rotors, and springs and dampers of the shaft are left out, since they no longer do anything.
/// A note in `findings` says what was done. Throws an Error when a joint is not there, a value does not fit, two values
/// contradict each other, or an element couples a locked joint with one that stays free.
ARTICULA_EXPORT Model lock_joints(const Model& model, const std::vector<JointLock>& locks, Findings& findings);

}  // namespace articula
