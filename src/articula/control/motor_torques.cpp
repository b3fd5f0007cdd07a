#include <articula/control/motor_torques.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/integrate/problem_stepper.h>

namespace articula::control {
namespace {

constexpr double angle_tolerance = 1e-10;

}  // namespace

/// The angles θ of rotors behind damped springs as an initial-value problem.
struct MotorTorques::Work final : Problem {
  Work(const Model& model, const BuildOptions& options, const Trajectory& along)
      : solver(model, options), motion(along) {}

  int size() const override { return static_cast<int>(solver.drives().size()); }
  bool rate(double t, std::span<const double> y, std::span<double> ydot) override {
    sample(t);
    for (const double angle : y) {
      if (!std::isfinite(angle)) return false;
    }
    solver.update(views, y);
    const VectorView velocity = solver.compute().motor_velocity;
    std::copy(velocity.begin(), velocity.end(), ydot.begin());
    return true;
  }

  void sample(double t) {
    const int order = solver.order();
    motion.evaluate(t, order, x);
    const std::size_t n = places.size();
    for (std::size_t k = 0; k <= static_cast<std::size_t>(order); ++k) {
      for (std::size_t i = 0; i < n; ++i) q[k][places[i]] = x[k * n + i];
    }
  }

  ElasticInverseDynamics solver;
  const Trajectory& motion;
  std::vector<std::size_t> places;  ///< of the moved joints, in q
  std::vector<double> x;
  std::vector<std::vector<double>> q;  ///< of all joints, and its derivatives
  std::vector<VectorView> views;
  std::unique_ptr<ProblemStepper> stepper;
};

MotorTorques::MotorTorques(const Model& model, const BuildOptions& options, std::string_view trajectory,
                           std::span<const std::string> joints, const Trajectory& motion,
                           std::span<const std::string> q_names, std::span<const double> q_rest)
    : work_(std::make_unique<Work>(model, options, motion)) {
  Work& w = *work_;
  const int order = w.solver.order();
  const auto place_of = [](std::span<const std::string> names, const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const auto names = w.solver.q_names();
  for (const std::string& joint : joints) {
    w.places.push_back(place_of(names, joint));
    if (w.places.back() < names.size()) continue;
    throw Error("trajectory-joint", {},
                concat("trajectory ", quoted(trajectory), " moves ", quoted(joint),
                       ", which is no coordinate for torques of motors. Joints with a quaternion must be at rest. "
                       "Coordinates: ",
                       list_of(names), "."));
  }
  const std::vector<std::string> drives(w.solver.drives().begin(), w.solver.drives().end());
  if (motion.highest_order() < order || (order > 2 && motion.smoothness() < order - 1)) {
    throw Error("trajectory-not-smooth", {},
                concat("trajectory ", quoted(trajectory), " has continuous derivatives up to order ",
                       std::min(motion.smoothness(), motion.highest_order()), ", but ", order - 1,
                       " are needed: the torques of ", list_of(drives), " depend on time derivatives up to order ",
                       order, ". Use a smoother one, e.g. filtered_step with order ", order, " or more, or harmonic."));
  }
  w.x.resize((static_cast<std::size_t>(order) + 1) * joints.size());
  w.q.assign(static_cast<std::size_t>(order) + 1, std::vector<double>(names.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t place = place_of(q_names, names[i]);
    if (place < q_rest.size()) w.q[0][i] = q_rest[place];
  }
  w.views.assign(w.q.begin(), w.q.end());
}

MotorTorques::~MotorTorques() = default;
MotorTorques::MotorTorques(MotorTorques&&) noexcept = default;
MotorTorques& MotorTorques::operator=(MotorTorques&&) noexcept = default;

const ElasticInverseDynamics& MotorTorques::solver() const { return work_->solver; }

const ElasticInverseDynamics::Torques& MotorTorques::at(double t) {
  Work& w = *work_;
  if (!w.solver.has_damped_springs()) {
    w.sample(t);
    w.solver.update(w.views);
    return w.solver.compute();
  }
  if (!w.stepper || t < w.stepper->t()) {
    const double begin = std::min(t, w.motion.begin());
    w.sample(begin);
    w.solver.update(w.views);
    const VectorView start = w.solver.compute().motor_position;
    const std::vector<double> y(start.begin(), start.end());
    w.stepper = std::make_unique<ProblemStepper>(
        w, IntegratorOptions{.method = Method::automatic, .relative = angle_tolerance, .absolute = angle_tolerance});
    w.stepper->start(begin, y);
  }
  if (t > w.stepper->t() && w.stepper->advance(t, t) != ProblemStepper::Reached::time) {
    throw Error("motor-angles", {},
                concat("at t = ", number_text(w.stepper->t()),
                       " s the angles of motors behind damped springs cannot be integrated any further."));
  }
  const std::vector<double> y(w.stepper->y().begin(), w.stepper->y().end());
  w.sample(t);
  w.solver.update(w.views, y);
  return w.solver.compute();
}

}  // namespace articula::control
