#include <articula/base/csv.h>

#include <algorithm>

#include <articula/base/number.h>
#include <articula/base/text.h>

namespace articula {

namespace {

std::string_view without_blanks(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// "t" of "t [s]".
std::string_view without_unit(std::string_view name) {
  const std::size_t bracket = name.rfind('[');
  return bracket != std::string_view::npos && name.ends_with(']') ? without_blanks(name.substr(0, bracket)) : name;
}

/// The fields of a line; none when a quote is not closed.
bool split(std::string_view line, std::vector<std::string>& fields) {
  while (true) {
    line = without_blanks(line);
    std::string field;
    if (line.starts_with('"')) {
      std::size_t k = 1;
      for (; k < line.size(); ++k) {
        if (line[k] != '"') {
          field += line[k];
        } else if (k + 1 < line.size() && line[k + 1] == '"') {
          field += line[k++];
        } else {
          break;
        }
      }
      if (k >= line.size()) return false;
      line = without_blanks(line.substr(k + 1));
      if (!line.empty() && !line.starts_with(',')) return false;
    } else {
      const std::size_t comma = std::min(line.find(','), line.size());
      field = without_blanks(line.substr(0, comma));
      line.remove_prefix(comma);
    }
    fields.push_back(std::move(field));
    if (line.empty()) return true;
    line.remove_prefix(1);
  }
}

}  // namespace

CsvTable::CsvTable(std::string_view text, std::string file) : file_(std::move(file)) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!without_blanks(line).empty() && !line.starts_with('#')) add_line(line, number);
  }
  if (names_.empty()) {
    throw Error("text-empty", {file_, 0}, "the table is empty. It begins with a line of column names, e.g. t,q1,q2.");
  }
}

void CsvTable::add_line(std::string_view line, int number) {
  const Where where{file_, number};
  if (line.find('\0') != std::string_view::npos || !is_utf8(line)) {
    throw Error("text-binary", where, "the line is no text. A table is comma-separated text; is this a binary file?");
  }
  std::vector<std::string> fields;
  if (!split(line, fields)) {
    throw Error("csv-quote", where, "a field that begins with a quote is not closed by one. Write \"like this\".");
  }
  if (names_.empty()) {
    names_ = std::move(fields);
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (std::find(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(k), names_[k]) !=
          names_.begin() + static_cast<std::ptrdiff_t>(k)) {
        throw Error("csv-column", where,
                    concat("two columns are called ", quoted(names_[k]), ". Each needs a name of its own."));
      }
    }
    return;
  }
  if (fields.size() != names_.size()) {
    throw Error("csv-row", where,
                concat("the line has ", fields.size(), fields.size() == 1 ? " field" : " fields",
                       ", but the header has ", names_.size(), ". Every line needs as many."));
  }
  cells_.insert(cells_.end(), fields.begin(), fields.end());
  lines_.push_back(number);
}

std::size_t CsvTable::find(std::string_view name) const {
  for (std::size_t k = 0; k < names_.size(); ++k) {
    if (names_[k] == name) return k;
  }
  for (std::size_t k = 0; k < names_.size(); ++k) {
    if (without_unit(names_[k]) == name) return k;
  }
  throw Error("csv-column", {file_, 0},
              concat("column ", quoted(name), " not found.", choices(name, "columns", names_)));
}

std::vector<double> CsvTable::column(std::string_view name) const {
  const std::size_t place = find(name);
  std::vector<double> numbers;
  numbers.reserve(rows());
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::string& cell = cells_[row * names_.size() + place];
    const auto number = to_number(cell);
    if (!number) {
      throw Error("number-invalid", {file_, lines_[row]},
                  concat("column ", quoted(names_[place]), ": ", why_no_number(cell), "."));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace articula
