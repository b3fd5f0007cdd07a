// The first example of README.md is complete: its files, saved under their names, and its commands.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.h"

namespace {

struct Snippet {
  std::string language, text;
};

/// The fenced blocks under a heading.
std::vector<Snippet> snippets_under(const std::string& page, const std::string& heading) {
  std::istringstream lines(page);
  std::vector<Snippet> found;
  bool here = false, inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!inside && line.starts_with("## ")) here = line == heading;
    if (!here) continue;
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) found.push_back({line.substr(3), ""});
    } else if (inside) {
      found.back().text += line + "\n";
    }
  }
  return found;
}

TEST(Readme, TheFirstExampleRunsWhenPasted) {
  std::stringstream page;
  page << std::ifstream(ARTICULA_SOURCE_DIR "/README.md").rdbuf();
  const TemporaryFolder folder;
  std::string commands;
  for (const Snippet& snippet : snippets_under(page.str(), "## A first example")) {
    if (snippet.language == "sh") {
      commands += snippet.text;
    } else if (snippet.language == "json") {
      folder.file("states.json", snippet.text);
    } else {
      // The first line names the file: `# elbow.yaml`.
      ASSERT_EQ(snippet.text.rfind("# ", 0), 0u) << snippet.text;
      folder.file(snippet.text.substr(2, snippet.text.find('\n') - 2), snippet.text);
    }
  }
  EXPECT_GE(std::count(commands.begin(), commands.end(), '\n'), 8);
  std::istringstream lines(commands);
  for (std::string line; std::getline(lines, line);) {
    ASSERT_EQ(line.rfind("articula ", 0), 0u) << line;
    const Outcome run = articula_program(line.substr(9, line.find('#') - 9), "cd '" + folder.path("") + "' && ");
    EXPECT_EQ(run.code, 0) << line << "\n" << run.out << run.err;
  }
}

}  // namespace
