#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "names.h"

namespace articula::program {

/// Where the program's words go: data to stdout, talk to stderr. Whatever a model or study brought into them cannot
/// command the terminal.

/// Before anything is opened or written: a standard stream that is closed must not become the next file that is
/// opened, and a reader that went away must not end the program.
void prepare_streams();

/// Talk. What nobody can read is not said: it is no reason to stop.
void say_text(std::string_view text);
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  say_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// The colour of what is said next, or, where `code` is empty, no colour; nothing where stderr is no terminal.
void colour_talk(std::string_view code);

/// One line on a terminal that is written again and again; nothing where stderr is no terminal.
void show_progress(std::string_view line);

enum class Then { more, end };

/// Text for stdout; with Then::end, all of it is there. Throws an Error if it cannot be written, and ReaderGone if
/// nobody reads it any more.
void put(std::string_view text, Then then = Then::more);

/// Files for stdout, byte by byte; on a terminal they are shown as texts are.
void put_file(std::string_view bytes);

/// The same as `put`, where work goes on whatever becomes of the words: the program's end tells.
void put_if_possible(std::string_view text);

struct ReaderGone {};

/// At the program's end: the exit code, given what the command ended with, after all of stdout is written or said not
/// to be.
int end_output(int code);

}  // namespace articula::program
