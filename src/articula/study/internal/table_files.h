#pragma once

#include <string>
#include <vector>

#include <articula/study/study.h>

namespace articula::study {

/// The files that trajectories read, as they are written, each once.
std::vector<std::string> tables_of_trajectories(const Study& study);

/// Other files that tasks and sweeps choose for trajectories, by `override` and `over` of `wave.file`.
struct ChosenTables {
  static constexpr std::size_t most = 10'000;
  std::vector<std::string> files;  ///< the first of them, each once
  std::size_t count = 0;           ///< of all
};
ChosenTables chosen_tables(const Study& study);

}  // namespace articula::study
