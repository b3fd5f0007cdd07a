#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include <articula/base/export.h>
#include <articula/store/store.h>

namespace articula::study {

/// Bounds for studies from an unknown source (docs/studies.md, "Studies from strangers"). They are stored with a run,
/// and apply when it is resumed.
struct StudyBounds {
  std::filesystem::path root;           ///< only files inside it are read; empty: the study's folder
  std::int64_t rows = 1'000'000;        ///< of all tasks of a run
  std::int64_t numbers = 100'000'000;   ///< in these rows
  double seconds = 600;                 ///< of wall time, enforced by the program; in C++, set RunOptions::cancel
  std::int64_t memory = 4'000'000'000;  ///< in bytes, also enforced by the program
};

/// To options of a stored run and back; nothing if the run has no bounds.
std::vector<NamedText> to_options(const StudyBounds& bounds);
ARTICULA_EXPORT std::optional<StudyBounds> bounds_of(const RunOrigin& origin);

}  // namespace articula::study
