#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/model/entities/beam.h>
#include <articula/model/entities/connecting_rod.h>
#include <articula/model/entities/contact_point.h>
#include <articula/model/entities/custom.h>
#include <articula/model/entities/damper.h>
#include <articula/model/entities/displacement.h>
#include <articula/model/entities/drive.h>
#include <articula/model/entities/external_force.h>
#include <articula/model/entities/gear.h>
#include <articula/model/entities/joint.h>
#include <articula/model/entities/reference_frame.h>
#include <articula/model/entities/rigid_body.h>
#include <articula/model/entities/rolling.h>
#include <articula/model/entities/rotor.h>
#include <articula/model/entities/spring.h>
#include <articula/model/entities/spring_damper_actuator.h>

namespace articula::model {

/// All kinds of entities. A new kind is a file in entities/ and a line here. Text is written in this order.
using Kind = std::variant<ReferenceFrame,        //
                          RigidBody,             //
                          Displacement,          //
                          Joint,                 //
                          Spring,                //
                          Damper,                //
                          SpringDamperActuator,  //
                          Gear,                  //
                          Rotor,                 //
                          Drive,                 //
                          ExternalForce,         //
                          ContactPoint,          //
                          Rolling,               //
                          ConnectingRod,         //
                          Beam,                  //
                          Custom>;

/// Names are unique within each of these families of an assembly; a joint may have the name of a body.
enum class Family { body, joint, element };

/// A part of a mechanism: a name, a kind with its properties, and ports by which it is connected.
struct Entity {
  std::string name;
  Kind kind;
  Where where;  ///< its location in a text; not compared

  friend bool operator==(const Entity& a, const Entity& b) { return a.name == b.name && a.kind == b.kind; }
};

inline Family family_of(const Kind& kind) {
  if (std::holds_alternative<RigidBody>(kind) || std::holds_alternative<ReferenceFrame>(kind)) return Family::body;
  return std::holds_alternative<Joint>(kind) ? Family::joint : Family::element;
}

/// "body", "joint", "spring", ...
inline std::string_view kind_name(const Kind& kind) {
  return std::visit([](const auto& k) { return std::decay_t<decltype(k)>::name; }, kind);
}

/// `joint "elbow"`: an entity in messages.
ARTICULA_EXPORT std::string to_text(const Entity& entity);

/// Calls `port(name, type)` for each port.
template <class Visitor>
void for_each_port(const Entity& entity, Visitor&& port) {
  std::visit([&](const auto& kind) { kind.ports(port); }, entity.kind);
}

/// The type of the port called `name`; none if there is no such port.
ARTICULA_EXPORT std::optional<PortType> find_port(const Entity& entity, std::string_view name);

ARTICULA_EXPORT std::vector<std::string> port_names(const Entity& entity);

/// The frames fixed in a body or reference frame; none for other kinds.
ARTICULA_EXPORT std::vector<Frame>* frames_of(Kind& kind);
ARTICULA_EXPORT const std::vector<Frame>* frames_of(const Kind& kind);

}  // namespace articula::model
