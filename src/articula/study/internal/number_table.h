#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <articula/base/error.h>

namespace articula {

/// A table of numbers from a text: a line of names, then rows. Columns are parted by commas, semicolons, tabs or blanks;
/// lines that begin with # and empty lines do not count; a unit in brackets behind a name is left out.
struct NumberTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  /// Throws an Error that names the columns there are.
  const std::vector<double>& column(std::string_view name, const std::string& file) const;
};

/// Throws an Error with file and line for what is no number.
NumberTable read_number_table(std::string_view text, const std::string& file);

}  // namespace articula
