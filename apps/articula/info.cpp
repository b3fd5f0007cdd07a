#include "info.h"

#include <cstdio>

#include <fmt/core.h>

#include <articula/formats/load.h>

#include "command.h"

namespace articula::program {
namespace {

struct Options {
  std::string file;
  ReadOptions read;
  bool json = false, graph = false;
};

/// What can be said about a model: always its graph, and its flat form where it has one.
Described describe(const Options& options, Findings& findings) {
  Described described{load(options.file, &findings, options.read), std::nullopt};
  try {
    described.built = articula::build(described.model, {options.read.strict});
    findings.insert(findings.end(), described.built->findings.begin(), described.built->findings.end());
  } catch (const Error& error) {
    Findings errors = error.errors();
    for (Finding& e : errors) {
      if (e.code != "not-computable") throw;
      e.severity = Severity::note;
    }
    findings.insert(findings.end(), errors.begin(), errors.end());
  }
  return described;
}

void run(const Options& options) {
  Findings findings;
  const Described described = describe(options, findings);
  tell(findings);
  const std::string text = options.graph  ? dot_text(described.model)
                           : options.json ? json_text(described)
                                          : plain_text(described);
  put(text, Then::end);
}

}  // namespace

void add_info(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "info", "Describe a model: bodies, joints, degrees of freedom, mass, loops, what was rewritten");
  command->add_option("FILE", options->file, "The model: native YAML or URDF")->required();
  add_read_options(*command, options->read);
  auto* json = command->add_flag("--json", options->json, "Print as JSON");
  command->add_flag("--graph", options->graph, "Print the graph of entities and connections as DOT, for Graphviz")
      ->excludes(json);
  command->callback([options] { run(*options); });
}

}  // namespace articula::program
