#include <articula/study/internal/number_table.h>

#include <algorithm>

#include <articula/base/number.h>
#include <articula/base/text.h>

namespace articula {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The cells of a line, at its commas or semicolons, or at its blanks if it has neither.
std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  const char mark = line.find(',') != std::string_view::npos   ? ','
                    : line.find(';') != std::string_view::npos ? ';'
                                                               : ' ';
  if (mark != ' ') {
    for (std::size_t first = 0; first <= line.size();) {
      const std::size_t end = std::min(line.find(mark, first), line.size());
      cells.push_back(trimmed(line.substr(first, end - first)));
      first = end + 1;
    }
    return cells;
  }
  for (std::string_view rest = trimmed(line); !rest.empty(); rest = trimmed(rest)) {
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    cells.push_back(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  return cells;
}

/// `tau1 [N*m]` is tau1; quotes around it are left out.
std::string name_of(std::string_view cell) {
  if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  if (cell.ends_with(']') && cell.find('[') != std::string_view::npos) cell = trimmed(cell.substr(0, cell.rfind('[')));
  return std::string(cell);
}

}  // namespace

const std::vector<double>& NumberTable::column(std::string_view name, const std::string& file) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error("no-such-column", {file, 0},
                concat("the table has no column ", quoted(name), ".", choices(name, "Columns", names)));
  }
  return columns[static_cast<std::size_t>(found - names.begin())];
}

NumberTable read_number_table(std::string_view text, const std::string& file) {
  NumberTable table;
  int number = 0;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = std::min(text.find('\n', first), text.size());
    const std::string_view line = trimmed(text.substr(first, end - first));
    first = end + 1;
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string_view> cells = cells_of(line);
    if (table.names.empty()) {
      for (const std::string_view cell : cells) table.names.push_back(name_of(cell));
      table.columns.resize(cells.size());
      continue;
    }
    if (cells.size() != table.names.size()) {
      throw Error("table-width", {file, number},
                  concat("the line has ", cells.size(), " cells, but the table has ", table.names.size(),
                         " columns. Write one number for each."));
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
      std::string_view cell = cells[k];
      if (cell.starts_with('+')) cell.remove_prefix(1);
      const auto value = to_number(cell);
      if (!value) {
        throw Error("number-invalid", {file, number},
                    concat("column ", quoted(table.names[k]), ": ", why_no_number(cells[k]), "."));
      }
      table.columns[k].push_back(*value);
    }
  }
  if (table.rows() == 0)
    throw Error("table-empty", {file, 0}, "the table has no rows. It is a line of names, then rows of numbers.");
  return table;
}

}  // namespace articula
