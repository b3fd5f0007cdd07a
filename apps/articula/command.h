#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <articula/base/error.h>
#include <articula/build/build.h>
#include <articula/formats/options.h>

#include "arguments.h"
#include "output.h"

namespace articula::program {

/// The exit codes of the program.
enum ExitCode {
  done = 0,
  negative_finding = 1,  ///< valid input, but a check failed or two runs differ
  wrong_usage = 2,
  bad_input = 3,
  numerical_failure = 4,  ///< results so far are kept
  not_written = 5,        ///< results or messages could not be written
  interrupted = 130,      ///< by a signal, with the code of shells; results so far are kept
};

/// Each function adds a sub-command, which stores its exit code in `code` when it runs.
void add_check(const Command& app, int& code);
void add_info(const Command& app, int& code);
void add_convert(const Command& app, int& code);
void add_eval(const Command& app, int& code);
void add_run(const Command& app, int& code);
void add_runs(const Command& app, int& code);
void add_report(const Command& app, int& code);
void add_generate(const Command& app, int& code);
void add_bench(const Command& app, int& code);

/// Adds the options of every command that reads a model.
void add_read_options(const Command& command, ReadOptions& options);

/// Adds `--snap`, one of these options.
void add_snap_option(const Command& command, std::optional<double>& snap);

/// Adds `--drives`: how rotors of drives are computed.
void add_drives_option(const Command& command, BuildOptions& options);

/// The command line of this program, as typed: `articula generate arm.yaml ...`.
std::string command_line();
void set_command_line(int argc, char** argv);

/// Prints findings to stderr, one line each: `warning: arm.urdf:41: ...`, in colour on a terminal. Findings of one kind
/// share a line unless --verbose was given, and repeated warnings and notes are printed once.
void tell(const Findings& findings);

/// `2 errors, 1 warning`, or "" if there are none.
std::string count_text(const Findings& findings);

}  // namespace articula::program
