#include <articula/simulate/internal/dry_friction.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>

namespace articula::simulate {
namespace {

/// Over which friction is smoothed where gears leave no other way.
constexpr double default_speed = 1e-3;

constexpr int most_sweeps = 10000;
constexpr double settled = 1e-15;  ///< change of a friction force in one sweep, as a part of its limit
/// A joint whose friction force is this near to its limit slides.
constexpr double at_limit = 1e-12;

}  // namespace

DryFriction::DryFriction(const BlockSite& site, const PrescribedMotion& prescribed, const Plant& plant) {
  const ExteriorMap& map = plant.exposed().map();
  const double smooth_speed = site.options().friction_speed;
  const std::size_t nv = plant.nv();
  std::vector<Place> by_shown(nv);
  for (std::size_t dof = 0; dof < static_cast<std::size_t>(plant.exposed().mech().nv); ++dof) {
    const double force = plant.friction(dof);
    const auto terms = map.row(dof);
    if (force <= 0 || terms.empty()) continue;
    const auto shown = static_cast<std::size_t>(terms.front().shown);
    const bool given = std::all_of(terms.begin(), terms.end(), [&](const auto& term) {
      return prescribed.moves_v(static_cast<std::size_t>(term.shown));
    });
    if (terms.size() == 1 && smooth_speed <= 0 && !given) {
      by_shown[shown].force += force * std::abs(terms.front().factor);
      by_shown[shown].parts.push_back({dof, terms.front().factor < 0 ? -1.0 : 1.0});
      continue;
    }
    Row row{dof, {}, given ? 0 : smooth_speed > 0 ? smooth_speed : default_speed};
    for (const auto& term : terms) row.terms.emplace_back(static_cast<std::size_t>(term.shown), term.factor);
    by_speed_.push_back(std::move(row));
    if (!given && smooth_speed <= 0) {
      const Mechanism& mech = plant.exposed().mech();
      findings_.push_back(
          {Severity::warning,
           "friction-smoothed",
           {},
           concat("joint ", quoted(mech.layout.v[dof]), " follows several others by gears: its friction is ",
                  "smoothed over ", default_speed, " rad/s or m/s, and it creeps instead of sticking.")});
    }
  }
  for (std::size_t s = 0; s < nv; ++s) {
    if (by_shown[s].parts.empty()) continue;
    by_shown[s].shown = s;
    places_.push_back(std::move(by_shown[s]));
  }
  modes_.assign(places_.size(), 1.0);
  resting_.reserve(size());
  W_.resize(size() * size()), a_.resize(size()), r_.resize(size()), force_.resize(nv), all_.resize(nv);
}

void DryFriction::set_mode(std::size_t k, double mode, Plant& plant) {
  modes_[k] = mode;
  plant.prescribe(places_[k].shown, mode == 0);
  for (const Part& part : places_[k].parts) plant.set_slip(part.dof, part.sign * mode);
}

void DryFriction::release(Plant& plant) {
  settled_ = true;
  sticks_ = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    set_mode(k, 1, plant);
    for (const Part& part : places_[k].parts) plant.set_slip(part.dof, 0);
  }
}

void DryFriction::set_modes(std::span<const double> modes, Plant& plant) {
  settled_ = true;
  sticks_ = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    set_mode(k, modes[k], plant);
    sticks_ += modes[k] == 0;
  }
}

void DryFriction::set_speeds(std::span<const double> v, Plant& plant) const {
  for (std::size_t k = 0; !settled_ && k < size(); ++k) {
    const double speed = v[places_[k].shown], direction = (speed > 0) - (speed < 0);
    for (const Part& part : places_[k].parts) plant.set_slip(part.dof, part.sign * direction);
  }
  for (const Row& row : by_speed_) {
    double speed = 0;
    for (const auto& [shown, factor] : row.terms) speed += factor * v[shown];
    if (row.speed == 0) {
      plant.set_slip(row.dof, (speed > 0) - (speed < 0));
    } else {
      const double slip = std::tanh(speed / row.speed);
      plant.set_slip(row.dof, slip, (1 - slip * slip) / row.speed);
    }
  }
}

void DryFriction::event_values(std::span<const double> v, std::span<const double> reaction, std::span<double> g) const {
  for (std::size_t k = 0; k < size(); ++k) {
    g[k] = modes_[k] == 0 ? places_[k].force - std::abs(reaction[k]) : modes_[k] * v[places_[k].shown];
  }
}

bool DryFriction::contradicts(std::span<const double> v) const {
  for (std::size_t k = 0; k < size(); ++k) {
    if (modes_[k] * v[places_[k].shown] < 0) return true;
  }
  return false;
}

void DryFriction::settle(int stopped, std::span<double> v, Plant& plant, const Accelerate& accelerate) {
  if (places_.empty()) return;
  settled_ = true;
  resting_.clear();
  for (std::size_t k = 0; k < size(); ++k) {
    double& speed = v[places_[k].shown];
    if (static_cast<int>(k) == stopped || modes_[k] * speed < 0) speed = 0;
    if (speed == 0) resting_.push_back(k);
    set_mode(k, speed > 0 ? 1 : -1, plant);
    if (speed == 0) {
      // Free to move, and without friction, for a moment.
      for (const Part& part : places_[k].parts) plant.set_slip(part.dof, 0);
    }
  }
  sticks_ = 0;
  const std::size_t n = resting_.size();
  if (n == 0) return;

  // W by columns: what a force as large as each friction adds to the accelerations.
  std::fill(force_.begin(), force_.end(), 0.0);
  bool good = accelerate(force_, all_);
  for (std::size_t i = 0; i < n; ++i) a_[i] = all_[places_[resting_[i]].shown];
  for (std::size_t j = 0; good && j < n; ++j) {
    const Place& place = places_[resting_[j]];
    force_[place.shown] = place.force;
    good = accelerate(force_, all_);
    force_[place.shown] = 0;
    for (std::size_t i = 0; i < n; ++i) W_[i * n + j] = all_[places_[resting_[i]].shown] - a_[i];
  }
  std::fill_n(r_.begin(), n, 0.0);
  for (int sweep = 0; good && sweep < most_sweeps; ++sweep) {
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double a = a_[i];
      for (std::size_t j = 0; j < n; ++j) a += W_[i * n + j] * r_[j];
      const double next = std::clamp(r_[i] - a / W_[i * n + i], -1.0, 1.0);
      change = std::max(change, std::abs(next - r_[i]));
      r_[i] = next;
    }
    if (change <= settled) break;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const bool slides = std::abs(r_[i]) >= 1 - at_limit;
    set_mode(resting_[i], !slides ? 0 : r_[i] > 0 ? -1 : 1, plant);
    sticks_ += !slides;
  }
}

}  // namespace articula::simulate
