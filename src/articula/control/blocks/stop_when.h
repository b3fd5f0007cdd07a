#pragma once

#include <optional>

#include <articula/base/text.h>
#include <articula/control/block_site.h>

namespace articula::control {

/// A value of a signal: in SI without a unit, or in any unit of the signal's dimension.
struct SignalValue {
  SignalValue(double number = 0, std::optional<Dimension> unit = {}) : value(number), given(unit) {}  // NOLINT

  double value;
  std::optional<Dimension> given;  ///< dimension of the unit that was written

  friend bool operator==(const SignalValue&, const SignalValue&) = default;
};

/// Ends the run when a signal reaches a value.
struct StopWhen {
  static constexpr std::string_view name = "stop_when";
  static constexpr std::string_view about = "ends the run when a signal reaches a value";
  static constexpr std::array<SignalRow, 0> signals{};

  std::string signal;
  SignalValue reaches;

  friend bool operator==(const StopWhen&, const StopWhen&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("signal", self.signal, dimension::none, "signal to watch, e.g. `q.elbow`", "required");
    field("reaches", self.reaches, dimension::none,
          "value, in SI or with a unit of the dimension of the signal, e.g. `30 deg`");
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
  /// Throws if `reaches` has a unit that does not fit the signal.
  void need_unit(const BlockMaking& making, const std::string& unit) const;
};

class StopWhenBlock final : public BlockOf<StopWhenBlock> {
 public:
  explicit StopWhenBlock(const StopWhen& said) : said_(said) {}

  std::vector<std::string> inputs() const override { return {said_.signal}; }
  std::vector<Signal> outputs() const override { return {}; }
  int event_count() const override { return 1; }
  void event_values(double, std::span<const double> in, std::span<const double>, std::span<double> g) const override {
    g[0] = in[0] - said_.reaches.value;
  }
  std::string event_name(int) const override { return concat(said_.signal, " reaches ", said_.reaches.value); }
  bool on_event(int, double, std::span<const double>, std::span<double>) const override { return true; }

  template <class T>
  void evaluate(double, std::span<const T>, std::span<const T>, std::span<T>, std::span<T>) const {}

 private:
  StopWhen said_;
};

inline void StopWhen::need_unit(const BlockMaking& making, const std::string& unit) const {
  const auto own = to_quantity("1 " + unit).quantity;
  if (!reaches.given || !own || fits(*reaches.given, *own->dimension)) return;
  making.fail("unit-dimension", concat("reaches is in ", unit_text(*reaches.given), ", but ", signal, " is in ", unit,
                                       ". Give it in ", unit, " or another unit of that kind."));
}

inline std::unique_ptr<Block> StopWhen::make(const BlockMaking& making) const {
  making.need_text("signal", signal, "q.elbow");
  for (const BlockSite::Dof& dof : making.site.dofs()) {
    if (signal == "q." + dof.position) need_unit(making, dof.position_unit());
    if (signal == "v." + dof.name) need_unit(making, dof.speed_unit());
  }
  return making.done(std::make_unique<StopWhenBlock>(*this));
}

}  // namespace articula::control
