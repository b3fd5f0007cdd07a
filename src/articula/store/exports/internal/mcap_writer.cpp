#include "mcap_writer.h"

#include <algorithm>
#include <concepts>
#include <span>

namespace articula::store {
namespace {

constexpr std::string_view magic = "\x89MCAP0\r\n";
constexpr std::size_t chunk_size = 1 << 20;

enum Opcode : unsigned char {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel_record = 0x04,
  message_record = 0x05,
  chunk = 0x06,
  message_index = 0x07,
  chunk_index = 0x08,
  attachment_record = 0x09,
  attachment_index = 0x0a,
  statistics = 0x0b,
  metadata_record = 0x0c,
  metadata_index = 0x0d,
  summary_offset = 0x0e,
  data_end = 0x0f,
};

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::uint32_t crc_of(std::string_view text) { return Crc32().add(bytes_of(text)).value(); }

/// A sequence of fields.
class Bytes {
 public:
  template <std::unsigned_integral Number>
  Bytes& number(Number value) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) text_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  Bytes& text(std::string_view value) { return number(static_cast<std::uint32_t>(value.size())).raw(value); }
  Bytes& raw(std::string_view value) {
    text_ += value;
    return *this;
  }
  const std::string& get() const { return text_; }

 private:
  std::string text_;
};

/// Fields with their size in bytes as a prefix.
std::string array(const Bytes& fields) {
  return Bytes().number(static_cast<std::uint32_t>(fields.get().size())).raw(fields.get()).get();
}

std::string record(Opcode opcode, std::string_view content) {
  return Bytes()
      .number(static_cast<std::uint8_t>(opcode))
      .number(static_cast<std::uint64_t>(content.size()))
      .raw(content)
      .get();
}

}  // namespace

McapWriter::McapWriter(OutputFile& out, std::string_view library) : out_(out) {
  put(magic);
  put(record(header, Bytes().text("").text(library).get()));
}

void McapWriter::put(std::string_view bytes) {
  data_crc_.add(bytes_of(bytes));
  written_ += bytes.size();
  out_.write(bytes);
}

void McapWriter::metadata(std::string_view name, const Fields& fields) {
  Bytes map;
  for (const auto& [key, value] : fields) map.text(key).text(value);
  const std::string whole = record(metadata_record, Bytes().text(name).raw(array(map)).get());
  const std::uint64_t size = whole.size();
  metadata_indexes_ += record(metadata_index, Bytes().number(written_).number(size).text(name).get());
  ++metadata_count_;
  put(whole);
}

void McapWriter::attachment(std::uint64_t time, std::string_view name, std::string_view media_type,
                            std::string_view data) {
  Bytes content;
  content.number(time).number(time).text(name).text(media_type);
  content.number(static_cast<std::uint64_t>(data.size())).raw(data);
  content.number(crc_of(content.get()));
  const std::string whole = record(attachment_record, content.get());
  const std::uint64_t size = whole.size(), data_size = data.size();
  attachment_indexes_ += record(attachment_index, Bytes()
                                                      .number(written_)
                                                      .number(size)
                                                      .number(time)
                                                      .number(time)
                                                      .number(data_size)
                                                      .text(name)
                                                      .text(media_type)
                                                      .get());
  ++attachment_count_;
  put(whole);
}

std::uint16_t McapWriter::channel(std::string_view topic, std::string_view schema_name, std::string_view json_schema) {
  const std::uint16_t number = static_cast<std::uint16_t>(messages_of_channel_.size() + 1);
  messages_of_channel_[number] = 0;
  const std::string a =
      record(schema, Bytes().number(number).text(schema_name).text("jsonschema").text(json_schema).get());
  const std::string b =
      record(channel_record, Bytes().number(number).number(number).text(topic).text("json").text("").get());
  schemas_ += a, channels_ += b;
  chunk_ += a, chunk_ += b;
  return number;
}

void McapWriter::message(std::uint16_t channel, std::uint64_t time, std::string_view json) {
  indexes_[channel].push_back({time, chunk_.size()});
  std::uint64_t& sequence = messages_of_channel_[channel];
  chunk_ += record(
      message_record,
      Bytes().number(channel).number(static_cast<std::uint32_t>(sequence)).number(time).number(time).raw(json).get());
  ++sequence;
  chunk_start_ = chunk_has_messages_ ? std::min(chunk_start_, time) : time;
  chunk_end_ = chunk_has_messages_ ? std::max(chunk_end_, time) : time;
  chunk_has_messages_ = true;
  start_ = messages_ == 0 ? time : std::min(start_, time);
  end_ = messages_ == 0 ? time : std::max(end_, time);
  ++messages_;
  if (chunk_.size() >= chunk_size) end_chunk();
}

void McapWriter::end_chunk() {
  if (chunk_.empty()) return;
  const std::uint64_t size = chunk_.size(), begin = written_;
  Bytes content;
  content.number(chunk_start_).number(chunk_end_).number(size).number(crc_of(chunk_)).text("").number(size).raw(chunk_);
  put(record(chunk, content.get()));
  const std::uint64_t length = written_ - begin, index_begin = written_;
  Bytes offsets;
  for (auto& [number, entries] : indexes_) {
    offsets.number(number).number(written_);
    std::stable_sort(entries.begin(), entries.end(), [](auto& a, auto& b) { return a.time < b.time; });
    Bytes list;
    for (const IndexEntry& e : entries) list.number(e.time).number(e.offset);
    put(record(message_index, Bytes().number(number).raw(array(list)).get()));
  }
  const std::uint64_t index_length = written_ - index_begin;
  Bytes index;
  index.number(chunk_start_).number(chunk_end_).number(begin).number(length).raw(array(offsets));
  index.number(index_length).text("").number(size).number(size);
  chunk_indexes_ += record(chunk_index, index.get());
  ++chunk_count_;
  chunk_.clear();
  indexes_.clear();
  chunk_start_ = chunk_end_ = 0;
  chunk_has_messages_ = false;
}

void McapWriter::finish() {
  end_chunk();
  put(record(data_end, Bytes().number(data_crc_.value()).get()));
  write_summary();
}

void McapWriter::write_summary() {
  Bytes counts;
  for (const auto& [number, count] : messages_of_channel_) counts.number(number).number(count);
  const std::uint16_t kinds = static_cast<std::uint16_t>(messages_of_channel_.size());
  Bytes figures;
  figures.number(messages_).number(kinds).number(std::uint32_t{kinds}).number(attachment_count_);
  figures.number(metadata_count_).number(chunk_count_).number(start_).number(end_).raw(array(counts));
  const std::string statistics_record = record(statistics, figures.get());
  const std::pair<Opcode, const std::string*> groups[] = {{schema, &schemas_},
                                                          {channel_record, &channels_},
                                                          {statistics, &statistics_record},
                                                          {chunk_index, &chunk_indexes_},
                                                          {attachment_index, &attachment_indexes_},
                                                          {metadata_index, &metadata_indexes_}};
  const std::uint64_t summary_start = written_;
  std::string summary, offsets;
  for (const auto& [opcode, records] : groups) {
    if (records->empty()) continue;
    const std::uint64_t start = summary_start + summary.size(), length = records->size();
    offsets +=
        record(summary_offset, Bytes().number(static_cast<std::uint8_t>(opcode)).number(start).number(length).get());
    summary += *records;
  }
  const std::uint64_t offsets_start = summary_start + summary.size();
  // The checksum covers everything from the summary to the second last field of the footer.
  summary += offsets;
  summary += Bytes().number(static_cast<std::uint8_t>(footer)).number(std::uint64_t{20}).get();
  summary += Bytes().number(summary_start).number(offsets_start).get();
  put(summary);
  put(Bytes().number(crc_of(summary)).get());
  put(magic);
}

}  // namespace articula::store
