#include <articula/formats/urdf_writer.h>

#include <articula/formats/internal/urdf_compose.h>
#include <articula/formats/internal/urdf_print.h>

namespace articula::formats {

std::string write_urdf(const Model& model, Findings& losses) {
  const UrdfComposition composition(model, losses);
  return print_urdf(composition.robot(), losses);
}

}  // namespace articula::formats
