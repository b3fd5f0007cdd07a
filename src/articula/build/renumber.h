#pragma once

#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula::build {

/// New numbers in a model that may be modified, with the same structure.

/// The kind of the e-th entity.
inline Kind& kind_of(Model& model, int e) {
  return const_cast<Kind&>(model.entities()[static_cast<std::size_t>(e)].kind);
}

/// Copies all numbers of an entity of the same structure. Names that flattening changed are kept.
ARTICULA_EXPORT void copy_numbers(const Kind& from, Kind& to);

/// Reserves every list that a joint or gear may omit, so that `copy_numbers` does not allocate if it is present.
ARTICULA_EXPORT void reserve_lists(Kind& kind);

/// The first property by which two entities of one kind differ in structure, not only in numbers: "type", "form",
/// "frames", ...; empty if there is none.
ARTICULA_EXPORT std::string_view structural_difference(const Kind& a, const Kind& b);

}  // namespace articula::build
