#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <articula/formats/internal/yaml_ports.h>
#include <articula/formats/internal/yaml_values.h>
#include <articula/integrate/integrator.h>
#include <articula/study/overrides.h>
#include <articula/study/setup.h>

namespace articula::study {

using formats::read_value;

/// A frame: `link7`, `link7.flange` or, if the name of a body contains a dot, `{link7: flange}`.
bool read_value(const Spot& spot, PortRef& value, const Dimension&);
/// One frame, or a list of them.
bool read_value(const Spot& spot, std::vector<PortRef>& value, const Dimension&);
/// A list of placements.
bool read_value(const Spot& spot, std::vector<Pose<double>>& value, const Dimension& dimension);
/// `{link7.mass: 0.7, ...}`
bool read_value(const Spot& spot, std::vector<Override>& value, const Dimension&);
/// A trajectory's name, or `{q: ..., v: ...}`.
bool read_value(const Spot& spot, StartText& value, const Dimension&);
/// A number with any unit, or none.
bool read_value(const Spot& spot, SignalValue& value, const Dimension&);
/// One method of integration, or a list of them.
bool read_value(const Spot& spot, std::vector<Method>& value, const Dimension&);
/// Any value, to be parsed later.
bool read_value(const Spot& spot, Passage& value, const Dimension&);

/// What describes itself by `fields`.
template <class T>
concept Described = requires(T& each) { T::fields(each, [](auto&&...) {}); };

/// A list of mappings.
template <Described T>
bool read_value(const Spot& spot, std::vector<T>& value, const Dimension&);

/// The names of the kinds in a list, in order.
template <class... Kinds>
std::vector<std::string> kind_names(const std::variant<Kinds...>*) {
  return {std::string(Kinds::name)...};
}

template <class K>
std::vector<std::string> field_names(const K& kind) {
  std::vector<std::string> names;
  K::fields(kind, [&](std::string_view name, auto&&...) { names.emplace_back(name); });
  return names;
}

/// Reads the keys of one kind. Keys in its list `required` must be present.
template <class K>
void read_fields(Keys& keys, K& kind) {
  K::fields(kind, [&](std::string_view name, auto& value, const Dimension& dimension, auto&&...) {
    if (const auto spot = keys.find(name)) read_value(*spot, value, dimension);
  });
  if constexpr (requires { K::required; }) {
    for (const std::string_view name : K::required) {
      if (!keys.has(name)) keys.mapping().error("value-missing", concat(": ", name, " is missing."));
    }
  }
}

template <Described T>
bool read_value(const Spot& spot, std::vector<T>& value, const Dimension&) {
  if (!spot.node.is_sequence()) {
    spot.wrong_type("A list of mappings is needed.");
    return false;
  }
  for (std::size_t k = 0; k < spot.node.size(); ++k) {
    const Spot item(spot, k);
    T each;
    Keys keys(item, concat("A mapping is needed with: ", list_of(field_names(each)), "."));
    if (!keys.ok()) return false;
    read_fields(keys, each);
    keys.finish([&] { return field_names(each); });
    value.push_back(std::move(each));
  }
  return true;
}

/// Reads `{type: harmonic, ...}` into the kind of that name. `more` are keys that the caller has already read.
template <class... Kinds>
bool read_kind(Keys& keys, std::variant<Kinds...>& kind, std::span<const std::string_view> more = {}) {
  if (!keys.ok()) return false;
  const std::vector<std::string> names = kind_names(&kind);
  const auto type = keys.find("type");
  if (!type) {
    keys.mapping().error("value-missing", concat(": type is missing. Allowed: ", list_of(names, names.size()), "."));
    return false;
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  int place = 0;
  if (!read_choice(*type, views, place)) return false;
  int k = 0;
  const auto read_one = [&]<class K>(K one) {
    if (k++ != place) return;
    read_fields(keys, one);
    keys.finish([&] {
      std::vector<std::string> allowed{"type"};
      allowed.insert(allowed.end(), more.begin(), more.end());
      for (std::string& name : field_names(one)) allowed.push_back(std::move(name));
      return allowed;
    });
    kind = std::move(one);
  };
  (read_one(Kinds{}), ...);
  return true;
}

}  // namespace articula::study
