#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include <articula/base/modules.h>

namespace articula::store {

/// The identity of a file, independent of its name: symbolic and hard links have the identity of their target.
struct FileIdentity {
  dev_t device = 0;
  ino_t node = 0;
  bool operator==(const FileIdentity&) const = default;
};

/// Empty if the file does not exist or is not accessible.
inline std::optional<FileIdentity> identity_of(const std::filesystem::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

inline std::optional<FileIdentity> identity_of(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

}  // namespace articula::store
