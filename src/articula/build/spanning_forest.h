#pragma once

#include <vector>

#include <articula/base/export.h>
#include <articula/build/rigid_groups.h>

namespace articula::build {

/// The tree joints of a merged model, the joints that are cut, and the order of bodies.
///
/// Actuated joints are preferred for the tree, then those that are not declared to close a loop, then the most
/// constraining ones; so cuts are at passive joints with many degrees of freedom. Bodies come depth first from World,
/// siblings in the order of the file (moving frames, joints, beams), a floating base before all others.
struct SpanningForest {
  struct Branch {
    int group = 0;          ///< in RigidGroups of the merged model
    int parent = -1;        ///< in `branches`
    int joint = -1;         ///< the entity that carries it: a joint, a beam, or a moving reference frame
    bool reversed = false;  ///< the joint's port `to` is on the parent
    int rotor = -1;         ///< in Prepared::rotors, if it is a rotor; it has no group
  };
  struct Loop {
    int cut = -1;             ///< the joint that is cut
    std::vector<int> joints;  ///< the joints of the loop, the cut one first; possibly not all of a long loop
    std::size_t length = 0;   ///< their number
  };
  std::vector<Branch> branches;  ///< the first is World
  std::vector<Loop> loops;
};

/// Bodies without a path to World, joints from a body to itself and undeclared loops become findings.
ARTICULA_EXPORT SpanningForest make_spanning_forest(const Model& merged, const PortGraph& graph,
                                                    const RigidGroups& groups, Findings& findings);

/// Whether a force acts along the joint: it is declared as actuated, or a drive or rotor is on its shaft.
ARTICULA_EXPORT std::vector<bool> actuated_entities(const Model& model, const PortGraph& graph);

}  // namespace articula::build
