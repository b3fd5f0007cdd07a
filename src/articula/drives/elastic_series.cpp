#include <articula/drives/elastic_series.h>

#include <articula/base/index.h>
#include <articula/drives/elastic_inverse_dynamics.h>

namespace articula::drives {
namespace {

template <int capacity>
struct SeriesOf final : ElasticSeries {
  using T = Jet<double, capacity>;
  SeriesOf(const Mechanism& mech, const ElasticChain& chain) : s(mech, chain) {}

  void run(const Mechanism& mech, const Parameters<double>& par, const ElasticChain& chain,
           ElasticNumbers& numbers) noexcept override {
    for (std::size_t i = 0; i < s.q.size(); ++i) {
      s.q[i].order = chain.q_order;
      for (std::size_t k = 0; k < numbers.coefficients.size(); ++k) s.q[i].c[k] = numbers.coefficients[k][i];
    }
    s.steady = numbers.steady;
    if (!s.steady) start_shafts<T>(chain, numbers.start, s);
    elastic_inverse_dynamics<T, double>(mech, par, chain, s);
    for (std::size_t k = 0; k < s.v.size(); ++k) numbers.v[k] = s.v[k][0];
    for (std::size_t r = 0; r < chain.rotors.size(); ++r) {
      numbers.torque[r] = motor_torque(mech, par, chain, s, r);
      numbers.position[r] = s.theta[r][0];
      numbers.velocity[r] = s.theta[r][1];
    }
    for (const ElasticGroup& group : chain.groups) {
      for (std::size_t k = 0; k < group.rotors.size(); ++k)
        numbers.spring[at(group.rotors[k])] = s.u[at(group.shafts[k].dof)][0];
    }
  }

  ElasticNewtonEuler<T> s;
};

template <int capacity, int... more>
std::unique_ptr<ElasticSeries> make_series(const Mechanism& mech, const ElasticChain& chain) {
  if (chain.q_order <= capacity) return std::make_unique<SeriesOf<capacity>>(mech, chain);
  if constexpr (sizeof...(more) > 0) {
    return make_series<more...>(mech, chain);
  } else {
    return nullptr;  // the chain has no higher order
  }
}

}  // namespace

ElasticNumbers::ElasticNumbers(const Mechanism& mech, const ElasticChain& chain)
    : coefficients(at(chain.q_order + 1), std::vector<double>(at(mech.nq))), v(at(mech.nv)) {
  for (auto* each : {&start, &torque, &position, &velocity, &spring}) each->assign(chain.rotors.size(), 0.0);
}

std::unique_ptr<ElasticSeries> ElasticSeries::make(const Mechanism& mech, const ElasticChain& chain) {
  return make_series<12, 32, 64>(mech, chain);
}

}  // namespace articula::drives
