#include <articula/simulate/simulation.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/integrate/events.h>
#include <articula/simulate/internal/checkpoint.h>
#include <articula/simulate/internal/limit_watch.h>

namespace articula {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A grid time this near to another, as a part of the grid's step, is the same.
constexpr double same_time = 1e-9;

/// Parts of a run's time, in each of which it must make progress, and steps that an event counts as.
constexpr double parts = 1000;
constexpr long steps_per_event = 100;

/// For estimates: three digits.
std::string short_text(double x) { return fmt::format("{:.3g}", x); }

bool is_fixed(Method method) { return method == Method::rk4 || method == Method::semi_implicit; }

void check(const SimulationOptions& options) {
  const auto fail = [](std::string_view what, double value, std::string_view allowed) {
    throw Error("run-option", {}, concat("run: ", what, " is ", value, ". ", allowed));
  };
  if (!std::isfinite(options.begin)) fail("begin", options.begin, "It must be a finite time.");
  if (!std::isfinite(options.until) || !(options.until > options.begin))
    fail("until", options.until, concat("It must be a time after begin, ", options.begin, "."));
  if (!(options.output_every >= 0) || !std::isfinite(options.output_every))
    fail("output_every", options.output_every, "It must be at least 0; 0 gives a row for every step.");
  if (!(options.checkpoint_every >= 0) || !std::isfinite(options.checkpoint_every))
    fail("checkpoint_every", options.checkpoint_every, "It must be at least 0; 0 makes none.");
  constexpr double most = 1e12;
  for (const auto& [what, every] :
       {std::pair{"output_every", options.output_every}, {"checkpoint_every", options.checkpoint_every}}) {
    if (every > 0 && (options.until - options.begin) / every > most)
      fail(what, every, "That gives more than 1e12 of them. Make it longer.");
  }
  if (options.most_steps < 1) fail("most_steps", static_cast<double>(options.most_steps), "It must be at least 1.");
  const double latest = std::max(std::abs(options.begin), std::abs(options.until)),
               shortest = 16 * std::numeric_limits<double>::epsilon() * latest,
               most_steps = parts * static_cast<double>(options.most_steps);
  const bool fixed = is_fixed(options.integrator.method);
  for (const auto& [what, step, counts] :
       {std::tuple{"step", options.integrator.step, fixed}, {"max_step", options.integrator.max_step, true}}) {
    if (step > 0 && step < shortest)
      fail(what, step,
           concat("Times near ", latest, " s are ", shortest / 16, " s apart; give at least ", shortest, "."));
    if (counts && step > 0 && (options.until - options.begin) / step > most_steps)
      fail(what, step,
           concat("That makes more than ", most_steps,
                  " steps (1000·most_steps). Make it longer, or raise most_steps."));
  }
}

/// Of all that must be the same for a run to go on.
std::uint64_t fingerprint(System& system, const SimulationOptions& options) {
  Fingerprint print;
  print.add(static_cast<std::int64_t>(options.integrator.method));
  for (const double x :
       {options.integrator.relative, options.integrator.absolute, options.integrator.step, options.integrator.max_step,
        options.begin, options.until, options.output_every, options.checkpoint_every})
    print.add(x);
  print.add(static_cast<std::int64_t>(options.integrator.use_jacobian));
  print.add(static_cast<std::int64_t>(options.on_limit));
  for (const std::string& signal : options.signals) print.add(signal);
  print.add(static_cast<std::int64_t>(system.fingerprint(options.begin, options.until)));
  return print.value();
}

}  // namespace

Simulation::Simulation(System& system, SimulationOptions options) : system_(system), options_(std::move(options)) {
  check(options_);
  system_.require_smooth(options_.begin, options_.until);
  check_integrator(options_.integrator, system_.size());
  columns_.push_back({"t", "s"});
  const std::span<const Signal> signals = system_.signals();
  if (options_.signals.empty()) {
    columns_.insert(columns_.end(), signals.begin(), signals.end());
    places_.resize(signals.size());
    std::iota(places_.begin(), places_.end(), 0);
    return;
  }
  std::unordered_map<std::string_view, int> places;
  for (std::size_t k = 0; k < signals.size(); ++k) places.emplace(signals[k].name, static_cast<int>(k));
  for (const std::string& name : options_.signals) {
    const auto found = places.find(name);
    if (found == places.end()) {
      std::vector<std::string> names;
      for (const Signal& signal : signals) names.push_back(signal.name);
      throw Error("no-such-signal", {},
                  concat("signal ", quoted(name), " not found.", choices(name, "Signals", names)));
    }
    places_.push_back(found->second);
    columns_.push_back(system_.signals()[static_cast<std::size_t>(places_.back())]);
  }
}

Simulation::~Simulation() = default;

std::span<const Signal> Simulation::columns() const { return columns_; }

/// One call of run or resume.
class Simulation::Run {
 public:
  /// Numbers of its own that a checkpoint holds beside the modes.
  static constexpr std::size_t kept_numbers = 4;

  Run(Simulation& owner, RowSink& sink)
      : system_(owner.system_),
        options_(owner.options_),
        sink_(sink),
        places_(owner.places_),
        integrator_(make_integrator(system_, options_.integrator)),
        events_(system_),
        y_(static_cast<std::size_t>(system_.size())),
        y_row_(y_.size()),
        slope_(y_.size()),
        values_(system_.signals().size()),
        row_(owner.columns_.size()),
        breaks_(system_.breaks(options_.begin, options_.until)),
        fingerprint_(options_.checkpoint_every > 0 ? fingerprint(system_, options_) : 0),
        began_(std::chrono::steady_clock::now()) {
    if (options_.on_limit != LimitPolicy::ignore) limits_.emplace(system_, options_.on_limit == LimitPolicy::stop);
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t k = 0; k < system_.signals().size(); ++k) places.emplace(system_.signals()[k].name, k);
    for (const std::string& name : system_.v_names()) accelerations_.push_back(places.at("a." + name));
    sink_.columns(owner.columns_);
  }

  Outcome begin(std::span<const double> y) {
    t_ = options_.begin;
    std::copy(y.begin(), y.end(), y_.begin());
    system_.end_before(infinity);
    if (!options_.continues) system_.sample(t_, y_);
    system_.make_consistent(t_, y_);
    next_checkpoint_ = 1;
    give_row(t_, y_);
    next_output_ = 1;
    if (limits_ && passes(limits_->look(t_, y_))) return outcome();
    return go();
  }

  Outcome resume(const RunCheckpoint& from) {
    t_ = from.t;
    y_ = from.y;
    next_output_ = from.next_output;
    next_checkpoint_ = from.next_checkpoint;
    rows_ = from.rows;
    events_met_ = from.events;
    before_ = from.counts;
    const std::size_t modes = system_.modes().size();
    system_.set_modes(std::span(from.discrete).first(modes));
    const std::size_t limits = from.discrete.size() - modes - Pace::size;
    if (limits_) limits_->set_passed(std::span(from.discrete).subspan(modes, limits));
    pace_ = Pace::from(std::span(from.discrete).subspan(modes + limits));
    integrator_->recall(from.memory);
    if (t_ < options_.until) ++before_.restarts;  // an undisturbed run begins anew here, too
    return go();
  }

 private:
  double output_time(std::int64_t k) const { return grid(k, options_.output_every); }
  double checkpoint_time(std::int64_t k) const { return grid(k, options_.checkpoint_every); }
  /// begin + k·every; at the end, exactly there; infinity beyond or without a grid.
  double grid(std::int64_t k, double every) const {
    if (every <= 0) return infinity;
    const double t = options_.begin + static_cast<double>(k) * every;
    if (std::abs(t - options_.until) <= same_time * every) return options_.until;
    return t < options_.until ? t : infinity;
  }

  /// From jump to jump.
  Outcome go() {
    while (t_ < options_.until) {
      if (!keeps_pace()) return outcome();
      const auto next_break = std::upper_bound(breaks_.begin(), breaks_.end(), t_);
      const double t_break = next_break == breaks_.end() ? infinity : *next_break;
      const double t_sample = system_.next_sample(t_), t_check = checkpoint_time(next_checkpoint_);
      const double stop = std::min({options_.until, t_break, t_sample, t_check});
      system_.end_before(t_break == stop ? stop : infinity);
      if (restart_) {
        integrator_->start(t_, y_);
        events_.start(t_, y_);
        restart_ = false;
      }
      if (!advance(stop)) return outcome();
      system_.end_before(infinity);
      if (t_break == stop) jump([&] { system_.on_break(stop, y_); });
      if (t_sample == stop) jump([&] { system_.sample(stop, y_); });
      give_rows_at_stop();
      if (restart_ && limits_ && passes(limits_->look(t_, y_))) return outcome();
      if (t_check == stop) {
        ++next_checkpoint_;
        restart_ = true;
        give_checkpoint();
      }
    }
    return outcome();
  }

  template <class F>
  void jump(F&& change) {
    change();
    restart_ = true;
  }

  /// To `stop`, or false where the run ends before.
  bool advance(double stop) {
    while (t_ < stop) {
      if (!keeps_pace()) return false;
      const StepStatus status = integrator_->step(stop);
      if (status != StepStatus::done) {
        if (last_row_ < t_) give_row(t_, y_);  // the last good state
        fail(status);
        return false;
      }
      watch_integrator();
      const int met = meet_events();
      if (met != 0) {
        if (met < 0) return false;
        continue;
      }
      if (const std::string what = system_.what_diverges(integrator_->y()); !what.empty()) {
        diverge(what);
        return false;
      }
      if (!watch_limits(integrator_->t())) return false;
      t_ = integrator_->t();
      std::copy(integrator_->y().begin(), integrator_->y().end(), y_.begin());
      give_rows_before(t_ < stop ? t_ : t_ - tolerance());  // that at the stop comes after what jumps there
      if (system_.is_inconsistent(y_)) {
        system_.make_consistent(t_, y_);
        integrator_->start(t_, y_);
        events_.start(t_, y_);
      }
      if (options_.output_every <= 0 && t_ < stop) give_row(t_, y_, t_, Slope::of_step);
      tell_progress();
      if (options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed)) {
        end_ = RunEnd::cancelled;
        what_ = concat("the run was cancelled at t = ", t_, " s.");
        return false;
      }
    }
    return true;
  }

  void warn(Severity severity, const char* code, std::string message) {
    findings_.push_back({severity, code, {}, std::move(message)});
  }

  /// Says once where steps are limited by stability, and where a fixed step is too long for it.
  void watch_integrator() {
    const auto name = [](Method method) { return method_names[static_cast<std::size_t>(method)]; };
    if (const auto& stiff = integrator_->stiffness(); stiff && !stiffness_told_) {
      stiffness_told_ = true;
      const std::string found =
          concat("run: at t = ", short_text(stiff->t), " s the motion is stiff: steps of ", short_text(stiff->step),
                 " s are as long as stability allows (h·|λ| = ", short_text(stiff->reach), "), not the tolerance. ");
      if (system_.size() > most_states_of_implicit_methods) {
        warn(Severity::warning, "run-stiff",
             concat(found, "Integrator ", quoted(name(options_.integrator.method)), " takes many of them: with ",
                    system_.size(), " states it cannot change to \"bdf\", which takes at most ",
                    most_states_of_implicit_methods, ". Soften what is stiff, or take a smaller model."));
      } else if (options_.integrator.method == Method::automatic) {
        warn(Severity::note, "run-stiff", concat(found, "Integrator \"auto\" goes on with \"bdf\"."));
      } else {
        warn(Severity::warning, "run-stiff",
             concat(found, "Integrator ", quoted(name(options_.integrator.method)),
                    " takes many of them. Choose \"bdf\", or \"auto\", which changes to it by itself."));
      }
    }
    const Stability& stability = integrator_->stability();
    if (is_fixed(options_.integrator.method) && !stability_told_ && stability.reach > stability.bound) {
      stability_told_ = true;
      const double h = options_.integrator.step;
      warn(Severity::warning, "run-step-too-long",
           concat("run: at t = ", short_text(integrator_->t()), " s the step, ", h,
                  " s, is too long for what moves fastest: h·|λ| = ", short_text(stability.reach), ", and ",
                  quoted(name(options_.integrator.method)), " is stable up to ", stability.bound,
                  ". The motion is not to be trusted from there on. Take steps of ",
                  short_text(0.5 * h * stability.bound / stability.reach),
                  " s or less, or an integrator that follows a tolerance."));
    }
  }

  /// 0: none; 1: one that the run goes on from; −1: one that ends it.
  int meet_events() {
    if (system_.event_count() == 0) return 0;
    const Event* event = events_.find(*integrator_);
    if (event == nullptr) return 0;
    if (!watch_limits(event->t)) return -1;
    give_rows_before(event->t);
    t_ = event->t;
    std::copy(event->y.begin(), event->y.end(), y_.begin());
    events_met_ += static_cast<long>(event->crossings.size());
    last_event_ = system_.event_name(event->crossings.back().function);
    bool ends = false;
    for (const EventCrossing& crossing : event->crossings) {
      if (!system_.on_event(crossing.function, t_, y_) || ends) continue;
      ends = true;
      what_ = concat("at t = ", t_, " s, ", system_.event_name(crossing.function), ".");
    }
    if (ends) {
      end_ = RunEnd::event;
      system_.end_before(infinity);
      give_row(t_, y_);
      return -1;
    }
    integrator_->start(t_, y_);
    events_.restart(t_, y_);
    return 1;
  }

  /// Of the last step, until t. False where the run ends at a limit.
  bool watch_limits(double t) {
    if (!limits_ || !(t > t_)) return true;
    // At rows too, so that none is beyond a limit without a word.
    double since = t_;
    for (std::int64_t k = next_output_; output_time(k) < t; ++k) {
      if (output_time(k) <= since) continue;
      if (passes(limits_->look(*integrator_, since, output_time(k)))) return false;
      since = output_time(k);
    }
    return !passes(limits_->look(*integrator_, since, t));
  }

  /// Whether the run ends because a limit is passed; the last row is then the state there.
  bool passes(const std::optional<LimitWatch::Passing>& passing) {
    if (!passing || options_.on_limit != LimitPolicy::stop) return false;
    if (passing->t > t_) {
      give_rows_before(passing->t);
      t_ = passing->t;
      integrator_->interpolate(t_, y_);
      system_.project(t_, y_);
    }
    end_ = RunEnd::event;
    what_ = concat("at t = ", fmt::format("{:.9g}", t_), " s ", passing->what, ".");
    if (last_row_ < t_) give_row(t_, y_);
    return true;
  }

  /// Whether the run moves on: by counts, so that it is the same in every run.
  bool keeps_pace() {
    ++pace_.looks;
    const double part = std::floor(parts * (t_ - options_.begin) / (options_.until - options_.begin));
    const long steps = counts().steps + counts().rejected;
    if (part > pace_.part) pace_ = {part, steps, events_met_, 0};
    const long taken = std::max(steps - pace_.steps, pace_.looks / 2), events = events_met_ - pace_.events;
    if (taken + steps_per_event * events <= options_.most_steps) return true;
    if (last_row_ < t_) give_row(t_, y_);
    end_ = RunEnd::stalled;
    const std::string took = events * steps_per_event > taken
                                 ? concat(events, " events, the last of them: ", last_event_)
                                 : concat(taken, " steps, rejected ones included");
    what_ = concat("at t = ", t_, " s the run makes no progress: within a thousandth of its time, ",
                   short_text((options_.until - options_.begin) / parts), " s, it took ", took,
                   ". Everything until then is kept. Look for what chatters, bounces without rest or is stiff (then "
                   "choose \"bdf\"), loosen the tolerance, or raise most_steps, ",
                   options_.most_steps, " now.");
    return false;
  }

  void diverge(const std::string& what) {
    if (last_row_ < t_) give_row(t_, y_);
    end_ = RunEnd::diverged;
    what_ = concat("at t = ", t_, " s the motion diverges: in the next step ", what,
                   ". Everything until then is kept. Look for what grows without bound, or take a smaller step.");
  }

  void fail(StepStatus status) {
    end_ = status == StepStatus::stalled ? RunEnd::stalled : RunEnd::no_value;
    const std::string when = concat("at t = ", t_, " s ");
    if (end_ == RunEnd::stalled) {
      what_ = concat(when, "the step became too small for the tolerance, ", options_.integrator.relative,
                     ". Everything until then is kept. Loosen the tolerance, choose an implicit integrator for what is "
                     "stiff, or look for something that jumps there.");
      return;
    }
    const std::string why = system_.what_is_not_finite(t_, y_);
    what_ = concat(when, "the motion has no finite value any more", why.empty() ? "" : ": " + why,
                   ". Everything until then is kept. Look for what grows without bound, or a smaller step.");
  }

  // Rows.
  void give_rows_before(double t) {
    for (double next = output_time(next_output_); next < t; next = output_time(++next_output_)) {
      integrator_->interpolate(next, y_row_);
      system_.project(next, y_row_);
      give_row(next, y_row_, next, Slope::of_step);
    }
  }
  /// The one that is due at the time where the run has stopped.
  void give_rows_at_stop() {
    const double next = output_time(next_output_);
    const Slope slope = restart_ ? Slope::of_state : Slope::of_step;
    if (next <= t_ + tolerance()) {
      ++next_output_;
      give_row(t_, y_, next, slope);
    } else if (options_.output_every <= 0 || t_ >= options_.until) {
      give_row(t_, y_, t_, slope);
    }
  }
  double tolerance() const { return same_time * options_.output_every; }

  /// Where accelerations of a row come from: f at its state, or the integrator's own slope in the last step where that is
  /// better, which is so in stiff systems.
  enum class Slope { of_state, of_step };
  void give_row(double t, std::span<const double> y) { give_row(t, y, t, Slope::of_state); }
  void give_row(double t, std::span<const double> y, double called, Slope slope) {
    if (system_.signal_values(t, y, values_) && slope == Slope::of_step) improve_accelerations(t);
    row_[0] = called;
    for (std::size_t k = 0; k < places_.size(); ++k) row_[k + 1] = values_[static_cast<std::size_t>(places_[k])];
    sink_.row(row_);
    last_row_ = t;
    ++rows_;
  }

  void improve_accelerations(double t) {
    const std::size_t first = system_.q_names().size();
    for (std::size_t k = 0; k < accelerations_.size(); ++k) slope_[first + k] = values_[accelerations_[k]];
    integrator_->improve_rate(t, slope_);
    for (std::size_t k = 0; k < accelerations_.size(); ++k) {
      if (!system_.is_given(k)) values_[accelerations_[k]] = slope_[first + k];
    }
  }

  void give_checkpoint() {
    std::vector<double> discrete(system_.modes().begin(), system_.modes().end());
    if (limits_) discrete.insert(discrete.end(), limits_->passed().begin(), limits_->passed().end());
    pace_.append_to(discrete);
    const RunCheckpoint checkpoint{
        t_, next_output_, next_checkpoint_, rows_, events_met_, counts(), integrator_->memory(), y_, discrete};
    sink_.checkpoint(t_, to_bytes(checkpoint, fingerprint_));
  }

  void tell_progress() {
    if (!options_.progress) return;
    // Every half percent, or five times a second where that takes longer.
    const auto now = std::chrono::steady_clock::now();
    if (t_ - told_t_ < 0.005 * (options_.until - options_.begin) && now - told_ < std::chrono::milliseconds(200))
      return;
    told_t_ = t_, told_ = now;
    options_.progress({t_, options_.begin, options_.until, rows_, counts()});
  }

  IntegratorCounts counts() const {
    IntegratorCounts sum = integrator_->counts();
    sum += before_;
    return sum;
  }

  Outcome outcome() {
    system_.end_before(infinity);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began_;
    system_.follow(t_, y_);
    Findings findings = limits_ ? limits_->findings() : Findings{};
    findings.insert(findings.end(), findings_.begin(), findings_.end());
    return {
        end_,    t_, what_, static_cast<long>(rows_), events_met_, counts(), seconds.count(), y_, integrator_->method(),
        findings};
  }

  /// Where the part of the run that it is in began.
  struct Pace {
    double part = -1;
    long steps = 0, events = 0;
    long looks = 0;  ///< at the pace itself: two for each step, more only where time stands still

    static constexpr std::size_t size = kept_numbers;
    void append_to(std::vector<double>& numbers) const {
      numbers.insert(numbers.end(),
                     {part, static_cast<double>(steps), static_cast<double>(events), static_cast<double>(looks)});
    }
    static Pace from(std::span<const double> numbers) {
      return {numbers[0], static_cast<long>(numbers[1]), static_cast<long>(numbers[2]), static_cast<long>(numbers[3])};
    }
  };

  System& system_;
  const SimulationOptions& options_;
  RowSink& sink_;
  const std::vector<int>& places_;
  std::unique_ptr<Integrator> integrator_;
  EventFinder events_;
  std::vector<double> y_, y_row_, slope_, values_, row_;
  std::vector<std::size_t> accelerations_;  ///< of all v, in the system's signals
  std::vector<double> breaks_;
  std::uint64_t fingerprint_;
  std::optional<LimitWatch> limits_;
  std::chrono::steady_clock::time_point began_, told_{};
  double t_ = 0, told_t_ = -infinity, last_row_ = -infinity;
  std::int64_t next_output_ = 0, next_checkpoint_ = 0, rows_ = 0;
  long events_met_ = 0;
  std::string last_event_;
  Pace pace_;
  IntegratorCounts before_;
  bool restart_ = true;
  RunEnd end_ = RunEnd::done;
  std::string what_;
  Findings findings_;
  bool stiffness_told_ = false, stability_told_ = false;
};

Outcome Simulation::run(std::span<const double> y, RowSink& sink) {
  if (y.size() != static_cast<std::size_t>(system_.size())) {
    throw Error("state-size", {},
                concat("run: the state has ", y.size(), " entries, but the system has ", system_.size(),
                       ". Ask the system for its start."));
  }
  return Run(*this, sink).begin(y);
}

Outcome Simulation::resume(std::span<const std::byte> checkpoint, RowSink& sink) {
  const RunCheckpoint from = to_checkpoint(checkpoint, fingerprint(system_, options_));
  const std::size_t discrete = system_.modes().size() +
                               (options_.on_limit == LimitPolicy::ignore ? 0 : system_.limits().size()) +
                               Run::kept_numbers;
  if (from.y.size() != static_cast<std::size_t>(system_.size()) || from.discrete.size() != discrete) {
    throw Error("checkpoint-of-other-run", {},
                concat("the checkpoint has ", from.y.size(), " states and ", from.discrete.size(),
                       " modes, but the system has ", system_.size(), " and ", discrete, "."));
  }
  return Run(*this, sink).resume(from);
}

}  // namespace articula
