#include <articula/text/file_reach.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <unordered_map>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/text/file.h>
#include <articula/text/internal/beneath.h>

namespace fs = std::filesystem;

namespace articula::text {
namespace {

/// An absolute path; links are not resolved.
fs::path whole_path(const fs::path& path) {
  std::error_code trouble;
  const fs::path whole = path.empty() ? fs::current_path(trouble) : fs::absolute(path, trouble);
  return trouble ? path : whole;
}

/// Resolves links, as far as the path exists.
fs::path real_path(const fs::path& path) {
  std::error_code trouble;
  const fs::path real = fs::weakly_canonical(whole_path(path), trouble);
  return trouble ? whole_path(path).lexically_normal() : real;
}

/// The path relative to its prefix `beginning`.
fs::path rest_of(const fs::path& path, const fs::path& beginning) {
  fs::path rest;
  auto part = path.begin();
  for (const fs::path& skipped : beginning) {
    if (!skipped.empty()) ++part;
  }
  for (; part != path.end(); ++part) rest /= *part;
  return rest;
}

}  // namespace

struct FileReach::Shared {
  fs::path folder, real_folder;  ///< the study's: absolute, and with links resolved
  fs::path root;                 ///< with links resolved; unbounded: empty
  std::optional<Beneath> beneath;
  std::mutex mutex;
  std::vector<std::string> elsewhere;
  std::unordered_map<std::string, std::string> replaced;  ///< by path

  /// The path relative to the root; empty if it is lexically outside.
  std::optional<fs::path> from_root(const fs::path& file) const {
    const fs::path whole = whole_path(file);
    if (begins_with(whole, folder)) return real_folder.lexically_relative(root) / rest_of(whole, folder);
    if (begins_with(whole, root)) return rest_of(whole, root);
    return std::nullopt;
  }

  [[noreturn]] void refuse(const Where& where, const fs::path& link) const {
    const std::string what =
        link.empty() ? "it lies outside of " : concat("the link ", quoted(link.string()), " leads out of ");
    throw Error("file-outside", where,
                concat(what, quoted(root.string()),
                       ", and an untrusted study reads only what lies beneath it. Copy the file there, choose another "
                       "folder with --root, or, if you trust the study, run it without --untrusted."));
  }

  std::string read_bounded(const fs::path& file, const Where& where) const {
    const auto path = from_root(file);
    if (!path) refuse(where, {});
    const Beneath::Opened opened = beneath->open(*path);
    switch (opened.trouble) {
      case Beneath::Trouble::none: break;
      case Beneath::Trouble::outside: refuse(where, opened.link);
      case Beneath::Trouble::missing: throw Error("file-missing", where, "there is no such file.");
      case Beneath::Trouble::unreadable: throw Error("file-unreadable", where, "it cannot be opened.");
    }
    return read_open_file(opened.file, where);
  }
};

FileReach::FileReach(const fs::path& folder) : shared_(std::make_shared<Shared>()) {
  shared_->folder = whole_path(folder);
  shared_->real_folder = real_path(folder);
}

FileReach::FileReach(const fs::path& folder, const fs::path& root) : FileReach(folder) {
  shared_->root = real_path(root);
  if (!begins_with(shared_->real_folder, shared_->root)) {
    throw Error("root-outside", {},
                concat("the study's folder ", quoted(shared_->real_folder.string()), " does not lie beneath the root ",
                       quoted(shared_->root.string()), ". Choose a root that holds the study."));
  }
  shared_->beneath.emplace(shared_->root);
}

bool FileReach::is_bounded() const { return shared_ != nullptr && !shared_->root.empty(); }

std::string FileReach::read(const fs::path& file, const std::string& shown) const {
  const Where where{shown.empty() ? file.string() : shown, 0};
  if (shared_ != nullptr) {
    if (const auto found = shared_->replaced.find(file.string()); found != shared_->replaced.end())
      return found->second;
  }
  if (is_bounded()) return shared_->read_bounded(file, where);
  std::string text;
  try {
    text = read_text_file(file);
  } catch (const Error& error) {
    // If the name is hidden, messages must not contain its path or other files of its folder.
    if (shown.empty()) throw;
    throw Error(error.code(), where, error.code() == "file-missing" ? "there is no such file." : "it cannot be read.");
  }
  if (is_elsewhere(file)) {
    const std::lock_guard lock(shared_->mutex);
    std::vector<std::string>& all = shared_->elsewhere;
    if (std::find(all.begin(), all.end(), where.file) == all.end()) all.push_back(where.file);
  }
  return text;
}

void FileReach::replace(const fs::path& file, std::string text) { shared_->replaced[file.string()] = std::move(text); }

bool FileReach::is_elsewhere(const fs::path& file) const {
  return shared_ != nullptr && !begins_with(real_path(file), shared_->real_folder);
}

std::vector<std::string> FileReach::elsewhere() const {
  if (shared_ == nullptr) return {};
  const std::lock_guard lock(shared_->mutex);
  return shared_->elsewhere;
}

}  // namespace articula::text
