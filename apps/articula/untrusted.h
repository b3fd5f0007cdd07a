#pragma once

#include <atomic>
#include <optional>

#include <articula/study/bounds.h>

#include "arguments.h"

namespace articula::program {

/// `--untrusted`, and the options that say what such a study may do.
struct UntrustedOptions {
  bool untrusted = false;
  StudyBounds bounds;

  std::optional<StudyBounds> chosen() const { return untrusted ? std::optional(bounds) : std::nullopt; }
};
void add_untrusted_options(const Command& command, UntrustedOptions& options);

/// From now on this process may take no more memory and time than that; without bounds, nothing changes. When the time is
/// over the program ends, with a message.
void begin_bounds(const std::optional<StudyBounds>& bounds);

/// While it lives, `stop` is set when the time is over, and the program is given ten seconds more to end by itself.
class PoliteEnd {
 public:
  explicit PoliteEnd(std::atomic<bool>& stop);
  ~PoliteEnd();
  PoliteEnd(const PoliteEnd&) = delete;
  PoliteEnd& operator=(const PoliteEnd&) = delete;
};

/// Says so if the time was over.
void tell_of_time();

}  // namespace articula::program
