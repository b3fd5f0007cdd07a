#include <articula/text/internal/beneath.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <climits>
#include <deque>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace articula::text {

bool begins_with(const fs::path& path, const fs::path& folder) {
  const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  // A folder may have a trailing slash.
  return in_folder == folder.end() || (in_folder->empty() && std::next(in_folder) == folder.end());
}

namespace {

constexpr int follow_nothing = O_NOFOLLOW | O_CLOEXEC;

/// The target of a link; empty if it cannot be read.
std::string target_of(const Descriptor& link) {
  std::array<char, PATH_MAX> text{};
  const ssize_t size = ::readlinkat(link.number(), "", text.data(), text.size());
  return size > 0 && size < static_cast<ssize_t>(text.size()) ? std::string(text.data(), static_cast<std::size_t>(size))
                                                              : std::string();
}

}  // namespace

Beneath::Beneath(const fs::path& folder) : folder_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}

Beneath::Opened Beneath::open(const fs::path& relative) const {
  constexpr int most_links = 40;  // as on Linux
  if (!folder_.is_open()) return {Descriptor(), Trouble::missing, {}};
  if (relative.is_absolute()) return {Descriptor(), Trouble::outside, {}};
  std::vector<Descriptor> way;  // open folders, from the root of the search
  std::deque<fs::path> left(relative.begin(), relative.end());
  fs::path at, link;
  int links = 0;
  while (!left.empty()) {
    const fs::path part = left.front();
    left.pop_front();
    if (part.empty() || part == ".") continue;
    at /= part;
    if (part == "..") {
      if (way.empty()) return {Descriptor(), Trouble::outside, link};
      way.pop_back();
      continue;
    }
    const int from = way.empty() ? folder_.number() : way.back().number();
    Descriptor step(::openat(from, part.c_str(), O_PATH | follow_nothing));
    struct stat info {};
    if (!step.is_open() || ::fstat(step.number(), &info) != 0) return {Descriptor(), Trouble::missing, {}};
    if (S_ISLNK(info.st_mode)) {
      const fs::path target = target_of(step);
      if (target.empty() || ++links > most_links) return {Descriptor(), Trouble::missing, {}};
      link = at;
      if (target.is_absolute()) return {Descriptor(), Trouble::outside, link};
      left.insert(left.begin(), target.begin(), target.end());
    } else if (S_ISDIR(info.st_mode)) {
      way.push_back(std::move(step));
    } else if (!left.empty()) {
      return {Descriptor(), Trouble::missing, {}};
    } else {
      Descriptor file(::openat(from, part.c_str(), O_RDONLY | O_NONBLOCK | follow_nothing));
      const Trouble trouble = file.is_open() ? Trouble::none : Trouble::unreadable;
      return {std::move(file), trouble, {}};
    }
  }
  return {Descriptor(), Trouble::unreadable, {}};
}

}  // namespace articula::text
