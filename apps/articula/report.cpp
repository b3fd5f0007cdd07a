#include <cstdio>

#include <fmt/core.h>

#include <articula/report/report.h>
#include <articula/report/report_run.h>

#include "command.h"
#include "replace.h"
#include "runs.h"

namespace articula::program {
namespace {

struct Options {
  std::string run, out;
  std::string store = Store::default_name;
  bool force = false;
};

bool is_report(std::string_view page) {
  return page.starts_with("<!doctype html>") && page.find("<meta name=\"generator\" content=\"Articula ") < 4096;
}

void run(const Options& options) {
  ReportData data = make_report_data(Store(options.store), options.run);
  if (options.out == "-") {
    const std::string page = report_page(std::move(data));
    put_file(page);
    return;
  }
  const std::string file = options.out.empty() ? fmt::format("report-{}.html", data.run) : options.out;
  require_replaceable(file, "report", is_report, {.inputs = {}, .store = options.store, .force = options.force});
  write_report(std::move(data), file);
  say("wrote {}\n", file);
}

}  // namespace

void add_report(const Command& app, int&) {
  auto options = std::make_shared<Options>();
  const Command command = app.add("report", "Write a page with the plots and checks of a stored run");
  command.text("RUN", options->run, "Its id, the beginning of its id, or latest").required();
  command.text("-o,--output", options->out, "The page to write (report-RUN.html); - is the standard output")
      .shown_as("FILE");
  add_store_option(command, options->store);
  add_force_option(command, options->force);
  command.runs([options] { run(*options); });
}

}  // namespace articula::program
