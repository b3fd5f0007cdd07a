#pragma once

#include <algorithm>
#include <functional>
#include <string_view>

#include <articula/model/port.h>

namespace articula::model {

/// The port that to_text() writes as `text`, such as `upper.tool`; the first dot ends the name of the entity.
inline PortRef to_port(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

/// The first entry whose port, `port_of(entry)`, to_text() writes as `text`; null if there is none. Names of entities may
/// hold dots, so that the ports that there are decide what `text` means.
template <class Entries, class PortOf>
auto find_port(const Entries& entries, std::string_view text, PortOf port_of) -> decltype(&*entries.begin()) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& entry) { return to_text(std::invoke(port_of, entry)) == text; });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace articula::model
