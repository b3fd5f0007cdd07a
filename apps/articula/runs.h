#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <articula/store/store.h>

#include "arguments.h"

namespace articula::program {

/// Continues a stored run that was interrupted, and returns the exit code. Defined in run.cpp.
int resume_run(const std::filesystem::path& store, const std::string& run);

/// The options that the sub-commands of `articula runs` share.
struct RunsOptions {
  std::string store = Store::default_name;
  std::string run;
  bool json = false;
};

/// The output of `articula runs list`, as text and as JSON.
std::string list_text(const std::vector<RunSummary>& runs);
std::string list_json(const std::vector<RunSummary>& runs);

/// The output of `articula runs show`.
std::string show_text(const StoredRun& run);
std::string show_json(const StoredRun& run);

/// Each function adds a sub-command to `runs`: `articula runs compare`, `export`.
void add_runs_compare(const Command& runs, int& code);
void add_runs_export(const Command& runs, int& code);

/// `--store FILE`
void add_store_option(const Command& command, std::string& store);

/// A user's name for a line on a terminal: control characters are escaped, without quotes if none are needed.
std::string plain(const std::string& name);

}  // namespace articula::program
