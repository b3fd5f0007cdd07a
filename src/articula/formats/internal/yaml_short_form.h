#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <articula/formats/internal/yaml_write_values.h>

namespace articula::formats {

/// Determines which connections of an assembly can be written as attachments of an entity (`from: upper`).
///
/// A connection of two ports has a short form if one of them is a key of its entity. A frame that is named after the
/// attached port ("elbow.from") is written as a placement.
class ShortForm {
 public:
  explicit ShortForm(const Assembly& assembly);

  struct Attached {
    std::string port;
    Flow to;
    std::size_t order;  ///< among the ports of its entity
  };
  /// The attachments of an entity, by its index in the assembly.
  const std::vector<Attached>& attached(std::size_t entity) const;

  /// The frames of a body that must be written by name.
  std::vector<Frame> named_frames(const Entity& body) const;

  /// The connections that must be written as connections.
  const std::vector<const Connection*>& others() const { return others_; }

 private:
  struct Key {
    std::size_t entity;
    PortType type;
    std::size_t order;
  };

  void collect_keys(std::size_t entity);
  void collect_frames(const Entity& body);
  bool attach(const Connection& connection);
  bool attach(const PortRef& host, const PortRef& target);
  const Frame* place_of(const PortRef& host, const PortRef& target) const;

  const Assembly& assembly_;
  std::unordered_map<std::string, Key> keys_;  ///< "entity\0port" for each port that is a key
  std::unordered_map<std::string, const Frame*>
      places_;  ///< "body\0frame" of frames that may be places; null if there are two
  std::unordered_set<const Frame*> placed_;
  std::unordered_map<std::size_t, std::vector<Attached>> attached_;
  std::vector<const Connection*> others_;
};

}  // namespace articula::formats
