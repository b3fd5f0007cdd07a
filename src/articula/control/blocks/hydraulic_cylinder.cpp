#include <articula/control/blocks/hydraulic_cylinder.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/control/internal/oil_chamber.h>
#include <articula/control/internal/stroke.h>

namespace articula::control {
namespace {

/// Defaults of a stop: it yields by this fraction of the stroke, under at least this pressure, with this time constant.
constexpr double stop_yield = 1e-3, stop_pressure = 10e6, stop_time = 1e-3;

/// Tolerance for a start beyond an end of the stroke, as a fraction of the stroke.
constexpr double start_slack = 1e-9;

/// z = [oil_a, oil_b]: the pressures of full chambers, see Oil.
class HydraulicBlock final : public BlockOf<HydraulicBlock> {
 public:
  HydraulicBlock(const HydraulicCylinder& said, Stroke stroke)
      : said_(said),
        stroke_(std::move(stroke)),
        oil_{said.bulk_modulus, said.vapour_pressure - said.ambient_pressure},
        first_(said.command.empty() ? 0 : 1),
        K_(said.nominal_flow / std::sqrt(said.nominal_drop)),
        stop_stiffness_(said.stop_stiffness.value_or(std::max(said.area_a, said.area_b) *
                                                     std::max(said.supply_pressure, stop_pressure) /
                                                     (stop_yield * said.stroke))),
        stop_damping_(said.stop_damping.value_or(stop_time * stop_stiffness_)) {}

  std::vector<std::string> inputs() const override {
    std::vector<std::string> all = stroke_.inputs();
    if (first_ == 1) all.insert(all.begin(), said_.command);
    return all;
  }
  std::vector<Signal> outputs() const override {
    std::vector<Signal> all;
    for (const BlockSite::Dof& dof : stroke_.dofs()) all.push_back({dof.name, dof.effort_unit()});
    all.insert(all.end(), {{"force", "N"},
                           {"stroke", "m"},
                           {"opening", "1"},
                           {"flow_a", "m^3/s"},
                           {"flow_b", "m^3/s"},
                           {"pressure_a", "Pa"},
                           {"pressure_b", "Pa"},
                           {"vapour_a", "m^3"},
                           {"vapour_b", "m^3"},
                           {"stop_force", "N"}});
    return all;
  }
  std::vector<Action> actions() const override {
    std::vector<Action> all;
    for (const BlockSite::Dof& dof : stroke_.dofs()) all.push_back({static_cast<int>(all.size()), dof.name});
    return all;
  }
  bool acts_through_drive() const override { return false; }
  std::vector<int> commands() const override {
    if (first_ == 0) return {};
    return {0};
  }
  std::vector<Signal> states() const override { return {{"oil_a", "Pa"}, {"oil_b", "Pa"}}; }

  /// The given pressures, or those for which the piston balances the load and both edges of the valve have the same
  /// drop, p_A + p_B = p_S + p_T, unless a pressure would be negative.
  void start(double, std::span<const double> in, std::span<const double> hold, std::span<double> z) const override {
    double x = 0, rate = 0;
    stroke_.motion<double>(in.subspan(first_), x, rate);
    check_stroke(x);
    const double load = hold.empty() ? 0 : stroke_.force_for(hold), sum = said_.supply_pressure + said_.tank_pressure;
    const double f = load + said_.damping * rate;
    double p_a = (f + said_.area_b * sum) / (said_.area_a + said_.area_b), p_b = sum - p_a;
    if (said_.pressure_a) p_b = (said_.area_a * *said_.pressure_a - f) / said_.area_b;
    if (said_.pressure_b) p_a = (f + said_.area_b * *said_.pressure_b) / said_.area_a;
    const double least = std::max(0.0, oil_.vapour_pressure);
    if (p_b < least) p_b = least, p_a = (f + said_.area_b * least) / said_.area_a;
    if (p_a < least) p_a = least, p_b = (said_.area_a * least - f) / said_.area_b;
    z[0] = said_.pressure_a.value_or(p_a);
    z[1] = said_.pressure_b.value_or(p_b);
  }

  std::vector<double> breaks(double until) const override {
    std::vector<double> all;
    for (const double t : {said_.close_at, said_.close_at + said_.closing_time}) {
      if (t <= until && (all.empty() || t > all.back())) all.push_back(t);
    }
    return all;
  }

  // At each end: the piston passes it; its stop begins or ceases to push. For each chamber: it is exactly full.
  int event_count() const override { return 6; }
  void event_values(double, std::span<const double> in, std::span<const double> z, std::span<double> g) const override {
    double x = 0, rate = 0;
    stroke_.motion<double>(in.subspan(first_), x, rate);
    for (int side = 0; side < 2; ++side) {
      const double d = side == 0 ? -x : x - said_.stroke, d_rate = side == 0 ? -rate : rate;
      g[static_cast<std::size_t>(2 * side)] = d;
      g[static_cast<std::size_t>(2 * side + 1)] = stop_stiffness_ * d + std::min(0.0, stop_damping_ * d_rate);
    }
    g[4] = z[0] - oil_.vapour_pressure;
    g[5] = z[1] - oil_.vapour_pressure;
  }
  std::string event_name(int k) const override {
    if (k >= 4)
      return concat("chamber ", k == 4 ? "A" : "B", " begins or ceases to cavitate, at ", oil_.vapour_pressure,
                    " Pa relative to ambient");
    const std::string end = k < 2 ? std::string("retracted end, 0 m") : concat("extended end, ", said_.stroke, " m");
    return concat(k % 2 == 0 ? "the piston passes its " : "the stop begins or ceases to push at the ", end);
  }

  template <class T>
  void evaluate(double t, std::span<const T> in, std::span<const T> z, std::span<T> out, std::span<T> zdot) const {
    const std::size_t n = stroke_.dofs().size();
    T x, rate;
    stroke_.motion<T>(in.subspan(first_), x, rate);
    const T u = limited(first_ == 1 ? in[0] : T(said_.opening), 1.0) * left_open(t);
    const T p_a = oil_.pressure(z[0]), p_b = oil_.pressure(z[1]);
    const double p_s = said_.supply_pressure, p_t = said_.tank_pressure;
    const bool extends = u > T(0);
    const T Q_a = K_ * u * orifice(T(extends ? p_s - p_a : p_a - p_t));
    const T Q_b = -K_ * u * orifice(T(extends ? p_b - p_t : p_s - p_b));
    const T Q_l = said_.leakage * (p_a - p_b);

    // Beyond its stroke the piston compresses a stop, not the oil.
    const bool below = x<T(0), above = x> T(said_.stroke);
    const T x_oil = below ? T(0) : above ? T(said_.stroke) : x;
    const T rate_oil = below || above ? T(0) : rate;
    const T V_a = said_.dead_volume_a + said_.area_a * x_oil;
    const T V_b = said_.dead_volume_b + said_.area_b * (said_.stroke - x_oil);
    zdot[0] = oil_.rate<T>(z[0], V_a, said_.area_a * rate_oil, Q_a, -Q_l);
    zdot[1] = oil_.rate<T>(z[1], V_b, -said_.area_b * rate_oil, Q_b, Q_l);

    const T stop = push<T>(-x, -rate) - push<T>(x - said_.stroke, rate);
    const T force = said_.area_a * p_a - said_.area_b * p_b - said_.damping * rate + stop;
    stroke_.push<T>(force, out.first(n));
    out[n] = force, out[n + 1] = x, out[n + 2] = u, out[n + 3] = Q_a, out[n + 4] = Q_b;
    out[n + 5] = p_a, out[n + 6] = p_b;
    out[n + 7] = oil_.vapour_volume<T>(z[0], V_a), out[n + 8] = oil_.vapour_volume<T>(z[1], V_b);
    out[n + 9] = stop;
  }

 private:
  double left_open(double t) const {
    if (t < said_.close_at) return 1;
    if (said_.closing_time == 0) return 0;
    return std::max(0.0, 1 - (t - said_.close_at) / said_.closing_time);
  }
  template <class T>
  T orifice(const T& drop) const {
    using std::sqrt;
    return drop / sqrt(sqrt(drop * drop + said_.soft_pressure * said_.soft_pressure));
  }

  /// The force of a stop that is compressed by d. It never pulls.
  template <class T>
  T push(const T& d, const T& rate) const {
    if (d < T(0)) return T(0);
    const T force = stop_stiffness_ * d + stop_damping_ * rate;
    return force > T(0) ? force : T(0);
  }
  void check_stroke(double x) const {
    const double slack = start_slack * said_.stroke;
    if (x >= -slack && x <= said_.stroke + slack) return;
    throw Error("block-start", where,
                concat("block ", quoted(name), ": its piston starts at ", x, " m, outside of its stroke, 0 to ",
                       said_.stroke, " m. Start inside it, or change stroke, x_0 or retracted_length."));
  }

  HydraulicCylinder said_;
  Stroke stroke_;
  Oil oil_;
  std::size_t first_;  ///< index of the first input of the stroke, after a command
  double K_;
  double stop_stiffness_, stop_damping_;
};

Stroke make_stroke(const HydraulicCylinder& said, const BlockMaking& making) {
  const bool line = !said.from.empty() || !said.to.empty();
  if (line == !said.joint.empty())
    making.fail("block-needs", "it needs either `joint`, or the two frames `from` and `to`.");
  if (line) {
    making.need_text("from", said.from, "upper.pin");
    making.need_text("to", said.to, "fore.pin");
    return {making, said.from, said.to, said.retracted_length};
  }
  const BlockSite::Dof dof = making.dof(said.joint);
  making.need_positions(std::span(&dof, 1));
  if (dof.angular && said.lever == 0)
    making.fail(
        "block-value",
        concat("joint ", quoted(said.joint),
               " turns, and lever is 0. Give the lever of the piston about its axis, or the frames `from` and `to`."));
  return {dof, dof.angular || said.lever != 0 ? said.lever : 1, said.x_0};
}

}  // namespace

std::unique_ptr<Block> HydraulicCylinder::make(const BlockMaking& making) const {
  for (const auto& [property, value] : {std::pair{"stroke", stroke},
                                        {"area_a", area_a},
                                        {"area_b", area_b},
                                        {"dead_volume_a", dead_volume_a},
                                        {"dead_volume_b", dead_volume_b},
                                        {"bulk_modulus", bulk_modulus},
                                        {"nominal_drop", nominal_drop},
                                        {"soft_pressure", soft_pressure}})
    making.need_positive(property, value);
  for (const auto& [property, value] : {std::pair{"damping", damping},
                                        {"leakage", leakage},
                                        {"supply_pressure", supply_pressure},
                                        {"tank_pressure", tank_pressure},
                                        {"nominal_flow", nominal_flow},
                                        {"closing_time", closing_time},
                                        {"ambient_pressure", ambient_pressure},
                                        {"vapour_pressure", vapour_pressure},
                                        {"stop_damping", stop_damping.value_or(0)}})
    making.need_not_negative(property, value);
  making.need_positive("stop_stiffness", stop_stiffness.value_or(1));
  for (const auto& [property, value] : {std::pair{"tank_pressure", std::optional(tank_pressure)},
                                        {"pressure_a", pressure_a},
                                        {"pressure_b", pressure_b}}) {
    if (!value || *value + ambient_pressure >= vapour_pressure) continue;
    making.fail("block-value",
                concat(property, " is ", *value, " Pa relative to ambient, ", *value + ambient_pressure,
                       " Pa absolute. It must be at least vapour_pressure, ", vapour_pressure, " Pa absolute."));
  }
  return making.done(std::make_unique<HydraulicBlock>(*this, make_stroke(*this, making)));
}

}  // namespace articula::control
