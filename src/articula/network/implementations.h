#pragma once

#include <map>
#include <memory>
#include <string>

#include <articula/mechanism/mechanism.h>
#include <articula/model/entity.h>
#include <articula/network/entity_implementation.h>

namespace articula::network {

/// What takes part beside bodies, joints and external forces.
struct ActingParts {
  bool passive = false;
  Drives drives = Drives::locked;
};

/// It moves along and asks for no force.
class ARTICULA_EXPORT Bystander final : public EntityImplementation {
 public:
  void action(const Site&) const override {}
  void articulated_action(const Site&) const override {}
};

/// Where the implementation of an entity comes from: for the default entities from entities/, for the user's own
/// from the entity itself or from what was registered for its type.  [UNI 4.2.1, MBSEntImplFactory]
class ARTICULA_EXPORT Implementations {
 public:
  /// `implementations.add<Propeller>("propeller")`: a class that can be made from a Custom, for all of that type.
  template <class I>
  Implementations& add(std::string type) {
    makers_[std::move(type)] = [](const Custom& custom) -> std::shared_ptr<const EntityImplementation> {
      return std::make_shared<const I>(custom);
    };
    return *this;
  }

  /// A bystander for what takes no part, such as contact points, whose effects are added by others. Throws for what
  /// constrains the motion, and for a type of the user's own that nothing is known about.
  std::shared_ptr<const EntityImplementation> make(const Entity& entity, const ActingParts& acting = {}) const;

 private:
  using Maker = std::shared_ptr<const EntityImplementation> (*)(const Custom&);
  std::shared_ptr<const EntityImplementation> make_custom(const Entity& entity, const Custom& custom) const;

  std::map<std::string, Maker> makers_;
};

}  // namespace articula::network
