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
void add_check(const Command& app, int& code);
void add_info(const Command& app, int& code);
void add_convert(const Command& app, int& code);
void add_eval(const Command& app, int& code);
void add_run(const Command& app, int& code);
void add_runs(const Command& app, int& code);
void add_report(const Command& app, int& code);
void add_generate(const Command& app, int& code);
void add_bench(const Command& app, int& code);

/// The options of every command that reads a model.
void add_read_options(const Command& command, ReadOptions& options);

/// `--snap`, which is one of them.
void add_snap_option(const Command& command, std::optional<double>& snap);

/// The command that the program was started with, as one would type it: `articula generate arm.yaml ...`.
std::string command_line();
void set_command_line(int argc, char** argv);

/// Findings go to stderr, one line each: `warning: arm.urdf:41: ...`, in colour on a terminal. Those of one kind share a
/// line unless --verbose was given, and warnings and notes that were printed before are not printed again.
void tell(const Findings& findings);

/// `2 errors, 1 warning`, or "" when there is nothing.
std::string count_text(const Findings& findings);

}  // namespace articula::program
