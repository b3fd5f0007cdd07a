#include <fmt/core.h>

#include <articula/build/flatten.h>

#include "info.h"

namespace articula::program {
namespace {

/// Escapes text for quoted Graphviz labels.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view style_of(const Kind& kind) {
  if (std::holds_alternative<ReferenceFrame>(kind)) return "shape=box, style=filled, fillcolor=\"#d9d9d9\"";
  if (std::holds_alternative<RigidBody>(kind)) return "shape=box, style=\"rounded,filled\", fillcolor=\"#cfe2f3\"";
  if (std::holds_alternative<Joint>(kind)) return "shape=ellipse, style=filled, fillcolor=\"#fff2cc\"";
  return "shape=hexagon, style=filled, fillcolor=\"#e6d8f0\"";
}

std::string label_of(const Entity& entity) {
  if (const auto* joint = std::get_if<Joint>(&entity.kind)) {
    return fmt::format("{}\\n{}", escaped(entity.name), traits(joint->kind).name);
  }
  if (family_of(entity.kind) == Family::element)
    return fmt::format("{}\\n{}", escaped(entity.name), kind_name(entity.kind));
  return escaped(entity.name);
}

/// The number of a node. Entities of two families may have the same name, so that nodes are numbered.
int node_of(const Model& flat, const PortRef& ref) {
  const Entity* entity = flat.find(ref);
  return entity == nullptr ? -1 : static_cast<int>(entity - flat.entities().data());
}

bool is_body(const Model& flat, const PortRef& ref) {
  const int node = node_of(flat, ref);
  return node >= 0 && family_of(flat.entities()[static_cast<std::size_t>(node)].kind) == Family::body;
}

std::string edge(const Model& flat, const PortRef& a, const PortRef& b) {
  const int from = node_of(flat, a), to = node_of(flat, b);
  if (from < 0 || to < 0) return "";  // an unknown name, which the check has reported
  const Entity& first = flat.entities()[static_cast<std::size_t>(from)];
  const bool shaft = find_port(first, a.port) == PortType::scalar;
  const auto label = [&](const PortRef& ref) {
    const Entity& entity = flat.entities()[static_cast<std::size_t>(node_of(flat, ref))];
    return family_of(entity.kind) == Family::body ? std::string() : escaped(ref.port);
  };
  return fmt::format("  n{} -- n{} [taillabel=\"{}\", headlabel=\"{}\"{}];\n", from, to, label(a), label(b),
                     shaft ? ", style=dashed" : "");
}

}  // namespace

std::string dot_text(const Model& model) {
  const Model flat = flatten(model).model;
  std::string text = fmt::format(
      "graph \"{}\" {{\n  node [fontname=\"sans-serif\", fontsize=11];\n"
      "  edge [fontname=\"sans-serif\", fontsize=8, color=\"#555555\"];\n",
      escaped(model.name));
  for (std::size_t e = 0; e < flat.entities().size(); ++e) {
    const Entity& entity = flat.entities()[e];
    text += fmt::format("  n{} [label=\"{}\", {}];\n", e, label_of(entity), style_of(entity.kind));
  }
  for (const Connection& connection : flat.connections()) {
    for (std::size_t k = 1; k < connection.ports.size(); ++k) {
      // Edges point away from World, so that Graphviz draws the tree from top to bottom.
      const PortRef &a = connection.ports[0], &b = connection.ports[k];
      const bool inboard = a.port != "to" && b.port != "to";
      text += inboard == is_body(flat, a) ? edge(flat, a, b) : edge(flat, b, a);
    }
  }
  return text + "}\n";
}

}  // namespace articula::program
