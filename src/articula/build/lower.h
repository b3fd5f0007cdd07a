#pragma once

#include <articula/build/explanation.h>
#include <articula/build/spanning_forest.h>
#include <articula/mechanism/parameters.h>

namespace articula {

/// All that lowering needs, made by the stages before it.
struct Prepared {
  Model flat;                           ///< the user's model without parts, rotations snapped
  Rewritten merged;                     ///< one body per rigid group
  std::vector<Explanation> explanations;
  SpanningForest forest;                ///< of the merged model
};

/// A merged model with its graph: what the forest was found on.
struct MergedGraph {
  const Model& model;
  PortGraph graph;
  RigidGroups groups;

  MergedGraph(const Model& merged, Findings& findings)
      : model(merged), graph(merged, findings), groups(find_rigid_groups(merged, graph, findings)) {}
};

struct Lowered {
  Mechanism mechanism;
  Parameters<double> parameters;
};

/// From the graph to flat arrays. Throws when the model holds an entity that no flat form exists for.
Lowered lower(const Prepared& prepared, const MergedGraph& merged);

}  // namespace articula
