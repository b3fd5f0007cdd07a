#pragma once

#include <articula/base/units.h>
#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// A direct-current motor with a gear, fed by an amplifier:
///
///     L·di/dt = u − R·i − k_e·gear·v,    tau = k_t·gear·i
///     du/dt   = (u_c − u)/amplifier_time,    u_c = command, limited to ±voltage_limit
///
/// Without inductance the current is not a state but (u − k_e·gear·v)/R; without an amplifier time u = u_c. The
/// inertia of the rotor is part of the model: see `drives`.
struct DcMotor {
  static constexpr std::string_view name = "dc_motor";
  static constexpr std::string_view about = "DC motor with coil, back-EMF, gear and amplifier";
  static constexpr std::array<SignalRow, 4> signals{
      {{"<joint>", "N*m or N", "force or torque on the joint"},
       {"current", "A", "current; a state if there is an `inductance`"},
       {"voltage", "V", "voltage; a state if there is an `amplifier_time`"},
       {"power", "W", "electrical power, voltage times current"}}};

  std::string joint;
  std::string command;
  double resistance = 0;
  double inductance = 0;
  double torque_constant = 0;
  std::optional<double> speed_constant;
  double gear = 1;
  double voltage_limit = std::numeric_limits<double>::infinity();
  double amplifier_time = 0;

  friend bool operator==(const DcMotor&, const DcMotor&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("joint", self.joint, dimension::none, "joint that it drives", "required");
    field("command", self.command, dimension::none, "signal with the commanded voltage, e.g. `servo.voltage`",
          "required");
    field("resistance", self.resistance, dimension::resistance, "resistance R of the coil", "required");
    field("inductance", self.inductance, dimension::inductance,
          "inductance L of the coil; 0: the current is not a state");
    field("torque_constant", self.torque_constant, dimension::torque_constant, "torque constant k_t", "required");
    field("speed_constant", self.speed_constant, dimension::speed_constant, "back-EMF constant k_e",
          "same number as `torque_constant`");
    field("gear", self.gear, dimension::none, "rotor speed over joint speed, signed");
    field("voltage_limit", self.voltage_limit, dimension::voltage, "largest voltage", "no limit");
    field("amplifier_time", self.amplifier_time, dimension::time,
          "time constant of the amplifier; 0: the voltage is not a state");
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

class DcMotorBlock final : public BlockOf<DcMotorBlock> {
 public:
  DcMotorBlock(BlockSite::Dof dof, const DcMotor& said)
      : dof_(std::move(dof)),
        said_(said),
        k_tau_(said.torque_constant * said.gear),
        k_v_(said.speed_constant.value_or(said.torque_constant) * said.gear),
        has_current_(said.inductance > 0),
        has_voltage_(said.amplifier_time > 0) {}

  std::vector<std::string> inputs() const override { return {said_.command, "v." + dof_.name}; }
  std::vector<Signal> outputs() const override {
    std::vector<Signal> all{{dof_.name, dof_.effort_unit()}, {"power", "W"}};
    if (!has_voltage_) all.push_back({"voltage", "V"});
    if (!has_current_) all.push_back({"current", "A"});
    return all;
  }
  std::vector<Action> actions() const override { return {{0, dof_.name}}; }
  std::vector<int> commands() const override { return {0}; }
  std::vector<Signal> states() const override {
    std::vector<Signal> all;
    if (has_current_) all.push_back({"current", "A"});
    if (has_voltage_) all.push_back({"voltage", "V"});
    return all;
  }
  /// In equilibrium: with the current that balances the load, and the voltage for that current.
  void start(double, std::span<const double> in, std::span<const double> hold, std::span<double> z) const override {
    const double i = hold.empty() ? 0 : hold[0] / k_tau_;
    std::size_t state = 0;
    if (has_current_) z[state++] = i;
    if (has_voltage_) z[state++] = limited(said_.resistance * i + k_v_ * in[1], said_.voltage_limit);
  }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T> z, std::span<T> out, std::span<T> zdot) const {
    const T u_c = limited(in[0], said_.voltage_limit);
    const T u = has_voltage_ ? z[has_current_ ? 1 : 0] : u_c;
    const T left = u - k_v_ * in[1];  // voltage across the coil
    const T i = has_current_ ? z[0] : left / said_.resistance;
    out[0] = k_tau_ * i;
    out[1] = u * i;
    std::size_t more = 2, state = 0;
    if (!has_voltage_) out[more++] = u;
    if (!has_current_) out[more++] = i;
    if (has_current_) zdot[state++] = (left - said_.resistance * i) / said_.inductance;
    if (has_voltage_) zdot[state++] = (u_c - u) / said_.amplifier_time;
  }

 private:
  BlockSite::Dof dof_;
  DcMotor said_;
  double k_tau_, k_v_;  ///< on the joint side
  bool has_current_, has_voltage_;
};

inline std::unique_ptr<Block> DcMotor::make(const BlockMaking& making) const {
  making.need_text("command", command, "servo.voltage");
  making.need_positive("resistance", resistance);
  making.need_not_negative("inductance", inductance);
  making.need_positive("torque_constant", torque_constant);
  making.need_positive("voltage_limit", voltage_limit);
  making.need_not_negative("amplifier_time", amplifier_time);
  if (gear == 0) making.fail("block-value", "gear is 0. It is rotor speed over joint speed, and may be negative.");
  return making.done(std::make_unique<DcMotorBlock>(making.dof(joint), *this));
}

}  // namespace articula::control
