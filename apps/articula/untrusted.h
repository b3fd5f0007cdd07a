#pragma once

#include <atomic>
#include <optional>

#include <articula/study/bounds.h>

#include "arguments.h"

namespace articula::program {

/// `--untrusted`, and the options that limit such a study.
struct UntrustedOptions {
  bool untrusted = false;
  StudyBounds bounds;

  std::optional<StudyBounds> chosen() const { return untrusted ? std::optional(bounds) : std::nullopt; }
};
void add_untrusted_options(const Command& command, UntrustedOptions& options);

/// Limits the memory and time of this process; without bounds, nothing changes. When the time is over, the program ends
/// with a message.
void begin_bounds(const std::optional<StudyBounds>& bounds);

/// During its lifetime, `stop` is set when the time is over, and the program gets ten more seconds to end normally.
class PoliteEnd {
 public:
  explicit PoliteEnd(std::atomic<bool>& stop);
  ~PoliteEnd();
  PoliteEnd(const PoliteEnd&) = delete;
  PoliteEnd& operator=(const PoliteEnd&) = delete;
};

/// Reports if the time was over.
void tell_of_time();

}  // namespace articula::program
