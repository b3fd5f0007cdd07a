#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <articula/model/field.h>
#include <articula/study/tasks/task.h>

namespace articula::study {

struct NamedTask;

/// The values of an axis: those that are listed, or a range, whose values are made when they are asked for.
class ARTICULA_EXPORT SweepValues {
 public:
  /// Equal distances, with both ends.
  struct Range {
    double from = 0, to = 0;
    std::size_t count = 0;
    std::string unit;  ///< that follows each number
    Where where;
  };

  void add(Passage value) { listed_.push_back(std::move(value)); }
  void set(Range range) { range_ = std::move(range); }

  std::size_t size() const { return range_ ? range_->count : listed_.size(); }
  Passage operator[](std::size_t k) const;

 private:
  std::vector<Passage> listed_;
  std::optional<Range> range_;
};

/// A parameter of a sweep, and its values.
struct SweepAxis {
  std::string path;  ///< as of an override, or `task.tolerance`: a property of the task inside
  SweepValues values;
  Where where;
};

/// The combination of several axes.
enum class SweepCombine {
  grid,      ///< all combinations; the last axis changes fastest
  together,  ///< the first values, the second ones, and so on
};
constexpr std::array<std::string_view, 2> enum_names(SweepCombine) { return {"grid", "together"}; }

enum class SweepKeep {
  summary,  ///< one row for each point: first, final, least and greatest value of every signal
  rows,     ///< all rows of all points, each behind the values of its point
};
constexpr std::array<std::string_view, 2> enum_names(SweepKeep) { return {"summary", "rows"}; }

/// Repeats a task with different parameters on all cores; the results do not depend on their number.
struct SweepTask {
  static constexpr std::string_view name = "sweep";
  static constexpr std::string_view about =
      "repeats a task with different parameters, on all cores; the results do not depend on the number of cores";
  static constexpr std::array<std::string_view, 2> required{"over", "task"};

  std::vector<SweepAxis> over;
  SweepCombine combine = SweepCombine::grid;
  SweepKeep keep = SweepKeep::summary;
  int threads = 0;
  std::shared_ptr<const NamedTask> task;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("over", self.over, dimension::none, "values by path: a list, or `{from: 1 kg, to: 2 kg, count: 5}`",
          "required");
    field("combine", self.combine, dimension::none,
          "`grid`: all combinations of values; `together`: the first value of each, the second value of each, …");
    field("keep", self.keep, dimension::none, "`summary`: one row for each point; `rows`: all rows of each point");
    field("threads", self.threads, dimension::none, "number of threads", "number of cores");
    field("task", self.task, dimension::none, "task at each point", "required");
  }

  ARTICULA_EXPORT TaskPlan plan(const Setup& setup) const;
  ARTICULA_EXPORT TaskOutcome run(const TaskContext& context) const;
};

}  // namespace articula::study
