/// Tables of link parameters (Denavit-Hartenberg, Craig, Khalil-Kleinfinger) as bodies and joints.
#include <articula/formats/internal/yaml_assembly.h>

namespace articula::formats {
namespace {

/// In a table, the axis of a joint is z of its frame, and no joint closes a loop.
bool is_given_by_table(std::string_view joint_key) { return joint_key == "axis" || joint_key == "closes_loop"; }

std::vector<std::string> link_keys(LinkConvention convention, const Joint& joint, const RigidBody& body) {
  std::vector<std::string> keys{"name", "joint", "antecedent"};
  const auto parameters = link_parameter_names(convention);
  keys.insert(keys.end(), parameters.begin(), parameters.end());
  Joint::fields(joint, [&](std::string_view name, const auto&, const Dimension&) {
    if (!is_given_by_table(name)) keys.emplace_back(name);
  });
  RigidBody::fields(body, [&](std::string_view name, const auto&, const Dimension&) { keys.emplace_back(name); });
  return keys;
}

bool fits_table(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::prismatic || kind == JointKind::fixed;
}

}  // namespace

void AssemblyReader::read_tables(const Spot& section) {
  if (!section.node.is_sequence()) return read_table(section);
  for (std::size_t k = 0; k < section.node.size(); ++k) read_table(Spot(section, k));
}

void AssemblyReader::read_table(const Spot& table) {
  Keys keys(table, "A table is a mapping, e.g. {convention: standard, base: world, links: []}.");
  if (!keys.ok()) return;
  LinkConvention convention = LinkConvention::standard;
  Attachment base{std::string(world_name)};
  const auto convention_spot = keys.find("convention"), base_spot = keys.find("base"), links = keys.find("links");
  keys.finish({"convention", "base", "links"});
  if (!convention_spot) table.error("value-missing", ": convention is missing. Allowed: standard, craig, khalil.");
  if (!links) table.error("value-missing", ": links is missing. It is the list of links, from the base outward.");
  if (!base_spot && depth_ > 0)
    table.error("value-missing", ": base is missing. Inside a part it cannot be World; name a body.");
  bool ok = convention_spot && read_value(*convention_spot, convention, dimension::none);
  if (base_spot) {
    base = {};
    ok &= read_attachment(*base_spot, base);
  }
  if (!ok || !links) return;
  if (!links->node.is_sequence()) return links->wrong_type("A list of links is needed, from the base outward.");
  Attachment previous = base;
  std::unordered_set<std::string> names;
  for (std::size_t k = 0; k < links->node.size(); ++k) {
    if (!read_link(Spot(*links, k), convention, base, previous, names)) return;
  }
}

/// Reads a body and the joint before it. Returns false if the following ones cannot be read.
bool AssemblyReader::read_link(const Spot& link, LinkConvention convention, const Attachment& base,
                               Attachment& previous, std::unordered_set<std::string>& links) {
  Keys keys(link,
            "A link is a mapping, e.g. {name: link1, joint: q1, type: revolute, theta: 0, d: 0.3, a: 0, "
            "alpha: 90 deg}.");
  if (!keys.ok()) return false;
  std::string name, joint_name, antecedent;
  const auto name_spot = keys.find("name"), joint_spot = keys.find("joint"), antecedent_spot = keys.find("antecedent");
  if (!name_spot) {
    link.error("value-missing", ": name is missing. Every link has one.");
    return false;
  }
  if (!read_name(*name_spot, name_spot->node, name)) return false;
  joint_name = name;
  if (joint_spot) read_name(*joint_spot, joint_spot->node, joint_name);
  LinkParameters parameters;
  read_link_parameters(keys, convention, parameters);

  Joint joint;
  RigidBody body;
  Joint::fields(joint, [&](std::string_view key, auto& value, const Dimension& dimension) {
    if (!is_given_by_table(key)) read_key(keys, key, value, dimension);
  });
  RigidBody::fields(body, FieldReader{keys});
  keys.finish([&] { return link_keys(convention, joint, body); });
  if (!fits_table(joint.kind)) {
    link.error("dh-joint",
               concat(".type is ", traits(joint.kind).name, ". In a table a joint is revolute, prismatic or fixed."));
  }

  Attachment from = previous;
  if (antecedent_spot && read_value(*antecedent_spot, antecedent, dimension::none)) {
    const bool is_base = antecedent == "base";
    if (!is_base && !links.contains(antecedent)) {
      antecedent_spot->error("dh-antecedent",
                             concat(" is ", quoted(antecedent), ". It is an earlier link of the same table, or base."));
    }
    from = is_base ? base : Attachment(antecedent);
  }
  const LinkDisplacement displaced = displacement(convention, parameters);
  links.insert(name);
  previous = Attachment(name);
  const Where where{file_, name_spot->node.line()};
  if (!add({name, std::move(body), where}) || !add({joint_name, std::move(joint), where})) return true;
  planned_.push_back({last_entity(), "from", std::move(from), displaced.before, link.node});
  planned_.push_back({last_entity(), "to", Attachment(name), inverted(displaced.after), link.node});
  return true;
}

}  // namespace articula::formats
