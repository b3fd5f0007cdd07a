#include "support/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

std::optional<std::string> Browser::program() {
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"}) {
    if (::access(path, X_OK) == 0) return path;
  }
  return std::nullopt;
}

Browser::Browser(const std::string& program, std::chrono::seconds patience) : patience_(patience) {
  std::array<int, 2> in{}, out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const std::string profile_option = "--user-data-dir=" + profile_.path().string();
  ::signal(SIGPIPE, SIG_IGN);  // a browser that has ended is an error of writing
  process_ = ::fork();
  if (process_ == 0) {
    // The protocol is read from descriptor 3 and written to 4; both ends are first moved out of the way.
    ::setpgid(0, 0);
    const int quiet = ::open("/dev/null", O_RDWR);
    const int read_end = ::fcntl(in[0], F_DUPFD, 10), write_end = ::fcntl(out[1], F_DUPFD, 10);
    for (const int number : {0, 1, 2}) ::dup2(quiet, number);
    ::dup2(read_end, 3), ::dup2(write_end, 4);
    ::setenv("HOME", profile_.path().c_str(), 1);
    ::execl(program.c_str(), program.c_str(), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--remote-debugging-pipe", "--host-resolver-rules=MAP * ~NOTFOUND",
            "--window-size=1400,1000", profile_option.c_str(), "about:blank", nullptr);
    ::_exit(127);
  }
  ::close(in[0]), ::close(out[1]);
  to_ = in[1], from_ = out[0];
}

Browser::~Browser() {
  ::close(to_), ::close(from_);
  if (process_ > 0) {
    ::kill(-process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
}

json Browser::receive() {
  const auto end = Clock::now() + patience_;
  while (true) {
    if (const std::size_t zero = received_.find('\0'); zero != std::string::npos) {
      json message = json::parse(received_.substr(0, zero));
      received_.erase(0, zero + 1);
      return message;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd wait{from_, POLLIN, 0};
    if (left <= 0 || ::poll(&wait, 1, static_cast<int>(left)) <= 0) throw std::runtime_error("the browser is silent");
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(from_, buffer.data(), buffer.size());
    if (count <= 0) throw std::runtime_error("the browser has ended");
    received_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void Browser::note(const json& event) {
  const std::string method = event.value("method", "");
  if (event.value("sessionId", "") != session_) return;
  const json& parameters = event.at("params");
  if (method == "Network.requestWillBeSent") {
    requests_.push_back(parameters.at("request").at("url"));
  } else if (method == "Runtime.exceptionThrown" || method == "Runtime.consoleAPICalled" ||
             method == "Log.entryAdded") {
    complaints_.push_back(parameters.dump());
  }
}

json Browser::call(const std::string& method, const json& parameters) {
  json command{{"id", ++count_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) command["sessionId"] = session_;
  const std::string text = command.dump() + '\0';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::write(to_, text.data() + sent, text.size() - sent);
    if (count <= 0) throw std::runtime_error("the browser does not listen");
    sent += static_cast<std::size_t>(count);
  }
  while (true) {
    json message = receive();
    if (message.value("id", 0) != count_) {
      note(message);
    } else if (message.contains("error")) {
      throw std::runtime_error(method + ": " + message["error"].dump());
    } else {
      return message.at("result");
    }
  }
}

json Browser::evaluate(const std::string& expression) {
  const json result =
      call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (result.contains("exceptionDetails"))
    throw std::runtime_error(expression + ": " + result["exceptionDetails"].dump());
  return result.at("result").value("value", json());
}

void Browser::open(const std::string& file, const std::string& ready) {
  session_.clear();
  const json tab = call("Target.createTarget", {{"url", "about:blank"}});
  session_ = call("Target.attachToTarget", {{"targetId", tab.at("targetId")}, {"flatten", true}}).at("sessionId");
  for (const char* domain : {"Page", "Runtime", "Log", "Network"}) call(std::string(domain) + ".enable");
  complaints_.clear(), requests_.clear();
  call("Page.navigate", {{"url", "file://" + fs::absolute(file).string()}});
  const auto end = Clock::now() + patience_;
  while (evaluate(ready) != true) {
    if (Clock::now() > end) throw std::runtime_error("the page does not become ready");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}
