// Rows as MCAP, read record by record with a reader written from the specification.

#include <sys/resource.h>

#include <array>
#include <csignal>
#include <map>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "store/exports/export_test_run.h"
#include "support/names.h"

namespace articula::test {
namespace {

using namespace store_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Bit by bit, as defined in ISO 3309.
std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t r = 0xffffffff;
  for (const char c : bytes) {
    r ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) r = (r & 1) != 0 ? r >> 1 ^ 0xedb88320 : r >> 1;
  }
  return ~r;
}

class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}
  bool at_end() const { return rest_.empty(); }
  std::uint64_t number(std::size_t size) {
    const std::string_view bytes = take(size);
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
  }
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) throw std::runtime_error("a record is longer than the file");
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  std::string text() { return std::string(take(number(4))); }
  Cursor array() { return Cursor(take(number(4))); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

struct Channel {
  std::string topic, schema;
  std::vector<std::pair<std::uint64_t, std::string>> messages;
};

/// The content of a file, checked while it is read.
struct Mcap {
  std::map<std::uint64_t, std::pair<std::string, std::string>> schemas;  ///< name and text
  std::map<std::uint64_t, Channel> channels;
  std::map<std::string, std::string> metadata, attachments;
  std::uint64_t message_count = 0, chunks = 0;
  std::set<std::uint64_t> chunk_starts;
};

constexpr std::string_view magic("\x89MCAP0\r\n", 8);

void read_schema(Cursor fields, Mcap& mcap) {
  const std::uint64_t id = fields.number(2);
  const std::string name = fields.text();
  EXPECT_NE(id, 0u);
  EXPECT_EQ(fields.text(), "jsonschema");
  mcap.schemas[id] = {name, fields.text()};
  EXPECT_TRUE(fields.at_end());
}

void read_channel(Cursor fields, Mcap& mcap) {
  const std::uint64_t id = fields.number(2), schema = fields.number(2);
  Channel& channel = mcap.channels[id];
  EXPECT_TRUE(mcap.schemas.contains(schema)) << "a schema stands before its channel";
  channel.topic = fields.text();
  channel.schema = mcap.schemas[schema].second;
  EXPECT_EQ(fields.text(), "json");
  EXPECT_TRUE(fields.array().at_end());
  EXPECT_TRUE(fields.at_end());
}

void read_message(Cursor fields, Mcap& mcap) {
  Channel& channel = mcap.channels.at(fields.number(2));
  EXPECT_EQ(fields.number(4), channel.messages.size()) << "the sequence";
  const std::uint64_t time = fields.number(8);
  EXPECT_EQ(fields.number(8), time);
  channel.messages.emplace_back(time, fields.rest());
  ++mcap.message_count;
}

/// By channel, the times and offsets of its messages in the chunk.
using Places = std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>>;

Places read_chunk(Cursor fields, Mcap& mcap) {
  const std::uint64_t start = fields.number(8), end = fields.number(8), size = fields.number(8);
  const std::uint64_t crc = fields.number(4);
  EXPECT_EQ(fields.text(), "") << "uncompressed";
  const std::string_view records = fields.take(fields.number(8));
  EXPECT_TRUE(fields.at_end());
  EXPECT_EQ(records.size(), size);
  EXPECT_EQ(crc32(records), crc);
  Places places;
  for (Cursor in(records); !in.at_end();) {
    const std::uint64_t offset = records.size() - in.rest().size();
    const std::uint64_t opcode = in.number(1);
    Cursor record(in.take(in.number(8)));
    if (opcode == 3) read_schema(record, mcap);
    if (opcode == 4) read_channel(record, mcap);
    if (opcode == 5) {
      read_message(record, mcap);
      const std::uint64_t channel = record.number(2);
      record.number(4);
      const std::uint64_t time = record.number(8);
      EXPECT_TRUE(start <= time && time <= end);
      places[channel].emplace_back(time, offset);
    }
    EXPECT_TRUE(opcode >= 3 && opcode <= 5) << opcode;
  }
  ++mcap.chunks;
  return places;
}

void check_statistics(Cursor fields, const Mcap& mcap) {
  EXPECT_EQ(fields.number(8), mcap.message_count);
  EXPECT_EQ(fields.number(2), mcap.schemas.size());
  EXPECT_EQ(fields.number(4), mcap.channels.size());
  EXPECT_EQ(fields.number(4), mcap.attachments.size());
  EXPECT_EQ(fields.number(4), 1u) << "metadata";
  EXPECT_EQ(fields.number(4), mcap.chunks);
  const std::uint64_t start = fields.number(8), end = fields.number(8);
  EXPECT_LE(start, end);
  std::uint64_t channels = 0;
  for (Cursor counts = fields.array(); !counts.at_end(); ++channels) {
    const std::uint64_t id = counts.number(2);
    EXPECT_EQ(counts.number(8), mcap.channels.at(id).messages.size());
  }
  EXPECT_EQ(channels, mcap.channels.size());
}

/// Records of the summary, and the offsets in them.
void read_summary(std::string_view file, std::uint64_t start, std::uint64_t end, Mcap& mcap) {
  std::set<std::uint64_t> indexed;
  for (Cursor in(file.substr(start, end - start)); !in.at_end();) {
    const std::uint64_t opcode = in.number(1);
    Cursor record(in.take(in.number(8)));
    if (opcode == 0x0b) check_statistics(record, mcap);
    if (opcode == 0x08) {
      record.number(8), record.number(8);
      const std::uint64_t place = record.number(8);
      EXPECT_EQ(file[place], 0x06);
      EXPECT_EQ(Cursor(file.substr(place + 1)).number(8) + 9, record.number(8)) << "the chunk's length";
      for (Cursor offsets = record.array(); !offsets.at_end();) {
        const std::uint64_t channel = offsets.number(2), at = offsets.number(8);
        EXPECT_EQ(file[at], 0x07);
        EXPECT_EQ(Cursor(file.substr(at + 9)).number(2), channel);
      }
      indexed.insert(place);
    }
    if (opcode == 0x0a || opcode == 0x0d) {
      EXPECT_EQ(static_cast<unsigned char>(file[record.number(8)]), opcode - 1) << "attachment, metadata";
    }
    if (opcode == 0x0e) {
      const std::uint64_t kind = record.number(1), at = record.number(8);
      EXPECT_EQ(static_cast<unsigned char>(file[at]), kind);
      EXPECT_LE(at + record.number(8), end);
    }
  }
  EXPECT_EQ(indexed, mcap.chunk_starts);
}

Mcap read(const std::string& file) {
  Mcap mcap;
  EXPECT_TRUE(file.starts_with(magic) && file.ends_with(magic));
  Cursor in(file);
  in.take(8);
  Places places;
  while (true) {
    const std::uint64_t at = file.size() - in.rest().size(), opcode = in.number(1);
    Cursor record(in.take(in.number(8)));
    EXPECT_EQ(at == 8, opcode == 1) << "the header comes first";
    if (opcode == 0x06) mcap.chunk_starts.insert(at), places = read_chunk(record, mcap);
    if (opcode == 0x07) {
      const std::uint64_t channel = record.number(2);
      std::vector<std::pair<std::uint64_t, std::uint64_t>> entries;
      for (Cursor list = record.array(); !list.at_end();) {
        const std::uint64_t time = list.number(8);
        entries.emplace_back(time, list.number(8));
      }
      EXPECT_EQ(entries, places[channel]);
    }
    if (opcode == 0x09) {
      const std::string_view all = record.rest();
      EXPECT_EQ(Cursor(all.substr(all.size() - 4)).number(4), crc32(all.substr(0, all.size() - 4)));
      record.number(8), record.number(8);
      const std::string name = record.text();
      EXPECT_EQ(record.text(), "text/plain");
      mcap.attachments[name] = record.take(record.number(8));
    }
    if (opcode == 0x0c) {
      EXPECT_EQ(record.text(), "articula_run");
      for (Cursor map = record.array(); !map.at_end();) {
        const std::string key = map.text();
        mcap.metadata[key] = map.text();
      }
    }
    if (opcode == 0x0f) {
      EXPECT_EQ(record.number(4), crc32(std::string_view(file).substr(0, at)));
      break;
    }
  }
  const std::uint64_t after_data = file.size() - in.rest().size();
  Cursor footer(std::string_view(file).substr(file.size() - 8 - 29));
  EXPECT_EQ(footer.number(1), 2u);
  EXPECT_EQ(footer.number(8), 20u);
  const std::uint64_t summary = footer.number(8), offsets = footer.number(8);
  EXPECT_EQ(summary, after_data);
  EXPECT_GT(offsets, summary);
  EXPECT_EQ(footer.number(4), crc32(std::string_view(file).substr(summary, file.size() - 8 - 4 - summary)));
  read_summary(file, summary, file.size() - 8 - 29, mcap);
  return mcap;
}

TEST(ExportMcap, the_structure_holds_and_every_value_is_there) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const StoredRun run = store.run(add_odd_run(store));
  EXPECT_THAT(export_as("mcap", store, run, run.tasks, folder / "out.mcap"), IsEmpty());
  const Mcap mcap = read(content(folder / "out.mcap"));
  std::vector<std::string> topics;
  for (const auto& [id, channel] : mcap.channels) topics.push_back(channel.topic);
  EXPECT_THAT(topics, ElementsAre("/motion", "/motion/q", "/motion/v", "/odd/na\"me"));
  for (const auto& [id, channel] : mcap.channels) {
    if (!channel.topic.starts_with("/motion/")) continue;
    ASSERT_EQ(channel.messages.size(), 250u);
    for (std::size_t i = 0; i < 250; ++i) {
      const auto& [time, text] = channel.messages[i];
      EXPECT_EQ(time, i * 10'000'000);
      const nlohmann::json message = nlohmann::json::parse(text);
      const std::vector<double> row = sample_row(static_cast<std::int64_t>(i));
      EXPECT_EQ(message.at("joint1").get<double>(), row[channel.topic == "/motion/q" ? 1 : 2]);
      EXPECT_EQ(message.size(), 1u);
    }
    const nlohmann::json schema = nlohmann::json::parse(channel.schema);
    EXPECT_EQ(schema["type"], "object");
    EXPECT_EQ(schema["properties"]["joint1"]["unit"], channel.topic == "/motion/q" ? "rad" : "rad/s");
  }
  const Channel& odd = mcap.channels.at(4);
  ASSERT_EQ(odd.messages.size(), 2u);
  EXPECT_EQ(odd.messages[1].first, 1'000'000u) << "rows that are not over time are a millisecond apart";
  const nlohmann::json message = nlohmann::json::parse(odd.messages[0].second);
  EXPECT_TRUE(message.at("say \"q\"").is_null());
  EXPECT_EQ(message.at("a,b"), 0.1);
  EXPECT_EQ(nlohmann::json::parse(odd.messages[1].second).at("two\nlines").get<double>(), 1.0 / 3);
  EXPECT_EQ(mcap.metadata.at("run"), run.id);
  EXPECT_EQ(mcap.metadata.at("option.threads"), "2");
  EXPECT_EQ(mcap.metadata.at("command"), run.provenance.command);
  EXPECT_EQ(mcap.attachments.at("study.yaml"), "articula_study: 1\n");
}

TEST(ExportMcap, long_runs_have_several_chunks_and_no_rows_are_no_trouble) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  add_sample(store, 20000, 5000);
  const StoredRun run = store.run("latest");
  export_as("mcap", store, run, run.tasks, folder / "out.mcap");
  const Mcap mcap = read(content(folder / "out.mcap"));
  EXPECT_GT(mcap.chunks, 1u);
  EXPECT_EQ(mcap.message_count, 60000u);
  export_as("mcap", store, run, {}, folder / "none.mcap");
  EXPECT_EQ(read(content(folder / "none.mcap")).message_count, 0u);
}

TEST(ExportMcap, times_below_zero_begin_at_zero) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const std::vector<NewTask> tasks{{"a", "simulate"}};
  const StoredRun run = store.run(store.add_run({}, tasks));
  TaskWriter writer = store.write(run.tasks[0].id);
  writer.columns(std::vector<StoredSignal>{{"t", "s"}});
  for (const double t : {-1.5, 0.0, 1e-9}) writer.row(std::array{t});
  writer.finish(RunStatus::done);
  export_as("mcap", store, run, store.run("latest").tasks, folder / "out.mcap");
  const Mcap mcap = read(content(folder / "out.mcap"));
  std::vector<std::uint64_t> times;
  for (const auto& [time, text] : mcap.channels.at(1).messages) times.push_back(time);
  EXPECT_THAT(times, ElementsAre(0, 1'500'000'000, 1'500'000'001));
}

TEST(ExportMcap, a_full_disk_leaves_the_old_file) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const StoredRun run = store.run(add_odd_run(store));
  put(folder / "out.mcap", "old");
  EXPECT_EQ(in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{2000, 2000};
              setrlimit(RLIMIT_FSIZE, &limit);
              return thrown([&] { export_as("mcap", store, run, run.tasks, folder / "out.mcap"); }).code ==
                             "file-unwritable"
                         ? 0
                         : 1;
            }),
            0);
  EXPECT_EQ(content(folder / "out.mcap"), "old");
  EXPECT_THAT(folder.files(), testing::Not(testing::Contains(HasSubstr("out.mcap."))));
}

}  // namespace
}  // namespace articula::test
