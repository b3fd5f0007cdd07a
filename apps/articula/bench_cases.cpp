#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/batch/batch.h>
#include <articula/generate/compile.h>
#include <articula/joints/kinds.h>
#include <articula/mechanism/state.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/jacobian.h>
#include <articula/solve/mass_matrix.h>

#include "bench.h"

namespace articula::program {
namespace {

/// Pseudorandom numbers between −1 and 1, the same on every machine.
class Numbers {
 public:
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 4503599627370496.0 - 1.0;
  }
  void append(std::vector<double>& to, int count, double scale) {
    for (int k = 0; k < count; ++k) to.push_back(scale * (*this)());
  }

 private:
  std::uint64_t state_ = 7;
};

/// The number of states whose largest results fit into some memory, in whole packs.
int states_within(std::int64_t bytes, const Mechanism& mech, int most) {
  const std::int64_t numbers = 3 * std::int64_t{mech.nv} * mech.nv + 16 * std::int64_t{mech.nv} + 1;
  return static_cast<int>(std::clamp<std::int64_t>(bytes / (8 * numbers) / 16 * 16, 16, most));
}

/// Many states that fit into the second-level cache.
int states_for(const Mechanism& mech) { return states_within(1 << 20, mech, 256); }

/// More work for several threads, since starting threads takes microseconds.
int states_for(const Mechanism& mech, int threads) {
  return states_within(std::int64_t{threads} << 21, mech, 8 * threads * states_for(mech));
}

constexpr int most_velocities_of_matrices = 500;

/// The body frames of all moving bodies.
std::vector<PortRef> frames_of(const Mechanism& mech) {
  std::vector<PortRef> frames;
  for (const ConstituentPlace& place : mech.provenance.constituents) {
    if (place.body > 0) frames.push_back({place.name, ""});
  }
  return frames;
}

/// The frame for Jacobians: the last body.
PortRef last_frame(const Mechanism& mech) {
  const std::vector<PortRef> frames = frames_of(mech);
  return frames.empty() ? PortRef{"world", ""} : frames.back();
}

/// So short that states hardly change, however many steps are computed.
constexpr double time_step = 1e-9;

/// Selects the entries that a solver exposes from rows of independent coordinates.
std::vector<double> exposed(const std::vector<double>& rows, int states, std::span<const std::string> own,
                            std::span<const std::string> wanted) {
  if (std::equal(own.begin(), own.end(), wanted.begin(), wanted.end())) return rows;
  std::vector<std::size_t> place;
  for (const std::string& name : wanted) {
    place.push_back(static_cast<std::size_t>(std::find(own.begin(), own.end(), name) - own.begin()));
  }
  std::vector<double> result;
  for (std::size_t s = 0; s < at(states); ++s) {
    for (const std::size_t k : place) result.push_back(rows[s * own.size() + k]);
  }
  return result;
}

/// One state after another by a solver, as users call it: update with checks, then compute.
template <class S>
Work flat(std::shared_ptr<S> solver, const BenchStates& from, auto compute) {
  const IndependentCoordinates& own = solver->mechanism().independent;
  auto given = std::make_shared<BenchStates>(from);
  given->q = exposed(from.q, from.states, own.q_names, solver->q_names());
  for (auto rows : {&BenchStates::v, &BenchStates::vdot, &BenchStates::tau}) {
    (*given).*rows = exposed(from.*rows, from.states, own.v_names, solver->v_names());
  }
  Work work{.states = from.states};
  work.tick = [solver, given, compute](int state) {
    const std::size_t nq = at(solver->nq()), nv = at(solver->nv()), s = at(state);
    const auto row = [&](const std::vector<double>& rows, std::size_t n) { return VectorView(rows.data() + s * n, n); };
    solver->update({.q = row(given->q, nq),
                    .v = row(given->v, nv),
                    .vdot = row(given->vdot, nv),
                    .tau = row(given->tau, nv),
                    .loads = {}});
    compute(*solver);
  };
  work.pass = [tick = work.tick](int count) {
    for (int s = 0; s < count; ++s) tick(s);
    return count;
  };
  work.wrong = [solver] { return solver->report().ok() ? std::string() : to_text(solver->report()); };
  return work;
}

Work make_flat(Algorithm algorithm, const Model& model, const SolverOptions& options, const BenchStates& states) {
  const auto compute = [](auto& solver) { solver.compute(); };
  switch (algorithm) {
    case Algorithm::inverse_dynamics: return flat(std::make_shared<InverseDynamics>(model, options), states, compute);
    case Algorithm::forward_dynamics: return flat(std::make_shared<ForwardDynamics>(model, options), states, compute);
    case Algorithm::mass_matrix: return flat(std::make_shared<MassMatrix>(model, options), states, compute);
    case Algorithm::inverse_mass_matrix:
      return flat(std::make_shared<MassMatrix>(model, options), states,
                  [](MassMatrix& solver) { solver.compute_inverse(); });
    case Algorithm::kinematics: return flat(std::make_shared<ForwardKinematics>(model, options), states, compute);
    case Algorithm::jacobian:
      return flat(std::make_shared<Jacobian>(model, last_frame(build_mechanism(model, options.build).mechanism),
                                             JacobianFrame::local_world_aligned, options),
                  states, compute);
    case Algorithm::inverse_dynamics_derivatives:
      return flat(std::make_shared<Derivatives>(model, Derivatives::Of::inverse_dynamics, options), states, compute);
    case Algorithm::forward_dynamics_derivatives:
      return flat(std::make_shared<Derivatives>(model, Derivatives::Of::forward_dynamics, options), states, compute);
    default: break;
  }
  throw Error("bench-not-available", {},
              concat("there is no flat solver for ", name_of(algorithm),
                     ". Measure it as \"generated\", \"batched\" or \"batched_generated\"."));
}

template <class S>
std::vector<S> over(const std::vector<double>& from) {
  std::vector<S> to(from.size());
  std::transform(from.begin(), from.end(), to.begin(), [](double x) { return static_cast<S>(x); });
  return to;
}

template <class S, class B>
Work batched(std::shared_ptr<B> batch, const BenchStates& states) {
  batch->q().load(over<S>(states.q));
  batch->v().load(over<S>(states.v));
  if constexpr (requires { batch->vdot(); }) batch->vdot().load(over<S>(states.vdot));
  if constexpr (requires { batch->tau(); }) batch->tau().load(over<S>(states.tau));
  Work work{.states = states.states, .threads = batch->threads()};
  work.pass = [batch](int) {
    batch->compute();
    return batch->states();
  };
  work.wrong = [batch] { return batch->report().ok() ? std::string() : to_text(batch->report()); };
  return work;
}

template <class S>
Work make_batched(Algorithm algorithm, const Model& model, const BatchOptions& options, const BenchStates& states) {
  const auto make = [&]<class B>(std::type_identity<B>) {
    return batched<S>(std::make_shared<B>(model, states.states, options), states);
  };
  switch (algorithm) {
    case Algorithm::inverse_dynamics: return make(std::type_identity<BatchedInverseDynamics<S>>{});
    case Algorithm::forward_dynamics: return make(std::type_identity<BatchedForwardDynamics<S>>{});
    case Algorithm::mass_matrix: return make(std::type_identity<BatchedMassMatrix<S>>{});
    default: break;
  }
  if constexpr (std::is_same_v<S, double>) {
    switch (algorithm) {
      case Algorithm::inverse_mass_matrix: return make(std::type_identity<BatchedInverseMassMatrix>{});
      case Algorithm::inverse_dynamics_derivatives:
        return make(std::type_identity<BatchedInverseDynamicsDerivatives>{});
      case Algorithm::forward_dynamics_derivatives:
        return make(std::type_identity<BatchedForwardDynamicsDerivatives>{});
      case Algorithm::kinematics: {
        const std::vector<PortRef> frames = frames_of(build_mechanism(model, options.build).mechanism);
        return batched<S>(std::make_shared<BatchedKinematics>(model, states.states, frames, options), states);
      }
      case Algorithm::step: {
        const RolloutOptions rollout{.step = time_step};
        return batched<S>(std::make_shared<BatchedRollout>(model, states.states, rollout, options), states);
      }
      default: break;
    }
  }
  throw Error("bench-not-available", {},
              concat("there is no batch for ", name_of(algorithm), std::is_same_v<S, float> ? " of floats" : "",
                     ". Measure it as \"flat\", \"generated\" or \"batched_generated\"."));
}

CompileOptions::Form form_of(const Case& c) {
  if (c.way == Way::generated) return CompileOptions::Form::one_state;
  return c.single ? CompileOptions::Form::sixteen_floats : CompileOptions::Form::eight_doubles;
}

/// Code and its input and output arrays in the layout of lanes; with one lane, one state per call.
template <class S>
struct Generated {
  Generated(const RecordedFunction& function, CompileOptions::Form form, const BenchStates& states, int lanes)
      : code(function, {.form = form}) {
    for (const FunctionArray& array : function.inputs) {
      if (array.size() == 0) continue;
      in.emplace_back(states.states, array.size(), lanes).load(over<S>(states.rows(array.role)));
    }
    // Results of packs are kept, as in batches; the result of a single state is overwritten by the next, as in solvers.
    for (const FunctionArray& array : function.outputs) {
      out.emplace_back(lanes == 1 ? 1 : states.states, array.size(), lanes);
    }
    inputs.resize(in.size()), outputs.resize(out.size());
  }

  void compute(int g) {
    for (std::size_t k = 0; k < in.size(); ++k) inputs[k] = in[k].group(g);
    for (std::size_t k = 0; k < out.size(); ++k) outputs[k] = out[k].group(out[k].groups() == 1 ? 0 : g);
    code(inputs.data(), outputs.data());
  }

  int pass(int count) {
    const int lanes = in.front().lanes(), groups = (count + lanes - 1) / lanes;
    for (int g = 0; g < groups; ++g) compute(g);
    return groups * lanes;
  }

  std::string wrong() const {
    for (const LaneArray<S>& array : out) {
      for (int s = 0; s < array.states(); ++s) {
        for (int k = 0; k < array.width(); ++k) {
          if (!std::isfinite(array(s, k))) return concat("the results of state ", s, " are not finite.");
        }
      }
    }
    return "";
  }

  CompiledFunction code;
  std::vector<LaneArray<S>> in, out;
  std::vector<const S*> inputs;
  std::vector<S*> outputs;
};

template <class S>
Work generated(const RecordedFunction& function, CompileOptions::Form form, const BenchStates& states, int lanes) {
  const auto code = std::make_shared<Generated<S>>(function, form, states, lanes);
  Work work{.states = states.states,
            .pass = [code](int count) { return code->pass(count); },
            .wrong = [code] { return code->wrong(); }};
  if (lanes == 1) work.tick = [code](int state) { code->compute(state); };
  return work;
}

}  // namespace

std::string_view name_of(Way way) {
  switch (way) {
    case Way::flat: break;
    case Way::generated: return "generated";
    case Way::batched: return "batched";
    case Way::batched_generated: return "batched_generated";
  }
  return "flat";
}

bool is_generated(const Case& c) { return c.way == Way::generated || c.way == Way::batched_generated; }

std::string to_text(const Case& c) {
  return concat(name_of(c.algorithm), " as ", name_of(c.way), c.single ? " in single precision" : "",
                c.threads != 1 ? " on several threads" : "");
}

BenchStates::BenchStates(const Mechanism& mech, int count) : states(count) {
  Numbers numbers;
  const std::vector<double> neutral = neutral_configuration(mech);
  const IndependentCoordinates& y = mech.independent;
  std::vector<double> here(neutral), step;
  for (int s = 0; s < states; ++s) {
    step.clear();
    numbers.append(step, mech.nv, 1.5);
    for (const Body& body : mech.bodies) {
      visit_joint(body.joint, [&]<class J>(J) {
        J::advanced(neutral.data() + body.q.first, step.data() + body.v.first, here.data() + body.q.first);
      });
    }
    for (const int k : y.q) q.push_back(here[at(k)]);
    numbers.append(v, y.nv(), 2), numbers.append(vdot, y.nv(), 3), numbers.append(tau, y.nv(), 10);
    tau_h.insert(tau_h.end(), tau.end() - y.nv(), tau.end());
    tau_h.push_back(time_step);
  }
}

const std::vector<double>& BenchStates::rows(ArrayRole role) const {
  switch (role) {
    case ArrayRole::configuration: return q;
    case ArrayRole::velocity: return v;
    case ArrayRole::acceleration: return vdot;
    case ArrayRole::force_and_step: return tau_h;
    default: return tau;
  }
}

Workshop::Workshop(const Model& model, const BuildOptions& options)
    : model_(model),
      options_(options),
      built_(build_mechanism(model, options)),
      states_(built_.mechanism, states_for(built_.mechanism)),
      recorded_(2 * all_algorithms().size()) {
  model_.exterior = {};  // all joints move, in the mechanism's own order
}

Work Workshop::make(const Case& c) const {
  if (traits(c.algorithm).square && mechanism().nv > most_velocities_of_matrices) {
    throw Error("bench-too-large", {},
                concat("matrices of ", mechanism().nv, " rows are too large to be measured. At most ",
                       most_velocities_of_matrices, " velocities are allowed for ", name_of(c.algorithm), "."));
  }
  if (c.way == Way::flat) {
    SolverOptions options;
    options.build = options_;
    return make_flat(c.algorithm, model_, options, states_);
  }
  const BatchOptions options{.threads = c.threads, .build = options_};
  const int threads = c.threads == 0 ? static_cast<int>(std::max(1u, std::thread::hardware_concurrency())) : c.threads;
  const BenchStates more = threads == 1 ? states_ : BenchStates(mechanism(), states_for(mechanism(), threads));
  return c.single ? make_batched<float>(c.algorithm, model_, options, more)
                  : make_batched<double>(c.algorithm, model_, options, more);
}

std::size_t Workshop::place_of(const Case& c) {
  return 2 * static_cast<std::size_t>(c.algorithm) + (c.way == Way::generated ? 0 : 1);
}

void Workshop::record(const Case& c) {
  std::optional<RecordedFunction>& place = recorded_[place_of(c)];
  if (place) return;
  RecordOptions options{.most_operations = 200'000, .many_states = c.way != Way::generated};
  if (c.algorithm == Algorithm::jacobian) options.frames = {last_frame(mechanism())};
  place = articula::generate::record(c.algorithm, built_, options);
}

const RecordedFunction& Workshop::recorded(const Case& c) const { return *recorded_[place_of(c)]; }

bool Workshop::is_compiled(const Case& c) const {
  return CompiledFunction::is_cached(recorded(c), {.form = form_of(c)});
}

Work Workshop::make_generated(const Case& c) const {
  const RecordedFunction& function = recorded(c);
  if (c.way == Way::generated) return generated<double>(function, form_of(c), states_, 1);
  return c.single ? generated<float>(function, form_of(c), states_, 16)
                  : generated<double>(function, form_of(c), states_, 8);
}

}  // namespace articula::program
