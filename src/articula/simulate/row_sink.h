#pragma once

#include <cstddef>
#include <span>

#include <articula/base/export.h>
#include <articula/control/block.h>

namespace articula::simulate {

/// The receiver of the rows of a run: a store, a file, a table in memory.
///
///     columns(...)                      once, before all rows; also when a run is resumed
///     row(...), row(...)                in the order of time
///     checkpoint(t, bytes)              everything until t was given; a run can go on from `bytes`
///
/// A sink that throws ends the run; the rows before belong to the sink.
class ARTICULA_EXPORT RowSink {
 public:
  virtual ~RowSink() = default;

  /// The entries of rows. The first is the time, `t` in s.
  virtual void columns(std::span<const Signal> columns) = 0;

  virtual void row(std::span<const double> values) = 0;

  /// `bytes` is what Simulation::resume takes. All rows with times up to and including `t` were given before; those of
  /// a run that is resumed from here come after it, and are the same bit by bit.
  virtual void checkpoint(double /*t*/, std::span<const std::byte> /*bytes*/) {}
};

}  // namespace articula::simulate
