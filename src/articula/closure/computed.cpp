#include <articula/closure/computed.h>

#include <algorithm>
#include <array>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/matrix_bound.h>
#include <articula/base/text.h>

namespace articula::closure {
namespace {

constexpr std::array<std::string_view, 4> run_as_names{"flat", "network", "generated", "batched"};

constexpr auto table = std::to_array<AlgorithmTraits>({
    {.algorithm = Algorithm::inverse_dynamics,
     .forces = true,
     .inertia = true,
     .passive = true,
     .network = true,
     .code = true,
     .lanes = true,
     .in_lanes = {Width::vector},
     .floats = true},
    {.algorithm = Algorithm::forward_dynamics,
     .accelerates = true,
     .forces = true,
     .inertia = true,
     .passive = true,
     .network = true,
     .code = true,
     .lanes = true,
     .in_lanes = {Width::vector},
     .floats = true},
    {.algorithm = Algorithm::mass_matrix,
     .inertia = true,
     .square = true,
     .passive = true,
     .code = true,
     .lanes = true,
     .in_lanes = {Width::matrix},
     .floats = true},
    {.algorithm = Algorithm::inverse_mass_matrix,
     .accelerates = true,
     .inertia = true,
     .square = true,
     .passive = true,
     .code = true,
     .lanes = true,
     .in_lanes = {Width::matrix}},
    {.algorithm = Algorithm::kinematics,
     .code = true,
     .lanes = true,
     .in_lanes = {Width::poses, Width::velocities},
     .solver = false},
    {.algorithm = Algorithm::frame_motions, .network = true, .code = true, .measured = false},
    {.algorithm = Algorithm::jacobian, .code = true},
    {.algorithm = Algorithm::inverse_dynamics_derivatives,
     .forces = true,
     .inertia = true,
     .square = true,
     .passive = true,
     .code = true,
     .lanes = true,
     .in_lanes = {Width::vector, Width::matrix, Width::matrix}},
    {.algorithm = Algorithm::forward_dynamics_derivatives,
     .accelerates = true,
     .forces = true,
     .inertia = true,
     .square = true,
     .passive = true,
     .code = true,
     .lanes = true,
     .in_lanes = {Width::matrix, Width::matrix, Width::matrix}},
    {.algorithm = Algorithm::step,
     .accelerates = true,
     .forces = true,
     .inertia = true,
     .code = true,
     .lanes = true,
     .solver = false},
    {.algorithm = Algorithm::elastic_inverse_dynamics,
     .forces = true,
     .inertia = true,
     .any_gravity = false,
     .code = true,
     .solver = false,
     .measured = false},
    {.algorithm = Algorithm::gravity, .forces = true, .code = true, .solver = false, .measured = false},
    {.algorithm = Algorithm::equations_of_motion,
     .forces = true,
     .inertia = true,
     .square = true,
     .any_gravity = false,
     .measured = false},
    {.algorithm = Algorithm::center_of_mass, .inertia = true, .measured = false},
    {.algorithm = Algorithm::regressor, .forces = true, .inertia = true, .any_gravity = false, .measured = false},
});

constexpr bool is_in_order() {
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (table[k].algorithm != static_cast<Algorithm>(k)) return false;
  }
  return table.size() == algorithm_texts.size();
}
static_assert(is_in_order(), "a row of the table is missing, or in another place than in ARTICULA_ALGORITHMS");

const Provenance::Entry& entity(const Mechanism& mech, int k) { return mech.provenance.entities[at(k)]; }

[[noreturn]] void refuse(std::string_view who, const Mechanism& mech, std::string_view code, std::string_view message) {
  throw Error(std::string(code), {}, concat(who, " of ", quoted(mech.name), ": ", message));
}

/// The ways in which an algorithm can run: `"flat" and "generated"`.
std::string ways_of(const AlgorithmTraits& row) {
  std::vector<std::string> ways;
  if (row.solver) ways.emplace_back("flat");
  if (row.network) ways.emplace_back("network");
  if (row.code) ways.emplace_back("generated");
  std::string text;
  for (std::size_t k = 0; k < ways.size(); ++k)
    text += concat(k == 0 ? "" : k + 1 == ways.size() ? " and " : ", ", quoted(ways[k]));
  return text;
}

bool runs_as(const AlgorithmTraits& row, RunAs run_as) {
  switch (run_as) {
    case RunAs::flat: return row.solver;
    case RunAs::network: return row.network;
    case RunAs::generated: return row.code;
    case RunAs::batched: return row.lanes;
  }
  return false;
}

/// The name of the first prescribed degree of freedom; empty if none.
std::string_view prescribed(const Mechanism& mech) {
  const auto found = std::find(mech.roles.begin(), mech.roles.end(), DofRole::prescribed);
  if (found == mech.roles.end()) return {};
  return mech.layout.v[static_cast<std::size_t>(found - mech.roles.begin())];
}

}  // namespace

std::string_view name_of(RunAs run_as) { return run_as_names[static_cast<std::size_t>(run_as)]; }

const AlgorithmTraits& traits(Algorithm algorithm) { return table[static_cast<std::size_t>(algorithm)]; }

std::vector<Algorithm> all_algorithms() {
  std::vector<Algorithm> all;
  for (std::size_t k = 0; k < table.size(); ++k) all.push_back(static_cast<Algorithm>(k));
  return all;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const AlgorithmTraits& row : table) {
    if (row.code) names.emplace_back(row.name());
  }
  return names;
}

Algorithm algorithm_of(std::string_view name) {
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (table[k].code && table[k].name() == name) return static_cast<Algorithm>(k);
  }
  throw Error(
      "algorithm-unknown", {},
      concat(quoted(name), " is no algorithm that can be generated.", choices(name, "Algorithms", algorithm_names())));
}

std::string_view locked_joint(const Mechanism& mech, std::span<const std::string> exposed) {
  const auto follows = [&](int dof) { return mech.independent.place[at(dof)] < 0; };
  for (int i = 1; !exposed.empty() && i < mech.size(); ++i) {
    const Body& body = mech.bodies[at(i)];
    const std::string& joint = joint_name(mech, body);
    if (std::find(exposed.begin(), exposed.end(), joint) != exposed.end()) continue;
    if (body.v.count == 0 || !std::all_of(body.v.begin(), body.v.end(), follows)) return joint;
  }
  return {};
}

void refuse_loops(std::string_view who, const Mechanism& mech) {
  for (const Constraint& constraint : mech.constraints) {
    if (constraint.kind == Constraint::Kind::contact) continue;
    const Provenance::Entry& loop = entity(mech, constraint.entity);
    refuse(who, mech, "loop-not-computed",
           concat(loop.kind, " ", quoted(loop.name),
                  " closes a loop or ties velocities, and this version computes trees only. Take it away to compute "
                  "the tree that is left."));
  }
}

const Mechanism& computable(const Computation& c, const Mechanism& mech) {
  const AlgorithmTraits& row = traits(c.algorithm);
  const auto no = [&](std::string_view code, std::string_view message) { refuse(c.who, mech, code, message); };
  const bool generated = c.run_as == RunAs::generated, network = c.run_as == RunAs::network,
             batched = c.run_as == RunAs::batched;

  refuse_loops(c.who, mech);
  if (!row.any_gravity && !mech.uniform_gravity) {
    no("gravity-not-uniform",
       "gravity depends on the place, and this computation lifts World against a gravity that is the same everywhere. "
       "Give the environment a uniform gravity.");
  }
  if (!runs_as(row, c.run_as) || batched != c.batch) {
    no("run-as-not-available",
       concat("it does not run as ", quoted(name_of(c.run_as)), " yet. It runs as ", ways_of(row), "."));
  }
  if (c.passive && c.run_as != RunAs::flat && !network) {
    no("run-as-not-available",
       concat("run as ", quoted(name_of(c.run_as)), " it knows no springs, dampers and friction. Run it as \"flat\"."));
  }
  if (c.passive && !row.passive) {
    no("passive-not-available", "springs, dampers and friction have no part in it yet. Leave `passive` off.");
  }
  const bool has_springs =
      std::any_of(mech.rotors.begin(), mech.rotors.end(), [](const RotorElement& r) { return r.spring >= 0; });
  if (has_springs && row.forces && !c.passive) {
    no("elastic-not-passive",
       "its elastic drives act through springs, which are passive forces, and these are not asked for. Compute with "
       "passive forces, or with rigid drives.");
  }
  if (batched && !c.locked.empty()) {
    no("batch-not-computed",
       concat("joint ", quoted(c.locked),
              " is held, since `exterior` leaves it out, and batches compute joints that move. Expose all joints, or "
              "use the flat solver."));
  }
  if (c.run_as == RunAs::flat && row.square)
    require_matrix(concat(c.who, " of ", quoted(mech.name)), at(mech.nv), at(mech.nv));
  if (!row.accelerates) return mech;
  if (batched && !prescribed(mech).empty()) {
    no("batch-not-computed", concat(quoted(prescribed(mech)),
                                    " is prescribed, and batches compute the accelerations of "
                                    "free joints only. Use the flat solver."));
  }
  if (network && !c.locked.empty()) {
    no("run-as-not-available", concat(quoted(c.locked),
                                      " is held, since `exterior` leaves it out, and the network computes the "
                                      "accelerations of joints that move. Expose all joints, or run it as \"flat\"."));
  }
  if (generated && (!c.locked.empty() || !prescribed(mech).empty())) {
    no("generate-not-available",
       concat(quoted(c.locked.empty() ? prescribed(mech) : c.locked),
              " is held or prescribed, and code computes the accelerations of free joints only. Expose all joints, or "
              "run as \"flat\"."));
  }
  return mech;
}

}  // namespace articula::closure
