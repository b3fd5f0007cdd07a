#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include <articula/base/export.h>
#include <articula/base/modules.h>

// With clang, `VectorView q = make_numbers();` is a warning: the numbers no longer exist after that statement.
#if defined(__clang__)
#define ARTICULA_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define ARTICULA_LIFETIME_BOUND
#endif

namespace articula::solve {

namespace views {

/// An Eigen expression, recognized by its members, since this header does not include Eigen.
template <class E>
concept EigenExpression = requires {
  typename E::Scalar;
  E::InnerStrideAtCompileTime;
  E::IsVectorAtCompileTime;
};

/// Known at compile time to be a vector with contiguous entries. Not a row of a column-major matrix, a
/// diagonal, a Map or Ref with an inner stride, nor a matrix.
template <class E>
concept ContiguousEigenVector = EigenExpression<E> && static_cast<bool>(E::IsVectorAtCompileTime) &&
                                static_cast<int>(E::InnerStrideAtCompileTime) == 1;

/// Contiguous doubles with a known size: std::vector, std::array, std::span, vectors of Eigen.
template <class C>
concept ContiguousDoubles =
    (ContiguousEigenVector<C> || (!EigenExpression<C> && std::ranges::contiguous_range<const C>)) &&
    requires(const C& c) {
      { c.data() } -> std::convertible_to<const double*>;
      { c.size() } -> std::convertible_to<std::ptrdiff_t>;
    };

/// A matrix or vector of doubles that owns its entries: Eigen::VectorXd, Eigen::Matrix3d, Eigen::ArrayXXd.
template <class E>
concept EigenPlain = EigenExpression<E> && std::same_as<typename E::Scalar, double> &&
                     std::same_as<typename E::PlainObject, E> && requires(E e, std::ptrdiff_t n) {
                       e.resize(n, n);
                       { e.coeffRef(n, n) } -> std::same_as<double&>;
                     };

/// Throws unless a result fits into an Eigen matrix with a fixed number of rows and columns (−1: any).
ARTICULA_EXPORT void require_size(std::size_t rows, std::size_t columns, int fixed_rows, int fixed_columns);

template <class E>
E make_eigen(std::size_t rows, std::size_t columns, auto&& entry) {
  require_size(rows, columns, E::RowsAtCompileTime, E::ColsAtCompileTime);
  E result;
  result.resize(static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j)
      result.coeffRef(static_cast<std::ptrdiff_t>(i), static_cast<std::ptrdiff_t>(j)) = entry(i, j);
  }
  return result;
}

}  // namespace views

/// A view of contiguous doubles: a std::vector, an Eigen vector, an array, or a pointer and a size. They must outlive
/// the view.
///
/// Strided data does not convert: copy it first, `Eigen::VectorXd q = Q.row(k);`. A view converts to Eigen vectors,
/// which copy it: `Eigen::VectorXd tau = torques.compute();`.
class VectorView {
 public:
  VectorView() = default;
  VectorView(const double* data ARTICULA_LIFETIME_BOUND, std::size_t size) : data_(data), size_(size) {}

  template <class Container>
    requires(!std::is_same_v<std::remove_cvref_t<Container>, VectorView>) && views::ContiguousDoubles<Container>
  VectorView(const Container& c ARTICULA_LIFETIME_BOUND)  // NOLINT
      : data_(c.data()), size_(static_cast<std::size_t>(c.size())) {}

  template <std::size_t n>
  VectorView(const double (&array ARTICULA_LIFETIME_BOUND)[n]) : data_(array), size_(n) {}  // NOLINT

  const double* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const double& operator[](std::size_t k) const { return data_[k]; }
  const double* begin() const { return data_; }
  const double* end() const { return data_ + size_; }
  operator std::span<const double>() const { return {data_, size_}; }  // NOLINT

  template <views::EigenPlain E>
    requires(static_cast<bool>(E::IsVectorAtCompileTime))
  operator E() const {  // NOLINT
    constexpr bool is_row = E::RowsAtCompileTime == 1;
    return views::make_eigen<E>(is_row ? 1 : size_, is_row ? size_ : 1,
                                [&](std::size_t i, std::size_t j) { return data_[i + j]; });
  }

 private:
  const double* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A view of a row-major matrix. It converts to Eigen matrices of either storage order, which copy it:
/// `Eigen::MatrixXd M = masses.compute();`.
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(const double* data ARTICULA_LIFETIME_BOUND, int rows, int columns)
      : data_(data), rows_(rows), columns_(columns) {}

  const double* data() const { return data_; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::size_t size() const { return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_); }
  const double& operator()(int i, int j) const { return data_[static_cast<std::ptrdiff_t>(i) * columns_ + j]; }
  VectorView row(int i) const {
    return {data_ + static_cast<std::ptrdiff_t>(i) * columns_, static_cast<std::size_t>(columns_)};
  }

  template <views::EigenPlain E>
  operator E() const {  // NOLINT
    const auto columns = static_cast<std::size_t>(columns_);
    return views::make_eigen<E>(static_cast<std::size_t>(rows_), columns,
                                [&](std::size_t i, std::size_t j) { return data_[i * columns + j]; });
  }

 private:
  const double* data_ = nullptr;
  int rows_ = 0, columns_ = 0;
};

}  // namespace articula::solve
