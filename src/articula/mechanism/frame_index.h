#pragma once

#include <string_view>
#include <unordered_map>

#include <articula/mechanism/mechanism.h>

namespace articula::mechanism {

/// The frames of a mechanism by name, for many lookups: O(n) to construct, O(1) for each name.
class ARTICULA_EXPORT FrameIndex {
 public:
  /// `mech` must outlive the index.
  explicit FrameIndex(const Mechanism& mech);

  /// The index of a frame in the frame table, as Mechanism::frame returns it; throws and lists the choices.
  int at(const PortRef& name) const;

 private:
  struct Name {
    std::string_view entity, port;
    friend bool operator==(const Name&, const Name&) = default;
  };
  struct Hash {
    std::size_t operator()(const Name& name) const;
  };

  const Mechanism& mech_;
  std::unordered_map<Name, int, Hash> places_;
};

}  // namespace articula::mechanism
