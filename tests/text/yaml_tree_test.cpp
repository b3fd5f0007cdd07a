// The accepted YAML, and the errors of YAML that is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/text/internal/yaml_tree.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

YamlTree parse(std::string_view text) {
  Findings findings;
  YamlLog log(findings);
  YamlTree tree = YamlTree::parse(text, "arm.yaml", log);
  log.throw_if_errors();
  return tree;
}

std::string error_in(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

/// A node as flow text, to compare whole trees at once. Quoted scalars keep their quotes.
std::string shown(const YamlNode& node) {
  if (node.is_scalar()) return node.is_plain() ? std::string(node.text()) : "\"" + std::string(node.text()) + "\"";
  std::string all;
  for (std::size_t k = 0; k < node.size(); ++k) {
    if (k > 0) all += ", ";
    all += node.is_mapping() ? shown(node.key(k)) + ": " + shown(node.value(k)) : shown(node.item(k));
  }
  return node.is_mapping() ? "{" + all + "}" : "[" + all + "]";
}

std::string tree_of(std::string_view text) { return shown(parse(text).root()); }

TEST(YamlTree, HoldsScalarsListsAndMappingsInOrder) {
  EXPECT_EQ(tree_of("b: 1\na: [x, 'y', {z: }]\nc:\n  - d\n  - e: \"f\\n\""),
            "{b: 1, a: [x, \"y\", {z: }], c: [d, {e: \"f\n\"}]}");
}

TEST(YamlTree, KnowsTheLineOfEveryNode) {
  const YamlTree tree = parse("# first\na: 1\nb:\n  - x\n  - y\n");
  const YamlNode root = tree.root();
  EXPECT_EQ(root.key(0).line(), 2);
  EXPECT_EQ(root.key(1).line(), 3);
  EXPECT_EQ(root.value(1).item(1).line(), 5);
}

TEST(YamlTree, SeesNothingWhereNothingIsWritten) {
  const YamlTree tree = parse("{a: , b: ~, c: null, d: '', e: 'null', f: x}");
  const YamlNode root = tree.root();
  for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(root.value(k).is_null()) << k;
  for (std::size_t k = 3; k < 6; ++k) EXPECT_FALSE(root.value(k).is_null()) << k;
}

TEST(YamlTree, TakesByteOrderMarkCarriageReturnsAndOneDocumentWithMarkers) {
  EXPECT_EQ(tree_of("\xef\xbb\xbf"
                    "a: 1\r\nb: 2\r\n"),
            "{a: 1, b: 2}");
  EXPECT_EQ(tree_of("%YAML 1.1\n# a model\n---\na: 1\n...\n# the end\n\n"), "{a: 1}");
  EXPECT_EQ(tree_of("größe: 1\n臂: 2"), "{größe: 1, 臂: 2}");
}

TEST(YamlTree, AnAliasIsTheNodeItStandsFor) {
  EXPECT_EQ(tree_of("a: &x {m: 1}\nb: *x\nc: [*x, *x]"), "{a: {m: 1}, b: {m: 1}, c: [{m: 1}, {m: 1}]}");
  EXPECT_EQ(tree_of("a: &x 1\nb: &x 2\nc: *x"), "{a: 1, b: 2, c: 2}");
  EXPECT_EQ(error_in("a: *x"),
            "arm.yaml:1: alias *x stands for nothing. Write its anchor &x before it, on a value that does "
            "not hold the alias "
            "itself.  [alias-unknown]");
  EXPECT_THAT(error_in("a: &x [1, *x]"), HasSubstr("[alias-unknown]"));
}

TEST(YamlTree, RefusesAnAliasBomb) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 30; ++k) {
    const std::string before = "*a" + std::to_string(k - 1), name = "a" + std::to_string(k);
    bomb += name + ": &" + name + " [" + repeated(before + ", ", 9) + before + "]\n";
  }
  EXPECT_THAT(error_in(bomb), StartsWith("arm.yaml:5: with alias *a3 the aliases stand for more than 10"));
  EXPECT_THAT(error_in(bomb), HasSubstr("Write large things once, e.g. as a part.  [alias-bomb]"));
}

TEST(YamlTree, RefusesAliasesToLongTexts) {
  const std::string text = "a: &x " + std::string(500'000, 'x') + "\nb: [*x, *x" + repeated(", *x", 10'000) + "]\n";
  EXPECT_EQ(error_in(text),
            "arm.yaml:2: with alias *x the aliases stand for more than 1540019 characters. Write large things once, "
            "e.g. as a part.  [alias-bomb]");
  EXPECT_EQ(error_in("a: &x " + std::string(500'000, 'x') + "\nb: [*x, *x]\n"), "no error");
}

TEST(YamlTree, CitesBothLinesOfAKeyThatStandsTwice) {
  EXPECT_EQ(error_in("a: 1\nb: 2\na: 3\n"),
            "arm.yaml:3: key \"a\" stands twice in one mapping, first on line 1. Keys are unique; rename or "
            "remove one of them."
            "  [key-duplicate]");
  std::string many;
  for (int k = 0; k < 40; ++k) many += "k" + std::to_string(k) + ": 1\n";
  EXPECT_EQ(error_in(many), "no error");
  EXPECT_THAT(error_in(many + "k7: 2\n"),
              StartsWith("arm.yaml:41: key \"k7\" stands twice in one mapping, first on line 8."));
}

TEST(YamlTree, OfTwoEqualKeysTheFirstCounts) {
  Findings findings;
  YamlLog log(findings);
  const YamlTree tree = YamlTree::parse("{a: 1, b: 2, a: 3, b: 4, c: 5}", "arm.yaml", log);
  EXPECT_TRUE(log.has_errors());
  EXPECT_EQ(shown(tree.root()), "{a: 1, b: 2, c: 5}");
}

TEST(YamlTree, StopsAfterAHundredErrors) {
  const std::string text = error_in("{a: 0" + repeated(", a: 1", 5000) + "}");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 100);
  EXPECT_THAT(text,
              testing::EndsWith("arm.yaml:1: reading stops after 100 errors. Mend these first.  [too-many-errors]"));
}

TEST(YamlTree, KeysAreTexts) {
  EXPECT_EQ(error_in("[a]: 1"),
            "arm.yaml:1: a list or mapping is used as a key. Keys are texts; put quotes around it.  [key-invalid]");
  EXPECT_THAT(error_in("? {a: 1}\n: 1"), HasSubstr("[key-invalid]"));
}

TEST(YamlTree, CoreTagsAreTakenOthersRefused) {
  EXPECT_EQ(tree_of("{a: !!str 1, b: !!int 1, c: !!float 1, d: !!bool true, e: !!null , f: !!seq [], g: !!map {}}"),
            "{a: \"1\", b: 1, c: 1, d: true, e: , f: [], g: {}}");
  EXPECT_EQ(error_in("a: !!python/object:os.system x"),
            "arm.yaml:1: tag \"tag:yaml.org,2002:python/object:os.system\" is not known. Allowed: !!str, "
            "!!int, !!float, !!bool, "
            "!!null, !!seq, !!map; best write none.  [yaml-tag]");
  EXPECT_THAT(error_in("a: !own [x]"), HasSubstr("[yaml-tag]"));
  EXPECT_EQ(error_in("%TAG ! tag:example.com,2000:\n---\na: 1"),
            "arm.yaml:1: directive \"%TAG ! tag:example.com,2000:\" is not read. Only %YAML is; take it out. "
            " [yaml-directive]");
}

TEST(YamlTree, HoldsOneDocument) {
  const std::string second =
      "a second document begins. A file holds one model; put the others into files of their own.  "
      "[yaml-documents]";
  EXPECT_EQ(error_in("a: 1\n---\nb: 2\n"), "arm.yaml:2: " + second);
  EXPECT_EQ(error_in("a: 1\n...\n---\nb: 2\n"), "arm.yaml:3: " + second);
  EXPECT_EQ(error_in("---\n---\n"), "arm.yaml:2: " + second);
  EXPECT_EQ(error_in("{a: 1}\nb\n"),
            "arm.yaml:2: the text goes on after the end of the document. Check indentation, brackets and "
            "quotes before this line."
            "  [yaml-syntax]");
}

TEST(YamlTree, RefusesAnEmptyText) {
  const std::string empty = "arm.yaml: the text is empty. A model begins with `articula: 1`.  [text-empty]";
  for (const std::string_view text :
       {"", "\n\n", "# only a comment\n", "\xef\xbb\xbf", "   \t", "...", "\n\n\xef\xbb\xbf"})
    EXPECT_EQ(error_in(text), empty) << text;
}

TEST(YamlTree, RefusesATruncatedTextWithItsLine) {
  EXPECT_EQ(error_in("a: 1\nb: {c: 1,\n  d: [2"),
            "arm.yaml:3: the text is not YAML: did not find expected ',' or ']' while parsing a flow "
            "sequence that begins on line 3. "
            "Check indentation, brackets and quotes up to this line.  [yaml-syntax]");
  EXPECT_THAT(error_in("a: 'never closed\n"),
              HasSubstr("found unexpected end of stream while scanning a quoted scalar that begins on line 1."));
}

TEST(YamlTree, RefusesBinaryTextWithItsLine) {
  EXPECT_EQ(error_in(std::string_view("a: 1\nb: \0\n", 10)),
            "arm.yaml:2: the text holds the control character \"\\x00\". A model is plain text; in names, "
            "write such characters as "
            "escapes in double quotes.  [text-binary]");
  EXPECT_THAT(error_in("\x7f"
                       "ELF\x02\x01\x01"),
              StartsWith("arm.yaml:1: the text holds the control character \"\\x7f\"."));
  EXPECT_THAT(error_in("a: \x1b[31m"), HasSubstr("[text-binary]"));
}

TEST(YamlTree, RefusesWhatIsNotUtf8) {
  EXPECT_EQ(error_in("a: 1\nb: \xff\xfe\n"),
            "arm.yaml:2: the line is not UTF-8. Only UTF-8 is read; save the file as UTF-8.  [text-encoding]");
  EXPECT_EQ(error_in(std::string_view("\xff\xfe"
                                      "a\0:\0",
                                      6)),
            "arm.yaml:1: the text is UTF-16. Only UTF-8 is read; save the file as UTF-8.  [text-encoding]");
  EXPECT_THAT(error_in("a: gr\xf6\xdf"
                       "e"),
              HasSubstr("[text-encoding]"));
  EXPECT_EQ(error_in("a: 1\nb: \xc2\x81\n"),
            "arm.yaml:2: the text holds a character that YAML does not allow: control characters are not "
            "allowed. Write it as an escape "
            "in double quotes.  [text-encoding]");
}

TEST(YamlTree, RefusesEndlessNesting) {
  const std::string brackets = "nested more than 64 brackets deep. No model needs that; flatten it.  [text-too-deep]";
  const std::string levels = "nested more than 200 levels deep. No model needs that; flatten it.  [text-too-deep]";
  EXPECT_EQ(error_in(repeated("[", 200'000)), "arm.yaml:1: the text is " + brackets);
  EXPECT_THAT(error_in(repeated("{a: ", 200'000)), HasSubstr(brackets));
  EXPECT_EQ(error_in(repeated("[\n", 200'000)), "arm.yaml:65: the text is " + brackets);
  EXPECT_THAT(error_in(repeated("- ", 200'000)), HasSubstr(levels));
  EXPECT_THAT(error_in(repeated("? ", 200'000)), HasSubstr(levels));
  EXPECT_EQ(error_in(repeated("[", 64) + repeated("]", 64)), "no error");
}

TEST(YamlTree, AliasesDoNotHideNesting) {
  std::string chain = "a0: &a0 [x]\n";
  for (int k = 1; k < 400; ++k)
    chain += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [*a" + std::to_string(k - 1) + "]\n";
  EXPECT_THAT(error_in(chain), HasSubstr("nested more than 200 levels deep."));
}

}  // namespace
}  // namespace articula::test
