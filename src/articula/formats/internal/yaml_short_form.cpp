#include <articula/formats/internal/yaml_short_form.h>

#include <algorithm>

#include <articula/base/text.h>

namespace articula::formats {

static std::string joined(std::string_view entity, std::string_view port) { return concat(entity, '\0', port); }

ShortForm::ShortForm(const Assembly& assembly) : assembly_(assembly) {
  // In the order in which references are resolved: bodies, joints, elements.
  for (const Family family : {Family::joint, Family::element}) {
    for (std::size_t k = 0; k < assembly.entities().size(); ++k) {
      if (family_of(assembly.entities()[k].kind) == family) collect_keys(k);
    }
  }
  for (const Entity& entity : assembly.entities()) {
    if (family_of(entity.kind) == Family::body) collect_frames(entity);
  }
  // If several connections need the same key, the first one in this order gets it, independent of the order of the
  // model.
  const auto& connections = assembly.connections();
  std::vector<std::pair<std::vector<PortRef>, std::size_t>> sorted;
  sorted.reserve(connections.size());
  for (std::size_t k = 0; k < connections.size(); ++k) {
    sorted.emplace_back(connections[k].ports, k);
    std::sort(sorted.back().first.begin(), sorted.back().first.end());
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first < b.first : a.second > b.second; });
  std::vector<bool> is_short(connections.size());
  for (const auto& [ports, k] : sorted) is_short[k] = attach(connections[k]);
  for (std::size_t k = 0; k < connections.size(); ++k) {
    if (!is_short[k]) others_.push_back(&connections[k]);
  }
  for (auto& [entity, attached] : attached_) {
    std::sort(attached.begin(), attached.end(), [](const Attached& a, const Attached& b) { return a.order < b.order; });
  }
}

/// If one of the two ports is a shaft, prefers it as the target: `joint: elbow` and not `shaft: {drive: joint}`.
bool ShortForm::attach(const Connection& connection) {
  if (connection.ports.size() != 2) return false;
  const PortRef &a = connection.ports[0], &b = connection.ports[1];
  if (a.port.starts_with("shaft") && !b.port.starts_with("shaft")) return attach(b, a) || attach(a, b);
  return attach(a, b) || attach(b, a);
}

void ShortForm::collect_keys(std::size_t place) {
  const Entity& entity = assembly_.entities()[place];
  std::unordered_set<std::string> fields;
  std::visit(
      [&](const auto& kind) {
        using K = std::decay_t<decltype(kind)>;
        K::fields(kind, [&](std::string_view name, const auto&, const Dimension&) { fields.emplace(name); });
        std::size_t order = 0;
        kind.ports([&](std::string_view port, PortType type) {
          if (!fields.contains(std::string(port)))
            keys_.try_emplace(joined(entity.name, port), Key{place, type, order++});
        });
      },
      entity.kind);
}

void ShortForm::collect_frames(const Entity& body) {
  // A body's own frames hide the ports of an entity with the same name.
  for (const Frame& frame : *frames_of(body.kind)) {
    keys_.erase(joined(body.name, frame.name));
    const auto [place, added] = places_.try_emplace(joined(body.name, frame.name), &frame);
    if (!added) place->second = nullptr;
  }
}

const Frame* ShortForm::place_of(const PortRef& host, const PortRef& target) const {
  if (target.port != to_text(host)) return nullptr;
  const auto found = places_.find(joined(target.entity, target.port));
  return found == places_.end() ? nullptr : found->second;
}

bool ShortForm::attach(const PortRef& host, const PortRef& target) {
  const auto key = keys_.find(joined(host.entity, host.port));
  if (key == keys_.end() || target.entity.empty()) return false;
  const auto [entity, type, order] = key->second;
  const bool shaft = type == PortType::scalar;
  Flow to = Flow::map();
  if (const Frame* place = shaft ? nullptr : place_of(host, target)) {
    to.add(target.entity, flow_of(place->X_EF));
    placed_.insert(place);
  } else if (target.port.empty() && shaft) {
    return false;  // a name alone means the port `shaft`
  } else {
    to = flow_of(shaft && target.port == "shaft" ? PortRef{target.entity, ""} : target);
  }
  attached_[entity].push_back({host.port, std::move(to), order});
  keys_.erase(key);
  return true;
}

const std::vector<ShortForm::Attached>& ShortForm::attached(std::size_t entity) const {
  static const std::vector<Attached> none;
  const auto found = attached_.find(entity);
  return found == attached_.end() ? none : found->second;
}

std::vector<Frame> ShortForm::named_frames(const Entity& body) const {
  std::vector<Frame> named;
  for (const Frame& frame : *frames_of(body.kind)) {
    if (!placed_.contains(&frame)) named.push_back(frame);
  }
  return named;
}

}  // namespace articula::formats
