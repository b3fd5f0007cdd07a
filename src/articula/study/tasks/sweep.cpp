#include <articula/study/tasks/sweep.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include <articula/base/findings.h>
#include <articula/base/team.h>
#include <articula/base/text.h>
#include <articula/study/internal/attempts.h>
#include <articula/study/internal/read_task.h>

namespace articula::study {
namespace {

constexpr std::size_t most_points = 1'000'000;
/// Of how many values points are set up before the sweep runs: of all axes, and times the entities of the model.
constexpr std::size_t most_probes = 1000, most_probed_entities = 200'000;
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
  Gathered result = {};
  TaskOutcome outcome = {};
  Findings findings = {};
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

/// `link7.mass = 3 kg, servo.damping = 2`
std::string text_of(const SweepTask& sweep, const Point& point) {
  std::string text;
  for (std::size_t k = 0; k < sweep.over.size(); ++k) {
    const SweepAxis& axis = sweep.over[k];
    text += concat(k == 0 ? "" : ", ", axis.path, " = ", axis.values[point.places[k]].text);
  }
  return text;
}

/// A task inside the sweep, with what it computes with.
struct Inner {
  NamedTask task;
  Setup setup;
};

/// Changes what one axis says.
void apply(const SweepAxis& axis, std::size_t place, Inner& inner) {
  const Override one{axis.path, axis.values[place]};
  if (axis.path.starts_with(inner_prefix)) {
    set_task_property(inner.task.kind, axis.path.substr(inner_prefix.size()), "sweep", one);
  } else {
    apply_override(one, inner.setup);
  }
}

Inner inner_of(const SweepTask& sweep, const Setup& setup, const Point& point) {
  Inner inner{*sweep.task, setup};
  for (std::size_t k = 0; k < sweep.over.size(); ++k) apply(sweep.over[k], point.places[k], inner);
  inner.setup = setup_of(inner.task, std::move(inner.setup));
  return inner;
}

std::size_t worker_count(const SweepTask& sweep) {
  constexpr int most_threads = 1024;
  if (sweep.threads < 0 || sweep.threads > most_threads) {
    throw Error("value-range", {},
                concat("threads is ", sweep.threads, ". It is from 1 to ", most_threads,
                       ", or 0 for as many as there are cores."));
  }
  return sweep.threads > 0 ? static_cast<std::size_t>(sweep.threads)
                           : std::max(1u, std::thread::hardware_concurrency());
}

/// Does `work(k)` for all k < count on several threads; which thread takes which does not matter for what comes out.
template <class Work>
void for_all(std::size_t count, std::size_t threads, Work&& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex one_at_a_time;
  std::exception_ptr trouble;
  const auto take = [&] {
    try {
      for (std::size_t k = next++; k < count; k = next++) work(k);
    } catch (...) {
      next = count;
      const std::lock_guard lock(one_at_a_time);
      if (!trouble) trouble = std::current_exception();
    }
  };
  work_together(std::min(threads, count), take);
  if (trouble) std::rethrow_exception(trouble);
}

/// An Error is what became of the point; the others are not harmed by it.
void compute(const SweepTask& sweep, const TaskContext& context, Point& point) {
  try {
    const Inner inner = inner_of(sweep, context.setup, point);
    point.outcome = run_task(inner.task, {.setup = inner.setup,
                                          .sink = point.result,
                                          .cancel = context.cancel,
                                          .tell = [&](const Finding& each) { point.findings.push_back(each); }});
  } catch (const Error& error) {
    point.outcome = {.status = RunStatus::failed, .message = error.message()};
  }
}

/// Of each axis so many values are looked at.
std::size_t probes_of_each(const SweepTask& sweep, const Setup& setup) {
  constexpr std::size_t least = 2;  // the first and the last
  const std::size_t of_model = most_probed_entities / std::max<std::size_t>(1, setup.model->entities().size()),
                    axes = sweep.combine == SweepCombine::grid ? std::max<std::size_t>(1, sweep.over.size()) : 1;
  return std::max(least, std::min(most_probes, of_model) / axes);
}

/// The places 0 to count − 1, or, where these are more than `most`, so many of them at equal distances, with both ends.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places(std::min(count, most));
  for (std::size_t k = 0; k < places.size(); ++k) places[k] = count <= most ? k : k * (count - 1) / (most - 1);
  return places;
}

/// Points that show everything that a value can change: all of them, or, in a grid, each value with the first ones of
/// the other axes; of very many values some.
std::vector<Point> probes(const SweepTask& sweep, std::size_t most) {
  std::vector<Point> points{make_point(sweep, 0)};
  if (sweep.combine == SweepCombine::together) {
    for (const std::size_t k : spread(count_points(sweep), most)) {
      if (k > 0) points.push_back(make_point(sweep, k));
    }
    return points;
  }
  for (std::size_t axis = 0; axis < sweep.over.size(); ++axis) {
    for (const std::size_t place : spread(sweep.over[axis].values.size(), most)) {
      if (place == 0) continue;
      points.push_back(make_point(sweep, 0));
      points.back().places[axis] = place;
    }
  }
  return points;
}

void add_new(const TaskPlan& from, TaskPlan& to) {
  for (const Signal& signal : from.columns) {
    const auto same = [&](const Signal& each) { return each.name == signal.name; };
    if (std::none_of(to.columns.begin(), to.columns.end(), same)) to.columns.push_back(signal);
  }
  for (const std::string& name : from.counts) {
    if (std::find(to.counts.begin(), to.counts.end(), name) == to.counts.end()) to.counts.push_back(name);
  }
}

/// Every value of every axis, one after the other; of very many some.
void check_values(const SweepTask& sweep, const Setup& setup) {
  Attempts attempts;
  attempts([&] { count_points(sweep); });
  Inner inner{*sweep.task, setup};
  for (const SweepAxis& axis : sweep.over) {
    for (const std::size_t place : spread(axis.values.size(), probes_of_each(sweep, setup))) {
      const bool good = attempts([&] { apply(axis, place, inner); });
      if (!good && attempts.errors().back().code == "override-unknown") break;  // the path, not the value
    }
  }
  attempts.finish();
}

Signal axis_signal(const SweepAxis& axis, const SweepTask& sweep, const Setup& setup) {
  const std::optional<Dimension> dimension =
      axis.path.starts_with(inner_prefix) ? task_dimension(sweep.task->kind, axis.path.substr(inner_prefix.size()))
                                          : dimension_of(axis.path, setup);
  return {axis.path, dimension && *dimension != dimension::none ? unit_text(*dimension) : "1"};
}

/// What all points give together: each of them may leave some of it out.
TaskPlan plan_points(const SweepTask& sweep, const Setup& setup) {
  check_values(sweep, setup);
  const std::vector<Point> points = probes(sweep, probes_of_each(sweep, setup));
  std::vector<TaskPlan> plans(points.size());
  std::vector<std::optional<Error>> errors(points.size());
  for_all(points.size(), worker_count(sweep), [&](std::size_t k) {
    try {
      const Inner inner = inner_of(sweep, setup, points[k]);
      plans[k] = plan_task(inner.task, inner.setup);
    } catch (const Error& error) {
      errors[k] = error;
    }
  });
  TaskPlan together;
  bool any = false;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (errors[k]) {
      add_finding(together.warnings, {Severity::warning,
                                      "sweep-point",
                                      {},
                                      concat("the point ", text_of(sweep, points[k]), " cannot be computed: ",
                                             errors[k]->message(), " The other points are computed.")});
      continue;
    }
    any = true;
    add_new(plans[k], together);
    for (const Finding& warning : plans[k].warnings) {
      const auto same = [&](const Finding& each) { return each.message == warning.message; };
      Findings& all = together.warnings;
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(warning);
    }
  }
  if (!any) throw *errors.front();
  return together;
}

/// What a sweep's rows hold.
struct Layout {
  std::size_t probes;                      ///< values of each axis that were looked at
  std::vector<Signal> axes;                ///< their columns
  std::shared_ptr<const TaskPlan> points;  ///< what all of them give together
};

Layout make_layout(const SweepTask& sweep, const Setup& setup, std::shared_ptr<const TaskPlan> points) {
  Layout layout{probes_of_each(sweep, setup), {}, std::move(points)};
  for (const SweepAxis& axis : sweep.over) layout.axes.push_back(axis_signal(axis, sweep, setup));
  return layout;
}

std::vector<Signal> columns_of(const SweepTask& sweep, const Layout& layout) {
  std::vector<Signal> columns = layout.axes;
  if (sweep.keep == SweepKeep::rows) {
    columns.insert(columns.end(), layout.points->columns.begin(), layout.points->columns.end());
    return columns;
  }
  columns.push_back({"ok", "1"});
  for (const std::string& count : layout.points->counts) columns.push_back({"count." + count, "1"});
  for (const Signal& signal : layout.points->columns) {
    for (const char* what : {".first", ".final", ".minimum", ".maximum"})
      columns.push_back({signal.name + what, signal.unit});
  }
  return columns;
}

/// The column of a point's result that has a name; none if it gives none.
std::optional<std::size_t> column_called(const Point& point, const std::string& name) {
  const std::vector<Signal>& all = point.result.signals;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Signal& each) { return each.name == name; });
  return found == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - all.begin()));
}

void add_summary(const Point& point, const Layout& layout, std::vector<double>& row) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  row.push_back(point.outcome.status == RunStatus::done ? 1 : 0);
  for (const std::string& name : layout.points->counts) {
    const std::vector<Count>& counts = point.outcome.counts;
    const auto found = std::find_if(counts.begin(), counts.end(), [&](const Count& each) { return each.name == name; });
    row.push_back(found == counts.end() ? none : found->value);
  }
  const std::size_t width = point.result.signals.size(), rows = point.result.size();
  for (const Signal& signal : layout.points->columns) {
    const auto column = column_called(point, signal.name);
    if (!column || rows == 0) {
      row.insert(row.end(), 4, none);
      continue;
    }
    const auto value = [&](std::size_t i) { return point.result.rows[i * width + *column]; };
    double least = value(0), greatest = least;
    for (std::size_t i = 1; i < rows; ++i) {
      least = std::min(least, value(i));
      greatest = std::max(greatest, value(i));
    }
    row.insert(row.end(), {value(0), value(rows - 1), least, greatest});
  }
}

void write(const SweepTask& sweep, const Point& point, const Layout& layout, RowSink& sink) {
  std::vector<double> row;
  for (std::size_t k = 0; k < sweep.over.size(); ++k) row.push_back(number_of(sweep.over[k], point.places[k]));
  if (sweep.keep == SweepKeep::summary) {
    add_summary(point, layout, row);
    return sink.row(row);
  }
  const std::size_t width = point.result.signals.size(), before = row.size();
  std::vector<std::optional<std::size_t>> from;
  for (const Signal& signal : layout.points->columns) from.push_back(column_called(point, signal.name));
  for (std::size_t i = 0; i < point.result.size(); ++i) {
    row.resize(before);
    for (const auto& column : from)
      row.push_back(column ? point.result.rows[i * width + *column] : std::numeric_limits<double>::quiet_NaN());
    sink.row(row);
  }
}

/// How far a sweep has come, and what its checkpoints hold.
struct Mark {
  std::uint64_t next = 0, failed = 0;
  std::string failures;                         ///< messages of the first ones
  std::map<std::string, std::uint64_t> points;  ///< at how many there were findings with a code

  /// The two numbers, then `failures`, a NUL, and a line `code count` for each code.
  std::vector<std::byte> bytes() const {
    const std::array<std::uint64_t, 2> numbers{next, failed};
    std::string text = failures + '\0';
    for (const auto& [code, count] : points) text += concat(code, ' ', count, '\n');
    std::vector<std::byte> all(sizeof numbers + text.size());
    std::memcpy(all.data(), numbers.data(), sizeof numbers);
    std::memcpy(all.data() + sizeof numbers, text.data(), text.size());
    return all;
  }
  static Mark from(std::span<const std::byte> bytes) {
    std::array<std::uint64_t, 2> numbers{};
    if (bytes.size() < sizeof numbers) return {};
    std::memcpy(numbers.data(), bytes.data(), sizeof numbers);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + sizeof numbers,
                                bytes.size() - sizeof numbers);
    const std::size_t end = std::min(text.find('\0'), text.size());
    Mark mark{numbers[0], numbers[1], std::string(text.substr(0, end)), {}};
    std::istringstream lines{std::string(text.substr(std::min(end + 1, text.size())))};
    std::uint64_t count = 0;
    for (std::string code; lines >> code >> count;) mark.points[code] = count;
    return mark;
  }

  void add_failure(const std::string& text) {
    constexpr std::uint64_t most = 5;
    if (++failed <= most) failures += concat("; ", text);
  }

  /// Findings of each kind are reported for the first point only.
  void tell(const Findings& findings, const std::string& point, const TaskContext& context) {
    std::set<std::string> codes;
    for (const Finding& finding : findings) {
      codes.insert(finding.code);
      if (context.tell && !points.contains(finding.code))
        context.tell({finding.severity, finding.code, finding.where, concat("at ", point, ": ", finding.message)});
    }
    for (const std::string& code : codes) ++points[code];
  }

  /// At how many points there was the same.
  void tell_rest(std::size_t count, const TaskContext& context) const {
    for (const auto& [code, found] : points) {
      if (found > 1 && context.tell)
        context.tell({Severity::note,
                      code,
                      {},
                      concat("in all, ", found, " of the ", count, " points have findings of this kind.")});
    }
  }
};

/// Signals that no point had which was looked at before: there is no column for them.
void find_left_out(const Layout& layout, Point& point) {
  std::vector<std::string> names;
  for (const Signal& signal : point.result.signals) {
    const auto same = [&](const Signal& each) { return each.name == signal.name; };
    if (std::none_of(layout.points->columns.begin(), layout.points->columns.end(), same)) names.push_back(signal.name);
  }
  if (names.empty()) return;
  point.findings.push_back(
      {Severity::warning,
       "sweep-columns",
       {},
       concat("its signals ", list_of(names), " are not stored. The columns of a sweep are those of ", layout.probes,
              " values of each axis; put a value that gives more signals first.")});
}

std::vector<Count> figures(std::size_t points, std::uint64_t failed) {
  return {{"points", static_cast<double>(points)}, {"failed_points", static_cast<double>(failed)}};
}

}  // namespace

Passage SweepValues::operator[](std::size_t k) const {
  if (!range_) return listed_[k];
  const auto last = static_cast<double>(range_->count - 1);
  const double x =
      k + 1 == range_->count ? range_->to : std::lerp(range_->from, range_->to, static_cast<double>(k) / last);
  return {number_text(x) + range_->unit, range_->where};
}

TaskPlan SweepTask::plan(const Setup& setup) const {
  worker_count(*this);
  const auto points = std::make_shared<const TaskPlan>(plan_points(*this, setup));
  return {.columns = columns_of(*this, make_layout(*this, setup, points)),
          .counts = names_of(figures(0, 0)),
          .warnings = points->warnings,
          .points = points};
}

TaskOutcome SweepTask::run(const TaskContext& context) const {
  const std::size_t count = count_points(*this), workers = worker_count(*this), batch = 4 * workers;
  const bool planned = context.plan != nullptr && context.plan->points != nullptr;
  const Layout layout =
      make_layout(*this, context.setup,
                  planned ? context.plan->points : std::make_shared<const TaskPlan>(plan_points(*this, context.setup)));
  context.sink.columns(columns_of(*this, layout));
  Mark mark = Mark::from(context.checkpoint);
  while (mark.next < count) {
    std::vector<Point> points;
    for (std::size_t k = mark.next; k < std::min<std::size_t>(mark.next + batch, count); ++k)
      points.push_back(make_point(*this, k));
    for_all(points.size(), workers, [&](std::size_t k) { compute(*this, context, points[k]); });
    if (context.cancelled())
      return {.status = RunStatus::interrupted, .message = concat(mark.next, " of ", count, " points are done")};
    for (Point& point : points) {
      find_left_out(layout, point);
      if (point.outcome.status != RunStatus::done)
        mark.add_failure(concat(text_of(*this, point), ": ", point.outcome.message));
      if (!point.findings.empty()) mark.tell(point.findings, text_of(*this, point), context);
      write(*this, point, layout, context.sink);
    }
    mark.next += points.size();
    context.sink.checkpoint(static_cast<double>(mark.next), mark.bytes());
    if (context.progress) context.progress(static_cast<double>(mark.next) / static_cast<double>(count));
  }
  mark.tell_rest(count, context);
  TaskOutcome outcome{.counts = figures(count, mark.failed)};
  if (mark.failed > 0) {
    outcome.status = RunStatus::failed;
    outcome.message = concat(mark.failed, " of ", count, " points failed", mark.failures);
  }
  return outcome;
}

}  // namespace articula::study
