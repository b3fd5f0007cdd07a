#include <articula/text/csv.h>

#include <algorithm>
#include <cmath>

#include <articula/base/number.h>
#include <articula/base/text.h>

namespace articula::text {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// "t" and "ms" of "t [ms]".
struct NameAndUnit {
  std::string_view name, unit;
};
NameAndUnit parts_of(std::string_view name) {
  const std::size_t bracket = name.rfind('[');
  if (bracket == std::string_view::npos || !name.ends_with(']')) return {name, {}};
  const std::string_view unit = without_blanks(name.substr(bracket + 1, name.size() - bracket - 2));
  return {without_blanks(name.substr(0, bracket)), unit == "-" ? "1" : unit};
}

/// The first separator in the header line outside of quotes.
char separator_of(std::string_view line) {
  bool semicolon = false, comma = false, quotes = false;
  for (const char c : line) {
    if (c == '"') quotes = !quotes;
    semicolon |= c == ';' && !quotes;
    comma |= c == ',' && !quotes;
  }
  return semicolon ? ';' : comma ? ',' : ' ';
}

/// Removes a quoted field from the front of `line`. False if a quote is not closed.
bool take_quoted(std::string_view& line, std::string& field) {
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
  line.remove_prefix(k + 1);
  return true;
}

/// The fields of a line; false if a quote is not closed.
bool split(std::string_view line, char separator, std::vector<std::string>& fields) {
  const bool blanks = separator == ' ';
  line = without_blanks(line);
  while (true) {
    std::string field;
    if (line.starts_with('"')) {
      if (!take_quoted(line, field)) return false;
      const bool parted = line.empty() || (blanks ? is_blank(line.front()) : true);
      line = without_blanks(line);
      if (!parted || (!blanks && !line.empty() && line.front() != separator)) return false;
    } else {
      const std::size_t end = std::min(blanks ? line.find_first_of(" \t") : line.find(separator), line.size());
      field = without_blanks(line.substr(0, end));
      line.remove_prefix(end);
    }
    // `t [s] x [mm]`: a unit belongs to the preceding name.
    if (blanks && !fields.empty() && field.starts_with('[') && field.ends_with(']')) {
      fields.back() += concat(" ", field);
    } else {
      fields.push_back(std::move(field));
    }
    if (line.empty()) return true;
    if (!blanks) line.remove_prefix(1);
    line = without_blanks(line);
  }
}

/// Doubles quotes, for the content of a quoted field.
std::string doubled_quotes(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '"' ? std::string_view("\"\"") : std::string_view(&c, 1);
  return out;
}

/// First characters of formulas in spreadsheets.
constexpr std::string_view formula_signs = "=+-@\t\r";

/// With a decimal point instead of a comma, and without a plus sign.
std::string plain_number(std::string_view cell, char separator) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  std::string text(cell);
  const std::size_t comma = text.find(',');
  if (separator != ',' && comma != std::string::npos && text.find('.') == std::string::npos &&
      text.find(',', comma + 1) == std::string::npos)
    text[comma] = '.';
  return text;
}

}  // namespace

CsvTable::CsvTable(std::string_view text, std::string file, Shown shown) : file_(std::move(file)), shown_(shown) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!without_blanks(line).empty() && !without_blanks(line).starts_with('#')) add_line(line, number);
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
  if (names_.empty()) separator_ = separator_of(line);
  std::vector<std::string> fields;
  if (!split(line, separator_, fields)) {
    throw Error("csv-quote", where, "a field that begins with a quote is not closed by one. Write \"like this\".");
  }
  if (names_.empty()) {
    names_ = std::move(fields);
    for (std::string& name : names_) {
      if (name.size() > 1 && name[0] == '\'' && formula_signs.find(name[1]) != std::string_view::npos)
        name.erase(0, 1);  // the apostrophe that prevents evaluation by spreadsheets
    }
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (!places_.emplace(names_[k], k).second) {
        throw Error("csv-column", where,
                    concat("two columns are called ", shown_ == Shown::all ? quoted(names_[k]) : "the same",
                           ". Each needs a name of its own."));
      }
    }
    // Names without units are also known, unless another column has this name.
    for (std::size_t k = 0; k < names_.size(); ++k) places_.emplace(parts_of(names_[k]).name, k);
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

std::optional<std::size_t> CsvTable::no_number(std::size_t place) const {
  for (std::size_t row = 0; row < rows(); ++row) {
    if (!to_number(plain_number(cells_[row * names_.size() + place], separator_))) return row;
  }
  return std::nullopt;
}

std::string CsvTable::text_of_numbers() const {
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    if (holds_numbers(k)) kept.push_back(k);
  }
  std::string text;
  for (const std::size_t k : kept) text += concat(text.empty() ? "\"" : ";\"", doubled_quotes(names_[k]), "\"");
  for (std::size_t row = 0; row < rows(); ++row) {
    for (std::size_t i = 0; i < kept.size(); ++i)
      text += concat(i == 0 ? "\n" : ";", plain_number(cells_[row * names_.size() + kept[i]], separator_));
  }
  return text + "\n";
}

std::optional<std::size_t> CsvTable::place_of(std::string_view name) const {
  const auto found = places_.find(std::string(name));
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t CsvTable::find(std::string_view name) const {
  const auto place = place_of(name);
  if (place && (shown_ == Shown::all || holds_numbers(*place))) return *place;
  if (place && rows() == 0)
    throw Error("table-empty", {file_, 0}, "the table has no rows. It is a line of names, then rows of numbers.");
  if (place) {
    throw Error("number-invalid", {file_, lines_[*no_number(*place)]},
                concat("column ", quoted(name), ": what stands there is not a number."));
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    if (shown_ == Shown::all || holds_numbers(k)) names.push_back(names_[k]);
  }
  throw Error(
      "csv-column", {file_, 0},
      concat("column ", quoted(name), " not found.",
             names.empty() ? " No column of the file holds numbers; is it a table?" : choices(name, "Columns", names)));
}

std::string CsvTable::unit_of(std::size_t place, std::string_view unit) const {
  const std::string_view own = parts_of(names_[place]).unit;
  if (!own.empty() && !unit.empty() && own != unit) {
    throw Error("csv-unit", {file_, 0},
                concat("column ", quoted(names_[place]), " has the unit ", quoted(own), " in its header, but ",
                       quoted(unit), " is given for it. Give the unit in one place."));
  }
  return std::string(own.empty() ? unit : own);
}

std::string CsvTable::unit(std::string_view name) const { return dimension(name) ? unit_of(find(name), {}) : ""; }

std::optional<Dimension> CsvTable::dimension(std::string_view name, std::string_view given) const {
  const std::size_t place = find(name);
  const std::string unit = unit_of(place, given);
  if (unit.empty()) return std::nullopt;
  const QuantityOrWhy one = to_quantity(concat("1 ", unit));
  if (!one.quantity) throw Error("csv-unit", {file_, 0}, concat("column ", quoted(names_[place]), ": ", one.why));
  return one.quantity->dimension;
}

std::vector<double> CsvTable::column(std::string_view name, std::string_view given) const {
  const std::size_t place = find(name);
  const std::string unit = dimension(name, given) ? unit_of(place, given) : "";
  const bool si = unit.empty() || to_quantity(concat("1 ", unit)).quantity->value == 1;
  std::vector<double> numbers;
  numbers.reserve(rows());
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::string& cell = cells_[row * names_.size() + place];
    const std::string text = plain_number(cell, separator_);
    auto number = to_number(text);
    if (number && !si) {
      const auto quantity = to_quantity(concat(text, " ", unit)).quantity;
      number = quantity ? std::optional(quantity->value) : std::nullopt;
    }
    if (!number) {
      throw Error("number-invalid", {file_, lines_[row]},
                  concat("column ", quoted(names_[place]), ": ", why_no_number(cell), "."));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

std::string csv_field(std::string_view text) {
  const bool formula = text.find_first_of(formula_signs) == 0;
  if (!formula && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  return concat("\"", formula ? "'" : "", doubled_quotes(text), "\"");
}

std::string csv_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return number_text(value);
}

}  // namespace articula::text
