// docs/errors.md explains every code of a message, with an example, and no other code.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Quoted words with hyphens in sources that are not codes.
const std::set<std::string> no_codes{};

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A text such as "joint-axis-zero": only codes are written like this in the sources.
std::set<std::string> codes_in_text(const std::string& text) {
  static const std::regex literal(R"re("([a-z]+(?:-[a-z]+)+)")re");
  std::set<std::string> codes;
  for (std::sregex_iterator match(text.begin(), text.end(), literal), end; match != end; ++match) {
    if (!no_codes.contains((*match)[1])) codes.insert((*match)[1]);
  }
  return codes;
}

/// By code, the files that mention it.
std::map<std::string, std::string> codes_in_sources(const fs::path& root) {
  std::map<std::string, std::string> codes;
  for (const char* folder : {"src", "apps"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path extension = entry.path().extension();
      if (!entry.is_regular_file() || (extension != ".h" && extension != ".cpp")) continue;
      for (const std::string& code : codes_in_text(text_of(entry.path()))) {
        codes[code] += (codes[code].empty() ? "" : ", ") + entry.path().lexically_relative(root).string();
      }
    }
  }
  return codes;
}

/// By code, the text under its heading.
std::map<std::string, std::string> sections(const std::string& page) {
  static const std::regex heading(R"re(^#+ ([a-z]+(?:-[a-z]+)+)$)re");
  std::map<std::string, std::string> found;
  std::istringstream lines(page);
  std::string current;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, heading)) {
      current = match[1];
      found[current] = "";
    } else if (line.starts_with('#')) {
      current.clear();
    } else if (!current.empty()) {
      found[current] += line + '\n';
    }
  }
  return found;
}

const fs::path root = ARTICULA_SOURCE_DIR;

TEST(Errors, EveryCodeIsExplained) {
  const auto explained = sections(text_of(root / "docs/errors.md"));
  for (const auto& [code, files] : codes_in_sources(root)) {
    EXPECT_TRUE(explained.contains(code)) << code << ", of " << files << ", has no heading in docs/errors.md";
  }
}

TEST(Errors, NoCodeIsExplainedThatIsNotThere) {
  const auto codes = codes_in_sources(root);
  for (const auto& [code, text] : sections(text_of(root / "docs/errors.md"))) {
    EXPECT_TRUE(codes.contains(code)) << code << " of docs/errors.md stands in no source";
  }
}

TEST(Errors, EveryExplanationHasAnExample) {
  for (const auto& [code, text] : sections(text_of(root / "docs/errors.md"))) {
    EXPECT_NE(text.find("\n    "), std::string::npos) << code;
    EXPECT_NE(text.find("  [" + code + "]\n"), std::string::npos) << code << ": an example ends with its code";
    EXPECT_GT(text.find("\n    "), 10u) << code << ": first it says what it means";
  }
}

TEST(Errors, CodesAreFoundWhereverTheyStand) {
  EXPECT_THAT(
      codes_in_text(R"(throw Error("mass-negative", where, "a body-like text"); x ? "unit-unknown" : "number";)"),
      ElementsAre("mass-negative", "unit-unknown"));
  EXPECT_THAT(codes_in_text(R"({"release", "--json", "a_b", "x-1", "-", "no-such-", "Upper-case"})"), IsEmpty());
}

TEST(Errors, HeadingsAreReadWithWhatStandsUnderThem) {
  const auto found = sections("# Page\n### a-b\ntext\n\n    x.  [a-b]\n## Group\nmore\n### c-d\n");
  EXPECT_EQ(found.size(), 2u);
  EXPECT_EQ(found.at("a-b"), "text\n\n    x.  [a-b]\n");
  EXPECT_EQ(found.at("c-d"), "");
}

}  // namespace
