#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/text/descriptor.h>

namespace articula::text {

/// A file that is written under a temporary name in the same folder and renamed when it is complete: the file is either
/// unchanged or complete. A link is followed; the permissions of an existing file are kept. Throws an Error with the
/// code file-unwritable.
class ARTICULA_EXPORT OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& target);
  ~OutputFile();  ///< removes an incomplete file
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  void complete();

  /// Writes at an offset of the file.
  void write_at(std::uint64_t place, std::string_view text);
  void resize(std::uint64_t size);

  [[noreturn]] void fail(const std::string& what) const;

 private:
  void drain();

  std::filesystem::path asked_, target_;
  std::string name_, buffer_;
  Descriptor output_;
};

/// Renames a complete file, if no other file has the name; returns 0, or the system's error number.
int place_new_file(const std::filesystem::path& made, const std::filesystem::path& target);

}  // namespace articula::text
