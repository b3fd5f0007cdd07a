#include <articula/formats/internal/yaml_include.h>

#include <algorithm>

#include <articula/base/text.h>
#include <articula/text/file.h>
#include <articula/text/internal/beneath.h>

namespace articula::formats {

namespace fs = std::filesystem;

YamlIncludes::YamlIncludes(const std::string& top_file, const FileReach* reach) : reach_(reach) {
  if (top_file.empty()) return;
  std::error_code trouble;
  const fs::path folder = fs::path(top_file).parent_path();
  folder_ = fs::canonical(folder.empty() ? fs::path(".") : folder, trouble);
  if (!trouble) chain_.push_back(folder_ / fs::path(top_file).filename());
}

/// Reads the file that was checked: concurrent replacement of folders or links cannot lead outside.
std::string YamlIncludes::read(const fs::path& file, const std::string& shown) const {
  if (reach_ != nullptr) return reach_->read(file, shown);
  const Where where{shown, 0};
  const Beneath::Opened opened = Beneath(folder_).open(file.lexically_relative(folder_));
  if (opened.trouble != Beneath::Trouble::none) throw Error("file-unreadable", where, "it cannot be opened.");
  return read_open_file(opened.file, where);
}

bool YamlIncludes::may_enter(const Spot& spot, const fs::path& file) {
  const auto again = std::find(chain_.begin(), chain_.end(), file);
  if (again != chain_.end()) {
    std::string way;
    for (auto each = again; each != chain_.end(); ++each)
      way += each->lexically_relative(folder_).string() + " includes ";
    spot.error("include-cycle", concat(": ", way, file.lexically_relative(folder_).string(),
                                       ". A file cannot include itself; break the cycle."));
    return false;
  }
  if (chain_.size() > deepest || files_ >= most_files) {
    spot.error("include-too-many",
               concat(": more than ", chain_.size() > deepest ? deepest : most_files,
                      chain_.size() > deepest ? " files include one another" : " files are included",
                      ". Write fewer, larger files."));
    return false;
  }
  return true;
}

std::unique_ptr<YamlIncludes::File> YamlIncludes::enter(const Spot& spot) {
  if (!spot.node.is_scalar() || spot.node.text().empty()) {
    spot.wrong_type("The relative path of a file is needed, e.g. arm.yaml.");
    return nullptr;
  }
  const fs::path given(std::string(spot.node.text()));
  if (chain_.empty() || given.is_absolute()) {
    spot.error("include-outside",
               concat(" is ", quoted(given.string()),
                      chain_.empty() ? ". A text that comes from no file cannot include any."
                                     : ". Only relative paths are allowed, inside the folder of the top file."));
    return nullptr;
  }
  std::error_code trouble;
  const fs::path file = fs::canonical(chain_.back().parent_path() / given, trouble);
  if (!trouble && !begins_with(file, folder_)) {
    spot.error("include-outside", concat(" is ", quoted(given.string()),
                                         ", which leads out of the folder of the top file. "
                                         "Only files inside it are allowed; move the file there."));
    return nullptr;
  }
  const auto size = trouble ? 0 : fs::file_size(file, trouble);
  if (trouble || !fs::is_regular_file(file, trouble)) {
    spot.error("include-missing", concat(" is ", quoted(given.string()),
                                         ", which is not there or not a file. Check the path; it starts from "
                                         "the folder of the file that names it."));
    return nullptr;
  }
  if (!may_enter(spot, file)) return nullptr;
  if (bytes_ + size > most_bytes) {
    spot.error("include-too-large",
               concat(": the included files have more than ", most_bytes, " bytes. Include less."));
    return nullptr;
  }
  const bool again = seen_.contains(file);
  if (again && repeated_bytes_ + size > most_repeated_bytes) {
    spot.error("include-too-large", concat(": files that are included again have more than ", most_repeated_bytes,
                                           " bytes. Include fewer copies."));
    return nullptr;
  }
  const std::string shown = (fs::path(spot.subject.file).parent_path() / given).lexically_normal().string();
  std::string text;
  try {
    text = read(file, shown);
  } catch (const Error& error) {
    spot.error("include-missing", concat(" is ", quoted(given.string()), ": ", error.message()));
    return nullptr;
  }
  bytes_ += text.size();
  if (again) repeated_bytes_ += text.size();
  ++files_;
  seen_.insert(file);
  chain_.push_back(file);
  return std::make_unique<File>(*this, shown, std::move(text), again);
}

bool YamlIncludes::may_read(const Spot& spot, const File& file, const YamlTree& tree) {
  repeated_ += tree.shared() + (file.again ? tree.size() : 0);
  const std::size_t most = most_repeated + (bytes_ - repeated_bytes_) / 8;
  if (repeated_ <= most) return true;
  spot.error("include-too-large", concat(": files that are included again, and aliases in them, stand for more than ",
                                         most, " values. Include fewer copies."));
  return false;
}

}  // namespace articula::formats
