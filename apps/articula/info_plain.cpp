#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>
#include <fmt/format.h>

#include <articula/base/text.h>
#include <articula/base/units.h>

#include "info.h"

namespace articula::program {
namespace {

std::string vector_text(const Vec3<double>& v) {
  return fmt::format("({}, {}, {})", number_text(v.x), number_text(v.y), number_text(v.z));
}

std::string gravity_text(const Environment& environment) {
  return std::visit(
      []<class Kind>(const Kind& gravity) {
        if constexpr (std::is_same_v<Kind, UniformGravity>) {
          return vector_text(gravity.acceleration) + " m/s^2";
        } else {
          std::string text(Kind::name);
          Kind::fields(gravity, [&]<class Value>(std::string_view name, const Value& value, const Dimension& unit) {
            const auto shown = [&] {
              if constexpr (std::is_arithmetic_v<Value>) {
                return number_text(value);
              } else {
                return vector_text(value);
              }
            };
            text += fmt::format(", {} {} {}", name, shown(), unit_text(unit));
          });
          return text;
        }
      },
      environment.gravity);
}

/// `3 revolute, 1 prismatic`, in the order of the list of kinds.
std::string joint_counts(const Model& model, int& total) {
  std::map<JointKind, int> counts;
  std::vector<const Assembly*> assemblies{&model};
  for (std::size_t k = 0; k < assemblies.size(); ++k) {
    for (const Entity& entity : assemblies[k]->entities()) {
      if (const auto* joint = std::get_if<Joint>(&entity.kind)) ++counts[joint->kind];
    }
    for (const Part& part : assemblies[k]->parts()) assemblies.push_back(&part.assembly);
  }
  std::string text;
  total = 0;
  for (const auto& [kind, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, traits(kind).name);
    total += count;
  }
  return text;
}

/// The number of entities of each kind, except bodies, joints and reference frames.
std::string element_counts(const Model& model) {
  std::map<std::size_t, std::pair<std::string_view, int>> counts;
  for (const Entity& entity : model.entities()) {
    if (family_of(entity.kind) != Family::element) continue;
    auto& entry = counts[entity.kind.index()];
    entry.first = kind_name(entity.kind);
    ++entry.second;
  }
  std::string text;
  for (const auto& [index, entry] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", entry.second, entry.first);
  }
  return text;
}

/// The names of the user's bodies in each flat body.
std::vector<std::vector<std::string>> body_names(const Mechanism& mech) {
  std::vector<std::vector<std::string>> names(mech.bodies.size());
  for (const ConstituentPlace& c : mech.provenance.constituents)
    names[static_cast<std::size_t>(c.body)].push_back(c.name);
  return names;
}

std::string limits_text(const Built& built, const Body& body) {
  if (body.v.count != 1) return "";
  const auto k = static_cast<std::size_t>(body.v.first);
  const double lower = built.parameters.lower[k], upper = built.parameters.upper[k];
  if (std::isinf(lower) && std::isinf(upper)) return "free";
  return fmt::format("[{:.4g}, {:.4g}] {}", lower, upper, unit_text(traits(body.joint).q[0].dimension));
}

std::string joint_name(const Built& built, const Body& body, std::size_t i) {
  if (body.entity >= 0) return built.mechanism.provenance.entities[static_cast<std::size_t>(body.entity)].name;
  for (const StateBlock& block : built.mechanism.layout.blocks) {
    if (block.kind == StateKind::position && block.range == body.q && body.q.count > 0) return block.owner;
  }
  return std::to_string(i);
}

using Table = std::vector<std::vector<std::string>>;

/// The width of a text on a terminal: continuation bytes of UTF-8 have no width.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string aligned(const Table& table) {
  std::vector<std::size_t> widths;
  for (const auto& row : table) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  }
  std::string text;
  for (const auto& row : table) {
    std::string line = " ";
    for (std::size_t k = 0; k < row.size(); ++k) line += " " + row[k] + std::string(widths[k] - width(row[k]) + 1, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string tree_text(const Built& built) {
  const Mechanism& mech = built.mechanism;
  const std::vector<std::vector<std::string>> names = body_names(mech);
  Table table{{"#", "on", "joint", "type", "q", "limits", "mass kg", "bodies"}};
  for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
    const Body& body = mech.bodies[i];
    std::string type(traits(body.joint).name);
    if (mech.roles[static_cast<std::size_t>(body.v.first)] == DofRole::prescribed) type += " (prescribed)";
    const std::string q = body.q.count == 1 ? std::to_string(body.q.first)
                                            : fmt::format("{}-{}", body.q.first, body.q.first + body.q.count - 1);
    table.push_back({std::to_string(i), std::to_string(body.parent), joint_name(built, body, i), type, q,
                     limits_text(built, body), fmt::format("{:.6g}", built.parameters.M_B[i].m),
                     names[i].empty() ? "-" : list_of(names[i], 4)});
  }
  return aligned(table);
}

std::string list_text(std::string_view title, const std::vector<std::string>& lines) {
  constexpr std::size_t most = 40;
  if (lines.empty()) return "";
  std::string text = fmt::format("\n{}\n", title);
  for (std::size_t k = 0; k < std::min(most, lines.size()); ++k) text += "  " + lines[k] + "\n";
  if (lines.size() > most) text += fmt::format("  and {} more; --json lists all\n", lines.size() - most);
  return text;
}

std::string built_text(const Built& built) {
  const Mechanism& mech = built.mechanism;
  double total = 0, moving = 0;
  for (std::size_t k = 0; k < mech.provenance.constituents.size(); ++k) total += built.parameters.M_C[k].m;
  for (std::size_t i = 1; i < mech.bodies.size(); ++i) moving += built.parameters.M_B[i].m;
  std::string text = fmt::format("mass       {:.9g} kg, of which {:.9g} kg moves\n", total, moving);
  int coupled = 0;
  for (const Cluster& cluster : mech.clusters)
    coupled += static_cast<int>(cluster.dofs.size() - cluster.independent.size());
  text += fmt::format("freedom    nq {}, nv {}{}{}\n", mech.nq, mech.nv,
                      coupled > 0 ? fmt::format(", of which {} follow others", coupled) : "",
                      built.loops.empty() ? ""
                                          : fmt::format(", before {} {} closed", built.loops.size(),
                                                        built.loops.size() == 1 ? "loop is" : "loops are"));
  text += "\ntree (numbers as computed with; World is 0)\n" + tree_text(built);
  std::vector<std::string> lines;
  const std::vector<std::size_t> lengths = loop_lengths(built);
  for (std::size_t k = 0; k < built.loops.size(); ++k) {
    const auto& [cut, joints] = built.loops[k];
    const std::string more = lengths[k] > joints.size() ? fmt::format(" and {} more", lengths[k] - joints.size()) : "";
    lines.push_back(fmt::format("{}{}; cut at {}", list_of(joints), more, cut));
  }
  text += list_text("loops", lines);
  lines.clear();
  for (const Explanation& e : built.explanations) lines.push_back(fmt::format("{}: {}", e.rule, e.text));
  return text + list_text("rewritten", lines);
}

std::string drives_text(const Described& described) {
  std::vector<std::string> lines;
  if (described.q_order)
    lines.push_back(
        fmt::format("torques of motors depend on q and its time derivatives to order {}", *described.q_order));
  if (!described.no_torques.empty()) lines.push_back("torques of motors are not computed: " + described.no_torques);
  for (const DescribedDrive& drive : described.drives) {
    std::string line = drive.name + ": ";
    if (drive.form == "along_joint") line += "inertia along its joint";
    if (drive.form == "exchanged") line += "inertia along its joint, and an exchange between the bodies of the joint";
    if (drive.form == "body") line += fmt::format("a body of its own, angle {}", drive.coordinate);
    if (drive.form == "spring") line += fmt::format("behind a spring, angle {}", drive.coordinate);
    if (drive.order && *drive.order > 2) line += fmt::format("; time derivatives to order {}", *drive.order);
    lines.push_back(std::move(line));
  }
  return list_text("rotors (as --drives elastic computes them)", lines);
}

}  // namespace

std::string plain_text(const Described& described) {
  const Model& model = described.model;
  int joints = 0, bodies = 0;
  for (const Entity& entity : model.entities()) bodies += std::holds_alternative<RigidBody>(entity.kind) ? 1 : 0;
  const std::string kinds = joint_counts(model, joints);
  std::string text = fmt::format("model      {}\n", model.name.empty() ? "(without a name)" : model.name);
  text += fmt::format("bodies     {}\n", bodies);
  text += fmt::format("joints     {}{}\n", joints, kinds.empty() ? "" : ": " + kinds);
  if (const std::string elements = element_counts(model); !elements.empty()) text += "elements   " + elements + "\n";
  if (!model.parts().empty()) text += fmt::format("parts      {}\n", model.parts().size());
  text += "gravity    " + gravity_text(model.environment) + "\n";
  return described.built ? text + built_text(*described.built) + drives_text(described) : text;
}

}  // namespace articula::program
