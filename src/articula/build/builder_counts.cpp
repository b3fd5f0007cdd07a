#include <articula/build/builder_counts.h>

#include <atomic>

namespace articula::build {

static std::atomic<std::uint64_t> lowerings = 0, refreshes = 0;

void detail::count_lowering() { lowerings.fetch_add(1, std::memory_order_relaxed); }
void detail::count_refresh() { refreshes.fetch_add(1, std::memory_order_relaxed); }

BuilderCounts builder_counts() { return {lowerings, refreshes}; }

}  // namespace articula::build
