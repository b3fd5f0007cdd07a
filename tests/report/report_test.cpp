#include <articula/report/report.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <articula/report/internal/figures.h>
#include <articula/report/internal/thin.h>
#include <articula/text/sha256.h>

#include "report/report_sample.h"
#include "support/temporary_folder.h"

namespace articula::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using namespace testing_report;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// The text between two marks.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  return text.substr(from + begin.size(), text.find(end, from + begin.size()) - from - begin.size());
}

json data_of(const std::string& page) { return json::parse(between(page, "id=\"data\">", "</script>")); }

// Thinning ------------------------------------------------------------------------------------------------------------

TEST(KeptRows, OfAShortSignalAreAll) {
  EXPECT_THAT(kept_rows(std::vector{3., 1., 2.}, 8), ElementsAre(0, 1, 2));
  EXPECT_THAT(kept_rows({}, 8), IsEmpty());
}

TEST(KeptRows, AreFewRiseAndKeepEndsAndExtremes) {
  std::mt19937 random(4);
  for (const std::size_t size : {9u, 10u, 4001u, 4002u, 50'000u, 1'000'000u}) {
    std::vector<double> values(size);
    for (double& x : values) x = std::normal_distribution()(random);
    for (const std::size_t most : {std::size_t{8}, report_points}) {
      const std::vector<std::size_t> kept = kept_rows(values, most);
      EXPECT_LE(kept.size(), most);
      EXPECT_TRUE(std::adjacent_find(kept.begin(), kept.end(), std::greater_equal()) == kept.end());
      EXPECT_EQ(kept.front(), 0);
      EXPECT_EQ(kept.back(), size - 1);
      const auto at = [&](auto row) { return static_cast<std::size_t>(row - values.begin()); };
      const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
      EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), at(least)));
      EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), at(greatest)));
    }
  }
}

// What is drawn from the kept rows covers, in every stretch, what would be drawn from all.
TEST(KeptRows, KeepTheEnvelopeOfAnOscillation) {
  const ReportSignal signal =
      sampled("x", "", 300'000, 1e-4, [](double t) { return std::exp(-0.1 * t) * std::sin(900 * t); });
  const std::vector<std::size_t> kept = kept_rows(signal.values, 4000);
  for (std::size_t begin = 0; begin + 1000 <= signal.values.size(); begin += 1000) {
    const double envelope = std::exp(-0.1 * 1e-4 * static_cast<double>(begin + 500));
    double greatest = -1;
    for (const std::size_t row : kept) {
      if (row >= begin && row < begin + 1000) greatest = std::max(greatest, signal.values[row]);
    }
    EXPECT_NEAR(greatest, envelope, 0.01 * envelope);
  }
}

TEST(KeptRows, ShowGaps) {
  std::vector<double> values(10'000, 1.0);
  values[5000] = nan;
  const std::vector<std::size_t> kept = kept_rows(values, 100);
  EXPECT_THAT(kept, testing::Contains(5000));
  EXPECT_LE(kept.size(), 100);
  EXPECT_LE(kept_rows(std::vector<double>(10'000, nan), 100).size(), 100);
}

// Figures -------------------------------------------------------------------------------------------------------------

std::vector<std::string> titles(const std::vector<ReportSignal>& signals) {
  std::vector<std::string> list;
  for (const ReportFigure& figure : make_figures(signals)) {
    list.push_back(fmt::format("{} ({}): {}", figure.title, figure.unit, figure.lines.size()));
  }
  return list;
}

TEST(Figures, GatherSignalsOfOneKindAndOneUnit) {
  EXPECT_THAT(
      titles({{"q.j1", "rad", {}},
              {"v.j1", "rad/s", {}},
              {"q.j2", "rad", {}},
              {"q.slide", "m", {}},
              {"tau.j1", "N*m", {}},
              {"tau.slide", "N", {}},
              {"wave.q.j1", "rad", {}},
              {"energy.kinetic", "J", {}},
              {"motor.i", "A", {}},
              {"motor.u", "V", {}},
              {"cylinder.p1", "Pa", {}},
              {"alone", "", {}}}),
      ElementsAre("Positions q (rad): 2", "Velocities v (rad/s): 1", "Positions q (m): 1", "Torques τ (N·m): 1",
                  "Forces τ (N): 1", "wave: positions q (rad): 1", "Energies E (J): 1", "motor: currents (A): 1",
                  "motor: voltages (V): 1", "cylinder: pressures (Pa): 1", "Signals (): 1"));
}

TEST(Figures, OfTooManyLinesAreSplitEvenly) {
  std::vector<ReportSignal> signals;
  for (int k = 0; k < 40; ++k) signals.push_back({fmt::format("q.j{}", k), "rad", {}});
  EXPECT_THAT(titles(signals), ElementsAre("Positions q, part 1 of 4 (rad): 10", "Positions q, part 2 of 4 (rad): 10",
                                           "Positions q, part 3 of 4 (rad): 10", "Positions q, part 4 of 4 (rad): 10"));
}

// The page ------------------------------------------------------------------------------------------------------------

TEST(ReportPage, TellsTheVerdict) {
  ReportData data = arm_run();
  EXPECT_THAT(report_page(data), HasSubstr("1 of 4 checks fails, 3 hold."));
  data.checks[1].passed = true;
  EXPECT_THAT(report_page(data), HasSubstr("All 4 checks of the study hold."));
  data.checks.clear();
  EXPECT_THAT(report_page(data), HasSubstr("No checks"));
}

TEST(ReportPage, HasEveryNumberOfAShortRunExactly) {
  const ReportData data = arm_run();
  const json task = data_of(report_page(data))["tasks"][0];
  EXPECT_EQ(task["over"]["values"].get<std::vector<double>>(), data.tasks[0].over.values);
  ASSERT_EQ(task["signals"].size(), data.tasks[0].signals.size());
  for (std::size_t k = 0; k < data.tasks[0].signals.size(); ++k) {
    EXPECT_EQ(task["signals"][k]["name"], data.tasks[0].signals[k].name);
    EXPECT_EQ(task["signals"][k]["values"].get<std::vector<double>>(), data.tasks[0].signals[k].values);
    EXPECT_FALSE(task["signals"][k].contains("at"));
  }
}

TEST(ReportPage, OfALongRunSaysThatItIsThinnedAndStaysSmall) {
  ReportData data = arm_run();
  data.tasks.assign(1, arm_task("long", 7, 100'000, 14));
  const std::string page = report_page(data);
  EXPECT_THAT(page, HasSubstr("100\u202f000 rows of 32 signals. Each signal is drawn from at most 4000 of them"));
  EXPECT_LT(page.size(), 8'000'000);
  // Each kept value stands at its own time.
  const json task = data_of(page)["tasks"][0];
  const std::vector<double> over = task["over"]["values"];
  for (std::size_t k = 0; k < data.tasks[0].signals.size(); ++k) {
    const std::vector<double> values = task["signals"][k]["values"];
    const std::vector<std::size_t> steps = task["signals"][k]["at"];
    EXPECT_LE(values.size(), report_points);
    ASSERT_EQ(values.size(), steps.size());
    const std::vector<double>& times = data.tasks[0].over.values;
    std::size_t place = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      place += steps[i];
      const auto row = std::lower_bound(times.begin(), times.end(), over.at(place)) - times.begin();
      ASSERT_EQ(values[i], data.tasks[0].signals[k].values[static_cast<std::size_t>(row)]);
    }
  }
}

TEST(ReportPage, KeepsTextOfUsersApart) {
  const std::string page = report_page(hostile_run());
  EXPECT_EQ(count_of(page, "<script"), 3);
  EXPECT_EQ(count_of(page, "</script"), 3);
  EXPECT_EQ(count_of(page, "<img"), 0);
  EXPECT_EQ(count_of(page, "<!--"), 1);  // the notice
  EXPECT_EQ(data_of(page)["title"], hostile_run().title);
}

TEST(ReportPage, AsksForNothing) {
  const std::string page = report_page(arm_run());
  EXPECT_FALSE(
      std::regex_search(page, std::regex(R"re((src|href|action)\s*=\s*"?(https?:|//|[a-z]+/))re", std::regex::icase)));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_THAT(page, Not(HasSubstr("sourceMappingURL")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe-")));
}

TEST(ReportPage, NamesItsOwnScriptsInItsPolicy) {
  const std::string page = report_page(arm_run());
  const std::string policy = between(page, "Content-Security-Policy\" content=\"", "\">");
  EXPECT_THAT(policy, HasSubstr(policy_hash(between(page, "<style>", "</style>"))));
  EXPECT_THAT(policy, HasSubstr(policy_hash(between(page, "<script>", "</script>"))));
  const std::size_t last = page.rfind("<script>");
  EXPECT_THAT(policy, HasSubstr(policy_hash(between(page.substr(last), "<script>", "</script>"))));
}

TEST(ReportPage, HasAHeadingForEachPart) {
  const std::string page = report_page(arm_run());
  for (const char* heading : {"Checks", "Messages", "Provenance", "Texts of the run"}) {
    EXPECT_THAT(page, HasSubstr(fmt::format("<h2>{}</h2>", heading)));
    EXPECT_THAT(page, HasSubstr(fmt::format(">{}</a></li>", heading)));
  }
}

TEST(ReportPage, CarriesTheNoticeOfDygraphs) {
  const std::string page = report_page(arm_run());
  EXPECT_THAT(page, HasSubstr("Dan Vanderkam"));
  EXPECT_THAT(page, HasSubstr("Permission is hereby granted"));
}

TEST(ReportPage, IsTheSameForTheSameData) { EXPECT_EQ(report_page(arm_run()), report_page(arm_run())); }

TEST(ReportPage, ShowsAFewRowsInATable) {
  const std::string page = report_page(arm_run());
  EXPECT_THAT(page,
              HasSubstr("<td><bdi>hand.x</bdi></td><td>m</td><td class=\"num right\"><span title=\"0.123456789012\">"
                        "0.123456789</span></td>"));
  ReportData data = arm_run();
  data.tasks[1].over.values.clear();
  for (ReportSignal& signal : data.tasks[1].signals) signal.values.clear();
  EXPECT_THAT(report_page(data), HasSubstr("This task left no rows."));
  EXPECT_THAT(report_page({}), HasSubstr("No checks"));
}

TEST(ReportPage, ShowsCasesInATable) {
  ReportData data;
  data.tasks.push_back({.name = "cases",
                        .over = {"case", "1", {1, 2, 3, 4}},
                        .signals = {{"rates", "1", {1924, 993, 500, 250}}, {"length", "m", {1, 2, 3, 4}}}});
  const std::string page = report_page(data);
  EXPECT_THAT(page, Not(HasSubstr("<figure")));
  EXPECT_THAT(page, HasSubstr("<th class=\"right\"><bdi>length (m)</bdi></th>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"num\"><span title=\"993\">993</span></td>"));
  data.tasks[0].over.values[3] = 5;  // no longer numbers of cases
  EXPECT_THAT(report_page(data), HasSubstr("<figure"));
}

TEST(ReportPage, ShowsCountsOfManyCasesInATable) {
  ReportData data;
  data.tasks.push_back({.name = "counts",
                        .facts = {{"real_time_factor", "1250"},
                                  {"bdf.1e-6.rates", "993"},
                                  {"bdf.1e-6.steps", "812"},
                                  {"rk4.0.001.rates", "56000"}}});
  const std::string page = report_page(data);
  EXPECT_THAT(page, HasSubstr("<dt>real time factor</dt><dd>1250</dd>"));
  EXPECT_THAT(page, HasSubstr("<tr><th></th><th class=\"right\">rates</th><th class=\"right\">steps</th></tr>"));
  EXPECT_THAT(page,
              HasSubstr("<tr><td><bdi>bdf.1e-6</bdi></td><td class=\"num\">993</td><td class=\"num\">812</td></tr>"));
  EXPECT_THAT(page,
              HasSubstr("<tr><td><bdi>rk4.0.001</bdi></td><td class=\"num\">56000</td><td class=\"num\">–</td></tr>"));
}

TEST(ReportPage, PlotsOverTheRowIfNothingRises) {
  ReportData data;
  data.tasks.push_back(
      {.name = "sweep", .over = {"stiffness", "N/m", {1, 3, 2, 4, 5}}, .signals = {{"f", "", {1, 2, 3, 4, 5}}}});
  const std::string page = report_page(data);
  EXPECT_THAT(page, HasSubstr("<figure"));
  const json task = data_of(page)["tasks"][0];
  EXPECT_EQ(task["over"], (json{{"name", "row"}, {"unit", ""}, {"values", {1, 2, 3, 4, 5}}}));
  EXPECT_EQ(task["signals"][0]["name"], "stiffness");
  EXPECT_EQ(task["signals"][1]["name"], "f");
}

TEST(ReportPage, TellsOfValuesThatAreNotFinite) {
  ReportData data = arm_run();
  data.tasks[0].signals[0].values[7] = nan;
  data.tasks[0].signals[1].values[8] = std::numeric_limits<double>::infinity();
  const std::string page = report_page(data);
  EXPECT_THAT(page, HasSubstr("2 values not finite: a gap in the line"));
  EXPECT_TRUE(data_of(page)["tasks"][0]["signals"][0]["values"][7].is_null());
}

// The file ------------------------------------------------------------------------------------------------------------

TEST(WriteReport, LeavesOneFileAndReplacesItWhole) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("report.html");
  std::ofstream(file) << "old";
  write_report(arm_run(), file);
  std::ostringstream written;
  written << std::ifstream(file).rdbuf();
  EXPECT_EQ(written.str(), report_page(arm_run()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteReport, SaysWhyItCannot) {
  try {
    write_report({}, "/nowhere/at/all/report.html");
    FAIL() << "it was written";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "/nowhere/at/all/report.html: no file can be made in the folder \"/nowhere/at/all\": No such file or "
                 "directory. What was there is unchanged.  [file-unwritable]");
  }
}

}  // namespace
}  // namespace articula::test
