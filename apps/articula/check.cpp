#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <articula/build/build.h>
#include <articula/formats/load.h>

#include "command.h"

namespace articula::program {
namespace {

struct Options {
  std::vector<std::string> files;
  ReadOptions read;
  bool json = false;
};

Findings check_file(const std::string& file, const ReadOptions& options) {
  Findings findings;
  try {
    const Model model = load(file, &findings, options);
    const Findings more = articula::check(model, {options.strict});
    findings.insert(findings.end(), more.begin(), more.end());
  } catch (const Error& error) {
    findings.insert(findings.end(), error.errors().begin(), error.errors().end());
  }
  // Findings about the whole model have no line; they still belong to a file.
  for (Finding& finding : findings) {
    if (finding.where.file.empty()) finding.where.file = file;
  }
  return findings;
}

nlohmann::json to_json(const Finding& finding) {
  return {{"severity", to_text(finding.severity)},
          {"code", finding.code},
          {"file", finding.where.file},
          {"line", finding.where.line},
          {"message", finding.message}};
}

void run(const Options& options, int& code) {
  nlohmann::json all = nlohmann::json::array();
  for (const std::string& file : options.files) {
    const Findings findings = check_file(file, options.read);
    const bool bad = has_errors(findings);
    if (bad) code = bad_input;
    if (options.json) {
      nlohmann::json list = nlohmann::json::array();
      for (const Finding& finding : findings) list.push_back(to_json(finding));
      all.push_back({{"file", file}, {"good", !bad}, {"findings", list}});
    } else {
      tell(findings);
      const std::string counts = count_text(findings);
      fmt::print("{}: {}{}{}\n", file, bad ? "bad" : "good", counts.empty() ? "" : ", ", counts);
    }
  }
  if (options.json) fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

void add_check(CLI::App& app, int& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("check", "Say whether models can be read, make sense and can be computed with");
  command->add_option("FILE", options->files, "Model files: native YAML or URDF")->required();
  add_read_options(*command, options->read);
  command->add_flag("--json", options->json, "Print the findings as JSON");
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace articula::program
