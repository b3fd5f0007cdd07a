#pragma once

#include <string>

#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula::formats {

/// The model as a text in the native format (docs/format.md), short and in a fixed order.
///
/// Reading it back gives an equal model, number by number. Properties that a joint of that kind does not have are not
/// written. Throws if the model contains a value that cannot be written: a number that is not finite, or a name that is
/// not UTF-8.
ARTICULA_EXPORT std::string write_yaml(const Model& model);

}  // namespace articula::formats
