#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace articula {

/// Numbers that lie side by side somewhere else: in a std::vector, an Eigen vector, an array, or by pointer and size.
/// It does not own them; they must outlive it.
class VectorView {
 public:
  VectorView() = default;
  VectorView(const double* data, std::size_t size) : data_(data), size_(size) {}

  /// Of everything that has data() and size(): std::vector, std::array, std::span, Eigen's vectors of double.
  template <class Container>
    requires(!std::is_same_v<std::remove_cvref_t<Container>, VectorView>) && requires(const Container& c) {
      { c.data() } -> std::convertible_to<const double*>;
      { c.size() } -> std::convertible_to<std::ptrdiff_t>;
    }
  VectorView(const Container& c) : data_(c.data()), size_(static_cast<std::size_t>(c.size())) {}  // NOLINT

  template <std::size_t n>
  VectorView(const double (&array)[n]) : data_(array), size_(n) {}  // NOLINT

  const double* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const double& operator[](std::size_t k) const { return data_[k]; }
  const double* begin() const { return data_; }
  const double* end() const { return data_ + size_; }
  operator std::span<const double>() const { return {data_, size_}; }  // NOLINT

 private:
  const double* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A matrix that lies row by row somewhere else.
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(const double* data, int rows, int columns) : data_(data), rows_(rows), columns_(columns) {}

  const double* data() const { return data_; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::size_t size() const { return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_); }
  const double& operator()(int i, int j) const { return data_[static_cast<std::ptrdiff_t>(i) * columns_ + j]; }
  VectorView row(int i) const {
    return {data_ + static_cast<std::ptrdiff_t>(i) * columns_, static_cast<std::size_t>(columns_)};
  }

 private:
  const double* data_ = nullptr;
  int rows_ = 0, columns_ = 0;
};

}  // namespace articula
