#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <articula/base/error.h>
#include <articula/build/build.h>
#include <articula/formats/options.h>

#include "output.h"

namespace articula::program {

/// What the program ends with.
enum ExitCode {
  done = 0,
  negative_finding = 1,  ///< valid input, but a check failed or two runs differ
  wrong_usage = 2,
  bad_input = 3,
  numerical_failure = 4,  ///< what was computed is kept
  not_written = 5,        ///< results, or words about them, could not be written
  interrupted = 130,      ///< by a signal, as shells count; what was computed is kept
};

/// Each sub-command adds itself, and leaves its exit code in `code` when it ran.
void add_check(CLI::App& app, int& code);
void add_info(CLI::App& app, int& code);
void add_convert(CLI::App& app, int& code);
void add_eval(CLI::App& app, int& code);
void add_run(CLI::App& app, int& code);
void add_runs(CLI::App& app, int& code);
void add_report(CLI::App& app, int& code);
void add_generate(CLI::App& app, int& code);
void add_bench(CLI::App& app, int& code);

/// `help run` as `run --help`. Throws a CLI::ParseError for what is no command.
std::vector<std::string> asking_for_help(const CLI::App& app, const std::vector<std::string>& words);

/// What is said about wrong usage: what is wrong, the words that were probably meant, and whose help to ask for.
std::string usage_message(const CLI::App& app, const CLI::Error& error);

/// The options of every command that reads a model.
void add_read_options(CLI::App& command, ReadOptions& options);

/// `--snap`, which is one of them.
void add_snap_option(CLI::App& command, std::optional<double>& snap);

/// The command that the program was started with, as one would type it: `articula generate arm.yaml ...`.
std::string command_line();
void set_command_line(int argc, char** argv);

/// Findings go to stderr, one line each: `warning: arm.urdf:41: ...`, in colour on a terminal. Those of one kind share a
/// line unless --verbose was given, and warnings and notes that were printed before are not printed again.
void tell(const Findings& findings);

/// `2 errors, 1 warning`, or "" when there is nothing.
std::string count_text(const Findings& findings);

}  // namespace articula::program
