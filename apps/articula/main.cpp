/// The program: one file for each of its commands. Data goes to stdout, talk to stderr.

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <articula/version.h>

#include "command.h"

int main(int argc, char** argv) {
  using namespace articula;
  using namespace articula::program;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is then an error of writing, and said so
  CLI::App app{
      "Articula: the dynamics of robots and other mechanisms, from one description.\n"
      "Exit codes: 0 done, 1 a check failed, 2 wrong usage, 3 bad input, 4 numerical failure, 130 interrupted.",
      "articula"};
  app.set_version_flag("--version", std::string("articula ") + ARTICULA_VERSION);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App* top, const CLI::Error& error) { return usage_message(*top, error); });
  set_command_line(argc, argv);
  int code = done;
  add_check(app, code);
  add_info(app, code);
  add_convert(app, code);
  add_eval(app, code);
  add_run(app, code);
  add_runs(app, code);
  add_report(app, code);
  add_generate(app, code);
  add_bench(app, code);
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words.front() == "help") words = asking_for_help(app, words);
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : wrong_usage;
  } catch (const Error& error) {
    tell(error.errors());
    return bad_input;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: out of memory. The input is too large for this machine.  [out-of-memory]\n");
    return bad_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}  [unexpected]\n", error.what());
    return bad_input;
  }
  return code;
}
