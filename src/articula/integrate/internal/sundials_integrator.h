#pragma once

#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <articula/integrate/internal/counted_problem.h>

namespace articula::integrate::internal {

/// Calls one of SUNDIALS' functions that free things.
template <auto free_it>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    free_it(object);
  }
};

struct FreedContext {
  void operator()(std::remove_pointer_t<SUNContext>* context) const { SUNContext_Free(&context); }
};

using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, FreedContext>;
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, Freed<N_VDestroy>>;
using Matrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, Freed<SUNMatDestroy>>;
using LinearSolver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, Freed<SUNLinSolFree>>;

inline std::span<double> entries(N_Vector v) {
  return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
}

/// What the integrators of SUNDIALS have in common: the problem behind their callbacks, Jacobians from the problem or
/// from differences, counts, and what their failures mean. They print nothing.
///
/// `start` makes the library's memory anew, so that nothing of before can reach what comes: a run that begins at a
/// checkpoint and one that passes it are the same, bit by bit.
class SundialsIntegrator : public Integrator {
 public:
  SundialsIntegrator(Problem& problem, const IntegratorOptions& options);

  void start(double t, std::span<const double> y) final;
  StepStatus step(double t_end) final;
  void interpolate(double t, std::span<double> y) final;
  void improve_rate(double t, std::span<double> ydot) final;
  Method method() const final { return options_.method; }

 protected:
  /// What the library has counted since `create`.
  struct Totals {
    long steps = 0, rejected = 0, factorizations = 0;
  };

  virtual void create(double t) = 0;                       ///< begin at (t, state_)
  virtual int advance(double t_end, double* t) = 0;        ///< one step, into state_; the library's flag
  virtual int dense(double t, int order, N_Vector y) = 0;  ///< a derivative of y anywhere in the last step
  virtual Totals totals() = 0;
  virtual void get_weights(N_Vector weights) = 0;  ///< of errors: 1/(relative·|y| + absolute)
  virtual double next_step() = 0;                  ///< within a step: its length
  /// The problem has a Jacobian of its own: take it in every second step.
  ///
  /// The libraries keep Jacobians as long as they can, because differences are dear. A fresh one makes Newton's method
  /// converge at once, and its remainder then disturbs the estimate of the error less. On a seven-axis arm under stiff
  /// control BDF needs half the steps and half the time, and 417 evaluations of f instead of 981 (1801 with differences).
  virtual void renew_jacobian_often() = 0;
  /// After an advance; y_ may be changed. Whether to begin anew from it.
  virtual bool finish() { return false; }

  /// The callbacks, which both libraries write the same way. 0: fine, 1: try a shorter step, −1: give up.
  static int rate_callback(double t, N_Vector y, N_Vector ydot, void* self);
  static int jacobian_callback(double t, N_Vector y, N_Vector ydot, SUNMatrix J, void* self, N_Vector tmp1,
                               N_Vector tmp2, N_Vector tmp3);
  static void silence(int code, const char* module, const char* function, char* text, void* data);

  double error_size(std::span<const double> change) const;

  CountedProblem problem_;
  IntegratorOptions options_;
  Context context_;
  Vector state_;
  Matrix matrix_;
  LinearSolver linear_solver_;
  bool has_surface_ = false;

 private:
  bool fill_jacobian(double t, N_Vector y, N_Vector ydot, SUNMatrix J, N_Vector y_probe, N_Vector rate_probe,
                     N_Vector weights);
  bool take_differences(double t, N_Vector y, N_Vector ydot, SUNMatrix J, N_Vector y_probe, N_Vector rate_probe,
                        N_Vector weights);
  StepStatus tiny_step(double t_end);
  void begin();
  void add_counts();

  Vector output_;
  void measure(SUNMatrix J);

  std::vector<double> jacobian_rows_;
  std::vector<double> largest_;    ///< |y| since `begin`
  std::vector<double> row_sizes_;  ///< norms of the rows of the last Jacobian, in units of the tolerance
  double jacobian_size_ = 0;       ///< Frobenius' norm of all of it
  std::exception_ptr thrown_;      ///< by the problem, inside a callback
  Totals counted_;
  long refused_at_ = std::numeric_limits<long>::min() / 2;  ///< steps done when the rate last had no value
  bool started_ = false;
  bool fresh_ = true;          ///< no step since `begin`
  bool has_jacobian_ = false;  ///< of its own, as the first step showed
  bool begin_anew_ = false;    ///< before the next step
  bool is_point_ = true;       ///< the last step is too short to be looked into
};

}  // namespace articula::integrate::internal
