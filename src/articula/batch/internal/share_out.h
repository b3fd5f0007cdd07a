#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <thread>
#include <vector>

#include <articula/base/modules.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ARTICULA_THREAD_SANITIZER 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define ARTICULA_THREAD_SANITIZER 1
#endif

namespace articula::batch {

#ifdef ARTICULA_THREAD_SANITIZER
inline constexpr bool threads_are_watched = true;
#else
inline constexpr bool threads_are_watched = false;
#endif

/// Calls f(from, to, thread) for parts of 0, …, count − 1, on the threads of an arena.
///
/// ThreadSanitizer cannot see how TBB, which is compiled without it, hands work from thread to thread. Under it, plain
/// threads take equal parts.
template <class F>
void share_out(tbb::task_arena& arena, int count, int threads, const F& f) {
  if constexpr (threads_are_watched) {
    std::vector<std::jthread> team;
    for (int t = 0; t < threads; ++t) {
      const auto part = [&](int k) { return static_cast<int>(static_cast<long long>(count) * k / threads); };
      team.emplace_back([&f, from = part(t), to = part(t + 1), t] { f(from, to, t); });
    }
  } else {
    arena.execute([&] {
      tbb::parallel_for(tbb::blocked_range<int>(0, count), [&](const tbb::blocked_range<int>& range) {
        f(range.begin(), range.end(), tbb::this_task_arena::current_thread_index());
      });
    });
  }
}

}  // namespace articula::batch
