#pragma once

#include <algorithm>
#include <cmath>

#include <articula/control/block_site.h>

namespace articula::control {

/// A digital controller: another block that reads inputs and updates outputs at fixed times only.
///
/// At t_k = phase + k·period it reads its inputs, rounded to the steps of its sensors; computes; advances its own
/// states by one period, z ← z + period·f(t, in, z); and at t_k + delay, the outputs, rounded to the steps of its
/// converter, take effect and are held until the next ones. The delay may be longer than a period. Until the first
/// outputs take effect, the outputs are those of the first sample.
struct SampledBlock {
  static constexpr std::string_view name = "sampled";
  static constexpr std::string_view about =
      "another block as a digital controller: sampled and held at fixed times, delayed and quantized";
  static constexpr std::array<SignalRow, 3> signals{
      {{"held.<output>", "unit of the output", "state: the output that acts"},
       {"late<n>.<output>", "unit of the output", "state, with `delay`: the n-th output that does not act yet"},
       {"sampled", "1", "state: whether there was a sample, 0 or 1"}}};
  static constexpr bool wraps = true;

  Form form = Form::torsional;
  std::string block;
  double period = 0;
  double phase = 0;
  double delay = 0;
  double position_step = 0;
  double speed_step = 0;
  double output_step = 0;

  friend bool operator==(const SampledBlock&, const SampledBlock&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("form", self.form, dimension::none,
          "whether `position_step` and `speed_step` are of turning (`torsional`) or sliding (`translational`) joints");
    field("block", self.block, dimension::none,
          "name of the block to sample; its signals take the name of the `sampled` block", "required");
    field("period", self.period, dimension::time, "sampling period", "required");
    field("phase", self.phase, dimension::time, "time of the first sample");
    field("delay", self.delay, dimension::time,
          "time from a sample to the output that results from it, at most 1000 periods");
    field("position_step", self.position_step, length_or_angle(self.form),
          "resolution of the position sensors, for inputs `q.…`; 0: exact");
    field("speed_step", self.speed_step, self.form == Form::torsional ? dimension::angular_speed : dimension::speed,
          "resolution of the speed sensors, for inputs `v.…`; 0: exact");
    field("output_step", self.output_step, dimension::none, "resolution of the outputs, in SI; 0: exact");
  }

  std::unique_ptr<Block> make(const BlockMaking& making, std::unique_ptr<Block> inner) const;
};

/// z = [states of the inner block, outputs that act, delayed outputs (the oldest first), whether there was a sample].
class HeldBlock final : public BlockOf<HeldBlock> {
 public:
  HeldBlock(const SampledBlock& said, std::unique_ptr<Block> inner)
      : said_(said),
        inner_(std::move(inner)),
        inputs_(inner_->inputs()),
        n_out_(inner_->outputs().size()),
        n_z_(inner_->states().size()),
        whole_(static_cast<std::size_t>(std::floor(said.delay / said.period + 1e-9))),
        rest_(std::max(0.0, said.delay - static_cast<double>(whole_) * said.period)) {
    if (rest_ < 1e-9 * said.period) rest_ = 0;
    for (const std::string& input : inputs_) {
      step_.push_back(input.starts_with("q.") ? said.position_step : input.starts_with("v.") ? said.speed_step : 0.0);
    }
    in_.resize(inputs_.size());
    out_.resize(n_out_);
    zdot_.resize(n_z_);
  }

  std::vector<std::string> inputs() const override { return inputs_; }
  std::vector<Signal> outputs() const override { return inner_->outputs(); }
  std::vector<Action> actions() const override { return inner_->actions(); }
  bool acts_through_drive() const override { return inner_->acts_through_drive(); }
  std::vector<int> commands() const override { return inner_->commands(); }
  bool feeds_through() const override { return false; }

  std::vector<Signal> states() const override {
    std::vector<Signal> all = inner_->states();
    const std::vector<Signal> out = inner_->outputs();
    for (const Signal& signal : out) all.push_back({"held." + signal.name, signal.unit});
    for (std::size_t s = 0; s < slots(); ++s) {
      for (const Signal& signal : out) all.push_back({"late" + std::to_string(s + 1) + "." + signal.name, signal.unit});
    }
    all.push_back({"sampled", "1"});
    return all;
  }
  void start(double t, std::span<const double> in, std::span<const double> hold, std::span<double> z) const override {
    std::fill(z.begin(), z.end(), 0.0);
    inner_->start(t, in, hold, z.first(n_z_));
  }

  double period() const override { return said_.period; }
  double phase() const override { return said_.phase; }
  double delay() const override { return rest_; }

  void sample(double t, std::span<const double> in, std::span<double> z) const override {
    for (std::size_t k = 0; k < in.size(); ++k) in_[k] = rounded(in[k], step_[k]);
    inner_->compute(t, std::span<const double>(in_), std::span<const double>(z.first(n_z_)), std::span(out_),
                    std::span(zdot_));
    for (std::size_t k = 0; k < n_z_; ++k) z[k] += said_.period * zdot_[k];
    for (double& u : out_) u = rounded(u, said_.output_step);
    double& sampled = z.back();
    if (sampled == 0) {
      // The first sample also stands for all earlier ones.
      for (std::size_t s = 0; s <= slots(); ++s) put(z, s, out_);
    }
    sampled = 1;
    const std::span<double> held = z.subspan(n_z_, n_out_);
    if (slots() == 0) {
      std::copy(out_.begin(), out_.end(), held.begin());
      return;
    }
    if (rest_ == 0) std::copy_n(slot(z, 1).begin(), n_out_, held.begin());  // acts at this time
    for (std::size_t s = 1; s < slots(); ++s) std::copy_n(slot(z, s + 1).begin(), n_out_, slot(z, s).begin());
    put(z, slots(), out_);
  }
  void release(std::span<double> z) const override {
    if (z.back() == 0) return;  // there was no sample yet
    std::copy_n(slot(z, 1).begin(), n_out_, z.begin() + static_cast<std::ptrdiff_t>(n_z_));
  }

  template <class T>
  void evaluate(double, std::span<const T>, std::span<const T> z, std::span<T> out, std::span<T> zdot) const {
    for (std::size_t k = 0; k < n_out_; ++k) out[k] = z[n_z_ + k];
    std::fill(zdot.begin(), zdot.end(), T(0));
  }

 private:
  /// Number of delayed outputs: whole periods of the delay, plus one for a remaining fraction.
  std::size_t slots() const { return whole_ + (rest_ > 0 ? 1 : 0); }
  /// Slot 0 holds the outputs that act.
  std::span<double> slot(std::span<double> z, std::size_t s) const { return z.subspan(n_z_ + s * n_out_, n_out_); }
  void put(std::span<double> z, std::size_t s, const std::vector<double>& out) const {
    std::copy(out.begin(), out.end(), slot(z, s).begin());
  }
  static double rounded(double x, double step) { return step > 0 ? step * std::round(x / step) : x; }

  SampledBlock said_;
  std::unique_ptr<Block> inner_;
  std::vector<std::string> inputs_;
  std::size_t n_out_, n_z_, whole_;
  double rest_;  ///< the delay without its whole periods
  std::vector<double> step_;
  mutable std::vector<double> in_, out_, zdot_;
};

inline std::unique_ptr<Block> SampledBlock::make(const BlockMaking& making, std::unique_ptr<Block> inner) const {
  making.need_positive("period", period);
  for (const auto& [property, value] : {std::pair{"phase", phase},
                                        {"delay", delay},
                                        {"position_step", position_step},
                                        {"speed_step", speed_step},
                                        {"output_step", output_step}})
    making.need_not_negative(property, value);
  constexpr double most_periods = 1000;
  if (delay > most_periods * period)
    making.fail("block-value", "delay is longer than 1000 periods. Make it shorter, or the period longer.");
  if (inner->period() > 0) making.fail("block-wraps", "what it samples is sampled already. Sample it once.");
  if (inner->event_count() > 0)
    making.fail("block-wraps",
                "what it samples switches at events of its own, and cannot be sampled. Sample controllers.");
  return making.done(std::make_unique<HeldBlock>(*this, std::move(inner)));
}

}  // namespace articula::control
