#include <articula/report/internal/json.h>

#include <algorithm>

#include <articula/report/internal/figures.h>
#include <articula/report/internal/thin.h>
#include <articula/report/report.h>
#include <articula/text/json.h>

namespace articula::report {
namespace {

/// For a task: the rows to keep of each signal, and the union of these in order.
struct Kept {
  std::vector<std::vector<std::size_t>> by_signal;
  std::vector<std::size_t> all;
};

Kept thin(const ReportTask& task) {
  Kept kept;
  std::vector<bool> is_kept(task.over.values.size(), task.signals.empty());
  for (const ReportSignal& signal : task.signals) {
    kept.by_signal.push_back(kept_rows(signal.values, report_points));
    for (const std::size_t row : kept.by_signal.back()) is_kept[row] = true;
  }
  for (std::size_t row = 0; row < is_kept.size(); ++row) {
    if (is_kept[row]) kept.all.push_back(row);
  }
  return kept;
}

template <class List, class Write>
void write_list(JsonWriter& out, const List& list, const Write& write) {
  out.open('[');
  for (const auto& entry : list) write(entry);
  out.close(']');
}

void write_signal(JsonWriter& out, const ReportSignal& signal, const std::vector<std::size_t>& rows, const Kept& kept) {
  out.open('{');
  out.key("name"), out.string(signal.name);
  out.key("unit"), out.string(printed_unit(signal.unit));
  out.key("values"), write_list(out, rows, [&](std::size_t row) { out.number(signal.values[row]); });
  if (rows.size() != kept.all.size()) {
    std::size_t before = 0;
    out.key("at"), write_list(out, rows, [&](std::size_t row) {
      const auto place = std::lower_bound(kept.all.begin(), kept.all.end(), row) - kept.all.begin();
      out.count(static_cast<std::size_t>(place) - before);
      before = static_cast<std::size_t>(place);
    });
  }
  out.close('}');
}

void write_figure(JsonWriter& out, const ReportFigure& figure) {
  out.open('{');
  out.key("title"), out.string(figure.title);
  out.key("symbol"), out.string(figure.symbol);
  out.key("unit"), out.string(figure.unit);
  out.key("lines"), write_list(out, figure.lines, [&](const ReportLine& line) {
    out.open('{');
    out.key("signal"), out.count(line.signal);
    out.key("label"), out.string(line.label);
    out.close('}');
  });
  out.close('}');
}

void write_task(JsonWriter& out, const ReportTask& task, const std::vector<ReportFigure>& figures) {
  const Kept kept = thin(task);
  out.open('{');
  out.key("name"), out.string(task.name);
  out.key("rows"), out.count(task.over.values.size());
  out.key("over"), write_signal(out, task.over, kept.all, kept);
  out.key("signals"), out.open('[');
  for (std::size_t k = 0; k < task.signals.size(); ++k) write_signal(out, task.signals[k], kept.by_signal[k], kept);
  out.close(']');
  out.key("figures"), write_list(out, figures, [&](const ReportFigure& figure) { write_figure(out, figure); });
  out.close('}');
}

}  // namespace

std::string report_json(const ReportData& data, const std::vector<std::vector<ReportFigure>>& figures) {
  JsonWriter out(JsonLayout::in_script);
  out.open('{');
  out.key("title"), out.string(data.title);
  out.key("run"), out.string(data.run);
  out.key("tasks"), out.open('[');
  for (std::size_t k = 0; k < data.tasks.size(); ++k) write_task(out, data.tasks[k], figures[k]);
  out.close(']');
  out.close('}');
  return out.text();
}

}  // namespace articula::report
