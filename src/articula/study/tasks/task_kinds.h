#pragma once

#include <string>
#include <variant>
#include <vector>

#include <articula/study/tasks/compare_integrators.h>
#include <articula/study/tasks/elastic_inverse_dynamics.h>
#include <articula/study/tasks/equilibrium.h>
#include <articula/study/tasks/forward_kinematics.h>
#include <articula/study/tasks/inverse_dynamics.h>
#include <articula/study/tasks/inverse_kinematics.h>
#include <articula/study/tasks/linearize.h>
#include <articula/study/tasks/simulate.h>
#include <articula/study/tasks/sweep.h>

namespace articula::study {

/// All kinds of tasks of a study. A new kind is a file and a line here.
using TaskKind = std::variant<   //
    SimulateTask,                //
    InverseDynamicsTask,         //
    ElasticInverseDynamicsTask,  //
    ForwardKinematicsTask,       //
    InverseKinematicsTask,       //
    LinearizeTask,               //
    EquilibriumTask,             //
    SweepTask,                   //
    CompareIntegratorsTask>;

/// A task with its name in a study, and what it changes for itself alone.
struct NamedTask {
  std::string name;
  TaskKind kind;
  std::vector<Override> overrides;
  StartText start;  ///< in place of the study's, where it is not empty
  Where where;
};

inline std::string_view kind_name(const TaskKind& task) {
  return std::visit([](const auto& each) { return std::string_view(each.name); }, task);
}

/// The setup that a task computes with: that of the study, with the task's own changes.
ARTICULA_EXPORT Setup setup_of(const NamedTask& task, Setup setup);

/// What a task will give, without computing it: everything that `run_task` would refuse is refused here. Throws an Error
/// with all that is wrong.
ARTICULA_EXPORT TaskPlan plan_task(const NamedTask& task, const Setup& setup);

/// Computes a task, from its checkpoint if there is one. Throws an Error for what is wrong in the study; numerical
/// trouble is in the outcome.
ARTICULA_EXPORT TaskOutcome run_task(const NamedTask& task, const TaskContext& context);

}  // namespace articula::study
