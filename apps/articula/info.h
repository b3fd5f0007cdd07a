#pragma once

#include <optional>
#include <string>

#include <articula/build/build.h>

#include "names.h"

namespace articula::program {

struct Described {
  Model model;
  std::optional<Built> built;  ///< none when the model holds what cannot be computed with yet
};

/// How many joints lie around each loop. Of many long loops `Built::loops` lists the first ones only.
std::vector<std::size_t> loop_lengths(const Built& built);

std::string plain_text(const Described& described);
std::string json_text(const Described& described);

/// Entities are boxes, connections edges between their ports; for `dot -Tsvg`.
std::string dot_text(const Model& model);

}  // namespace articula::program
