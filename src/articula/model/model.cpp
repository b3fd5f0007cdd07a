#include <articula/model/model.h>

#include <algorithm>

#include <articula/base/text.h>

namespace articula::model {

std::string why_no_snap(double snap) {
  constexpr double largest = 1e-3;
  return snap >= 0 && snap <= largest ? "" : concat("It must be from 0 (no rotation is made exact) to ", largest, ".");
}

std::string why_no_name(std::string_view name) {
  if (name.empty()) return "the name is empty. A name needs at least one character";
  if (!is_utf8(name)) return concat("the name ", quoted(name), " is not UTF-8. Names are UTF-8 text");
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) {
      return concat("the name ", quoted(name), " holds a control character. Only tab and newline are allowed");
    }
  }
  return "";
}

static std::size_t family_place(Family family) { return static_cast<std::size_t>(family); }

Assembly& Assembly::add(Entity entity) {
  if (const std::string why = why_no_name(entity.name); !why.empty()) {
    throw Error("name-invalid", entity.where, concat(kind_name(entity.kind), ": ", why, "."));
  }
  const Family family = family_of(entity.kind);
  const auto [place, added] = index_[family_place(family)].try_emplace(entity.name, static_cast<int>(entities_.size()));
  if (!added) {
    const Entity& first = entities_[static_cast<std::size_t>(place->second)];
    const std::string where = to_text(first.where);
    throw Error("name-duplicate", entity.where,
                concat(to_text(entity), ": the name is taken by ", to_text(first),
                       where.empty() ? std::string() : " at " + where, ". Names are unique; rename one of them."));
  }
  entities_.push_back(std::move(entity));
  return *this;
}

Assembly& Assembly::add(std::string name, Kind kind, const Attachment& first, const Attachment& second) {
  const Family family = family_of(kind);
  add(Entity{name, std::move(kind), {}});
  std::vector<std::string> ports;
  if (!first.empty() || !second.empty()) ports = port_names(entities_.back());
  const Attachment* attachments[] = {&first, &second};
  for (std::size_t k = 0; k < 2; ++k) {
    if (attachments[k]->empty()) continue;
    if (k >= ports.size()) {
      throw Error("no-such-port", {},
                  concat(to_text(entities_.back()), " has ", ports.size(), ports.size() == 1 ? " port" : " ports",
                         " to attach, not ", k + 1, "."));
    }
    attach(name, family, ports[k], *attachments[k]);
  }
  return *this;
}

Assembly& Assembly::attach(std::string_view entity, Family family, std::string_view port, const Attachment& to,
                           Where where) {
  PortRef own{std::string(entity), std::string(port)}, other{to.entity, to.port};
  const Entity* self = find(entity, family);
  if (self == nullptr) throw_not_found(entity, "entity", family);
  if (to.placement) {
    auto* body = const_cast<Entity*>(find_path(to.entity, Family::body));
    std::vector<Frame>* frames = body == nullptr ? nullptr : frames_of(body->kind);
    if (frames == nullptr) throw_not_found(to.entity, "body", Family::body);
    other.port = to_text(own);
    frames->push_back({other.port, *to.placement});
  } else if (other.port.empty() && find_port(*self, port) == PortType::scalar) {
    other.port = "shaft";  // `joint: elbow` means the shaft of the elbow
  }
  return connect({std::move(own), std::move(other)}, std::move(where));
}

Assembly& Assembly::connect(std::vector<PortRef> ports, Where where) {
  connections_.push_back({std::move(ports), std::move(where)});
  return *this;
}

Assembly& Assembly::reserve(Family family, std::size_t entities) {
  entities_.reserve(entities_.size() + entities);
  Index& index = index_[family_place(family)];
  index.reserve(index.size() + entities);
  return *this;
}

Assembly& Assembly::reserve_connections(std::size_t connections) {
  connections_.reserve(connections_.size() + connections);
  return *this;
}

Assembly& Assembly::disconnect(const std::vector<PortRef>& ports) {
  const auto same = [&](const Connection& c) {
    return std::is_permutation(c.ports.begin(), c.ports.end(), ports.begin(), ports.end());
  };
  const auto found = std::find_if(connections_.begin(), connections_.end(), same);
  if (found == connections_.end()) {
    std::vector<std::string> names;
    for (const PortRef& ref : ports) names.push_back(to_text(ref));
    throw Error("no-such-connection", {},
                concat("there is no connection of exactly ", list_of(names), ". Name all ports that it joins."));
  }
  connections_.erase(found);
  return *this;
}

Assembly& Assembly::add_part(std::string name, Assembly part, Where where) {
  if (const std::string why = why_no_name(name); !why.empty())
    throw Error("name-invalid", where, concat("part: ", why, "."));
  if (name.find('/') != std::string::npos) {
    throw Error("name-invalid", where,
                concat("part ", quoted(name),
                       ": the name holds a slash. Slashes separate a part from what is in it; take another sign."));
  }
  const auto [place, added] = part_index_.try_emplace(name, static_cast<int>(parts_.size()));
  if (!added) {
    const std::string first = to_text(parts_[static_cast<std::size_t>(place->second)].where);
    throw Error("name-duplicate", where,
                concat("part ", quoted(name), ": the name is taken by another part", first.empty() ? "" : " at ", first,
                       ". Names are unique; rename one of them."));
  }
  parts_.push_back({std::move(name), std::move(part), std::move(where)});
  return *this;
}

const Entity* Assembly::find(std::string_view name, Family family) const {
  const Index& index = index_[family_place(family)];
  const auto place = index.find(name);
  return place == index.end() ? nullptr : &entities_[static_cast<std::size_t>(place->second)];
}

const Part* Assembly::find_part(std::string_view name) const {
  const auto place = part_index_.find(name);
  return place == part_index_.end() ? nullptr : &parts_[static_cast<std::size_t>(place->second)];
}

const Entity* Assembly::find_path(std::string_view path, Family family) const {
  const Assembly* assembly = this;
  while (true) {
    if (const Entity* found = assembly->find(path, family)) return found;
    const std::size_t slash = path.find('/');
    const Part* part = slash == std::string_view::npos ? nullptr : assembly->find_part(path.substr(0, slash));
    if (part == nullptr) return nullptr;
    assembly = &part->assembly;
    path.remove_prefix(slash + 1);
  }
}

const Entity* Assembly::find(const PortRef& ref) const {
  const Entity* without_port = nullptr;
  for (const Family family : {Family::body, Family::joint, Family::element}) {
    const Entity* entity = find(ref.entity, family);
    if (entity == nullptr) continue;
    if (find_port(*entity, ref.port)) return entity;
    if (without_port == nullptr) without_port = entity;
  }
  return without_port;
}

std::vector<std::string> Assembly::names(Family family) const {
  std::vector<std::string> names;
  for (const Entity& entity : entities_) {
    if (family_of(entity.kind) == family) names.push_back(entity.name);
  }
  return names;
}

void Assembly::throw_not_found(std::string_view name, std::string_view kind, std::string_view what,
                               const std::vector<std::string>& candidates) const {
  const char* code = kind == "body" ? "no-such-body" : kind == "joint" ? "no-such-joint" : "no-such-entity";
  throw Error(code, {}, concat(kind, " ", quoted(name), " not found.", choices(name, what, candidates)));
}

void Assembly::throw_not_found(std::string_view name, std::string_view kind, Family family) const {
  const std::string_view what = family == Family::body ? "bodies" : family == Family::joint ? "joints" : "elements";
  throw_not_found(name, kind, what, names(family));
}

void Assembly::throw_none_of_kind(std::string_view name, std::string_view kind, Family family) const {
  std::vector<std::string> candidates;
  for (const Entity& entity : entities_) {
    if (kind_name(entity.kind) == kind) candidates.push_back(entity.name);
  }
  const std::string what = family == Family::joint ? "joints"
                           : kind == "body"        ? "bodies"
                                                   : concat("entities of kind ", kind);
  throw_not_found(name, kind, what, candidates);
}

/// Connections without the order in which they, or their ports, were written.
static std::vector<std::vector<PortRef>> canonical(const std::vector<Connection>& connections) {
  std::vector<std::vector<PortRef>> sorted;
  sorted.reserve(connections.size());
  for (const Connection& connection : connections) {
    sorted.push_back(connection.ports);
    std::sort(sorted.back().begin(), sorted.back().end());
  }
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

/// Entities by kind, else in their order.
static std::vector<const Entity*> by_kind(const std::vector<Entity>& entities) {
  std::vector<const Entity*> sorted;
  sorted.reserve(entities.size());
  for (const Entity& entity : entities) sorted.push_back(&entity);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Entity* a, const Entity* b) { return a->kind.index() < b->kind.index(); });
  return sorted;
}

bool operator==(const Assembly& a, const Assembly& b) {
  const auto same = [](const Entity* x, const Entity* y) { return *x == *y; };
  const auto in_a = by_kind(a.entities_), in_b = by_kind(b.entities_);
  return std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), same) && a.parts_ == b.parts_ &&
         canonical(a.connections_) == canonical(b.connections_);
}

}  // namespace articula::model
