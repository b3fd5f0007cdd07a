#include <articula/integrate/internal/auto_integrator.h>

#include <algorithm>
#include <array>

#include <articula/integrate/internal/cvode_integrator.h>
#include <articula/integrate/internal/explicit_runge_kutta.h>
#include <articula/integrate/internal/tableaux/dormand_prince.h>

namespace articula::integrate::internal {
namespace {

class AutoIntegrator final : public Integrator {
 public:
  AutoIntegrator(Problem& problem, const IntegratorOptions& options) : problem_(problem), options_(options) {
    y_.resize(static_cast<std::size_t>(problem.size()));
    at(explicit_);
  }

  void start(double t, std::span<const double> y) override {
    ++starts_;
    begin(t, y);
    take();
  }

  StepStatus step(double t_end) override {
    settle();
    StepStatus status = at(active_).step(t_end);
    if (status == StepStatus::stalled && active_ == explicit_ && has_implicit()) {
      change_to(implicit_);
      settle();
      status = at(active_).step(t_end);
    }
    take();
    if (status == StepStatus::done) look();
    return status;
  }

  void interpolate(double t, std::span<double> y) override { at(active_).interpolate(t, y); }
  void improve_rate(double t, std::span<double> ydot) override { at(active_).improve_rate(t, ydot); }

  Method method() const override { return wanted_ == explicit_ ? Method::rk45 : Method::bdf; }

  /// The method, the number of non-stiff steps of BDF, and the stiffness test of Dormand-Prince.
  std::uint64_t memory() const override {
    return static_cast<std::uint64_t>(wanted_) | calm_ << 8 | members_[explicit_]->memory() << 16;
  }
  void recall(std::uint64_t memory) override {
    wanted_ = (memory & 0xff) == implicit_ ? implicit_ : explicit_;
    calm_ = memory >> 8 & 0xff;
    at(explicit_).recall(memory >> 16);
  }

 private:
  enum Which : std::size_t { explicit_, implicit_ };
  static constexpr std::uint64_t calm_steps = 50;

  Integrator& at(Which which) {
    if (!members_[which]) {
      IntegratorOptions options = options_;
      options.method = which == explicit_ ? Method::rk45 : Method::bdf;
      members_[which] = which == explicit_ ? make_explicit_runge_kutta(problem_, options, DormandPrince::tableau)
                                           : make_cvode_integrator(problem_, options);
    }
    return *members_[which];
  }

  bool has_implicit() const { return problem_.size() <= most_states_of_implicit_methods; }

  void change_to(Which which) {
    wanted_ = which;
    ++switches_;
    calm_ = 0;
    at(explicit_).recall(0);
  }

  /// Changes the method, if that was decided.
  void settle() {
    if (active_ != wanted_) begin(t_, y_);
  }

  void begin(double t, std::span<const double> y) {
    active_ = wanted_;
    ++begun_[active_];
    at(active_).start(t, y);
  }

  void look() {
    Integrator& member = at(active_);
    if (active_ == explicit_) {
      if (!member.stiffness()) return;
      if (!stiffness_) stiffness_ = member.stiffness();
      if (!has_implicit()) return;
      change_to(implicit_);
      take();
    } else {
      calm_ = member.stability().reach < 1 ? calm_ + 1 : 0;
      if (calm_ < calm_steps) return;
      change_to(explicit_);
      take();
    }
  }

  /// Adds the statistics of the current method.
  void take() {
    const Integrator& member = at(active_);
    t_before_ = member.t_before(), t_ = member.t();
    std::copy(member.y().begin(), member.y().end(), y_.begin());
    stability_ = member.stability();
    counts_ = {};
    long restarts = starts_ - 1;
    for (std::size_t k = 0; k < members_.size(); ++k) {
      if (begun_[k] == 0) continue;
      counts_ += members_[k]->counts();
      restarts += members_[k]->counts().restarts - (begun_[k] - 1);  // its own, in addition to requested ones
    }
    counts_.restarts = restarts;
    counts_.switches = switches_;
  }

  Problem& problem_;
  IntegratorOptions options_;
  std::array<std::unique_ptr<Integrator>, 2> members_;
  Which active_ = explicit_, wanted_ = explicit_;
  std::uint64_t calm_ = 0;
  long switches_ = 0, starts_ = 0;
  std::array<long, 2> begun_{};  ///< calls of `start` of each member
};

}  // namespace

std::unique_ptr<Integrator> make_auto_integrator(Problem& problem, const IntegratorOptions& options) {
  return std::make_unique<AutoIntegrator>(problem, options);
}

}  // namespace articula::integrate::internal
