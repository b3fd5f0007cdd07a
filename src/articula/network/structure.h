#pragma once

#include <map>
#include <optional>

#include <articula/mechanism/mechanism.h>
#include <articula/network/causality.h>
#include <articula/network/implementations.h>

namespace articula::network {

struct NetworkOptions {
  Representation representation = Representation::body;
  Implementations implementations;  ///< of user-defined entities, by their type
  bool passive = false;             ///< springs, dampers, friction and drives act
  std::optional<Drives> drives;     ///< by default locked, or as the model says with `passive`
};

/// All of a network that does not change while it computes: the product of its builder, shared by copies.
struct ARTICULA_EXPORT Structure {
  Structure(const Model& model, const NetworkOptions& options);

  Representation representation;
  bool passive;
  Gravity gravity;
  Mechanism mechanism;  ///< of the flat form: its state, extended by the coordinates of the user's own entities
  StateLayout layout;   ///< of independent coordinates: those that no gear gives
  std::vector<int> independent_q, independent_v;  ///< their indices among all
  Entities entities;
  Causality causality;
  std::vector<Range> q, v;  ///< coordinates of each entity, among all

  /// A shaft and its coordinate, among all.
  struct ShaftCoordinate {
    int port, q, v;
  };
  std::vector<ShaftCoordinate> turned;  ///< a coordinate turns the shaft
  std::vector<ShaftCoordinate> geared;  ///< the shaft gives the coordinate
  std::map<PortRef, int> port_of;
  std::vector<std::string> left_out;  ///< entities without a part in the dynamics

  /// Whether turns and torques pass through shafts.
  bool has_shafts() const { return !causality.shafts.empty() || !geared.empty(); }

  /// The port of that name; throws and says why not.
  int port(const PortRef& name) const;

 private:
  void find_entities(const Model& flat, const Implementations& implementations, const ActingParts& acting);
  void leave_out_locked_shafts(const Model& flat);
  void lay_out(const Model& flat, const PortGraph& graph, const std::vector<int>& place);
  void lay_out_shafts(const Model& flat, const PortGraph& graph);
  void require_turns(const Model& flat) const;
  void name_ports(const Model& flat, const PortGraph& graph);
};

}  // namespace articula::network
