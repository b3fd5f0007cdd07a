#include <articula/control/blocks/hydraulic_cylinder.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/control/internal/stroke.h>

namespace articula {
namespace {

/// z = [p_A, p_B].
class HydraulicBlock final : public BlockOf<HydraulicBlock> {
 public:
  HydraulicBlock(const HydraulicCylinder& said, Stroke stroke)
      : said_(said),
        stroke_(std::move(stroke)),
        first_(said.command.empty() ? 0 : 1),
        K_(said.nominal_flow / std::sqrt(said.nominal_drop)) {}

  std::vector<std::string> inputs() const override {
    std::vector<std::string> all = stroke_.inputs();
    if (first_ == 1) all.insert(all.begin(), said_.command);
    return all;
  }
  std::vector<Signal> outputs() const override {
    std::vector<Signal> all;
    for (const BlockSite::Dof& dof : stroke_.dofs()) all.push_back({dof.name, dof.effort_unit()});
    all.insert(all.end(),
               {{"force", "N"}, {"stroke", "m"}, {"opening", "1"}, {"flow_a", "m^3/s"}, {"flow_b", "m^3/s"}});
    return all;
  }
  std::vector<Action> actions() const override {
    std::vector<Action> all;
    for (const BlockSite::Dof& dof : stroke_.dofs()) all.push_back({static_cast<int>(all.size()), dof.name});
    return all;
  }
  std::vector<int> commands() const override {
    if (first_ == 0) return {};
    return {0};
  }
  std::vector<Signal> states() const override { return {{"pressure_a", "Pa"}, {"pressure_b", "Pa"}}; }

  /// As told, or so that the piston carries the load and both edges of the valve have the same drop:
  /// p_A + p_B = p_S + p_T, unless a chamber would have to pull.
  void start(double, std::span<const double> in, std::span<const double> hold, std::span<double> z) const override {
    double x = 0, rate = 0;
    stroke_.motion<double>(in.subspan(first_), x, rate);
    const double load = hold.empty() ? 0 : stroke_.force_for(hold), sum = said_.supply_pressure + said_.tank_pressure;
    const double f = load + said_.damping * rate;
    double p_a = (f + said_.area_b * sum) / (said_.area_a + said_.area_b), p_b = sum - p_a;
    if (said_.pressure_a) p_b = (said_.area_a * *said_.pressure_a - f) / said_.area_b;
    if (said_.pressure_b) p_a = (f + said_.area_b * *said_.pressure_b) / said_.area_a;
    if (p_b < 0) p_b = 0, p_a = f / said_.area_a;
    if (p_a < 0) p_a = 0, p_b = -f / said_.area_b;
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

  template <class T>
  void evaluate(double t, std::span<const T> in, std::span<const T> z, std::span<T> out, std::span<T> zdot) const {
    const std::size_t n = stroke_.dofs().size();
    T x, rate;
    stroke_.motion<T>(in.subspan(first_), x, rate);
    const T u = limited(first_ == 1 ? in[0] : T(said_.opening), 1.0) * left_open(t);
    const T &p_a = z[0], &p_b = z[1];
    const double p_s = said_.supply_pressure, p_t = said_.tank_pressure;
    const bool extends = u > T(0);
    const T Q_a = K_ * u * orifice(T(extends ? p_s - p_a : p_a - p_t));
    const T Q_b = -K_ * u * orifice(T(extends ? p_b - p_t : p_s - p_b));
    const T Q_l = said_.leakage * (p_a - p_b);
    const T V_a = said_.dead_volume_a + said_.area_a * x, V_b = said_.dead_volume_b + said_.area_b * (said_.stroke - x);
    zdot[0] = said_.bulk_modulus / V_a * (Q_a - said_.area_a * rate - Q_l);
    zdot[1] = said_.bulk_modulus / V_b * (Q_b + said_.area_b * rate + Q_l);
    const T force = said_.area_a * p_a - said_.area_b * p_b - said_.damping * rate;
    stroke_.push<T>(force, out.first(n));
    out[n] = force, out[n + 1] = x, out[n + 2] = u, out[n + 3] = Q_a, out[n + 4] = Q_b;
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

  HydraulicCylinder said_;
  Stroke stroke_;
  std::size_t first_;  ///< where the inputs of the stroke begin, after a command
  double K_;
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
                                        {"closing_time", closing_time}})
    making.need_not_negative(property, value);
  return making.done(std::make_unique<HydraulicBlock>(*this, make_stroke(*this, making)));
}

}  // namespace articula
