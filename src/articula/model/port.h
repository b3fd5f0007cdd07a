#pragma once

#include <compare>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <articula/base/export.h>
#include <articula/spatial/pose.h>

namespace articula::model {

/// The type of a port.
enum class PortType {
  spatial,  ///< a frame in space: connected frames coincide
  scalar,   ///< a shaft: connected shafts turn (or slide) together
};

/// A port of an entity, by the entity's name and the port's.
///
/// The frame of a body itself is its port "". An entity inside an assembly is named by its path, "arm/hand".
struct PortRef {
  std::string entity;
  std::string port;

  friend auto operator<=>(const PortRef&, const PortRef&) = default;
};

/// `upper` or `upper.tool`, for messages.
ARTICULA_EXPORT std::string to_text(const PortRef& ref);

/// A frame that is fixed in a body or reference frame E, to which other entities connect.
struct Frame {
  std::string name;
  Pose<double> X_EF;

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// Whether these are the same frames, in any order.
ARTICULA_EXPORT bool same_frames(std::vector<Frame> a, std::vector<Frame> b);

/// The attachment of an entity: to an existing port of another, or at a placement on it, which becomes a frame.
struct Attachment {
  std::string entity;
  std::string port;
  std::optional<Pose<double>> placement;

  Attachment() = default;
  Attachment(const char* name) : entity(name) {}             // NOLINT: reads as the name it is
  Attachment(std::string name) : entity(std::move(name)) {}  // NOLINT
  Attachment(std::string name, std::string at_port) : entity(std::move(name)), port(std::move(at_port)) {}
  Attachment(std::string name, const Pose<double>& X) : entity(std::move(name)), placement(X) {}

  bool empty() const { return entity.empty(); }
};

/// `at("upper", {.xyz = {0, 0, 0.2}})`: a placement on a body, by translation and roll-pitch-yaw.
struct Place {
  Vec3<double> xyz = Vec3<double>::zero();
  Vec3<double> rpy = Vec3<double>::zero();
};
ARTICULA_EXPORT Pose<double> to_pose(const Place& place);
inline Attachment at(std::string entity, const Place& place) { return {std::move(entity), to_pose(place)}; }
/// `at("upper", "tool")`: a port of a body. A template, so that braces can only mean a Place.
template <std::convertible_to<std::string> Port>
Attachment at(std::string entity, Port&& port) {
  return {std::move(entity), std::string(std::forward<Port>(port))};
}

}  // namespace articula::model
