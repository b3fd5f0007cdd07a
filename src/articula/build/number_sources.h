#pragma once

#include <string>
#include <vector>

#include <articula/build/build.h>

namespace articula::build {

/// What a number of Parameters follows from.
struct NumberSource {
  /// As overrides of a study name it: "elbow.damping" if that property alone decides on the number, "elbow" if others have a
  /// part in it too; "environment.gravity"; empty for what the structure decides.
  std::string path;
  Where where;  ///< the place of the entity in the text that describes it

  bool is_property() const { return path.find('.') != std::string::npos; }
};

/// The source of each number of the parameters, in the order of `for_each_number`: the way back from a number that is
/// wrong, unknown or sought to the text it came from. `built` must come from `model`.
ARTICULA_EXPORT std::vector<NumberSource> number_sources(const Model& model, const Built& built);

}  // namespace articula::build
