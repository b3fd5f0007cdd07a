// That docs/studies.md is true: its example can be read and run, and it knows every key, kind and property.
#include "study/study_text.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace articula {
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

template <class K>
void expect_line(const std::string& section, std::initializer_list<std::string_view> common) {
  const std::size_t at = section.find("| `" + std::string(K::name) + "` |");
  ASSERT_NE(at, std::string::npos) << K::name;
  const std::string line = section.substr(at, section.find('\n', at) - at);
  K kind{};
  K::fields(kind, [&](std::string_view name, const auto&, const Dimension&) {
    if (std::find(common.begin(), common.end(), name) != common.end()) return;
    EXPECT_THAT(line, HasSubstr("`" + std::string(name) + "`"));
  });
}

template <class... Kinds>
void expect_lines(std::variant<Kinds...>*, const std::string& section, std::initializer_list<std::string_view> common) {
  (expect_line<Kinds>(section, common), ...);
}

TEST(StudiesPage, KnowsEveryTrajectoryAndBlockWithItsProperties) {
  expect_lines(static_cast<TrajectoryKind*>(nullptr), between("## Trajectories", "## Blocks"), {"joints", "moves"});
  expect_lines(static_cast<BlockKind*>(nullptr), between("## Blocks", "## Tasks"), {});
}

template <class K>
void expect_passage() {
  const std::string passage = between("### Task `" + std::string(K::name) + "`", "\n##");
  ASSERT_FALSE(passage.empty()) << K::name;
  K kind{};
  K::fields(kind, [&](std::string_view name, const auto&, const Dimension&) {
    EXPECT_THAT(passage, HasSubstr("`" + std::string(name) + "`"));
  });
}

template <class... Kinds>
void expect_passages(std::variant<Kinds...>*) {
  (expect_passage<Kinds>(), ...);
}

TEST(StudiesPage, KnowsEveryTaskWithItsProperties) { expect_passages(static_cast<TaskKind*>(nullptr)); }

}  // namespace
}  // namespace articula
