/// The quantities of `articula eval`, each computed by one solver of the library.

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include <articula/base/text.h>
#include <articula/model/port_text.h>
#include <articula/solve/center_of_mass.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/equations_of_motion.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/jacobian.h>
#include <articula/solve/limit_report.h>
#include <articula/solve/mass_matrix.h>
#include <articula/solve/regressor.h>
#include <articula/spatial/orientation.h>

#include "eval_quantities.h"

namespace articula::program {
namespace {

/// A quantity of one solver: `write_result` computes and writes the result.
template <class SolverType, auto write_result>
class Of final : public Quantity {
 public:
  template <class... Arguments>
  explicit Of(Arguments&&... arguments) : solver_(std::forward<Arguments>(arguments)...) {}

  void update(std::size_t, const State& state) override { solver_.update(state); }
  void write(JsonText& out) override {
    write_result(solver_, out);
    if (!solver_.report().ok()) throw Error("joint-inertia-singular", {}, to_text(solver_.report()));
  }
  void write_names(JsonText& out) const override {
    if constexpr (requires { solver_.bodies(); }) {
      out.key("bodies");
      out.names(solver_.bodies());
      if (!solver_.rotors().empty()) out.key("rotors"), out.names(solver_.rotors());
    }
  }
  const Findings& findings() const override { return solver_.findings(); }

 private:
  SolverType solver_;
};

/// Torques, and which of them the model does not allow.
class TorquesQuantity final : public Quantity {
 public:
  TorquesQuantity(const Model& model, const SolverOptions& options)
      : solver_(model, options), limits_(solver_, "state {}", "states") {}

  void update(std::size_t k, const State& state) override {
    solver_.update(state);
    v_.assign(state.v.begin(), state.v.end());
    number_ = k;
  }
  void write(JsonText& out) override {
    const VectorView tau = solver_.compute();
    limits_.look(static_cast<double>(number_), v_, tau);
    out.list(tau);
  }
  const Findings& findings() const override { return solver_.findings(); }
  Findings limits_passed() const override { return limits_.findings(); }

 private:
  InverseDynamics solver_;
  LimitReport limits_;
  std::vector<double> v_;
  std::size_t number_ = 0;
};

void write_accelerations(ForwardDynamics& solver, JsonText& out) { out.list(solver.compute()); }
void write_mass_matrix(MassMatrix& solver, JsonText& out) { out.matrix(solver.compute()); }
void write_inverse_mass_matrix(MassMatrix& solver, JsonText& out) { out.matrix(solver.compute_inverse()); }
void write_coriolis_matrix(EquationsOfMotion& solver, JsonText& out) { out.matrix(solver.compute().C); }
void write_gravity(EquationsOfMotion& solver, JsonText& out) { out.list(solver.compute().G); }
void write_jacobian(Jacobian& solver, JsonText& out) { out.matrix(solver.compute()); }
void write_regressor(Regressor& solver, JsonText& out) { out.matrix(solver.compute()); }

void write_entry(JsonText& out, std::string_view key, const Vec3<double>& x) { out.key(key), out.list(x); }
void write_entry(JsonText& out, std::string_view key, const MatrixView& M) { out.key(key), out.matrix(M); }
void write_entry(JsonText& out, std::string_view key, double x) { out.key(key), out.number(x); }
void write_frames(ForwardKinematics& solver, JsonText& out) {
  const std::span<const MovingFrame> motions = solver.compute();
  out.open('{');
  for (std::size_t k = 0; k < motions.size(); ++k) {
    out.key(to_text(solver.frames()[k]));
    out.open('{');
    out.key("pose");
    write_pose(out, motions[k].X_WF);
    write_motion(out, "velocity", motions[k].V);
    write_motion(out, "acceleration", motions[k].A);
    out.close('}');
  }
  out.close('}');
}

void write_energy(CenterOfMass& solver, JsonText& out) {
  const WholeMechanism& whole = solver.compute();
  out.open('{');
  write_entry(out, "kinetic", whole.kinetic_energy);
  write_entry(out, "potential", whole.potential_energy);
  out.close('}');
}

void write_momentum(CenterOfMass& solver, JsonText& out) {
  const WholeMechanism& whole = solver.compute();
  out.open('{');
  write_entry(out, "linear", whole.linear_momentum);
  write_entry(out, "angular", whole.angular_momentum);
  out.close('}');
}

void write_center_of_mass(CenterOfMass& solver, JsonText& out) {
  const WholeMechanism& whole = solver.compute();
  out.open('{');
  write_entry(out, "mass", whole.mass);
  write_entry(out, "position", whole.center);
  write_entry(out, "velocity", whole.velocity);
  write_entry(out, "acceleration", whole.acceleration);
  out.key("inertia");
  out.matrix(whole.inertia.dense());
  out.close('}');
}

/// Both kinds of derivatives with the interface of one solver.
class BothDerivatives {
 public:
  BothDerivatives(const Model& model, const SolverOptions& options)
      : torques(model, Derivatives::Of::inverse_dynamics, options),
        accelerations(model, Derivatives::Of::forward_dynamics, options) {}

  void update(const State& state) { torques.update(state), accelerations.update(state); }
  const Report& report() const { return accelerations.report(); }
  const Findings& findings() const { return accelerations.findings(); }

  Derivatives torques, accelerations;
};

void write_derivatives(BothDerivatives& solvers, JsonText& out) {
  const auto write = [&](std::string_view of, std::string_view with_respect_to, const StateDerivatives& derivatives) {
    out.key(of);
    out.open('{');
    write_entry(out, "dq", derivatives.dq);
    write_entry(out, "dv", derivatives.dv);
    write_entry(out, with_respect_to, derivatives.du);
    out.close('}');
  };
  out.open('{');
  write("inverse_dynamics", "da", solvers.torques.compute());
  write("forward_dynamics", "dtau", solvers.accelerations.compute());
  out.close('}');
}

using Make = std::unique_ptr<Quantity> (*)(const Model&, const SolverOptions&);

template <class SolverType, auto write_result>
std::unique_ptr<Quantity> make(const Model& model, const SolverOptions& options) {
  return std::make_unique<Of<SolverType, write_result>>(model, options);
}

/// For quantities that are independent of springs, dampers, friction and drives.
template <class SolverType, auto write_result>
std::unique_ptr<Quantity> make_bare(const Model& model, SolverOptions options) {
  options.passive = false;
  return std::make_unique<Of<SolverType, write_result>>(model, options);
}

std::unique_ptr<Quantity> make_torques(const Model& model, const SolverOptions& options) {
  return std::make_unique<TorquesQuantity>(model, options);
}

/// Generated code includes the inverse.
std::unique_ptr<Quantity> make_inverse(const Model& model, const SolverOptions& options) {
  return std::make_unique<Of<MassMatrix, write_inverse_mass_matrix>>(model, options,
                                                                     MassMatrix::Code::matrix_and_inverse);
}

struct Entry {
  std::string_view name;
  Make make;
  std::optional<Algorithm> algorithm = {};  ///< of its solver; empty: not in the table of computations

  bool runs_generated() const { return algorithm && traits(*algorithm).code; }
};
template <class SolverType, auto write_result>
constexpr Make bare = [](const Model& model, const SolverOptions& options) {
  return make_bare<SolverType, write_result>(model, options);
};
constexpr std::array entries{
    Entry{"frames", bare<ForwardKinematics, write_frames>, Algorithm::frame_motions},
    Entry{"inverse_dynamics", make_torques, Algorithm::inverse_dynamics},
    Entry{"forward_dynamics", make<ForwardDynamics, write_accelerations>, Algorithm::forward_dynamics},
    Entry{"mass_matrix", make<MassMatrix, write_mass_matrix>, Algorithm::mass_matrix},
    Entry{"inverse_mass_matrix", make_inverse, Algorithm::inverse_mass_matrix},
    Entry{"coriolis_matrix", bare<EquationsOfMotion, write_coriolis_matrix>, Algorithm::equations_of_motion},
    Entry{"gravity", bare<EquationsOfMotion, write_gravity>, Algorithm::equations_of_motion},
    Entry{"derivatives", make<BothDerivatives, write_derivatives>, Algorithm::forward_dynamics_derivatives},
    Entry{"energy", make<CenterOfMass, write_energy>, Algorithm::center_of_mass},
    Entry{"center_of_mass", bare<CenterOfMass, write_center_of_mass>, Algorithm::center_of_mass},
    Entry{"momentum", bare<CenterOfMass, write_momentum>, Algorithm::center_of_mass},
    Entry{"regressor", make<Regressor, write_regressor>, Algorithm::regressor},
    Entry{"closed_form", make_closed_form},
    Entry{"operators", make_operators},
};

/// Quantities of a frame or of ports, which follow the colon.
constexpr std::string_view jacobian_of = "jacobian:", parameter_jacobian_of = "parameter_jacobian:",
                           restriction_of = "restriction:";

/// `hand.tip` or `hand.tip:world`. Names may contain dots and colons, so that the text is matched against names in the
/// model.
AskedFrame asked_frame(std::string_view frame, const Mechanism& mech) {
  struct Suffix {
    std::string_view text;
    JacobianFrame in;
  };
  constexpr std::array suffixes{Suffix{"", JacobianFrame::local_world_aligned}, Suffix{":local", JacobianFrame::local},
                                Suffix{":world", JacobianFrame::world},
                                Suffix{":local_world_aligned", JacobianFrame::local_world_aligned}};
  std::string_view wanted = frame;
  for (const auto& [text, in] : suffixes) {
    if (!frame.ends_with(text)) continue;
    wanted = frame.substr(0, frame.size() - text.size());
    if (const FlatFrame* found = find_port(mech.frames, wanted, &FlatFrame::name)) return {found->name, in};
  }
  static_cast<void>(mech.frame({std::string(wanted), ""}));  // throws and lists the choices
  return {};
}

std::unique_ptr<Quantity> make_jacobian(const AskedFrame& frame, const Model& model, SolverOptions options) {
  options.passive = false;
  return std::make_unique<Of<Jacobian, write_jacobian>>(model, frame.name, frame.in, options);
}

[[noreturn]] void refuse_to_generate(std::string_view asked) {
  std::vector<std::string> able;
  for (const Entry& entry : entries) {
    if (entry.runs_generated()) able.emplace_back(entry.name);
  }
  able.emplace_back("jacobian:FRAME");
  throw Error("run-as-not-available", {},
              concat(quoted(asked), " does not run as \"generated\". These do: ", list_of(able, able.size()),
                     ". Ask for it in a run of its own, as \"flat\"."));
}

}  // namespace

void write_motion(JsonText& out, std::string_view key, const Motion<double>& motion) {
  out.key(key);
  out.open('{');
  write_entry(out, "angular", motion.w);
  write_entry(out, "linear", motion.v);
  out.close('}');
}

void write_pose(JsonText& out, const Pose<double>& X) {
  const Quaternion<double> q = quaternion_of(X.R);
  out.open('{');
  write_entry(out, "xyz", X.p);
  out.key("rotation");
  out.matrix(X.R.m);
  out.key("quaternion");
  out.open('{');
  write_entry(out, "x", q.x), write_entry(out, "y", q.y), write_entry(out, "z", q.z), write_entry(out, "w", q.w);
  out.close('}');
  out.close('}');
}

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  names.insert(names.end(), elastic_quantities.begin(), elastic_quantities.end());
  for (const char* name : {"jacobian:FRAME", "parameter_jacobian:FRAME", "restriction:PORT+PORT"})
    names.emplace_back(name);
  return names;
}

bool is_quantity(std::string_view asked) {
  for (const std::string_view of : {jacobian_of, parameter_jacobian_of, restriction_of}) {
    if (asked.starts_with(of)) return asked.size() > of.size() && asked != "jacobian:FRAME";
  }
  return std::find(elastic_quantities.begin(), elastic_quantities.end(), asked) != elastic_quantities.end() ||
         std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == asked; });
}

std::unique_ptr<Quantity> make_quantity(std::string_view asked, const Model& model, const Mechanism& mech,
                                        const SolverOptions& options) {
  const auto rest = [&](std::string_view of) { return asked.substr(of.size()); };
  if (asked.starts_with(jacobian_of)) return make_jacobian(asked_frame(rest(jacobian_of), mech), model, options);
  if (asked.starts_with(parameter_jacobian_of)) {
    return make_parameter_jacobian(asked_frame(rest(parameter_jacobian_of), mech), model, options);
  }
  if (asked.starts_with(restriction_of)) return make_restriction(rest(restriction_of), model, options);
  for (const Entry& entry : entries) {
    if (entry.name != asked) continue;
    if (options.run_as == RunAs::generated && !entry.runs_generated()) refuse_to_generate(asked);
    return entry.make(model, options);
  }
  return nullptr;
}

VariableNames variable_names(const Model& model, const SolverOptions& options) {
  SolverOptions plain = options;
  plain.passive = false, plain.run_as = RunAs::flat;
  const ForwardKinematics solver(model, plain);
  return {{solver.q_names().begin(), solver.q_names().end()}, {solver.v_names().begin(), solver.v_names().end()}};
}

std::vector<std::string> exterior_joints(const Mechanism& mech, const GivenStates& given) {
  if (!given.order) return {};
  std::unordered_set<int> follows;
  for (const Cluster& cluster : mech.clusters) {
    follows.insert(cluster.dofs.begin(), cluster.dofs.end());
    for (const int dof : cluster.independent) follows.erase(dof);
  }
  std::vector<std::string> bases, others, followers;
  for (const Body& body : mech.bodies) {
    if (body.entity < 0) continue;
    const bool is_base = body.joint == JointKind::free && body.parent == 0;
    const bool is_follower = body.v.count > 0 && follows.contains(body.v.first);
    (is_base ? bases : is_follower ? followers : others).push_back(joint_name(mech, body));
  }
  const auto as_set = [](const std::vector<std::string>& names) {
    return std::unordered_set<std::string>(names.begin(), names.end());
  };
  const auto is_base = as_set(bases), is_other = as_set(others), is_follower = as_set(followers);
  Findings findings;
  const auto add = [&](std::string_view code, const std::string& message) {
    findings.push_back(
        {Severity::error, std::string(code), {given.file, given.order_line}, concat("order: ", message)});
  };
  std::unordered_set<std::string> listed;
  for (const std::string& joint : *given.order) {
    if (is_follower.contains(joint)) {
      add("exterior-follows", concat("joint ", quoted(joint),
                                     " follows others by a gear and has no value of its own. Leave it out, or "
                                     "read the robot with --mimic independent."));
    } else if (!is_base.contains(joint) && !is_other.contains(joint)) {
      add("no-such-joint", concat("joint ", quoted(joint), " not found among those that move in ", quoted(mech.name),
                                  ".", choices(joint, "joints", others)));
    } else if (!listed.insert(joint).second) {
      add("exterior-twice", concat("joint ", quoted(joint), " is listed twice. List each joint once."));
    }
  }
  std::vector<std::string> missing, joints;
  for (const std::string& joint : others) {
    if (!listed.contains(joint)) missing.push_back(joint);
  }
  if (!missing.empty()) {
    add("order-incomplete",
        concat(missing.size() == 1 ? "joint " : "joints ", list_of(missing, 100), missing.size() == 1 ? " is" : " are",
               " missing. List every joint that moves, or leave `order` out."));
  }
  throw_if_errors(findings);
  for (const std::string& joint : bases) {
    if (!listed.contains(joint)) joints.push_back(joint);
  }
  joints.insert(joints.end(), given.order->begin(), given.order->end());
  return joints;
}

}  // namespace articula::program
