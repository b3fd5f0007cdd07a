#pragma once

#include <articula/base/units.h>
#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// Cascaded control loops of a drive: position to speed, speed to torque, and with a motor, torque to current and
/// current to voltage.
///
///     v_c = v_r + position_gain·(q_r − q),             limited to ±speed_limit
///     τ_c = speed_gain·(v_c − v) + z,                  limited to ±limit,   ż = speed_gain/speed_time·(v_c − v) + back
///     u   = current_gain·(τ_c/torque_per_current − i) + z_i,  limited to ±voltage_limit,   ż_i likewise
///
/// The integrals are reduced by back-calculation while their output is limited, with the integral time of their loop.
/// Without `motor` the output is τ_c, with it the voltage u; the current i is the state of that motor.
struct CascadeControl {
  static constexpr std::string_view name = "cascade";
  static constexpr std::string_view about =
      "position, speed and torque loops; with `motor` also current and voltage loops";
  static constexpr std::array<SignalRow, 4> signals{
      {{"<joint>", "N*m or N", "force or torque on the joint; with `motor` the commanded one, which does not act"},
       {"voltage", "V", "with `motor`: the command of the motor"},
       {"speed_integral", "N*m or N", "state, with `speed_time`: integral of the speed loop"},
       {"current_integral", "V", "state, with `current_time`: integral of the current loop"}}};

  Form form = Form::torsional;
  std::string joint;
  std::string reference;
  double position_gain = 0;
  double speed_gain = 0;
  double speed_time = 0;
  double speed_limit = std::numeric_limits<double>::infinity();
  double limit = std::numeric_limits<double>::infinity();
  std::string motor;
  double torque_per_current = 1;
  double current_gain = 0;
  double current_time = 0;
  double voltage_limit = std::numeric_limits<double>::infinity();

  friend bool operator==(const CascadeControl&, const CascadeControl&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    const bool turns = self.form == Form::torsional;
    Dimension per_current = force_or_torque(self.form);
    per_current.A -= 1;
    form_field(self, field);
    field("joint", self.joint, dimension::none, "joint to control", "required");
    field("reference", self.reference, dimension::none, "trajectory to follow", "required");
    field("position_gain", self.position_gain, dimension::rate, "speed per position error");
    field("speed_gain", self.speed_gain, damping_of(self.form), "force or torque per speed error");
    field("speed_time", self.speed_time, dimension::time, "integral time of the speed loop; 0: no integral");
    field("speed_limit", self.speed_limit, turns ? dimension::angular_speed : dimension::speed,
          "largest commanded speed", "no limit");
    field("limit", self.limit, force_or_torque(self.form), "largest force or torque", "no limit");
    field("motor", self.motor, dimension::none, "`dc_motor` block whose current is controlled",
          "none: the force or torque is the output");
    field("torque_per_current", self.torque_per_current, per_current, "force or torque per current of the motor");
    field("current_gain", self.current_gain, dimension::resistance, "voltage per current error");
    field("current_time", self.current_time, dimension::time, "integral time of the current loop; 0: no integral");
    field("voltage_limit", self.voltage_limit, dimension::voltage, "largest voltage", "no limit");
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

class CascadeBlock final : public BlockOf<CascadeBlock> {
 public:
  CascadeBlock(BlockSite::Dof dof, const CascadeControl& said)
      : dof_(std::move(dof)),
        said_(said),
        has_motor_(!said.motor.empty()),
        speed_rate_(said.speed_time > 0 ? 1 / said.speed_time : 0),
        current_rate_(said.current_time > 0 ? 1 / said.current_time : 0) {}

  std::vector<std::string> inputs() const override {
    std::vector<std::string> all{"q." + dof_.position, "v." + dof_.name, said_.reference + ".q." + dof_.name,
                                 said_.reference + ".v." + dof_.name};
    if (has_motor_) all.push_back(said_.motor + ".current");
    return all;
  }
  std::vector<Signal> outputs() const override {
    std::vector<Signal> all{{dof_.name, dof_.effort_unit()}};
    if (has_motor_) all.push_back({"voltage", "V"});
    return all;
  }
  std::vector<Action> actions() const override {
    if (has_motor_) return {};  // the motor acts
    return {{0, dof_.name}};
  }
  std::vector<Signal> states() const override {
    std::vector<Signal> all;
    if (speed_rate_ > 0) all.push_back({"speed_integral", dof_.effort_unit()});
    if (has_motor_ && current_rate_ > 0) all.push_back({"current_integral", "V"});
    return all;
  }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T> z, std::span<T> out, std::span<T> zdot) const {
    std::size_t state = 0;
    // One loop: proportional and integral, limited; the integral tracks the limited output.
    const auto loop = [&](const T& error, double gain, double rate, double limit) {
      const T u = rate > 0 ? gain * error + z[state] : gain * error;
      const T through = limited(u, limit);
      if (rate > 0) zdot[state++] = rate * (gain * error + (through - u));
      return through;
    };
    const T v_c = limited(in[3] + said_.position_gain * (in[2] - in[0]), said_.speed_limit);
    out[0] = loop(v_c - in[1], said_.speed_gain, speed_rate_, said_.limit);
    if (!has_motor_) return;
    out[1] = loop(out[0] / said_.torque_per_current - in[4], said_.current_gain, current_rate_, said_.voltage_limit);
  }

 private:
  BlockSite::Dof dof_;
  CascadeControl said_;
  bool has_motor_;
  double speed_rate_, current_rate_;
};

inline std::unique_ptr<Block> CascadeControl::make(const BlockMaking& making) const {
  making.need_text("reference", reference, "wave");
  const BlockSite::Dof dof = making.dof(joint);
  making.need_positions(std::span(&dof, 1));
  making.need_form(std::span(&dof, 1), form);
  making.need_not_negative("speed_time", speed_time);
  making.need_not_negative("current_time", current_time);
  making.need_positive("torque_per_current", torque_per_current);
  for (const auto& [property, value] :
       {std::pair{"speed_limit", speed_limit}, {"limit", limit}, {"voltage_limit", voltage_limit}})
    making.need_positive(property, value);
  return making.done(std::make_unique<CascadeBlock>(dof, *this));
}

}  // namespace articula::control
