#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <articula/formats/internal/yaml_write_values.h>

namespace articula::formats {

/// Which connections of an assembly can be written as attachments of an entity (`from: upper`), and which
/// cannot.
///
/// A connection of two ports is short when one of them is a key of its entity. A frame that is called after
/// the port attached to it ("elbow.from") is written as the place it is.
class ShortForm {
 public:
  explicit ShortForm(const Assembly& assembly);

  struct Attached {
    std::string port;
    Flow to;
    std::size_t order;  ///< among the ports of its entity
  };
  /// The attachments of the entity at that place in the assembly.
  const std::vector<Attached>& attached(std::size_t entity) const;

  /// The frames of a body that must be written.
  std::vector<Frame> named_frames(const Entity& body) const;

  /// The connections that must be written as such.
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
  std::unordered_map<std::string, Key> keys_;  ///< "entity\0port" of every port that is a key
  std::unordered_map<std::string, const Frame*>
      places_;  ///< "body\0frame" of frames that may be places; null if there are two
  std::unordered_set<const Frame*> placed_;
  std::unordered_map<std::size_t, std::vector<Attached>> attached_;
  std::vector<const Connection*> others_;
};

}  // namespace articula::formats
