#include <articula/simulate/phased_simulation.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <set>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/build/restructure.h>
#include <articula/control/signals.h>
#include <articula/simulate/internal/checkpoint.h>
#include <articula/solve/internal/exposed_mechanism.h>
#include <articula/solve/internal/state_transfer.h>

namespace articula::simulate {
namespace {

constexpr std::string_view phased_magic = "ARTPHA01";

/// What earlier phases have given.
struct Before {
  std::int64_t phase = 0, rows = 0, events = 0;
  IntegratorCounts counts;
};

template <class B, class F>
void each_count(B& b, F&& f) {
  f(b.phase), f(b.rows), f(b.events);
  auto& n = b.counts;
  for (auto* each : {&n.steps, &n.rejected, &n.rates, &n.rates_for_jacobians, &n.jacobians, &n.factorizations,
                     &n.restarts, &n.switches})
    f(*each);
}

void put(std::vector<std::byte>& bytes, std::uint64_t x) {
  for (int k = 0; k < 8; ++k) bytes.push_back(static_cast<std::byte>((x >> (8 * k)) & 0xff));
}
std::uint64_t get(std::span<const std::byte> bytes, std::size_t at) {
  std::uint64_t x = 0;
  for (std::size_t k = 8; k-- > 0;) x = (x << 8) | static_cast<std::uint64_t>(bytes[at + k]);
  return x;
}

std::string text_of(const StructureChange& change) {
  return change.connect.empty() ? concat("disconnect ", quoted(change.disconnect))
                                : concat("connect ", quoted(change.connect));
}

Model changed(const Model& model, const Model& original, const StructureChange& change) {
  if (!change.disconnect.empty()) return disconnected(model, change.disconnect);
  if (change.from.entity.empty() && change.to.entity.empty()) return connected(model, original, change.connect);
  return connected(model, change.connect, change.joint, change.from, change.to);
}

void check(const std::vector<StructureChange>& changes, const SimulationOptions& options) {
  double last = options.begin;
  for (const StructureChange& change : changes) {
    const auto fail = [&](const auto&... what) { throw Error("structure-change", {}, concat("changes: ", what...)); };
    if (change.disconnect.empty() == change.connect.empty())
      fail("the change at ", change.at, " s needs either `disconnect` or `connect`, with the name of a joint.");
    if (!(change.at >= options.begin) || !(change.at < options.until))
      fail(text_of(change), " is at ", change.at, " s, outside of the run, ", options.begin, " to ", options.until,
           " s. Give a time inside it.");
    if (change.at < last)
      fail(text_of(change), " at ", change.at, " s comes after a change at ", last, " s. Write them in their order.");
    if (change.from.entity.empty() != change.to.entity.empty())
      fail(text_of(change), " needs both `from` and `to`, or neither: then it is a joint of the model.");
    if (!(change.gap >= 0) || !(change.gap_angle >= 0)) fail(text_of(change), ": gaps must be at least 0.");
    last = change.at;
  }
}

}  // namespace

/// Between two changes: `change` made it, none of the first.
struct PhasedSimulation::Phase {
  double begin = 0, until = 0;
  std::optional<StructureChange> change;
  Model model;
  std::unique_ptr<BlockSite> site;
  std::unique_ptr<System> system;
  std::unique_ptr<Simulation> simulation;
  std::vector<std::size_t> places;  ///< of its columns among all
};

PhasedSimulation::PhasedSimulation(const Model& model, std::vector<NamedTrajectory> trajectories,
                                   std::vector<BlockSpec> blocks, const SystemOptions& system,
                                   std::vector<StructureChange> changes, SimulationOptions options)
    : trajectories_(std::move(trajectories)), changes_(std::move(changes)), options_(std::move(options)) {
  check(changes_, options_);
  phases_.push_back({.begin = options_.begin, .model = model});
  for (const StructureChange& change : changes_) {
    phases_.back().until = change.at;
    phases_.push_back({.begin = change.at, .change = change, .model = changed(phases_.back().model, model, change)});
  }
  phases_.back().until = options_.until;
  std::vector<bool> fits(blocks.size(), false);
  SystemOptions options_of_phase = system;
  for (Phase& phase : phases_) {
    if (system.mechanism && phase.change) options_of_phase.mechanism = system.mechanism->of(phase.model);
    phase.site = std::make_unique<BlockSite>(phase.model, options_of_phase);
    make_blocks_of(phase, blocks, fits);
  }
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (!fits[k]) make_blocks(blocks, *phases_.front().site);  // says why
  }
  collect_columns();
}

PhasedSimulation::~PhasedSimulation() = default;

System& PhasedSimulation::first() { return *phases_.front().system; }
std::span<const Signal> PhasedSimulation::columns() const { return columns_; }
const Findings& PhasedSimulation::findings() const { return findings_; }

/// Of blocks that cannot be made here, or read what nothing gives here, none is.
void PhasedSimulation::make_blocks_of(Phase& phase, const std::vector<BlockSpec>& specs, std::vector<bool>& fits) {
  const auto spec_of = [&](const std::string& name) {
    return std::find_if(specs.begin(), specs.end(), [&](const BlockSpec& each) { return each.name == name; });
  };
  // A block with all that it wraps, the innermost first.
  const auto chain_of = [&](const BlockSpec& spec) {
    std::vector<BlockSpec> chain{spec};
    for (auto inner = spec_of(wrapped_by(spec)); inner != specs.end() && chain.size() <= specs.size();
         inner = spec_of(wrapped_by(*inner)))
      chain.insert(chain.begin(), *inner);
    return chain;
  };
  std::set<std::string> gone, wrapped;
  for (const BlockSpec& spec : specs) wrapped.insert(wrapped_by(spec));
  const auto leave_out = [&](const BlockSpec& spec, std::string why) {
    for (const BlockSpec& each : chain_of(spec)) gone.insert(each.name);
    if (!phase.change) return;
    const std::string prefix = concat("block ", quoted(spec.name), ": ");
    if (why.starts_with(prefix)) why.erase(0, prefix.size());
    findings_.push_back({Severity::warning, "block-left-out", spec.where,
                         concat("block ", quoted(spec.name), " is left out from t = ", phase.begin, " s (",
                                text_of(*phase.change), "): ", why)});
  };
  const auto left = [&] {
    std::vector<BlockSpec> all;
    for (const BlockSpec& spec : specs) {
      if (!gone.contains(spec.name)) all.push_back(spec);
    }
    return all;
  };
  for (const BlockSpec& spec : specs) {
    if (wrapped.contains(spec.name)) continue;  // with what wraps it
    try {
      make_blocks(chain_of(spec), *phase.site);
    } catch (const Error& error) {
      leave_out(spec, error.message());
    }
  }
  const BlockSite& site = *phase.site;
  for (bool again = true; again;) {
    again = false;
    std::set<std::string> signals;
    for (const std::string& q : site.q_names()) signals.insert(signal_name(JointSignal::q, q));
    for (const BlockSite::Dof& dof : site.dofs()) signals.insert(signal_name(JointSignal::v, dof.name));
    for (const NamedTrajectory& motion : trajectories_) {
      for (const char* order : {".q.", ".v.", ".a."}) {
        for (const std::string& each : motion.coordinates) signals.insert(motion.name + order + each);
      }
    }
    const std::vector<std::unique_ptr<Block>> blocks = make_blocks(left(), site);
    for (const auto& block : blocks) {
      for (const Signal& each : block->outputs()) signals.insert(block->name + "." + each.name);
      for (const Signal& each : block->states()) signals.insert(block->name + "." + each.name);
    }
    for (const auto& block : blocks) {
      for (const std::string& input : block->inputs()) {
        if (signals.contains(input) || !phase.change) continue;
        leave_out(*spec_of(block->name), concat("it reads ", quoted(input), ", which nothing gives."));
        again = true;
        break;
      }
    }
  }
  const std::vector<BlockSpec> used = left();
  for (const BlockSpec& spec : used) fits[static_cast<std::size_t>(spec_of(spec.name) - specs.begin())] = true;
  phase.system = std::make_unique<System>(site, trajectories_, make_blocks(used, site));
}

void PhasedSimulation::collect_columns() {
  const auto find = [](std::span<const Signal> all, const std::string& name) {
    return std::find_if(all.begin(), all.end(), [&](const Signal& each) { return each.name == name; });
  };
  columns_.push_back({"t", "s"});
  if (options_.signals.empty()) {
    for (const Phase& phase : phases_) {
      for (const Signal& signal : phase.system->signals()) {
        if (find(columns_, signal.name) == std::span<const Signal>(columns_).end()) columns_.push_back(signal);
      }
    }
  }
  for (const std::string& name : options_.signals) {
    std::vector<std::string> names;
    for (const Phase& phase : phases_) {
      const auto all = phase.system->signals();
      for (const Signal& signal : all) names.push_back(signal.name);
      if (const auto found = find(all, name); found != all.end()) {
        columns_.push_back(*found);
        names.clear();
        break;
      }
    }
    if (!names.empty())
      throw Error("no-such-signal", {},
                  concat("signal ", quoted(name), " not found.", choices(name, "Signals", names)));
  }
  for (Phase& phase : phases_) {
    if (!(phase.begin < phase.until)) continue;
    SimulationOptions chosen = options_;
    chosen.begin = phase.begin, chosen.until = phase.until;
    chosen.continues = phase.change.has_value();
    chosen.signals.clear();
    for (const std::string& name : options_.signals) {
      if (find(phase.system->signals(), name) != phase.system->signals().end()) chosen.signals.push_back(name);
    }
    if (options_.progress) {
      chosen.progress = [this](const Progress& now) {
        options_.progress({now.t, options_.begin, options_.until, now.rows, now.counts});
      };
    }
    phase.simulation = std::make_unique<Simulation>(*phase.system, chosen);
    for (const Signal& signal : phase.simulation->columns()) {
      const auto found = find(columns_, signal.name);
      phase.places.push_back(found == std::span<const Signal>(columns_).end()
                                 ? columns_.size()  // in no row: nothing of this phase was chosen
                                 : static_cast<std::size_t>(found - std::span<const Signal>(columns_).begin()));
    }
  }
}

std::uint64_t PhasedSimulation::fingerprint() const {
  Fingerprint print;
  for (const StructureChange& change : changes_) {
    print.add(change.at), print.add(change.disconnect), print.add(change.connect);
    print.add(static_cast<std::int64_t>(change.joint.kind));
    for (const double x :
         {change.joint.axis.v.x, change.joint.axis.v.y, change.joint.axis.v.z, change.gap, change.gap_angle})
      print.add(x);
    print.add(to_text(change.from)), print.add(to_text(change.to));
  }
  return print.value();
}

/// Rows of a phase become rows of the run. The one at a change waits for what becomes of the phase.
class PhasedSimulation::Sink final : public RowSink {
 public:
  Sink(RowSink& to, std::span<const Signal> columns, std::uint64_t fingerprint)
      : to_(to), row_(columns.size() + 1), fingerprint_(fingerprint) {
    to_.columns(columns);
  }
  void begin(const Phase& phase, bool last) { phase_ = &phase, last_ = last, waits_ = false; }

  void columns(std::span<const Signal>) override {}
  void row(std::span<const double> values) override {
    std::fill(row_.begin(), row_.end(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < values.size(); ++k) row_[phase_->places[k]] = values[k];
    waits_ = !last_ && values[0] >= phase_->until;
    if (!waits_) give();
  }
  void checkpoint(double t, std::span<const std::byte> bytes) override {
    std::vector<std::byte> all;
    for (const char each : phased_magic) all.push_back(static_cast<std::byte>(each));
    put(all, fingerprint_);
    each_count(before, [&](const auto& x) { put(all, static_cast<std::uint64_t>(static_cast<std::int64_t>(x))); });
    all.insert(all.end(), bytes.begin(), bytes.end());
    to_.checkpoint(t, all);
  }
  /// The run ends at the time of the change.
  void release() {
    if (waits_) give();
    waits_ = false;
  }
  bool waits() const { return waits_; }

  Before before;

 private:
  void give() { to_.row(std::span(row_).first(row_.size() - 1)); }

  RowSink& to_;
  std::vector<double> row_;  ///< with a place for what is not chosen
  std::uint64_t fingerprint_;
  const Phase* phase_ = nullptr;
  bool last_ = false, waits_ = false;
};

/// One call of run or resume.
class PhasedSimulation::Run {
 public:
  Run(PhasedSimulation& owner, RowSink& sink) : owner_(owner), sink_(sink, owner.columns_, owner.fingerprint()) {}

  Outcome begin(std::span<const double> y) {
    Outcome now;
    now.t = owner_.options_.begin;
    now.y.assign(y.begin(), y.end());
    if (owner_.phases_.front().simulation) {
      start(0);
      now = owner_.phases_.front().simulation->run(y, sink_);
    }
    return go_on(0, std::move(now));
  }
  Outcome resume(std::size_t phase, const Before& before, std::span<const std::byte> inner) {
    sink_.before = before;
    start(phase);
    return go_on(phase, owner_.phases_[phase].simulation->resume(inner, sink_));
  }

 private:
  void start(std::size_t k) {
    sink_.before.phase = static_cast<std::int64_t>(k);
    sink_.begin(owner_.phases_[k], k + 1 == owner_.phases_.size());
  }

  Outcome go_on(std::size_t k, Outcome now) {
    double seconds = now.seconds;
    Findings findings = now.findings;
    for (; now.end == RunEnd::done && k + 1 < owner_.phases_.size(); ++k) {
      Before& before = sink_.before;
      before.rows += now.rows - (sink_.waits() ? 1 : 0), before.events += now.events;
      before.counts += now.counts;
      std::vector<double> y = transferred(owner_.phases_[k], now.y, owner_.phases_[k + 1]);
      Phase& next = owner_.phases_[k + 1];
      start(k + 1);
      now.rows = 0, now.events = 0, now.counts = {}, now.seconds = 0, now.y = y;
      now.findings.clear();
      if (next.simulation) now = next.simulation->run(y, sink_);
      seconds += now.seconds;
      findings.insert(findings.end(), now.findings.begin(), now.findings.end());
    }
    sink_.release();
    now.rows += static_cast<long>(sink_.before.rows), now.events += static_cast<long>(sink_.before.events);
    now.counts += sink_.before.counts, now.seconds = seconds;
    now.findings = std::move(findings);
    return now;
  }

  /// The state after the change, and what became of it as findings.
  std::vector<double> transferred(Phase& from, std::span<const double> y, Phase& to) {
    const ExposedMechanism &old = *from.site->mechanism(), &next = *to.site->mechanism();
    std::vector<double> q(static_cast<std::size_t>(old.mech().nq)), v(static_cast<std::size_t>(old.mech().nv));
    old.map().to_q(y.first(old.nq()), q);
    old.map().to_tangent(y.subspan(old.nq(), old.nv()), v);
    const StructureChange& change = *to.change;
    const TransferredState state = [&] {
      try {
        return transfer_state({old.mech(), old.par()}, q, v, {next.mech(), next.par()}, next.map(), next.roles(),
                              {change.gap, change.gap_angle});
      } catch (const Error& error) {
        Findings all = error.errors();
        for (Finding& each : all)
          each.message = concat("at t = ", change.at, " s, ", text_of(change), ": ", each.message);
        throw Error(std::move(all));
      }
    }();
    if (state.caught) {
      char energy[32];
      std::snprintf(energy, sizeof energy, "%.4g", state.energy_lost);
      owner_.findings_.push_back({Severity::note,
                                  "catch-energy",
                                  {},
                                  concat("at t = ", change.at, " s, ", text_of(change), ": an inelastic catch, ",
                                         energy, " J of kinetic energy are lost.")});
    }
    StartState start{.q = std::vector<double>(next.nq()), .v = std::vector<double>(next.nv()), .t = change.at};
    for (const ExposedMechanism::Joint& joint : next.joints())
      std::copy_n(state.q.begin() + joint.flat_q, joint.q.count, start.q->begin() + joint.q.first);
    next.map().from_tangent(state.v, *start.v);
    std::vector<double> y_next = to.system->start(start);
    // Blocks go on where they were.
    const auto names = from.system->z_names(), names_next = to.system->z_names();
    for (std::size_t k = 0; k < names_next.size(); ++k) {
      const auto found = std::find(names.begin(), names.end(), names_next[k]);
      if (found == names.end()) continue;
      y_next[next.nq() + next.nv() + k] = y[old.nq() + old.nv() + static_cast<std::size_t>(found - names.begin())];
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!to.system->breaks(std::nextafter(change.at, -infinity), std::nextafter(change.at, infinity)).empty())
      to.system->on_break(change.at, y_next);
    return y_next;
  }

  PhasedSimulation& owner_;
  Sink sink_;
};

Outcome PhasedSimulation::run(std::span<const double> y, RowSink& sink) {
  if (y.size() != static_cast<std::size_t>(first().size())) {
    throw Error("state-size", {},
                concat("run: the state has ", y.size(), " entries, but the system has ", first().size(),
                       ". Ask the system for its start."));
  }
  return Run(*this, sink).begin(y);
}

Outcome PhasedSimulation::resume(std::span<const std::byte> checkpoint, RowSink& sink) {
  Before before;
  std::size_t at = phased_magic.size();
  const bool ours = checkpoint.size() > phased_magic.size() + 8 * 12 &&
                    std::memcmp(checkpoint.data(), phased_magic.data(), phased_magic.size()) == 0;
  if (!ours) {
    throw Error("checkpoint-damaged", {},
                "the checkpoint is not one of a run with changes of structure, or of another version. Resume from an "
                "earlier one, or run anew.");
  }
  const std::uint64_t print = get(checkpoint, at);
  at += 8;
  each_count(before, [&](auto& x) {
    x = static_cast<std::decay_t<decltype(x)>>(static_cast<std::int64_t>(get(checkpoint, at)));
    at += 8;
  });
  if (print != fingerprint() || before.phase < 0 || before.phase >= static_cast<std::int64_t>(phases_.size()) ||
      !phases_[static_cast<std::size_t>(before.phase)].simulation) {
    throw Error(
        "checkpoint-of-other-run", {},
        "the checkpoint is that of a run with other changes of structure. Resume with what the run began with, or "
        "run anew.");
  }
  return Run(*this, sink).resume(static_cast<std::size_t>(before.phase), before, checkpoint.subspan(at));
}

}  // namespace articula::simulate
