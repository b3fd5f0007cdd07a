#pragma once

#include <optional>

#include <articula/control/blocks/dimensions.h>
#include <articula/control/blocks/joint_block.h>

namespace articula {

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
/// shuts at `close_at`, within `closing_time`. A piston drives a prismatic joint directly, x = x_0 + q; a revolute one by
/// a lever, x = x_0 + lever·q; or the line between two frames, x = distance − retracted_length.
/// [Jelali & Kroll 2003, 4.2]  A closed valve leaves an oil spring: ω² = 4·β·A²/(V·m) with both chambers alike.
///
/// A chamber does not fall below the vapour pressure: it fills with vapour and keeps the mass of its oil, see Oil. The
/// states `oil_a` and `oil_b` are the pressures of full chambers; below the vapour pressure they measure the missing oil.
/// Q_L is a volume at the vapour pressure, so that what leaves one chamber enters the other. While the piston presses
/// against a stop, the volumes stay those of the end of the stroke. The defaults of a stop: it yields by a thousandth of
/// the stroke under the larger area at the supply pressure, or at 10 MPa if that is more; and its damping is 1 ms times
/// its stiffness.
struct HydraulicCylinder {
  static constexpr std::string_view name = "hydraulic_cylinder";

  std::string joint;            ///< it drives; or
  std::string from, to;         ///< the frames, `body.frame`, between which it pushes
  double lever = 0;             ///< of a revolute joint
  double x_0 = 0;               ///< stroke at q = 0
  double retracted_length = 0;  ///< distance of the frames at x = 0
  double stroke = 0;
  double area_a = 0, area_b = 0;
  double dead_volume_a = 0, dead_volume_b = 0;
  double damping = 0;
  double leakage = 0;
  double bulk_modulus = 1.4e9;
  double supply_pressure = 0, tank_pressure = 0;
  double nominal_flow = 0, nominal_drop = 35e5;
  double soft_pressure = 1e4;  ///< ε: below this difference the orifice is taken as laminar
  std::string command;         ///< a signal for the opening; empty: `opening`
  double opening = 0;
  double close_at = std::numeric_limits<double>::infinity();
  double closing_time = 0;                       ///< 0: suddenly
  std::optional<double> pressure_a, pressure_b;  ///< at the start; none: in balance with the load
  double ambient_pressure = 101325;
  double vapour_pressure = 0;                          ///< absolute. Mineral oil: below 10 Pa at 40 °C; water: 7.4 kPa
  std::optional<double> stop_stiffness, stop_damping;  ///< none: see above

  friend bool operator==(const HydraulicCylinder&, const HydraulicCylinder&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("joint", self.joint, dimension::none);
    field("from", self.from, dimension::none);
    field("to", self.to, dimension::none);
    field("lever", self.lever, dimension::length);
    field("x_0", self.x_0, dimension::length);
    field("retracted_length", self.retracted_length, dimension::length);
    field("stroke", self.stroke, dimension::length);
    field("area_a", self.area_a, dimension::area);
    field("area_b", self.area_b, dimension::area);
    field("dead_volume_a", self.dead_volume_a, dimension::volume);
    field("dead_volume_b", self.dead_volume_b, dimension::volume);
    field("damping", self.damping, dimension::damping);
    field("leakage", self.leakage, dimension::leakage);
    field("bulk_modulus", self.bulk_modulus, dimension::pressure);
    field("supply_pressure", self.supply_pressure, dimension::pressure);
    field("tank_pressure", self.tank_pressure, dimension::pressure);
    field("nominal_flow", self.nominal_flow, dimension::flow);
    field("nominal_drop", self.nominal_drop, dimension::pressure);
    field("soft_pressure", self.soft_pressure, dimension::pressure);
    field("command", self.command, dimension::none);
    field("opening", self.opening, dimension::none);
    field("close_at", self.close_at, dimension::time);
    field("closing_time", self.closing_time, dimension::time);
    field("pressure_a", self.pressure_a, dimension::pressure);
    field("pressure_b", self.pressure_b, dimension::pressure);
    field("ambient_pressure", self.ambient_pressure, dimension::pressure);
    field("vapour_pressure", self.vapour_pressure, dimension::pressure);
    field("stop_stiffness", self.stop_stiffness, dimension::stiffness);
    field("stop_damping", self.stop_damping, dimension::damping);
  }

  ARTICULA_EXPORT std::unique_ptr<Block> make(const BlockMaking& making) const;
};

}  // namespace articula
