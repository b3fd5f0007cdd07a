#pragma once

#include <cstring>

#include <articula/study/tasks/task.h>

namespace articula::study {

/// Computes rows by `make(k, row)` for k = 0, …, count − 1, with checkpoints, progress and cancellation. Since rows are
/// independent, a checkpoint is the index of the next one.
template <class Make>
TaskOutcome each_row(const TaskContext& context, std::size_t count, Make&& make, std::size_t checkpoint_every = 256) {
  std::size_t next = 0;
  if (context.checkpoint.size() == sizeof next) std::memcpy(&next, context.checkpoint.data(), sizeof next);
  const auto checkpoint = [&](std::size_t k) {
    context.sink.checkpoint(static_cast<double>(k), std::as_bytes(std::span(&k, 1)));
  };
  std::vector<double> row;
  for (std::size_t k = next; k < count; ++k) {
    if (context.cancelled()) {
      checkpoint(k);
      return {.status = RunStatus::interrupted, .message = "interrupted"};
    }
    if (k > next && k % checkpoint_every == 0) {
      checkpoint(k);
      if (context.progress) context.progress(static_cast<double>(k) / static_cast<double>(count));
    }
    row.clear();
    make(k, row);
    context.sink.row(row);
  }
  if (context.progress) context.progress(1);
  return {};
}

}  // namespace articula::study
