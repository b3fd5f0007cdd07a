// That docs/studies.md is true: its example can be read and run, and it knows every key.
#include "study/study_text.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace articula::test {
namespace {

using testing::HasSubstr;

const std::filesystem::path docs = std::filesystem::path(ARTICULA_SOURCE_DIR) / "docs";

std::string page() {
  std::stringstream text;
  text << std::ifstream(docs / "studies.md").rdbuf();
  return text.str();
}

std::string example() {
  const std::string begin = "```yaml\n", text = page();
  const std::size_t at = text.find(begin) + begin.size();
  return text.substr(at, text.find("```", at) - at);
}

std::string between(const std::string& from, const std::string& to) {
  const std::string text = page();
  const std::size_t at = text.find(from);
  return at == std::string::npos ? "" : text.substr(at, text.find(to, at + 1) - at);
}

TEST(StudiesPage, ItsExampleRunsAndItsChecksPass) {
  Findings findings;
  const Study study = read_study(example(), (docs / "wave.yaml").string(), findings);
  testing_study::Folder folder;
  Store store(folder.path("runs.db"), Store::Access::write);
  const RunReport report = run_study(study, store);
  EXPECT_EQ(report.status, RunStatus::done);
  ASSERT_EQ(report.checks.size(), 3u);
  for (const Verdict& check : report.checks) EXPECT_TRUE(check.result.pass) << check.result.message;
}

TEST(StudiesPage, NamesEveryKey) {
  for (const std::string& key : study_keys()) EXPECT_THAT(between("## The top", "### "), HasSubstr("`" + key + "`"));
  for (const std::string& key : check_keys()) EXPECT_THAT(between("## Checks", "## From"), HasSubstr("`" + key + "`"));
}

}  // namespace
}  // namespace articula::test
