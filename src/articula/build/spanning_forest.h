#pragma once

#include <vector>

#include <articula/base/export.h>
#include <articula/build/rigid_groups.h>

namespace articula {

/// Which joints carry the bodies of a merged model, which are cut, and in which order the bodies come.
///
/// Kept in the tree are actuated joints first, then those not declared to close a loop, then the most constraining;
/// so cuts fall on passive joints with much freedom. Bodies come depth first from World, siblings in the order of
/// the file (moving frames, joints, beams), a floating base before all others.
struct SpanningForest {
  struct Branch {
    int group = 0;          ///< in RigidGroups of the merged model
    int parent = -1;        ///< in `branches`
    int joint = -1;         ///< the entity that carries it: a joint, a beam, or a moving reference frame
    bool reversed = false;  ///< the joint's port `to` is on the parent
  };
  struct Loop {
    int cut = -1;             ///< the joint that is cut
    std::vector<int> joints;  ///< the joints around the loop, the cut one first; of many long loops not all
    std::size_t length = 0;   ///< how many there are
  };
  std::vector<Branch> branches;  ///< the first is World
  std::vector<Loop> loops;
};

/// Bodies without a way to World, joints from a body to itself and loops that nobody declared become findings.
ARTICULA_EXPORT SpanningForest make_spanning_forest(const Model& merged, const PortGraph& graph,
                                                    const RigidGroups& groups, Findings& findings);

/// Whether a force acts along the joint: it is said to be actuated, or a drive or rotor sits on its shaft.
ARTICULA_EXPORT std::vector<bool> actuated_entities(const Model& model, const PortGraph& graph);

}  // namespace articula
