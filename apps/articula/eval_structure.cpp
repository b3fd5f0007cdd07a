/// Quantities of `articula eval` about the structure of the results: the closed-form equations of a chain, the stacked
/// operators, a recursion restricted to some ports, and the Jacobian with respect to kinematic parameters.

#include <algorithm>
#include <unordered_map>

#include <articula/base/matrix_bound.h>
#include <articula/base/text.h>
#include <articula/dynamics/acting_forces.h>
#include <articula/dynamics/closed_form.h>
#include <articula/dynamics/cut_forces.h>
#include <articula/dynamics/force_elements.h>
#include <articula/dynamics/frames.h>
#include <articula/dynamics/operators.h>
#include <articula/dynamics/parameter_jacobian.h>
#include <articula/model/port_text.h>
#include <articula/network/network.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/spatial/orientation.h>

#include "eval_quantities.h"

namespace articula::program {
namespace {

/// A state in the order of the flat form, from a state in any order.
class FlatState {
 public:
  FlatState(const Model& model, const SolverOptions& options, std::string_view asked) : solver_(model, plain(options)) {
    const Mechanism& mech = solver_.mechanism();
    if (solver_.nv() != mech.nv || options.run_as != RunAs::flat) {
      throw Error("run-as-not-available", {},
                  concat(quoted(asked), options.run_as != RunAs::flat
                                            ? " runs as \"flat\" only. Ask for it in a run of its own, as \"flat\"."
                                            : " takes all joints as independent, but gears couple some. Read the robot "
                                              "with --mimic independent, or remove the gears."));
    }
    const auto places = [](std::span<const std::string> given, const std::vector<std::string>& flat) {
      std::unordered_map<std::string_view, std::size_t> at;
      for (std::size_t k = 0; k < flat.size(); ++k) at.emplace(flat[k], k);
      std::vector<std::size_t> place(given.size());
      for (std::size_t k = 0; k < given.size(); ++k) place[k] = at.at(given[k]);
      return place;
    };
    q_place_ = places(solver_.q_names(), mech.layout.q);
    v_place_ = places(solver_.v_names(), mech.layout.v);
    q.resize(q_place_.size()), v.resize(v_place_.size()), vdot.resize(v_place_.size());
  }

  /// Checks the state as every solver does.
  void update(const State& state) {
    solver_.update(state);
    const auto take = [](VectorView from, const std::vector<std::size_t>& place, std::vector<double>& to) {
      for (std::size_t k = 0; k < to.size(); ++k) to[place[k]] = from.empty() ? 0 : from[k];
    };
    take(state.q, q_place_, q), take(state.v, v_place_, v), take(state.vdot, v_place_, vdot);
  }

  const Mechanism& mechanism() const { return solver_.mechanism(); }
  const Parameters<double>& parameters() const { return solver_.parameters(); }
  const Findings& findings() const { return solver_.findings(); }
  /// The index in the flat form of the k-th given velocity.
  std::size_t flat_v(std::size_t k) const { return v_place_[k]; }
  std::span<const std::string> v_names() const { return solver_.v_names(); }

  std::vector<double> q, v, vdot;

 private:
  static SolverOptions plain(SolverOptions options) {
    options.passive = false, options.run_as = RunAs::flat;
    return options;
  }
  ForwardKinematics solver_;
  std::vector<std::size_t> q_place_, v_place_;
};

class FlatQuantity : public Quantity {
 public:
  FlatQuantity(const Model& model, const SolverOptions& options, std::string_view asked) : at_(model, options, asked) {}

  void update(std::size_t, const State& state) override { at_.update(state); }
  const Findings& findings() const override { return at_.findings(); }

 protected:
  /// Throws an Error if a matrix with `each` rows and columns per body is too large.
  void require_square(std::string_view asked, std::size_t each) const {
    const std::size_t n = each * static_cast<std::size_t>(at_.mechanism().size());
    require_matrix(concat(asked, " of ", quoted(at_.mechanism().name)), n, n);
  }

  FlatState at_;
};

// Equations of each joint ---------------------------------------------------------------------------------------------

/// Σ_k M_jk·a_k + H_j − G_j = tau_j, with each part, in the order of the given states.
class ClosedFormQuantity final : public FlatQuantity {
 public:
  ClosedFormQuantity(const Model& model, const SolverOptions& options)
      : FlatQuantity(model, options, "closed_form"), positions_(at_.mechanism()), chain_(at_.mechanism()) {
    require_square("closed_form", 1);
  }

  void write(JsonText& out) override {
    positions<double, double>(at_.mechanism(), at_.parameters(), at_.q, positions_);
    closed_form_positions<double, double>(at_.mechanism(), at_.parameters(), positions_, chain_);
    closed_form_velocities<double>(at_.v, chain_);
    const std::vector<Force<double>> applied_B = applied();
    const std::size_t n = at_.v.size();
    out.open('{');
    for (std::size_t j = 0; j < n; ++j) {
      const int joint = 1 + static_cast<int>(at_.flat_v(j));
      std::vector<double> mass(n), inertial(n);
      double tau = 0;
      for (std::size_t k = 0; k < n; ++k) {
        mass[k] = closed_form_mass(chain_, joint, 1 + static_cast<int>(at_.flat_v(k)));
        inertial[k] = mass[k] * at_.vdot[at_.flat_v(k)];
        tau += inertial[k];
      }
      const double bias = closed_form_bias(chain_, joint), gravity = -closed_form_gravity(chain_, joint);
      out.key(at_.v_names()[j]);
      out.open('{');
      out.key("mass"), out.list(VectorView(mass));
      out.key("inertial"), out.list(VectorView(inertial));
      out.key("coriolis"), out.number(bias);
      out.key("gravity"), out.number(gravity);
      const double applied = -closed_form_applied<double>(chain_, joint, applied_B);
      if (!applied_B.empty()) out.key("applied"), out.number(applied);
      out.key("tau"), out.number(tau + bias + gravity + applied);
      out.close('}');
    }
    out.close('}');
  }

 private:
  /// The forces of the model's own elements, and of gravity that depends on the position, on each body; empty if there
  /// are none.
  std::vector<Force<double>> applied() const {
    const Mechanism& mech = at_.mechanism();
    const Parameters<double>& par = at_.parameters();
    if (!acts_on_bodies(mech, false)) return {};
    ActingForces<double> acting(mech, par);
    acting_forces<double, double>(mech, par, positions_, {}, acting);
    return acting.F_B;
  }

  Positions<double> positions_;
  ClosedForm<double> chain_;
};

// Stacked operators -------------------------------------------------------------------------------------------------------

void write_stacked(JsonText& out, std::string_view key, const StackedMatrix& A) {
  out.key(key);
  out.open('[');
  for (int i = 0; i < A.rows; ++i) {
    out.open('[');
    for (int j = 0; j < A.cols; ++j) out.number(A.matrix()(i, j));
    out.close(']');
  }
  out.close(']');
}

/// In the order of the flat form, which is written to `names`.
class OperatorsQuantity final : public FlatQuantity {
 public:
  OperatorsQuantity(const Model& model, const SolverOptions& options)
      : FlatQuantity(model, options, "operators"), in_(options.representation) {
    require_square("operators", 12);  // for ports, two per body
  }

  void write(JsonText& out) override {
    const PortOperators ports = port_operators(at_.mechanism(), at_.parameters(), at_.q, in_);
    const SpatialOperators bodies = spatial_operators(at_.mechanism(), at_.parameters(), at_.q, in_);
    out.open('{');
    out.key("ports");
    out.open('{');
    write_stacked(out, "C", ports.C), write_stacked(out, "O", ports.O), write_stacked(out, "I", ports.I);
    write_stacked(out, "T_phi", ports.T_phi), write_stacked(out, "E_phi", ports.E_phi);
    write_stacked(out, "Phi", ports.Phi);
    out.close('}');
    write_stacked(out, "E_phi", bodies.E_phi), write_stacked(out, "Phi", bodies.Phi);
    write_stacked(out, "H", bodies.H), write_stacked(out, "M", bodies.M), write_stacked(out, "P", bodies.P);
    write_stacked(out, "D", bodies.D), write_stacked(out, "G", bodies.G), write_stacked(out, "K", bodies.K);
    write_stacked(out, "tau_bar", bodies.tau_bar), write_stacked(out, "E_psi", bodies.E_psi);
    write_stacked(out, "Psi", bodies.Psi);
    out.close('}');
  }
  void write_names(JsonText& out) const override {
    out.key("stacked");
    out.names(at_.mechanism().layout.v);
  }

 private:
  Representation in_;
};

// A recursion restricted to some ports ------------------------------------------------------------------------------------

class RestrictionQuantity final : public FlatQuantity {
 public:
  RestrictionQuantity(const Model& model, const SolverOptions& options, std::string_view asked,
                      std::vector<PortRef> ports)
      : FlatQuantity(model, options, asked),
        ports_(std::move(ports)),
        restriction_(network::Network(model, {options.representation, {}}).restricted_to(ports_)) {}

  void write(JsonText& out) override {
    restriction_.kinematics(at_.q, at_.v, at_.vdot);
    out.open('{');
    out.key("entities"), out.number(restriction_.entities());
    out.key("ports");
    out.open('{');
    for (int k = 0; k < restriction_.size(); ++k) {
      const int before = restriction_.before(k);
      out.key(to_text(ports_[static_cast<std::size_t>(k)]));
      out.open('{');
      out.key("before"), out.string(before < 0 ? "" : to_text(ports_[static_cast<std::size_t>(before)]));
      out.key("pose"), write_pose(out, restriction_.pose(k));
      write_motion(out, "velocity", restriction_.velocity(k));
      write_motion(out, "acceleration", restriction_.acceleration(k));
      write_motion(out, "delta", restriction_.delta(k));
      out.close('}');
    }
    out.close('}');
    out.close('}');
  }

 private:
  std::vector<PortRef> ports_;
  network::Restriction restriction_;
};

PortRef port_of(const network::Network& network, std::string_view text) {
  const auto name = [](const auto& entry) -> const PortRef& { return entry.first; };
  if (const auto* entry = find_port(network.structure().port_of, text, name)) return entry->first;
  PortRef wanted = to_port(text);
  static_cast<void>(network.structure().port(wanted));  // throws, with the reason
  return wanted;
}

// Kinematic parameters ----------------------------------------------------------------------------------------------------

class ParameterJacobianQuantity final : public FlatQuantity {
 public:
  ParameterJacobianQuantity(const Model& model, const SolverOptions& options, std::string_view asked,
                            const PortRef& frame, JacobianFrame in)
      : FlatQuantity(model, options, asked),
        frame_(at_.mechanism().frame(frame)),
        in_(in),
        positions_(at_.mechanism()),
        poses_(at_.mechanism()) {}

  void write(JsonText& out) override {
    const Mechanism& mech = at_.mechanism();
    const int joints = mech.size() - 1;
    positions<double, double>(mech, at_.parameters(), at_.q, positions_);
    world_poses<double, double>(mech, at_.parameters(), positions_, poses_);
    std::vector<double> placement(static_cast<std::size_t>(36 * joints)), axis(static_cast<std::size_t>(18 * joints));
    placement_jacobian<double, double>(mech, at_.parameters(), poses_, frame_, in_, placement);
    axis_jacobian<double, double>(mech, at_.parameters(), poses_, frame_, in_, axis);
    out.open('{');
    out.key("placement"), out.matrix(MatrixView(placement.data(), 6, 6 * joints));
    out.key("axis"), out.matrix(MatrixView(axis.data(), 6, 3 * joints));
    out.close('}');
  }
  void write_names(JsonText& out) const override {
    const Mechanism& mech = at_.mechanism();
    std::vector<std::string> names;
    for (int i = 1; i < mech.size(); ++i) {
      const int entity = mech.bodies[static_cast<std::size_t>(i)].entity;
      names.push_back(entity < 0 ? "" : mech.provenance.entities[static_cast<std::size_t>(entity)].name);
    }
    out.key("joints");
    out.names(names);
  }

 private:
  int frame_;
  JacobianFrame in_;
  Positions<double> positions_;
  WorldPoses<double> poses_;
};

}  // namespace

std::unique_ptr<Quantity> make_closed_form(const Model& model, const SolverOptions& options) {
  return std::make_unique<ClosedFormQuantity>(model, options);
}

std::unique_ptr<Quantity> make_operators(const Model& model, const SolverOptions& options) {
  return std::make_unique<OperatorsQuantity>(model, options);
}

std::unique_ptr<Quantity> make_restriction(std::string_view ports, const Model& model, const SolverOptions& options) {
  const network::Network network(model);
  std::vector<PortRef> chosen;
  for (std::size_t first = 0; first <= ports.size();) {
    const std::size_t plus = std::min(ports.find('+', first), ports.size());
    chosen.push_back(port_of(network, ports.substr(first, plus - first)));
    first = plus + 1;
  }
  return std::make_unique<RestrictionQuantity>(model, options, concat("restriction:", ports), std::move(chosen));
}

std::unique_ptr<Quantity> make_parameter_jacobian(const AskedFrame& frame, const Model& model,
                                                  const SolverOptions& options) {
  return std::make_unique<ParameterJacobianQuantity>(model, options, "parameter_jacobian", frame.name, frame.in);
}

}  // namespace articula::program
