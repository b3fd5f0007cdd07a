#pragma once

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula::build {

/// The shafts of a merged model, by nodes of its port graph, and what determines the angle of each: the degree of freedom of
/// a joint or rotor, or, where there is neither, a gear between it and such shafts:
///
///     in = ratio·out + offset,   out = ratio⁻¹·(in − offset)
struct ShaftPlan {
  /// A gear and the nodes of its ports.
  struct Geared {
    int gear = -1;  ///< in the merged model
    std::vector<int> inputs, outputs;
  };
  /// A shaft that follows from those on the other side of a gear.
  struct Bare {
    int gear = -1;  ///< in `gears`
    bool is_output = false;
    std::size_t port = 0;
  };
  static constexpr int locked = -1;

  std::unordered_map<int, int> dof;           ///< by node; `locked`: of a rotor at rest
  std::unordered_map<int, Bare> bare;         ///< by node
  std::vector<Geared> gears;                  ///< in the order of the merged model
  std::unordered_map<int, int> gear_of_flat;  ///< in `gears`, by entity of the flat model
  std::vector<std::array<int, 2>> of_force;   ///< nodes `from` and `to` of each torsional element; −1: the housing
};

/// The largest gear that a shaft without joint or rotor can follow from.
inline constexpr std::size_t most_bare_ports = 16;

/// Finds the shafts that follow from others, once `dof` and `gears` are known.
ARTICULA_EXPORT void find_bare_shafts(ShaftPlan& plan);

/// The degrees of freedom that the angle of a shaft depends on; `is_locked` if one of them is that of a locked rotor. Empty
/// for the housing.
struct ShaftDofs {
  std::vector<int> dofs;
  bool is_known = true;
  bool is_locked = false;
};
ARTICULA_EXPORT ShaftDofs dofs_of_shaft(const ShaftPlan& plan, int node);

/// A linear function of degrees of freedom: Σ factors·q + offset.
struct ShaftSum {
  std::span<const int> dofs;
  std::span<double> factors;
  double& offset;

  void add(double factor, int dof) {
    for (std::size_t k = 0; k < dofs.size(); ++k) {
      if (dofs[k] == dof) factors[k] += factor;
    }
  }
};

/// sum += factor·(the angle of the shaft). Allocates nothing. False if the ratio of a gear that determines it is singular.
ARTICULA_EXPORT bool add_shaft(const ShaftPlan& plan, const Model& merged, int node, double factor, ShaftSum sum);

}  // namespace articula::build
