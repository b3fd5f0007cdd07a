#pragma once

#include <memory>

#include <articula/base/export.h>
#include <articula/solve/options.h>

namespace articula {

/// What all solvers share. A solver is made from a model: the builder checks, rewrites and lowers, and throws an Error
/// that says what is wrong. Then
///
///     update(state)       new state; checked, and refused before anything changes
///     compute()           noexcept, allocates nothing; the views it returns hold until the next call
///     report()            what became of it
///     refresh(model)      new numbers, same structure; allocates nothing
///     reconfigure(model)  new structure
///
/// Not to be used by two threads at once; two solvers may.
class ARTICULA_EXPORT Solver {
 public:
  const Mechanism& mechanism() const;
  const Parameters<double>& parameters() const;
  const Built& built() const;  ///< with what was found and rewritten

  /// The exposed variables, in order: what q, v, vdot and tau mean, entry by entry.
  std::span<const std::string> q_names() const;
  std::span<const std::string> v_names() const;
  int nq() const { return static_cast<int>(q_names().size()); }
  int nv() const { return static_cast<int>(v_names().size()); }

  /// The place of a frame, by body and port: for loads. Throws, naming the choices.
  int frame(const PortRef& name) const { return mechanism().frame(name); }

  const Report& report() const;

  /// How it computes: as asked for, or flat where nothing can be generated on this machine; `findings` says why.
  RunAs run_as() const;
  /// Warnings: how it computes, and what the model describes that is missing from the results, such as contact.
  const Findings& findings() const;

  void update(const State& state);
  void refresh(const Model& model);
  /// Bodies that stay keep pose and velocity: joints that stay keep their variables, those that are new take up what
  /// they hold, and where that moves otherwise, velocities jump as in an inelastic impact. Accelerations, forces and loads
  /// go with the joints and frames of the same name. Throws, and nothing changes, where a body is not where the new
  /// structure can hold it, or a load has lost its frame. See `disconnected` and `connected` in build/restructure.h.
  void reconfigure(const Model& model);

  struct Core;  ///< internal

 protected:
  /// @param who the solver's name, for messages
  Solver(std::string_view who, Algorithm algorithm, const Model& model, const SolverOptions& options);
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// What a solver computes in.
  struct Scratch {
    virtual ~Scratch() = default;
  };
  /// Makes it; called again when the structure changes.
  virtual void resize() = 0;

  std::unique_ptr<Core> core_;
  std::unique_ptr<Scratch> scratch_;

 public:
  virtual ~Solver();
};

}  // namespace articula
