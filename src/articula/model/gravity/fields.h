#pragma once

#include <variant>

#include <articula/model/gravity/central.h>

namespace articula {

/// `None`, or one of the fields of gravity that depend on the place: a new one is a file and a name here. A field says what
/// falls where (`acceleration`, `potential`, over any scalar), and its properties in text (`fields`, `members`).
template <class None, class T>
using NoneOrField = std::variant<None, CentralField<T>>;

}  // namespace articula
