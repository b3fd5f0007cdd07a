#pragma once

#include <string>

#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula {

/// The model as a text in the native form (docs/format.md), short and in a fixed order.
///
/// What is read back from it is equal to the model, number by number. Not written is what has no meaning:
/// properties that a joint of that kind does not have. Throws when the model holds what no text can say: a
/// number that is not finite, or a name that is not UTF-8.
ARTICULA_EXPORT std::string write_yaml(const Model& model);

}  // namespace articula
