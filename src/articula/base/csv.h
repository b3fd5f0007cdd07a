#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>

namespace articula {

/// A table of comma-separated values with a header line. Fields may stand in double quotes; lines may end in CRLF;
/// empty lines and lines that begin with # are passed over. Every line has as many fields as the header.
///
/// A field becomes a number only when its column is asked for, so that columns of text may stand beside.
class ARTICULA_EXPORT CsvTable {
 public:
  /// Throws an Error with file and line. `file` is for messages.
  CsvTable(std::string_view text, std::string file);

  const std::vector<std::string>& names() const { return names_; }
  std::size_t rows() const { return lines_.size(); }

  /// The place of a column: by its name, or by its name without a unit in square brackets at its end (`t [s]`). Throws
  /// and names the choices.
  std::size_t find(std::string_view name) const;

  /// The numbers of a column. Throws, with the line, where one is none.
  std::vector<double> column(std::string_view name) const;

 private:
  void add_line(std::string_view line, int number);

  std::string file_;
  std::vector<std::string> names_;
  std::vector<std::string> cells_;  ///< row by row
  std::vector<int> lines_;          ///< of each row
};

}  // namespace articula
