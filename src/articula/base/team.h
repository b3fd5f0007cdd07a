#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace articula {

/// Calls `work()` on this thread and on up to `threads` − 1 others, and waits for all. Where the system gives no more
/// threads, fewer do the work: they must take it piece by piece from a common place. `work` throws nothing.
template <class Work>
void work_together(std::size_t threads, Work&& work) {
  std::vector<std::jthread> others;
  others.reserve(threads);
  try {
    while (others.size() + 1 < threads) others.emplace_back([&] { work(); });
  } catch (const std::system_error&) {
    // This thread is there in any case.
  }
  work();
}

}  // namespace articula
