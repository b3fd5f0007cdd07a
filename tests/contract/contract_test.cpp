/// What every computation does with everything a model can hold: the one table. A later capability adds its rows and
/// columns here, and docs/solvers.md shows it.
///
/// A cell says what must happen:
///     =        the result is that of the reference, which knows this feature
///     -        the result is that of the tree without it, as documented
///     !code    refused with that code
///     ~code    behind `=` or `-`: and a warning with that code is found, otherwise none
///     (blank)  it cannot be said to this computation: a batch takes no loads

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <articula/batch/batch.h>
#include <articula/formats/yaml_writer.h>

#include "contract/reference.h"
#include "support/temporary_folder.h"

namespace articula::test {
namespace {

/// Normwise, relative: for numbers, and where the reference is a central difference.
constexpr double rounding = 1e-10, difference = 1e-6;

// --- the table -------------------------------------------------------------------------------------------------------

enum class Way { flat, network, generated, batched, eval };
constexpr std::string_view way_names[] = {"flat", "network", "generated", "batched", "eval --run-as batched"};

struct Row {
  std::string solver;
  Way way;
  std::map<std::string, std::string> cells;
};

using Cells = std::map<std::string, std::string>;

/// The same for all features, but for those named.
Cells all(const std::string& cell, const Cells& but) {
  Cells cells;
  for (const Feature& feature : features()) cells[feature.name] = cell;
  for (const auto& [name, other] : but) {
    EXPECT_TRUE(cells.contains(name)) << name;
    cells[name] = other;
  }
  return cells;
}
Cells operator+(Cells a, const Cells& b) {
  for (const auto& [name, cell] : b) a[name] = cell;
  return a;
}

const Cells no_loops{{"loop", "!loop-not-computed"}};
/// Drives and springs have a part only where passive forces are asked for; that motion is prescribed, only where
/// accelerations are computed.
const Cells bare{{"rigid drive", "-"}, {"elastic drive", "-"}, {"spring and damper", "-"}, {"prescribed joint", "-"}};
const Cells prescribed{{"prescribed joint", "="}};
const Cells without_passive{{"rigid drive, passive", "!passive-not-available"},
                            {"mounted rigid drive, passive", "!passive-not-available"},
                            {"elastic drive, passive", "!passive-not-available"},
                            {"spring and damper, passive", "!passive-not-available"}};
const Cells not_run_with_passive{{"rigid drive, passive", "!run-as-not-available"},
                                 {"mounted rigid drive, passive", "!run-as-not-available"},
                                 {"elastic drive, passive", "!run-as-not-available"},
                                 {"spring and damper, passive", "!run-as-not-available"}};
const Cells no_passive_to_say{{"rigid drive, passive", ""},
                              {"mounted rigid drive, passive", ""},
                              {"elastic drive, passive", ""},
                              {"spring and damper, passive", ""}};
const Cells all_free_in_network{{"locked joint", "!run-as-not-available"}};
const Cells contact{{"contact point", "- ~contact-not-computed"}};
const Cells no_field{{"central gravity", "!gravity-not-uniform"}};
const Cells forces_have_no_part{{"loads", "-"},
                                {"external force in World's axes", "-"},
                                {"external force in its own axes", "-"},
                                {"external force in another body's axes", "-"}};
/// Motions and masses: forces have no part in them, nor has gravity.
const Cells of_motion = forces_have_no_part + Cells{{"central gravity", "-"}, {"contact point", "-"}};
/// Rotors have no part in motions of bodies.
const Cells no_inertia{{"rigid drives", "-"}, {"mounted rigid drives", "-"}};
/// The program asks for drives by an option of its own.
const Cells no_option{{"rigid drives", ""}, {"mounted rigid drives", ""}};
/// Batches refuse what they do not compute, whether or not it has a part in what is asked for.
const Cells of_batches = no_loops + no_passive_to_say + Cells{{"loads", ""}, {"locked joint", "!batch-not-computed"}};
const Cells no_prescribed_batch{{"prescribed joint", "!batch-not-computed"}};
const Cells all_free_as_code{{"locked joint", "!generate-not-available"},
                             {"prescribed joint", "!generate-not-available"}};

std::vector<Row> table() {
  return {
      {"ForwardKinematics", Way::flat, all("=", bare + of_motion + no_inertia + without_passive + no_loops)},
      {"ForwardKinematics", Way::network, all("=", bare + of_motion + no_inertia + without_passive + no_loops)},
      {"ForwardKinematics", Way::generated, all("=", bare + of_motion + no_inertia + not_run_with_passive + no_loops)},
      {"ForwardKinematics", Way::batched, all("=", bare + of_motion + no_inertia + of_batches)},
      {"InverseDynamics", Way::flat, all("=", bare + contact + no_loops)},
      {"InverseDynamics", Way::network, all("=", bare + contact + no_loops)},
      {"InverseDynamics", Way::generated, all("=", bare + contact + not_run_with_passive + no_loops)},
      {"InverseDynamics", Way::batched, all("=", bare + contact + of_batches)},
      {"InverseDynamics", Way::eval, all("=", bare + contact + of_batches + no_option + no_loops)},
      {"ForwardDynamics", Way::flat, all("=", bare + prescribed + contact + no_loops)},
      {"ForwardDynamics", Way::network, all("=", bare + prescribed + contact + all_free_in_network + no_loops)},
      {"ForwardDynamics", Way::generated,
       all("=", bare + prescribed + contact + not_run_with_passive + all_free_as_code + no_loops)},
      {"ForwardDynamics", Way::batched, all("=", bare + prescribed + contact + of_batches + no_prescribed_batch)},
      {"ForwardDynamics", Way::eval,
       all("=", bare + prescribed + contact + of_batches + no_prescribed_batch + no_option + no_loops)},
      {"MassMatrix", Way::flat, all("=", bare + of_motion + Cells{{"spring and damper, passive", "-"}} + no_loops)},
      {"MassMatrix", Way::generated, all("=", bare + of_motion + not_run_with_passive + no_loops)},
      {"MassMatrix", Way::batched, all("=", bare + of_motion + of_batches)},
      {"MassMatrix", Way::eval, all("=", bare + of_motion + of_batches + no_option + no_loops)},
      {"MassMatrix, inverse", Way::flat,
       all("=", bare + prescribed + of_motion + Cells{{"spring and damper, passive", "-"}} + no_loops)},
      {"MassMatrix, inverse", Way::generated,
       all("=", bare + prescribed + of_motion + not_run_with_passive + no_loops)},
      {"MassMatrix, inverse", Way::batched, all("=", bare + prescribed + of_motion + of_batches + no_prescribed_batch)},
      {"EquationsOfMotion", Way::flat, all("=", bare + contact + without_passive + no_field + no_loops)},
      {"CenterOfMass", Way::flat,
       all("=", bare + forces_have_no_part + Cells{{"contact point", "-"}} + without_passive + no_loops)},
      {"Jacobian", Way::flat, all("=", bare + of_motion + no_inertia + without_passive + no_loops)},
      {"Jacobian", Way::generated, all("=", bare + of_motion + no_inertia + not_run_with_passive + no_loops)},
      {"Derivatives of torques", Way::flat, all("=", bare + contact + no_loops)},
      {"Derivatives of torques", Way::generated, all("=", bare + contact + not_run_with_passive + no_loops)},
      {"Derivatives of torques", Way::batched, all("=", bare + contact + of_batches)},
      {"Derivatives of accelerations", Way::flat, all("=", bare + prescribed + contact + no_loops)},
      {"Derivatives of accelerations", Way::generated,
       all("=", bare + prescribed + contact + not_run_with_passive + all_free_as_code + no_loops)},
      {"Derivatives of accelerations", Way::batched,
       all("=", bare + prescribed + contact + of_batches + no_prescribed_batch)},
      {"Regressor", Way::flat, all("=", bare + forces_have_no_part + contact + without_passive + no_field + no_loops)},
  };
}

// --- a state, and what comes of it -----------------------------------------------------------------------------------

using Numbers = std::vector<double>;

/// What a cell turned out to do.
struct Outcome {
  VectorXd value;
  std::string refused;           ///< the code, or empty
  std::string message;           ///< of the refusal
  std::set<std::string> warned;  ///< codes
};

struct SomeState {
  explicit SomeState(std::size_t n) {
    const auto size = static_cast<Eigen::Index>(n);
    q.resize(size), v.resize(size), vdot.resize(size), tau.resize(size);
    for (Eigen::Index k = 0; k < size; ++k) {
      const auto x = static_cast<double>(k);
      q[k] = 0.5 * std::sin(1 + 2 * x), v[k] = std::cos(2 * x + 0.3);
      vdot[k] = 2 * std::sin(3 * x + 0.7), tau[k] = 3 * std::cos(x + 0.2);
    }
  }
  VectorXd q, v, vdot, tau;
};

VectorXd joined(const std::vector<VectorXd>& parts) {
  VectorXd all(0);
  for (const VectorXd& part : parts) {
    VectorXd next(all.size() + part.size());
    next << all, part;
    all = next;
  }
  return all;
}
VectorXd rows_of(const MatrixXd& M) { return MatrixXd(M.transpose()).reshaped(); }

bool is_difference(const std::string& solver) { return solver.starts_with("Derivatives"); }

VectorXd expected(const std::string& solver, Way way, const Feature& feature) {
  Reference r(feature);
  const SomeState s(r.nv());
  const auto tau_at = [&](const VectorXd& q, const VectorXd& v) { return r.tau(q, v, s.vdot); };
  const auto vdot_at = [&](const VectorXd& q, const VectorXd& v) { return r.vdot(q, v, s.vdot, s.tau); };
  if (solver == "ForwardKinematics") return r.frame_motion(s.q, s.v, s.vdot, way != Way::batched);
  if (solver == "InverseDynamics") return r.tau(s.q, s.v, s.vdot);
  if (solver == "ForwardDynamics") {
    const VectorXd vdot = r.vdot(s.q, s.v, s.vdot, s.tau);
    if (way == Way::batched || way == Way::eval) return vdot;
    return joined({vdot, r.tau(s.q, s.v, vdot)});
  }
  if (solver == "MassMatrix") return rows_of(r.mass_matrix(s.q));
  if (solver == "MassMatrix, inverse") return rows_of(r.inverse_mass_matrix(s.q));
  if (solver == "EquationsOfMotion") {
    const VectorXd zero = VectorXd::Zero(s.v.size()), still = r.tau(s.q, zero, zero);
    return joined({rows_of(r.mass_matrix(s.q)), r.tau(s.q, s.v, zero) - still, still});
  }
  if (solver == "CenterOfMass") return r.whole(s.q, s.v);
  if (solver == "Jacobian") return rows_of(r.jacobian(s.q));
  if (solver == "Derivatives of torques") {
    return joined({rows_of(Reference::along(s.q, [&](const VectorXd& q) { return tau_at(q, s.v); })),
                   rows_of(Reference::along(s.v, [&](const VectorXd& v) { return tau_at(s.q, v); })),
                   way == Way::batched ? r.tau(s.q, s.v, s.vdot) : rows_of(r.mass_matrix(s.q))});
  }
  if (solver == "Derivatives of accelerations") {
    return joined({rows_of(Reference::along(s.q, [&](const VectorXd& q) { return vdot_at(q, s.v); })),
                   rows_of(Reference::along(s.v, [&](const VectorXd& v) { return vdot_at(s.q, v); })),
                   rows_of(r.inverse_mass_matrix(s.q))});
  }
  if (solver == "Regressor") return r.tau(s.q, s.v, s.vdot);
  ADD_FAILURE() << "the reference does not know " << solver;
  return {};
}

void warn(const Findings& findings, Outcome& outcome) {
  for (const Finding& finding : findings) {
    if (finding.severity == Severity::note) continue;
    EXPECT_EQ(finding.severity, Severity::warning);
    outcome.warned.insert(finding.code);
  }
}

/// Updates with the state and the loads of the feature, computes, and looks at the report.
template <class S, class Compute>
VectorXd computed(S& solver, const Feature& feature, Outcome& outcome, Compute&& compute) {
  const Reference reference(feature);
  EXPECT_EQ(std::vector<std::string>(solver.v_names().begin(), solver.v_names().end()), reference.names());
  const SomeState s(reference.nv());
  const std::vector<Load> loads = loads_of(feature, solver);
  solver.update({.q = s.q, .v = s.v, .vdot = s.vdot, .tau = s.tau, .loads = loads});
  const VectorXd value = compute(solver, s);
  EXPECT_TRUE(solver.report().ok()) << to_text(solver.report());
  warn(solver.findings(), outcome);
  return value;
}

VectorXd by_solver(const std::string& name, const Feature& feature, RunAs run_as, Outcome& outcome) {
  const SolverOptions options{.run_as = run_as, .passive = feature.passive, .build = {.drives = feature.drives}};
  const Model& model = feature.model;
  const auto with = [&](auto&& solver, auto&& compute) {
    EXPECT_EQ(solver.run_as(), run_as);
    return computed(solver, feature, outcome, compute);
  };
  if (name == "ForwardKinematics") {
    SolverOptions of_c = options;
    of_c.exterior.frames = {{"c", ""}};
    return with(ForwardKinematics(model, of_c), [](auto& solver, const SomeState&) {
      const auto [X, V, A] = solver.compute()[0];
      VectorXd all(24);
      for (int i = 0; i < 9; ++i) all[i] = X.R.m(i / 3, i % 3);
      for (int i = 0; i < 3; ++i) {
        all[9 + i] = X.p[i], all[12 + i] = V.w[i], all[15 + i] = V.v[i], all[18 + i] = A.w[i], all[21 + i] = A.v[i];
      }
      return all;
    });
  }
  if (name == "InverseDynamics") {
    return with(InverseDynamics(model, options),
                [](auto& solver, const SomeState&) { return VectorXd(solver.compute()); });
  }
  if (name == "ForwardDynamics") {
    return with(ForwardDynamics(model, options), [](auto& solver, const SomeState&) {
      const VectorXd vdot = solver.compute(), tau = solver.tau();
      return joined({vdot, tau});
    });
  }
  if (name == "MassMatrix") {
    return with(MassMatrix(model, options),
                [](auto& solver, const SomeState&) { return rows_of(MatrixXd(solver.compute())); });
  }
  if (name == "MassMatrix, inverse") {
    return with(MassMatrix(model, options, MassMatrix::Code::matrix_and_inverse),
                [](auto& solver, const SomeState&) { return rows_of(MatrixXd(solver.compute_inverse())); });
  }
  if (name == "EquationsOfMotion") {
    return with(EquationsOfMotion(model, options), [](auto& solver, const SomeState& s) {
      const MotionMatrices& all = solver.compute();
      const MatrixXd D = all.D, C = all.C;
      const VectorXd G = all.G, Q = all.Q;
      return joined({rows_of(D), C * s.v, G + Q});
    });
  }
  if (name == "CenterOfMass") {
    return with(CenterOfMass(model, options), [](auto& solver, const SomeState&) {
      const WholeMechanism& w = solver.compute();
      VectorXd all(9);
      all << w.mass, w.center.x, w.center.y, w.center.z, w.velocity.x, w.velocity.y, w.velocity.z, w.kinetic_energy,
          w.potential_energy;
      return all;
    });
  }
  if (name == "Jacobian") {
    return with(Jacobian(model, {"c", ""}, JacobianFrame::local_world_aligned, options),
                [](auto& solver, const SomeState&) { return rows_of(MatrixXd(solver.compute())); });
  }
  if (is_difference(name)) {
    const auto of = name.ends_with("torques") ? Derivatives::Of::inverse_dynamics : Derivatives::Of::forward_dynamics;
    return with(Derivatives(model, of, options), [](auto& solver, const SomeState&) {
      const auto& [dq, dv, du] = solver.compute();
      return joined({rows_of(MatrixXd(dq)), rows_of(MatrixXd(dv)), rows_of(MatrixXd(du))});
    });
  }
  if (name == "Regressor") {
    return with(Regressor(model, options), [](auto& solver, const SomeState&) {
      const MatrixXd Y = solver.compute();
      const VectorXd parameters = solver.inertial_parameters();
      return VectorXd(Y * parameters);
    });
  }
  ADD_FAILURE() << "the contract does not know " << name;
  return {};
}

/// Three states, of which the second counts.
VectorXd by_batch(const std::string& name, const Feature& feature, Outcome& outcome) {
  const SomeState s(feature.name == "gear" ? 3 : 4);  // one joint follows another
  const auto three = [](const VectorXd& x) {
    Numbers all(3 * static_cast<std::size_t>(x.size()), 0.1);
    std::copy(x.begin(), x.end(), all.begin() + x.size());
    return all;
  };
  const Numbers q = three(s.q), v = three(s.v), vdot = three(s.vdot), tau = three(s.tau);
  const auto second = [](const LaneArray<double>& x) {
    VectorXd row(x.width());
    for (int k = 0; k < x.width(); ++k) row[k] = x(1, k);
    return row;
  };
  const auto with = [&](auto&& batch, const BatchState<double>& state, auto&& compute) {
    batch.update(state);
    const VectorXd value = compute(batch);
    EXPECT_TRUE(batch.report().ok());
    warn(batch.findings(), outcome);
    return value;
  };
  const auto only = [&](auto& batch) { return second(batch.compute()); };
  const Model& model = feature.model;
  const BatchOptions options{.build = {.drives = feature.drives}};
  if (name == "ForwardKinematics") {
    const std::vector<PortRef> c{{"c", ""}};
    return with(BatchedKinematics(model, 3, c, options), {.q = q, .v = v}, [&](auto& batch) {
      const auto [poses, velocities] = batch.compute();
      return joined({second(poses), second(velocities)});
    });
  }
  if (name == "InverseDynamics")
    return with(BatchedInverseDynamics(model, 3, options), {.q = q, .v = v, .vdot = vdot}, only);
  if (name == "ForwardDynamics")
    return with(BatchedForwardDynamics(model, 3, options), {.q = q, .v = v, .tau = tau}, only);
  if (name == "MassMatrix") {
    return with(BatchedMassMatrix(model, 3, options), {.q = q}, [&](auto& batch) {
      VectorXd M = only(batch);  // the upper half
      const Eigen::Index n = s.v.size();
      for (Eigen::Index i = 0; i < n; ++i) {
        for (Eigen::Index j = 0; j < i; ++j) M[n * i + j] = M[n * j + i];
      }
      return M;
    });
  }
  if (name == "MassMatrix, inverse") return with(BatchedInverseMassMatrix(model, 3, options), {.q = q}, only);
  if (name == "Derivatives of torques") {
    return with(BatchedInverseDynamicsDerivatives(model, 3, options), {.q = q, .v = v, .vdot = vdot}, [&](auto& batch) {
      const auto [torques, dq, dv] = batch.compute();
      return joined({second(dq), second(dv), second(torques)});
    });
  }
  if (name == "Derivatives of accelerations") {
    return with(BatchedForwardDynamicsDerivatives(model, 3, options), {.q = q, .v = v, .tau = tau}, [&](auto& batch) {
      const auto [dq, dv, du] = batch.compute();
      return joined({second(dq), second(dv), second(du)});
    });
  }
  ADD_FAILURE() << "the contract knows no batch of " << name;
  return {};
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// By the program, as `articula eval --run-as batched`.
VectorXd by_program(const std::string& name, const Feature& feature, Outcome& outcome) {
  const TemporaryFolder folder;
  const std::filesystem::path model = folder.path() / "model.yaml", states = folder.path() / "states.json",
                              out = folder.path() / "out", err = folder.path() / "err";
  std::ofstream(model) << write_yaml(feature.model);
  const SomeState s(Reference(feature).nv());
  const auto list = [](const VectorXd& x) { return nlohmann::json(Numbers(x.begin(), x.end())); };
  const std::string quantity = name == "InverseDynamics"   ? "inverse_dynamics"
                               : name == "ForwardDynamics" ? "forward_dynamics"
                                                           : "mass_matrix";
  nlohmann::json state{{"q", list(s.q)}, {"v", list(s.v)}};
  if (name == "InverseDynamics") state["a"] = list(s.vdot);
  if (name == "ForwardDynamics") state["tau"] = list(s.tau);
  std::ofstream(states) << nlohmann::json{{"states", {state}}};
  const std::string command = std::string(ARTICULA_PROGRAM) + " eval " + model.string() + " --states " +
                              states.string() + " --compute " + quantity + " --run-as batched >" + out.string() +
                              " 2>" + err.string();
  const int code = std::system(command.c_str());
  const std::string told = text_of(err);
  for (std::size_t begin = 0; begin < told.size();) {
    const std::size_t end = std::min(told.find('\n', begin), told.size());
    const std::string line = told.substr(begin, end - begin);
    const std::size_t mark = line.rfind("  [");
    if (mark != std::string::npos) {
      const std::string found = line.substr(mark + 3, line.size() - mark - 4);
      if (line.starts_with("error")) {
        outcome.refused = found, outcome.message = line;
      } else {
        outcome.warned.insert(found);
      }
    }
    begin = end + 1;
  }
  if (code != 0) return {};
  const auto result = nlohmann::json::parse(text_of(out))["results"][0][quantity];
  Numbers numbers;
  for (const auto& each : result) {
    if (each.is_array()) {
      for (const auto& x : each) numbers.push_back(x);
    } else {
      numbers.push_back(each);
    }
  }
  return Eigen::Map<VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

Outcome outcome_of(const Row& row, const Feature& feature) {
  Outcome outcome;
  try {
    switch (row.way) {
      case Way::flat: outcome.value = by_solver(row.solver, feature, RunAs::flat, outcome); break;
      case Way::network: outcome.value = by_solver(row.solver, feature, RunAs::network, outcome); break;
      case Way::generated: outcome.value = by_solver(row.solver, feature, RunAs::generated, outcome); break;
      case Way::batched: outcome.value = by_batch(row.solver, feature, outcome); break;
      case Way::eval: outcome.value = by_program(row.solver, feature, outcome); break;
    }
  } catch (const Error& error) {
    outcome.refused = error.code();
    outcome.message = error.what();
  }
  return outcome;
}

double gap(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() ? (a - b).norm() / std::max(1e-300, b.norm()) : INFINITY;
}

/// Two sentences at least: what is wrong, and what to do.
bool says_what_to_do(const std::string& message) {
  return std::count(message.begin(), message.end(), '.') >= 2 && message.find("  [") != std::string::npos;
}

// --- the tests -------------------------------------------------------------------------------------------------------

TEST(Contract, EveryCellOfTheTableHolds) {
  const std::vector<Feature> columns = features();
  for (const Row& row : table()) {
    for (const Feature& feature : columns) {
      const std::string& cell = row.cells.at(feature.name);
      if (cell.empty()) continue;
      SCOPED_TRACE(row.solver + " run as " + std::string(way_names[static_cast<std::size_t>(row.way)]) + ", " +
                   feature.name + ": `" + cell + "`");
      const Outcome outcome = outcome_of(row, feature);
      if (cell[0] == '!') {
        EXPECT_EQ(outcome.refused, cell.substr(1)) << outcome.message;
        EXPECT_TRUE(says_what_to_do(outcome.message)) << outcome.message;
        continue;
      }
      const std::size_t mark = cell.find('~');
      const std::set<std::string> warned =
          mark == std::string::npos ? std::set<std::string>{} : std::set<std::string>{cell.substr(mark + 1)};
      EXPECT_EQ(outcome.refused, "") << outcome.message;
      EXPECT_EQ(outcome.warned, warned);
      if (!outcome.refused.empty()) continue;
      const VectorXd reference = expected(row.solver, row.way, cell[0] == '-' ? columns.front() : feature);
      EXPECT_LT(gap(outcome.value, reference), is_difference(row.solver) ? difference : rounding)
          << outcome.value.transpose() << "\n"
          << reference.transpose();
      if (cell[0] == '=' && feature.name != columns.front().name) {
        const VectorXd without = expected(row.solver, row.way, columns.front());
        EXPECT_GT(gap(without, reference), 1e-6) << "it has no part in this: the cell should be `-`";
      }
    }
  }
}

/// Which algorithm each solver computes.
const std::map<std::string, Algorithm> algorithm_of_solver{
    {"ForwardKinematics", Algorithm::frame_motions},
    {"InverseDynamics", Algorithm::inverse_dynamics},
    {"ForwardDynamics", Algorithm::forward_dynamics},
    {"MassMatrix", Algorithm::mass_matrix},
    {"MassMatrix, inverse", Algorithm::inverse_mass_matrix},
    {"EquationsOfMotion", Algorithm::equations_of_motion},
    {"CenterOfMass", Algorithm::center_of_mass},
    {"Jacobian", Algorithm::jacobian},
    {"Derivatives of torques", Algorithm::inverse_dynamics_derivatives},
    {"Derivatives of accelerations", Algorithm::forward_dynamics_derivatives},
    {"Regressor", Algorithm::regressor},
};

/// The cells, which hold, against closure/computed.h, which solvers, batches and the program read.
TEST(Contract, SaysWhatTheTableOfComputationsSays) {
  std::map<std::pair<std::string, Way>, Cells> rows;
  for (const Row& row : table()) rows[{row.solver, row.way}] = row.cells;
  std::set<Algorithm> flat;
  for (const auto& [solver, algorithm] : algorithm_of_solver) {
    SCOPED_TRACE(solver);
    const AlgorithmTraits& row = traits(algorithm);
    flat.insert(algorithm);
    // The batch of ForwardKinematics computes poses and velocities, which are an algorithm of their own.
    const bool lanes = algorithm == Algorithm::frame_motions ? traits(Algorithm::kinematics).lanes : row.lanes;
    EXPECT_EQ(rows.contains({solver, Way::flat}), row.solver);
    EXPECT_EQ(rows.contains({solver, Way::network}), row.network);
    EXPECT_EQ(rows.contains({solver, Way::generated}), row.code);
    EXPECT_EQ(rows.contains({solver, Way::batched}), lanes);
    for (const auto& [key, cells] : rows) {
      if (key.first != solver) continue;
      const std::string way(way_names[static_cast<std::size_t>(key.second)]);
      const bool takes_any_gravity = cells.at("central gravity") != "!gravity-not-uniform";
      const bool warns_of_contact = cells.at("contact point").find("~contact-not-computed") != std::string::npos;
      EXPECT_EQ(takes_any_gravity, row.any_gravity) << way;
      EXPECT_EQ(warns_of_contact, row.forces) << way;
      EXPECT_EQ(cells.at("prescribed joint") != "-", row.accelerates) << way;
      if (key.second == Way::flat) {
        EXPECT_EQ(cells.at("spring and damper, passive") != "!passive-not-available", row.passive);
      }
    }
  }
  for (const Algorithm algorithm : all_algorithms()) EXPECT_EQ(flat.contains(algorithm), traits(algorithm).solver);
}

TEST(Contract, AlgorithmsOfCodeStandInTheDocumentation) {
  const std::string page = text_of(ARTICULA_SOURCE_DIR "/docs/generate.md");
  const std::size_t begin = page.find("| `--algorithm LIST` |");
  ASSERT_NE(begin, std::string::npos);
  const std::string line = page.substr(begin, page.find('\n', begin) - begin);
  for (const std::string& name : algorithm_names()) EXPECT_NE(line.find("`" + name + "`"), std::string::npos) << name;
}

/// What is not in the table is refused, whatever the model.
TEST(Contract, WaysThatAreNotInTheTableAreRefused) {
  std::set<std::pair<std::string, Way>> known;
  std::set<std::string> solvers;
  for (const Row& row : table()) known.insert({row.solver, row.way}), solvers.insert(row.solver);
  const Feature plain = features().front();
  for (const std::string& solver : solvers) {
    for (const Way way : {Way::flat, Way::network, Way::generated}) {
      if (known.contains({solver, way})) continue;
      const Outcome outcome = outcome_of({solver, way, {}}, plain);
      EXPECT_EQ(outcome.refused, "run-as-not-available") << solver;
      EXPECT_TRUE(says_what_to_do(outcome.message)) << outcome.message;
    }
    for (const RunAs run_as : {RunAs::batched}) {
      Outcome outcome;
      try {
        by_solver(solver, plain, run_as, outcome);
        ADD_FAILURE() << solver;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), "run-as-not-available");
      }
    }
  }
}

/// The table as docs/solvers.md shows it: one for each way of running.
std::string page_of(Way way) {
  std::vector<Row> rows;
  for (const Row& row : table()) {
    if (row.way == way) rows.push_back(row);
  }
  std::string text = "| " + std::string(way_names[static_cast<std::size_t>(way)]), rule = "|---";
  for (const Row& row : rows) text += " | " + row.solver, rule += "|---";
  text += " |\n" + rule + "|\n";
  for (const Feature& feature : features()) {
    text += "| " + feature.name;
    for (const Row& row : rows) {
      const std::string& cell = row.cells.at(feature.name);
      text += cell.empty()                          ? " |"
              : cell[0] == '!'                      ? " | refused"
              : cell.find('~') != std::string::npos ? " | warns"
              : cell[0] == '-'                      ? " | -"
                                                    : " | =";
    }
    text += " |\n";
  }
  return text;
}

/// With ARTICULA_WRITE_TABLES=1 in the environment it writes them.
TEST(Contract, IsWhatTheDocumentationShows) {
  const std::string file = ARTICULA_SOURCE_DIR "/docs/solvers.md";
  std::string page = text_of(file);
  for (const Way way : {Way::flat, Way::network, Way::generated, Way::batched, Way::eval}) {
    const std::string wanted = page_of(way);
    if (std::getenv("ARTICULA_WRITE_TABLES") != nullptr) {
      const std::size_t begin = page.find("\n" + wanted.substr(0, wanted.find(" | ") + 3)) + 1;
      page.replace(begin, page.find("\n\n", begin) + 1 - begin, wanted);
    }
    EXPECT_NE(page.find(wanted), std::string::npos) << "docs/solvers.md should hold\n" << wanted;
  }
  if (std::getenv("ARTICULA_WRITE_TABLES") != nullptr) std::ofstream(file) << page;
}

}  // namespace
}  // namespace articula::test
