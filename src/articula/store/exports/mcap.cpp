// MCAP, uncompressed, in chunks with an index.
//
// Signals of a task whose names agree up to the last dot form a channel: `q.joint1` of the task `motion` is the field
// `joint1` of the topic `/motion/q`. Messages are JSON, with a JSON schema that contains the units; values that are not
// numbers are null. The log time is the time of the row in nanoseconds. If the first column is not a time in seconds,
// it is the number of the row in milliseconds. If times are negative, all are shifted to begin at zero. The provenance
// is a metadata record, the texts of study and models are attachments.  [MCAP specification, version 0]

#include <algorithm>
#include <cmath>
#include <limits>

#include <articula/base/text.h>
#include <articula/store/exports/internal/formats.h>
#include <articula/text/json.h>

#include "internal/mcap_writer.h"

namespace articula::store {
namespace {

/// The signals of one channel.
struct Group {
  std::string name;
  std::vector<std::size_t> columns;
  std::vector<std::string> keys;  ///< as JSON text
  std::uint16_t channel = 0;
};

std::vector<Group> groups_of(const StoredTask& task) {
  std::vector<Group> groups;
  for (std::size_t k = 0; k < task.signals.size(); ++k) {
    const std::string& name = task.signals[k].name;
    const std::size_t dot = name.rfind('.');
    const bool divided = dot != std::string::npos && dot > 0 && dot + 1 < name.size();
    const std::string group = divided ? name.substr(0, dot) : "";
    auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == group; });
    if (found == groups.end()) found = groups.insert(groups.end(), {group, {}, {}, 0});
    found->columns.push_back(k);
    found->keys.push_back(json_string(divided ? name.substr(dot + 1) : name));
  }
  return groups;
}

std::string schema_of(const Group& group, const StoredTask& task) {
  JsonWriter json(JsonLayout::compact);
  json.open('{');
  json.key("type"), json.string("object");
  json.key("properties"), json.open('{');
  for (std::size_t i = 0; i < group.columns.size(); ++i) {
    const StoredSignal& signal = task.signals[group.columns[i]];
    json.written_key(group.keys[i]), json.open('{');
    json.key("type"), json.open('['), json.string("number"), json.string("null"), json.close(']');
    json.key("title"), json.string(signal.name);
    json.key("unit"), json.string(signal.unit);
    json.close('}');
  }
  json.close('}'), json.close('}');
  return json.text();
}

/// Converts the first column to log times.
class LogTime {
 public:
  LogTime(const Store& store, const StoredTask& task) {
    seconds_ = !task.signals.empty() && task.signals.front().unit == "s";
    if (!seconds_) return;
    store.each_block(task.id, [&](const StoredRows& rows) {
      for (std::size_t i = 0; i < rows.size(); ++i) shift_ = std::min(shift_, rows.row(i)[0]);
    });
    if (!std::isfinite(shift_)) seconds_ = false;
  }
  std::uint64_t operator()(std::int64_t row, double value) const {
    if (!seconds_) return static_cast<std::uint64_t>(row) * 1'000'000;
    const double ns = std::round((value - shift_) * 1e9);
    constexpr double most = 1.8e19;
    return ns >= 0 ? static_cast<std::uint64_t>(std::min(ns, most)) : 0;  // NaN becomes 0, too
  }

 private:
  bool seconds_ = false;
  double shift_ = 0;
};

std::optional<Finding> write_task(McapWriter& writer, const Store& store, const StoredTask& task,
                                  const OutputFile& out) {
  std::vector<Group> groups = groups_of(task);
  for (Group& group : groups) {
    const std::string topic = concat("/", task.name, group.name.empty() ? "" : "/", group.name);
    if (writer.channels() == std::numeric_limits<std::uint16_t>::max()) out.fail("MCAP has at most 65535 channels");
    group.channel = writer.channel(topic, topic.substr(1), schema_of(group, task));
  }
  const LogTime log_time(store, task);
  JsonWriter json(JsonLayout::compact);
  return store.each_block(task.id, [&](const StoredRows& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::span<const double> row = rows.row(i);
      const std::uint64_t time = log_time(rows.first + static_cast<std::int64_t>(i), row[0]);
      for (const Group& group : groups) {
        json.clear();
        json.open('{');
        for (std::size_t k = 0; k < group.columns.size(); ++k) {
          json.written_key(group.keys[k]), json.number(row[group.columns[k]]);
        }
        json.close('}');
        writer.message(group.channel, time, json.text());
      }
    }
  });
}

Findings write(OutputFile& out, const Store& store, const StoredRun& run, std::span<const StoredTask> tasks) {
  const RunOrigin& p = run.provenance;
  McapWriter writer(out, "articula " + p.version);
  McapWriter::Fields fields{{"run", run.id},        {"status", std::string(to_text(run.status))},
                            {"study", p.study},     {"articula_version", p.version},
                            {"host", p.host},       {"command", p.command},
                            {"created", p.created}, {"seed", std::to_string(p.seed)}};
  for (const NamedText& option : p.options) fields.emplace_back("option." + option.name, option.value);
  writer.metadata("articula_run", fields);
  for (const SourceText& text : p.texts) writer.attachment(0, text.path, "text/plain", text.text);
  Findings findings;
  for (const StoredTask& task : tasks) {
    if (const auto damage = write_task(writer, store, task, out)) findings.push_back(*damage);
  }
  writer.finish();
  return findings;
}

}  // namespace

ExportFormat mcap_export() {
  return {.name = "mcap",
          .title = "MCAP",
          .endings = {".mcap"},
          .is_ours =
              [](std::string_view beginning, std::span<const StoredTask>) {
                return beginning.starts_with("\x89MCAP0\r\n") &&
                       beginning.substr(0, 100).find("articula ") != std::string_view::npos;
              },
          .write = write};
}

}  // namespace articula::store
