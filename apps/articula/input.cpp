#include "input.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::program {

std::string input_name(const std::string& file) { return file == "-" ? "<stdin>" : file; }

std::string read_input(const std::string& file) {
  constexpr std::size_t largest = std::size_t{1} << 30;
  const Where where{input_name(file), 0};
  std::error_code trouble;
  if (file != "-" && std::filesystem::is_directory(file, trouble)) {
    throw Error("file-unreadable", where, "it is a folder. Name a file in it.");
  }
  const auto close = [](std::FILE* open) { return open == stdin ? 0 : std::fclose(open); };
  const std::unique_ptr<std::FILE, decltype(close)> input(file == "-" ? stdin : std::fopen(file.c_str(), "rb"), close);
  if (!input && (errno == ENOENT || errno == ENOTDIR)) {
    throw Error("file-missing", where,
                "there is no such file. Check the path; relative paths start from the current folder.");
  }
  if (!input) throw Error("file-unreadable", where, concat("it cannot be opened: ", system_message(errno), "."));
  std::string text;
  std::vector<char> piece(std::size_t{1} << 16);
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), input.get())) {
    text.append(piece.data(), count);
    if (text.size() > largest) {
      throw Error("file-too-large", where,
                  concat("it has more than ", largest, " bytes. Split it into files that are shorter."));
    }
  }
  if (std::ferror(input.get()) != 0) {
    throw Error("file-unreadable", where, concat("it cannot be read: ", system_message(errno), "."));
  }
  return text;
}

}  // namespace articula::program
