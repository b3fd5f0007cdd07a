#pragma once

#include <variant>

#include <articula/study/internal/read_kinds.h>
#include <articula/study/internal/read_passage.h>

namespace articula {

/// Gives one property of a kind a new value. Throws an Error that begins with `what "path"` and names the choices.
template <class... Kinds>
void set_property(std::variant<Kinds...>& kind, std::string_view property, std::string_view what, const Override& one) {
  const auto set = [&]<class K>(K& each) {
    bool found = false;
    K::fields(each, [&](std::string_view name, auto& value, const Dimension& dimension) {
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

}  // namespace articula
