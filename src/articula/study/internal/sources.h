#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <articula/study/store.h>
#include <articula/study/study.h>

namespace articula {

/// What a study computes with, from the files that it names, and the texts of these. Warnings, and what is wrong with
/// overrides, are added to `findings`. Throws an Error if there is no model.
struct Sources {
  Setup setup;
  std::vector<SourceText> texts;
};
Sources read_sources(const Study& study, Findings& findings);

/// A folder that is made when it is first asked for, so that a program that is killed seldom leaves one behind, and goes
/// away at the end of its life.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path();

 private:
  std::filesystem::path path_;
};

/// The study of a stored run, and what it computes with, from the texts that are stored with it. Tables of trajectories
/// are laid out in `folder`, if there are any. A note is added to `findings` for each file that has changed since.
struct StoredSources {
  Study study;
  Setup setup;
};
StoredSources stored_sources(const StoredRun& run, TemporaryFolder& folder, Findings& findings);

}  // namespace articula
