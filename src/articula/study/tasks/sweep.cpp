#include <articula/study/tasks/sweep.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <thread>

#include <articula/base/text.h>
#include <articula/study/internal/read_task.h>

namespace articula {
namespace {

constexpr std::size_t most_points = 1'000'000;
constexpr std::string_view inner_prefix = "task.";

/// The rows of one point, in memory until those before it are stored.
class Gathered final : public RowSink {
 public:
  void columns(std::span<const Signal> columns) override { signals.assign(columns.begin(), columns.end()); }
  void row(std::span<const double> values) override { rows.insert(rows.end(), values.begin(), values.end()); }

  std::size_t size() const { return signals.empty() ? 0 : rows.size() / signals.size(); }

  std::vector<Signal> signals;
  std::vector<double> rows;
};

struct Point {
  std::vector<std::size_t> places;  ///< of its values, one for each axis
  Gathered result;
  TaskOutcome outcome;
  std::exception_ptr error;
};

std::size_t count_points(const SweepTask& sweep) {
  std::size_t count = 1;
  for (const SweepAxis& axis : sweep.over) {
    if (sweep.combine == SweepCombine::together) {
      count = axis.values.size();
      if (count != sweep.over.front().values.size()) {
        throw Error(
            "vector-length", axis.where,
            concat("sweep: ", quoted(axis.path), " has ", count, " values, but ", quoted(sweep.over.front().path),
                   " has ", sweep.over.front().values.size(), ". Those that change together have equally many."));
      }
    } else {
      if (axis.values.size() > most_points / count)
        throw Error("value-range", axis.where,
                    concat("sweep: there are more than ", most_points, " points. Take fewer."));
      count *= axis.values.size();
    }
  }
  return count;
}

Point make_point(const SweepTask& sweep, std::size_t k) {
  Point point;
  point.places.assign(sweep.over.size(), k);
  if (sweep.combine == SweepCombine::together) return point;
  for (std::size_t axis = sweep.over.size(); axis-- > 0;) {
    const std::size_t n = sweep.over[axis].values.size();
    point.places[axis] = k % n;
    k /= n;
  }
  return point;
}

/// The number that a value says, or its place among the others where it says none.
double number_of(const SweepAxis& axis, std::size_t place) {
  const auto quantity = to_quantity(axis.values[place].text).quantity;
  return quantity ? quantity->value : static_cast<double>(place + 1);
}

std::string unit_of(const SweepAxis& axis) {
  const auto quantity = to_quantity(axis.values.front().text).quantity;
  return quantity && quantity->dimension && *quantity->dimension != dimension::none ? unit_text(*quantity->dimension)
                                                                                    : "";
}

void compute(const SweepTask& sweep, const TaskContext& context, Point& point) {
  NamedTask task = *sweep.task;
  Setup setup = context.setup;
  for (std::size_t k = 0; k < sweep.over.size(); ++k) {
    const SweepAxis& axis = sweep.over[k];
    const Override one{axis.path, axis.values[point.places[k]]};
    if (axis.path.starts_with(inner_prefix)) {
      set_task_property(task.kind, axis.path.substr(inner_prefix.size()), "sweep", one);
    } else {
      apply_override(one, setup);
    }
  }
  setup = setup_of(task, std::move(setup));
  TaskContext inner{.setup = setup, .sink = point.result, .cancel = context.cancel};
  point.outcome = run_task(task, inner);
}

/// Computes points on several threads; which thread takes which does not matter for what comes out.
void compute_all(const SweepTask& sweep, const TaskContext& context, std::span<Point> points, std::size_t threads) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < points.size(); k = next++) {
      try {
        compute(sweep, context, points[k]);
      } catch (...) {
        points[k].error = std::current_exception();
      }
    }
  };
  std::vector<std::thread> workers;
  for (std::size_t k = 1; k < std::min(threads, points.size()); ++k) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  for (const Point& point : points) {
    if (point.error) std::rethrow_exception(point.error);
  }
}

std::vector<Signal> columns_of(const SweepTask& sweep, const Point& point) {
  std::vector<Signal> columns;
  for (const SweepAxis& axis : sweep.over) columns.push_back({axis.path, unit_of(axis)});
  if (sweep.keep == SweepKeep::rows) {
    columns.insert(columns.end(), point.result.signals.begin(), point.result.signals.end());
    return columns;
  }
  columns.push_back({"ok", "1"});
  for (const Count& count : point.outcome.counts) columns.push_back({"count." + count.name, "1"});
  for (const Signal& signal : point.result.signals) {
    for (const char* what : {".first", ".final", ".minimum", ".maximum"})
      columns.push_back({signal.name + what, signal.unit});
  }
  return columns;
}

void write(const SweepTask& sweep, const Point& point, RowSink& sink) {
  std::vector<double> row;
  for (std::size_t k = 0; k < sweep.over.size(); ++k) row.push_back(number_of(sweep.over[k], point.places[k]));
  const std::size_t width = point.result.signals.size(), before = row.size();
  if (sweep.keep == SweepKeep::rows) {
    for (std::size_t i = 0; i < point.result.size(); ++i) {
      row.resize(before);
      const auto first = point.result.rows.begin() + static_cast<std::ptrdiff_t>(i * width);
      row.insert(row.end(), first, first + static_cast<std::ptrdiff_t>(width));
      sink.row(row);
    }
    return;
  }
  row.push_back(point.outcome.status == RunStatus::done ? 1 : 0);
  for (const Count& count : point.outcome.counts) row.push_back(count.value);
  for (std::size_t column = 0; column < width; ++column) {
    double least = std::numeric_limits<double>::infinity(), greatest = -least;
    for (std::size_t i = 0; i < point.result.size(); ++i) {
      least = std::min(least, point.result.rows[i * width + column]);
      greatest = std::max(greatest, point.result.rows[i * width + column]);
    }
    const bool any = point.result.size() > 0;
    const double none = std::numeric_limits<double>::quiet_NaN();
    row.push_back(any ? point.result.rows[column] : none);
    row.push_back(any ? point.result.rows[(point.result.size() - 1) * width + column] : none);
    row.push_back(any ? least : none);
    row.push_back(any ? greatest : none);
  }
  sink.row(row);
}

/// What a sweep writes down at a checkpoint.
struct Mark {
  std::uint64_t next = 0, failed = 0;
};

}  // namespace

TaskOutcome SweepTask::run(const TaskContext& context) const {
  constexpr int most_threads = 1024;
  if (threads < 0 || threads > most_threads) {
    throw Error(
        "value-range", {},
        concat("threads is ", threads, ". It is from 1 to ", most_threads, ", or 0 for as many as there are cores."));
  }
  const std::size_t count = count_points(*this);
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t workers = threads > 0 ? static_cast<std::size_t>(threads) : cores;
  const std::size_t batch = 4 * workers;
  Mark mark;
  if (context.checkpoint.size() == sizeof mark) std::memcpy(&mark, context.checkpoint.data(), sizeof mark);
  TaskOutcome outcome;
  for (bool first = true; mark.next < count; first = false) {
    std::vector<Point> points;
    for (std::size_t k = mark.next; k < std::min<std::size_t>(mark.next + batch, count); ++k)
      points.push_back(make_point(*this, k));
    compute_all(*this, context, points, workers);
    if (context.cancelled()) {
      outcome.status = RunStatus::interrupted;
      outcome.message = concat(mark.next, " of ", count, " points are done");
      return outcome;
    }
    if (first) context.sink.columns(columns_of(*this, points.front()));
    for (const Point& point : points) {
      if (point.outcome.status != RunStatus::done) {
        ++mark.failed;
        if (outcome.message.empty()) outcome.message = point.outcome.message;
      }
      write(*this, point, context.sink);
    }
    mark.next += points.size();
    context.sink.checkpoint(static_cast<double>(mark.next), std::as_bytes(std::span(&mark, 1)));
    if (context.progress) context.progress(static_cast<double>(mark.next) / static_cast<double>(count));
  }
  outcome.counts = {{"points", static_cast<double>(count)}, {"failed_points", static_cast<double>(mark.failed)}};
  if (mark.failed > 0) {
    outcome.status = RunStatus::failed;
    outcome.message = concat(mark.failed, " of ", count, " points failed; the first says: ", outcome.message);
  }
  return outcome;
}

}  // namespace articula
