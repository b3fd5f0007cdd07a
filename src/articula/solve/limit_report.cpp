#include <articula/solve/limit_report.h>

#include <algorithm>
#include <cmath>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/solve/elastic_inverse_dynamics.h>
#include <articula/solve/solver.h>

namespace articula::solve {
namespace {

/// A value this near beyond its limit, as a part of the limit, is at the limit.
constexpr double slack = 1e-9;

}  // namespace

LimitReport::LimitReport(const Solver& inverse_dynamics, std::string where, std::string states)
    : where_(std::move(where)), states_(std::move(states)) {
  const Mechanism& mech = inverse_dynamics.mechanism();
  const Parameters<double>& par = inverse_dynamics.parameters();
  for (const std::string& name : inverse_dynamics.v_names()) {
    const auto dof = std::find(mech.layout.v.begin(), mech.layout.v.end(), name) - mech.layout.v.begin();
    const Body& body = mech.bodies[at(mech.body_of_dof[static_cast<std::size_t>(dof)])];
    const auto own = static_cast<std::size_t>(dof - body.v.first);
    const bool angular = traits(body.joint).v[own].dimension == dimension::angular_speed;
    const auto k = static_cast<std::size_t>(dof);
    speeds_.push_back({"v." + name, angular ? "rad/s" : "m/s", par.speed_limit[k]});
    torques_.push_back({"tau." + name, angular ? "N*m" : "N",
                        std::min(par.force_limit[k], drive_limit(mech, par, static_cast<int>(dof)))});
  }
}

LimitReport::LimitReport(const ElasticInverseDynamics& motors, std::string where, std::string states)
    : where_(std::move(where)), states_(std::move(states)) {
  for (std::size_t d = 0; d < motors.motors().size(); ++d) {
    const auto& [torque, speed] = motors.motor_limits()[d];
    speeds_.push_back({"v." + motors.motors()[d], "rad/s", speed});
    torques_.push_back({"tau." + motors.motors()[d], "N*m", torque});
  }
}

void LimitReport::look(double place, std::span<const double> values, std::vector<Bound>& bounds) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    Bound& bound = bounds[k];
    const double size = std::abs(values[k]);
    if (!(size > bound.limit * (1 + slack))) continue;
    ++bound.count;
    if (size <= std::abs(bound.worst)) continue;
    bound.worst = values[k], bound.place = place;
  }
}

void LimitReport::look(double place, std::span<const double> v, std::span<const double> tau) {
  ++seen_;
  look(place, v, speeds_);
  look(place, tau, torques_);
}

Findings LimitReport::findings() const {
  Findings all;
  for (const std::vector<Bound>* bounds : {&torques_, &speeds_}) {
    for (const Bound& bound : *bounds) {
      if (bound.count == 0) continue;
      const std::size_t gap = where_.find("{}");
      all.push_back({Severity::warning,
                     "limit-passed",
                     {},
                     concat(bound.signal, " is ", bound.worst, " ", bound.unit, " at ", where_.substr(0, gap),
                            bound.place, where_.substr(gap + 2), ": the model's limit is ", bound.limit,
                            ". It is passed at ", bound.count, " of ", seen_, " ", states_, ".")});
    }
  }
  return all;
}

}  // namespace articula::solve
