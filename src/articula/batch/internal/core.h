#pragma once

#include <vector>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <articula/batch/batch.h>
#include <articula/batch/internal/lane_worker.h>
#include <articula/build/refresh.h>

namespace articula::batch {

/// What a kind of batch computes.
template <class S>
struct Batch<S>::Plan {
  std::string_view name;  ///< of the batch, for messages
  Algorithm algorithm;
  bool takes_vdot = false, takes_tau = false;
  std::span<const PortRef> frames;
  RolloutOptions rollout;
};

/// What is behind every batch.
template <class S>
struct Batch<S>::Core {
  Core(const Model& model, int states, const BatchOptions& options, const Plan& plan);

  const Mechanism& mech() const { return refresher.built().mechanism; }
  void check(const BatchState<S>& state) const;
  void set(const BatchState<S>& state);
  void run(int group, LaneWorker<S>& worker) noexcept;
  const LaneArray<S>* telling_result() const;

  BatchOptions options;
  Plan plan;
  Refresher refresher;
  Parameters<double> par;
  Parameters<S> shared;  ///< the same in the batch's precision
  std::vector<int> frames;
  std::unique_ptr<LaneParameters<S>> own;               ///< null: shared
  std::vector<std::unique_ptr<LaneWorker<S>>> workers;  ///< by thread
  std::vector<int> first_bad;                           ///< by thread: the first state whose results are not finite
  tbb::global_control most_threads;                     ///< more than there are cores, if that is what was asked for
  tbb::task_arena arena;

  LaneArray<S> q, v, x;
  std::vector<LaneArray<S>> results;
  BatchReport report;
  Findings findings;

 private:
  void make_arrays(int states);
  void make_workers();
};

}  // namespace articula::batch
