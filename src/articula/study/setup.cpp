#include <articula/study/setup.h>

#include <algorithm>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/internal/exposed_mechanism.h>
#include <articula/study/internal/set_property.h>

namespace articula::study {
namespace {

template <class Entries>
auto* find(Entries& all, std::string_view name) {
  using Entry = std::remove_reference_t<decltype(all.front())>;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Entry& each) { return each.name == name; });
  return found == all.end() ? static_cast<Entry*>(nullptr) : &*found;
}

}  // namespace

void apply_override(const Override& one, Setup& setup) {
  const std::size_t dot = one.path.find('.');
  if (dot != std::string::npos) {
    const std::string name = one.path.substr(0, dot), property = one.path.substr(dot + 1);
    if (auto* trajectory = find(setup.trajectories, name))
      return set_property(trajectory->kind, property, "override", one);
    if (auto* block = find(setup.blocks, name)) return set_property(block->kind, property, "override", one);
  }
  apply_overrides({one}, setup.model.change());
}

std::optional<Dimension> dimension_of(const std::string& path, const Setup& setup) {
  const std::size_t dot = path.find('.');
  if (dot != std::string::npos) {
    const std::string name = path.substr(0, dot), property = path.substr(dot + 1);
    if (const auto* trajectory = find(setup.trajectories, name)) return property_dimension(trajectory->kind, property);
    if (const auto* block = find(setup.blocks, name)) return property_dimension(block->kind, property);
  }
  return override_dimension(path, *setup.model);
}

/// Each coordinate of a trajectory is three signals of every run.
static constexpr std::size_t most_coordinates = 100'000;

static std::vector<NamedTrajectory> make_trajectories(const Setup& setup, const Mechanism& mech,
                                                      const Parameters<double>& par,
                                                      std::span<const std::string> v_names) {
  std::vector<NamedTrajectory> made;
  Findings findings;
  TrajectoryContext context{.mechanism = mech,
                            .parameters = par,
                            .name = {},
                            .where = {},
                            .folder = setup.folder,
                            .all = {v_names.begin(), v_names.end()},
                            .model = &*setup.model,
                            .shared = setup.model.mechanism(),
                            .reach = setup.reach};
  std::size_t coordinates = 0;
  for (const auto& each : setup.trajectories) {
    context.name = each.name;
    context.where = each.where;
    try {
      JointTrajectory trajectory = make_trajectory(each.kind, context);
      coordinates += trajectory.joints.size();
      if (coordinates > most_coordinates) {
        refuse(context, "trajectory-count",
               concat("the trajectories of the study have more than ", most_coordinates,
                      " coordinates together. Take fewer, or name the joints that each one moves."));
      }
      made.push_back({each.name, std::move(trajectory.joints), std::move(trajectory.motion)});
      context.earlier.push_back({made.back().name, made.back().coordinates, made.back().motion.get()});
    } catch (const Error& error) {
      add_findings(findings, error.errors());
    }
  }
  throw_if_errors(findings);
  return made;
}

std::vector<NamedTrajectory> make_trajectories(const Setup& setup) {
  if (setup.trajectories.empty()) return {};
  const ForwardKinematics solver(*setup.model,
                                 {.mechanism = setup.model.mechanism(Drives::elastic)});  // names of motors
  return make_trajectories(setup, solver.mechanism(), solver.parameters(), solver.v_names());
}

std::vector<NamedTrajectory> make_trajectories(const Setup& setup, const BlockSite& site) {
  const ExposedMechanism& shown = *site.mechanism();
  return make_trajectories(setup, shown.mech(), shown.par(), shown.map().v_names());
}

std::vector<std::string> block_names(const Setup& setup, std::vector<std::string> names) {
  std::vector<std::string> known;
  for (const BlockSpec& block : setup.blocks) known.push_back(block.name);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto found = std::find(known.begin(), known.end(), names[k]);
    if (found == known.end()) {
      throw Error("no-such-block", {},
                  concat("the study has no block ", quoted(names[k]), ".", choices(names[k], "Blocks", known)));
    }
    const std::string inner = wrapped_by(setup.blocks[static_cast<std::size_t>(found - known.begin())]);
    if (!inner.empty() && std::find(names.begin(), names.end(), inner) == names.end()) names.push_back(inner);
  }
  return names;
}

std::vector<BlockSpec> block_specs_of(const Setup& setup, const std::vector<std::string>& names) {
  if (names.empty()) return setup.blocks;
  const std::vector<std::string> wanted = block_names(setup, names);
  std::vector<BlockSpec> specs;
  for (const BlockSpec& block : setup.blocks) {
    if (std::find(wanted.begin(), wanted.end(), block.name) != wanted.end()) specs.push_back(block);
  }
  return specs;
}

}  // namespace articula::study
