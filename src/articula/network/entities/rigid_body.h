#pragma once

#include <articula/model/entities/rigid_body.h>
#include <articula/network/entities/rigid.h>

namespace articula::network {

/// A body with any number of ports: forces of its children pass through it, and it adds its own.
template <>
class Implementation<RigidBody> final : public Rigid {
 public:
  explicit Implementation(const RigidBody& body)
      : Rigid(own_and(body.frames)), mass_{mass_properties(body).value_or(Inertia<double>{}), body.internal_momentum} {}

  void action(const Site& site) const override {
    site.force_at(site.root) =
        passed_on(site) + mass_.force(site, site.root, X_EP(site.root), site.motion_at(site.root).A);
  }
  void articulated_action(const Site& site) const override {
    site.articulated_at(site.root) = passed_on_articulated(site);
    site.articulated_at(site.root) += mass_.articulated(site, site.root, X_EP(site.root));
  }

 private:
  Mass mass_;
};

}  // namespace articula::network
