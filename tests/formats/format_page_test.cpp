// docs/format.md is correct: its examples can be read, and it describes every kind, port and property.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/formats/yaml_reader.h>
#include <articula/formats/yaml_writer.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

std::string page() {
  std::ifstream in(std::filesystem::path(ARTICULA_SOURCE_DIR) / "docs" / "format.md");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> examples() {
  const std::string begin = "```yaml\n", text = page();
  std::vector<std::string> found;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    at += begin.size();
    found.push_back(text.substr(at, text.find("```", at) - at));
  }
  return found;
}

/// The text of the page about a kind: from the line with its section and kind to the next heading.
std::string passage(std::string_view section, std::string_view kind) {
  const std::string text = page();
  for (std::size_t at = text.find("\n### "); at != std::string::npos; at = text.find("\n### ", at + 1)) {
    const std::string part = text.substr(at, text.find("\n#", at + 1) - at);
    if (part.find("kind `" + std::string(kind) + "`") != std::string::npos &&
        part.find("`" + std::string(section) + "`") != std::string::npos)
      return part;
  }
  return "";
}

TEST(FormatPage, ItsExamplesAreModels) {
  ASSERT_GE(examples().size(), 4u);
  for (const std::string& example : examples()) {
    Findings findings;
    Model model;
    ASSERT_NO_THROW(model = read_yaml(example, "format.md", findings)) << example;
    EXPECT_EQ(read_yaml(write_yaml(model), "again", findings), model);
  }
}

template <class K>
void expect_described(const K& kind) {
  const std::string text = passage(K::section, K::name);
  ASSERT_FALSE(text.empty()) << "no passage about " << K::name;
  K::fields(kind, [&](std::string_view name, const auto&, const Dimension&) {
    EXPECT_THAT(text, HasSubstr("`" + std::string(name) + "`")) << K::name;
  });
  if constexpr (!requires { kind.frames; }) {
    kind.ports([&](std::string_view name, PortType) {
      EXPECT_THAT(text, HasSubstr("`" + std::string(name) + "`")) << K::name;
    });
  }
}

template <std::size_t... k>
void expect_all_described(std::index_sequence<k...>) {
  (expect_described(std::variant_alternative_t<k, Kind>{}), ...);
}

TEST(FormatPage, DescribesEveryKindWithItsPortsAndProperties) {
  expect_all_described(std::make_index_sequence<std::variant_size_v<Kind>>());
}

TEST(FormatPage, DescribesEveryTypeOfJoint) {
  for (const JointKind kind : all_joint_kinds) {
    Joint joint;
    joint.kind = kind;
    EXPECT_THAT(passage("joints", "joint"), HasSubstr("`" + std::string(traits(kind).name) + "`"));
    Joint::fields(joint, [&](std::string_view name, const auto&, const Dimension&) {
      EXPECT_THAT(passage("joints", "joint"), HasSubstr("`" + std::string(name) + "`"));
    });
  }
}

TEST(FormatPage, NamesEveryKeyOfTheTop) {
  Findings findings;
  try {
    read_yaml("articula: 1\nunknown_key: 1", "x", findings);
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.message();
    std::stringstream keys(message.substr(message.find("Allowed: ") + 9));
    const std::string top = page().substr(0, page().find("### Names"));
    for (std::string key; std::getline(keys, key, ',');) {
      key = key.substr(key.find_first_not_of(' '));
      if (key.back() == '.') key.pop_back();
      EXPECT_THAT(top, HasSubstr("`" + key + "`"));
    }
  }
}

}  // namespace
}  // namespace articula::test
