#pragma once

#include <optional>
#include <string>
#include <vector>

#include <articula/build/build.h>

#include "names.h"

namespace articula::program {

/// A drive or rotor as `--drives elastic` computes it.
struct DescribedDrive {
  std::string name;
  std::string form;          ///< `along_joint`, `exchanged`, `body`, `spring`
  std::string coordinate;    ///< its angle, if it has one
  std::optional<int> order;  ///< the highest time derivative of its angle that torques of motors depend on
};

struct Described {
  Model model;
  std::optional<Built> built = std::nullopt;  ///< empty if the model has features that cannot be computed yet
  std::vector<DescribedDrive> drives = {};
  std::optional<int> q_order = std::nullopt;  ///< the highest time derivative of q that torques of motors depend on
  std::string no_torques = {};                ///< why torques of motors are not determined by the motion of the joints
};

/// The number of joints in each loop. Of many long loops, `Built::loops` lists only the first ones.
std::vector<std::size_t> loop_lengths(const Built& built);

std::string plain_text(const Described& described);
std::string json_text(const Described& described);

/// A graph for `dot -Tsvg`: entities are boxes, connections are edges between their ports.
std::string dot_text(const Model& model);

}  // namespace articula::program
