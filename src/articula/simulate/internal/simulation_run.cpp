#include <articula/simulate/internal/simulation_run.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <articula/base/text.h>

namespace articula::simulate {
namespace {

/// A grid time this near to another, as a part of the grid's step, is the same.
constexpr double same_row = 1e-9;

/// The number of parts of a run's time, in each of which it must make progress.
constexpr double parts = 1000;

/// For estimates: three digits.
std::string short_text(double x) { return fmt::format("{:.3g}", x); }

}  // namespace

Simulation::Run::Run(Simulation& owner, RowSink* sink)
    : owner_(owner),
      system_(owner.system_),
      options_(owner.options_),
      sink_(sink),
      stepper_(system_, options_.integrator),
      reader_(system_),
      y_row_(static_cast<std::size_t>(system_.size())),
      row_(owner.columns_.size()),
      y_shown_(y_row_.size()),
      breaks_until_(first_horizon(options_)),
      began_(std::chrono::steady_clock::now()) {
  breaks_ = system_.breaks(options_.begin, breaks_until_);
  if (options_.on_limit != LimitPolicy::ignore) limits_.emplace(system_, options_.on_limit == LimitPolicy::stop);
  if (sink_ != nullptr) sink_->columns(owner.columns_);
}

void Simulation::Run::begin(std::span<const double> y) {
  system_.end_before(infinity);
  system_.clear_forces();
  if (options_.checkpoint_every > 0) owner_.fingerprint();
  std::copy(y.begin(), y.end(), y_row_.begin());
  if (!options_.continues) system_.sample(options_.begin, y_row_);
  stepper_.start(options_.begin, y_row_);
  next_checkpoint_ = 1;
  give_row(t(), stepper_.y(), t(), Slope::of_state);
  next_output_ = 1;
  look_at_limits_ = true;
}

void Simulation::Run::resume(const RunCheckpoint& from) {
  system_.end_before(infinity);
  system_.set_forces(from.forces);
  next_output_ = from.next_output;
  next_checkpoint_ = from.next_checkpoint;
  rows_ = from.rows;
  events_met_ = from.events;
  before_ = from.counts;
  const std::span<const double> discrete = from.discrete;
  const std::size_t modes = system_.modes().size(), limits = discrete.size() - modes - Pace::size;
  if (limits_) limits_->set_passed(discrete.subspan(modes, limits));
  pace_.take(discrete.subspan(modes + limits));
  stepper_.resume(from.t, from.y, discrete.first(modes), from.memory);
  if (t() < options_.until && before_.rates > 0) ++before_.restarts;  // an undisturbed run restarts here, too
}

/// begin + k·every; at the end, exactly there; infinity beyond or without a grid.
double Simulation::Run::grid(std::int64_t k, double every) const {
  if (every <= 0) return infinity;
  const double t = options_.begin + static_cast<double>(k) * every;
  if (std::abs(t - options_.until) <= same_row * every) return options_.until;
  return t < options_.until ? t : infinity;
}

double Simulation::Run::tolerance() const { return same_row * options_.output_every; }

/// The latest time to which steps may go: of a run without an end, half as far as known jumps are listed.
double Simulation::Run::last_stop() const {
  return std::isfinite(options_.until) ? options_.until : options_.begin + (breaks_until_ - options_.begin) / 2;
}

double Simulation::Run::next_break() {
  while (t() >= last_stop()) {
    const double known = std::nextafter(breaks_until_, -infinity);
    const double next = options_.begin + 2 * (breaks_until_ - options_.begin);
    system_.require_smooth(known, next);
    const std::vector<double> more = system_.breaks(known, next);
    breaks_.insert(breaks_.end(), more.begin(), more.end());
    breaks_until_ = next;
  }
  const auto found = std::upper_bound(breaks_.begin(), breaks_.end(), t());
  return found == breaks_.end() ? infinity : *found;
}

RunEnd Simulation::Run::advance(double target) {
  struct EndsNowhere {
    System& system;
    ~EndsNowhere() { system.end_before(infinity); }
  } const ends_nowhere{system_};
  end_ = RunEnd::done;
  what_.clear();
  advanced_from_ = t();
  if (!std::isfinite(options_.until)) pace_.begin(0, counts().steps + counts().rejected, events_met_);
  apply_forces();
  values_ = {};
  const bool ends_step = std::exchange(forces_were_set_, false);
  if (std::exchange(look_at_limits_, false) && limits_ && passes(limits_->look(t(), stepper_.y()))) return end_;
  while (t() < target) {
    if (!in_segment_) {
      if (!keeps_pace()) return end_;
      begin_segment();
    }
    if (!go_on(target, ends_step)) return end_;
    if (t() == stop_ && !end_segment()) return end_;
  }
  return end_;
}

void Simulation::Run::begin_segment() {
  t_break_ = next_break();
  t_sample_ = system_.next_sample(t());
  t_check_ = checkpoint_time(next_checkpoint_);
  stop_ = std::min({last_stop(), t_break_, t_sample_, t_check_});
  in_segment_ = true;
}

/// To `target` or to the stop; false where the run ends before.
bool Simulation::Run::go_on(double target, bool ends_step) {
  system_.end_before(t_break_ == stop_ ? stop_ : infinity);
  const double until = std::min(target, stop_);
  while (t() < until) {
    if (!stepper_.is_ahead() && !take_step(ends_step ? until : stop_)) return false;
    const double next = std::min(until, stepper_.end());
    if (!watch_limits(next)) return false;
    if (next < stepper_.end()) {
      give_rows_before(next);
      stepper_.move_to(next);
    } else if (stepper_.event() != nullptr) {
      if (!meet_event()) return false;
    } else if (!end_step()) {
      return false;
    }
    if (t() < stop_ && output_time(next_output_) == t()) {
      ++next_output_;
      give_row(t(), present(), t(), slope());
    }
  }
  return true;
}

/// Handles everything that happens at the stop; false if the run ends there.
bool Simulation::Run::end_segment() {
  in_segment_ = false;
  system_.end_before(infinity);
  const bool jumps = t_break_ == stop_ || t_sample_ == stop_;
  if (t_break_ == stop_) system_.on_break(stop_, stepper_.jump());
  if (t_sample_ == stop_) system_.sample(stop_, stepper_.jump());
  give_rows_at_stop();
  if (jumps && limits_ && passes(limits_->look(t(), stepper_.y()))) return false;
  if (t_check_ == stop_) {
    ++next_checkpoint_;
    stepper_.restart();
    if (sink_ != nullptr) sink_->checkpoint(t(), checkpoint());
  }
  return true;
}

bool Simulation::Run::take_step(double stop) {
  if (!keeps_pace()) return false;
  if (const StepStatus status = stepper_.step(stop); status != StepStatus::done) return fail(status);
  watch_integrator();
  if (stepper_.event() != nullptr) return true;
  const std::string what = system_.what_diverges(stepper_.integrator().y());
  return what.empty() || diverge(what);
}

/// False if it ends the run.
bool Simulation::Run::meet_event() {
  const Event& event = *stepper_.event();
  give_rows_before(event.t);
  stepper_.move_to(event.t);
  events_met_ += static_cast<long>(event.crossings.size());
  last_event_ = event.crossings.back().function;
  const std::optional<int> ending = stepper_.meet_event();
  if (!ending) return true;
  end_ = RunEnd::event;
  what_ = concat("at t = ", t(), " s, ", system_.event_name(*ending), ".");
  system_.end_before(infinity);
  give_row(t(), stepper_.y(), t(), Slope::of_state);
  return false;
}

/// False if the run is cancelled.
bool Simulation::Run::end_step() {
  stepper_.move_to(stepper_.end());
  give_rows_before(t() < stop_ ? t() : t() - tolerance());  // that at the stop comes after what jumps there
  stepper_.correct();
  if (options_.output_every <= 0 && t() < stop_) give_row(t(), stepper_.y(), t(), slope());
  tell_progress();
  if (options_.cancel == nullptr || !options_.cancel->load(std::memory_order_relaxed)) return true;
  end_ = RunEnd::cancelled;
  what_ = concat("the run was cancelled at t = ", t(), " s.");
  return false;
}

/// Whether the run moves on: by counts, so that it is the same in every run.
bool Simulation::Run::keeps_pace() {
  const double length = options_.until - options_.begin;
  const IntegratorCounts now = counts();
  pace_.look(std::isfinite(length) ? std::floor(parts * (t() - options_.begin) / length) : 0, now.steps + now.rejected,
             events_met_);
  if (pace_.is_within(options_.most_steps)) return true;
  give_last_row();
  end_ = RunEnd::stalled;
  const std::string took = pace_.events() * Pace::steps_per_event > pace_.steps()
                               ? concat(pace_.events(), " events, the last of them: ", system_.event_name(last_event_))
                               : concat(pace_.steps(), " steps, rejected ones included");
  const std::string within = std::isfinite(length)
                                 ? concat("within a thousandth of its time, ", short_text(length / parts), " s")
                                 : concat("since t = ", advanced_from_, " s, when it was advanced");
  what_ = concat("at t = ", t(), " s the run makes no progress: ", within, ", it took ", took,
                 ". Everything until then is kept. Look for what chatters, bounces without rest or is stiff (then "
                 "choose \"bdf\"), loosen the tolerance, or raise most_steps, ",
                 options_.most_steps, " now.");
  return false;
}

/// Rows of the last step, up to t. False if the run ends at a limit.
bool Simulation::Run::watch_limits(double time) {
  if (!limits_ || !(time > t())) return true;
  // Checked at rows too, so that no row beyond a limit is unreported.
  double since = t();
  for (std::int64_t k = next_output_; output_time(k) < time; ++k) {
    if (output_time(k) <= since) continue;
    if (passes(limits_->look(stepper_.integrator(), since, output_time(k)))) return false;
    since = output_time(k);
  }
  return !passes(limits_->look(stepper_.integrator(), since, time));
}

/// Whether the run ends because a limit is passed; the last row is then the state there.
bool Simulation::Run::passes(const std::optional<LimitWatch::Passing>& passing) {
  if (!passing || options_.on_limit != LimitPolicy::stop) return false;
  if (passing->t > t()) {
    give_rows_before(passing->t);
    stepper_.move_to(passing->t);
  }
  end_ = RunEnd::event;
  what_ = concat("at t = ", fmt::format("{:.9g}", t()), " s ", passing->what, ".");
  give_last_row();
  return true;
}

void Simulation::Run::warn(Severity severity, const char* code, std::string message) {
  findings_.push_back({severity, code, {}, std::move(message)});
}

/// Says once where steps are limited by stability, and where a fixed step is too long for it.
void Simulation::Run::watch_integrator() {
  const auto name = [](Method method) { return method_names[static_cast<std::size_t>(method)]; };
  const Integrator& integrator = stepper_.integrator();
  if (const auto& stiff = integrator.stiffness(); stiff && !stiffness_told_) {
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
  const Stability& stability = integrator.stability();
  if (has_fixed_step(options_.integrator.method) && !stability_told_ && stability.reach > stability.bound) {
    stability_told_ = true;
    const double h = options_.integrator.step;
    warn(Severity::warning, "run-step-too-long",
         concat("run: at t = ", short_text(integrator.t()), " s the step, ", h,
                " s, is too long for what moves fastest: h·|λ| = ", short_text(stability.reach), ", and ",
                quoted(name(options_.integrator.method)), " is stable up to ", stability.bound,
                ". The motion is not to be trusted from there on. Take steps of ",
                short_text(0.5 * h * stability.bound / stability.reach),
                " s or less, or an integrator that follows a tolerance."));
  }
}

bool Simulation::Run::diverge(const std::string& what) {
  give_last_row();
  stepper_.restart();
  end_ = RunEnd::diverged;
  what_ = concat("at t = ", t(), " s the motion diverges: in the next step ", what,
                 ". Everything until then is kept. Look for what grows without bound, or take a smaller step.");
  return false;
}

bool Simulation::Run::fail(StepStatus status) {
  give_last_row();
  end_ = status == StepStatus::stalled ? RunEnd::stalled : RunEnd::no_value;
  const std::string when = concat("at t = ", t(), " s ");
  if (end_ == RunEnd::stalled) {
    what_ = concat(when, "the step became too small for the tolerance, ", options_.integrator.relative,
                   ". Everything until then is kept. Loosen the tolerance, choose an implicit integrator for what is "
                   "stiff, or look for something that jumps there.");
    return false;
  }
  const std::string why = system_.what_is_not_finite(t(), stepper_.y());
  what_ = concat(when, "the motion has no finite value any more", why.empty() ? "" : ": " + why,
                 ". Everything until then is kept. Look for what grows without bound, or a smaller step.");
  return false;
}

void Simulation::Run::give_rows_before(double time) {
  for (double next = output_time(next_output_); next < time; next = output_time(++next_output_)) {
    if (sink_ != nullptr) {
      stepper_.integrator().interpolate(next, y_row_);
      system_.project(next, y_row_);
    }
    give_row(next, y_row_, next, Slope::of_step);
  }
}

/// The one that is due at the time where the run has stopped.
void Simulation::Run::give_rows_at_stop() {
  const double next = output_time(next_output_);
  if (next <= t() + tolerance()) {
    ++next_output_;
    give_row(t(), stepper_.y(), next, slope());
  } else if (options_.output_every <= 0 || t() >= options_.until) {
    give_row(t(), stepper_.y(), t(), slope());
  }
}

void Simulation::Run::give_last_row() {
  if (last_row_ < t()) give_row(t(), stepper_.y(), t(), Slope::of_state);
}

/// Without a sink, rows are only counted.
void Simulation::Run::give_row(double time, std::span<const double> y, double called, Slope slope) {
  last_row_ = time;
  ++rows_;
  if (sink_ == nullptr) return;
  values_ = {};
  const std::span<const double> values = reader_.read(time, y, slope, stepper_.integrator());
  row_[0] = called;
  for (std::size_t k = 0; k < owner_.places_.size(); ++k)
    row_[k + 1] = values[static_cast<std::size_t>(owner_.places_[k])];
  sink_->row(row_);
}

std::vector<std::byte> Simulation::Run::checkpoint() {
  std::vector<double> discrete(system_.modes().begin(), system_.modes().end());
  if (limits_) discrete.insert(discrete.end(), limits_->passed().begin(), limits_->passed().end());
  pace_.append_to(discrete);
  const RunCheckpoint checkpoint{.t = t(),
                                 .next_output = next_output_,
                                 .next_checkpoint = next_checkpoint_,
                                 .rows = rows_,
                                 .events = events_met_,
                                 .counts = counts(),
                                 .memory = stepper_.integrator().memory(),
                                 .y = {stepper_.y().begin(), stepper_.y().end()},
                                 .discrete = std::move(discrete),
                                 .forces = system_.forces()};
  return to_bytes(checkpoint, owner_.fingerprint());
}

std::vector<std::byte> Simulation::Run::save() {
  apply_forces();
  stepper_.restart();
  in_segment_ = false;
  values_ = {};
  return checkpoint();
}

void Simulation::Run::note_forces(bool changed) {
  forces_were_set_ = true;
  if (changed) forces_changed_ = true;
}

void Simulation::Run::apply_forces() {
  if (!std::exchange(forces_changed_, false)) return;
  system_.make_consistent(t(), stepper_.jump());
  look_at_limits_ = true;
  values_ = {};
}

/// y as a row has it: between stops rows are projected, as those inside a step are.
std::span<const double> Simulation::Run::present() {
  std::copy(stepper_.y().begin(), stepper_.y().end(), y_shown_.begin());
  if (in_segment_ && !stepper_.is_ahead()) system_.project(t(), y_shown_);
  system_.follow(t(), y_shown_);
  return y_shown_;
}

std::span<const double> Simulation::Run::state() {
  apply_forces();
  return present();
}

std::span<const double> Simulation::Run::signals() {
  apply_forces();
  if (values_.empty()) values_ = reader_.read(t(), present(), slope(), stepper_.integrator());
  return values_;
}

void Simulation::Run::tell_progress() {
  if (!options_.progress) return;
  // Every half percent, or five times a second where that takes longer.
  const auto now = std::chrono::steady_clock::now();
  if (t() - told_t_ < 0.005 * (options_.until - options_.begin) && now - told_ < std::chrono::milliseconds(200)) return;
  told_t_ = t(), told_ = now;
  options_.progress({t(), options_.begin, options_.until, rows_, counts()});
}

IntegratorCounts Simulation::Run::counts() const {
  IntegratorCounts sum = stepper_.integrator().counts();
  sum += before_;
  return sum;
}

Outcome Simulation::Run::outcome() {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began_;
  const std::span<const double> y = state();
  Findings findings = limits_ ? limits_->findings() : Findings{};
  findings.insert(findings.end(), findings_.begin(), findings_.end());
  return {.end = end_,
          .t = t(),
          .what = what_,
          .rows = static_cast<long>(rows_),
          .events = events_met_,
          .counts = counts(),
          .seconds = seconds.count(),
          .y = {y.begin(), y.end()},
          .method = stepper_.integrator().method(),
          .findings = std::move(findings)};
}

}  // namespace articula::simulate
