#include <articula/simulate/simulation.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/simulate/internal/checkpoint.h>
#include <articula/simulate/internal/simulation_run.h>

namespace articula::simulate {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check(const SimulationOptions& options) {
  const auto fail = [](std::string_view what, double value, std::string_view allowed) {
    throw Error("run-option", {}, concat("run: ", what, " is ", value, ". ", allowed));
  };
  if (!std::isfinite(options.begin)) fail("begin", options.begin, "It must be a finite time.");
  const bool ends = options.until != infinity;
  if (!(options.until > options.begin))
    fail("until", options.until, concat("It must be a time after begin, ", options.begin, "."));
  if (!(options.output_every >= 0) || !std::isfinite(options.output_every))
    fail("output_every", options.output_every, "It must be at least 0; 0 gives a row for every step.");
  if (!(options.checkpoint_every >= 0) || !std::isfinite(options.checkpoint_every))
    fail("checkpoint_every", options.checkpoint_every, "It must be at least 0; 0 makes none.");
  constexpr double most = 1e12;
  for (const auto& [what, every] :
       {std::pair{"output_every", options.output_every}, {"checkpoint_every", options.checkpoint_every}}) {
    if (ends && every > 0 && (options.until - options.begin) / every > most)
      fail(what, every, "That gives more than 1e12 of them. Make it longer.");
  }
  if (options.most_steps < 1) fail("most_steps", static_cast<double>(options.most_steps), "It must be at least 1.");
  const double latest = std::max(std::abs(options.begin), ends ? std::abs(options.until) : 0),
               shortest = 16 * std::numeric_limits<double>::epsilon() * latest,
               most_steps = 1000 * static_cast<double>(options.most_steps);
  const bool fixed = has_fixed_step(options.integrator.method);
  for (const auto& [what, step, counts] :
       {std::tuple{"step", options.integrator.step, fixed}, {"max_step", options.integrator.max_step, true}}) {
    if (step > 0 && step < shortest)
      fail(what, step,
           concat("Times near ", latest, " s are ", shortest / 16, " s apart; give at least ", shortest, "."));
    if (ends && counts && step > 0 && (options.until - options.begin) / step > most_steps)
      fail(what, step,
           concat("That makes more than ", most_steps,
                  " steps (1000·most_steps). Make it longer, or raise most_steps."));
  }
}

/// Of all that must be the same for a run to go on.
std::uint64_t fingerprint_of(System& system, const SimulationOptions& options) {
  Fingerprint print;
  print.add(static_cast<std::int64_t>(options.integrator.method));
  for (const double x :
       {options.integrator.relative, options.integrator.absolute, options.integrator.step, options.integrator.max_step,
        options.begin, options.until, options.output_every, options.checkpoint_every})
    print.add(x);
  print.add(static_cast<std::int64_t>(options.integrator.use_jacobian));
  print.add(static_cast<std::int64_t>(options.on_limit));
  for (const std::string& signal : options.signals) print.add(signal);
  print.add(static_cast<std::int64_t>(system.fingerprint(options.begin, first_horizon(options))));
  return print.value();
}

}  // namespace

Simulation::Simulation(System& system, SimulationOptions options) : system_(system), options_(std::move(options)) {
  check(options_);
  system_.require_smooth(options_.begin, first_horizon(options_));
  check_integrator(options_.integrator, system_.size());
  columns_.push_back({"t", "s"});
  const auto add = [&](int place) {
    places_.push_back(place);
    columns_.push_back(system_.signals()[static_cast<std::size_t>(place)]);
  };
  for (const std::string& name : options_.signals) add(place_of(name));
  for (int k = 0; options_.signals.empty() && k < static_cast<int>(system_.signals().size()); ++k) add(k);
}

Simulation::~Simulation() = default;

std::span<const Signal> Simulation::columns() const { return columns_; }

/// Not in the constructor: checking a study asks for no signal by name.
void Simulation::index_signals() const {
  if (!signal_places_.empty()) return;
  for (const Signal& signal : system_.signals())
    signal_places_.emplace(signal.name, static_cast<int>(signal_places_.size()));
}

/// Of a signal, by name.
int Simulation::place_of(std::string_view name) const {
  index_signals();
  if (const auto found = signal_places_.find(name); found != signal_places_.end()) return found->second;
  std::vector<std::string> names;
  for (const Signal& signal : system_.signals()) names.push_back(signal.name);
  throw Error("no-such-signal", {}, concat("signal ", quoted(name), " not found.", choices(name, "Signals", names)));
}

std::uint64_t Simulation::fingerprint() {
  if (!fingerprint_) fingerprint_ = fingerprint_of(system_, options_);
  return *fingerprint_;
}

Outcome Simulation::run(std::span<const double> y, RowSink& sink) {
  require_end("run");
  begin("run", y, &sink);
  return finish();
}

Outcome Simulation::resume(std::span<const std::byte> checkpoint, RowSink& sink) {
  require_end("resume");
  restore(checkpoint, &sink);
  return finish();
}

void Simulation::require_end(std::string_view who) const {
  if (std::isfinite(options_.until)) return;
  throw Error(
      "run-option", {},
      concat(who, ": until is ", options_.until, ". A run needs a finite time; use start and advance instead."));
}

/// To the end. The sink is the caller's: nothing is given to it later.
Outcome Simulation::finish() {
  struct LeavesSink {
    Run& run;
    ~LeavesSink() { run.leave_sink(); }
  } const leaves_sink{*run_};
  run_->advance(options_.until);
  return run_->outcome();
}

void Simulation::start(std::span<const double> y, RowSink* sink) { begin("start", y, sink); }

void Simulation::start(StartState state, RowSink* sink) {
  system_.clear_forces();
  state.t = options_.begin;
  begin("start", system_.start(state), sink);
}

void Simulation::begin(std::string_view who, std::span<const double> y, RowSink* sink) {
  if (y.size() != static_cast<std::size_t>(system_.size())) {
    throw Error("state-size", {},
                concat(who, ": the state has ", y.size(), " entries, but the system has ", system_.size(),
                       ". Ask the system for its start."));
  }
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (std::isfinite(y[k])) continue;
    throw Error(
        "state-not-finite", {},
        concat(who, ": entry ", k, " of the state is ", number_text(y[k]), ". Only finite numbers are allowed."));
  }
  index_signals();
  run_ = std::make_unique<Run>(*this, sink);
  run_->begin(y);
}

void Simulation::restore(std::span<const std::byte> checkpoint, RowSink* sink) {
  const RunCheckpoint from = to_checkpoint(checkpoint, fingerprint());
  const std::size_t discrete =
      system_.modes().size() + (options_.on_limit == LimitPolicy::ignore ? 0 : system_.limits().size()) + Pace::size;
  if (from.y.size() != static_cast<std::size_t>(system_.size()) || from.discrete.size() != discrete) {
    throw Error("checkpoint-of-other-run", {},
                concat("the checkpoint has ", from.y.size(), " states and ", from.discrete.size(),
                       " modes, but the system has ", system_.size(), " and ", discrete, "."));
  }
  index_signals();
  run_ = std::make_unique<Run>(*this, sink);
  run_->resume(from);
}

Simulation::Run& Simulation::running(std::string_view who) const {
  if (run_) return *run_;
  throw Error("simulation-not-started", {},
              concat(who, ": the simulation has not been started. Call start or restore first."));
}

RunEnd Simulation::advance(double t) {
  Run& run = running("advance");
  const auto fail = [&](const auto&... why) { throw Error("advance-time", {}, concat("advance: t is ", why...)); };
  if (!std::isfinite(t)) fail(number_text(t), ". It must be a finite time.");
  if (t > options_.until) fail(t, " s, after until, ", options_.until, " s. Make until later, or infinite.");
  const double sample = t == options_.until ? t : std::min(system_.nearest_sample(t), options_.until);
  const double target = sample < run.t() ? t : sample;
  if (target < run.t())
    fail(t, " s, but the simulation is at ", run.t(), " s. Times must not decrease; restore a checkpoint to go back.");
  return run.advance(target);
}

double Simulation::t() const { return running("t").t(); }
std::span<const double> Simulation::state() { return running("state").state(); }
std::span<const double> Simulation::q() { return state().first(system_.q_names().size()); }
std::span<const double> Simulation::v() { return state().subspan(system_.q_names().size(), system_.v_names().size()); }
std::span<const double> Simulation::signals() { return running("signals").signals(); }

double Simulation::signal(std::string_view name) {
  Run& run = running("signal");
  return run.signals()[static_cast<std::size_t>(place_of(name))];
}

void Simulation::set_force(std::string_view dof, double force) {
  Run& run = running("set_force");
  run.note_forces(system_.set_force(dof, force));
}

int Simulation::frame(const PortRef& name) const { return system_.frame(name); }

void Simulation::set_load(const Load& load) {
  Run& run = running("set_load");
  run.note_forces(system_.set_load(load));
}

void Simulation::clear_forces() {
  Run& run = running("clear_forces");
  run.note_forces(system_.clear_forces());
}

std::vector<std::byte> Simulation::save() { return running("save").save(); }
Outcome Simulation::outcome() { return running("outcome").outcome(); }

}  // namespace articula::simulate
