#include <articula/integrate/internal/arkode_integrator.h>

#include <algorithm>
#include <cmath>
#include <new>

#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_ls.h>

#include <articula/integrate/internal/sundials_integrator.h>

namespace articula::integrate::internal {
namespace {

struct FreedArkode {
  void operator()(void* memory) const { ARKStepFree(&memory); }
};

class ArkodeIntegrator final : public SundialsIntegrator {
 public:
  using SundialsIntegrator::SundialsIntegrator;

 protected:
  void create(double t) override;
  int advance(double t_end, double* t) override;
  int dense(double t, int order, N_Vector y) override { return ARKStepGetDky(memory_.get(), t, order, y); }
  Totals totals() override;
  void get_weights(N_Vector weights) override { ARKStepGetErrWeights(memory_.get(), weights); }
  double next_step() override;
  void renew_jacobian_often() override {
    ARKStepSetLSetupFrequency(memory_.get(), 2);
    ARKStepSetJacEvalFrequency(memory_.get(), 1);
  }

 private:
  static int projection_callback(double t, N_Vector y, void* self);

  std::unique_ptr<void, FreedArkode> memory_;
};

void check_arkode(int flag) {
  if (flag != ARK_SUCCESS) throw std::bad_alloc();  // options were checked: nothing else can fail
}

void ArkodeIntegrator::create(double t) {
  memory_.reset();
  memory_.reset(ARKStepCreate(nullptr, rate_callback, t, state_.get(), context_.get()));
  if (!memory_) throw std::bad_alloc();
  void* const memory = memory_.get();
  check_arkode(ARKStepSetErrHandlerFn(memory, silence, nullptr));
  check_arkode(ARKStepSetUserData(memory, static_cast<SundialsIntegrator*>(this)));
  check_arkode(ARKStepSStolerances(memory, options_.relative, options_.absolute));
  check_arkode(ARKStepSetTableNum(memory, ARKODE_ESDIRK437L2SA_7_3_4, ARKODE_ERK_NONE));
  // Stages are predicted by the dense output of the last step, and k_i is computed from the solution of the stage: this
  // halves the evaluations of f.
  check_arkode(ARKStepSetPredictorMethod(memory, 1));
  check_arkode(ARKStepSetDeduceImplicitRhs(memory, SUNTRUE));
  check_arkode(ARKStepSetInterpolantType(memory, ARK_INTERP_HERMITE));
  check_arkode(ARKStepSetInterpolantDegree(memory, 3));
  check_arkode(ARKStepSetMaxHnilWarns(memory, -1));
  check_arkode(ARKStepSetMaxErrTestFails(memory, 20));
  check_arkode(ARKStepSetMaxConvFails(memory, 30));
  if (std::isfinite(options_.max_step)) check_arkode(ARKStepSetMaxStep(memory, options_.max_step));
  if (options_.step > 0) check_arkode(ARKStepSetInitStep(memory, std::min(options_.step, options_.max_step)));
  check_arkode(ARKStepSetLinearSolver(memory, linear_solver_.get(), matrix_.get()));
  check_arkode(ARKStepSetJacFn(memory, jacobian_callback));
  if (has_surface_) check_arkode(ARKStepSetPostprocessStepFn(memory, projection_callback));
}

int ArkodeIntegrator::advance(double t_end, double* t) {
  ARKStepSetStopTime(memory_.get(), t_end);
  return ARKStepEvolve(memory_.get(), t_end, state_.get(), t, ARK_ONE_STEP);
}

SundialsIntegrator::Totals ArkodeIntegrator::totals() {
  long steps = 0, error_fails = 0, solve_fails = 0, setups = 0;
  ARKStepGetNumSteps(memory_.get(), &steps);
  ARKStepGetNumErrTestFails(memory_.get(), &error_fails);
  ARKStepGetNumStepSolveFails(memory_.get(), &solve_fails);
  ARKStepGetNumLinSolvSetups(memory_.get(), &setups);
  return {.steps = steps, .rejected = error_fails + solve_fails, .factorizations = setups};
}

double ArkodeIntegrator::next_step() {
  double h = 0;
  ARKStepGetCurrentStep(memory_.get(), &h);
  return h;
}

int ArkodeIntegrator::projection_callback(double t, N_Vector y, void* self) {
  auto& me = static_cast<ArkodeIntegrator&>(*static_cast<SundialsIntegrator*>(self));
  me.problem_.project(t, entries(y));
  return CountedProblem::finite(entries(y)) ? 0 : -1;
}

}  // namespace

std::unique_ptr<Integrator> make_arkode_integrator(Problem& problem, const IntegratorOptions& options) {
  return std::make_unique<ArkodeIntegrator>(problem, options);
}

}  // namespace articula::integrate::internal
