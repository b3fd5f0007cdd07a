#include <articula/network/implementations.h>

#include <type_traits>

#include <articula/base/text.h>
#include <articula/network/entities/displacement.h>
#include <articula/network/entities/drive.h>
#include <articula/network/entities/external_force.h>
#include <articula/network/entities/force_element.h>
#include <articula/network/entities/gear.h>
#include <articula/network/entities/joint.h>
#include <articula/network/entities/reference_frame.h>
#include <articula/network/entities/rigid_body.h>
#include <articula/network/entities/rotor.h>

namespace articula::network {
namespace {

template <class K, class... Kinds>
constexpr bool is_one_of = (std::is_same_v<K, Kinds> || ...);

/// What the bare mechanism leaves out, as the flat form does.
template <class K>
constexpr bool is_passive = is_one_of<K, Spring, Damper, SpringDamperActuator>;

template <class K>
constexpr bool has_implementation =
    is_one_of<K, ReferenceFrame, RigidBody, Displacement, Joint, ExternalForce, Gear, Rotor> || is_passive<K>;

template <class K>
bool is_left_out(const ActingParts& acting) {
  const bool at_rest = acting.drives == Drives::locked;
  if (is_passive<K>) return !acting.passive;
  if (is_one_of<K, Rotor>) return at_rest;
  if (is_one_of<K, Drive>) return at_rest && !acting.passive;
  return is_one_of<K, ContactPoint>;
}

void require_few_shafts(const Entity& entity, const Gear& gear) {
  constexpr std::size_t most = Implementation<Gear>::most;
  if (gear.inputs() <= most && gear.outputs() <= most) return;
  throw Error("network-no-implementation", entity.where,
              concat(to_text(entity), " has more than ", most,
                     " shafts on one side, and the network takes no more. Use the flat form."));
}

}  // namespace

std::shared_ptr<const EntityImplementation> Implementations::make(const Entity& entity,
                                                                  const ActingParts& acting) const {
  return std::visit(
      [&]<class K>(const K& kind) -> std::shared_ptr<const EntityImplementation> {
        if constexpr (std::is_same_v<K, Custom>) {
          return make_custom(entity, kind);
        } else if (is_left_out<K>(acting)) {
          return std::make_shared<const Bystander>();
        } else if constexpr (std::is_same_v<K, Drive>) {
          return std::make_shared<const Implementation<Drive>>(kind, acting.drives);
        } else if constexpr (has_implementation<K>) {
          if constexpr (std::is_same_v<K, Gear>) require_few_shafts(entity, kind);
          return std::make_shared<const Implementation<K>>(kind);
        } else {
          throw Error("network-no-implementation", entity.where,
                      concat(to_text(entity),
                             ": the network has no implementation of this kind, and it cannot be left "
                             "out. Take it away, or put an entity of your own in its place."));
        }
      },
      entity.kind);
}

std::shared_ptr<const EntityImplementation> Implementations::make_custom(const Entity& entity,
                                                                         const Custom& custom) const {
  if (auto own = std::dynamic_pointer_cast<const EntityImplementation>(custom.implementation)) return own;
  if (const auto maker = makers_.find(custom.type); maker != makers_.end()) return maker->second(custom);
  std::vector<std::string> types;
  for (const auto& [type, maker] : makers_) types.push_back(type);
  throw Error("network-no-implementation", entity.where,
              concat(to_text(entity), ": nothing implements its type ", quoted(custom.type),
                     ". Register a class for it, or give it an implementation.",
                     types.empty() ? "" : choices(custom.type, "types", types)));
}

}  // namespace articula::network
