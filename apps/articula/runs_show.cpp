#include <algorithm>

#include <fmt/core.h>

#include <articula/base/text.h>

#include "json_document.h"
#include "runs.h"

namespace articula::program {
namespace {

/// A sentence on one line: control characters become blanks.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

std::string checks_text(std::int64_t passed, std::int64_t failed) {
  if (passed + failed == 0) return "-";
  return failed == 0 ? fmt::format("{} passed", passed) : fmt::format("{} of {} failed", failed, passed + failed);
}

Json texts_json(const RunOrigin& p) {
  Json texts = Json::array();
  for (const SourceText& t : p.texts) texts.push_back({{"role", t.role}, {"path", t.path}, {"text", t.text}});
  return texts;
}

Json task_json(const StoredTask& task) {
  Json signals = Json::array(), counts = Json::object();
  for (const StoredSignal& s : task.signals) signals.push_back({{"name", s.name}, {"unit", s.unit}});
  for (const Count& c : task.counts) counts[c.name] = json_number(c.value);
  return {{"name", task.name},       {"kind", task.kind}, {"status", to_text(task.status)},
          {"message", task.message}, {"rows", task.rows}, {"counts", counts},
          {"signals", signals}};
}

std::string task_text(const StoredTask& task) {
  std::string text = fmt::format("  {}  {}  {}  {} rows of {} signals\n", plain(task.name), plain(task.kind),
                                 to_text(task.status), task.rows, task.signals.size());
  if (!task.message.empty()) text += fmt::format("    {}\n", one_line(task.message));
  for (const Count& c : task.counts) text += fmt::format("    {}: {}\n", plain(c.name), number_text(c.value));
  if (task.signals.empty()) return text;
  std::string line = "    signals:";
  for (const StoredSignal& s : task.signals) {
    const std::string item = " " + plain(s.name) + (s.unit.empty() ? "" : " [" + one_line(s.unit) + "]");
    if (line.size() + item.size() > 118) text += line + ",\n", line = "            ";
    line += (line.back() == ':' || line.back() == ' ' ? "" : ",") + item;
  }
  return text + line + "\n";
}

std::string check_text(const CheckResult& c) {
  std::string text = fmt::format("  {}  {}: {}", c.pass ? "pass" : "FAIL", plain(c.name.empty() ? c.signal : c.name),
                                 one_line(c.message));
  if (!c.reference.empty()) text += "  (" + one_line(c.reference) + ")";
  return text + "\n";
}

}  // namespace

std::string list_text(const std::vector<RunSummary>& runs) {
  if (runs.empty()) return "no runs yet\n";
  std::size_t width = 5;
  for (const RunSummary& r : runs) width = std::max(width, plain(r.study).size());
  std::string text = fmt::format("{:<10}  {:<20}  {:<11}  {:<{}}  {:>5}  {:>9}  {}\n", "run", "created", "status",
                                 "study", width, "tasks", "rows", "checks");
  for (const RunSummary& r : runs) {
    text += fmt::format("{:<10}  {:<20}  {:<11}  {:<{}}  {:>5}  {:>9}  {}\n", r.id, r.created, to_text(r.status),
                        plain(r.study), width, r.tasks, r.rows, checks_text(r.checks_passed, r.checks_failed));
  }
  return text;
}

std::string list_json(const std::vector<RunSummary>& runs) {
  Json list = Json::array();
  for (const RunSummary& r : runs) {
    list.push_back({{"id", r.id},
                    {"study", r.study},
                    {"created", r.created},
                    {"status", to_text(r.status)},
                    {"tasks", r.tasks},
                    {"rows", r.rows},
                    {"checks_passed", r.checks_passed},
                    {"checks_failed", r.checks_failed}});
  }
  return printed(list);
}

std::string show_text(const StoredRun& run) {
  const RunOrigin& p = run.provenance;
  std::string text = fmt::format("run {}: {}\n", run.id, to_text(run.status));
  text += fmt::format("  study    {}\n  created  {}\n  host     {}\n  version  {}\n  seed     {}\n  command  {}\n",
                      plain(p.study), plain(p.created), plain(p.host), plain(p.version), p.seed, plain(p.command));
  for (const NamedText& o : p.options) text += fmt::format("  option   {} = {}\n", plain(o.name), plain(o.value));
  for (const SourceText& t : p.texts) {
    text += fmt::format("  {:<8} {}, {} bytes\n", plain(t.role), plain(t.path), t.text.size());
  }
  text += "tasks\n";
  for (const StoredTask& task : run.tasks) text += task_text(task);
  if (!run.checks.empty()) text += "checks\n";
  for (const CheckResult& check : run.checks) text += check_text(check);
  if (!run.log.empty()) text += "log\n";
  for (const Finding& f : run.log) text += fmt::format("  {}: {}\n", to_text(f.severity), one_line(to_text(f)));
  return text;
}

std::string show_json(const StoredRun& run) {
  const RunOrigin& p = run.provenance;
  Json options = Json::object(), tasks = Json::array(), checks = Json::array(), log = Json::array();
  for (const NamedText& o : p.options) options[o.name] = o.value;
  for (const StoredTask& task : run.tasks) tasks.push_back(task_json(task));
  for (const CheckResult& c : run.checks) {
    checks.push_back({{"task", c.task},
                      {"name", c.name},
                      {"signal", c.signal},
                      {"expected", json_number(c.expected)},
                      {"got", json_number(c.got)},
                      {"tolerance", json_number(c.tolerance)},
                      {"lower", c.lower ? Json(*c.lower) : Json()},
                      {"upper", c.upper ? Json(*c.upper) : Json()},
                      {"unit", c.unit},
                      {"pass", c.pass},
                      {"message", c.message},
                      {"reference", c.reference}});
  }
  for (const Finding& f : run.log) {
    log.push_back(
        {{"severity", to_text(f.severity)}, {"code", f.code}, {"where", to_text(f.where)}, {"message", f.message}});
  }
  return printed({{"id", run.id},
                  {"status", to_text(run.status)},
                  {"study", p.study},
                  {"created", p.created},
                  {"host", p.host},
                  {"version", p.version},
                  {"seed", p.seed},
                  {"command", p.command},
                  {"options", options},
                  {"texts", texts_json(p)},
                  {"tasks", tasks},
                  {"checks", checks},
                  {"log", log}});
}

}  // namespace articula::program
