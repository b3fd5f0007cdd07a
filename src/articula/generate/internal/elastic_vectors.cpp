#include <array>
#include <cmath>

#include <articula/base/index.h>
#include <articula/drives/elastic_series.h>
#include <articula/generate/internal/test_vectors.h>
#include <articula/joints/time_series.h>
#include <articula/scalar/jet.h>

namespace articula::generate {
namespace {

using Wave = Jet<double, 64>;

/// amplitude·sin(w·t + phase)
Wave harmonic(double amplitude, double w, double phase, int order) {
  Wave x = Wave::zero_of_order(order);
  double factor = amplitude;
  for (int k = 0; k <= order; ++k, factor *= w / k) {
    const double s = std::sin(phase), c = std::cos(phase);
    x[k] = factor * std::array{s, c, -s, -c}[at(k % 4)];
  }
  return x;
}

/// q(t) of a mechanism whose joints swing, two orders shorter where v is not dq/dt.
std::vector<Wave> swinging(const Mechanism& mech, int order, double phase) {
  std::vector<Wave> q(at(mech.nq));
  for (const Body& body : mech.bodies) {
    visit_joint(body.joint, [&]<class J>(J) {
      std::array<Wave, most_joint_dofs> x, xdot, xddot, v, vdot;
      for (std::size_t k = 0; k < J::v.size(); ++k) {
        const double i = body.v.first + static_cast<double>(k);
        x[k] = harmonic(0.6, 2 + 0.3 * i, phase + i, order + 2);
        xdot[k] = derivative(x[k]), xddot[k] = derivative(xdot[k]);
      }
      JointSeries<J>::follow(x.data(), xdot.data(), xddot.data(), q.data() + body.q.first, v.data(), vdot.data());
    });
  }
  return q;
}

}  // namespace

TestVectors make_elastic_vectors(const Built& built, const RecordOptions& options, const RecordedFunction& function,
                                 int states) {
  const Mechanism& mech = built.mechanism;
  const drives::ElasticChain& chain = *options.chain;
  const auto series = drives::ElasticSeries::make(mech, chain);
  drives::ElasticNumbers numbers(mech, chain);
  TestVectors vectors;
  vectors.tolerance = 1e-9;
  vectors.origin = "Expected values come from the same recursion, in loops over series of numbers";
  for (int i = 0; i < states; ++i) {
    const std::vector<Wave> q = swinging(mech, chain.q_order, 0.4 + i);
    std::vector<double> derivatives;
    double factorial = 1;
    for (int order = 0; order <= chain.q_order; ++order) {
      if (order > 1) factorial *= order;
      for (std::size_t k = 0; k < q.size(); ++k) {
        numbers.coefficients[at(order)][k] = q[k][order];
        derivatives.push_back(q[k][order] * factorial);
      }
    }
    numbers.steady = true;
    series->run(mech, built.parameters, chain, numbers);
    std::vector<std::vector<double>> in{derivatives};
    if (chain.has_damped_springs) {
      numbers.steady = false;
      numbers.start = numbers.position;
      for (std::size_t r = 0; r < numbers.start.size(); ++r) numbers.start[r] += 0.01 * static_cast<double>(r + 1);
      series->run(mech, built.parameters, chain, numbers);
      in.push_back(numbers.start);
    }
    in.resize(function.inputs.size());
    for (const std::string& name : function.inputs.back().entries) in.back().push_back(parameter_value(built, name));
    vectors.inputs.push_back(std::move(in));
    vectors.expected.push_back({numbers.torque, numbers.position, numbers.velocity, numbers.spring});
  }
  return vectors;
}

}  // namespace articula::generate
