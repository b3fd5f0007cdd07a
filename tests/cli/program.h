#pragma once

#include <string>

/// What a run of the real program printed and ended with.
struct Outcome {
  int code = -1;
  std::string out, err;
};

/// Runs `articula ARGUMENTS` in the shell, in the source folder, without a terminal; `before` comes before it.
Outcome articula_program(const std::string& arguments, const std::string& before = "");

/// A folder of its own that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name, const std::string& text) const;
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};
