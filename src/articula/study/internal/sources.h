#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <articula/store/store.h>
#include <articula/study/study.h>
#include <articula/text/csv.h>
#include <articula/text/file_reach.h>

namespace articula {

/// What a study computes with, from the files that it names, and the texts of these. Files are read through `reach`.
/// Warnings, and what is wrong with overrides, are added to `findings`. Throws an Error if there is no model.
struct Sources {
  Setup setup;
  std::vector<SourceText> texts;
};
Sources read_sources(const Study& study, const FileReach& reach, Findings& findings);

/// Which files the study may read. Throws an Error if its root does not hold it.
FileReach reach_of(const Study& study);

/// What a table of a check is called, and where it is. Variables of the environment are expanded in the path and nowhere
/// else: it is no name for messages. Nothing if one is not set, or is not for an untrusted study to see.
std::optional<std::filesystem::path> path_of_table(const std::string& table, const std::filesystem::path& folder,
                                                   const FileReach& reach);

/// The text of that table. `path` is its path.
std::string read_table(const std::string& table, const std::filesystem::path& path, const FileReach& reach);

/// How much messages may show of a file.
CsvTable::Shown shown_of(const std::filesystem::path& path, const FileReach& reach);

/// The study of a stored run, and what it computes with, from the texts that are stored with it. A note is added to
/// `findings` for each file that has changed since.
struct StoredSources {
  Study study;
  Setup setup;
};
StoredSources stored_sources(const StoredRun& run, Findings& findings);

}  // namespace articula
