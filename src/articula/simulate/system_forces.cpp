// External forces on a System, set by the caller.
#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/simulate/internal/system_core.h>

namespace articula::simulate {

/// Numbers of a load in a list: its frames, moment and force.
static constexpr std::size_t load_size = 8;

static void require_finite(double x, const auto&... what) {
  if (std::isfinite(x)) return;
  throw Error("state-not-finite", {}, concat(what..., " is ", number_text(x), ". Only finite numbers are allowed."));
}

bool System::set_force(std::string_view dof, double force) {
  Core& c = *core_;
  const auto found = std::find(v_names().begin(), v_names().end(), dof);
  if (found == v_names().end()) {
    throw Error("no-such-joint", {},
                concat("set_force: degree of freedom ", quoted(dof), " not found.",
                       choices(dof, "Degrees of freedom", v_names())));
  }
  require_finite(force, "set_force: the force along ", quoted(dof));
  const auto place = static_cast<std::size_t>(found - v_names().begin());
  if (c.prescribed.moves_v(place)) {
    throw Error("force-on-prescribed", {},
                concat("set_force: ", quoted(dof), " is prescribed: it moves as its trajectory says, whatever acts on ",
                       "it. Set forces on other joints, or drive this one by a block instead of prescribing it."));
  }
  double& now = c.network.forces()[place];
  const bool changes = now != force;
  now = force;
  return changes;
}

int System::frame(const PortRef& name) const { return core_->plant.exposed().mech().frame(name); }

static bool is_same(const Vec3<double>& a, const Vec3<double>& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool System::set_load(const Load& load) {
  Core& c = *core_;
  const auto count = static_cast<int>(c.plant.exposed().mech().frames.size());
  if (load.frame < 0 || load.frame >= count || load.axes < 0 || load.axes >= count) {
    throw Error("load-frame", {},
                concat("set_load: the load acts at frame ", load.frame, " in axes of frame ", load.axes,
                       ", but there are frames 0 to ", count - 1, ". Ask the simulation: frame({\"hand\", \"tip\"})."));
  }
  const auto& [n, f] = load.wrench;
  for (const double x : {n.x, n.y, n.z, f.x, f.y, f.z}) require_finite(x, "set_load: a number of the load");
  std::vector<Load>& loads = c.plant.loads();
  const bool is_zero = is_same(n, {}) && is_same(f, {});
  const auto found =
      std::find_if(loads.begin(), loads.end(), [&](const Load& each) { return each.frame == load.frame; });
  if (found == loads.end()) {
    if (!is_zero) loads.push_back(load);
    return !is_zero;
  }
  if (is_zero) {
    loads.erase(found);
    return true;
  }
  const bool changes = !(found->axes == load.axes && is_same(found->wrench.n, n) && is_same(found->wrench.f, f));
  *found = load;
  return changes;
}

bool System::clear_forces() {
  std::vector<double>& along = core_->network.forces();
  std::vector<Load>& loads = core_->plant.loads();
  const bool changes = !loads.empty() || std::any_of(along.begin(), along.end(), [](double x) { return x != 0; });
  std::fill(along.begin(), along.end(), 0.0);
  loads.clear();
  return changes;
}

/// [forces along all degrees of freedom, then each load]
std::vector<double> System::forces() const {
  std::vector<double> all = core_->network.forces();
  for (const Load& load : core_->plant.loads()) {
    const auto& [n, f] = load.wrench;
    all.insert(all.end(),
               {static_cast<double>(load.frame), static_cast<double>(load.axes), n.x, n.y, n.z, f.x, f.y, f.z});
  }
  if (std::all_of(all.begin(), all.end(), [](double x) { return x == 0; })) all.clear();
  return all;
}

void System::set_forces(std::span<const double> forces) {
  clear_forces();
  if (forces.empty()) return;
  std::vector<double>& along = core_->network.forces();
  if (forces.size() < along.size() || (forces.size() - along.size()) % load_size != 0) {
    throw Error("checkpoint-of-other-run", {},
                concat("the checkpoint has ", forces.size(), " numbers of forces, but the system has ", along.size(),
                       " degrees of freedom."));
  }
  std::copy_n(forces.begin(), along.size(), along.begin());
  for (auto rest = forces.subspan(along.size()); !rest.empty(); rest = rest.subspan(load_size)) {
    set_load({.frame = static_cast<int>(rest[0]),
              .wrench = {{rest[2], rest[3], rest[4]}, {rest[5], rest[6], rest[7]}},
              .axes = static_cast<int>(rest[1])});
  }
}

}  // namespace articula::simulate
