#include <articula/solve/views.h>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::solve::views {

void require_size(std::size_t rows, std::size_t columns, int fixed_rows, int fixed_columns) {
  const auto fits = [](std::size_t n, int fixed) { return fixed < 0 || n == static_cast<std::size_t>(fixed); };
  if (fits(rows, fixed_rows) && fits(columns, fixed_columns)) return;
  const auto text = [](int n) { return n < 0 ? std::string("any") : std::to_string(n); };
  throw Error("view-size", {},
              concat("a result of ", rows, " x ", columns, " numbers is copied to an Eigen matrix of ",
                     text(fixed_rows), " x ", text(fixed_columns),
                     ". The sizes must agree. Copy it to an Eigen::VectorXd or Eigen::MatrixXd, which take any size."));
}

}  // namespace articula::solve::views
