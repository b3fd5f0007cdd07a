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

/// A table of numbers in a text, with a header line of column names: what trajectories and checks read.
///
/// Columns are separated by semicolons, commas, or blanks and tabs: by the first of these that the header line has
/// outside of quotes. Where the separator is not a comma, a number may have a decimal comma (`0,5`). Fields may be
/// in double quotes; lines may end in CRLF; empty lines and lines that begin with # are skipped. Every line has as
/// many fields as the header.
///
/// A header name may end in a unit in square brackets, `t [ms]`: numbers of that column are converted to SI. `[-]` is
/// a plain number.
///
/// A field becomes a number only when its column is asked for, so that columns of text are allowed.
class ARTICULA_EXPORT CsvTable {
 public:
  /// How much of the text messages may quote.
  enum class Shown {
    all,      ///< names of columns, and cells that are not numbers
    numbers,  ///< only columns of numbers: the text may be confidential, and no table
  };

  /// Throws an Error with file and line. `file` is for messages.
  CsvTable(std::string_view text, std::string file, Shown shown = Shown::all);

  /// The same table with only those columns that contain numbers alone, without comments.
  std::string text_of_numbers() const;

  const std::vector<std::string>& names() const { return names_; }  ///< with their units
  std::size_t rows() const { return lines_.size(); }

  /// The index of a column, by its name with or without unit. Throws an Error that lists the choices.
  std::size_t find(std::string_view name) const;

  /// The numbers of a column, in SI. `unit` is used where the header names none. Throws, with the line, where a field
  /// is not a number, and for a unit that is not known.
  std::vector<double> column(std::string_view name, std::string_view unit = {}) const;

  /// The unit in the header of a column; empty if it has none. Throws for one that is not known.
  std::string unit(std::string_view name) const;

  /// The dimension of a column's unit: that of the header, or `unit`; nothing if there is neither. Throws for a unit
  /// that is not known and for two that differ.
  std::optional<Dimension> dimension(std::string_view name, std::string_view unit = {}) const;

 private:
  std::optional<std::size_t> no_number(std::size_t place) const;  ///< the first row where the column has none
  bool holds_numbers(std::size_t place) const { return rows() > 0 && !no_number(place); }
  std::optional<std::size_t> place_of(std::string_view name) const;
  void add_line(std::string_view line, int number);
  std::string unit_of(std::size_t place, std::string_view unit) const;

  std::string file_;
  Shown shown_;
  char separator_ = ',';  ///< ' ': blanks and tabs
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> places_;  ///< of columns by name, with and without unit
  std::vector<std::string> cells_;                       ///< row by row
  std::vector<int> lines_;                               ///< of each row
};

/// A text as a field between commas, in quotes where it needs them. Spreadsheets compute a text that begins with one of
/// =+-@: an apostrophe before it makes it text again, which CsvTable drops from names.  [RFC 4180]
std::string csv_field(std::string_view text);

/// A number with the fewest digits that read back as the same double; nan, inf, -inf.
std::string csv_number(double value);

}  // namespace articula::text
