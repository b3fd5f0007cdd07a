/// `articula help block pd`: the content of studies, from tables in the library.
#include "help.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <articula/base/text.h>
#include <articula/study/kind_tables.h>

#include "arguments.h"

namespace articula::program {
namespace {

constexpr std::size_t line_width = 118;

/// The width on a terminal.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Tables have backticks around words of the format; on a terminal only sentences keep them.
std::string plain_cell(std::string cell, bool sentence) {
  if (!sentence) std::erase(cell, '`');
  return cell;
}

/// Breaks a text into lines, between words.
std::vector<std::string> lines_of(std::string_view text, std::size_t most) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!lines.back().empty() && width(lines.back()) + 1 + width(word) > most) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

/// Cells may have several lines; columns are separated by two blanks; the column of sentences gets the remaining width.
std::string printed(const ReferenceTable& table) {
  const std::size_t columns = table.titles.size();
  std::vector<std::vector<std::string>> rows{table.titles};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  const auto sentences = [&](std::size_t k) {
    return table.titles[k] == "meaning" || table.titles[k] == "what it does";
  };
  constexpr std::size_t widest = 30, least = 40;
  std::vector<std::size_t> widths(columns, 0);
  std::size_t rest = line_width;
  for (std::size_t k = 0; k < columns; ++k) {
    for (auto& row : rows) {
      row[k] = plain_cell(row[k], sentences(k));
      for (const std::string& line : lines_of(row[k], widest)) widths[k] = std::max(widths[k], width(line));
    }
    if (!sentences(k)) rest -= std::min(rest, widths[k] + 2);
  }
  std::string text;
  for (const auto& row : rows) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 0;
    for (std::size_t k = 0; k < columns; ++k) {
      if (sentences(k)) widths[k] = std::max(least, rest - std::min(rest, std::size_t{2}));
      cells.push_back(lines_of(row[k], widths[k]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t i = 0; i < height; ++i) {
      std::string line;
      for (std::size_t k = 0; k < columns; ++k) {
        const std::string cell = i < cells[k].size() ? cells[k][i] : "";
        line += "  " + cell + std::string(widths[k] - std::min(widths[k], width(cell)), ' ');
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
  }
  return text;
}

/// The names of a topic in studies, singular and plural.
struct Topic {
  std::string_view one, many, what;
  std::vector<KindTable> (*kinds)();
};
constexpr std::array topics{
    Topic{"block", "blocks", "Blocks: controllers, actuators, friction and stops.", block_tables},
    Topic{"trajectory", "trajectories", "Trajectories: motions over time.", trajectory_tables},
    Topic{"task", "tasks", "Tasks: what a study computes.", task_tables},
};

std::string kind_text(const Topic& topic, const std::string& name) {
  const std::vector<KindTable> kinds = topic.kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const KindTable& each) { return each.name == name; });
  if (found == kinds.end()) {
    std::vector<std::string> names;
    for (const KindTable& each : kinds) names.push_back(each.name);
    throw WrongUsage("help",
                     concat("there is no ", topic.one, " of type ", quoted(name), ".", choices(name, "Types", names)));
  }
  std::string text = fmt::format("{} {}: {}\n\n{}", topic.one, name, found->about, printed(found->properties));
  if (!found->signals.rows.empty()) text += "\n" + printed(found->signals);
  return text;
}

}  // namespace

std::optional<std::string> help_topic(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "signals") return "Signals: the columns of tasks.\n\n" + printed(signal_table());
  for (const Topic& topic : topics) {
    const bool this_one = !words.empty() && (words[0] == topic.one || words[0] == topic.many);
    if (!this_one || words.size() > 2) continue;
    if (words.size() == 2) return kind_text(topic, words[1]);
    return fmt::format("{} `articula help {} TYPE` lists the properties of one.\n\n{}", topic.what, topic.one,
                       printed(overview(topic.kinds())));
  }
  return std::nullopt;
}

}  // namespace articula::program
