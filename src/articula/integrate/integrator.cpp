#include <articula/integrate/integrator.h>

#include <cmath>
#include <string>

#include <fmt/format.h>

#include <articula/base/error.h>
#include <articula/integrate/internal/arkode_integrator.h>
#include <articula/integrate/internal/auto_integrator.h>
#include <articula/integrate/internal/cvode_integrator.h>
#include <articula/integrate/internal/explicit_runge_kutta.h>
#include <articula/integrate/internal/semi_implicit_euler.h>
#include <articula/integrate/internal/tableaux/bogacki_shampine.h>
#include <articula/integrate/internal/tableaux/classical.h>
#include <articula/integrate/internal/tableaux/dormand_prince.h>
#include <articula/integrate/internal/tableaux/kutta_merson.h>

namespace articula::integrate {
namespace {

bool is_implicit(Method method) { return method == Method::bdf || method == Method::adams || method == Method::dirk; }

}  // namespace

void check_integrator(const IntegratorOptions& options, int size) {
  Findings findings;
  const std::string_view name = method_names[static_cast<std::size_t>(options.method)];
  const auto wrong = [&](const char* code, std::string message) {
    findings.push_back({Severity::error, code, {}, fmt::format("integrator \"{}\": {}", name, message)});
  };
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };

  if (!has_fixed_step(options.method)) {
    if (!std::isfinite(options.relative) || options.relative < 0) {
      wrong("integrator-tolerance",
            fmt::format("the relative tolerance is {}. It must be finite and not negative; give e.g. 1e-6.",
                        options.relative));
    }
    if (!positive(options.absolute)) {
      wrong("integrator-tolerance",
            fmt::format("the absolute tolerance is {}. It must be finite and positive; give e.g. 1e-6.",
                        options.absolute));
    }
    if (!positive(options.step) && options.step != 0) {
      wrong("integrator-step", fmt::format("the first step is {} s. It must be finite and positive, or 0 to have it "
                                           "chosen.",
                                           options.step));
    }
  } else if (!positive(options.step)) {
    wrong("integrator-step",
          fmt::format("the step is {} s. A method with a fixed step needs one that is finite and positive; give e.g. "
                      "0.001 s.",
                      options.step));
  } else if (options.step > options.max_step) {
    wrong("integrator-step", fmt::format("the step is {} s, the largest allowed {} s. Make the step shorter, or "
                                         "allow longer ones.",
                                         options.step, options.max_step));
  }
  if (!(options.max_step > 0)) {
    wrong("integrator-max-step",
          fmt::format("the largest step allowed is {} s. It must be positive; leave it out for no limit.",
                      options.max_step));
  }
  if (is_implicit(options.method) && size > most_states_of_implicit_methods) {
    wrong("integrator-too-large",
          fmt::format("the problem has {} states, and the method solves dense systems of equations. At most {} states "
                      "are allowed; take an explicit method, e.g. rk45.",
                      size, most_states_of_implicit_methods));
  }
  throw_if_errors(findings);
}

std::unique_ptr<Integrator> make_integrator(Problem& problem, const IntegratorOptions& options) {
  using namespace internal;
  check_integrator(options, problem.size());
  // Without state variables there is no linear system to solve.
  const bool empty = problem.size() == 0 && !has_fixed_step(options.method);
  switch (empty ? Method::rk45 : options.method) {
    case Method::rk4: return make_explicit_runge_kutta(problem, options, Classical::tableau);
    case Method::rk23: return make_explicit_runge_kutta(problem, options, BogackiShampine::tableau);
    case Method::rk45: break;
    case Method::kutta_merson: return make_explicit_runge_kutta(problem, options, KuttaMerson::tableau);
    case Method::bdf:
    case Method::adams: return make_cvode_integrator(problem, options);
    case Method::dirk: return make_arkode_integrator(problem, options);
    case Method::semi_implicit: return make_semi_implicit_euler(problem, options);
    case Method::automatic: return make_auto_integrator(problem, options);
  }
  return make_explicit_runge_kutta(problem, options, DormandPrince::tableau);
}

}  // namespace articula::integrate
