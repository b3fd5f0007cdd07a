#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <articula/model/field.h>
#include <articula/simulate/row_sink.h>
#include <articula/store/store.h>
#include <articula/study/setup.h>

namespace articula::study {

struct TaskPlan;

/// What a task computes with, and where its results go.
struct TaskContext {
  const Setup& setup;
  RowSink& sink;
  /// What the task wrote down at its last checkpoint; empty: it begins.
  std::span<const std::byte> checkpoint = {};
  /// What planning it with the same setup gave. May be null.
  const TaskPlan* plan = nullptr;
  /// How far it is, from 0 to 1. May be empty.
  std::function<void(double)> progress = {};
  /// Set from outside when it is to end soon. May be null.
  const std::atomic<bool>* cancel = nullptr;
  /// Things to tell the user. May be empty.
  std::function<void(const Finding&)> tell = {};

  bool cancelled() const { return cancel != nullptr && cancel->load(); }
};

/// What a task will give, known before anything is computed.
struct TaskPlan {
  std::vector<Signal> columns;      ///< of its rows
  std::vector<std::string> counts;  ///< the names of its figures
  Findings warnings = {};
  bool has_real_time_factor = false;            ///< whether a run adds that to the figures
  std::shared_ptr<const TaskPlan> points = {};  ///< of a sweep: what its points give together
};

/// The names of figures.
inline std::vector<std::string> names_of(const std::vector<Count>& counts) {
  std::vector<std::string> names;
  for (const Count& count : counts) names.push_back(count.name);
  return names;
}

/// What became of a task.
struct TaskOutcome {
  RunStatus status = RunStatus::done;  ///< done, failed or interrupted
  std::string message;                 ///< for people, where there is something to say
  std::vector<Count> counts;           ///< figures about it that are the same in every run
  std::string text;                    ///< a table for people, printed when the task is done
  double simulated = 0;                ///< seconds of motion, of tasks that simulate, computed in this call
};

/// What acts on the model besides its own forces: properties of all tasks that compute its motion.
template <class Self, class Visitor>
void driven_fields(Self& self, Visitor& field) {
  field("passive", self.passive, dimension::none, "whether springs, dampers, friction and rotors of the model act");
  field("blocks", self.blocks, dimension::none, "active blocks", "all");
  field("prescribe", self.prescribe, dimension::none, "trajectories that prescribe the motion of their joints",
        "those of prescribed joints");
  field("ignore", self.ignore, dimension::none, "model features that are not computed and may be ignored: `contacts`",
        "nothing");
  field("friction_speed", self.friction_speed, dimension::none,
        "speed range over which joint friction is smoothed, in SI; 0: joints stick and slide");
}

}  // namespace articula::study
