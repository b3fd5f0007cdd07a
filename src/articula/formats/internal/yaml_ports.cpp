#include <articula/formats/internal/yaml_ports.h>

namespace articula::formats {

static constexpr std::string_view needed = "Write a name, {name: frame} or {name: {xyz: [0, 0, 0.2]}}.";

bool read_attachment(const Spot& spot, Attachment& to) {
  const YamlNode node = spot.node;
  if (node.is_scalar() && !node.text().empty()) {
    to.entity = node.text();
    return true;
  }
  if (!node.is_mapping() || node.size() != 1) {
    if (node.is_mapping()) {
      spot.error("attachment-invalid", concat(" names ", node.size(), " entities. It is attached to one. ", needed));
    } else {
      spot.error("attachment-invalid", concat(" is ", what_stands(node), ". ", needed));
    }
    return false;
  }
  const Spot at(spot, node.value(0), node.key(0).text());
  to.entity = node.key(0).text();
  if (at.node.is_mapping()) return read_value(at, to.placement, dimension::length);
  if (to.entity.empty() || at.node.is_sequence() || (at.node.is_plain() && at.node.text().empty())) {
    at.error("attachment-invalid", concat(" is ", what_stands(at.node), ". ", needed));
    return false;
  }
  to.port = at.node.text();
  return true;
}

bool read_port(const Spot& spot, PortRef& ref) {
  Attachment to;
  if (!read_attachment(spot, to)) return false;
  if (to.placement) {
    spot.error("attachment-invalid",
               concat(": a place on ", quoted(to.entity), " has no name yet. Give it one under frames of ",
                      quoted(to.entity), ", and write that."));
    return false;
  }
  ref = {std::move(to.entity), std::move(to.port)};
  return true;
}

}  // namespace articula::formats
