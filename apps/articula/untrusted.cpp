#include "untrusted.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <string_view>

#include <articula/base/text.h>

#include "command.h"

namespace articula::program {

/// Not with sanitizers, which reserve terabytes of address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static constexpr bool memory_is_bounded = false;
#elif defined(__has_feature)
static constexpr bool memory_is_bounded = !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer));
#else
static constexpr bool memory_is_bounded = true;
#endif

namespace {

std::atomic<std::atomic<bool>*> polite = nullptr;
std::atomic<bool> was_over = false;
double seconds_allowed = 0;
static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free);

/// Calls only functions that are allowed in signal handlers.
extern "C" void time_is_over(int) {
  constexpr unsigned grace = 10;
  std::atomic<bool>* const stop = polite;
  if (stop != nullptr && !was_over.exchange(true)) {
    *stop = true;
    ::alarm(grace);
    return;
  }
  constexpr std::string_view text =
      "error: the time that an untrusted study may take is over. Allow more with --most-time.  [bound-time]\n";
  [[maybe_unused]] const auto count = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(stop != nullptr ? interrupted : bad_input);
}

}  // namespace

void add_untrusted_options(const Command& command, UntrustedOptions& options) {
  const std::string group = "Studies from strangers";
  const Argument untrusted = command
                                 .flag("--untrusted", options.untrusted,
                                       "Read nothing outside of the study's folder, and bound rows, time and memory")
                                 .in_group(group);
  StudyBounds& bounds = options.bounds;
  command.text("--root", bounds.root, "Read beneath this folder instead")
      .shown_as("DIR")
      .needs(untrusted)
      .in_group(group);
  command.integer("--most-rows", bounds.rows, {1, 1e15}, concat("Rows of all tasks (", bounds.rows, ")"))
      .shown_as("N")
      .needs(untrusted)
      .in_group(group);
  command.integer("--most-numbers", bounds.numbers, {1, 1e15}, concat("Numbers in these rows (", bounds.numbers, ")"))
      .shown_as("N")
      .needs(untrusted)
      .in_group(group);
  command.number("--most-time", bounds.seconds, {1e-3, 1e8}, concat("Seconds of wall time (", bounds.seconds, ")"))
      .shown_as("SECONDS")
      .needs(untrusted)
      .in_group(group);
  command.bytes("--most-memory", bounds.memory, "Memory in bytes, or with a unit, e.g. 500MB (4GB)")
      .shown_as("SIZE")
      .needs(untrusted)
      .in_group(group);
}

void begin_bounds(const std::optional<StudyBounds>& bounds) {
  if (!bounds) return;
  rlimit memory{};
  if (memory_is_bounded && ::getrlimit(RLIMIT_DATA, &memory) == 0) {
    memory.rlim_cur = std::min<rlim_t>(memory.rlim_max, static_cast<rlim_t>(bounds->memory));
    ::setrlimit(RLIMIT_DATA, &memory);
  }
  seconds_allowed = bounds->seconds;
  std::signal(SIGALRM, time_is_over);
  constexpr double longest = 1e8;  // three years; not every timer supports more
  const double seconds = std::clamp(bounds->seconds, 1e-3, longest), whole = std::floor(seconds);
  itimerval timer{};
  timer.it_value = {static_cast<time_t>(whole), static_cast<suseconds_t>((seconds - whole) * 1e6)};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

PoliteEnd::PoliteEnd(std::atomic<bool>& stop) { polite = &stop; }
PoliteEnd::~PoliteEnd() { polite = nullptr; }

void tell_of_time() {
  if (!was_over) return;
  ::alarm(0);
  tell({{Severity::error,
         "bound-time",
         {},
         concat("the run took longer than ", seconds_allowed,
                " s, which is what an untrusted study may take. Its rows are kept. Allow more with --most-time.")}});
}

}  // namespace articula::program
