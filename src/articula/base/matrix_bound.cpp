#include <articula/base/matrix_bound.h>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::base {

void require_matrix(std::string_view what, std::size_t rows, std::size_t columns) {
  if (columns == 0 || rows <= most_matrix_numbers / columns) return;
  throw Error(
      "matrix-too-large", {},
      concat(what, ": it needs a dense matrix of ", rows, " rows and ", columns, " columns. At most ",
             most_matrix_numbers,
             " numbers are allowed, as 3162 rows and columns have. Take a smaller model, or compute what needs no "
             "such matrix, such as inverse dynamics."));
}

}  // namespace articula::base
