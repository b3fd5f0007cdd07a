#include <articula/study/internal/unused.h>

#include <algorithm>
#include <optional>
#include <set>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/solve/internal/exposed_mechanism.h>
#include <articula/text/internal/yaml_tree.h>

namespace articula::study {
namespace {

/// All scalars of a study except the names of its trajectories. A trajectory is unused if its name does not occur among
/// them, neither by itself nor as the first part of a signal (`wave.q.elbow`).
class Mentions {
 public:
  explicit Mentions(const Study& study) {
    const YamlNode root = study.tree->root();
    for (std::size_t k = 0; root.is_mapping() && k < root.size(); ++k) {
      const bool own = root.key(k).text() == "trajectories";
      add(root.value(k), own);
    }
  }

  bool has(const std::string& name) const {
    const auto signal = names_.lower_bound(name + ".");
    return names_.contains(name) || (signal != names_.end() && signal->starts_with(name + "."));
  }

 private:
  void add(const YamlNode& node, bool without_keys = false) {
    if (node.is_sequence()) {
      for (std::size_t k = 0; k < node.size(); ++k) add(node.item(k));
    } else if (node.is_mapping()) {
      for (std::size_t k = 0; k < node.size(); ++k) {
        if (!without_keys) names_.emplace(node.key(k).text());
        add(node.value(k));
      }
    } else {
      names_.emplace(node.text());
    }
  }

  std::set<std::string> names_;
};

/// The trajectories that move prescribed joints, which use them implicitly.
std::set<std::string> followed(const Made& made) {
  const Mechanism& mech = made.site.mechanism()->mech();
  std::set<std::string> names;
  if (std::find(mech.roles.begin(), mech.roles.end(), DofRole::prescribed) == mech.roles.end()) return names;
  for (const NamedTrajectory& trajectory : made.trajectories) {
    for (std::size_t k = 0; k < mech.roles.size(); ++k) {
      const auto& moved = trajectory.coordinates;
      if (mech.roles[k] == DofRole::prescribed &&
          std::find(moved.begin(), moved.end(), mech.layout.v[k]) != moved.end())
        names.insert(trajectory.name);
    }
  }
  return names;
}

/// Adds the names of the blocks that a task includes. @return whether it includes all blocks
bool add_blocks(const NamedTask& task, std::set<std::string>& names) {
  return std::visit(
      [&]<class K>(const K& kind) {
        if constexpr (requires { kind.blocks; }) {
          names.insert(kind.blocks.begin(), kind.blocks.end());
          return kind.blocks.empty();
        } else if constexpr (std::is_same_v<K, SweepTask>) {
          return add_blocks(*kind.task, names);
        } else {
          return false;
        }
      },
      task.kind);
}

void warn(std::string code, const Where& where, const std::string& message, Findings& findings) {
  add_finding(findings, {Severity::warning, std::move(code), where, message});
}

/// Blocks that have no effect in any task.
void find_idle_blocks(const std::vector<std::unique_ptr<Block>>& blocks, Findings& findings) {
  for (const auto& block : blocks) {
    const std::string prefix = block->name + ".";
    const bool read = std::any_of(blocks.begin(), blocks.end(), [&](const auto& other) {
      const std::vector<std::string> inputs = other->inputs();
      return std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) { return input.starts_with(prefix); });
    });
    if (read || !block->actions().empty() || block->event_count() > 0) continue;
    warn("block-unused", block->where,
         concat("block ", quoted(block->name),
                " is not used: it acts on no joint, and no other block reads it. Remove it, or connect it."),
         findings);
  }
}

}  // namespace

void find_unused(const Study& study, const Made& made, Findings& findings) {
  const std::optional<Mentions> mentions = study.tree ? std::optional<Mentions>(study) : std::nullopt;
  const std::set<std::string> by_joints = followed(made);
  for (const auto& trajectory : study.trajectories) {
    if (!mentions || mentions->has(trajectory.name) || by_joints.contains(trajectory.name)) continue;
    warn("trajectory-unused", trajectory.where,
         concat("trajectory ", quoted(trajectory.name),
                " is not used: no task, block, start or check names it. Remove it, or name it, e.g. along: ",
                trajectory.name, "."),
         findings);
  }
  std::set<std::string> included;
  bool all = false;
  for (const NamedTask& task : study.tasks) all |= add_blocks(task, included);
  if (all) return find_idle_blocks(made.blocks, findings);
  const std::vector<std::string> with_wrapped = block_names(made.setup, {included.begin(), included.end()});
  for (const BlockSpec& block : study.blocks) {
    if (std::find(with_wrapped.begin(), with_wrapped.end(), block.name) != with_wrapped.end()) continue;
    warn("block-unused", block.where,
         concat("block ", quoted(block.name),
                " is not used: no task includes it. Remove it, or name it in `blocks` of a ", "task, e.g. blocks: [",
                block.name, "]."),
         findings);
  }
}

}  // namespace articula::study
