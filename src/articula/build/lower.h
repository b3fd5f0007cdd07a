#pragma once

#include <memory>

#include <articula/base/export.h>
#include <articula/build/explanation.h>
#include <articula/build/shafts.h>
#include <articula/build/spanning_forest.h>
#include <articula/mechanism/parameters.h>

namespace articula::build {

/// A model with its ports and rigid groups.
struct ModelGraph {
  std::shared_ptr<const Model> model;
  PortGraph graph;
  RigidGroups groups;

  ModelGraph(std::shared_ptr<const Model> of, Findings& findings)
      : model(std::move(of)), graph(*model, findings), groups(find_rigid_groups(*model, graph, findings)) {}
};

/// How a drive or rotor of the merged model is computed (rotors.h).
struct RotorPlan {
  int entity = -1;  ///< the drive or rotor
  int joint = -1;   ///< the joint on its shaft; −1: none
  int group = -1;   ///< that carries it; −1: none
  RotorForm form = RotorForm::locked;
  bool on_from = false;  ///< the carrier is that of the joint's port `from`
};

/// The input of lowering, made by earlier stages. A stage that changes nothing passes its model on.
struct Prepared {
  std::shared_ptr<const Model> flat;   ///< the user's model without parts, rotations snapped
  std::unique_ptr<ModelGraph> rigid;   ///< of the flat model; null if merging changes nothing
  std::unique_ptr<ModelGraph> merged;  ///< one body per rigid group
  std::vector<int> origin;             ///< entities of the flat model for those of the merged model, if they differ
  std::map<PortRef, PortRef> moved;    ///< new names of ports after merging
  std::vector<Explanation> explanations;
  std::vector<RotorPlan> rotors;   ///< in the order of the merged model
  ShaftPlan shafts;                ///< lowering finds it
  SpanningForest forest;           ///< of the merged model, and of rotors
  std::vector<int> node_of_frame;  ///< of each flat frame, in the merged model's graph; lowering finds it
};

struct Lowered {
  Mechanism mechanism;
  Parameters<double> parameters;
};

/// From the graph to flat arrays. Throws if the model contains an entity without a flat form.
ARTICULA_EXPORT Lowered lower(Prepared& prepared, Drives drives);

}  // namespace articula::build
