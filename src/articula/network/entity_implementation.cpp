#include <articula/network/entity_implementation.h>

namespace articula::network {

bool EntityImplementation::carries(int, int) const { return false; }

bool EntityImplementation::turns(std::span<const PortRole>, int) const { return false; }

Vec3<double> Site::gravity_at(const Vec3<double>& p_W) const {
  return std::visit(
      [&]<class Kind>(const Kind& kind) {
        if constexpr (std::is_same_v<Kind, UniformGravity>) {
          return kind.acceleration;
        } else {
          return kind.acceleration(p_W);
        }
      },
      gravity);
}

}  // namespace articula::network
