#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

#include <articula/base/modules.h>

namespace articula::base {

/// Calls `work()` on this thread and on up to `threads` − 1 others, and waits for all. If the system cannot start that
/// many threads, there are fewer calls: each must take its work from a common queue. `work` must not throw.
template <class Work>
void work_together(std::size_t threads, Work&& work) {
  std::vector<std::jthread> others;
  others.reserve(threads);
  try {
    while (others.size() + 1 < threads) others.emplace_back([&] { work(); });
  } catch (const std::system_error&) {
    // This thread always works.
  }
  work();
}

}  // namespace articula::base
