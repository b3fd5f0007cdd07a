#include <articula/formats/internal/yaml_assembly.h>

#include <algorithm>

namespace articula::formats {
namespace {

constexpr std::array<std::string_view, 5> other_sections{"loops", "dh", "entities", "connections", "parts"};
constexpr std::array<std::string_view, 1> kind_key{"kind"}, type_key{"type"};
constexpr std::string_view section_needed = "A mapping from names to properties is needed.";

/// Calls `f` with a value of each kind of entity until it returns true.
template <class F, std::size_t... k>
bool any_kind(F&& f, std::index_sequence<k...>) {
  return (f(std::variant_alternative_t<k, Kind>{}) || ...);
}
template <class F>
bool any_kind(F&& f) {
  return any_kind(std::forward<F>(f), std::make_index_sequence<std::variant_size_v<Kind>>());
}

/// Whether a section has entries; an error if it is not a mapping.
bool has_entries(const Spot& section) {
  if (section.node.is_null()) return false;
  if (!section.node.is_mapping()) section.wrong_type(section_needed);
  return section.node.is_mapping();
}

/// The scalar under `key` in a mapping; empty if there is none.
std::string_view text_under(const YamlNode& mapping, std::string_view key) {
  if (!mapping.is_mapping()) return {};
  for (std::size_t k = 0; k < mapping.size(); ++k) {
    if (mapping.key(k).text() == key)
      return mapping.value(k).is_scalar() ? mapping.value(k).text() : std::string_view();
  }
  return {};
}

}  // namespace

std::vector<std::string> AssemblyReader::section_names() {
  std::vector<std::string> names;
  any_kind([&]<class K>(const K&) {
    names.emplace_back(K::section);
    return false;
  });
  names.insert(names.end(), other_sections.begin(), other_sections.end());
  return names;
}

bool AssemblyReader::read_section(const Spot& section) {
  const std::string_view name = section.label();
  const auto of_kind = [&]<class K>(const K&) {
    if (name != K::section) return false;
    read_entities<K>(section);
    return true;
  };
  if (any_kind(of_kind)) return true;
  if (name == "loops") return read_loops(section), true;
  if (name == "dh") return read_tables(section), true;
  if (name == "entities") return read_any_kinds(section), true;
  if (name == "connections") return read_connections(section), true;
  if (name == "parts") return read_parts(section), true;
  return false;
}

template <class K>
void AssemblyReader::read_entities(const Spot& section) {
  if (!has_entries(section)) return;
  assembly_.reserve(family_of(Kind(K{})), section.node.size());
  for (std::size_t k = 0; k < section.node.size(); ++k) read_entity(section.node.key(k), section.node.value(k), K{});
}

template <class K>
void AssemblyReader::read_entity(const YamlNode& name, const YamlNode& value, K kind,
                                 std::span<const std::string_view> taken) {
  const Subject subject{file_, log_, K::name, name.text()};
  const Spot spot(subject, value);
  Keys keys(spot, section_needed);
  for (const std::string_view key : taken) keys.find(key);
  K::fields(kind, FieldReader{keys});

  const std::size_t first = written_.size();
  if constexpr (!requires { kind.frames; }) {
    kind.ports([&](std::string_view port, PortType type) {
      if (const auto at = keys.find_unused(port)) written_.push_back({0, type, std::string(port), at->node});
    });
  }
  keys.finish([&] {
    std::vector<std::string> allowed = keys_of(kind);
    allowed.insert(allowed.begin(), taken.begin(), taken.end());
    return allowed;
  });
  if (!add({std::string(name.text()), std::move(kind), {file_, name.line()}})) {
    written_.resize(first, {0, PortType::spatial, "", value});
    return;
  }
  for (std::size_t k = first; k < written_.size(); ++k) written_[k].entity = last_entity();
}

bool AssemblyReader::add(Entity entity) {
  const Where where = entity.where;
  if (entity.name == world_name && family_of(entity.kind) == Family::body) {
    log_.error("name-reserved", where,
               concat(to_text(entity),
                      ": the name is reserved. World is there without being written; its frames stand under "
                      "the key world."));
    return false;
  }
  try {
    assembly_.add(std::move(entity));
    return true;
  } catch (const Error& error) {
    log_.add(error, where);
    return false;
  }
}

void AssemblyReader::read_any_kinds(const Spot& section) {
  if (!has_entries(section)) return;
  for (std::size_t k = 0; k < section.node.size(); ++k) {
    const YamlNode name = section.node.key(k), value = section.node.value(k);
    const std::string_view wanted = text_under(value, "kind");
    const auto read = [&]<class K>(K kind) {
      if (wanted != K::name) return false;
      read_entity(name, value, std::move(kind), kind_key);
      return true;
    };
    if (any_kind(read)) continue;
    std::vector<std::string> kinds;
    any_kind([&]<class K>(const K&) { return kinds.emplace_back(K::name), false; });
    const auto guess = closest(wanted, kinds);
    log_.error("value-unknown", {file_, value.line()},
               concat("entity ", quoted(name.text()), ": kind is ", wanted.empty() ? "missing" : quoted(wanted), ".",
                      guess ? concat(" Did you mean ", quoted(*guess), "?") : "",
                      " Allowed: ", list_of(kinds, kinds.size()), "."));
  }
}

void AssemblyReader::read_loops(const Spot& section) {
  if (!has_entries(section)) return;
  for (std::size_t k = 0; k < section.node.size(); ++k) {
    const YamlNode name = section.node.key(k), value = section.node.value(k);
    if (text_under(value, "type") == "rod") {
      read_entity(name, value, ConnectingRod{}, type_key);
      continue;
    }
    if (text_under(value, "closes_loop") == "false") {
      log_.error("value-unknown", {file_, value.line()},
                 concat("joint ", quoted(name.text()),
                        ": closes_loop is false, but it stands under loops. Move it to joints."));
    }
    Joint joint;
    joint.closes_loop = true;
    read_entity(name, value, joint);
  }
}

void AssemblyReader::read_connections(const Spot& section) {
  if (section.node.is_null()) return;
  constexpr std::string_view needed =
      "Connections are a list of lists of ports, e.g. [[{upper: tool}, {elbow: from}]].";
  if (!section.node.is_sequence()) return section.wrong_type(needed);
  for (std::size_t k = 0; k < section.node.size(); ++k) {
    const Spot connection(section, k);
    if (!connection.node.is_sequence()) {
      connection.wrong_type(needed);
      continue;
    }
    std::vector<PortRef> ports(connection.node.size());
    bool ok = true;
    for (std::size_t i = 0; i < ports.size(); ++i) ok &= read_port(Spot(connection, i), ports[i]);
    if (ok) assembly_.connect(std::move(ports), connection.where());
  }
}

void AssemblyReader::finish() {
  assembly_.reserve_connections(written_.size() + planned_.size());
  for (const Written& written : written_) attach(written);
  for (const Planned& planned : planned_) attach(planned);
  for (const Entity& each : assembly_.entities()) check_frames(each.name, frames_of(each.kind));
  for (const std::string& path : placed_in_parts_) check_frames(path, frames_at(path));
}

/// A pose relative to a frame of the base becomes a pose relative to the base.
void AssemblyReader::attach(const Planned& planned) {
  const std::string name = entity(planned.entity).name;
  const Subject subject{file_, log_, kind_name(entity(planned.entity).kind), name};
  const Spot spot(subject, planned.link);
  Attachment to = planned.to;
  if (planned.beyond == Pose<double>::identity()) return attach(spot, planned.entity, planned.port, to);
  Pose<double> X = to.placement.value_or(Pose<double>::identity());
  if (!to.port.empty()) {
    const auto* frames = frames_at(to.entity);
    const Frame* found = nullptr;
    for (std::size_t k = 0; frames != nullptr && k < frames->size(); ++k) {
      if ((*frames)[k].name == to.port) found = &(*frames)[k];
    }
    if (found == nullptr) {
      spot.error("no-such-port", concat(": the base ", quoted(to.entity), " has no frame ", quoted(to.port),
                                        ". Define it under frames of the base."));
      return;
    }
    X = found->X_EF;
    to.port.clear();
  }
  to.placement = X * planned.beyond;
  attach(spot, planned.entity, planned.port, to);
}

void AssemblyReader::attach(const Written& written) {
  const std::string name = entity(written.entity).name;
  const Subject subject{file_, log_, kind_name(entity(written.entity).kind), name};
  const Spot outer(subject, written.value);
  const Spot spot(outer, written.value, written.port);
  Attachment to;
  if (!read_attachment(spot, to)) return;
  // `joint: elbow` means the port `shaft` of the elbow.
  if (written.type == PortType::scalar && to.port.empty()) to.port = "shaft";
  if (written.type == PortType::scalar && to.placement) {
    spot.error("attachment-invalid",
               concat(": a shaft cannot be attached at a place. Name a shaft, e.g. ", written.port, ": elbow."));
    return;
  }
  attach(spot, written.entity, written.port, to);
}

const std::vector<Frame>* AssemblyReader::frames_at(std::string_view path) const {
  const Entity* body = assembly_.find_path(path, Family::body);
  return body == nullptr ? nullptr : frames_of(body->kind);
}

/// A placement becomes a frame that is named after the attached port; that name may be in use already.
void AssemblyReader::check_frames(const std::string& path, const std::vector<Frame>* frames) {
  if (frames == nullptr || frames->size() < 2) return;
  std::vector<std::string_view> names;
  for (const Frame& frame : *frames) names.push_back(frame.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  const PortRef frame{path, std::string(*twice)};
  const auto placed = std::find_if(assembly_.connections().rbegin(), assembly_.connections().rend(),
                                   [&](const Connection& c) { return c.ports.back() == frame; });
  log_.error("frame-duplicate", placed == assembly_.connections().rend() ? Where{file_, 0} : placed->where,
             concat(quoted(path), " has two frames ", quoted(*twice),
                    ". A place is called after the entity and port attached there; rename that entity, or "
                    "the other frame."));
}

void AssemblyReader::attach(const Spot& spot, std::uint32_t place, std::string_view port, const Attachment& to) {
  const Entity& self = entity(place);
  PortRef own{self.name, std::string(port)};
  if (!to.placement) {
    assembly_.connect({std::move(own), {to.entity, to.port}}, spot.where());
    return;
  }
  if (depth_ > 0 && to.entity == world_name) {
    spot.error("part-mentions-world", ": World is outside of every part. Attach the part from outside.");
    return;
  }
  try {
    assembly_.attach(own.entity, family_of(self.kind), port, to, spot.where());
    if (to.entity.find('/') != std::string::npos) placed_in_parts_.insert(to.entity);
  } catch (const Error& error) {
    spot.error(error.code(), concat(": ", error.message()));
  }
}

}  // namespace articula::formats
