#include <articula/solve/elastic_inverse_dynamics.h>

#include <cmath>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/refresh.h>
#include <articula/closure/computed.h>
#include <articula/drives/elastic_inverse_dynamics.h>

namespace articula::solve {
namespace {

using namespace drives;

/// Results, and the recursion over series of one order.
struct Series {
  virtual ~Series() = default;
  virtual void run(const Mechanism& mech, const Parameters<double>& par, const ElasticChain& chain,
                   const std::vector<std::vector<double>>& coefficients, std::span<double> torque,
                   std::span<double> position, std::span<double> spring) noexcept = 0;
};

template <int order>
struct SeriesOf final : Series {
  SeriesOf(const Mechanism& mech, const ElasticChain& chain) : s(mech, chain) {}

  void run(const Mechanism& mech, const Parameters<double>& par, const ElasticChain& chain,
           const std::vector<std::vector<double>>& coefficients, std::span<double> torque, std::span<double> position,
           std::span<double> spring) noexcept override {
    for (std::size_t i = 0; i < s.q.size(); ++i) {
      for (std::size_t k = 0; k < coefficients.size(); ++k) s.q[i].c[k] = coefficients[k][i];
    }
    elastic_inverse_dynamics<Jet<double, order>, double>(mech, par, chain, s);
    for (std::size_t d = 0; d < chain.drives.size(); ++d) {
      torque[d] = motor_torque(mech, par, chain, s, d);
      position[d] = s.theta[d][0];
      spring[d] = s.u[at(chain.drives[d].joint)][0];
    }
  }

  ElasticNewtonEuler<Jet<double, order>> s;
};

/// Series of the least available order that is enough.
template <int order, int... more>
std::unique_ptr<Series> make_series(const Mechanism& mech, const ElasticChain& chain) {
  if (chain.q_order <= order) return std::make_unique<SeriesOf<order>>(mech, chain);
  if constexpr (sizeof...(more) > 0) {
    return make_series<more...>(mech, chain);
  } else {
    throw Error("elastic-order", {},
                concat("torques of the drives of ", quoted(mech.name), " depend on time derivatives of q up to order ",
                       chain.q_order, ". At most ", order, " are computed. Make some of the drives rigid."));
  }
}

}  // namespace

struct ElasticInverseDynamics::Work {
  Work(const Model& model, const BuildOptions& build)
      : options(build),
        refresher(model, locked(build)),
        par(refresher.built().parameters),
        chain(checked(mech()), par) {
    prepare();
  }

  static BuildOptions locked(BuildOptions options) {
    options.drives = Drives::locked;
    return options;
  }
  static const Mechanism& checked(const Mechanism& mech) {
    refuse_loops("ElasticInverseDynamics", mech);
    if (!mech.uniform_gravity) {
      throw Error(
          "gravity-not-uniform", {},
          concat("ElasticInverseDynamics of ", quoted(mech.name),
                 ": gravity depends on position, and this computation needs the same gravity everywhere. Give the "
                 "environment a uniform gravity."));
    }
    return mech;
  }
  const Mechanism& mech() const { return refresher.built().mechanism; }

  void prepare() {
    series = make_series<4, 10, 16, 32, 64>(mech(), chain);
    coefficients.assign(at(chain.q_order + 1), std::vector<double>(at(mech().nq)));
    coefficients[0] = par.q_start;
    take_orders();
    for (std::vector<double>* each : {&torque, &position, &spring}) each->assign(chain.drives.size(), 0.0);
    torques = {torque, position, spring};
  }

  void take_orders() {
    orders.clear();
    for (const ElasticDrive& drive : chain.drives) orders.push_back(drive.order);
  }

  BuildOptions options;
  Refresher refresher;
  Parameters<double> par;
  ElasticChain chain;
  std::unique_ptr<Series> series;
  std::vector<std::vector<double>> coefficients;  ///< of each order, of all joints
  std::vector<int> orders;
  std::vector<double> torque, position, spring;
  Torques torques;
};

ElasticInverseDynamics::ElasticInverseDynamics(const Model& model, const BuildOptions& options)
    : work_(std::make_unique<Work>(model, options)) {}
ElasticInverseDynamics::~ElasticInverseDynamics() = default;
ElasticInverseDynamics::ElasticInverseDynamics(ElasticInverseDynamics&&) noexcept = default;
ElasticInverseDynamics& ElasticInverseDynamics::operator=(ElasticInverseDynamics&&) noexcept = default;

int ElasticInverseDynamics::order() const { return work_->chain.q_order; }
std::span<const std::string> ElasticInverseDynamics::q_names() const { return work_->mech().layout.q; }
std::span<const std::string> ElasticInverseDynamics::drives() const { return work_->chain.names; }
std::span<const int> ElasticInverseDynamics::drive_orders() const { return work_->orders; }

void ElasticInverseDynamics::update(std::span<const VectorView> q_derivatives) {
  const std::size_t needed = work_->coefficients.size(), n = q_names().size();
  if (q_derivatives.size() < needed) {
    throw Error("elastic-derivatives", {},
                concat("q_derivatives has ", q_derivatives.size(), " entries, q and ",
                       q_derivatives.empty() ? 0 : q_derivatives.size() - 1, " time derivatives. The torques of ",
                       list_of(work_->chain.names), " depend on derivatives up to order ", needed - 1,
                       ". Give all of them; the trajectory must be that smooth."));
  }
  for (std::size_t k = 0; k < needed; ++k) {
    if (q_derivatives[k].size() != n) {
      throw Error("state-size", {},
                  concat("q_derivatives[", k, "] has ", q_derivatives[k].size(), " entries, but there are ", n, ": ",
                         list_of(work_->mech().layout.q), "."));
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (std::isfinite(q_derivatives[k][i])) continue;
      throw Error("state-not-finite", {},
                  concat("q_derivatives[", k, "][", i, "], ", quoted(q_names()[i]), ", is ",
                         number_text(q_derivatives[k][i]), ". Only finite numbers are allowed."));
    }
  }
  double factorial = 1;
  for (std::size_t k = 0; k < needed; ++k) {
    if (k > 0) factorial *= static_cast<double>(k);
    for (std::size_t i = 0; i < n; ++i) work_->coefficients[k][i] = q_derivatives[k][i] / factorial;
  }
}

void ElasticInverseDynamics::refresh(const Model& model) {
  Parameters<double> next = work_->par;
  work_->refresher.refresh(model, next);
  ElasticChain chain(work_->mech(), next);
  const bool same = chain.q_order == work_->chain.q_order;
  work_->par = std::move(next), work_->chain = std::move(chain);
  if (!same) work_->prepare();
  work_->take_orders();
}

void ElasticInverseDynamics::reconfigure(const Model& model) { work_ = std::make_unique<Work>(model, work_->options); }

const ElasticInverseDynamics::Torques& ElasticInverseDynamics::compute() noexcept {
  Work& w = *work_;
  w.series->run(w.mech(), w.par, w.chain, w.coefficients, w.torque, w.position, w.spring);
  return w.torques;
}

}  // namespace articula::solve
