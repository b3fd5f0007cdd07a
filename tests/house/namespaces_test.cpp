// A module is a namespace, sees the modules above it, and lifts only its public names into `articula`
// (docs/architecture.md).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const fs::path src = fs::path(ARTICULA_SOURCE_DIR) / "src/articula";

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The matches of a regular expression in a text: its first and second group.
std::vector<std::pair<std::string, std::string>> found(const std::string& text, const std::string& expression) {
  const std::regex wanted(expression);
  std::vector<std::pair<std::string, std::string>> matches;
  for (std::sregex_iterator m(text.begin(), text.end(), wanted), end; m != end; ++m)
    matches.emplace_back((*m)[1], m->size() > 2 ? (*m)[2].str() : "");
  return matches;
}

/// The namespaces other than the module's that a file of `module` with this text opens.
std::vector<std::string> foreign_namespaces(const std::string& text, const std::string& module) {
  std::vector<std::string> foreign;
  const char* const opening = R"((?:^|\n)namespace articula((?:::\w+)*)(\s\{\s(?:class|struct) \w+;\s\})?)";
  for (const auto& [name, rest] : found(text, opening)) {
    const bool own = name == "::" + module || name.starts_with("::" + module + "::");
    const bool forward = !rest.empty();  // a type that another module defines
    if (!own && !forward && name != "::embedded") foreign.push_back("articula" + name);
  }
  return foreign;
}

/// The modules of base/modules.h, in order, with the modules that each sees.
std::vector<std::pair<std::string, std::vector<std::string>>> declared_modules() {
  std::vector<std::pair<std::string, std::vector<std::string>>> modules;
  for (const auto& [module, uses] : found(text_of(src / "base/modules.h"), "\nnamespace (\\w+) \\{(.*)\\}")) {
    modules.emplace_back(module, std::vector<std::string>());
    for (const auto& [seen, nothing] : found(uses, "using namespace (\\w+);")) modules.back().second.push_back(seen);
  }
  return modules;
}

/// The names that articula.h and core.h lift into `articula`: module, name.
std::vector<std::pair<std::string, std::string>> lifted_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const char* header : {"core.h", "articula.h"}) {
    const std::string text = text_of(src / header);
    for (const auto& [list, nothing] : found(text, "\nusing ([^;]*);"))
      for (auto& name : found(list, "(\\w+)::(\\w+)")) names.push_back(std::move(name));
  }
  return names;
}

TEST(Namespaces, every_file_opens_the_namespace_of_its_module) {
  std::vector<std::string> wrong;
  for (const auto& entry : fs::recursive_directory_iterator(src)) {
    const fs::path file = entry.path().lexically_relative(src);
    if (file.extension() != ".h" && file.extension() != ".cpp") continue;
    if (std::distance(file.begin(), file.end()) == 1 || file == "base/modules.h") continue;
    for (const std::string& name : foreign_namespaces(text_of(entry.path()), *file.begin()))
      wrong.push_back(file.string() + ": " + name);
  }
  EXPECT_THAT(wrong, IsEmpty());
}

TEST(Namespaces, a_foreign_namespace_is_found) {
  EXPECT_THAT(foreign_namespaces("namespace articula {\n}\nnamespace articula::build {\n}\n", "model"),
              ElementsAre("articula", "articula::build"));
  EXPECT_THAT(foreign_namespaces("namespace articula::model::internal {\n}\nnamespace "
                                 "articula::build { class Built; }\n",
                                 "model"),
              IsEmpty());
}

TEST(Namespaces, a_module_sees_only_modules_above_it) {
  std::set<std::string> above, folders;
  for (const auto& [module, seen] : declared_modules()) {
    for (const std::string& other : seen) EXPECT_TRUE(above.contains(other)) << module << " sees " << other;
    above.insert(module);
  }
  for (const auto& entry : fs::directory_iterator(src))
    if (entry.is_directory()) folders.insert(entry.path().filename());
  EXPECT_EQ(above, folders);
}

TEST(Namespaces, only_names_of_modules_stand_in_articula) {
  const std::regex lifting("\\s*using \\w+::\\w+(,\\s+\\w+::\\w+)*\\s*");
  for (const char* header : {"core.h", "articula.h"}) {
    const std::string text = text_of(src / header);
    const std::string opening = "\nnamespace articula {\n";
    const std::size_t begin = text.find(opening), end = text.find("}  // namespace articula\n");
    ASSERT_NE(begin, std::string::npos) << header;
    ASSERT_NE(end, std::string::npos) << header;
    EXPECT_EQ(text.find("namespace articula", begin + opening.size()), end + std::string("}  // ").size()) << header;
    std::istringstream inside(text.substr(begin + opening.size(), end - begin - opening.size()));
    for (std::string statement; std::getline(inside, statement, ';');) {
      const bool blank = statement.find_first_not_of(" \n") == std::string::npos;
      EXPECT_TRUE(blank || std::regex_match(statement, lifting)) << header << ": " << statement;
    }
  }
}

TEST(Namespaces, lifted_names_are_public_and_lifted_once) {
  std::map<std::string, std::string> headers;  // of each module, those that are installed
  for (const auto& entry : fs::recursive_directory_iterator(src)) {
    const fs::path file = entry.path().lexically_relative(src);
    if (file.extension() == ".h" && file.string().find("internal/") == std::string::npos)
      headers[*file.begin()] += text_of(entry.path());
  }
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& [module, name] : lifted_names()) {
    EXPECT_TRUE(std::regex_search(headers[module], std::regex("\\b" + name + "\\b"))) << module << "::" << name;
    EXPECT_TRUE(seen.insert({module, name}).second || name == "to_text")
        << module << "::" << name << " is lifted twice";
  }
  EXPECT_GT(seen.size(), 100u);
}

// `load` is lifted from formats/, and not the `load` of packs: what helps
// algorithms stays in its module.
TEST(Namespaces, helpers_of_algorithms_stay_in_their_modules) {
  std::vector<std::string> helpers;
  for (const auto& [module, name] : lifted_names()) {
    const bool is_type = std::isupper(static_cast<unsigned char>(name[0])) != 0;
    if (!is_type && name != "to_text" &&
        (module == "scalar" || module == "text" || module == "dynamics" || module == "closure"))
      helpers.push_back(module + "::" + name);
  }
  EXPECT_THAT(helpers, IsEmpty());
}

}  // namespace
