#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include <articula/base/export.h>
#include <articula/store/store.h>

namespace articula {

/// What a study that comes from a stranger may read and use (docs/studies.md, "Studies from strangers"). They are kept with
/// a run, and hold when it is resumed.
struct StudyBounds {
  std::filesystem::path root;           ///< files are read beneath it only; empty: the study's folder
  std::int64_t rows = 1'000'000;        ///< of all tasks of a run
  std::int64_t numbers = 100'000'000;   ///< in these rows
  double seconds = 600;                 ///< of wall time. The program ends a run then; in C++, set RunOptions::cancel
  std::int64_t memory = 4'000'000'000;  ///< in bytes. For the program likewise
};

/// As options of a stored run, and back; nothing if the run has none.
std::vector<NamedText> to_options(const StudyBounds& bounds);
ARTICULA_EXPORT std::optional<StudyBounds> bounds_of(const RunOrigin& origin);

}  // namespace articula
