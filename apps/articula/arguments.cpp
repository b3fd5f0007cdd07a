#include "arguments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include <articula/base/number.h>
#include <articula/base/text.h>

#include "help.h"
#include "output.h"

namespace articula::program {
namespace {

// --- Values -----------------------------------------------------------------------------------------------------------

constexpr double any_number = std::numeric_limits<double>::max();

std::string described(Range range) {
  if (range.highest == any_number) return concat("Give ", range.lowest, " or more.");
  return concat("Give ", range.lowest, " to ", range.highest, ".");
}

double number_in(Range range, const std::string& option, const std::string& text) {
  const std::optional<double> number = to_number(text);
  if (!number) throw WrongUsage(option, why_no_number(text) + ".");
  if (*number < range.lowest || *number > range.highest) {
    throw WrongUsage(option, concat(*number, " is out of range. ", described(range)));
  }
  return *number;
}

std::int64_t integer_in(Range range, const std::string& option, const std::string& text) {
  constexpr double exact = 9007199254740992;  // 2^53: all integers up to here are doubles
  const double number = number_in({std::max(range.lowest, -exact), std::min(range.highest, exact)}, option, text);
  if (number != std::floor(number)) throw WrongUsage(option, concat(number, " is not a whole number."));
  return static_cast<std::int64_t>(number);
}

std::int64_t bytes_of(const std::string& option, const std::string& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
  std::string unit = text.substr(std::min(text.find_first_not_of(' ', end), text.size()));
  std::transform(unit.begin(), unit.end(), unit.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  if (unit.ends_with('b')) unit.pop_back();
  const bool binary = unit.ends_with('i');
  if (binary) unit.pop_back();
  constexpr std::string_view prefixes = "kmgt";
  const std::size_t power = unit.empty() ? 0 : prefixes.find(unit[0]) + 1;
  if (unit.size() > 1 || (!unit.empty() && power == 0) || (binary && power == 0)) {
    throw WrongUsage(option, concat(quoted(text), " has a unit that is not known. Use kB, MB, GB, TB, or kiB to TiB."));
  }
  const double scale = std::pow(binary ? 1024. : 1000., static_cast<double>(power));
  return static_cast<std::int64_t>(number_in({1 / scale, 1e18 / scale}, option, text.substr(0, end)) * scale);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// --- Wrong usage ------------------------------------------------------------------------------------------------------

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

/// `articula runs export`: a command with its parents.
std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

/// The innermost command on the command line.
const CLI::App& command_given(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : command_given(*given.front());
}

std::string no_such_command(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = command_names(app);
  if (names.empty()) return concat(path_of(app), " has no commands of its own, and so no ", quoted(word), ".");
  const auto near = closest(word, names);
  return concat(quoted(word), " is no command of ", path_of(app), ".",
                near ? concat(" Did you mean ", quoted(*near), "?") : "", " Commands: ", list_of(names, names.size()),
                ".");
}

/// The error for a word that no command accepted.
std::string unexpected(const CLI::App& command, const std::string& word) {
  if (word.starts_with('-')) {
    const auto near = closest(word.substr(0, word.find('=')), option_names(command));
    return concat(quoted(word), " is no option of ", path_of(command), ".",
                  near ? concat(" Did you mean ", quoted(*near), "?") : "");
  }
  if (!command.get_subcommands(nullptr).empty()) return no_such_command(command, word);
  return concat(quoted(word), " is one argument too many for ", path_of(command), ".");
}

/// The error, suggestions for misspelled words, and the command whose help to read.
std::string usage_message(const CLI::App& app, const std::string& what) {
  const CLI::App& command = command_given(app);
  std::string message;
  for (const CLI::App* each = &command; each != nullptr && message.empty(); each = each->get_parent()) {
    for (const std::string& word : each->remaining()) {
      message += unexpected(*each, word) + "\n";
      if (!word.starts_with('-')) break;  // words after an unknown command belong to it
    }
  }
  if (message.empty()) message = what + "\n";
  return concat(message, "Run ", path_of(command), " --help for its ", &command == &app ? "commands" : "options",
                ".\n");
}

/// Converts `help run` to `run --help`.
std::vector<std::string> asking_for_help(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> asking(words.begin() + 1, words.end());
  const CLI::App* command = &app;
  for (const std::string& word : asking) {
    const CLI::App* inner = nullptr;
    for (const CLI::App* each : command->get_subcommands(nullptr)) inner = each->get_name() == word ? each : inner;
    if (inner == nullptr) throw WrongUsage("help", no_such_command(*command, word));
    command = inner;
  }
  asking.emplace_back("--help");
  return asking;
}

}  // namespace

// --- Arguments --------------------------------------------------------------------------------------------------------

Argument Argument::required() const {
  option_->required();
  return *this;
}
Argument Argument::shown_as(const std::string& word) const {
  option_->option_text(word);
  return *this;
}
Argument Argument::in_group(const std::string& title) const {
  option_->group(title);
  return *this;
}
Argument Argument::needs(Argument other) const {
  option_->needs(other.option_);
  return *this;
}
Argument Argument::excludes(Argument other) const {
  option_->excludes(other.option_);
  return *this;
}

// --- Commands ---------------------------------------------------------------------------------------------------------

Command Command::add(const std::string& name, const std::string& description) const {
  return Command(app_->add_subcommand(name, description));
}
void Command::require_command() const { app_->require_subcommand(1); }
void Command::footer(const std::string& text) const { app_->footer(text); }
void Command::runs(std::function<void()> what) const { app_->callback(std::move(what)); }

Argument Command::one(const std::string& name, std::function<void(const std::string&, const std::string&)> take,
                      const std::string& help) const {
  const std::string option = name.substr(name.rfind(',') + 1);
  return Argument(app_->add_option(
      name,
      [option, take = std::move(take)](const CLI::results_t& texts) {
        take(option, texts.back());
        return true;
      },
      help));
}

Argument Command::text(const std::string& name, std::string& value, const std::string& help) const {
  return Argument(app_->add_option(name, value, help));
}
Argument Command::text(const std::string& name, std::filesystem::path& value, const std::string& help) const {
  return one(
      name, [&value](auto&, auto& text) { value = text; }, help);
}
Argument Command::texts(const std::string& name, std::vector<std::string>& values, const std::string& help) const {
  CLI::Option* const option = app_->add_option(name, values, help);
  if (name.starts_with('-')) option->allow_extra_args(false);  // one value per option: the next word may be an argument
  return Argument(option);
}
Argument Command::flag(const std::string& name, bool& value, const std::string& help) const {
  return Argument(app_->add_flag(name, value, help));
}
Argument Command::number(const std::string& name, double& value, Range range, const std::string& help) const {
  return one(
      name, [&value, range](auto& option, auto& text) { value = number_in(range, option, text); }, help);
}
Argument Command::number(const std::string& name, std::optional<double>& value, Range range,
                         const std::string& help) const {
  return one(
      name, [&value, range](auto& option, auto& text) { value = number_in(range, option, text); }, help);
}
Argument Command::integer(const std::string& name, int& value, Range range, const std::string& help) const {
  return one(
      name, [&value, range](auto& option, auto& text) { value = static_cast<int>(integer_in(range, option, text)); },
      help);
}
Argument Command::integer(const std::string& name, std::int64_t& value, Range range, const std::string& help) const {
  return one(
      name, [&value, range](auto& option, auto& text) { value = integer_in(range, option, text); }, help);
}
Argument Command::bytes(const std::string& name, std::int64_t& value, const std::string& help) const {
  return one(
      name, [&value](auto& option, auto& text) { value = bytes_of(option, text); }, help);
}
Argument Command::choice_of(const std::string& name, std::vector<std::string> words,
                            std::function<void(std::size_t)> take, const std::string& help) const {
  const std::string shown = joined(words, "|");
  const auto check = [words = std::move(words), take = std::move(take)](auto& option, auto& text) {
    const auto found = std::find(words.begin(), words.end(), text);
    if (found == words.end()) {
      const auto near = closest(text, words);
      throw WrongUsage(option,
                       concat(quoted(text), " is no choice.", near ? concat(" Did you mean ", quoted(*near), "?") : "",
                              " Choices: ", joined(words, ", "), "."));
    }
    take(static_cast<std::size_t>(found - words.begin()));
  };
  return one(name, check, help).shown_as(shown);
}
Argument Command::each(const std::string& name, std::function<void(const std::string&)> take,
                       const std::string& help) const {
  CLI::Option* const option = app_->add_option(
      name,
      [take = std::move(take)](const CLI::results_t& texts) {
        for (const std::string& text : texts) take(text);
        return true;
      },
      help);
  option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
  return Argument(option);
}

std::optional<int> run_command_line(const std::string& description, const std::string& version,
                                    const std::function<void(Command)>& add_commands, std::vector<std::string> words) {
  CLI::App app{description, "articula"};
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app.footer("`articula help blocks`, `trajectories`, `tasks` and `signals` list what a study can contain.\n");
  add_commands(Command(&app));
  constexpr int wrong_usage = 2;
  try {
    if (!words.empty() && words.front() == "help") {
      if (const auto topic = help_topic({words.begin() + 1, words.end()})) {
        put_if_possible(*topic);
        return 0;
      }
      words = asking_for_help(app, words);
    }
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
    return std::nullopt;
  } catch (const WrongUsage& error) {
    say_text(usage_message(app, error.what()));
    return wrong_usage;
  } catch (const CLI::ParseError& error) {
    app.failure_message([](const CLI::App* top, const CLI::Error& e) { return usage_message(*top, e.what()); });
    std::ostringstream out, err;
    const bool asked = app.exit(error, out, err) == 0;  // for help or the version
    put_if_possible(out.str());
    say_text(err.str());
    return asked ? 0 : wrong_usage;
  }
}

}  // namespace articula::program
