#include <articula/text/json.h>

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "support/names.h"

namespace articula::test {
namespace {

std::string written(JsonLayout layout) {
  JsonWriter json(layout);
  json.open('{');
  json.key("name"), json.string("a\"<b>\n\xC3\xA4");
  json.key("list"), json.open('['), json.number(0.5), json.count(12), json.close(']');
  json.key("none"), json.open('{'), json.close('}');
  json.written_key("\"last\""), json.number(-3);
  json.close('}');
  return json.text();
}

TEST(Json, layouts_differ_in_blanks_and_escapes) {
  EXPECT_EQ(written(JsonLayout::spaced),
            "{\"name\": \"a\\\"<b>\\n\xC3\xA4\", \"list\": [0.5, 12], \"none\": {}, \"last\": -3}");
  EXPECT_EQ(written(JsonLayout::compact),
            "{\"name\":\"a\\\"<b>\\n\xC3\xA4\",\"list\":[0.5,12],\"none\":{},\"last\":-3}");
  EXPECT_EQ(written(JsonLayout::in_script),
            R"({"name":"a\"\u003cb\u003e\n\u00e4","list":[0.5,12],"none":{},"last":-3})");
}

TEST(Json, another_reader_reads_it_back) {
  for (const JsonLayout layout : {JsonLayout::spaced, JsonLayout::compact, JsonLayout::in_script}) {
    const nlohmann::json read = nlohmann::json::parse(written(layout));
    EXPECT_EQ(read.at("name"), "a\"<b>\n\xC3\xA4");
    EXPECT_EQ(read.at("list"), nlohmann::json::parse("[0.5, 12]"));
    EXPECT_EQ(read.at("last"), -3);
  }
}

TEST(Json, numbers_read_back_as_the_same_double) {
  for (const double value : {0.1, -0.0, 1e300, 5e-324, 1.0 / 3, 123456789012345680.0}) {
    JsonWriter json;
    json.number(value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(nlohmann::json::parse(json.text()).get<double>()),
              std::bit_cast<std::uint64_t>(value))
        << json.text();
  }
}

TEST(Json, what_is_not_finite_is_null) {
  JsonWriter json(JsonLayout::compact);
  json.open('['), json.number(std::numeric_limits<double>::infinity());
  json.number(std::numeric_limits<double>::quiet_NaN()), json.close(']');
  EXPECT_EQ(json.text(), "[null,null]");
}

TEST(Json, text_that_is_not_utf8_is_replaced) {
  EXPECT_EQ(json_string("a\xFF"), "\"a\xEF\xBF\xBD\"");
  EXPECT_EQ(json_string("a\xFF", JsonLayout::in_script), "\"a\\ufffd\"");
  EXPECT_EQ(json_string("</script>&", JsonLayout::in_script), "\"\\u003c/script\\u003e\\u0026\"");
}

}  // namespace
}  // namespace articula::test
