#include <map>

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <articula/build/build.h>
#include <articula/formats/load.h>
#include <articula/study/prepare.h>
#include <articula/study/study_reader.h>

#include "command.h"
#include "json_document.h"
#include "untrusted.h"

namespace articula::program {
namespace {

struct Options {
  std::vector<std::string> files;
  ReadOptions read;
  UntrustedOptions untrusted;
  bool json = false;
};

/// The result of checking a file.
struct Found {
  Findings findings;
  std::string what;                       ///< `study`, or `model`
  std::string summary;                    ///< of a file without errors
  std::vector<std::string> not_computed;  ///< features of a model that no computation uses yet
};

std::string several(std::size_t count, std::string_view what) {
  return count == 1 ? fmt::format("a{} {}", what.front() == 'e' ? "n" : "", what) : fmt::format("{} {}s", count, what);
}

/// Features of a model that no computation uses.
std::vector<std::string> not_computed(const Built& built) {
  std::map<std::string, std::size_t> counts;
  for (const Constraint& constraint : built.mechanism.constraints) {
    switch (constraint.kind) {
      case Constraint::Kind::cut_joint: ++counts["loop"]; break;
      case Constraint::Kind::rod: ++counts["massless rod"]; break;
      case Constraint::Kind::contact: ++counts["contact"]; break;
      case Constraint::Kind::rolling: ++counts["rolling wheel"]; break;
    }
  }
  std::vector<std::string> all;
  for (const auto& [what, count] : counts) all.push_back(several(count, what));
  return all;
}

void check_model(const std::string& file, const ReadOptions& options, Found& found) {
  found.what = "model";
  const Model model = load(file, &found.findings, options);
  const Findings more = articula::build::check(model, {options.strict});
  found.findings.insert(found.findings.end(), more.begin(), more.end());
  if (has_errors(found.findings)) return;
  found.not_computed = not_computed(build_mechanism(model));
  if (!found.not_computed.empty())
    found.summary = fmt::format("has {}: described, not computed yet", fmt::join(found.not_computed, ", "));
}

void check_study(const std::string& file, const Options& options, Found& found) {
  found.what = "study";
  Study study = load_study(file, found.findings);
  study.bounds = options.untrusted.chosen();
  if (options.read.snap) study.read.snap = options.read.snap;
  const PreparedStudy prepared = prepare_study(study);
  found.findings.insert(found.findings.end(), prepared.findings.begin(), prepared.findings.end());
  std::size_t signals = 0;
  for (const auto& plan : prepared.plans) signals += plan ? plan->columns.size() : 0;
  const auto counted = [](std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  found.summary = fmt::format("{}, {}, {}", counted(study.tasks.size(), "task"), counted(signals, "signal"),
                              counted(study.checks.size(), "check"));
}

Found check_file(const std::string& file, const Options& options) {
  Found found;
  try {
    if (is_study(file)) {
      check_study(file, options, found);
    } else {
      check_model(file, options.read, found);
    }
  } catch (const Error& error) {
    found.findings.insert(found.findings.end(), error.errors().begin(), error.errors().end());
  }
  // Findings about the whole file have no line, but belong to this file.
  for (Finding& finding : found.findings) {
    if (finding.where.file.empty()) finding.where.file = file;
  }
  return found;
}

Json to_json(const Finding& finding) {
  return {{"code", finding.code},
          {"file", finding.where.file},
          {"line", finding.where.line},
          {"message", finding.message},
          {"severity", to_text(finding.severity)}};
}

void run(const Options& options, int& code) {
  begin_bounds(options.untrusted.chosen());
  Json all = Json::array();
  for (const std::string& file : options.files) {
    const Found found = check_file(file, options);
    const bool bad = has_errors(found.findings);
    if (bad) code = bad_input;
    if (options.json) {
      Json list = Json::array();
      for (const Finding& finding : found.findings) list.push_back(to_json(finding));
      all.push_back({{"file", file},
                     {"findings", list},
                     {"good", !bad},
                     {"not_computed", found.not_computed},
                     {"what", found.what}});
    } else {
      tell(found.findings);
      const std::string counts = count_text(found.findings);
      put(fmt::format("{}: {}{}{}{}{}\n", file, bad ? "bad" : "good", counts.empty() ? "" : ", ", counts,
                      bad || found.summary.empty() ? "" : "; ", bad ? "" : found.summary));
    }
  }
  if (options.json) put(printed(all));
}

}  // namespace

void add_check(const Command& app, int& code) {
  auto options = std::make_shared<Options>();
  const Command command =
      app.add("check", "Say whether models and studies can be read, make sense and can be computed");
  command.texts("FILE", options->files, "Models (native YAML or URDF) and studies").required();
  add_read_options(command, options->read);
  command.flag("--json", options->json, "Print the findings as JSON");
  add_untrusted_options(command, options->untrusted);
  command.runs([options, &code] { run(*options, code); });
}

}  // namespace articula::program
