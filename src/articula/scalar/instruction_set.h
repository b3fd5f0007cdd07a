#pragma once

#include <string_view>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::scalar {

/// Which instructions lanes are computed with. Each has its own compiled copy of the algorithms.
enum class InstructionSet : unsigned char {
  baseline,  ///< what every processor of the family has: 2 doubles, 4 floats
  avx2,      ///< with FMA: 4 doubles, 8 floats
  avx512,    ///< 8 doubles, 16 floats
};

ARTICULA_EXPORT std::string_view to_text(InstructionSet set);

/// Whether this program has code for it, and this processor runs it.
ARTICULA_EXPORT bool is_available(InstructionSet set);

/// The widest that is available.
ARTICULA_EXPORT InstructionSet best_instruction_set();

/// How many numbers of type S one of its instructions takes: the width of a batch's lanes.
template <class S>
constexpr int lanes_of(InstructionSet set) {
  return (16 << static_cast<int>(set)) / static_cast<int>(sizeof(S));
}

}  // namespace articula::scalar
