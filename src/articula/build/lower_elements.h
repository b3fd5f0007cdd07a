#pragma once

#include <unordered_map>

#include <articula/base/export.h>
#include <articula/build/lower.h>
#include <articula/build/lower_pieces.h>

namespace articula {

/// Where the tree put things.
struct FlatPlaces {
  const ModelGraph& merged;
  const std::vector<int>& body_of_group;
  const std::vector<Pose<double>>& X_BU;           ///< of each group's host in its flat body
  const std::unordered_map<int, int>& joint_body;  ///< from a joint of the merged model to the body it carries
  const PiecePlaces& pieces;
};

/// Everything beside bodies and tree joints: cut joints, rods, contacts, rolling, springs, forces, gears, rotors.
ARTICULA_EXPORT void lower_elements(const Prepared& prepared, const FlatPlaces& places, Mechanism& mech, Parameters<double>& par);

}  // namespace articula
