#include <fmt/core.h>

#include <articula/build/build.h>
#include <articula/formats/load.h>

#include "command.h"
#include "replace.h"

namespace articula::program {
namespace {

struct Options {
  std::string in, out;
  ReadOptions read;
  bool force = false;
};

void run(const Options& options) {
  // A model that was written before may have been edited since: it is not replaced without --force.
  require_replaceable(options.out, "", nullptr, {.inputs = {options.in}, .store = "", .force = options.force});
  Findings findings;
  const Model model = load(options.in, &findings, options.read);
  const Findings checked = articula::build::check(model, {options.read.strict});
  findings.insert(findings.end(), checked.begin(), checked.end());
  for (Finding& finding : findings) {
    if (finding.where.file.empty()) finding.where.file = options.in;
  }
  // A model with errors is not written, since the errors would be found later, far from their cause.
  if (has_errors(findings)) throw Error(findings);
  tell(findings);
  Findings losses;
  save(model, options.out, &losses);
  tell(losses);
  say("wrote {}{}{}\n", options.out, losses.empty() ? "" : ": ", count_text(losses));
}

}  // namespace

void add_convert(const Command& app, int&) {
  auto options = std::make_shared<Options>();
  const Command command = app.add("convert", "Read a model in one format and write it in another");
  command.text("IN", options->in, "The model to read: native YAML or URDF").required();
  command.text("OUT", options->out, "The file to write; its ending chooses the format: .yaml or .urdf").required();
  add_force_option(command, options->force);
  add_read_options(command, options->read);
  command.runs([options] { run(*options); });
}

}  // namespace articula::program
