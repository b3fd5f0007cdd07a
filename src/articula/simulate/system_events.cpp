// Jumps of a System: events, known times, samples, and the modes of friction.
#include <algorithm>
#include <functional>

#include <articula/base/text.h>
#include <articula/simulate/internal/system_core.h>

namespace articula::simulate {

int System::event_count() const { return core_->network.event_count() + static_cast<int>(core_->friction.size()); }

void System::event_values(double t, std::span<const double> y, std::span<double> g) {
  Core& c = *core_;
  const auto blocks = static_cast<std::size_t>(c.network.event_count());
  if (c.friction.any_sticks()) {
    c.evaluate(t, y);
  } else {
    c.drive(t, y);
  }
  c.network.event_values(g.first(blocks));
  c.friction.event_values(y.subspan(c.nq, c.nv), c.reaction, g.subspan(blocks));
}

EventDirection System::event_direction(int k) const {
  return k < core_->network.event_count() ? EventDirection::both : EventDirection::falling;
}

void System::end_before(double t) { core_->network.end_before(t); }

bool System::is_prescribed(std::size_t dof) const { return core_->prescribed.moves_v(dof); }

bool System::is_given(std::size_t dof) const { return core_->plant.is_prescribed(dof); }

std::span<const double> System::modes() const { return core_->friction.modes(); }

void System::set_modes(std::span<const double> modes) { core_->friction.set_modes(modes, core_->plant); }

void System::make_consistent(double t, std::span<double> y) { core_->settle(-1, t, y); }

bool System::is_inconsistent(std::span<const double> y) const {
  return core_->friction.contradicts(y.subspan(core_->nq, core_->nv));
}

void System::rest_at(double t, std::span<double> y) {
  Core& c = *core_;
  follow(t, y);
  std::fill_n(y.begin() + static_cast<std::ptrdiff_t>(c.nq), c.nv, 0.0);
  c.at_rest = true;
  c.friction.release(c.plant);
}

void System::move_again(double t, std::span<double> y) {
  core_->at_rest = false;
  follow(t, y);
  make_consistent(t, y);
}

bool System::on_event(int k, double t, std::span<double> y) {
  Core& c = *core_;
  const int blocks = c.network.event_count();
  bool ends = false;
  int stopped = -1;
  if (k < blocks) {
    c.drive(t, y);
    ends = c.network.on_event(k, y.subspan(c.nq + c.nv));
  } else if (c.friction.modes()[static_cast<std::size_t>(k - blocks)] != 0) {
    stopped = k - blocks;
  }
  c.settle(stopped, t, y);
  return ends;
}

std::string System::event_name(int k) const {
  const int blocks = core_->network.event_count();
  if (k < blocks) return core_->network.event_name(k);
  return concat("joint ", quoted(v_names()[core_->friction.dof(static_cast<std::size_t>(k - blocks))]),
                " begins or ends to slide");
}

std::vector<double> System::breaks(double begin, double until) const {
  std::vector<double> all = core_->network.breaks(begin, until);
  for (const double t : core_->prescribed.breaks(until)) {
    if (t > begin && t < until) all.push_back(t);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void System::on_break(double t, std::span<double> y) {
  Core& c = *core_;
  const Core::Parts p = c.drive(t, y);
  c.plant.hold(p.q, p.v, c.hold);
  c.network.on_break(t, c.hold, y.subspan(c.nq + c.nv));
  c.settle(-1, t, y);
}

double System::next_sample(double t) const { return core_->network.next_sample(t); }

double System::nearest_sample(double t) const { return core_->network.nearest_sample(t); }

bool System::sample(double t, std::span<double> y) {
  Core& c = *core_;
  if (!c.network.samples_at(t)) return false;
  c.drive(t, y);
  c.network.sample(t, y.subspan(c.nq + c.nv));
  c.settle(-1, t, y);
  return true;
}

void System::Core::settle(int stopped, double t, std::span<double> y) {
  if (friction.size() == 0) return;
  const Parts p = drive(t, y);
  friction.set_speeds(p.v, plant);
  const auto accelerate = [&](std::span<const double> force, std::span<double> a) {
    for (std::size_t k = 0; k < nv; ++k) tau_tried[k] = network.tau()[k] + force[k], a[k] = vdot[k];
    return plant.accelerate(p.q, p.v, tau_tried, a);
  };
  friction.settle(stopped, y.subspan(nq, nv), plant, std::cref(accelerate));
}

}  // namespace articula::simulate
