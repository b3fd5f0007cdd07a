#pragma once

#include <string>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula::model {

/// A joint to lock, and its value: `0.5`, `30 deg`, or, for a joint with several coordinates, all of them, separated by
/// commas.
struct JointLock {
  std::string joint;  ///< by its path, "arm/elbow"
  std::string value;
  Where where;  ///< for messages; not compared

  friend bool operator==(const JointLock& a, const JointLock& b) { return a.joint == b.joint && a.value == b.value; }
};

/// Reads a lock from `elbow=30 deg`. Throws if the text is none.
ARTICULA_EXPORT JointLock to_lock(std::string_view text);

/// The model with these joints locked at their values.
///
/// Rule: a joint J with the pose X_FM(q) at its value  →  a fixed joint J and a displacement X_FM(q) behind it. Joints
/// that are coupled with it by gears are locked at the resulting values; gears, drives, rotors, and springs and dampers
/// of its shaft are removed, since they have no effect. A note in `findings` describes this. Throws an Error if a joint
/// does not exist, a value does not fit, two values contradict each other, or an element couples a locked joint with a
/// free one.
ARTICULA_EXPORT Model lock_joints(const Model& model, const std::vector<JointLock>& locks, Findings& findings);

}  // namespace articula::model
