#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <articula/text/file_reach.h>
#include <articula/text/internal/yaml_spot.h>

namespace articula::formats {

/// Opens included files if they are allowed: with a relative path, inside the folder of the top file after resolving
/// links, without cycles, with bounded depth and number. The expansion by repeated includes and aliases is bounded,
/// too.
class YamlIncludes {
 public:
  static constexpr std::size_t deepest = 16, most_files = 1000, most_bytes = std::size_t{64} << 20,
                               most_repeated_bytes = std::size_t{4} << 20, most_repeated = 100'000;

  /// If `top_file` is empty, nothing can be included. Files are read through `reach`, if given.
  explicit YamlIncludes(const std::string& top_file, const FileReach* reach = nullptr);

  /// A file in the chain of includes; its destructor leaves it.
  class File {
   public:
    File(YamlIncludes& includes, std::string file_name, std::string content, bool is_again)
        : name(std::move(file_name)), text(std::move(content)), again(is_again), includes_(includes) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { includes_.chain_.pop_back(); }

    const std::string name;
    const std::string text;
    const bool again;  ///< it was included before

   private:
    YamlIncludes& includes_;
  };

  /// The file named by `spot`; null, with an error in the log, if it cannot be included.
  std::unique_ptr<File> enter(const Spot& spot);

  /// Whether the tree of a file may be read; otherwise adds an error to the log.
  bool may_read(const Spot& spot, const File& file, const YamlTree& tree);

 private:
  std::string read(const std::filesystem::path& file, const std::string& shown) const;
  bool may_enter(const Spot& spot, const std::filesystem::path& file);

  std::filesystem::path folder_;              ///< of the top file, with links resolved; empty if there is none
  std::vector<std::filesystem::path> chain_;  ///< from the top file to the current one, with links resolved
  std::set<std::filesystem::path> seen_;
  std::size_t files_ = 0, bytes_ = 0, repeated_bytes_ = 0, repeated_ = 0;
  const FileReach* reach_;
};

}  // namespace articula::formats
