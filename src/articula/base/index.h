#pragma once

#include <cstddef>

#include <articula/base/modules.h>

namespace articula::base {

/// An index of the flat form, where −1 means none, as an index of a container.
constexpr std::size_t at(int k) { return static_cast<std::size_t>(k); }

}  // namespace articula::base
