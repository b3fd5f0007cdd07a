#pragma once

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/control/blocks/joint_block.h>

namespace articula::control {

/// The action at a limit.
enum class OnLimit {
  push,  ///< an elastic stop
  stop,  ///< the run ends
};
constexpr std::array<std::string_view, 2> enum_names(OnLimit) { return {"push", "stop"}; }

/// Joint limits: elastic stops beyond which a spring and a damper push back, or the end of the run.
///
///     tau = max(0, stiffness·d + damping·ḋ) inward while d > 0,   d: distance of the joint beyond its limit
///
/// A stop only pushes. The integrator stops exactly where a joint reaches a stop or leaves it.
struct JointStops {
  static constexpr std::string_view name = "joint_stops";
  static constexpr std::string_view about = "elastic joint stops, or the end of the run at a limit";
  static constexpr std::array<SignalRow, 1> signals{{{"<joint>", "N*m or N", "force or torque on the joint"}}};

  Form form = Form::torsional;
  std::vector<std::string> joints{"all"};
  std::vector<double> lower, upper;
  std::vector<double> stiffness{1e4}, damping{0};
  OnLimit on_limit = OnLimit::push;

  friend bool operator==(const JointStops&, const JointStops&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    form_and_joints(self, field);
    field("lower", self.lower, length_or_angle(self.form), "lower limit of each joint", "limits of the model");
    field("upper", self.upper, length_or_angle(self.form), "upper limit of each joint", "limits of the model");
    field("stiffness", self.stiffness, stiffness_of(self.form), "stiffness of the stops");
    field("damping", self.damping, damping_of(self.form), "damping of the stops");
    field("on_limit", self.on_limit, dimension::none, "`push`: a stop pushes back; `stop`: the run ends");
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

class JointStopsBlock final : public JointBlock<JointStopsBlock> {
 public:
  JointStopsBlock(std::vector<BlockSite::Dof> dofs, const JointStops& said, const BlockMaking& making)
      : JointBlock(std::move(dofs)),
        stiffness_(making.each("stiffness", said.stiffness, n())),
        damping_(making.each("damping", said.damping, n())),
        ends_(said.on_limit == OnLimit::stop) {
    constexpr double anywhere = -std::numeric_limits<double>::infinity();
    if (!said.lower.empty()) lower_ = making.each("lower", said.lower, n(), anywhere);
    if (!said.upper.empty()) upper_ = making.each("upper", said.upper, n(), anywhere);
    for (const BlockSite::Dof& dof : dofs_) {
      if (said.lower.empty()) lower_.push_back(dof.lower);
      if (said.upper.empty()) upper_.push_back(dof.upper);
    }
    for (std::size_t k = 0; k < n(); ++k) {
      if (!(lower_[k] < upper_[k]))
        making.fail("block-value", concat("the lower stop of joint ", quoted(dofs_[k].name), " is ", lower_[k],
                                          ", not below its upper one, ", upper_[k], ". Exchange them."));
      if (std::isfinite(lower_[k])) stops_.push_back({k, -1, lower_[k]});
      if (std::isfinite(upper_[k])) stops_.push_back({k, 1, upper_[k]});
    }
  }

  bool acts_through_drive() const override { return false; }
  std::vector<std::string> inputs() const override {
    std::vector<std::string> all;
    read_positions(all);
    read_speeds(all);
    return all;
  }

  bool guards(const std::string& dof) const override {
    return std::any_of(dofs_.begin(), dofs_.end(), [&](const BlockSite::Dof& each) { return each.name == dof; });
  }

  int event_count() const override { return static_cast<int>(stops_.size()); }
  void event_values(double, std::span<const double> in, std::span<const double>, std::span<double> g) const override {
    for (std::size_t e = 0; e < stops_.size(); ++e) g[e] = beyond(stops_[e], in[stops_[e].joint]);
  }
  std::string event_name(int k) const override {
    const Stop& stop = stops_[static_cast<std::size_t>(k)];
    return concat("joint ", quoted(dofs_[stop.joint].name), " is at its ", stop.side > 0 ? "upper" : "lower",
                  " limit, ", stop.limit, " ", dofs_[stop.joint].position_unit());
  }
  bool on_event(int, double, std::span<const double>, std::span<double>) const override { return ends_; }

  template <class T>
  void evaluate(double, std::span<const T> in, std::span<const T>, std::span<T> out, std::span<T>) const {
    std::fill(out.begin(), out.end(), T(0));
    if (ends_) return;
    for (const Stop& stop : stops_) {
      const std::size_t k = stop.joint;
      const T d = beyond(stop, in[k]);
      if (!(d > T(0))) continue;
      const T push = stiffness_[k] * d + damping_[k] * stop.side * in[n() + k];
      if (push > T(0)) out[k] -= stop.side * push;
    }
  }

 private:
  struct Stop {
    std::size_t joint;
    double side, limit;
  };
  template <class T>
  static T beyond(const Stop& stop, const T& q) {
    return stop.side * (q - stop.limit);
  }

  std::vector<double> stiffness_, damping_, lower_, upper_;
  std::vector<Stop> stops_;
  bool ends_;
};

inline std::unique_ptr<Block> JointStops::make(const BlockMaking& making) const {
  const auto dofs = making.dofs(joints);
  making.need_positions(dofs);
  if (on_limit == OnLimit::push) making.need_form(dofs, form);
  return making.done(std::make_unique<JointStopsBlock>(dofs, *this, making));
}

}  // namespace articula::control
