#pragma once

#include <optional>

#include <articula/base/units.h>
#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// A hydraulic cylinder with compressible oil in its two chambers, the valve that feeds them, and its two end stops.
///
///     force   f = A_A·p_A − A_B·p_B − damping·ẋ + f_stop               along the stroke x, outward
///     oil     ṗ_A = bulk_modulus/V_A·(Q_A − A_A·ẋ − Q_L),              V_A = dead_volume_a + A_A·x
///             ṗ_B = bulk_modulus/V_B·(Q_B + A_B·ẋ + Q_L),              V_B = dead_volume_b + A_B·(stroke − x)
///     leak    Q_L = leakage·(p_A − p_B)
///     valve   u > 0:  Q_A = K·u·φ(p_S − p_A),   Q_B = −K·u·φ(p_B − p_T)
///             u < 0:  Q_A = K·u·φ(p_A − p_T),   Q_B = −K·u·φ(p_S − p_B)
///             φ(Δ) = Δ/(Δ² + ε²)^¼ ≈ sign(Δ)·√|Δ|,   K = nominal_flow/√nominal_drop
///     stops   f_stop = ±max(0, stop_stiffness·d + stop_damping·ḋ) inward while d ≥ 0,
///             d = −x at the retracted end, d = x − stroke at the extended end
///
/// with supply and tank pressures p_S and p_T. All pressures are relative to the ambient pressure (gauge); only
/// `ambient_pressure` and `vapour_pressure` are absolute. The opening u, −1 … 1, is the command, or constant; the valve
/// closes at `close_at`, during `closing_time`. A piston drives a prismatic joint directly, x = x_0 + q; a revolute
/// joint through a lever, x = x_0 + lever·q; or it acts along the line between two frames, x = distance −
/// retracted_length. [Jelali & Kroll 2003, 4.2]  With a closed valve the oil is a spring: ω² = 4·β·A²/(V·m) for two
/// equal chambers.
///
/// The pressure of a chamber does not fall below the vapour pressure: vapour fills it, and the mass of oil is kept, see
/// Oil. The states `oil_a` and `oil_b` are the pressures of full chambers; below the vapour pressure they measure the
/// missing oil. Q_L is a volume at the vapour pressure, so that oil that leaves one chamber enters the other. While the
/// piston compresses a stop, the volumes are those at the end of the stroke. Defaults of a stop: it yields by a
/// thousandth of the stroke under the supply pressure, 10 MPa at least, on the larger area; its damping is 1 ms times
/// its stiffness.
struct HydraulicCylinder {
  static constexpr std::string_view name = "hydraulic_cylinder";
  static constexpr std::string_view about =
      "cylinder with two chambers of compressible oil, a valve that can close, cavitation and end stops";
  static constexpr std::array<SignalRow, 13> signals{
      {{"<joint>", "N*m or N", "force or torque on each joint that it moves"},
       {"force", "N", "force of the cylinder, outward"},
       {"stroke", "m", "position of the piston"},
       {"opening", "1", "valve opening"},
       {"flow_a", "m^3/s", "flow into chamber A"},
       {"flow_b", "m^3/s", "flow into chamber B"},
       {"pressure_a", "Pa", "pressure of chamber A"},
       {"pressure_b", "Pa", "pressure of chamber B"},
       {"vapour_a", "m^3", "vapour volume in chamber A"},
       {"vapour_b", "m^3", "vapour volume in chamber B"},
       {"stop_force", "N", "force of the end stops, a part of `force`"},
       {"oil_a", "Pa", "state: pressure of chamber A; below the vapour pressure, a measure of the missing oil"},
       {"oil_b", "Pa", "state: likewise for chamber B"}}};

  std::string joint;
  std::string from, to;
  double lever = 0;
  double x_0 = 0;
  double retracted_length = 0;
  double stroke = 0;
  double area_a = 0, area_b = 0;
  double dead_volume_a = 0, dead_volume_b = 0;
  double damping = 0;
  double leakage = 0;
  double bulk_modulus = 1.4e9;
  double supply_pressure = 0, tank_pressure = 0;
  double nominal_flow = 0, nominal_drop = 35e5;
  double soft_pressure = 1e4;
  std::string command;
  double opening = 0;
  double close_at = std::numeric_limits<double>::infinity();
  double closing_time = 0;
  std::optional<double> pressure_a, pressure_b;
  double ambient_pressure = 101325;
  double vapour_pressure = 0;
  std::optional<double> stop_stiffness, stop_damping;

  friend bool operator==(const HydraulicCylinder&, const HydraulicCylinder&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("joint", self.joint, dimension::none, "joint that the piston drives; or", "none");
    field("from", self.from, dimension::none, "frame at which the cylinder is mounted, `body.frame`", "none");
    field("to", self.to, dimension::none, "frame to which the piston is mounted", "none");
    field("lever", self.lever, dimension::length, "of a revolute joint: stroke per radian",
          "required for a revolute joint");
    field("x_0", self.x_0, dimension::length, "stroke at q = 0");
    field("retracted_length", self.retracted_length, dimension::length, "distance between `from` and `to` at stroke 0");
    field("stroke", self.stroke, dimension::length, "length of the stroke", "required");
    field("area_a", self.area_a, dimension::area, "piston area of chamber A, which extends the cylinder", "required");
    field("area_b", self.area_b, dimension::area, "piston area of chamber B", "required");
    field("dead_volume_a", self.dead_volume_a, dimension::volume, "volume of chamber A at stroke 0", "required");
    field("dead_volume_b", self.dead_volume_b, dimension::volume, "volume of chamber B at the full stroke", "required");
    field("damping", self.damping, dimension::damping, "viscous friction of the piston");
    field("leakage", self.leakage, dimension::leakage, "flow from A to B per pressure difference");
    field("bulk_modulus", self.bulk_modulus, dimension::pressure, "bulk modulus β of the oil");
    field("supply_pressure", self.supply_pressure, dimension::pressure, "supply pressure p_S");
    field("tank_pressure", self.tank_pressure, dimension::pressure, "tank pressure p_T");
    field("nominal_flow", self.nominal_flow, dimension::flow,
          "flow through one edge of the valve, fully open, at `nominal_drop`");
    field("nominal_drop", self.nominal_drop, dimension::pressure, "pressure drop at `nominal_flow`");
    field("soft_pressure", self.soft_pressure, dimension::pressure,
          "pressure drop ε below which the orifice is laminar");
    field("command", self.command, dimension::none, "signal with the valve opening", "none: `opening`");
    field("opening", self.opening, dimension::none, "constant valve opening, from −1 to 1");
    field("close_at", self.close_at, dimension::time, "time at which the valve begins to close", "never");
    field("closing_time", self.closing_time, dimension::time, "duration of the closing; 0: instantaneous");
    field("pressure_a", self.pressure_a, dimension::pressure, "pressure of chamber A at the start",
          "in balance with the load");
    field("pressure_b", self.pressure_b, dimension::pressure, "pressure of chamber B at the start",
          "in balance with the load");
    field("ambient_pressure", self.ambient_pressure, dimension::pressure, "ambient pressure, absolute");
    field("vapour_pressure", self.vapour_pressure, dimension::pressure,
          "vapour pressure, absolute; mineral oil at 40 °C: below 10 Pa, water: 7400 Pa");
    field("stop_stiffness", self.stop_stiffness, dimension::stiffness, "stiffness of the end stops",
          "from stroke, area and pressure");
    field("stop_damping", self.stop_damping, dimension::damping, "damping of the end stops",
          "1 ms times the stiffness");
  }

  ARTICULA_EXPORT std::unique_ptr<Block> make(const BlockMaking& making) const;
};

}  // namespace articula::control
