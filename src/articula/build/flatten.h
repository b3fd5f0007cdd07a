#pragma once

#include <articula/base/export.h>
#include <articula/build/explanation.h>

namespace articula::build {

/// An assembly of a model: the `part`-th part of the assembly `parent`.
struct AssemblyPlace {
  int parent = -1;  ///< in the list; −1 for the model itself
  int part = -1;
  std::string path;  ///< "arm/hand", empty for the model itself
};

/// The model itself, and then its parts, each before those inside it. Throws if they are nested too deeply.
ARTICULA_EXPORT std::vector<AssemblyPlace> assemblies_of(const Model& model);

/// The same assemblies in another model of the same structure; allocates nothing if `assemblies` has the capacity.
ARTICULA_EXPORT void locate_assemblies(const Model& model, const std::vector<AssemblyPlace>& places,
                                       std::vector<const Assembly*>& assemblies);

/// Parts become entities and connections of the model itself, named by their path: "arm/hand".
///
/// Rule: part p with entities e and connections c  →  entities p/e and connections p/c. Nothing else changes.
ARTICULA_EXPORT Rewritten flatten(const Model& model);

}  // namespace articula::build
