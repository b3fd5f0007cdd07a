#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/temporary_folder.h"

/// A Chromium without a window, led through its debugging pipe. Names of hosts are not resolved for it. Whatever it does
/// not answer within the time is an error, so that no test waits for ever.
class Browser {
 public:
  /// The program's path, if there is one on this machine.
  static std::optional<std::string> program();

  explicit Browser(const std::string& program, std::chrono::seconds patience = std::chrono::seconds(60));
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Opens a file in a fresh tab and waits until `ready`, an expression of JavaScript, is true.
  void open(const std::string& file, const std::string& ready);

  /// The value of an expression of JavaScript; promises are awaited. Throws std::runtime_error if it throws.
  nlohmann::json evaluate(const std::string& expression);

  /// A command of the DevTools protocol to the tab, and its result.
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters = nlohmann::json::object());

  /// What the page complained of since it was opened: errors and warnings of the console, exceptions, policy.
  const std::vector<std::string>& complaints() const { return complaints_; }
  /// The addresses that the page asked for since it was opened, its own first.
  const std::vector<std::string>& requests() const { return requests_; }

 private:
  nlohmann::json receive();
  void note(const nlohmann::json& event);

  articula::test::TemporaryFolder profile_;
  std::string received_, session_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1, count_ = 0;
  std::chrono::seconds patience_;
  std::vector<std::string> complaints_, requests_;
};
