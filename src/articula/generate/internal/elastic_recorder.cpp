#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/drives/elastic_inverse_dynamics.h>
#include <articula/generate/internal/recorders.h>

namespace articula::generate {
namespace {

/// As many as a chain of drives may need.
using Series = Jet<Trace, 64>;

/// `q.elbow`, `q(1).elbow`, `q(2).elbow` …
std::string derivative_name(int order, const std::string& coordinate) {
  return order == 0 ? concat("q.", coordinate) : concat("q(", order, ").", coordinate);
}

}  // namespace

void Recorder::elastic_inverse_dynamics(const Parameters<Trace>& par) {
  const drives::ElasticChain& chain = *options.chain;
  function.meaning =
      concat("the torques of the motors that move the joints along q(t), whose time derivatives up to order ",
             chain.q_order, " are given");
  std::vector<std::string> entries, drives;
  for (int order = 0; order <= chain.q_order; ++order) {
    for (const std::string& name : mech.layout.q) entries.push_back(derivative_name(order, name));
  }
  for (const drives::ElasticRotor& rotor : chain.rotors) drives.push_back(rotor.name);
  const Traces derivatives = input(ArrayRole::series, "q_derivatives",
                                   concat("q and its time derivatives, ", mech.nq, " numbers for each order"), entries);
  drives::ElasticNewtonEuler<Series> s(mech, chain);
  double factorial = 1;
  for (int order = 0; order <= chain.q_order; ++order) {
    if (order > 1) factorial *= order;
    for (int k = 0; k < mech.nq; ++k) {
      s.q[at(k)].order = chain.q_order;
      s.q[at(k)][order] = derivatives[at(order * mech.nq + k)] * Trace(1 / factorial);
    }
  }
  if (chain.has_damped_springs) {
    const Traces theta = input(ArrayRole::series, "motor_position",
                               "the angles of the rotors, which damped springs make a state", drives);
    s.steady = false;
    drives::start_shafts<Series>(chain, theta, s);
  }
  drives::elastic_inverse_dynamics<Series, Trace>(mech, par, chain, s);
  Traces torque, position, velocity, spring(chain.rotors.size());
  for (std::size_t r = 0; r < chain.rotors.size(); ++r) {
    torque.push_back(motor_torque(mech, par, chain, s, r));
    position.push_back(s.theta[r][0]), velocity.push_back(s.theta[r][1]);
  }
  for (const drives::ElasticGroup& group : chain.groups) {
    for (std::size_t k = 0; k < group.rotors.size(); ++k) spring[at(group.rotors[k])] = s.u[at(group.shafts[k].dof)][0];
  }
  output(ArrayRole::series, "motor_torque", "torques of the motors", drives, torque);
  output(ArrayRole::series, "motor_position", "angles of the rotors", drives, position).name =
      chain.has_damped_springs ? "motor_position_out" : "motor_position";
  output(ArrayRole::series, "motor_velocity", "their time derivatives", drives, velocity);
  output(ArrayRole::series, "spring_torque", "torques of the springs on the joints", drives, spring);
}

}  // namespace articula::generate
