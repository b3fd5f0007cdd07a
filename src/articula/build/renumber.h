#pragma once

#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula {

/// New numbers in a model that is ours to change, and whose structure stays.

/// The kind of the e-th entity.
inline Kind& kind_of(Model& model, int e) {
  return const_cast<Kind&>(model.entities()[static_cast<std::size_t>(e)].kind);
}

/// Takes over all numbers of an entity of the same structure. Names that flattening changed stay as they are.
ARTICULA_EXPORT void copy_numbers(const Kind& from, Kind& to);

/// Room for every list that a joint or gear may leave out, so that `copy_numbers` does not allocate when it is given.
ARTICULA_EXPORT void reserve_lists(Kind& kind);

/// The first property by which two entities of one kind differ in structure, not only in numbers: "type", "form",
/// "frames", ...; empty if there is none.
ARTICULA_EXPORT std::string_view structural_difference(const Kind& a, const Kind& b);

}  // namespace articula
