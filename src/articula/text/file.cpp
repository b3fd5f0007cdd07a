#include <articula/text/file.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <articula/base/text.h>
#include <articula/text/output_file.h>

namespace articula::text {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 30;

/// The message for the system's last error.
std::string why_missing(const fs::path& file) {
  constexpr std::size_t most = 2000;
  std::vector<std::string> names;
  std::error_code trouble;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, trouble), end; !trouble && entry != end && names.size() < most;
       entry.increment(trouble)) {
    names.push_back(entry->path().filename().string());
  }
  if (trouble) return concat("there is no folder ", quoted(folder.string()), ".");
  std::sort(names.begin(), names.end());
  const auto guess = closest(file.filename().string(), names);
  return concat("there is no such file.", guess ? concat(" Did you mean ", quoted(*guess), "?") : "");
}

std::string read_all(const Descriptor& input, std::size_t expected, const Where& where) {
  std::string text(expected + 1, '\0');
  std::size_t size = 0;
  while (true) {
    if (size == text.size()) text.resize(2 * size);
    const ssize_t count = ::read(input.number(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error("file-unreadable", where, concat("it cannot be read: ", system_message(errno), "."));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
    if (size > largest_file) throw Error("file-too-large", where, concat("it has more than ", largest_file, " bytes."));
  }
  text.resize(size);
  return text;
}

}  // namespace

std::string read_text_file(const fs::path& file) {
  const Where where{file.string(), 0};
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const Descriptor input(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!input.is_open()) {
    if (errno == ENOENT || errno == ENOTDIR) throw Error("file-missing", where, why_missing(file));
    throw Error("file-unreadable", where, concat("it cannot be opened: ", system_message(errno), "."));
  }
  return read_open_file(input, where);
}

std::string read_open_file(const Descriptor& input, const Where& where) {
  struct stat status {};
  if (::fstat(input.number(), &status) != 0) {
    throw Error("file-unreadable", where, concat("it cannot be read: ", system_message(errno), "."));
  }
  if (S_ISDIR(status.st_mode)) throw Error("file-unreadable", where, "it is a folder. Name a file in it.");
  if (!S_ISREG(status.st_mode)) throw Error("file-unreadable", where, "it is not a regular file.");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > largest_file) {
    throw Error("file-too-large", where,
                concat("it has ", size, " bytes. Files up to ", largest_file, " bytes are read."));
  }
  return read_all(input, size, where);
}

void write_text_file(const fs::path& file, std::string_view text) {
  OutputFile output(file);
  output.write(text);
  output.complete();
}

}  // namespace articula::text
