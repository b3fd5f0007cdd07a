#pragma once

#include <optional>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/base/units.h>
#include <articula/model/model.h>
#include <articula/study/passage.h>

namespace articula::study {

/// A new value for a property of a model: `{"link7.mass", {"0.7 kg"}}`.
///
/// The path is `entity.property`, where the entity may be inside a part (`arm/hand.mass`), and where a body and a joint
/// of the same name are distinguished by their section (`joints.elbow.damping`). The path can select one component of
/// an inertia or of a vector: `link7.inertia.xx`, `link7.com.z`. The environment has `environment.gravity` and
/// `environment.ground`.
struct Override {
  std::string path;
  Passage value;
};

/// Changes the model. Throws an Error with everything that is wrong; the model may then be partly changed.
ARTICULA_EXPORT void apply_overrides(const std::vector<Override>& overrides, Model& model);

/// The dimension of the numbers of the property at a path; nothing if it has none or there is no such property.
ARTICULA_EXPORT std::optional<Dimension> override_dimension(const std::string& path, const Model& model);

}  // namespace articula::study
