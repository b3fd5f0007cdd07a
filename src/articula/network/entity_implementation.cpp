#include <articula/network/entity_implementation.h>

namespace articula::network {

bool EntityImplementation::carries(int, int) const { return false; }

Vec3<double> Site::gravity_at(const Vec3<double>& p_W) const {
  if (const auto* uniform = std::get_if<UniformGravity>(&gravity)) return uniform->acceleration;
  const auto& central = std::get<CentralGravity>(gravity);
  const Vec3<double> r = p_W - central.center;
  const double distance = norm(r);
  return (-central.mu / (distance * distance * distance)) * r;
}

}  // namespace articula::network
