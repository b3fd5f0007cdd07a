#include "cli/program.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <sys/wait.h>

static std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

Outcome articula_program(const std::string& arguments, const std::string& before) {
  const TemporaryFolder folder;
  const std::string out = folder.path("out"), err = folder.path("err");
  const std::string command = "cd '" ARTICULA_SOURCE_DIR "' && " + before + "'" ARTICULA_PROGRAM "' " + arguments +
                              " >'" + out + "' 2>'" + err + "' </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(out), text_of(err)};
}
