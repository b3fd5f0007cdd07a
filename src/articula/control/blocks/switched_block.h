#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <articula/control/block_site.h>

namespace articula::control {

/// Another block that is active in a time interval only; outside of it, its outputs are zero and its states constant.
struct SwitchedBlock {
  static constexpr std::string_view name = "switched";
  static constexpr std::string_view about =
      "another block, active in a time interval; outside of it, its outputs are zero and its states constant";
  static constexpr std::array<SignalRow, 0> signals{};
  static constexpr bool wraps = true;

  std::string block;
  double from = 0;
  double until = std::numeric_limits<double>::infinity();

  friend bool operator==(const SwitchedBlock&, const SwitchedBlock&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("block", self.block, dimension::none,
          "name of the block to switch; its signals take the name of the `switched` block", "required");
    field("from", self.from, dimension::time, "time from which the block acts");
    field("until", self.until, dimension::time, "time until which the block acts", "no end");
  }

  std::unique_ptr<Block> make(const BlockMaking& making, std::unique_ptr<Block> inner) const;
};

class GatedBlock final : public BlockOf<GatedBlock> {
 public:
  GatedBlock(const SwitchedBlock& said, std::unique_ptr<Block> inner) : said_(said), inner_(std::move(inner)) {}

  std::vector<std::string> inputs() const override { return inner_->inputs(); }
  std::vector<Signal> outputs() const override { return inner_->outputs(); }
  std::vector<Action> actions() const override { return inner_->actions(); }
  bool acts_through_drive() const override { return inner_->acts_through_drive(); }
  std::vector<int> commands() const override { return inner_->commands(); }
  std::vector<Signal> states() const override { return inner_->states(); }
  void start(double t, std::span<const double> in, std::span<const double> hold, std::span<double> z) const override {
    inner_->start(t, in, hold, z);
  }
  bool feeds_through() const override { return inner_->feeds_through(); }
  double period() const override { return inner_->period(); }
  double phase() const override { return inner_->phase(); }
  double delay() const override { return inner_->delay(); }
  void sample(double t, std::span<const double> in, std::span<double> z) const override { inner_->sample(t, in, z); }
  void release(std::span<double> z) const override { inner_->release(z); }
  int event_count() const override { return inner_->event_count(); }
  void event_values(double t, std::span<const double> in, std::span<const double> z,
                    std::span<double> g) const override {
    inner_->event_values(t, in, z, g);
  }
  std::string event_name(int k) const override { return inner_->event_name(k); }
  bool on_event(int k, double t, std::span<const double> in, std::span<double> z) const override {
    return acts(t) && inner_->on_event(k, t, in, z);
  }
  std::vector<double> breaks(double until) const override {
    std::vector<double> all = inner_->breaks(until);
    for (const double t : {said_.from, said_.until}) {
      if (t <= until) all.push_back(t);
    }
    return all;
  }
  void on_break(double t, std::span<const double> in, std::span<const double> hold,
                std::span<double> z) const override {
    if (t == said_.from) inner_->start(t, in, hold, z);
    inner_->on_break(t, in, hold, z);
  }

  template <class T>
  void evaluate(double t, std::span<const T> in, std::span<const T> z, std::span<T> out, std::span<T> zdot) const {
    if (acts(t)) {
      inner_->compute(t, in, z, out, zdot);
      return;
    }
    std::fill(out.begin(), out.end(), T(0));
    std::fill(zdot.begin(), zdot.end(), T(0));
  }

 private:
  bool acts(double t) const { return t >= said_.from && t < said_.until; }

  SwitchedBlock said_;
  std::unique_ptr<Block> inner_;
};

inline std::unique_ptr<Block> SwitchedBlock::make(const BlockMaking& making, std::unique_ptr<Block> inner) const {
  if (!(from < until))
    making.fail("block-value", "`from` is not before `until`. Give the time it begins to act and a later one.");
  return making.done(std::make_unique<GatedBlock>(*this, std::move(inner)));
}

}  // namespace articula::control
