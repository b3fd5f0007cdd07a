#pragma once

#include <limits>

#include "store/store_support.h"

namespace store_test {

/// A run with two tasks, the second with names and values that are hard to write.
inline std::string add_odd_run(articula::store::Store& store) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  articula::store::RunOrigin p = sample_provenance();
  p.command = "articula run \"a b\".yaml\n<script>";
  const std::vector<articula::store::NewTask> tasks{{"motion", "simulate"}, {"odd/na\"me", "inverse_dynamics"}};
  const std::string id = store.add_run(p, tasks);
  const articula::store::StoredRun run = store.run(id);
  {
    articula::store::TaskWriter writer = store.write(run.tasks[0].id);
    writer.columns(sample_signals);
    for (int i = 0; i < 250; ++i) {
      writer.row(sample_row(i));
      if (i % 100 == 99) writer.flush();
    }
    writer.finish(articula::store::RunStatus::done);
  }
  store.set_counts(run.tasks[0].id, std::vector<articula::store::Count>{{"right-hand sides", 1924}});
  articula::store::TaskWriter writer = store.write(run.tasks[1].id);
  writer.columns(std::vector<articula::store::StoredSignal>{
      {"i", ""}, {"a,b", "N*m"}, {"say \"q\"", "m"}, {"two\nlines", "<script>"}, {"x/y", "1/s"}, {"x|y", ""}});
  writer.row(std::vector<double>{0, 0.1, nan, inf, -inf, -0.0});
  writer.row(std::vector<double>{1, 1e-300, 1e300, 1.0 / 3, -5, 5e-324});
  writer.finish(articula::store::RunStatus::done);
  store.set_status(id, articula::store::RunStatus::done);
  return id;
}

}  // namespace store_test
