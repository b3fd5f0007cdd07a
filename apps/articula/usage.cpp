#include <articula/base/text.h>

#include "command.h"

namespace articula::program {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands(nullptr)) names.push_back(each->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* each : app.get_options()) {
    for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// `articula runs export`: a command with those that it belongs to.
std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

/// The innermost command that was given.
const CLI::App& command_given(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : command_given(*given.front());
}

std::string no_such_command(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = command_names(app);
  const auto near = closest(word, names);
  return concat(quoted(word), " is no command of ", path_of(app), ".",
                near ? concat(" Did you mean ", quoted(*near), "?") : "", " Commands: ", list_of(names, names.size()),
                ".");
}

/// What a word means that nobody took.
std::string unexpected(const CLI::App& command, const std::string& word) {
  if (word.starts_with('-')) {
    const auto near = closest(word.substr(0, word.find('=')), option_names(command));
    return concat(quoted(word), " is no option of ", path_of(command), ".",
                  near ? concat(" Did you mean ", quoted(*near), "?") : "");
  }
  if (!command.get_subcommands(nullptr).empty()) return no_such_command(command, word);
  return concat(quoted(word), " is one argument too many for ", path_of(command), ".");
}

}  // namespace

std::vector<std::string> asking_for_help(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> asking(words.begin() + 1, words.end());
  const CLI::App* command = &app;
  for (const std::string& word : asking) {
    const CLI::App* inner = nullptr;
    for (const CLI::App* each : command->get_subcommands(nullptr)) inner = each->get_name() == word ? each : inner;
    if (inner == nullptr) throw CLI::ValidationError("help", no_such_command(*command, word));
    command = inner;
  }
  asking.emplace_back("--help");
  return asking;
}

std::string usage_message(const CLI::App& app, const CLI::Error& error) {
  const CLI::App& command = command_given(app);
  std::string message;
  for (const CLI::App* each = &command; each != nullptr && message.empty(); each = each->get_parent()) {
    for (const std::string& word : each->remaining()) {
      message += unexpected(*each, word) + "\n";
      if (!word.starts_with('-')) break;  // what follows a wrong command belongs to it
    }
  }
  if (message.empty()) message = std::string(error.what()) + "\n";
  return concat(message, "Run ", path_of(command), " --help for its ", &command == &app ? "commands" : "options",
                ".\n");
}

}  // namespace articula::program
