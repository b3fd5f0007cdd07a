#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <articula/store/store.h>

#include "arguments.h"

namespace articula::program {

/// Goes on with a stored run that was interrupted, and returns the exit code; `articula run` provides it.
int resume_run(const std::filesystem::path& store, const std::string& run);

/// What the sub-commands of `articula runs` share.
struct RunsOptions {
  std::string store = Store::default_name;
  std::string run;
  bool json = false;
};

/// `articula runs list`, for people and for programs.
std::string list_text(const std::vector<RunSummary>& runs);
std::string list_json(const std::vector<RunSummary>& runs);

/// `articula runs show`.
std::string show_text(const StoredRun& run);
std::string show_json(const StoredRun& run);

/// `articula runs compare`, `export`: each adds itself to `runs`.
void add_runs_compare(const Command& runs, int& code);
void add_runs_export(const Command& runs, int& code);

/// `--store FILE`
void add_store_option(const Command& command, std::string& store);

/// A name of a user in a line of a terminal: control characters escaped, without quotes where none are needed.
std::string plain(const std::string& name);

}  // namespace articula::program
