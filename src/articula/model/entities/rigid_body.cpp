#include <articula/model/entities/rigid_body.h>

namespace articula::model {

std::optional<Inertia<double>> mass_properties(const RigidBody& body) {
  if (!body.density) return inertia_about_origin(body.mass, body.com, body.inertia);
  Inertia<double> sum;
  bool any = false;
  for (const Shape& shape : body.shapes) {
    if (shape.use != ShapeUse::both) continue;
    auto M_S = unit_density_inertia(shape.geometry);
    if (!M_S) return std::nullopt;
    *M_S = {*body.density * M_S->m, *body.density * M_S->h, *body.density * M_S->I};
    sum += shape.X_BS * *M_S;
    any = true;
  }
  if (!any) return std::nullopt;
  return sum;
}

}  // namespace articula::model
