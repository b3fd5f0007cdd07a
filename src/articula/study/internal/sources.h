#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <articula/store/store.h>
#include <articula/study/study.h>
#include <articula/text/csv.h>
#include <articula/text/file_reach.h>

namespace articula::study {

/// The setup of a study, from the files that it names, and the texts of these files, which are read through `reach`.
/// Warnings and errors of overrides are added to `findings`. Throws an Error if there is no model.
struct Sources {
  Setup setup;
  std::vector<SourceText> texts;
};
Sources read_sources(const Study& study, const FileReach& reach, Findings& findings);

/// The files that the study may read. Throws an Error if the study is outside of its root.
FileReach reach_of(const Study& study);

/// The name and the path of a check's table. Environment variables are expanded in the path only, which must not appear
/// in messages. Nothing if a variable is not set, or if the study is untrusted.
std::optional<std::filesystem::path> path_of_table(const std::string& table, const std::filesystem::path& folder,
                                                   const FileReach& reach);

/// The text of that table. `path` is its path.
std::string read_table(const std::string& table, const std::filesystem::path& path, const FileReach& reach);

/// How much of a file messages may quote.
CsvTable::Shown shown_of(const std::filesystem::path& path, const FileReach& reach);

/// The study of a stored run and its setup, from the texts that are stored with it. A note is added to
/// `findings` for each file that has changed since.
struct StoredSources {
  Study study;
  Setup setup;
};
StoredSources stored_sources(const StoredRun& run, Findings& findings);

}  // namespace articula::study
