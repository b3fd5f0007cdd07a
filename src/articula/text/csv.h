#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/base/units.h>

namespace articula::text {

/// A table of numbers in a text, with a header line of column names, for trajectories and checks.
///
/// Columns are separated by semicolons, commas, or blanks and tabs: the first of these that the header line contains
/// outside of quotes. If the separator is not a comma, numbers may have a decimal comma (`0,5`). Fields may be in
/// double quotes; lines may end in CRLF; empty lines and lines that begin with # are skipped. Every line has as many
/// fields as the header.
///
/// A header name may end in a unit in square brackets, `t [ms]`: numbers of that column are converted to SI. `[-]` is
/// a plain number.
///
/// Fields are converted to numbers when their column is read, so that other columns may contain text.
class ARTICULA_EXPORT CsvTable {
 public:
  /// The parts of the text that messages may quote.
  enum class Shown {
    all,      ///< names of columns, and cells that are not numbers
    numbers,  ///< only columns of numbers: the text may be confidential, and not a table
  };

  /// Throws an Error with file and line. `file` is for messages.
  CsvTable(std::string_view text, std::string file, Shown shown = Shown::all);

  /// The table reduced to columns that contain only numbers, without comments.
  std::string text_of_numbers() const;

  const std::vector<std::string>& names() const { return names_; }  ///< with units
  std::size_t rows() const { return lines_.size(); }

  /// The index of a column, by its name with or without unit. Throws an Error that lists the choices.
  std::size_t find(std::string_view name) const;

  /// The numbers of a column, in SI units. `unit` is used if the header has none. Throws an Error with the line if a
  /// field is not a number, or for an unknown unit.
  std::vector<double> column(std::string_view name, std::string_view unit = {}) const;

  /// The unit in the header of a column; empty if there is none. Throws an Error for an unknown unit.
  std::string unit(std::string_view name) const;

  /// The dimension of a column's unit, from the header or `unit`; empty if there is neither. Throws an Error for an
  /// unknown unit, or if the two differ.
  std::optional<Dimension> dimension(std::string_view name, std::string_view unit = {}) const;

 private:
  std::optional<std::size_t> no_number(std::size_t place) const;  ///< the first row where the column has no number
  bool holds_numbers(std::size_t place) const { return rows() > 0 && !no_number(place); }
  std::optional<std::size_t> place_of(std::string_view name) const;
  void add_line(std::string_view line, int number);
  std::string unit_of(std::size_t place, std::string_view unit) const;

  std::string file_;
  Shown shown_;
  char separator_ = ',';  ///< ' ' stands for blanks and tabs
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> places_;  ///< of columns by name, with and without unit
  std::vector<std::string> cells_;                       ///< row-major
  std::vector<int> lines_;                               ///< of each row
};

/// A text as a CSV field, in quotes if necessary. Spreadsheets evaluate a text that begins with one of =+-@; an
/// apostrophe before it prevents this, and CsvTable removes it from names.  [RFC 4180]
std::string csv_field(std::string_view text);

/// A number with the fewest digits that read back as the same double; nan, inf, -inf.
std::string csv_number(double value);

}  // namespace articula::text
