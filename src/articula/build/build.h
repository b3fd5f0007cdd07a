#pragma once

#include <articula/base/export.h>
#include <articula/build/check.h>
#include <articula/build/explanation.h>
#include <articula/mechanism/parameters.h>

namespace articula {

using BuildOptions = CheckOptions;

/// A loop, by the names of its joints, and where it was cut.
struct LoopInfo {
  std::string cut;
  std::vector<std::string> joints;
};

/// A mechanism, its numbers, and what was done to get there.
struct Built {
  Mechanism mechanism;
  Parameters<double> parameters;
  std::vector<Explanation> explanations;
  std::vector<LoopInfo> loops;
  Findings findings;  ///< warnings and notes
};

/// Everything that is found about a model: errors, warnings, notes. Throws nothing for bad input.
ARTICULA_EXPORT Findings check(const Model& model, const CheckOptions& options = {});

/// Checks, rewrites and lowers. Throws an Error with all errors that `check` finds.
ARTICULA_EXPORT Built build(const Model& model, const BuildOptions& options = {});

/// Throws, naming the joint, when a joint carries no inertia to accelerate at `q`: forward dynamics needs it.
ARTICULA_EXPORT void require_regular_joints(const Built& built, std::span<const double> q);

}  // namespace articula
