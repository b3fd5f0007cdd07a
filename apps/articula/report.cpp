#include <cstdio>

#include <fmt/core.h>

#include <articula/study/report.h>
#include <articula/study/report_run.h>

#include "command.h"
#include "runs.h"

namespace articula::program {
namespace {

struct Options {
  std::string run, out;
  std::string store = Store::default_name;
};

void run(const Options& options) {
  ReportData data = make_report_data(Store(options.store), options.run);
  if (options.out == "-") {
    const std::string page = report_page(std::move(data));
    put_file(page);
    return;
  }
  const std::string file = options.out.empty() ? fmt::format("report-{}.html", data.run) : options.out;
  write_report(std::move(data), file);
  say("wrote {}\n", file);
}

}  // namespace

void add_report(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report", "Write a page with the plots and checks of a stored run");
  command->add_option("RUN", options->run, "Its id, the beginning of its id, or latest")->required();
  command->add_option("-o,--output", options->out, "The page to write (report-RUN.html); - is the standard output")
      ->option_text("FILE");
  add_store_option(*command, options->store);
  command->callback([options] { run(*options); });
}

}  // namespace articula::program
