// Parts from other files: relative to the folder of the file that includes them, and never from outside.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "yaml_text.h"

namespace articula::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class YamlInclude : public testing::Test {
 protected:
  YamlInclude() { fs::create_directories(folder_ / "robots" / "parts"); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / "robots" / name) << text;
  }

  Model read_top(const std::string& text, Findings& findings, const ReadOptions& options = {}) const {
    return read_yaml("articula: 1\n" + text, top(), findings, options);
  }
  Model read_top(const std::string& text) const {
    Findings findings;
    return read_top(text, findings);
  }
  /// The error, without the folder.
  std::string error_in(const std::string& text) const {
    try {
      read_top(text);
    } catch (const Error& error) {
      std::string what = error.what();
      const std::string prefix = (folder_ / "robots").string() + "/";
      for (std::size_t at = what.find(prefix); at != std::string::npos; at = what.find(prefix))
        what.erase(at, prefix.size());
      return what;
    }
    return "no error";
  }
  std::string top() const { return (folder_ / "robots" / "cell.yaml").string(); }

  const test::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(YamlInclude, PutsAnotherFileIntoAPart) {
  write("arm.yaml",
        "articula: 1\nname: arm\nbodies: {base: , hand: {mass: 1}}\njoints: {j: {from: base, to: {hand: "
        "{xyz: [0, 0, 1]}}}}\n");
  const Model m = read_top("parts: {left: {include: arm.yaml}, right: {include: arm.yaml}}");
  ASSERT_EQ(m.parts().size(), 2u);
  EXPECT_EQ(m.parts()[0].assembly, m.parts()[1].assembly);
  EXPECT_EQ(m.parts()[0].assembly.at<RigidBody>("hand").mass, 1);
  EXPECT_EQ(m.parts()[0].assembly.find("hand", Family::body)->where.line, 3);
  EXPECT_THAT(m.parts()[0].assembly.find("hand", Family::body)->where.file, testing::EndsWith("robots/arm.yaml"));
}

TEST_F(YamlInclude, PathsStartFromTheFileThatNamesThem) {
  write("parts/finger.yaml", "articula: 1\nbodies: {tip: }\n");
  write("parts/hand.yaml", "articula: 1\nparts: {thumb: {include: finger.yaml}, other: {include: ../palm.yaml}}\n");
  write("palm.yaml", "articula: 1\n");
  const Model m = read_top("parts: {hand: {include: parts/hand.yaml}}");
  EXPECT_NE(m.find_path("hand/thumb/tip", Family::body), nullptr);
}

TEST_F(YamlInclude, ErrorsAreInTheIncludedFile) {
  write("arm.yaml", "articula: 1\nbodies: {a: {mass: x}}\n");
  EXPECT_EQ(error_in("parts: {left: {include: arm.yaml}}"),
            "arm.yaml:2: body \"a\": mass: \"x\" is not a number. Write e.g. 0.5 or 1e-3.  [number-invalid]");
}

TEST_F(YamlInclude, RefusesFilesOutsideTheFolderOfTheTopFile) {
  std::ofstream(folder_ / "secret.yaml") << "articula: 1\n";
  fs::create_symlink(folder_ / "secret.yaml", folder_ / "robots" / "link.yaml");
  fs::create_directory_symlink(folder_, folder_ / "robots" / "out");
  const std::string outside =
      ", which leads out of the folder of the top file. Only files inside it are allowed; move the file "
      "there.  [include-outside]";
  EXPECT_EQ(error_in("parts: {a: {include: ../secret.yaml}}"),
            "cell.yaml:2: part \"a\": include is \"../secret.yaml\"" + outside);
  EXPECT_EQ(error_in("parts: {a: {include: link.yaml}}"),
            "cell.yaml:2: part \"a\": include is \"link.yaml\"" + outside);
  EXPECT_EQ(error_in("parts: {a: {include: out/secret.yaml}}"),
            "cell.yaml:2: part \"a\": include is \"out/secret.yaml\"" + outside);
  EXPECT_EQ(error_in("parts: {a: {include: /etc/passwd}}"),
            "cell.yaml:2: part \"a\": include is \"/etc/passwd\". Only relative paths are allowed, inside "
            "the folder of the top file.  [include-outside]");
}

TEST_F(YamlInclude, RefusesCyclesAndNamesTheChain) {
  write("a.yaml", "articula: 1\nparts: {x: {include: b.yaml}}\n");
  write("b.yaml", "articula: 1\nparts: {x: {include: a.yaml}}\n");
  write("cell.yaml", "articula: 1\nparts: {x: {include: cell.yaml}}\n");
  EXPECT_EQ(error_in("parts: {a: {include: a.yaml}}"),
            "b.yaml:2: part \"x\": include: a.yaml includes b.yaml includes a.yaml. A file cannot include "
            "itself; break the cycle.  [include-cycle]");
  EXPECT_EQ(error_in("parts: {a: {include: cell.yaml}}"),
            "cell.yaml:2: part \"a\": include: cell.yaml includes cell.yaml. A file cannot include itself; "
            "break the cycle.  [include-cycle]");
}

TEST_F(YamlInclude, RefusesEndlessChainsAndCrowds) {
  for (int k = 0; k < 40; ++k)
    write("f" + std::to_string(k) + ".yaml",
          "articula: 1\nparts: {x: {include: f" + std::to_string(k + 1) + ".yaml}}\n");
  EXPECT_THAT(error_in("parts: {a: {include: f0.yaml}}"),
              HasSubstr("more than 16 files include one another. Write fewer, larger files.  [include-too-many]"));
  write("g3.yaml", "articula: 1\n");
  for (int k = 0; k < 3; ++k) {
    std::string text = "articula: 1\nparts:\n";
    for (int i = 0; i < 20; ++i)
      text += "  x" + std::to_string(i) + ": {include: g" + std::to_string(k + 1) + ".yaml}\n";
    write("g" + std::to_string(k) + ".yaml", text);
  }
  EXPECT_THAT(error_in("parts: {a: {include: g0.yaml}}"),
              HasSubstr("more than 1000 files are included. Write fewer, larger files.  [include-too-many]"));
}

TEST_F(YamlInclude, RefusesALargeFileManyTimes) {
  // 999 times 4000 bodies from less than 100 kB.
  std::string leaf = "articula: 1\nbodies:\n", text = "parts:\n";
  for (int k = 0; k < 4000; ++k) leaf += "  b" + std::to_string(k) + ":\n";
  for (int k = 0; k < 999; ++k) text += "  p" + std::to_string(k) + ": {include: leaf.yaml}\n";
  write("leaf.yaml", leaf);
  EXPECT_THAT(
      error_in(text),
      testing::StartsWith("cell.yaml:17: part \"p14\": include: files that are included again, and aliases in "
                          "them, stand for more than 104363 values. Include fewer copies.  [include-too-large]"));
  write("leaf.yaml", "articula: 1\n#" + std::string(400'000, '-') + "\n");
  EXPECT_THAT(error_in(text),
              testing::StartsWith("cell.yaml:14: part \"p11\": include: files that are included again have "
                                  "more than 4194304 bytes. Include fewer copies.  [include-too-large]"));
}

TEST_F(YamlInclude, CountsAliasesOfIncludedFiles) {
  std::string leaf = "articula: 1\nparts:\n  a: &a\n    bodies: {x0: ", text = "parts:\n";
  for (int k = 1; k < 1000; ++k) leaf += ", x" + std::to_string(k) + ": ";
  leaf += "}\n";
  for (int k = 0; k < 40; ++k) leaf += "  b" + std::to_string(k) + ": *a\n";
  for (int k = 0; k < 10; ++k) {
    write("leaf" + std::to_string(k) + ".yaml", leaf);
    text += "  p" + std::to_string(k) + ": {include: leaf" + std::to_string(k) + ".yaml}\n";
  }
  EXPECT_THAT(error_in(text), HasSubstr("part \"p1\": include: files that are included again, and aliases"));
}

TEST_F(YamlInclude, RefusesWhatIsNoFile) {
  EXPECT_EQ(error_in("parts: {a: {include: gone.yaml}}"),
            "cell.yaml:2: part \"a\": include is \"gone.yaml\", which is not there or not a file. Check the "
            "path; it starts from the folder of the file that names it.  [include-missing]");
  EXPECT_THAT(error_in("parts: {a: {include: parts}}"), HasSubstr("[include-missing]"));
  EXPECT_THAT(error_in("parts: {a: {include: [x]}}"),
              HasSubstr("include is a list. The relative path of a file is needed, e.g. arm.yaml.  [value-type]"));
  EXPECT_THAT(error_in("parts: {a: {include: x.yaml, bodies: }}"),
              HasSubstr("key \"bodies\" is not known here. Allowed: include.  [key-unknown]"));
}

TEST_F(YamlInclude, ATextThatComesFromNoFileIncludesNothing) {
  Findings findings;
  try {
    read_yaml("articula: 1\nparts: {a: {include: x.yaml}}", "", findings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "line 2: part \"a\": include is \"x.yaml\". A text that comes from no file cannot include "
                 "any.  [include-outside]");
  }
}

TEST_F(YamlInclude, WhatAnIncludedFileCannotSayIsReported) {
  write("arm.yaml", "articula: 1\nname: arm\nenvironment: {gravity: [0, 0, 0]}\nimported: true\n");
  Findings findings;
  read_top("parts: {a: {include: arm.yaml}}", findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_THAT(to_text(findings[0]), HasSubstr("arm.yaml:3: environment of an included file is not used. It "
                                              "is the including file's to say.  [part-ignored]"));
  ReadOptions strict;
  strict.strict = true;
  EXPECT_THROW(read_top("parts: {a: {include: arm.yaml}}", findings, strict), Error);
  write("arm.yaml", "articula: 1\nworld: {frames: {a: }}\n");
  EXPECT_THAT(error_in("parts: {a: {include: arm.yaml}}"),
              HasSubstr("arm.yaml:2: world: World is outside of every part. Give the part a body to attach "
                        "it by.  [part-mentions-world]"));
  write("arm.yaml", "articula: 1\nbodis: {a: }\n");
  EXPECT_THAT(error_in("parts: {a: {include: arm.yaml}}"),
              HasSubstr("arm.yaml:2: key \"bodis\" is not known here. Did you mean \"bodies\"?"));
  write("arm.yaml", "bodies: {a: }\n");
  EXPECT_THAT(error_in("parts: {a: {include: arm.yaml}}"), HasSubstr("[format-version]"));
}

}  // namespace
}  // namespace articula::test
