#include <articula/model/entity.h>

#include <algorithm>

#include <articula/base/text.h>
#include <articula/spatial/orientation.h>

namespace articula::model {

std::string to_text(const PortRef& ref) { return ref.port.empty() ? ref.entity : ref.entity + "." + ref.port; }

bool same_frames(std::vector<Frame> a, std::vector<Frame> b) {
  const auto by_name = [](const Frame& x, const Frame& y) { return x.name < y.name; };
  std::stable_sort(a.begin(), a.end(), by_name);
  std::stable_sort(b.begin(), b.end(), by_name);
  return a == b;
}

Pose<double> to_pose(const Place& place) { return {rotation_from_rpy(place.rpy), place.xyz}; }

std::string to_text(const Entity& entity) { return concat(kind_name(entity.kind), " ", quoted(entity.name)); }

std::optional<PortType> find_port(const Entity& entity, std::string_view name) {
  std::optional<PortType> found;
  for_each_port(entity, [&](std::string_view port, PortType type) {
    if (port == name) found = type;
  });
  return found;
}

std::vector<std::string> port_names(const Entity& entity) {
  std::vector<std::string> names;
  for_each_port(entity, [&](std::string_view port, PortType) { names.emplace_back(port); });
  return names;
}

std::vector<Frame>* frames_of(Kind& kind) {
  if (auto* body = std::get_if<RigidBody>(&kind)) return &body->frames;
  if (auto* frame = std::get_if<ReferenceFrame>(&kind)) return &frame->frames;
  return nullptr;
}

const std::vector<Frame>* frames_of(const Kind& kind) { return frames_of(const_cast<Kind&>(kind)); }

}  // namespace articula::model
