#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <system_error>

#include <fmt/core.h>

#include <articula/base/text.h>

#include "command.h"

namespace articula::program {

static bool colours() {
  static const bool wanted = isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return wanted;
}

static std::string_view colour_of(Severity severity) {
  switch (severity) {
    case Severity::error: return "\033[1;31m";
    case Severity::warning: return "\033[1;33m";
    case Severity::note: break;
  }
  return "\033[1;36m";
}

void tell(const Findings& findings) {
  for (const Finding& finding : findings) {
    const auto [on, off] = colours() ? std::pair(colour_of(finding.severity), std::string_view("\033[0m"))
                                     : std::pair(std::string_view(), std::string_view());
    fmt::print(stderr, "{}{}:{} {}\n", on, to_text(finding.severity), off, to_text(finding));
  }
}

void put(std::string_view text, Then then) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
      (then == Then::more || std::fflush(stdout) == 0))
    return;
  throw Error("file-unwritable", {"<stdout>", 0},
              concat("it cannot be written: ", std::generic_category().message(errno), "."));
}

std::string count_text(const Findings& findings) {
  std::string text;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    long count = 0;
    for (const Finding& finding : findings) count += finding.severity == severity ? 1 : 0;
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}{}", count, to_text(severity), count == 1 ? "" : "s");
  }
  return text;
}

void add_read_options(CLI::App& command, ReadOptions& options) {
  static const std::map<std::string, ReadOptions::Base> bases{{"fixed", ReadOptions::Base::fixed},
                                                              {"floating", ReadOptions::Base::floating}};
  static const std::map<std::string, ReadOptions::Mimic> mimics{{"coupled", ReadOptions::Mimic::coupled},
                                                                {"independent", ReadOptions::Mimic::independent}};
  const auto choice = [](const auto& map) { return CLI::CheckedTransformer(map).description(""); };
  command.add_option("--base", options.base, "Root of an imported robot: fixed (default) or floating")
      ->transform(choice(bases))
      ->option_text("fixed|floating");
  command.add_option("--mimic", options.mimic, "Joints that mimic another: coupled (default) or independent")
      ->transform(choice(mimics))
      ->option_text("coupled|independent");
  command.add_flag("--strict", options.strict, "Defects of imported files that are usually warned of become errors");
}

}  // namespace articula::program
