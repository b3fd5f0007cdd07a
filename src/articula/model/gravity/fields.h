#pragma once

#include <variant>

#include <articula/model/gravity/central.h>

namespace articula::model {

/// `None`, or one of the position-dependent fields of gravity. A new field is a file and a name here. A field defines
/// `acceleration` and `potential` over any scalar, and its properties in text (`fields`, `members`).
template <class None, class T>
using NoneOrField = std::variant<None, CentralField<T>>;

}  // namespace articula::model
