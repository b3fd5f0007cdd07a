#include <articula/generate/record.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/build/singular_joints.h>
#include <articula/generate/internal/base_parameters.h>
#include <articula/generate/internal/recorders.h>
#include <articula/generate/internal/schedule.h>
#include <articula/generate/internal/symbolic.h>

namespace articula::generate {
namespace {

/// The number of entries below the diagonal of the mass matrix that depend on q: pairs of degrees of freedom on one
/// path to World with a rotating joint outboard of the inner one, up to and including the joint of the outer one.
std::int64_t count_coupled_pairs(const Mechanism& mech) {
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  std::vector<std::int64_t> below(mech.bodies.size(), 0);   // degrees of freedom of all ancestors
  std::vector<std::int64_t> beyond(mech.bodies.size(), 0);  // of these, those inboard of the nearest rotating joint
  std::int64_t pairs = 0;
  for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
    const Body& body = mech.bodies[i];
    const std::size_t parent = at(body.parent);
    below[i] = below[parent] + mech.bodies[parent].v.count;
    const auto axes = traits(body.joint).v;
    const bool turns = std::any_of(axes.begin(), axes.end(),
                                   [](const Coordinate& v) { return v.dimension == dimension::angular_speed; });
    beyond[i] = turns ? below[i] : beyond[parent];
    pairs += body.v.count * beyond[i];
  }
  return pairs;
}

/// A lower bound that is known before recording. Each number of a matrix is written; one that depends on q takes the
/// rotation of a force or motion from one body to the next: eight operations even in a plane.
std::int64_t least_operations(Algorithm algorithm, const Mechanism& mech) {
  const std::int64_t numbers = static_cast<std::int64_t>(mech.nv) * mech.nv, changing = 8 * count_coupled_pairs(mech);
  switch (algorithm) {
    case Algorithm::mass_matrix:
    case Algorithm::inverse_mass_matrix: return std::max(numbers, changing);
    case Algorithm::inverse_dynamics_derivatives: return std::max(2 * numbers, 2 * changing);
    case Algorithm::forward_dynamics_derivatives: return std::max(3 * numbers, 3 * changing);
    case Algorithm::forward_dynamics:
    case Algorithm::step: return mech.is_coupled() ? std::max(numbers, changing) : 0;
    default: return 0;  // grows only linearly with the mechanism
  }
}

/// Throws an Error that names the unsupported feature, instead of returning results of a different mechanism.
void refuse_what_is_not_recorded(Algorithm algorithm, const Mechanism& mech, const RecordOptions& options) {
  computable({.algorithm = algorithm, .run_as = RunAs::generated, .who = name_of(algorithm)}, mech);
  const auto refuse = [&](const std::string& message) {
    throw Error("generate-not-available", {},
                concat(name_of(algorithm), " of ", quoted(mech.name), " is not generated: ", message));
  };
  if (mech.independent.nv() == 0) refuse("nothing in it moves. Give it a joint.");
  if (algorithm == Algorithm::elastic_inverse_dynamics) {
    if (options.chain == nullptr) refuse("RecordOptions::chain is empty. Give it the drives of the mechanism.");
    const auto rubs = [](double friction) { return friction != 0; };
    const auto& rotors = options.chain->rotors;
    const auto rotor = std::find_if(rotors.begin(), rotors.end(), [&](const auto& r) { return rubs(r.friction); });
    const auto joint = std::find_if(options.chain->friction.begin(), options.chain->friction.end(), rubs);
    if (rotor != rotors.end() || joint != options.chain->friction.end()) {
      const std::string where =
          rotor != rotors.end()
              ? concat("drive ", quoted(rotor->name))
              : concat("joint ",
                       quoted(mech.layout.v[static_cast<std::size_t>(joint - options.chain->friction.begin())]));
      refuse(concat(where,
                    " has Coulomb friction, a jump with the direction of motion that recorded code does not "
                    "contain. Set friction to 0, and add it to the torques yourself."));
    }
  }
  if (algorithm == Algorithm::jacobian && options.frames.size() != 1) {
    refuse(concat("it is that of one frame, and ", options.frames.size(), " are named. Name one, such as hand.tip."));
  }
  if (const std::int64_t least = least_operations(algorithm, mech); least > options.most_operations) {
    throw Error("trace-too-large", {},
                concat(name_of(algorithm), " of ", quoted(mech.name), " takes some ", least,
                       " operations or more, with ", mech.nv, " degrees of freedom. At most ", options.most_operations,
                       " operations are recorded. Run it as \"flat\", whose loops do not grow with the mechanism."));
  }
}

/// Whether results are invariant under regrouping of inertias. They are not if gravity is not uniform.
bool may_regroup(Algorithm algorithm, const Mechanism& mech) {
  return mech.uniform_gravity && !traits(algorithm).is_of_motion();
}

/// No language can write a constant that is not finite.
void require_finite(Algorithm algorithm, const RecordedFunction& function, const Mechanism& mech,
                    const Parameters<double>& numbers) {
  for (const Expression& e : function.graph.all()) {
    if (e.operation != Operation::constant || std::isfinite(e.value)) continue;
    std::vector<std::string> singular;
    if (traits(algorithm).accelerates && !mech.is_coupled())
      singular = find_singular_joints(mech, numbers, numbers.q_start, mech.roles);
    throw Error("generate-not-available", {},
                concat(function.name, " of ", quoted(mech.name), " is not generated: ",
                       singular.empty()
                           ? concat("with the numbers of the model, an intermediate result is ", number_text(e.value),
                                    ". Look for masses, lengths or gear ratios that are extremely large or small.")
                           : concat("it divides by zero, since joint ", quoted(singular.front()),
                                    " moves nothing that has inertia. Give the bodies beyond it mass, or fix the "
                                    "joint.")));
  }
}

/// The limb of each body; −1: World, and bodies at or inboard of a branch.
std::vector<int> limbs_of_bodies(const Mechanism& mech) {
  const std::size_t n = mech.bodies.size();
  std::vector<int> children(n, 0), limb(n, -1);
  std::vector<bool> branches(n, false);  // at the body or in its subtree
  const auto parent = [&](std::size_t i) { return static_cast<std::size_t>(mech.bodies[i].parent); };
  for (std::size_t i = 1; i < n; ++i) ++children[parent(i)];
  for (std::size_t i = n; i-- > 1;) {
    if (children[i] > 1) branches[i] = true;
    if (branches[i]) branches[parent(i)] = true;
  }
  int count = 0;
  for (std::size_t i = 1; i < n; ++i) {
    if (branches[i]) continue;
    limb[i] = parent(i) > 0 && !branches[parent(i)] ? limb[parent(i)] : count++;
  }
  return limb;
}

/// The limb of each number of an array.
std::vector<int> limbs_of(const Mechanism& mech, const std::vector<int>& bodies, const FunctionArray& array) {
  std::vector<int> limbs(static_cast<std::size_t>(array.size()), -1);
  if (!is_of_joints(array.role)) return limbs;
  const bool positions = array.role == ArrayRole::configuration;
  const IndependentCoordinates& y = mech.independent;
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  std::vector<int> of_place(at(positions ? mech.nq : mech.nv), -1);
  for (std::size_t i = 0; i < mech.bodies.size(); ++i) {
    for (const int k : positions ? mech.bodies[i].q : mech.bodies[i].v) of_place[at(k)] = bodies[i];
  }
  // Joints that are coupled across limbs belong to no limb.
  for (const Cluster& cluster : mech.clusters) {
    const auto limb = [&](int dof) { return bodies[at(mech.body_of_dof[at(dof)])]; };
    const auto same = [&](int dof) { return limb(dof) == limb(cluster.dofs.front()); };
    if (std::all_of(cluster.dofs.begin(), cluster.dofs.end(), same)) continue;
    for (const int dof : cluster.dofs) of_place[at(positions ? position_of(mech, dof) : dof)] = -1;
  }
  for (std::size_t k = 0; k < (positions ? y.q : y.v).size(); ++k) limbs[k] = of_place[at((positions ? y.q : y.v)[k])];
  return limbs;
}

RecordedFunction record_once(Algorithm algorithm, const Mechanism& mech, const Parameters<double>& numbers,
                             const RecordOptions& options, bool signs_move) {
  RecordedFunction function;
  function.name = name_of(algorithm);
  function.graph.most = options.most_operations;
  function.graph.signs_move = signs_move;
  const Recording recording(function.graph);
  Recorder recorder{mech, options, recording, function};

  FunctionArray symbolic{ArrayRole::parameter, "p", "parameters that stay arguments", {}, 0, false};
  Parameters<Trace> par =
      symbolic_parameters(mech, numbers, options.symbolic, recording, Recorder::parameter_array, symbolic);
  if (options.regroup && may_regroup(algorithm, mech)) regroup_inertias(mech, par);
  recorder.run(algorithm, par);
  function.inputs.resize(Recorder::parameter_array);
  function.inputs.push_back(std::move(symbolic));
  const std::vector<int> bodies = limbs_of_bodies(mech);
  for (const FunctionArray& array : function.inputs) function.input_limbs.push_back(limbs_of(mech, bodies, array));
  for (const FunctionArray& array : function.outputs) function.output_limbs.push_back(limbs_of(mech, bodies, array));
  require_finite(algorithm, function, mech, numbers);
  return function;
}

}  // namespace

RecordedFunction record(Algorithm algorithm, const Mechanism& mech, const Parameters<double>& numbers,
                        const RecordOptions& options) {
  refuse_what_is_not_recorded(algorithm, mech, options);
  RecordedFunction function = record_once(algorithm, mech, numbers, options, true);
  const int most = options.most_in_straight_lines.value_or(options.many_states ? 50'000 : 4'500);
  if (make_schedule(function).operations <= most) return function;
  function = record_once(algorithm, mech, numbers, options, false);
  function.in_loops = true;
  return function;
}

}  // namespace articula::generate
