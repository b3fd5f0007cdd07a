#include <articula/report/internal/json.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <articula/base/text.h>
#include <articula/report/internal/figures.h>
#include <articula/report/internal/thin.h>
#include <articula/report/report.h>

namespace articula {
namespace {

/// JSON that no HTML parser can take for markup.
std::string string_json(std::string_view text) {
  std::string out;
  for (const char c : nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)) {
    switch (c) {
      case '<': out += "\\u003c"; break;
      case '>': out += "\\u003e"; break;
      case '&': out += "\\u0026"; break;
      default: out += c;
    }
  }
  return out;
}

template <class List, class Text>
std::string list_json(const List& list, const Text& text) {
  std::string out = "[";
  for (const auto& entry : list) {
    if (out.size() > 1) out += ',';
    out += text(entry);
  }
  return out + ']';
}

std::string value_json(double x) { return std::isfinite(x) ? number_text(x) : "null"; }

/// Of a task: the rows that each signal keeps, and all of these in order.
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

std::string signal_json(const ReportSignal& signal, const std::vector<std::size_t>& rows, const Kept& kept) {
  std::string out =
      concat("{\"name\":", string_json(signal.name), ",\"unit\":", string_json(printed_unit(signal.unit)),
             ",\"values\":", list_json(rows, [&](std::size_t row) { return value_json(signal.values[row]); }));
  if (rows.size() != kept.all.size()) {
    std::size_t before = 0;
    out += concat(",\"at\":", list_json(rows, [&](std::size_t row) {
                    const auto place = std::lower_bound(kept.all.begin(), kept.all.end(), row) - kept.all.begin();
                    const auto step = static_cast<std::size_t>(place) - before;
                    before = static_cast<std::size_t>(place);
                    return std::to_string(step);
                  }));
  }
  return out + '}';
}

std::string figure_json(const ReportFigure& figure) {
  return concat("{\"title\":", string_json(figure.title), ",\"symbol\":", string_json(figure.symbol),
                ",\"unit\":", string_json(figure.unit), ",\"lines\":",
                list_json(figure.lines,
                          [](const ReportLine& line) {
                            return concat("{\"signal\":", line.signal, ",\"label\":", string_json(line.label), "}");
                          }),
                "}");
}

std::string task_json(const ReportTask& task, const std::vector<ReportFigure>& figures) {
  const Kept kept = thin(task);
  std::string out = concat("{\"name\":", string_json(task.name), ",\"rows\":", task.over.values.size(),
                           ",\"over\":", signal_json(task.over, kept.all, kept), ",\"signals\":[");
  for (std::size_t k = 0; k < task.signals.size(); ++k) {
    if (k > 0) out += ',';
    out += signal_json(task.signals[k], kept.by_signal[k], kept);
  }
  return out + concat("],\"figures\":", list_json(figures, figure_json), "}");
}

}  // namespace

std::string report_json(const ReportData& data, const std::vector<std::vector<ReportFigure>>& figures) {
  std::string out = concat("{\"title\":", string_json(data.title), ",\"run\":", string_json(data.run), ",\"tasks\":[");
  for (std::size_t k = 0; k < data.tasks.size(); ++k) {
    if (k > 0) out += ',';
    out += task_json(data.tasks[k], figures[k]);
  }
  return out + "]}";
}

}  // namespace articula
