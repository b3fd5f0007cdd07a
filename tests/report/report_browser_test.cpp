// The page of a report in a real browser. Skipped if there is none.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include <articula/report/report.h>

#include "report/report_sample.h"
#include "support/browser.h"
#include "support/temporary_folder.h"

namespace articula::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using namespace testing_report;

/// One browser for all tests.
class ReportInBrowser : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (const auto program = Browser::program()) browser = std::make_unique<Browser>(*program);
  }
  static void TearDownTestSuite() { browser.reset(); }

  void SetUp() override {
    if (!browser) GTEST_SKIP() << "no Chromium on this machine (Debian's package chromium): the page is not opened";
  }

  /// Opens the page of `data`, and makes all its plots, as scrolling would.
  void open(ReportData data) {
    const std::string file = folder.path("report.html");
    write_report(std::move(data), file);
    browser->open(file, "document.body !== null && document.body.dataset.ready === 'yes'");
    browser->evaluate("document.querySelectorAll('figure').forEach(figure => figure.plot.open())");
  }

  static inline std::unique_ptr<Browser> browser;
  test::TemporaryFolder folder;
};

TEST_F(ReportInBrowser, ThePageOpensWithoutComplaintsAndAsksForNothingElse) {
  open(arm_run());
  EXPECT_EQ(browser->evaluate("document.querySelectorAll('figure').length"), 6);
  EXPECT_EQ(browser->evaluate("document.querySelectorAll('figure canvas').length"), 12);
  EXPECT_EQ(browser->evaluate("document.querySelectorAll('#checks tbody tr').length"), 4);
  EXPECT_THAT(browser->complaints(), IsEmpty());
  ASSERT_THAT(browser->requests(), Not(IsEmpty()));
  EXPECT_THAT(browser->requests()[0], AllOf(StartsWith("file://"), EndsWith("report.html")));
  EXPECT_THAT(browser->requests(), Each(AnyOf(browser->requests()[0], "data:,")));  // its empty icon may be among them
}

TEST_F(ReportInBrowser, PlotsAreMadeWhenTheyComeIntoView) {
  const std::string file = folder.path("report.html");
  write_report(arm_run(), file);
  browser->open(file, "document.body !== null && document.querySelector('#figure-1 canvas') !== null");
  EXPECT_THAT(browser->complaints(), IsEmpty());
}

TEST_F(ReportInBrowser, TextOfUsersStaysText) {
  const ReportData data = hostile_run();
  open(data);
  EXPECT_THAT(browser->complaints(), IsEmpty());
  EXPECT_EQ(browser->evaluate("document.querySelectorAll('script').length"), 3);
  EXPECT_EQ(browser->evaluate("document.querySelectorAll('img').length"), 0);
  EXPECT_THAT(browser->evaluate("document.querySelector('h1').textContent").get<std::string>(),
              StartsWith("</script><script>document.title='taken'</script>"));
  EXPECT_NE(browser->evaluate("document.title"), "taken");
  EXPECT_EQ(browser->evaluate("document.querySelector('pre').textContent"), data.texts[0].text);
  EXPECT_EQ(browser->evaluate("document.querySelectorAll('#figure-2 .chip')[0].querySelector('.name').textContent"),
            "joint2" + data.title);
}

TEST_F(ReportInBrowser, ThePolicyLetsNoOtherScriptRunAndNothingBeLoaded) {
  open(arm_run());
  browser->evaluate(
      "{ const s = document.createElement('script'); s.textContent = 'window.taken = 1';"
      "document.body.append(s); }");
  EXPECT_EQ(browser->evaluate("typeof window.taken"), "undefined");
  EXPECT_EQ(browser->evaluate("fetch('data:,x').then(() => 'loaded', () => 'refused')"), "refused");
  EXPECT_THAT(browser->complaints(), Contains(HasSubstr("Content Security Policy")));
}

TEST_F(ReportInBrowser, PlotsOfATaskZoomTogetherAndGoBackTogether) {
  open(arm_run());
  const json box = browser->evaluate(
      "(() => { const area = document.querySelector('#figure-1 .plot'); area.scrollIntoView({block: 'center', "
      "behavior: 'instant'});"
      "const {left, top, width, height} = area.getBoundingClientRect(); return {left, top, width, height}; })()");
  const double y = box["top"].get<double>() + 0.5 * box["height"].get<double>();
  const auto mouse = [&](const char* type, double place, int buttons) {
    browser->call("Input.dispatchMouseEvent", {{"type", type},
                                               {"x", box["left"].get<double>() + place * box["width"].get<double>()},
                                               {"y", y},
                                               {"button", "left"},
                                               {"buttons", buttons},
                                               {"clickCount", 1}});
  };
  mouse("mouseMoved", 0.4, 0);
  mouse("mousePressed", 0.4, 1);
  mouse("mouseMoved", 0.5, 1);
  mouse("mouseMoved", 0.6, 1);
  mouse("mouseReleased", 0.6, 0);
  const json seen = browser->evaluate("document.querySelector('#figure-1').plot.graph.xAxisRange()");
  EXPECT_NEAR(seen[1].get<double>() - seen[0].get<double>(), 0.2 * 14, 0.4);
  for (const char* other : {"2", "4", "6"}) {
    EXPECT_EQ(browser->evaluate(std::string("document.querySelector('#figure-") + other + "').plot.graph.xAxisRange()"),
              seen);
  }
  browser->evaluate("document.querySelector('.bar button').click()");
  EXPECT_EQ(browser->evaluate("document.querySelector('#figure-4').plot.graph.xAxisRange()"), json({0, 14}));
  EXPECT_THAT(browser->complaints(), IsEmpty());
}

TEST_F(ReportInBrowser, ALineCanBeSwitchedOffAndSeenAlone) {
  open(arm_run());
  const auto shown = [&] { return browser->evaluate("document.querySelector('#figure-1').plot.graph.visibility()"); };
  browser->evaluate("document.querySelectorAll('#figure-1 .chip')[2].click()");
  EXPECT_EQ(shown(), json({true, true, false, true, true, true, true}));
  EXPECT_EQ(browser->evaluate("document.querySelectorAll('#figure-1 .chip')[2].getAttribute('aria-pressed')"), "false");
  browser->evaluate(
      "document.querySelectorAll('#figure-1 .chip')[4].dispatchEvent(new MouseEvent('click', {shiftKey: true}))");
  EXPECT_EQ(shown(), json({false, false, false, false, true, false, false}));
}

TEST_F(ReportInBrowser, HoveringTellsTheValuesOfAllPlotsOfTheTask) {
  const ReportData data = arm_run();
  open(data);
  browser->evaluate("document.querySelector('#figure-1').plot.graph.getOption('highlightCallback')(null, 7.001)");
  EXPECT_EQ(browser->evaluate("document.querySelector('#figure-1 .at').textContent"), "t = 7 s");
  const std::string told = browser->evaluate("document.querySelectorAll('#figure-4 output')[0].textContent");
  const double tau = data.tasks[0].signals[21].values[700];
  EXPECT_NEAR(std::stod(told.starts_with("−") ? "-" + told.substr(3) : told), tau, 1e-5 * std::abs(tau));
}

TEST_F(ReportInBrowser, TheSavedTableHasTheNumbersOfTheRun) {
  const ReportData data = arm_run();
  open(data);
  browser->evaluate(
      "URL.createObjectURL = (blob) => { window.saved = blob; return 'blob:none'; };"
      "HTMLAnchorElement.prototype.click = () => {};"
      "document.querySelectorAll('.bar button')[1].click()");
  const std::string csv = browser->evaluate("window.saved.text()");
  EXPECT_THAT(csv, StartsWith("t [s],q.joint1 [rad],"));
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  for (std::size_t row = 0; row < 1401; ++row) {
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    ASSERT_EQ(std::strtod(cell.c_str(), nullptr), data.tasks[0].over.values[row]);
    for (const ReportSignal& signal : data.tasks[0].signals) {
      std::getline(cells, cell, ',');
      ASSERT_EQ(std::strtod(cell.c_str(), nullptr), signal.values[row]) << signal.name << " in row " << row;
    }
  }
}

TEST_F(ReportInBrowser, FiguresArePrintedAsDrawings) {
  open(arm_run());
  EXPECT_THAT(browser->call("Page.printToPDF").at("data").get<std::string>(), StartsWith("JVBERi0"));  // %PDF-
  browser->evaluate("window.dispatchEvent(new Event('beforeprint'))");
  EXPECT_EQ(browser->evaluate("document.querySelectorAll('.paper > svg').length"), 6);
  EXPECT_EQ(browser->evaluate("document.querySelectorAll('#figure-1 .paper > svg > g:nth-of-type(2) > path').length"),
            7);
  EXPECT_THAT(browser->complaints(), IsEmpty());
}

TEST_F(ReportInBrowser, ThinnedSignalsKeepTheirExtremesOnTheScreen) {
  ReportData data = arm_run();
  data.tasks.assign(1, arm_task("long", 2, 200'001, 14));
  data.tasks[0].signals[0].values[123'457] = 50;  // a peak of one row
  open(data);
  const json range = browser->evaluate("document.querySelector('#figure-1').plot.graph.yAxisRange()");
  EXPECT_GT(range[1].get<double>(), 50);
  EXPECT_LT(browser->evaluate("document.querySelector('#figure-1').plot.rows().length").get<int>(), 2 * 4000);
  EXPECT_THAT(browser->evaluate("document.querySelector('.bar').textContent").get<std::string>(),
              HasSubstr("at most 4000 of them"));
  EXPECT_THAT(browser->complaints(), IsEmpty());
}

}  // namespace
}  // namespace articula::test
