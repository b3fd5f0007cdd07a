#pragma once

#include <articula/formats/options.h>
#include <articula/model/lock_joints.h>

namespace articula::formats {

/// Applies the options that are common to all formats.
inline Model as_wanted(Model model, const ReadOptions& options, Findings& findings) {
  if (options.snap) model.snap = *options.snap;
  return options.lock.empty() ? model : lock_joints(model, options.lock, findings);
}

}  // namespace articula::formats
