#pragma once

#include <cstddef>
#include <span>

#include <articula/base/export.h>
#include <articula/control/block.h>

namespace articula {

/// Where the rows of a run go: a store, a file, a table in memory.
///
///     columns(...)                      once, before all rows; also when a run is resumed
///     row(...), row(...)                as time goes on
///     checkpoint(t, bytes)              everything until t was given; a run can go on from `bytes`
///
/// A sink that throws ends the run; what it had before is its own to keep.
class ARTICULA_EXPORT RowSink {
 public:
  virtual ~RowSink() = default;

  /// What the entries of rows mean. The first is the time, `t` in s.
  virtual void columns(std::span<const Signal> columns) = 0;

  virtual void row(std::span<const double> values) = 0;

  /// `bytes` is what Simulation::resume takes. All rows with times up to and including `t` were given before; those of
  /// a run that is resumed from here come after it, and are the same bit by bit.
  virtual void checkpoint(double /*t*/, std::span<const std::byte> /*bytes*/) {}
};

}  // namespace articula
