#include <articula/simulate/equilibrium.h>

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::simulate {
namespace {

constexpr double first_step = 1e-3, longest_step = 1e10;
/// A step that multiplies the residual by more is tried again, shorter.
constexpr double most_growth = 2;

/// The system at rest, as a flow of x = [q, z].
class Rest {
 public:
  Rest(System& system, double t)
      : system_(system),
        t_(t),
        nq_(system.q_names().size()),
        nv_(system.v_names().size()),
        n_(static_cast<std::size_t>(system.size())),
        nx_(n_ - nv_),
        rate_(n_),
        at_rest_(n_),
        J_(n_ * n_) {}

  std::size_t size() const { return nx_; }

  /// How x flows at y, and the largest acceleration or rate. False where there is none.
  bool flow(std::span<const double> y, Eigen::VectorXd& xdot, double& residual) {
    if (!system_.rate(t_, y, rate_)) return false;
    residual = 0;
    for (std::size_t k = nq_; k < n_; ++k) residual = std::max(residual, std::abs(rate_[k]));
    // q̇ = N(q)·a: the rates that speeds as large as the accelerations would give.
    std::copy(y.begin(), y.end(), at_rest_.begin());
    std::copy_n(rate_.begin() + static_cast<std::ptrdiff_t>(nq_), nv_,
                at_rest_.begin() + static_cast<std::ptrdiff_t>(nq_));
    system_.position_rates(at_rest_, std::span(rate_).first(nq_));
    for (std::size_t i = 0; i < nx_; ++i) xdot[static_cast<Eigen::Index>(i)] = rate_[place(i)];
    return std::isfinite(residual);
  }

  /// ∂ẋ/∂x, but for how N changes, which does not matter where a is small.
  bool jacobian(std::span<const double> y, Eigen::MatrixXd& A) {
    if (!system_.jacobian(t_, y, J_)) return false;
    std::copy(y.begin(), y.end(), at_rest_.begin());
    for (std::size_t j = 0; j < nx_; ++j) {
      for (std::size_t k = 0; k < nv_; ++k) at_rest_[nq_ + k] = J_[(nq_ + k) * n_ + place(j)];
      system_.position_rates(at_rest_, std::span(rate_).first(nq_));
      for (std::size_t i = 0; i < nx_; ++i) {
        A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            i < nq_ ? rate_[i] : J_[place(i) * n_ + place(j)];
      }
    }
    return true;
  }

  void move(std::span<const double> y, const Eigen::VectorXd& dx, std::span<double> moved) {
    std::copy(y.begin(), y.end(), moved.begin());
    for (std::size_t i = 0; i < nx_; ++i) moved[place(i)] += dx[static_cast<Eigen::Index>(i)];
    system_.project(t_, moved);
  }

  /// Which acceleration or rate at y is the largest.
  std::string largest(std::span<const double> y) {
    if (!system_.rate(t_, y, rate_)) return "";
    std::size_t most = nq_;
    for (std::size_t k = nq_; k < n_; ++k) {
      if (std::abs(rate_[k]) > std::abs(rate_[most])) most = k;
    }
    return most < nq_ + nv_ ? concat("a.", system_.v_names()[most - nq_], " is ", rate_[most])
                            : concat("the rate of ", system_.z_names()[most - nq_ - nv_], " is ", rate_[most]);
  }

 private:
  /// Where entry i of x stands in y.
  std::size_t place(std::size_t i) const { return i < nq_ ? i : i + nv_; }

  System& system_;
  double t_;
  std::size_t nq_, nv_, n_, nx_;
  std::vector<double> rate_, at_rest_, J_;
};

}  // namespace

void check_equilibrium_size(const System& system) {
  constexpr int most = 4000;
  if (system.size() <= most) return;
  throw Error("jacobian-too-large", {},
              concat("the equilibrium of a system of ", system.size(),
                     " states is sought, and each step solves a dense "
                     "system of equations. At most ",
                     most, " states are allowed. Take a smaller model, or simulate with damping until it rests."));
}

Equilibrium find_equilibrium(System& system, const StartState& start, const EquilibriumOptions& options) {
  check_equilibrium_size(system);
  StartState from = start;
  from.v.reset();
  Equilibrium result;
  result.y = system.start(from);
  system.rest_at(start.t, result.y);
  Rest rest(system, start.t);
  const auto size = static_cast<Eigen::Index>(rest.size());
  Eigen::VectorXd xdot(size), next(size);
  Eigen::MatrixXd A(size, size);
  std::vector<double> moved(result.y.size());
  double h = first_step;
  bool good = rest.flow(result.y, xdot, result.residual);
  while (good && result.residual > options.tolerance && result.steps < options.most_steps) {
    ++result.steps;
    good = rest.jacobian(result.y, A);
    if (!good) break;
    A = -A;
    A.diagonal().array() += 1 / h;
    rest.move(result.y, A.partialPivLu().solve(xdot), moved);
    double residual = 0;
    if (!rest.flow(moved, next, residual) || residual > most_growth * result.residual) {
      h /= 4;
      if (h < 1e-12) break;
      continue;
    }
    h = std::min(longest_step, h * std::clamp(result.residual / residual, 1.2, 100.0));
    result.y = moved;
    std::swap(xdot, next);
    result.residual = residual;
  }
  result.found = good && result.residual <= options.tolerance;
  if (!result.found) {
    result.what =
        concat("no equilibrium was found near the start: after ", result.steps, " steps ", rest.largest(result.y),
               ". Look for a joint that nothing holds, or start nearer to where it rests.");
  }
  system.move_again(start.t, result.y);
  return result;
}

}  // namespace articula::simulate
