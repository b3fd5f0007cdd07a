#include <articula/study/study_reader.h>

#include <algorithm>
#include <set>

#include <articula/base/number.h>
#include <articula/base/text.h>
#include <articula/control/signals.h>
#include <articula/study/internal/read_checks.h>
#include <articula/study/internal/read_kinds.h>
#include <articula/study/internal/read_task.h>
#include <articula/text/file.h>
#include <articula/text/internal/yaml_tree.h>

namespace articula::study {

std::vector<std::string> study_keys() {
  return {"articula_study", "name",     "description", "model",        "base",   "mimic", "lock",  "snap",
          "seed",           "override", "start",       "trajectories", "blocks", "tasks", "checks"};
}

namespace {

constexpr std::string_view top_needed_of_studies = "A study is a mapping that begins with `articula_study: 1`.";

void check_version(Keys& keys, const Spot& top, YamlLog& log) {
  const auto spot = keys.find("articula_study");
  if (!spot) {
    const bool model = keys.has("articula");
    log.fail("study-version", top.where(),
             concat("the version of the study format is missing. A study begins with `articula_study: 1`.",
                    model ? " This is a model: describe it with `articula info`, or name it under `model:` in a study."
                          : ""));
  }
  const auto version = spot->node.is_scalar() ? to_integer(spot->node.text()) : std::nullopt;
  if (!version || *version < 1) {
    log.fail("study-version", spot->where(),
             concat("articula_study is ", what_stands(spot->node),
                    ". It is the format version, a whole number: write `articula_study: 1`."));
  }
  if (*version > study_version) {
    log.fail("study-version", spot->where(),
             concat("articula_study is ", *version, ". This program reads versions up to ", study_version,
                    "; get a newer one."));
  }
}

/// Calls `read(name, spot)` for each entry of a section whose entries have names.
template <class Read>
void each_entry(const Spot& section, std::string_view what, Read&& read) {
  if (section.node.is_null()) return;
  if (!section.node.is_mapping())
    return section.wrong_type(concat("It is a mapping of names, e.g. {my_", what, ": {type: ...}}."));
  // Each of them is made for each task, and listed in each run.
  constexpr std::size_t most = 1000;
  if (section.node.size() > most) {
    section.error("study-too-large", concat(" has ", section.node.size(), " entries. At most ", most,
                                            " are allowed: split the study, or let a sweep take the values."));
    return;
  }
  for (std::size_t k = 0; k < section.node.size(); ++k) {
    std::string name;
    if (!read_name(section, section.node.key(k), name)) continue;
    if (name.find('.') != std::string::npos) {
      section.error_at(section.node.key(k), "name-invalid",
                       concat(": ", quoted(name), " holds a dot, which parts the names of signals. Use another name."));
      continue;
    }
    const Subject subject{section.subject.file, section.subject.log, what, section.node.key(k).text()};
    read(name, Spot(subject, section.node.value(k)), section.node.key(k).line());
  }
}

template <class Entry>
void read_section(const Spot& section, std::string_view what, std::vector<Entry>& all) {
  each_entry(section, what, [&](const std::string& name, const Spot& spot, int line) {
    Entry one{name, {}, {spot.subject.file, line}};
    Keys keys(spot, concat("It is a mapping with a type, e.g. {type: ", kind_names(&one.kind).front(), ", ...}."));
    if (read_kind(keys, one.kind)) all.push_back(std::move(one));
  });
}

/// Names of trajectories and blocks must be unique and not reserved, since they are parts of signal names.
void check_names(const Study& study, YamlLog& log) {
  std::set<std::string> met{"t", "cut", "hold", "environment", "task"};
  met.insert(mechanism_signals.begin(), mechanism_signals.end());
  const std::set<std::string> reserved = met;
  const auto check = [&](std::string_view what, const std::string& name, const Where& where) {
    if (met.insert(name).second) return;
    const bool taken = !reserved.contains(name);
    log.error(taken ? "duplicate-name" : "name-reserved", where,
              concat(what, " ", quoted(name), ": ",
                     taken ? "a trajectory or block of that name is there already."
                           : "the name is reserved for signals of the model.",
                     " Use another name."));
  };
  for (const auto& each : study.trajectories) check("trajectory", each.name, each.where);
  for (const auto& each : study.blocks) check("block", each.name, each.where);
}

/// Checks refer to tasks of the study.
void check_tasks(const Study& study, YamlLog& log) {
  std::vector<std::string> names;
  for (const NamedTask& task : study.tasks) names.push_back(task.name);
  const auto need = [&](const Check& check, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    log.error("no-such-task", check.where,
              concat("check: the study has no task ", quoted(name), ".", choices(name, "Tasks", names)));
  };
  for (const Check& check : study.checks) {
    need(check, check.task);
    if (!check.of.empty()) need(check, check.of);
  }
}

/// `{elbow: 30 deg, ball: [0, 0, 0, 1]}`; values are checked later, with the model.
void read_locks(const Spot& spot, std::vector<JointLock>& locks) {
  if (spot.node.is_null()) return;
  if (!spot.node.is_mapping()) return spot.wrong_type("It is a mapping of joints and values, e.g. {elbow: 30 deg}.");
  constexpr std::size_t most = 1000;
  if (spot.node.size() > most) {
    return spot.error("study-too-large",
                      concat(" has ", spot.node.size(), " entries. At most ", most,
                             " are allowed: write joints that never move as `type: fixed` in the model."));
  }
  for (std::size_t k = 0; k < spot.node.size(); ++k) {
    const Spot value(spot, spot.node.value(k), spot.node.key(k).text());
    std::vector<std::string> texts;
    if (!read_value(value, texts, dimension::none)) continue;
    std::string joined;
    for (const std::string& text : texts) joined += (joined.empty() ? "" : ",") + text;
    locks.push_back({std::string(spot.node.key(k).text()), joined, value.where()});
  }
}

void read_seed(const Spot& spot, std::uint64_t& seed) {
  int value = 0;
  if (!read_value(spot, value, dimension::none)) return;
  if (value < 0) return spot.error("value-range", concat(" is ", value, ". It is a whole number from 0."));
  seed = static_cast<std::uint64_t>(value);
}

bool is_xml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

Study read_study(std::string_view text, const std::string& file_name, Findings& findings) {
  YamlLog log(findings);
  if (is_blank(text))
    log.fail("text-empty", {file_name, 0}, "the text is empty. A study begins with `articula_study: 1`.");
  if (is_xml(text)) {
    log.fail("study-is-model", {file_name, 0},
             "this is XML, a robot file perhaps, but no study. Describe a robot with `articula info`, or name it under "
             "`model:` in a study.");
  }
  const auto tree = std::make_shared<const YamlTree>(YamlTree::parse(text, file_name, log));
  const Subject subject{file_name, log};
  const Spot top(subject, tree->root());
  Keys keys(top, top_needed_of_studies);
  if (!keys.ok()) log.throw_if_errors();
  check_version(keys, top, log);

  Study study;
  study.file = file_name;
  study.text = text;
  study.tree = tree;
  read_key(keys, "name", study.name, dimension::none);
  read_key(keys, "description", study.description, dimension::none);
  if (const auto model = keys.find("model")) {
    read_value(*model, study.model, dimension::none);
    study.model_where = model->where();
  } else {
    top.error("value-missing", ": model is missing. Name a file, e.g. model: arm.yaml.");
  }
  read_key(keys, "base", study.read.base, dimension::none);
  read_key(keys, "mimic", study.read.mimic, dimension::none);
  if (const auto lock = keys.find("lock")) read_locks(*lock, study.read.lock);
  if (const auto snap = keys.find("snap")) read_snap(*snap, study.read.snap.emplace(Model::default_snap));
  if (const auto seed = keys.find("seed")) read_seed(*seed, study.seed);
  read_key(keys, "override", study.overrides, dimension::none);
  read_key(keys, "start", study.start, dimension::none);
  if (const auto section = keys.find("trajectories")) read_section(*section, "trajectory", study.trajectories);
  if (const auto section = keys.find("blocks")) read_section(*section, "block", study.blocks);
  if (const auto section = keys.find("tasks")) {
    each_entry(*section, "task", [&](const std::string& name, const Spot& spot, int line) {
      NamedTask task{.name = name, .kind = {}, .overrides = {}, .start = {}, .where = {file_name, line}};
      if (read_task(spot, task)) study.tasks.push_back(std::move(task));
    });
  }
  if (const auto checks = keys.find("checks")) read_checks(*checks, study.checks);
  keys.finish(study_keys);
  if (study.name.empty()) study.name = std::filesystem::path(file_name).stem().string();
  if (!log.has_errors()) {
    check_names(study, log);
    check_tasks(study, log);
    if (study.tasks.empty()) top.error("value-missing", ": tasks is missing. A study has one task at least.");
  }
  log.throw_if_errors();
  return study;
}

Study load_study(const std::filesystem::path& file, Findings& findings) {
  return read_study(read_text_file(file), file.string(), findings);
}

bool is_study(const std::filesystem::path& file) {
  constexpr std::string_view key = "articula_study";
  std::string text;
  try {
    text = read_text_file(file);
  } catch (const Error&) {
    return false;
  }
  // The key begins a line, or, in flow style, follows a brace or a comma.
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    const std::size_t before = text.find_last_not_of(" \t\"'", at == 0 ? std::string::npos : at - 1);
    if (at == 0 || before == std::string::npos || std::string_view("\n{,").find(text[before]) != std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace articula::study
