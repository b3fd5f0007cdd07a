#include <articula/formats/internal/urdf_tree.h>

#include <algorithm>
#include <utility>

#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::formats {

UrdfTree::UrdfTree(const UrdfRobot& robot, UrdfInput& input) : robot_(robot), input_(input) {
  number_names();
  if (robot.links.empty()) {
    input.error("urdf-empty", {input.file(), 0},
                concat("robot ", quoted(robot.name), " has no links. It needs at least one."));
    return;
  }
  if (!hang_up()) return;
  find_root();
  if (root_ >= 0) measure();
}

int UrdfTree::find(const Index& index, std::string_view name) {
  const auto place = index.find(std::string(name));
  return place == index.end() ? -1 : place->second;
}

void UrdfTree::number_names() {
  const auto number = [&](const auto& all, Index& index, std::vector<std::string>& names, std::string_view kind) {
    for (const auto& each : all) {
      const auto [place, added] = index.try_emplace(each.name, static_cast<int>(names.size()));
      names.push_back(each.name);
      if (added || each.name.empty()) continue;
      input_.error("name-duplicate", each.where,
                   concat(kind, " ", quoted(each.name), ": the name is taken by the ", kind, " at ",
                          to_text(all[at(place->second)].where), ". Names are unique; rename one of them."));
    }
  };
  number(robot_.links, links_, link_names_, "link");
  number(robot_.joints, joints_, joint_names_, "joint");
  for (std::size_t k = 0; k < robot_.loops.size(); ++k) {
    const UrdfLoop& loop = robot_.loops[k];
    const auto [place, added] = loops_.try_emplace(loop.name, static_cast<int>(k));
    const int joint = find_joint(loop.name);
    if ((added && joint < 0) || loop.name.empty()) continue;
    input_.error("name-duplicate", loop.where,
                 concat("loop ", quoted(loop.name), ": the name is taken by the ", joint < 0 ? "loop" : "joint", " at ",
                        to_text(joint < 0 ? robot_.loops[at(place->second)].where : robot_.joints[at(joint)].where),
                        ". Names are unique; rename one of them."));
  }
}

void UrdfTree::report_no_link(const UrdfMention& mention, const std::string& subject) {
  if (mention.where.line == 0) return;  // reported as missing
  input_.error(
      "no-such-link", mention.where,
      concat(subject, ": link ", quoted(mention.name), " not found.", input_.suggestion(mention.name, link_names_),
             link_names_.empty() ? "" : concat(" Links: ", list_of(link_names_), ".")));
}

void UrdfTree::report_no_joint(const UrdfMention& mention, const std::string& subject, std::string_view consequence) {
  if (mention.where.line == 0) return;
  input_.defect("no-such-joint", mention.where,
                concat(subject, ": joint ", quoted(mention.name), " not found; ", consequence, ".",
                       input_.suggestion(mention.name, joint_names_),
                       joint_names_.empty() ? "" : concat(" Joints: ", list_of(joint_names_), ".")));
}

/// Connects each child with its parent. Returns false if one could not be connected.
bool UrdfTree::hang_up() {
  bool all = true;
  carrier_.assign(robot_.links.size(), -1);
  parent_.assign(robot_.links.size(), -1);
  for (int j = 0; j < static_cast<int>(robot_.joints.size()); ++j) {
    const UrdfJoint& joint = robot_.joints[at(j)];
    const std::string subject = concat("joint ", quoted(joint.name));
    const bool was_all = std::exchange(all, false);
    const int parent = find_link(joint.parent.name), child = find_link(joint.child.name);
    if (parent < 0) report_no_link(joint.parent, subject);
    if (child < 0) report_no_link(joint.child, subject);
    if (parent < 0 || child < 0) continue;
    if (parent == child) {
      input_.error(
          "self-parent", joint.where,
          concat(subject, ": link ", quoted(joint.child.name), " is its own parent. Name two different links."));
      continue;
    }
    if (const int first = carrier(child); first >= 0) {
      const UrdfJoint& other = robot_.joints[at(first)];
      input_.error(
          "two-parents", joint.where,
          concat(subject, ": link ", quoted(joint.child.name), " is already the child of joint ", quoted(other.name),
                 " at ", to_text(other.where), ". A link has one parent; declare a loop with <loop>."));
      continue;
    }
    carrier_[at(child)] = j;
    parent_[at(child)] = parent;
    all = was_all;
  }
  return all;
}

void UrdfTree::find_root() {
  std::vector<std::string> roots;
  for (int l = 0; l < static_cast<int>(robot_.links.size()); ++l) {
    if (carrier(l) >= 0) continue;
    if (root_ < 0) root_ = l;
    roots.push_back(robot_.links[at(l)].name);
  }
  if (roots.empty()) {
    input_.error("urdf-roots", robot_.links.front().where,
                 concat("robot ", quoted(robot_.name), " has no root: every link has a parent. The links ",
                        cycle_through(0), " hang on each other in a circle; declare a loop with <loop>."));
  } else if (roots.size() > 1) {
    input_.error("urdf-roots", robot_.links[at(find_link(roots[1]))].where,
                 concat("robot ", quoted(robot_.name), " has ", roots.size(), " roots: ", list_of(roots),
                        ". All links but one need a parent; join them by joints."));
  }
}

/// Computes depths, by walking up from each link to the nearest one with known depth: O(n) in total.
void UrdfTree::measure() {
  constexpr int unknown = -1, on_the_way = -2;
  depth_.assign(robot_.links.size(), unknown);
  depth_[at(root_)] = 0;
  std::vector<int> way;
  for (int start = 0; start < static_cast<int>(robot_.links.size()); ++start) {
    way.clear();
    int link = start;
    while (link >= 0 && depth(link) == unknown) {
      depth_[at(link)] = on_the_way;
      way.push_back(link);
      link = parent(link);
    }
    if (link >= 0 && depth(link) == on_the_way) {
      input_.error("urdf-cycle", robot_.links[at(link)].where,
                   concat("robot ", quoted(robot_.name), ": the links ", cycle_through(link),
                          " hang on each other in a circle. Declare a loop with <loop>."));
    }
    int reached = link < 0 ? 0 : std::max(depth(link), 0);
    for (auto each = way.rbegin(); each != way.rend(); ++each) depth_[at(*each)] = ++reached;
  }
}

/// The names of the links in the cycle that is reached by walking up from `link`.
std::string UrdfTree::cycle_through(int link) const {
  std::vector<bool> seen(robot_.links.size());
  while (!seen[at(link)]) {
    seen[at(link)] = true;
    link = parent(link);
  }
  std::vector<std::string> names;
  const int first = link;
  do {
    names.push_back(robot_.links[at(link)].name);
    link = parent(link);
  } while (link != first);
  return list_of(names);
}

}  // namespace articula::formats
