#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <articula/base/export.h>
#include <articula/model/entity.h>
#include <articula/model/environment.h>

namespace articula::model {

struct Part;

/// "These frames coincide", or "these shafts turn together": two or more ports, without order and direction.
struct Connection {
  std::vector<PortRef> ports;
  Where where;  ///< not compared

  friend bool operator==(const Connection& a, const Connection& b) { return a.ports == b.ports; }
};

/// Entities, their connections, and smaller assemblies inside.
///
/// Names are found in constant time; entities keep the order in which they were added. Inside a part, entities are
/// named from outside by their path, "arm/hand". World is outside of every part.
class ARTICULA_EXPORT Assembly {
 public:
  /// Adds an entity, and attaches its first and second port. A placement becomes a frame of the entity attached
  /// to, named after entity and port ("elbow.from"). Throws if the name is used already or invalid.
  Assembly& add(std::string name, Kind kind, const Attachment& first = {}, const Attachment& second = {});
  Assembly& add(Entity entity);

  /// Attaches one port of an entity that was added before.
  Assembly& attach(std::string_view entity, Family family, std::string_view port, const Attachment& to,
                   Where where = {});

  Assembly& connect(std::vector<PortRef> ports, Where where = {});

  /// Reserves capacity for that many more, so that large models grow without copying.
  Assembly& reserve(Family family, std::size_t entities);
  Assembly& reserve_connections(std::size_t connections);

  /// Removes a connection of exactly these ports. Throws if there is none.
  Assembly& disconnect(const std::vector<PortRef>& ports);

  /// Throws if the name is used already or invalid. It must not contain a slash, which separates the parts of a path.
  Assembly& add_part(std::string name, Assembly part, Where where = {});

  /// For a temporary, these return values rather than references.
  const std::vector<Entity>& entities() const& { return entities_; }
  const std::vector<Connection>& connections() const& { return connections_; }
  const std::vector<Part>& parts() const& { return parts_; }
  std::vector<Entity> entities() && { return std::move(entities_); }
  std::vector<Connection> connections() && { return std::move(connections_); }
  std::vector<Part> parts() &&;

  /// The entity of that name and family; null if there is none here (parts are not searched). The pointer is valid as
  /// long as the assembly exists: do not keep that of a temporary.
  const Entity* find(std::string_view name, Family family) const;

  /// The same, also inside parts by its path, "arm/hand".
  const Entity* find_path(std::string_view path, Family family) const;

  /// The entity of a reference: of those with that name, the one that has this port.
  const Entity* find(const PortRef& ref) const;

  /// The properties of an entity, to be changed in place: `robot.at<RigidBody>("hand").mass = 0.7`. Throws an Error
  /// that lists the choices. For a temporary, `load("arm.yaml").at<Joint>("elbow")`, a copy.
  template <class K>
  K& at(std::string_view name) &;
  template <class K>
  const K& at(std::string_view name) const&;
  template <class K>
  K at(std::string_view name) &&;

  /// The part of that name; none if there is none here.
  const Part* find_part(std::string_view name) const;

  std::vector<std::string> names(Family family) const;

  /// Equal entities in the same order, kind by kind, equal parts, and the same ports connected.
  friend ARTICULA_EXPORT bool operator==(const Assembly& a, const Assembly& b);

 private:
  /// Looks up a string_view without copying it.
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Index = std::unordered_map<std::string, int, Hash, std::equal_to<>>;

  [[noreturn]] void throw_not_found(std::string_view name, std::string_view kind, std::string_view what,
                                    const std::vector<std::string>& candidates) const;
  [[noreturn]] void throw_not_found(std::string_view name, std::string_view kind, Family family) const;
  /// Only entities of that kind are choices.
  [[noreturn]] void throw_none_of_kind(std::string_view name, std::string_view kind, Family family) const;

  std::vector<Entity> entities_;
  std::vector<Connection> connections_;
  std::vector<Part> parts_;
  Index index_[3];  ///< index of each name, by family
  Index part_index_;
};

/// An assembly inside another, with its name there.
struct Part {
  std::string name;
  Assembly assembly;
  Where where;  ///< not compared

  friend bool operator==(const Part& a, const Part& b) { return a.name == b.name && a.assembly == b.assembly; }
};

inline std::vector<Part> Assembly::parts() && { return std::move(parts_); }

/// The exposed joints and frames, in order. Empty: all.  [UNI 4.1]
struct ExteriorPorts {
  std::vector<std::string> joints;
  std::vector<PortRef> frames;
  friend bool operator==(const ExteriorPorts&, const ExteriorPorts&) = default;
};

/// The user's description of a mechanism, independent of how it is computed. A plain value.
///
///     Model elbow("elbow");
///     elbow.add("upper", RigidBody{.mass = 3.0, .com = {0, 0, 0.1}, ...});
///     elbow.add("fore", RigidBody{.mass = 2.5, .com = {0, 0, 0.1}, ...});
///     elbow.add("shoulder", Joint{.axis = z_axis}, "world", "upper");
///     elbow.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0, 0, 0.2}}), "fore");
class ARTICULA_EXPORT Model : public Assembly {
 public:
  explicit Model(std::string model_name = "") : name(std::move(model_name)) { add("world", ReferenceFrame{}); }

  std::string name;
  Environment environment;
  ExteriorPorts exterior;

  /// Imported from a foreign format: defects of bodies that do not move are then only warnings.
  bool imported = false;

  /// Tolerance within which rotations and axes are replaced by exact ones (build/snap_rotations.h); 0: never.
  double snap = default_snap;
  static constexpr double default_snap = 1e-11;

  friend bool operator==(const Model& a, const Model& b) {
    return a.name == b.name && a.environment == b.environment && a.exterior == b.exterior && a.snap == b.snap &&
           static_cast<const Assembly&>(a) == static_cast<const Assembly&>(b);
  }
};

inline constexpr std::string_view world_name = "world";

/// The reason why a tolerance for `snap` is invalid; empty if it is valid.
ARTICULA_EXPORT std::string why_no_snap(double snap);

/// The reason why `name` is invalid; empty if it is valid. Names are not empty, are UTF-8, and contain no control
/// characters other than tab and newline.
ARTICULA_EXPORT std::string why_no_name(std::string_view name);

// ---------------------------------------------------------------------------------------------------------------

template <class K>
const K& Assembly::at(std::string_view name) const& {
  const Family family = family_of(Kind(K{}));
  const Entity* entity = find(name, family);
  if (entity == nullptr || !std::holds_alternative<K>(entity->kind)) throw_none_of_kind(name, K::name, family);
  return std::get<K>(entity->kind);
}

template <class K>
K& Assembly::at(std::string_view name) & {
  return const_cast<K&>(static_cast<const Assembly&>(*this).at<K>(name));
}

template <class K>
K Assembly::at(std::string_view name) && {
  return std::move(at<K>(name));  // *this has a name here: the one above
}

}  // namespace articula::model
