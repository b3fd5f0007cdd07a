#pragma once

#include <memory>

#include <articula/base/export.h>
#include <articula/solve/options.h>

namespace articula::solve {

/// Base class of all solvers. A solver is constructed from a model, which is checked, rewritten and lowered; an Error
/// states what is wrong. Then
///
///     update(state)       new state; if it is invalid, throws and changes nothing
///     compute()           noexcept, allocates nothing; the views it returns are valid until the next call
///     report()            its outcome
///     refresh(model)      new parameters, same structure; allocates nothing
///     reconfigure(model)  new structure
///
/// A solver must not be used by two threads at the same time; different solvers may.
class ARTICULA_EXPORT Solver {
 public:
  const Mechanism& mechanism() const;
  const Parameters<double>& parameters() const;
  const Built& built() const;  ///< with findings and explanations of rewrites

  /// The exposed variables, in order: what q, v, vdot and tau mean, entry by entry.
  std::span<const std::string> q_names() const;
  std::span<const std::string> v_names() const;
  int nq() const { return static_cast<int>(q_names().size()); }
  int nv() const { return static_cast<int>(v_names().size()); }

  /// The index of a frame, by body and port: for loads. Throws an Error that lists the choices.
  int frame(const PortRef& name) const { return mechanism().frame(name); }

  const Report& report() const;

  /// How it computes: as requested, or flat if code cannot be generated on this machine; `findings` says why.
  RunAs run_as() const;
  /// Warnings: how it computes, and model features that are missing from the results, such as contact.
  const Findings& findings() const;

  void update(const State& state);
  void refresh(const Model& model);
  /// Remaining bodies keep their pose and velocity, and remaining joints their variables. If the new joints do not
  /// allow the velocities, these jump as in an inelastic impact. Accelerations, forces and loads are kept for joints
  /// and frames of the same name. Throws, and changes nothing, if the new structure does not allow the poses, or the
  /// frame of a load no longer exists. See `disconnected` and `connected` in build/restructure.h.
  void reconfigure(const Model& model);

  struct Core;  ///< internal

 protected:
  /// @param who the solver's name, for messages
  Solver(std::string_view who, Algorithm algorithm, const Model& model, const SolverOptions& options);
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Workspace of a solver.
  struct Scratch {
    virtual ~Scratch() = default;
  };
  /// Allocates it; called again when the structure changes.
  virtual void resize() = 0;

  std::unique_ptr<Core> core_;
  std::unique_ptr<Scratch> scratch_;

 public:
  virtual ~Solver();
};

}  // namespace articula::solve
