#pragma once

#include <string_view>
#include <unordered_map>

#include <articula/mechanism/mechanism.h>

namespace articula::mechanism {

/// The frames of a mechanism by name, for whoever looks up many of them: O(n) to make, O(1) for each name.
class ARTICULA_EXPORT FrameIndex {
 public:
  /// `mech` must live as long as the index.
  explicit FrameIndex(const Mechanism& mech);

  /// Place of a frame in the table, as Mechanism::frame gives it; throws and names the choices.
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
