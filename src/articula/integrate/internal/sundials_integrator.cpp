#include <articula/integrate/internal/sundials_integrator.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <articula/integrate/internal/step_control.h>

namespace articula::integrate::internal {
namespace {

Context make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
  return Context(context);
}

/// CVODE and ARKODE number their failures alike: −8 to −11 are those of the right-hand side.
StepStatus failure(int flag) { return flag <= -8 && flag >= -11 ? StepStatus::no_value : StepStatus::stalled; }

}  // namespace

SundialsIntegrator::SundialsIntegrator(Problem& problem, const IntegratorOptions& options)
    : problem_(problem, counts_), options_(options), context_(make_context()) {
  const sunindextype n = problem.size();
  y_.resize(static_cast<std::size_t>(n));
  row_sizes_.resize(y_.size());
  largest_.resize(y_.size());
  state_.reset(N_VNew_Serial(n, context_.get()));
  output_.reset(N_VNew_Serial(n, context_.get()));
  matrix_.reset(SUNDenseMatrix(n, n, context_.get()));
  if (!state_ || !output_ || !matrix_) throw std::bad_alloc();
  linear_solver_.reset(SUNLinSol_Dense(state_.get(), matrix_.get(), context_.get()));
  if (!linear_solver_) throw std::bad_alloc();
  if (options.use_jacobian) jacobian_rows_.resize(static_cast<std::size_t>(n * n));
}

void SundialsIntegrator::start(double t, std::span<const double> y) {
  assert(y.size() == y_.size());
  if (started_) ++counts_.restarts;
  started_ = true;
  t_ = t_before_ = t;
  std::copy(y.begin(), y.end(), y_.begin());
  std::copy(y.begin(), y.end(), entries(output_.get()).begin());
  has_surface_ = problem_.project(t, entries(output_.get()));
  begin();
}

void SundialsIntegrator::begin() {
  std::copy(y_.begin(), y_.end(), entries(state_.get()).begin());
  create(t_);
  counted_ = {};
  for (std::size_t i = 0; i < y_.size(); ++i) largest_[i] = std::abs(y_[i]);
  fresh_ = is_point_ = true;
  begin_anew_ = has_jacobian_ = false;
}

StepStatus SundialsIntegrator::step(double t_end) {
  assert(t_end > t_);
  // A history of long steps is no good for a very short one, and the noise of a very short one none for what follows.
  const double h = fresh_ ? 0 : next_step(), left = t_end - t_;
  if (begin_anew_ || left < 1e-3 * h) {
    ++counts_.restarts;
    begin();
  }
  if (fresh_ && left < 2 * shortest_step(t_end)) return tiny_step(t_end);

  // Two equal steps rather than a long and a short one.
  const double stop = left > h && left < 2 * h ? t_ + left / 2 : t_end;
  double t_new = t_;
  const int flag = advance(stop, &t_new);
  add_counts();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (flag < 0) return failure(flag);
  if (t_new < stop && t_new - t_ < shortest_step(t_)) {
    return counts_.steps - refused_at_ < 20 ? StepStatus::no_value : StepStatus::stalled;
  }
  const auto state = entries(state_.get());
  if (!CountedProblem::finite(state)) return StepStatus::no_value;

  if (fresh_ && has_jacobian_) renew_jacobian_often();
  t_before_ = t_;
  t_ = t_new;
  stability_.reach = (t_ - t_before_) * jacobian_size_;
  fresh_ = is_point_ = false;
  std::copy(state.begin(), state.end(), y_.begin());
  for (std::size_t i = 0; i < y_.size(); ++i) largest_[i] = std::max(largest_[i], std::abs(y_[i]));
  begin_anew_ = finish();
  return StepStatus::done;
}

/// Too short for the libraries to begin with: Euler's method, whose error there is below rounding.
StepStatus SundialsIntegrator::tiny_step(double t_end) {
  const auto rate = entries(output_.get());
  if (!problem_.rate(t_, y_, rate)) return StepStatus::no_value;
  for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += (t_end - t_) * rate[i];
  problem_.project(t_end, y_);
  ++counts_.steps;
  t_before_ = t_;
  t_ = t_end;
  begin();
  return StepStatus::done;
}

void SundialsIntegrator::interpolate(double t, std::span<double> y) {
  assert(y.size() == y_.size());
  if (t == t_ || is_point_ || dense(t, 0, output_.get()) < 0) {
    std::copy(y_.begin(), y_.end(), y.begin());
    return;
  }
  const auto output = entries(output_.get());
  std::copy(output.begin(), output.end(), y.begin());
  problem_.project(t, y);
}

/// The error of y is of the size of the tolerance in each entry: f_i then errs by |row i of J|, the slope by about 1/h.
void SundialsIntegrator::improve_rate(double t, std::span<double> ydot) {
  assert(ydot.size() == y_.size());
  if (is_point_ || dense(t, 1, output_.get()) < 0) return;
  const double h = t_ - t_before_;
  const auto slope = entries(output_.get());
  for (std::size_t i = 0; i < ydot.size(); ++i) {
    if (h * row_sizes_[i] > 1) ydot[i] = slope[i];
  }
}

void SundialsIntegrator::add_counts() {
  const Totals now = totals();
  counts_.steps += now.steps - counted_.steps;
  counts_.rejected += now.rejected - counted_.rejected;
  counts_.factorizations += now.factorizations - counted_.factorizations;
  counted_ = now;
}

double SundialsIntegrator::error_size(std::span<const double> change) const {
  return error_norm(change, y_, y_, options_);
}

int SundialsIntegrator::rate_callback(double t, N_Vector y, N_Vector ydot, void* self) {
  auto& me = *static_cast<SundialsIntegrator*>(self);
  try {
    if (me.problem_.rate(t, entries(y), entries(ydot))) return 0;
    me.refused_at_ = me.counts_.steps;
    return 1;
  } catch (...) {
    me.thrown_ = std::current_exception();
    return -1;
  }
}

int SundialsIntegrator::jacobian_callback(double t, N_Vector y, N_Vector ydot, SUNMatrix J, void* self, N_Vector tmp1,
                                          N_Vector tmp2, N_Vector tmp3) {
  auto& me = *static_cast<SundialsIntegrator*>(self);
  try {
    if (!me.fill_jacobian(t, y, ydot, J, tmp1, tmp2, tmp3)) return 1;
    me.measure(J);
    return 0;
  } catch (...) {
    me.thrown_ = std::current_exception();
    return -1;
  }
}

bool SundialsIntegrator::fill_jacobian(double t, N_Vector y, N_Vector ydot, SUNMatrix J, N_Vector y_probe,
                                       N_Vector rate_probe, N_Vector weights) {
  if (!options_.use_jacobian || !problem_.jacobian(t, entries(y), jacobian_rows_)) {
    return take_differences(t, y, ydot, J, y_probe, rate_probe, weights);
  }
  has_jacobian_ = true;
  const std::size_t n = y_.size();
  for (std::size_t j = 0; j < n; ++j) {
    double* column = SUNDenseMatrix_Column(J, static_cast<sunindextype>(j));
    for (std::size_t i = 0; i < n; ++i) column[i] = jacobian_rows_[i * n + j];
  }
  return CountedProblem::finite(jacobian_rows_);
}

/// Column j is (f(y + σ e_j) − f(y))/σ. The increment is the root of the rounding error of y_j, and not so small that
/// the rounding error of f shows. [CVODE's manual, section on dense difference quotients]
///
///     σ = max(√ε |y_j|, 1000 n ε |h| ‖f‖ / w_j)        w_j: error weights, ‖·‖ the norm with them
bool SundialsIntegrator::take_differences(double t, N_Vector y, N_Vector ydot, SUNMatrix J, N_Vector y_probe,
                                          N_Vector rate_probe, N_Vector weights) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const std::size_t n = y_.size();
  ++counts_.jacobians;
  get_weights(weights);
  const double h = next_step();
  const double size = N_VWrmsNorm(ydot, weights);
  const double least = size > 0 ? 1000 * eps * static_cast<double>(n) * std::abs(h) * size : 1;
  N_VScale(1, y, y_probe);
  const auto state = entries(y), probe = entries(y_probe), weight = entries(weights);
  for (std::size_t j = 0; j < n; ++j) {
    const double wanted = std::max(std::sqrt(eps) * std::abs(state[j]), least / weight[j]);
    probe[j] = state[j] + wanted;
    const double increment = probe[j] - state[j];
    ++counts_.rates_for_jacobians;
    if (!problem_.rate(t, probe, entries(rate_probe))) return false;
    probe[j] = state[j];
    double* column = SUNDenseMatrix_Column(J, static_cast<sunindextype>(j));
    const auto rate = entries(ydot), moved = entries(rate_probe);
    for (std::size_t i = 0; i < n; ++i) column[i] = (moved[i] - rate[i]) / increment;
  }
  return true;
}

/// Of J_ij·u_j/u_i, u_i = absolute + relative·|y_i|: similar matrices have the same eigenvalues. |y_i| is its largest value
/// so far: an entry that passes zero is not more exact there.
void SundialsIntegrator::measure(SUNMatrix J) {
  const auto unit = [&](std::size_t i) { return options_.absolute + options_.relative * largest_[i]; };
  std::fill(row_sizes_.begin(), row_sizes_.end(), 0.0);
  for (std::size_t j = 0; j < y_.size(); ++j) {
    const double* const column = SUNDenseMatrix_Column(J, static_cast<sunindextype>(j));
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double entry = column[i] * unit(j) / unit(i);
      row_sizes_[i] += entry * entry;
    }
  }
  double sum = 0;
  for (double& row : row_sizes_) {
    sum += row;
    row = std::sqrt(row);
  }
  jacobian_size_ = std::sqrt(sum);
}

void SundialsIntegrator::silence(int, const char*, const char*, char*, void*) {}

}  // namespace articula::integrate::internal
