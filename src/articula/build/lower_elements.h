#pragma once

#include <unordered_map>

#include <articula/base/export.h>
#include <articula/build/lower.h>
#include <articula/build/lower_pieces.h>

namespace articula::build {

/// The placement of entities in the tree.
struct FlatPlaces {
  const ModelGraph& merged;
  const std::vector<int>& body_of_group;
  const std::unordered_map<int, int>& joint_body;  ///< the body that a joint of the merged model moves
  const std::unordered_map<int, int>& rotor_body;  ///< the body that is a drive's or rotor's own
  const PiecePlaces& pieces;
};

/// All elements other than bodies and tree joints: cut joints, rods, contacts, rolling, springs, forces, gears, rotors.
/// Their parameters are written by Numbers.
ARTICULA_EXPORT void lower_elements(Prepared& prepared, const FlatPlaces& places, Mechanism& mech);

}  // namespace articula::build
