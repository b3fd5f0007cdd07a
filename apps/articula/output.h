#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "names.h"

namespace articula::program {

/// The output of the program: data to stdout, messages to stderr. Text from models and studies is escaped, so that it
/// cannot control the terminal.

/// Must be called before anything is opened or written: a closed standard stream must not be reused for the next file
/// that is opened, and a reader that closes its pipe must not end the program.
void prepare_streams();

/// Prints a message to stderr. Errors of writing are ignored.
void say_text(std::string_view text);
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  say_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Sets the colour of the following messages, or resets it if `code` is empty; no effect if stderr is not a terminal.
void colour_talk(std::string_view code);

/// Shows one line on a terminal that is overwritten by the next; no effect if stderr is not a terminal.
void show_progress(std::string_view line);

enum class Then { more, end };

/// Writes text to stdout; with Then::end, also flushes it. Throws an Error if it cannot be written, and ReaderGone if
/// the reader has closed the pipe.
void put(std::string_view text, Then then = Then::more);

/// Writes the bytes of a file to stdout; on a terminal they are shown like text.
void put_file(std::string_view bytes);

/// The same as `put`, but without an exception on failure; end_output() reports it.
void put_if_possible(std::string_view text);

struct ReaderGone {};

/// At the end of the program: flushes stdout, reports errors of writing, and returns the exit code, given that of the
/// command.
int end_output(int code);

}  // namespace articula::program
