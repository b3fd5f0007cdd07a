/// The program: one file for each of its commands. Data are written to stdout, messages to stderr.

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <string>

#include <articula/version.h>

#include "command.h"

/// Errors of writing good results have an exit code different from bad input.
static int exit_code_of(const articula::base::Error& error) {
  constexpr std::array<std::string_view, 4> of_writing{"file-unwritable", "output-unwritable", "store-full",
                                                       "store-unwritable"};
  const bool writing = std::find(of_writing.begin(), of_writing.end(), error.code()) != of_writing.end();
  return writing ? articula::program::not_written : articula::program::bad_input;
}

int main(int argc, char** argv) {
  using namespace articula;
  using namespace articula::program;
  prepare_streams();
  set_command_line(argc, argv);
  int code = done;
  const auto add_commands = [&code](const Command& app) {
    add_check(app, code);
    add_info(app, code);
    add_convert(app, code);
    add_eval(app, code);
    add_run(app, code);
    add_runs(app, code);
    add_report(app, code);
    add_generate(app, code);
    add_bench(app, code);
  };
  try {
    const auto ended = run_command_line(
        "Articula: the dynamics of robots and other mechanisms, from one description.\n"
        "Exit codes: 0 done, 1 a check failed, 2 wrong usage, 3 bad input, 4 numerical failure,\n"
        "5 results could not be written, 130 interrupted.",
        std::string("articula ") + ARTICULA_VERSION, add_commands, {argv + 1, argv + argc});
    if (ended) code = *ended;
  } catch (const ReaderGone&) {
    // The reader of stdout has received all it wanted.
  } catch (const Error& error) {
    tell(error.errors());
    code = exit_code_of(error);
  } catch (const std::bad_alloc&) {
    say("error: out of memory. The input is too large for this machine.  [out-of-memory]\n");
    code = bad_input;
  } catch (const std::exception& error) {
    say("error: {}  [unexpected]\n", error.what());
    code = bad_input;
  }
  return end_output(code);
}
