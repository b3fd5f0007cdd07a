#include <articula/study/tasks/inverse_kinematics.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/control/inverse_kinematics.h>
#include <articula/spatial/orientation.h>
#include <articula/study/internal/attempts.h>
#include <articula/study/internal/joint_signals.h>
#include <articula/study/internal/variables.h>

namespace articula::study {
namespace {

/// The part s of the way from one orientation to another, about one axis:
///
///     e(s) = (sin((1−s)·α)·e₀ + sin(s·α)·e₁)/sin α,   cos α = e₀·e₁ ≥ 0
Quaternion<double> between(const Quaternion<double>& a, Quaternion<double> b, double s) {
  double cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  if (cosine < 0) {
    b = {-b.x, -b.y, -b.z, -b.w};
    cosine = -cosine;
  }
  const double alpha = std::acos(std::min(cosine, 1.0)), sine = std::sin(alpha);
  const double f = sine > 1e-9 ? std::sin((1 - s) * alpha) / sine : 1 - s;
  const double g = sine > 1e-9 ? std::sin(s * alpha) / sine : s;
  Quaternion<double> e{f * a.x + g * b.x, f * a.y + g * b.y, f * a.z + g * b.z, f * a.w + g * b.w};
  const double size = std::sqrt(squared_norm(e));
  return {e.x / size, e.y / size, e.z / size, e.w / size};
}

std::vector<Pose<double>> targets_of(const InverseKinematicsTask& task) {
  if (task.from.has_value() != task.to.has_value() || task.from.has_value() == !task.targets.empty()) {
    throw Error("value-missing", {},
                "it does not say where to. Give targets: [{xyz: [...]}, ...], or from and to, the ends of a line.");
  }
  if (!task.from) return task.targets;
  if (task.count < 2) throw Error("value-range", {}, concat("count is ", task.count, ". A line has 2 poses at least."));
  std::vector<Pose<double>> poses;
  const Quaternion<double> first = quaternion_of(task.from->R), last = quaternion_of(task.to->R);
  for (int k = 0; k < task.count; ++k) {
    const double s = static_cast<double>(k) / (task.count - 1);
    Pose<double> pose = k == 0 ? *task.from : *task.to;
    if (k > 0 && k < task.count - 1) {
      pose.R = rotation_of(between(first, last, s));
      pose.p = task.from->p + s * (task.to->p - task.from->p);
    }
    poses.push_back(pose);
  }
  return poses;
}

/// Where a search begins: the start of the study, in the mechanism's own order.
std::vector<double> begin_of(const Setup& setup, const Mechanism& mech, const Parameters<double>& par) {
  std::vector<double> q = par.q_start;
  const Variables variables = variables_of(setup);
  const StartState start = start_state_of(setup, variables, make_trajectories(setup), 0);
  for (std::size_t k = 0; start.q && k < variables.q.size(); ++k) {
    const auto place = std::find(mech.layout.q.begin(), mech.layout.q.end(), variables.q[k].name);
    q[static_cast<std::size_t>(place - mech.layout.q.begin())] = (*start.q)[k];
  }
  return q;
}

/// All that rows are computed with.
struct Ready {
  std::vector<Pose<double>> poses;
  SharedMechanism mechanism;
  InverseKinematics solver;
  std::vector<double> near = {};  ///< where the search begins
  std::vector<Signal> columns = {};
};

Ready make_ready(const InverseKinematicsTask& task, const Setup& setup) {
  InverseKinematicsOptions options;
  options.limits = task.limits;
  if (task.reaches == Reaches::position) options.weight = position_only;
  if (task.reaches == Reaches::orientation) options.weight = orientation_only;
  Attempts attempts;
  auto poses = attempts([&] { return targets_of(task); });
  const auto mechanism = attempts([&] { return setup.model.mechanism(); });
  auto solver = attempts([&] {
    const Mechanism& mech = mechanism.value().mechanism();
    return InverseKinematics(mech, mechanism->parameters(), mech.frame(task.frame), options);
  });
  attempts.finish();
  Ready ready{std::move(*poses), *mechanism, std::move(*solver)};
  const Mechanism& mech = mechanism->mechanism();
  ready.near = begin_of(setup, mech, mechanism->parameters());
  ready.columns = {{"target", "1"}, {"solution", "1"}, {"found", "1"}};
  add_q_signals({q_coordinates(mech, mech.layout.q), {}, {}}, ready.columns);
  ready.columns.push_back({"position_error", "m"});
  ready.columns.push_back({"angle_error", "rad"});
  return ready;
}

std::vector<Count> figures(double targets, double unreached, double solutions) {
  return {{"targets", targets}, {"unreached", unreached}, {"solutions", solutions}};
}

}  // namespace

TaskPlan InverseKinematicsTask::plan(const Setup& setup) const {
  return {.columns = make_ready(*this, setup).columns, .counts = names_of(figures(0, 0, 0))};
}

TaskOutcome InverseKinematicsTask::run(const TaskContext& context) const {
  Ready ready = make_ready(*this, context.setup);
  const std::vector<Pose<double>>& poses = ready.poses;
  InverseKinematics& solver = ready.solver;
  std::vector<double>& near = ready.near;
  context.sink.columns(ready.columns);

  TaskOutcome outcome;
  double unreached = 0, found = 0;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    if (context.cancelled()) {
      outcome.status = RunStatus::interrupted;
      return outcome;
    }
    InverseKinematics::Solutions result;
    if (solutions == WhichSolutions::all) {
      result = solver.solve_all(poses[k], near);
    } else {
      result.q.resize(1, near);
      result.report = solver.solve_nearest(poses[k], near, result.q.front());
      if (result.report.ok()) near = result.q.front();
    }
    const bool ok = result.report.ok();
    if (!ok && unreached++ == 0) outcome.message = concat("target ", k + 1, ": ", to_text(result.report));
    for (std::size_t i = 0; i < result.q.size(); ++i) {
      std::vector<double> row{static_cast<double>(k + 1), static_cast<double>(i + 1), ok ? 1.0 : 0.0};
      add_all(result.q[i], row);
      row.insert(row.end(), {result.report.position_error, result.report.angle_error});
      context.sink.row(row);
      found += ok ? 1 : 0;
    }
    if (context.progress) context.progress(static_cast<double>(k + 1) / static_cast<double>(poses.size()));
  }
  outcome.counts = figures(static_cast<double>(poses.size()), unreached, found);
  if (unreached > 0)
    outcome.message = concat(unreached, " of ", poses.size(), " targets were not reached; ", outcome.message);
  return outcome;
}

}  // namespace articula::study
