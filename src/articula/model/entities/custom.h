#pragma once

#include <memory>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// Data of a user-defined entity in addition to its properties, for algorithms that know its type.
class ARTICULA_EXPORT CustomImplementation {
 public:
  virtual ~CustomImplementation() = default;
};

struct CustomPort {
  std::string name;
  PortType type = PortType::spatial;
  friend bool operator==(const CustomPort&, const CustomPort&) = default;
};
constexpr std::array<std::string_view, 2> enum_names(PortType) { return {"spatial", "scalar"}; }

/// A property of a user-defined entity: a number or a list of them, or a text.
struct CustomProperty {
  std::string name;
  std::vector<double> numbers;
  std::string text;  ///< used when `numbers` is empty
  friend bool operator==(const CustomProperty&, const CustomProperty&) = default;
};

/// An entity of a user-defined kind.
struct Custom {
  static constexpr std::string_view name = "custom", section = "custom";

  std::string type;  ///< the user-defined name of the kind
  std::vector<CustomPort> custom_ports;
  std::vector<CustomProperty> properties;
  std::shared_ptr<const CustomImplementation> implementation;  ///< not part of the text, not compared

  friend bool operator==(const Custom& a, const Custom& b) {
    return a.type == b.type && a.custom_ports == b.custom_ports && a.properties == b.properties;
  }

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("type", self.type, dimension::none);
    field("ports", self.custom_ports, dimension::none);
    field("properties", self.properties, dimension::none);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    for (const CustomPort& own : custom_ports) port(own.name, own.type);
  }
};

}  // namespace articula::model
