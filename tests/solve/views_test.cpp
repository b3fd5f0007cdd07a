/// Views: what converts to them, what does not, and how they convert to Eigen.

#include <articula/solve/views.h>

#include <array>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <articula/articula.h>

#include "support/names.h"

namespace articula::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
constexpr bool can_be_viewed = std::is_constructible_v<VectorView, const T&>;

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class E>
using Row = decltype(std::declval<const E&>().row(0));
template <class E>
using Column = decltype(std::declval<const E&>().col(0));

// Adjacent in memory, as the type says.
static_assert(can_be_viewed<std::vector<double>> && can_be_viewed<std::array<double, 3>> &&
              can_be_viewed<std::span<const double>> && can_be_viewed<std::span<double, 4>>);
static_assert(can_be_viewed<Vector> && can_be_viewed<Eigen::RowVectorXd> && can_be_viewed<Eigen::Vector3d> &&
              can_be_viewed<Eigen::ArrayXd> && can_be_viewed<Eigen::Matrix<double, 7, 1>>);
static_assert(can_be_viewed<Eigen::Map<const Vector>> && can_be_viewed<Eigen::Ref<const Vector>> &&
              can_be_viewed<Eigen::Ref<Vector>>);
static_assert(can_be_viewed<Column<Matrix>> && can_be_viewed<Row<RowMajorMatrix>>);
static_assert(can_be_viewed<decltype(std::declval<Vector&>().segment(1, 2))> &&
              can_be_viewed<decltype(std::declval<Vector&>().transpose())>);

// With a stride, or perhaps: refused when compiling.
static_assert(!can_be_viewed<Row<Matrix>> && !can_be_viewed<Column<RowMajorMatrix>>);
static_assert(!can_be_viewed<decltype(std::declval<const Matrix&>().diagonal())>);
static_assert(!can_be_viewed<Eigen::Map<Vector, 0, Eigen::InnerStride<2>>> &&
              !can_be_viewed<Eigen::Map<Vector, 0, Eigen::InnerStride<>>> &&
              !can_be_viewed<Eigen::Ref<Vector, 0, Eigen::InnerStride<>>>);
static_assert(!can_be_viewed<decltype(std::declval<const Vector&>()(Eigen::seq(0, 4, 2)))> &&
              !can_be_viewed<decltype(std::declval<const Vector&>().reverse())>);

// Not stored anywhere, not a vector, not of doubles.
static_assert(!can_be_viewed<decltype(std::declval<const Vector&>() + std::declval<const Vector&>())>);
static_assert(!can_be_viewed<Matrix> && !can_be_viewed<decltype(std::declval<Matrix&>().block(0, 0, 2, 2))>);
static_assert(!can_be_viewed<Eigen::VectorXf> && !can_be_viewed<std::vector<float>>);

// Results are copied to what owns its numbers, of doubles.
static_assert(std::is_convertible_v<VectorView, Vector> && std::is_convertible_v<VectorView, Eigen::RowVectorXd> &&
              std::is_convertible_v<MatrixView, Matrix> && std::is_convertible_v<MatrixView, RowMajorMatrix> &&
              std::is_convertible_v<MatrixView, Eigen::Matrix3d> && std::is_convertible_v<MatrixView, Eigen::ArrayXXd>);
static_assert(!std::is_convertible_v<VectorView, Eigen::VectorXf> && !std::is_convertible_v<VectorView, Matrix> &&
              !std::is_convertible_v<MatrixView, Eigen::MatrixXf> &&
              !std::is_convertible_v<MatrixView, Eigen::Map<Matrix>> && !std::is_convertible_v<MatrixView, int>);

TEST(VectorView, LooksAtEigenStdAndArrays) {
  const Vector eigen = Vector::LinSpaced(3, 1, 3);
  const std::vector<double> list{1, 2, 3};
  const std::array<double, 3> array{1, 2, 3};
  const double raw[] = {1, 2, 3};
  Matrix both(3, 2);
  both << 1, 4, 2, 5, 3, 6;
  const auto column = both.col(0);
  const Eigen::Map<const Vector> map(raw, 3);
  for (const VectorView view : {VectorView(eigen), VectorView(list), VectorView(array), VectorView(raw),
                                VectorView(raw, 3), VectorView(column), VectorView(map)}) {
    EXPECT_THAT(std::vector<double>(view.begin(), view.end()), ElementsAre(1, 2, 3));
  }
}

TEST(VectorView, ConvertsToEigen) {
  const double raw[] = {1, 2, 3};
  const VectorView view(raw);
  const Vector expected = Eigen::Vector3d(1, 2, 3);
  const Vector copied = view, direct(view);
  Vector assigned = Vector::Zero(5);
  assigned = view;
  const Eigen::RowVector3d row = view;
  EXPECT_EQ(copied, expected);
  EXPECT_EQ(direct, expected);
  EXPECT_EQ(assigned, expected);
  EXPECT_EQ(row, expected.transpose());
}

TEST(MatrixView, ConvertsToEigenOfEitherStorageOrder) {
  const double raw[] = {1, 2, 3, 4, 5, 6};
  const MatrixView view(raw, 2, 3);
  Matrix expected(2, 3);
  expected << 1, 2, 3, 4, 5, 6;
  const Matrix copied = view, direct(view);
  Matrix assigned;
  assigned = view;
  const RowMajorMatrix row_major = view;
  const Eigen::Matrix<double, 2, 3> fixed = view;
  EXPECT_EQ(copied, expected);
  EXPECT_EQ(direct, expected);
  EXPECT_EQ(assigned, expected);
  EXPECT_EQ(row_major, expected);
  EXPECT_EQ(fixed, expected);
}

TEST(MatrixView, RefusesAnEigenMatrixOfAnotherFixedSize) {
  const double raw[] = {1, 2, 3, 4, 5, 6};
  try {
    const Eigen::Matrix3d wrong = MatrixView(raw, 2, 3);
    FAIL() << wrong;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "a result of 2 x 3 numbers is copied to an Eigen matrix of 3 x 3. The sizes must agree. Copy it to an "
                 "Eigen::VectorXd or Eigen::MatrixXd, which take any size.  [view-size]");
  }
  EXPECT_THROW((Eigen::Vector2d(VectorView(raw, 3))), Error);
}

TEST(Views, OfSolversAreMatricesOfEigen) {
  const Model robot = load(ARTICULA_SOURCE_DIR "/models/kuka_lwr4.yaml");
  MassMatrix masses(robot);
  InverseDynamics torques(robot);
  const Matrix states = Matrix::Random(7, 7);
  const Vector q = states.row(2);  // a row has a stride: copied
  const Vector a = states.col(3);
  masses.update({.q = q});
  torques.update({.q = q});
  const Vector bias = torques.compute();
  torques.update({.q = q, .vdot = a});
  const Vector tau = torques.compute();
  const Matrix M = masses.compute();
  EXPECT_LT((M * a + bias - tau).norm(), 1e-12 * tau.norm());
}

}  // namespace
}  // namespace articula::test
