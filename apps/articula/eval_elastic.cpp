/// Torques of elastic drives, which need time derivatives of q.

#include <algorithm>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/solve/elastic_inverse_dynamics.h>
#include <articula/solve/limit_report.h>

#include "eval.h"

namespace articula::program {
namespace {

class ElasticQuantity final : public Quantity {
 public:
  ElasticQuantity(bool couplings, const Model& model, const GivenStates& given, std::span<const std::string> q_names,
                  const BuildOptions& options)
      : couplings_(couplings), given_(given), motors_(model, options), limits_(motors_, "state {}", "states") {
    for (const std::string& name : motors_.q_names()) {
      const auto found = std::find(q_names.begin(), q_names.end(), name);
      if (found == q_names.end()) {
        throw Error("elastic-coordinates", {},
                    concat("elastic_inverse_dynamics: joint ", quoted(name),
                           " is not among the coordinates of the states. List all joints in order."));
      }
      place_.push_back(static_cast<std::size_t>(found - q_names.begin()));
    }
    sorted_.resize(at(motors_.order() + 1));
  }

  void update(std::size_t k, const State&) override {
    number_ = k;
    const auto& derivatives = given_.states[k].q_derivatives;
    std::vector<VectorView> views;
    for (std::size_t d = 0; d < std::min(derivatives.size(), sorted_.size()); ++d) {
      sorted_[d] = derivatives[d];
      if (std::all_of(place_.begin(), place_.end(), [&](std::size_t i) { return i < derivatives[d].size(); })) {
        for (std::size_t i = 0; i < place_.size(); ++i) sorted_[d][i] = derivatives[d][place_[i]];
        sorted_[d].resize(place_.size());
      }
      views.emplace_back(sorted_[d]);
    }
    const auto& motors = given_.states[k].motor_position;
    motors_.update(views, motors ? VectorView(*motors) : VectorView());
  }
  void write(JsonText& out) override {
    const auto& [torque, position, velocity, spring] = motors_.compute();
    limits_.look(static_cast<double>(number_), velocity, torque);
    const auto list = [&](std::string_view key, VectorView values) { out.key(key), out.list(values); };
    out.open('{');
    if (couplings_) {
      const auto& [S, C_rotor, C_carrier] = motors_.couplings();
      out.key("S"), out.matrix(S);
      list("C_rotor", C_rotor), list("C_carrier", C_carrier);
    } else {
      list("motor_torque", torque), list("motor_position", position), list("motor_velocity", velocity),
          list("spring_torque", spring);
    }
    out.close('}');
  }
  void write_names(JsonText& out) const override {
    if (!couplings_) {
      out.key("drives"), out.names(motors_.drives());
      return;
    }
    out.key("coupling"), out.open('{');
    out.key("joints"), out.names(motors_.v_names());
    out.key("drives"), out.names(motors_.drives());
    out.close('}');
  }
  const Findings& findings() const override { return motors_.findings(); }
  Findings limits_passed() const override { return couplings_ ? Findings() : limits_.findings(); }

 private:
  bool couplings_;
  const GivenStates& given_;
  ElasticInverseDynamics motors_;
  LimitReport limits_;
  std::size_t number_ = 0;
  std::vector<std::size_t> place_;  ///< of each joint of the mechanism, among the coordinates of the states
  std::vector<std::vector<double>> sorted_;
};

}  // namespace

std::unique_ptr<Quantity> make_elastic_quantity(std::string_view asked, const Model& model, const GivenStates& given,
                                                std::span<const std::string> q_names, const BuildOptions& options) {
  return std::make_unique<ElasticQuantity>(asked == elastic_quantities[1], model, given, q_names, options);
}

}  // namespace articula::program
