#pragma once

#include <optional>
#include <string>

#include <articula/build/build.h>

#include "names.h"

namespace articula::program {

struct Described {
  Model model;
  std::optional<Built> built;  ///< empty if the model has features that cannot be computed yet
};

/// The number of joints in each loop. Of many long loops, `Built::loops` lists only the first ones.
std::vector<std::size_t> loop_lengths(const Built& built);

std::string plain_text(const Described& described);
std::string json_text(const Described& described);

/// A graph for `dot -Tsvg`: entities are boxes, connections are edges between their ports.
std::string dot_text(const Model& model);

}  // namespace articula::program
