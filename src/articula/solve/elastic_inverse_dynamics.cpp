#include <articula/solve/elastic_inverse_dynamics.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/not_computed.h>
#include <articula/build/refresh.h>
#include <articula/closure/computed.h>
#include <articula/drives/elastic_series.h>
#include <articula/drives/rotor_coupling.h>

namespace articula::solve {
namespace {

using namespace drives;

BuildOptions with(BuildOptions options, Drives drives) {
  options.drives = drives;
  return options;
}

}  // namespace

struct ElasticInverseDynamics::Work {
  Work(const Model& model, const BuildOptions& build)
      : options(build),
        refresher(model, with(build, Drives::locked)),
        full_refresher(model, with(build, Drives::elastic)),
        par(refresher.built().parameters),
        par_full(full_refresher.built().parameters),
        chain(checked(mech(), build), par, full(), par_full, is_rigid()) {
    if (auto contacts = contacts_not_computed(mech())) findings.push_back(std::move(*contacts));
    prepare();
  }

  bool is_rigid() const { return options.drives == Drives::rigid; }
  static const Mechanism& checked(const Mechanism& mech, const BuildOptions& options) {
    refuse_loops("ElasticInverseDynamics", mech);
    if (options.drives == Drives::locked) {
      throw Error("elastic-locked", {},
                  concat("ElasticInverseDynamics of ", quoted(mech.name),
                         ": rotors of locked drives are at rest, so that their motors have no torques. Choose rigid or "
                         "elastic drives."));
    }
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
  const Mechanism& full() const { return full_refresher.built().mechanism; }

  void prepare() {
    series = ElasticSeries::make(mech(), chain);
    numbers = ElasticNumbers(mech(), chain);
    numbers.coefficients[0] = par.q_start;
    kin.emplace(mech());
    coupling.emplace(mech(), chain);
    couplings = {
        {coupling->S.data(), mech().nv, static_cast<int>(chain.rotors.size())}, coupling->C_rotor, coupling->C_carrier};
    torques = {numbers.torque, numbers.position, numbers.velocity, numbers.spring};
    names.clear();
    for (const ElasticRotor& rotor : chain.rotors) names.push_back(rotor.name);
    take_orders();
    list_actuation();
  }
  void list_actuation() {
    actuation.clear(), joints.clear(), motors.clear();
    for (std::size_t r = 0; r < chain.rotors.size(); ++r) {
      const ElasticRotor& rotor = chain.rotors[r];
      const ElasticGroup& group = chain.groups[at(rotor.group)];
      const auto place =
          std::find(group.rotors.begin(), group.rotors.end(), static_cast<int>(r)) - group.rotors.begin();
      const ElasticGroup::Shaft& shaft = group.shafts[at(static_cast<int>(place))];
      joints.push_back(mech().layout.v[at(shaft.dof)]);
      const Provenance::Entry& owner = mech().provenance.entities[at(mech().rotors[at(rotor.element)].entity)];
      motors.push_back(concat(rotor.name, owner.kind == "drive" ? ".motor" : ".shaft"));
      if (group.rotors.size() == 1 && !shaft.has_spring) {
        actuation.push_back({joints.back(), group.R.front()});
        continue;
      }
      actuation.push_back({motors.back(), 1});
    }
  }
  void take_orders() {
    orders.clear();
    for (const ElasticRotor& rotor : chain.rotors) orders.push_back(rotor.order);
    limits.clear();
    for (const ElasticRotor& rotor : chain.rotors) limits.push_back({rotor.torque_limit, rotor.speed_limit});
  }

  BuildOptions options;
  Refresher refresher, full_refresher;
  Parameters<double> par, par_full;
  ElasticChain chain;
  std::unique_ptr<ElasticSeries> series;
  ElasticNumbers numbers;
  std::vector<std::string> names, joints, motors;
  std::vector<Actuation> actuation;
  std::vector<int> orders;
  std::vector<MotorLimits> limits;
  std::optional<Velocities<double>> kin;
  std::optional<RotorCoupling<double>> coupling;
  Torques torques;
  Couplings couplings;
  Findings findings;
  Report report;
};

ElasticInverseDynamics::ElasticInverseDynamics(const Model& model, const BuildOptions& options)
    : work_(std::make_unique<Work>(model, options)) {}
ElasticInverseDynamics::~ElasticInverseDynamics() = default;
ElasticInverseDynamics::ElasticInverseDynamics(ElasticInverseDynamics&&) noexcept = default;
ElasticInverseDynamics& ElasticInverseDynamics::operator=(ElasticInverseDynamics&&) noexcept = default;

int ElasticInverseDynamics::order() const { return work_->chain.q_order; }
std::span<const std::string> ElasticInverseDynamics::q_names() const { return work_->mech().layout.q; }
std::span<const std::string> ElasticInverseDynamics::v_names() const { return work_->mech().layout.v; }
std::span<const std::string> ElasticInverseDynamics::drives() const { return work_->names; }
std::span<const int> ElasticInverseDynamics::drive_orders() const { return work_->orders; }
std::span<const std::string> ElasticInverseDynamics::motors() const { return work_->motors; }
std::span<const ElasticInverseDynamics::MotorLimits> ElasticInverseDynamics::motor_limits() const {
  return work_->limits;
}
std::span<const ElasticInverseDynamics::Actuation> ElasticInverseDynamics::actuation() const {
  return work_->actuation;
}
std::span<const std::string> ElasticInverseDynamics::driven_joints() const { return work_->joints; }
bool ElasticInverseDynamics::has_damped_springs() const { return work_->chain.has_damped_springs; }
const Findings& ElasticInverseDynamics::findings() const { return work_->findings; }
const Report& ElasticInverseDynamics::report() const { return work_->report; }

void ElasticInverseDynamics::update(std::span<const VectorView> q_derivatives, VectorView motor_position) {
  const std::size_t needed = work_->numbers.coefficients.size(), n = q_names().size();
  const auto require = [](const std::string& what, VectorView x, std::span<const std::string> names) {
    if (x.size() != names.size()) {
      throw Error("state-size", {},
                  concat(what, " has ", x.size(), " entries, but there are ", names.size(), ": ", list_of(names), "."));
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (std::isfinite(x[i])) continue;
      throw Error("state-not-finite", {},
                  concat(what, "[", i, "], ", quoted(names[i]), ", is ", number_text(x[i]),
                         ". Only finite numbers are allowed."));
    }
  };
  if (q_derivatives.size() < needed) {
    throw Error("elastic-derivatives", {},
                concat("q_derivatives has ", q_derivatives.size(), " entries, q and ",
                       q_derivatives.empty() ? 0 : q_derivatives.size() - 1, " time derivatives. The torques of ",
                       list_of(work_->names), " depend on derivatives up to order ", needed - 1,
                       ". Give all of them; the trajectory must be that smooth."));
  }
  for (std::size_t k = 0; k < needed; ++k) require(concat("q_derivatives[", k, "]"), q_derivatives[k], q_names());
  const bool given = motor_position.size() > 0;
  if (given) {
    require("motor_position", motor_position, work_->names);
    if (!has_damped_springs()) {
      throw Error("elastic-motor-position", {},
                  concat("motor_position is given, but no drive of ", quoted(work_->mech().name),
                         " has a damped spring: the angles of the rotors follow from q and its time derivatives. Omit "
                         "it."));
    }
  }
  double factorial = 1;
  for (std::size_t k = 0; k < needed; ++k) {
    if (k > 0) factorial *= static_cast<double>(k);
    for (std::size_t i = 0; i < n; ++i) work_->numbers.coefficients[k][i] = q_derivatives[k][i] / factorial;
  }
  work_->numbers.steady = !given;
  for (std::size_t r = 0; r < motor_position.size(); ++r) work_->numbers.start[r] = motor_position[r];
}

void ElasticInverseDynamics::refresh(const Model& model) {
  Parameters<double> next = work_->par, next_full = work_->par_full;
  work_->refresher.refresh(model, next);
  work_->full_refresher.refresh(model, next_full);
  ElasticChain chain(work_->mech(), next, work_->full(), next_full, work_->is_rigid());
  const bool same = chain.q_order == work_->chain.q_order;
  work_->par = std::move(next), work_->par_full = std::move(next_full), work_->chain = std::move(chain);
  if (!same) work_->prepare();
  work_->take_orders();
  work_->list_actuation();
}

void ElasticInverseDynamics::reconfigure(const Model& model) { work_ = std::make_unique<Work>(model, work_->options); }

const ElasticInverseDynamics::Torques& ElasticInverseDynamics::compute() noexcept {
  Work& w = *work_;
  w.series->run(w.mech(), w.par, w.chain, w.numbers);
  w.report.status = Report::Status::done;
  return w.torques;
}

const ElasticInverseDynamics::Couplings& ElasticInverseDynamics::couplings() noexcept {
  Work& w = *work_;
  positions<double, double>(w.mech(), w.par, w.numbers.coefficients[0], *w.kin);
  velocities<double, double>(w.mech(), w.par, w.numbers.coefficients[0], w.numbers.v, *w.kin);
  rotor_coupling<double, double>(w.mech(), w.par, w.chain, *w.kin, w.numbers.velocity, *w.coupling);
  return w.couplings;
}

}  // namespace articula::solve
