// The reader of tables: separators, decimal commas, quotes and units.
#include <articula/text/csv.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::ElementsAre;

std::string error_of(std::string_view text, std::string_view column = "x", std::string_view unit = "") {
  try {
    CsvTable(text, "a.csv").column(column, unit);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CsvTable, ReadsEverySeparator) {
  for (const char* text :
       {"t,x\n0,1.5\n1,2\n", "t;x\n0;1.5\n1;2\n", "t\tx\n0\t1.5\n1\t2\n", "  t   x \n 0 1.5\n\n1  2",
        "# made by hand\nt , x\r\n0 , 1.5\r\n  # more\r\n1 , 2\r\n", "\"t\";\"x\"\n\"0\";\"1.5\"\n1;+2\n"}) {
    SCOPED_TRACE(text);
    const CsvTable table(text, "a.csv");
    EXPECT_THAT(table.column("t"), ElementsAre(0, 1));
    EXPECT_THAT(table.column("x"), ElementsAre(1.5, 2));
  }
}

TEST(CsvTable, ReadsDecimalCommasWhereCommasDoNotSeparate) {
  EXPECT_THAT(CsvTable("t;x\n0,5;1,25e-1\n", "a.csv").column("x"), ElementsAre(0.125));
  EXPECT_THAT(CsvTable("t x\n0,5 -1,25\n", "a.csv").column("x"), ElementsAre(-1.25));
  EXPECT_EQ(error_of("t;x\n0;1,234,567\n"),
            "a.csv:2: column \"x\": \"1,234,567\" is not a number. The decimal mark is a point: write "
            "e.g. 1.5.  [number-invalid]");
}

TEST(CsvTable, ConvertsColumnsWithUnitsToSi) {
  const CsvTable table("t [ms],angle [deg],x [mm],n [-],plain\n500,180,1001,3,4\n", "a.csv");
  EXPECT_THAT(table.column("t"), ElementsAre(0.5));
  EXPECT_THAT(table.column("t [ms]"), ElementsAre(0.5));
  EXPECT_THAT(table.column("angle"), ElementsAre(testing::DoubleEq(3.14159265358979323846)));
  EXPECT_THAT(table.column("x"), ElementsAre(1.001));  // and not 1001·0.001
  EXPECT_THAT(table.column("n"), ElementsAre(3));
  EXPECT_THAT(table.column("plain", "cm"), ElementsAre(0.04));
  EXPECT_EQ(table.dimension("angle"), dimension::angle);
  EXPECT_EQ(table.dimension("n"), dimension::none);
  EXPECT_EQ(table.dimension("plain"), std::nullopt);
  EXPECT_THAT(CsvTable("t [ms] x [mm]\n500 2\n", "a.txt").column("x"), ElementsAre(0.002));
}

TEST(CsvTable, ReadsManyColumns) {
  // By looking through all names for each, 7·10⁹ comparisons.
  std::string names = "t [ms]", row = "1";
  for (int k = 0; k < 120'000; ++k) names += ",column_" + std::to_string(k), row += ",2";
  const CsvTable table(names + "\n" + row + "\n", "a.csv");
  EXPECT_THAT(table.column("t"), ElementsAre(0.001));
  EXPECT_THAT(table.column("column_119999"), ElementsAre(2));
}

TEST(CsvTable, AWholeNameComesBeforeOneWithoutItsUnit) {
  EXPECT_THAT(CsvTable("x [mm],x\n1,2\n", "a.csv").column("x"), ElementsAre(2));
  EXPECT_THAT(CsvTable("x [mm],x [m]\n1,2\n", "a.csv").column("x"), ElementsAre(0.001));
}

TEST(CsvTable, SaysWhatIsWrongWithUnits) {
  EXPECT_THAT(error_of("t,x [daNm]\n0,1\n"),
              testing::StartsWith("a.csv: column \"x [daNm]\": unit \"daNm\": \"daNm\" is not known."));
  EXPECT_EQ(
      error_of("t,x [mm]\n0,1\n", "x", "m"),
      "a.csv: column \"x [mm]\" has the unit \"mm\" in its header, but \"m\" is given for it. Give the unit in one "
      "place.  [csv-unit]");
}

TEST(CsvTable, OfATextThatMayBeNoTableNothingButNumbersIsShown) {
  const auto error_of_foreign = [](std::string_view text) -> std::string {
    try {
      CsvTable(text, "a.csv", CsvTable::Shown::numbers).column("x");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of_foreign("t;x\n0;1,5\n"), "no error");
  EXPECT_EQ(error_of_foreign("t,y,name\n0,1,secret\n"),
            "a.csv: column \"x\" not found. Did you mean \"t\"? Columns: t, y.  [csv-column]");
  EXPECT_EQ(error_of_foreign("secret\nsecret\n"),
            "a.csv: column \"x\" not found. No column of the file holds numbers; is it a table?  [csv-column]");
  EXPECT_EQ(error_of_foreign("t,x\n0,1\n0,secret\n"),
            "a.csv:3: column \"x\": what stands there is not a number.  [number-invalid]");
  EXPECT_EQ(error_of_foreign("t,x [secret]\n"),
            "a.csv: the table has no rows. It is a line of names, then rows of numbers.  [table-empty]");
  EXPECT_EQ(error_of_foreign("secret,secret\n0,1\n"),
            "a.csv:1: two columns are called the same. Each needs a name of its own.  [csv-column]");
}

TEST(CsvTable, KeepsItsNumbersAsAText) {
  const CsvTable table("# secret\n\"a;\"\"b\";t [ms];name;x\n1;0,5;secret;+2\n3;1e-1;secret;-4\n", "a.csv");
  const std::string text = table.text_of_numbers();
  EXPECT_EQ(text, "\"a;\"\"b\";\"t [ms]\";\"x\"\n1;0.5;2\n3;1e-1;-4\n");
  const CsvTable again(text, "b.csv");
  EXPECT_EQ(again.text_of_numbers(), text);
  for (const char* const name : {"a;\"b", "t", "x"}) EXPECT_EQ(again.column(name), table.column(name)) << name;
  const CsvTable one("t [ms],y\n1,a\n2,b\n", "a.csv");
  EXPECT_EQ(CsvTable(one.text_of_numbers(), "b.csv").column("t"), one.column("t"));
}

}  // namespace
}  // namespace articula::test
