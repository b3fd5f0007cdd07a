#pragma once

#include <articula/base/export.h>
#include <articula/build/check.h>
#include <articula/build/explanation.h>
#include <articula/mechanism/parameters.h>

namespace articula::build {

using BuildOptions = CheckOptions;

/// A loop: the names of its joints, and the joint at which it was cut.
struct LoopInfo {
  std::string cut;
  std::vector<std::string> joints;
};

/// A mechanism, its parameters, and explanations of how it was built.
struct Built {
  Mechanism mechanism;
  Parameters<double> parameters;
  std::vector<Explanation> explanations;
  std::vector<LoopInfo> loops;
  Findings findings;  ///< warnings and notes
};

/// All findings about a model: errors, warnings, notes. Throws nothing for bad input.
ARTICULA_EXPORT Findings check(const Model& model, const CheckOptions& options = {});

/// Checks, rewrites and lowers. Throws an Error with all errors that `check` finds.
ARTICULA_EXPORT Built build_mechanism(const Model& model, const BuildOptions& options = {});

/// Throws an Error that names the joint if a joint moves nothing that has inertia at `q`, as forward dynamics requires.
ARTICULA_EXPORT void require_regular_joints(const Built& built, std::span<const double> q);

}  // namespace articula::build
