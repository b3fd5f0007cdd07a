#include <map>
#include <set>
#include <utility>

#include <articula/base/findings.h>
#include <articula/base/group.h>
#include <articula/base/number.h>
#include <articula/base/text.h>

#include "command.h"

namespace articula::program {

static std::string_view colour_of(Severity severity) {
  switch (severity) {
    case Severity::error: return "1;31";
    case Severity::warning: return "1;33";
    case Severity::note: break;
  }
  return "1;36";
}

/// Whether warnings of one kind are listed individually.
static bool verbose = false;

void tell(const Findings& findings) {
  static std::set<std::string> told;
  static bool hinted = false;
  const Findings shown = verbose ? findings : grouped(findings);
  bool any = false;
  for (const Finding& finding : shown) {
    const bool is_new = told.insert(to_text(finding)).second;
    if (!is_new && finding.severity != Severity::error) continue;
    any = true;
    colour_talk(colour_of(finding.severity));
    say("{}:", to_text(finding.severity));
    colour_talk("");
    say(" {}\n", to_text(finding));
  }
  if (any && shown.size() < findings.size() && !std::exchange(hinted, true)) {
    say("{} findings are shown in {} lines; --verbose lists each\n", findings.size(), shown.size());
  }
}

std::string count_text(const Findings& findings) {
  std::string text;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    std::size_t count = 0;
    for (const Finding& finding : findings) count += finding.severity == severity ? count_of(finding) : 0;
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}{}", count, to_text(severity), count == 1 ? "" : "s");
  }
  return text;
}

/// An option whose values are names of an enumeration.
template <class E>
static void add_names(const Command& command, const std::string& option, E& value, const std::string& help) {
  Choices<E> choices;
  for (std::size_t k = 0; k < enum_names(E{}).size(); ++k) {
    choices.emplace_back(enum_names(E{})[k], static_cast<E>(k));
  }
  command.choice(option, value, choices, help);
}

void add_snap_option(const Command& command, std::optional<double>& snap) {
  command
      .each(
          "--snap",
          [&snap](const std::string& text) {
            const auto number = to_number(text);
            const std::string why = number ? why_no_snap(*number) : why_no_number(text) + ".";
            if (!why.empty()) throw WrongUsage("--snap", why);
            snap = *number;
          },
          concat("Rotations this near to exact ones become exact; 0: none do (default: what the model says, or ",
                 Model::default_snap, ")"))
      .shown_as("TOLERANCE");
}

void add_read_options(const Command& command, ReadOptions& options) {
  add_names(command, "--base", options.base, "Root of an imported robot: fixed (default) or floating");
  add_names(command, "--mimic", options.mimic, "Joints that mimic another: coupled (default) or independent");
  command
      .each(
          "--lock", [&options](const std::string& text) { options.lock.push_back(to_lock(text)); },
          "Fix a joint at a value, e.g. 'elbow=30 deg' (may be given more than once)")
      .shown_as("JOINT=VALUE");
  add_snap_option(command, options.snap);
  command.flag("--strict", options.strict, "Defects of imported files that are usually warned of become errors");
  command.flag("--verbose", verbose, "List warnings and notes of one kind one by one");
}

void add_drives_option(const Command& command, BuildOptions& options) {
  command.choice<std::optional<Drives>>(
      "--drives", options.drives, {{"locked", Drives::locked}, {"rigid", Drives::rigid}, {"elastic", Drives::elastic}},
      "Rotors of drives: at rest in their bodies (default), rotating with their joints, or behind their springs as the "
      "model says");
}

static std::string started_with;

std::string command_line() { return started_with; }

void set_command_line(int argc, char** argv) {
  constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  started_with = "articula";
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    const bool bare = !word.empty() && word.find_first_not_of(harmless) == std::string_view::npos;
    std::string text = bare ? std::string(word) : "'";
    for (std::size_t i = 0; !bare && i < word.size(); ++i)
      text += word[i] == '\'' ? std::string("'\\''") : std::string(1, word[i]);
    started_with += " " + text + (bare ? "" : "'");
  }
}

}  // namespace articula::program
