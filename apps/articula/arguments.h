#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "names.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace articula::program {

/// The program was called incorrectly. Commands throw it for errors that they detect; the program ends with exit code
/// 2.
class WrongUsage : public std::runtime_error {
 public:
  WrongUsage(const std::string& option, const std::string& message) : std::runtime_error(option + ": " + message) {}
};

/// An argument or option of a command, to set its properties.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  Argument required() const;
  Argument shown_as(const std::string& word) const;   ///< the placeholder of its value in --help, e.g. FILE
  Argument in_group(const std::string& title) const;  ///< of --help
  Argument needs(Argument other) const;
  Argument excludes(Argument other) const;

 private:
  CLI::Option* option_;
};

/// The range of numbers of an option, including its ends.
struct Range {
  double lowest, highest;
};

template <class Value>
using Choices = std::type_identity_t<std::vector<std::pair<std::string, Value>>>;

/// A command, or the program itself: its arguments, its sub-commands and its action. CLI11 parses them; only
/// arguments.cpp includes it, since it takes seconds to compile.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  Command add(const std::string& name, const std::string& description) const;
  void require_command() const;

  // An option by its names, `-o,--output`, or a positional argument, `FILE`.
  Argument text(const std::string& name, std::string& value, const std::string& help) const;
  Argument text(const std::string& name, std::filesystem::path& value, const std::string& help) const;
  Argument texts(const std::string& name, std::vector<std::string>& values, const std::string& help) const;
  Argument flag(const std::string& name, bool& value, const std::string& help) const;
  Argument number(const std::string& name, double& value, Range range, const std::string& help) const;
  Argument number(const std::string& name, std::optional<double>& value, Range range, const std::string& help) const;
  Argument integer(const std::string& name, int& value, Range range, const std::string& help) const;
  Argument integer(const std::string& name, std::int64_t& value, Range range, const std::string& help) const;
  /// Bytes, with an optional unit: 500MB, 4 GiB.
  Argument bytes(const std::string& name, std::int64_t& value, const std::string& help) const;
  /// One of several words, each with a description.
  template <class Value>
  Argument choice(const std::string& name, Value& value, const Choices<Value>& choices, const std::string& help) const;
  /// Each value is passed to `take`, which throws an Error or WrongUsage to reject it.
  Argument each(const std::string& name, std::function<void(const std::string&)> take, const std::string& help) const;

  void footer(const std::string& text) const;
  void runs(std::function<void()> what) const;

 private:
  Argument one(const std::string& name, std::function<void(const std::string& option, const std::string& text)> take,
               const std::string& help) const;
  Argument choice_of(const std::string& name, std::vector<std::string> words, std::function<void(std::size_t)> take,
                     const std::string& help) const;

  CLI::App* app_;
};

template <class Value>
Argument Command::choice(const std::string& name, Value& value, const Choices<Value>& choices,
                         const std::string& help) const {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : choices) words.push_back(word);
  return choice_of(
      name, std::move(words), [choices, &value](std::size_t k) { value = choices[k].second; }, help);
}

/// Parses the command line and runs the command. Prints help and errors of usage, and returns their exit code; returns
/// nothing if a command ran.
std::optional<int> run_command_line(const std::string& description, const std::string& version,
                                    const std::function<void(Command)>& add_commands, std::vector<std::string> words);

}  // namespace articula::program
