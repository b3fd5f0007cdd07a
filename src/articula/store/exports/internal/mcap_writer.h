#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <articula/text/internal/crc.h>
#include <articula/text/output_file.h>

namespace articula::store {

/// Records of the MCAP container format, version 0: little-endian, every record an opcode, a length and fields.
///
///     magic  Header  (Attachment | Metadata)*  (Chunk MessageIndex*)*  DataEnd  summary  SummaryOffset*  Footer  magic
///
/// Schemas and channels are in the first chunk and, again, in the summary. [mcap.dev/spec]
class McapWriter {
 public:
  using Fields = std::vector<std::pair<std::string, std::string>>;

  McapWriter(OutputFile& out, std::string_view library);

  void metadata(std::string_view name, const Fields& fields);
  void attachment(std::uint64_t time, std::string_view name, std::string_view media_type, std::string_view data);
  /// A topic with JSON messages; returns the number of the channel.
  std::uint16_t channel(std::string_view topic, std::string_view schema_name, std::string_view json_schema);
  void message(std::uint16_t channel, std::uint64_t time, std::string_view json);
  std::size_t channels() const { return messages_of_channel_.size(); }
  void finish();

 private:
  struct IndexEntry {
    std::uint64_t time, offset;
  };

  void put(std::string_view bytes);
  void end_chunk();
  void write_summary();

  OutputFile& out_;
  std::uint64_t written_ = 0;
  Crc32 data_crc_;
  std::string schemas_, channels_, metadata_indexes_, attachment_indexes_, chunk_indexes_;  // complete records
  std::string chunk_;
  std::uint64_t chunk_start_ = 0, chunk_end_ = 0;
  bool chunk_has_messages_ = false;
  std::map<std::uint16_t, std::vector<IndexEntry>> indexes_;
  std::map<std::uint16_t, std::uint64_t> messages_of_channel_;
  std::uint64_t messages_ = 0, start_ = 0, end_ = 0;
  std::uint32_t metadata_count_ = 0, attachment_count_ = 0, chunk_count_ = 0;
};

}  // namespace articula::store
