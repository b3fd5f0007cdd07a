#pragma once

#include <optional>
#include <type_traits>
#include <variant>

#include <articula/study/internal/read_kinds.h>
#include <articula/study/internal/read_passage.h>

namespace articula::study {

/// Whether values of a type may carry units.
template <class T>
inline constexpr bool is_quantity =
    std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>> || std::is_same_v<T, std::vector<double>> ||
    std::is_same_v<T, Vec3<double>> || std::is_same_v<T, SymMat3<double>>;

/// Sets one property of a kind. Throws an Error that begins with `what "path"` and lists the choices.
template <class... Kinds>
void set_property(std::variant<Kinds...>& kind, std::string_view property, std::string_view what, const Override& one) {
  const auto set = [&]<class K>(K& each) {
    bool found = false;
    K::fields(each, [&](std::string_view name, auto& value, const Dimension& dimension, auto&&...) {
      if (name != property) return;
      found = true;
      read_passage(one.value, what, one.path, [&](const Spot& spot) { read_value(spot, value, dimension); });
    });
    if (found) return;
    throw Error("override-unknown", one.value.where,
                concat(what, " ", quoted(one.path), ": a ", K::name, " has no property ", quoted(property), ".",
                       choices(property, "Properties", field_names(each))));
  };
  std::visit(set, kind);
}

/// The dimension of the numbers of a property; nothing if there is no such property or its values are no numbers.
template <class... Kinds>
std::optional<Dimension> property_dimension(const std::variant<Kinds...>& kind, std::string_view property) {
  std::optional<Dimension> found;
  std::visit(
      [&]<class K>(const K& each) {
        K::fields(each, [&]<class T>(std::string_view name, const T&, const Dimension& dimension, auto&&...) {
          if (name == property && is_quantity<T>) found = dimension;
        });
      },
      kind);
  return found;
}

}  // namespace articula::study
