#include <articula/study/internal/sources.h>

#include <filesystem>
#include <set>

#include <articula/base/findings.h>
#include <articula/base/number.h>
#include <articula/base/text.h>
#include <articula/formats/internal/load_within.h>
#include <articula/formats/load.h>
#include <articula/formats/urdf_reader.h>
#include <articula/formats/yaml_reader.h>
#include <articula/formats/yaml_writer.h>
#include <articula/model/lock_joints.h>
#include <articula/study/internal/attempts.h>
#include <articula/study/internal/table_files.h>
#include <articula/study/study_reader.h>
#include <articula/text/file.h>

namespace articula::study {
namespace {

namespace fs = std::filesystem;

bool is_xml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

/// How a study reads its model, before joints are locked.
ReadOptions unlocked(const Study& study) {
  ReadOptions options = study.read;
  options.lock.clear();
  return options;
}

/// The model that a text describes, without any other file.
Model model_of(std::string_view text, const std::string& name, Findings& findings, const ReadOptions& options) {
  return is_xml(text) ? read_urdf(text, name, findings, options) : read_yaml(text, name, findings, options);
}

/// The text of a model, or, if it includes others, an equivalent text without includes.
std::string text_that_stands_alone(const fs::path& file, const FileReach& reach, const Model& model,
                                   const ReadOptions& options) {
  std::string text = reach.read(file);
  // Only native text includes files, by a key of that name, which may also be written with escapes.
  if (text.find("include") == std::string::npos && text.find('\\') == std::string::npos) return text;
  try {
    Findings ignored;
    if (model_of(text, "", ignored, options) == model) return text;
  } catch (const Error&) {
    // It needs other files.
  }
  return write_yaml(model);
}

void make_base(const Study& study, Setup& setup, Findings& findings) {
  if (!study.read.lock.empty()) setup.model = lock_joints(*setup.model, study.read.lock, findings);
  setup.trajectories = study.trajectories;
  setup.blocks = study.blocks;
  setup.start = study.start;
  apply_overrides(study.overrides, setup.model.change());
}

/// The stored part of a table: its text, or, if it is outside of the study's folder, its numbers.
std::string kept_text(const std::string& table, const fs::path& path, const FileReach& reach) {
  std::string text = reach.read(path);
  return reach.is_elsewhere(path) ? CsvTable(text, table, shown_of(path, reach)).text_of_numbers() : text;
}

/// Tables to be stored.
class KeptTables {
 public:
  KeptTables(const Study& study, const FileReach& reach, std::vector<SourceText>& texts)
      : study_(study), reach_(reach), texts_(texts) {}

  /// A table that cannot be read is reported by the task that needs it.
  void add(const std::string& table) {
    if (table.empty() || !met_.insert(table).second) return;
    try {
      texts_.push_back({"table", table, kept_text(table, study_.folder() / table, reach_)});
    } catch (const Error&) {
    }
  }

  /// Those that tasks choose, up to a bound.
  void add_chosen(const ChosenTables& chosen, Findings& findings) {
    constexpr std::size_t most_bytes = 256'000'000;
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < chosen.files.size(); ++k) {
      const std::size_t before = texts_.size();
      add(chosen.files[k]);
      if (texts_.size() > before) bytes += texts_.back().text.size();
      if (bytes <= most_bytes) continue;
      texts_.pop_back();
      return warn(chosen.files[k], chosen.count - k, chosen, findings);
    }
    if (chosen.count > chosen.files.size()) warn("", chosen.count - chosen.files.size(), chosen, findings);
  }

 private:
  void warn(const std::string& first, std::size_t count, const ChosenTables& chosen, Findings& findings) const {
    add_finding(
        findings,
        {Severity::warning,
         "table-not-stored",
         {study_.file, 0},
         concat("the tasks choose ", chosen.count, " tables by `file`. ", count,
                " of them are not stored "
                "with the run, ",
                first.empty() ? "" : concat("from ", quoted(first), " on, "), "since at most ", ChosenTables::most,
                " tables and 256 MB are. To resume the run, keep these files as they are, or sweep over "
                "fewer tables at a time.")});
  }

  const Study& study_;
  const FileReach& reach_;
  std::vector<SourceText>& texts_;
  std::set<std::string> met_;
};

const SourceText* find(const StoredRun& run, std::string_view role, std::string_view path = {}) {
  for (const SourceText& text : run.provenance.texts) {
    if (text.role == role && (path.empty() || text.path == path)) return &text;
  }
  return nullptr;
}

const SourceText& need(const StoredRun& run, std::string_view role, std::string_view path = {}) {
  if (const SourceText* text = find(run, role, path)) return *text;
  throw Error("run-incomplete", {},
              concat("run ", run.id, " has no ", role, path.empty() ? "" : " ", path,
                     " stored with it. It cannot go on; run the study again."));
}

/// A note if the file of a stored text has changed.
void compare(const SourceText& stored, const fs::path& file, const FileReach& reach, Findings& findings) {
  std::string now;
  try {
    now = stored.role == "table" ? kept_text(stored.path, file, reach) : reach.read(file);
  } catch (const Error&) {
    return;
  }
  if (now == stored.text) return;
  add_finding(findings, {Severity::note,
                         "run-source-changed",
                         {file.string(), 0},
                         concat("the ", stored.role,
                                " is not what it was when the run began. The run goes on with what "
                                "is stored; for the new one, start a new run.")});
}

}  // namespace

FileReach reach_of(const Study& study) {
  if (!study.bounds) return FileReach(study.folder());
  return FileReach(study.folder(), study.bounds->root.empty() ? study.folder() : study.bounds->root);
}

std::optional<fs::path> path_of_table(const std::string& table, const fs::path& folder, const FileReach& reach) {
  const auto path = expand_variables(table);
  if (!path || (reach.is_bounded() && *path != table)) return std::nullopt;
  return folder / *path;
}

std::string read_table(const std::string& table, const fs::path& path, const FileReach& reach) {
  return expand_variables(table) == table ? reach.read(path) : reach.read(path, table);
}

CsvTable::Shown shown_of(const fs::path& path, const FileReach& reach) {
  return reach.is_elsewhere(path) ? CsvTable::Shown::numbers : CsvTable::Shown::all;
}

Sources read_sources(const Study& study, const FileReach& reach, Findings& findings) {
  Sources sources;
  const fs::path file = study.folder() / study.model;
  const ReadOptions options = unlocked(study);
  sources.setup.reach = reach;
  const std::size_t before = findings.size();
  try {
    sources.setup.model = load_within(file, reach, findings, options);
  } catch (const Error& error) {
    // A file that is missing or unreadable is an error of the study; errors in its content are its own.
    const bool beyond = error.code() == "file-outside" || error.code() == "file-missing";
    if (beyond || (!reach.is_bounded() && !fs::exists(file)))
      throw Error(error.code(), study.model_where, concat("model: ", to_text(error.where()), ": ", error.message()));
    throw;
  }
  // A viewer of meshes will open the files that the model names.
  for (std::size_t k = before; reach.is_bounded() && k < findings.size(); ++k) {
    if (findings[k].code == "mesh-outside") findings[k].severity = Severity::error;
  }
  sources.texts.push_back({"study", study.file, study.text});
  sources.texts.push_back({"model", file.string(), text_that_stands_alone(file, reach, *sources.setup.model, options)});
  sources.setup.folder = study.folder();
  KeptTables tables(study, reach, sources.texts);
  for (const std::string& table : tables_of_trajectories(study)) tables.add(table);
  for (const Check& check : study.checks) {
    // Third-party data that are named by a variable are not stored.
    if (expand_variables(check.table) == check.table) tables.add(check.table);
  }
  tables.add_chosen(chosen_tables(study), findings);
  Attempts attempts;
  attempts([&] { make_base(study, sources.setup, findings); });
  add_findings(findings, attempts.errors());
  return sources;
}

StoredSources stored_sources(const StoredRun& run, Findings& findings) {
  StoredSources sources;
  const SourceText& study = need(run, "study");
  sources.study = read_study(study.text, study.path, findings);
  for (const NamedText& option : run.provenance.options) {
    if (option.name == "snap") sources.study.read.snap = to_number(option.value);
  }
  sources.study.bounds = bounds_of(run.provenance);
  const FileReach reach = reach_of(sources.study);
  const SourceText& model = need(run, "model");
  compare(study, study.path, reach, findings);
  Findings again;
  const ReadOptions options = unlocked(sources.study);
  sources.setup.model = model_of(model.text, model.path, again, options);
  // Where the text was made to stand alone, the models are compared.
  try {
    Findings ignored;
    if (!(load_within(model.path, reach, ignored, options) == *sources.setup.model))
      compare(model, model.path, reach, findings);
  } catch (const Error&) {
    compare(model, model.path, reach, findings);
  }
  sources.setup.folder = sources.study.folder();
  sources.setup.reach = reach_of(sources.study);  // if the files are the stored ones
  const auto take = [&](const std::string& table, const SourceText& stored) {
    const fs::path file = sources.study.folder() / table;
    compare(stored, file, reach, findings);
    sources.setup.reach.replace(file, stored.text);
  };
  for (const std::string& table : tables_of_trajectories(sources.study)) take(table, need(run, "table", table));
  for (const std::string& table : chosen_tables(sources.study).files) {
    if (const SourceText* stored = find(run, "table", table)) take(table, *stored);
  }
  make_base(sources.study, sources.setup, again);
  sources.setup.model.prepare();
  return sources;
}

}  // namespace articula::study
