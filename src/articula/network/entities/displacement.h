#pragma once

#include <articula/model/entities/displacement.h>
#include <articula/network/entities/rigid.h>

namespace articula::network {

/// It only moves the point of reference, either way.  [UNI table 3.3, with φ⁻¹ for the reverse]
template <>
class Implementation<Displacement> final : public Rigid {
 public:
  explicit Implementation(const Displacement& displacement)
      : Rigid({Pose<double>::identity(), displacement.placement}) {}
};

}  // namespace articula::network
