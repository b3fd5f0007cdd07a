#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "support/names.h"

namespace articula::test {

/// Whether there is a folder with reference data of third parties, which this repository does not contain.
inline bool has_references() { return std::getenv("ARTICULA_REFERENCE") != nullptr; }

/// A file of that folder, e.g. `urdf/panda.urdf`. If the folder is there, the file must be.
inline std::filesystem::path reference_file(const std::string& name) {
  const char* const folder = std::getenv("ARTICULA_REFERENCE");
  const std::filesystem::path file = std::filesystem::path(folder == nullptr ? "" : folder) / name;
  if (!std::filesystem::exists(file)) throw std::runtime_error("reference data are missing: " + file.string());
  return file;
}

}  // namespace articula::test

/// The first line of a test that needs them.
#define ARTICULA_NEEDS_REFERENCES()      \
  if (!articula::test::has_references()) \
  GTEST_SKIP() << "reference data are needed: set ARTICULA_REFERENCE to their folder"
