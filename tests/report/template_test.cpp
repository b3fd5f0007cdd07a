#include <articula/report/internal/template.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/names.h"

namespace articula::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Template, values_are_escaped_unless_they_are_html) {
  const json values{{"a", "<b> & \"c\""}, {"n", 12}};
  EXPECT_EQ(filled("{{a}}|{{{a}}}|{{n}}", values), "&lt;b&gt; &amp; &quot;c&quot;|<b> & \"c\"|12");
}

TEST(Template, what_was_put_in_is_not_looked_at_again) {
  const json values{{"a", "{{b}}{{{b}}}{{#b}}"}, {"b", "no"}};
  EXPECT_EQ(filled("{{a}} {{{a}}}", values), "{{b}}{{{b}}}{{#b}} {{b}}{{{b}}}{{#b}}");
}

TEST(Template, sections_repeat_lists) {
  const json values{{"list", {{{"x", 1}}, {{"x", 2}}}}, {"words", {"a", "<"}}, {"none", json::array()}, {"x", 9}};
  EXPECT_EQ(filled("{{x}}:{{#list}}{{x}},{{/list}} {{#words}}[{{.}}{{{.}}}]{{/words}}{{#none}}no{{/none}}", values),
            "9:1,2, [aa][&lt;<]");
}

TEST(Template, lists_of_lists_repeat_themselves) {
  const json values{{"rows", {{"1", "2"}, {"3"}}}};
  EXPECT_EQ(filled("{{#rows}}({{#.}}{{.}};{{/.}}){{/rows}}", values), "(1;2;)(3;)");
}

TEST(Template, sections_of_nothing_are_left_out) {
  const json values{{"null", nullptr}, {"no", false}, {"yes", true}, {"empty", ""}, {"text", "t"}, {"zero", 0}};
  for (const char* nothing : {"null", "no", "empty"}) {
    const std::string name = nothing;
    EXPECT_EQ(filled("{{#" + name + "}}there{{/" + name + "}}{{^" + name + "}}nothing{{/" + name + "}}", values),
              "nothing");
  }
  for (const char* something : {"yes", "text", "zero"}) {
    const std::string name = something;
    EXPECT_EQ(filled("{{#" + name + "}}there{{/" + name + "}}{{^" + name + "}}nothing{{/" + name + "}}", values),
              "there");
  }
}

TEST(Template, sections_of_one_name_can_stand_in_each_other) {
  const json values{{"a", {{"a", {{"b", "inner"}}}, {"b", "outer"}}}};
  EXPECT_EQ(filled("{{#a}}{{b}} {{#a}}{{b}}{{/a}}.{{/a}}", values), "outer inner.");
}

TEST(Template, a_line_with_the_tag_of_a_section_leaves_none) {
  EXPECT_EQ(filled("a\n{{#x}}\nb\n{{/x}}\n\nc {{x}}\n", {{"x", "t"}}), "a\nb\n\nc t\n");
}

TEST(Template, mistakes_in_a_template_are_found) {
  const auto why = [](const char* page) {
    try {
      filled(page, {{"a", 1}});
    } catch (const std::logic_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(why("{{b}}"), HasSubstr("no value for b"));
  EXPECT_THAT(why("{{a"), HasSubstr("not closed"));
  EXPECT_THAT(why("{{#a}}"), HasSubstr("a of the template does not end"));
}

}  // namespace
}  // namespace articula::test
