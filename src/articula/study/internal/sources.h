#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <articula/study/store.h>
#include <articula/study/study.h>

namespace articula {

/// What a study computes with, from the files that it names, and the texts of these. Warnings are added to `findings`.
struct Sources {
  Setup setup;
  std::vector<SourceText> texts;
};
Sources read_sources(const Study& study, Findings& findings);

/// A folder that goes away at the end of its life.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The study of a stored run, and what it computes with, from the texts that are stored with it. Tables of trajectories
/// are laid out in `folder`. A note is added to `findings` for each file that has changed since.
struct StoredSources {
  Study study;
  Setup setup;
};
StoredSources stored_sources(const StoredRun& run, const TemporaryFolder& folder, Findings& findings);

}  // namespace articula
