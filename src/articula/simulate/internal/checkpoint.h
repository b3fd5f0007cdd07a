#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <articula/integrate/integrator.h>

namespace articula::simulate {

/// Everything that a run needs to continue from a time at which its integrator restarts.
struct RunCheckpoint {
  double t = 0;
  std::int64_t next_output = 0, next_checkpoint = 0, rows = 0, events = 0;
  IntegratorCounts counts;
  std::uint64_t memory = 0;  ///< of the integrator
  std::vector<double> y;
  std::vector<double> discrete;  ///< modes of friction, limits that were passed
  std::vector<double> forces;    ///< from outside, see System::forces
};

/// Bytes in a fixed order, the same on all machines, with the run's `fingerprint` and a checksum.
std::vector<std::byte> to_bytes(const RunCheckpoint& checkpoint, std::uint64_t fingerprint);

/// Throws an Error if the bytes are damaged or belong to another run.
RunCheckpoint to_checkpoint(std::span<const std::byte> bytes, std::uint64_t fingerprint);

/// FNV-1a, 64 bits: gathers what must be the same.
class Fingerprint {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte each : bytes) {
      value_ = (value_ ^ static_cast<std::uint64_t>(each)) * 0x100000001b3u;
    }
  }
  void add(double x);
  void add(std::int64_t x);
  void add(const std::string& text) {
    add(std::as_bytes(std::span(text)));
    add(static_cast<std::int64_t>(text.size()));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace articula::simulate
