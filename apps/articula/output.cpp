#include "output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <articula/base/text.h>
#include <articula/base/visible.h>

#include "command.h"

namespace articula::program {
namespace {

int trouble = 0;    ///< the first error of stdout
bool told = false;  ///< whether it was reported

Error unwritten() {
  told = true;
  return {"output-unwritable",
          {"<stdout>", 0},
          concat("it cannot be written: ", system_message(trouble), ". Part of the output is lost.")};
}

/// Returns whether all writes so far succeeded.
bool write(std::string_view text, Then then) {
  if (trouble != 0) return false;
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || (then == Then::end && std::fflush(stdout) != 0)) trouble = errno != 0 ? errno : EIO;
  return trouble == 0;
}

void require_written() {
  if (trouble == EPIPE) throw ReaderGone{};
  if (trouble != 0) throw unwritten();
}

bool talks_to_terminal() {
  static const bool terminal = isatty(STDERR_FILENO) != 0;
  return terminal;
}

}  // namespace

void prepare_streams() {
  // Opened for the opposite direction, so that a closed stream can neither be read nor written.
  for (const auto& [stream, access] :
       {std::pair(STDIN_FILENO, O_WRONLY), std::pair(STDOUT_FILENO, O_RDONLY), std::pair(STDERR_FILENO, O_RDONLY)}) {
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) static_cast<void>(::open("/dev/null", access));
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit becomes a write error, which is reported
}

void say_text(std::string_view text) {
  const std::string shown = visible(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

void colour_talk(std::string_view code) {
  static const bool wanted = talks_to_terminal() && std::getenv("NO_COLOR") == nullptr;
  if (wanted) std::fprintf(stderr, "\033[%.*sm", static_cast<int>(code.size()), code.data());
}

void show_progress(std::string_view line) {
  if (!talks_to_terminal()) return;
  std::fputs("\r\033[K", stderr);
  say_text(line);
  std::fflush(stderr);
}

void put(std::string_view text, Then then) {
  write(visible(text), then);
  require_written();
}

void put_file(std::string_view bytes) {
  static const bool terminal = isatty(STDOUT_FILENO) != 0;
  if (terminal) return put(bytes, Then::end);
  write(bytes, Then::end);
  require_written();
}

void put_if_possible(std::string_view text) { write(visible(text), Then::end); }

int end_output(int code) {
  write("", Then::end);
  if (trouble == 0 || trouble == EPIPE) return code;
  if (!told) say("error: {}\n", unwritten().what());
  return not_written;
}

}  // namespace articula::program
