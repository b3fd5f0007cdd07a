#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <articula/base/export.h>
#include <articula/integrate/problem.h>

namespace articula::integrate {

enum class Method {
  rk4,            ///< classical Runge-Kutta, fixed step
  rk23,           ///< Bogacki-Shampine
  rk45,           ///< Dormand-Prince
  kutta_merson,   ///< Merson's five-stage pair
  bdf,            ///< backward differentiation, orders 1 to 5 (CVODE)
  adams,          ///< Adams-Moulton, orders 1 to 12 (CVODE)
  dirk,           ///< diagonally implicit Runge-Kutta (ARKODE)
  semi_implicit,  ///< semi-implicit Euler, fixed step, for real-time use
  automatic,      ///< rk45, and bdf while the problem is stiff
};

/// "rk45" and so on, as studies write them; in the order of the values.
inline constexpr std::array<std::string_view, 9> method_names{"rk4",   "rk23", "rk45",          "kutta_merson", "bdf",
                                                              "adams", "dirk", "semi_implicit", "auto"};
constexpr const auto& enum_names(Method) { return method_names; }

/// Whether a method takes the steps it is given, without estimating its error.
constexpr bool has_fixed_step(Method method) { return method == Method::rk4 || method == Method::semi_implicit; }

struct IntegratorOptions {
  Method method = Method::automatic;
  double relative = 1e-6, absolute = 1e-6;  ///< tolerances of the error of one step, per entry of y
  double step = 0;                          ///< of fixed-step methods; initial step of the others, 0: automatic
  double max_step = std::numeric_limits<double>::infinity();
  bool use_jacobian = true;  ///< use the Jacobian of the problem, if it has one, in implicit methods
};

/// Statistics of an integration.
struct IntegratorCounts {
  long steps = 0, rejected = 0;
  long rates = 0;                ///< all evaluations of f, including the following
  long rates_for_jacobians = 0;  ///< evaluations for Jacobians by differences
  long jacobians = 0, factorizations = 0, restarts = 0;
  long switches = 0;  ///< of `auto`, from one method to the other

  IntegratorCounts& operator+=(const IntegratorCounts& more) {
    steps += more.steps, rejected += more.rejected, rates += more.rates;
    rates_for_jacobians += more.rates_for_jacobians, jacobians += more.jacobians;
    factorizations += more.factorizations, restarts += more.restarts, switches += more.switches;
    return *this;
  }
};

/// The stability of a step.
struct Stability {
  double reach =
      0;  ///< h·|λ| of the fastest part of the motion, as estimated on the way; of bdf, adams and dirk a bound
  double bound = std::numeric_limits<double>::infinity();  ///< beyond this the method is not stable, if λ is negative
};

/// Steps were limited by stability instead of the tolerance.
struct Stiffness {
  double t = 0, step = 0;  ///< when this was detected, and the step
  double reach = 0;        ///< h·|λ|
};

/// The outcome of a step.
enum class StepStatus {
  done,
  stalled,   ///< the tolerance cannot be met: the step became too small
  no_value,  ///< f has no finite value, even for very short steps
};

/// Advances a Problem, step by step.
///
///     const auto integrator = make_integrator(problem, {.method = Method::rk45});
///     integrator->start(0, y0);
///     while (integrator->t() < 1) {
///       if (integrator->step(1) != StepStatus::done) break;  // y() is then the last good state
///       integrator->interpolate(t, y);                       // any t of the last step
///     }
///
/// Allocates in its constructor and in `start`, and implicit methods in the first step after it. These also restart if
/// t_end is so close to the last stop that their history cannot be used, and Adams if projection changes the state too
/// much. `auto` allocates when it first changes to bdf.
class ARTICULA_EXPORT Integrator {
 public:
  virtual ~Integrator() = default;

  /// Starts, or restarts after a jump, without history. Statistics continue.
  virtual void start(double t, std::span<const double> y) = 0;

  /// One step, which ends at t_end exactly or before it. @pre t_end > t()
  virtual StepStatus step(double t_end) = 0;

  /// The solution at a time of the last step, t_before() ≤ t ≤ t(), if possible with the order of the method, projected
  /// if the problem has a projection. Before the first step, the start.
  virtual void interpolate(double t, std::span<double> y) = 0;

  /// Given f at the interpolated (t, y), replaces entries by the slope of the dense output if that is more accurate: if
  /// f amplifies the error of y by more than 1/h, as in stiff problems. Explicit methods replace none.
  virtual void improve_rate(double /*t*/, std::span<double> /*ydot*/) {}

  double t_before() const { return t_before_; }
  double t() const { return t_; }
  std::span<const double> y() const { return y_; }
  const IntegratorCounts& counts() const { return counts_; }

  /// The method of the next step: that of the options, or the current one with `auto`.
  virtual Method method() const = 0;

  /// Of the last step. With a fixed step, the mean of the last 16; 0 before.
  const Stability& stability() const { return stability_; }
  /// Set when the problem was found stiff, by explicit methods that follow a tolerance and by `auto`.
  const std::optional<Stiffness>& stiffness() const { return stiffness_; }

  /// State that is kept over `start`: detected stiffness, and the current method with `auto`. An integrator that
  /// recalls the memory of another and starts at the same state continues bit-identically.
  virtual std::uint64_t memory() const { return 0; }
  virtual void recall(std::uint64_t /*memory*/) {}

 protected:
  double t_before_ = 0, t_ = 0;
  std::vector<double> y_;
  IntegratorCounts counts_;
  Stability stability_;
  std::optional<Stiffness> stiffness_;
};

/// Maximum number of rows of the dense matrices of implicit methods. Beyond it, `automatic` only uses rk45.
inline constexpr int most_states_of_implicit_methods = 4000;

/// Throws an Error for options that are invalid, in general or for a problem of that size.
ARTICULA_EXPORT void check_integrator(const IntegratorOptions& options, int size);

/// Throws likewise. The problem must outlive it.
ARTICULA_EXPORT std::unique_ptr<Integrator> make_integrator(Problem& problem, const IntegratorOptions& options);

}  // namespace articula::integrate
