#pragma once

#include <cstdint>

#include <articula/base/export.h>
#include <articula/base/modules.h>

namespace articula::build {

/// How often this process has lowered a model to a mechanism, and refreshed the numbers of one. Tests count with it.
struct BuilderCounts {
  std::uint64_t lowerings = 0, refreshes = 0;
};

ARTICULA_EXPORT BuilderCounts builder_counts();

namespace detail {
void count_lowering();
void count_refresh();
}  // namespace detail

}  // namespace articula::build
