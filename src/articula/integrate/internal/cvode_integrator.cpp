#include <articula/integrate/internal/cvode_integrator.h>

#include <algorithm>
#include <cmath>
#include <new>

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>

#include <articula/integrate/internal/sundials_integrator.h>

namespace articula::integrate::internal {
namespace {

struct FreedCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

class CvodeIntegrator final : public SundialsIntegrator {
 public:
  CvodeIntegrator(Problem& problem, const IntegratorOptions& options)
      : SundialsIntegrator(problem, options), is_bdf_(options.method == Method::bdf), before_projection_(y_.size()) {}

 protected:
  void create(double t) override;
  int advance(double t_end, double* t) override;
  int dense(double t, int order, N_Vector y) override { return CVodeGetDky(memory_.get(), t, order, y); }
  Totals totals() override;
  void get_weights(N_Vector weights) override { CVodeGetErrWeights(memory_.get(), weights); }
  double next_step() override;
  void renew_jacobian_often() override {
    CVodeSetLSetupFrequency(memory_.get(), 2);
    CVodeSetJacEvalFrequency(memory_.get(), 1);
  }
  bool finish() override;

 private:
  static int projection_callback(double t, N_Vector y, N_Vector correction, double tolerance, N_Vector error,
                                 void* self);

  bool is_bdf_;
  std::vector<double> before_projection_;
  std::unique_ptr<void, FreedCvode> memory_;
};

void check_cvode(int flag) {
  if (flag != CV_SUCCESS) throw std::bad_alloc();  // options were checked: nothing else can fail
}

void CvodeIntegrator::create(double t) {
  memory_.reset();
  memory_.reset(CVodeCreate(is_bdf_ ? CV_BDF : CV_ADAMS, context_.get()));
  if (!memory_) throw std::bad_alloc();
  void* const memory = memory_.get();
  check_cvode(CVodeSetErrHandlerFn(memory, silence, nullptr));
  check_cvode(CVodeInit(memory, rate_callback, t, state_.get()));
  check_cvode(CVodeSetUserData(memory, static_cast<SundialsIntegrator*>(this)));
  check_cvode(CVodeSStolerances(memory, options_.relative, options_.absolute));
  check_cvode(CVodeSetMaxHnilWarns(memory, -1));
  // A jump without an event, or a point without a value, may need a much shorter step.
  check_cvode(CVodeSetMaxErrTestFails(memory, 20));
  check_cvode(CVodeSetMaxConvFails(memory, 30));
  if (std::isfinite(options_.max_step)) check_cvode(CVodeSetMaxStep(memory, options_.max_step));
  if (options_.step > 0) check_cvode(CVodeSetInitStep(memory, std::min(options_.step, options_.max_step)));

  check_cvode(CVodeSetLinearSolver(memory, linear_solver_.get(), matrix_.get()));
  check_cvode(CVodeSetJacFn(memory, jacobian_callback));
  if (is_bdf_ && has_surface_) {
    check_cvode(CVodeSetProjFn(memory, projection_callback));
    check_cvode(CVodeSetProjErrEst(memory, SUNFALSE));
  }
}

int CvodeIntegrator::advance(double t_end, double* t) {
  CVodeSetStopTime(memory_.get(), t_end);
  return CVode(memory_.get(), t_end, state_.get(), t, CV_ONE_STEP);
}

bool CvodeIntegrator::finish() {
  if (is_bdf_ || !has_surface_) return false;
  std::copy(y_.begin(), y_.end(), before_projection_.begin());
  problem_.project(t_, y_);
  for (std::size_t i = 0; i < y_.size(); ++i) before_projection_[i] -= y_[i];
  return error_size(before_projection_) > 1;
}

SundialsIntegrator::Totals CvodeIntegrator::totals() {
  long steps = 0, error_fails = 0, solve_fails = 0, setups = 0;
  CVodeGetNumSteps(memory_.get(), &steps);
  CVodeGetNumErrTestFails(memory_.get(), &error_fails);
  CVodeGetNumStepSolveFails(memory_.get(), &solve_fails);
  CVodeGetNumLinSolvSetups(memory_.get(), &setups);
  return {.steps = steps, .rejected = error_fails + solve_fails, .factorizations = setups};
}

double CvodeIntegrator::next_step() {
  double h = 0;
  CVodeGetCurrentStep(memory_.get(), &h);
  return h;
}

int CvodeIntegrator::projection_callback(double t, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
  auto& me = static_cast<CvodeIntegrator&>(*static_cast<SundialsIntegrator*>(self));
  const auto from = entries(y), change = entries(correction);
  std::copy(from.begin(), from.end(), change.begin());
  me.problem_.project(t, change);
  for (std::size_t i = 0; i < from.size(); ++i) change[i] -= from[i];
  return CountedProblem::finite(change) ? 0 : 1;
}

}  // namespace

std::unique_ptr<Integrator> make_cvode_integrator(Problem& problem, const IntegratorOptions& options) {
  return std::make_unique<CvodeIntegrator>(problem, options);
}

}  // namespace articula::integrate::internal
