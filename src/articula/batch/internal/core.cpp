#include <articula/batch/internal/core.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>

#include <tbb/info.h>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/batch/internal/check_states.h>
#include <articula/batch/internal/share_out.h>
#include <articula/build/not_computed.h>
#include <articula/closure/computed.h>
#include <articula/mechanism/frame_index.h>
#include <articula/mechanism/parameter_fields.h>
#include <articula/mechanism/state.h>

// Those that files for other instruction sets use.
template class std::vector<articula::mechanism::Range>;
template class std::vector<articula::spatial::PoseForm>;

namespace articula::batch {

template <class S>
LaneWorker<S>::~LaneWorker() = default;
template <class S>
LaneParameters<S>::~LaneParameters() = default;
template class LaneWorker<double>;
template class LaneWorker<float>;
template class LaneParameters<double>;
template class LaneParameters<float>;

namespace {

/// Calls f with the instruction set as a type.
template <class F>
auto with(InstructionSet set, F&& f) {
  switch (set) {
    case InstructionSet::avx512: return f(With<InstructionSet::avx512>{});
    case InstructionSet::avx2: return f(With<InstructionSet::avx2>{});
    default: return f(With<InstructionSet::baseline>{});
  }
}

constexpr int most_states = 1'000'000'000, most_threads_allowed = 4096;

void check_count(std::string_view batch, int states) {
  if (states >= 1 && states <= most_states) return;
  throw Error("batch-states", {},
              concat(batch, ": a batch of ", states, " states. It takes 1 to ", most_states,
                     "; compute more of them in several batches."));
}

/// Before memory is taken: a system that promises more than it has would end the program later.
void check_memory(std::string_view batch, const Mechanism& mech, int states, double bytes) {
  const double there = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (bytes <= there) return;
  throw Error("batch-too-large", {},
              concat(batch, " of ", quoted(mech.name), ": ", states, states == 1 ? " state needs " : " states need ",
                     static_cast<std::int64_t>(std::ceil(bytes / 1e9)), " GB, and this machine has ",
                     static_cast<std::int64_t>(there / 1e9), ". Compute them in several batches."));
}

/// Places in a group are counted by ints.
void check_width(std::string_view batch, const Mechanism& mech, std::int64_t width, int lanes) {
  const std::int64_t most = std::numeric_limits<int>::max() / lanes;
  if (width <= most) return;
  throw Error("batch-too-large", {},
              concat(batch, " of ", quoted(mech.name), ": one result of a state has ", width,
                     " numbers, and a batch takes at most ", most, ". Use the flat solver."));
}

BatchOptions checked(std::string_view batch, BatchOptions options) {
  if (options.threads < 0 || options.threads > most_threads_allowed) {
    throw Error("batch-threads", {},
                concat(batch, ": a batch on ", options.threads, " threads. Give 1 to ", most_threads_allowed,
                       ", or 0 for one on each core."));
  }
  if (options.threads == 0) options.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (!is_available(options.instructions)) {
    throw Error("batch-instructions", {},
                concat(batch, ": this processor does not have the instructions ", quoted(to_text(options.instructions)),
                       ". It has ", quoted(to_text(best_instruction_set())), "; leave the choice to the batch."));
  }
  return options;
}

/// Numbers of the results of one state.
std::vector<std::int64_t> result_widths(Algorithm algorithm, std::int64_t nv, std::int64_t frames) {
  std::vector<std::int64_t> widths;
  for (const Width width : traits(algorithm).in_lanes) {
    switch (width) {
      case Width::none: break;
      case Width::vector: widths.push_back(nv); break;
      case Width::matrix: widths.push_back(nv * nv); break;
      case Width::poses: widths.push_back(12 * frames); break;
      case Width::velocities: widths.push_back(6 * frames); break;
    }
  }
  return widths;
}

}  // namespace

template <class S>
Batch<S>::Core::Core(const Model& model, int states, const BatchOptions& wanted, const Plan& what)
    : options(checked(what.name, wanted)),
      plan(what),
      refresher(model, wanted.build),
      par(refresher.built().parameters),
      most_threads(tbb::global_control::max_allowed_parallelism,
                   std::max(at(options.threads), at(tbb::info::default_concurrency()))),
      arena(options.threads) {
  check_count(plan.name, states);
  check_rollout(plan.name, plan.rollout);
  computable({.algorithm = plan.algorithm,
              .run_as = RunAs::batched,
              .batch = true,
              .who = plan.name,
              .locked = locked_joint(mech(), model.exterior.joints)},
             mech());
  if (traits(plan.algorithm).accelerates) require_regular_joints(refresher.built(), par.q_start);
  const FrameIndex index(mech());
  for (const PortRef& frame : plan.frames) frames.push_back(index.at(frame));
  plan.frames = {};
  make_arrays(states);
  convert_numbers(par, shared);
  make_workers();
  if (auto contacts = contacts_not_computed(mech()); contacts && traits(plan.algorithm).forces)
    findings.push_back(std::move(*contacts));
}

template <class S>
void Batch<S>::Core::make_arrays(int states) {
  const IndependentCoordinates& y = mech().independent;
  const int lanes = lanes_of<S>(options.instructions), nv = y.nv();
  const int given = plan.takes_vdot || plan.takes_tau ? nv : 0;
  const auto widths = result_widths(plan.algorithm, nv, static_cast<std::int64_t>(frames.size()));
  double numbers = y.nq() + nv + given;
  for (const std::int64_t width : widths) {
    check_width(plan.name, mech(), width, lanes);
    numbers += static_cast<double>(width);
  }
  check_memory(plan.name, mech(), states, numbers * states * sizeof(S));
  q = LaneArray<S>(states, y.nq(), lanes);
  v = LaneArray<S>(states, nv, lanes);
  x = LaneArray<S>(states, given, lanes);
  for (int k = 0; k < y.nq(); ++k) q.fill(k, static_cast<S>(par.q_start[at(y.q[at(k)])]));
  for (const std::int64_t width : widths) results.emplace_back(states, static_cast<int>(width), lanes);
}

template <class S>
void Batch<S>::Core::make_workers() {
  if (options.own_parameters) {
    own.reset(with(options.instructions, [&](auto set) { return make_lane_parameters(set, q.groups(), shared); }));
    for (int g = 0; own && g < q.groups(); ++g) {
      for (int lane = 0; lane < q.lanes(); ++lane) own->set(g, lane, par);
    }
  }
  const LaneJob job{plan.algorithm, frames, plan.rollout};
  options.threads = std::min(options.threads, q.groups());
  for (int t = 0; t < options.threads; ++t) {
    workers.emplace_back(
        with(options.instructions, [&](auto set) { return make_lane_worker(set, job, mech(), shared, own.get()); }));
  }
  if (workers.front() == nullptr) {
    throw Error("batch-instructions", {},
                concat(plan.name, ": this program was compiled without code for the instructions ",
                       quoted(to_text(options.instructions)), ". Leave the choice to the batch."));
  }
  first_bad.resize(workers.size());
  if (options.threads == 1) return;
  // Threads are there before the first computation, which then allocates nothing.
  arena.initialize(options.threads);
  share_out(arena, 4 * options.threads, options.threads, [](int, int, int) {});
}

template <class S>
void Batch<S>::Core::check(const BatchState<S>& state) const {
  check_states({.name = plan.name,
                .v = plan.algorithm != Algorithm::mass_matrix && plan.algorithm != Algorithm::inverse_mass_matrix,
                .vdot = plan.takes_vdot,
                .tau = plan.takes_tau},
               mech(), q.states(), state);
}

/// Those whose length is not 1 to rounding, as solvers do; `check` saw that they are near it.
template <class S>
static void normalize_quaternions(const Mechanism& mech, LaneArray<S>& q) {
  for (const Body& body : mech.bodies) {
    const int quaternion = quaternion_in(body.joint);
    if (quaternion < 0) continue;
    const int first = mech.independent.first_q(body) + quaternion;
    for (int i = 0; i < q.states(); ++i) {
      S square = 0;
      for (int k = first; k < first + 4; ++k) square += q(i, k) * q(i, k);
      if (std::abs(square - 1) <= 8 * std::numeric_limits<S>::epsilon()) continue;
      const S length = std::sqrt(square);
      for (int k = first; k < first + 4; ++k) q(i, k) /= length;
    }
  }
}

template <class S>
void Batch<S>::Core::set(const BatchState<S>& state) {
  check(state);
  const auto take = [](std::span<const S> rows, LaneArray<S>& to) {
    if (!rows.empty()) return to.load(rows);
    for (int k = 0; k < to.width(); ++k) to.fill(k, S(0));
  };
  take(state.q, q);
  normalize_quaternions(mech(), q);
  take(state.v, v);
  take(plan.takes_vdot ? state.vdot : state.tau, x);
}

/// What is not finite when anything is; null where finite states give finite results.
template <class S>
const LaneArray<S>* Batch<S>::Core::telling_result() const {
  switch (plan.algorithm) {
    case Algorithm::mass_matrix:
    case Algorithm::kinematics: return nullptr;
    case Algorithm::step: return &v;
    case Algorithm::forward_dynamics_derivatives: return &results[2];
    default: return &results[0];
  }
}

template <class S>
void Batch<S>::Core::run(int group, LaneWorker<S>& worker) noexcept {
  LaneGroup<S> g{group, q.group(group), v.group(group), x.group(group), {}};
  for (std::size_t k = 0; k < results.size(); ++k) g.result[k] = results[k].group(group);
  worker.run(g);
}

template <class S>
Batch<S>::Batch(const Model& model, int states, const BatchOptions& options, const Plan& plan)
    : core_(std::make_unique<Core>(model, states, options, plan)) {}
template <class S>
Batch<S>::~Batch() = default;
template <class S>
Batch<S>::Batch(Batch&&) noexcept = default;
template <class S>
Batch<S>& Batch<S>::operator=(Batch&&) noexcept = default;

template <class S>
const Mechanism& Batch<S>::mechanism() const {
  return core_->mech();
}
template <class S>
int Batch<S>::states() const {
  return core_->q.states();
}
template <class S>
int Batch<S>::lanes() const {
  return core_->q.lanes();
}
template <class S>
int Batch<S>::threads() const {
  return core_->options.threads;
}
template <class S>
const Findings& Batch<S>::findings() const {
  return core_->findings;
}
template <class S>
const BatchReport& Batch<S>::report() const {
  return core_->report;
}
template <class S>
LaneArray<S>& Batch<S>::q() {
  return core_->q;
}
template <class S>
LaneArray<S>& Batch<S>::v() {
  return core_->v;
}
template <class S>
const LaneArray<S>& Batch<S>::q() const {
  return core_->q;
}
template <class S>
const LaneArray<S>& Batch<S>::v() const {
  return core_->v;
}
template <class S>
LaneArray<S>& Batch<S>::input() {
  return core_->x;
}
template <class S>
const LaneArray<S>& Batch<S>::result(int k) const {
  return core_->results[at(k)];
}
template <class S>
void Batch<S>::update(const BatchState<S>& state) {
  core_->set(state);
}

template <class S>
void Batch<S>::check() const {
  const auto rows = [](const LaneArray<S>& from) {
    std::vector<S> to(at(from.states()) * at(from.width()));
    from.store(to);
    return to;
  };
  const std::vector<S> q = rows(core_->q), v = rows(core_->v), x = rows(core_->x);
  core_->check({.q = q,
                .v = v,
                .vdot = core_->plan.takes_vdot ? std::span<const S>(x) : std::span<const S>(),
                .tau = core_->plan.takes_tau ? std::span<const S>(x) : std::span<const S>()});
}

template <class S>
void Batch<S>::refresh(const Model& model) {
  core_->refresher.refresh(model, core_->par);
  convert_numbers(core_->par, core_->shared);
  if (!core_->own) return;
  for (int state = 0; state < states(); ++state) core_->own->set(state / lanes(), state % lanes(), core_->par);
}

template <class S>
void Batch<S>::refresh(int state, const Model& model) {
  if (!core_->own) {
    throw Error("batch-shared-parameters", {},
                concat(core_->plan.name,
                       ": all states share one set of parameters. Make the batch with `own_parameters`, or "
                       "refresh all of them."));
  }
  if (state < 0 || state >= states()) {
    throw Error("batch-no-such-state", {},
                concat(core_->plan.name, ": there is no state ", state, ". States 0 to ", states() - 1,
                       " are there; make a larger batch."));
  }
  core_->refresher.refresh(model, core_->par);
  core_->own->set(state / lanes(), state % lanes(), core_->par);
}

/// The first state of a group with a number that is not finite; −1: none.
template <class S>
static int first_not_finite(const LaneArray<S>& x, int group) {
  if (all_finite(x.group(group), at(x.width() * x.lanes()))) return -1;
  const int first = group * x.lanes(), end = std::min(first + x.lanes(), x.states());
  for (int state = first; state < end; ++state) {
    for (int k = 0; k < x.width(); ++k) {
      if (!std::isfinite(x(state, k))) return state;
    }
  }
  return -1;
}

template <class S>
void Batch<S>::run() noexcept {
  Core& core = *core_;
  const int groups = core.q.groups();
  const LaneArray<S>* const seen = core.telling_result();
  std::fill(core.first_bad.begin(), core.first_bad.end(), states());
  const auto some = [&](int from, int to, int thread) {
    int& bad = core.first_bad[at(thread)];
    for (int g = from; g < to; ++g) {
      core.run(g, *core.workers[at(thread)]);
      if (seen == nullptr) continue;
      if (const int state = first_not_finite(*seen, g); state >= 0) bad = std::min(bad, state);
    }
  };
  if (threads() == 1) {
    some(0, groups, 0);
  } else {
    share_out(core.arena, groups, threads(), some);
  }
  const int bad = *std::min_element(core.first_bad.begin(), core.first_bad.end());
  core.report =
      bad < states() ? BatchReport{BatchReport::Status::not_finite, bad} : BatchReport{BatchReport::Status::done, -1};
}

template class Batch<double>;
template class Batch<float>;

}  // namespace articula::batch
