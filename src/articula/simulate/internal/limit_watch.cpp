#include <articula/simulate/internal/limit_watch.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <articula/base/text.h>

namespace articula::simulate {
namespace {

/// A value this near beyond its limit, as a part of the limit, is at the limit: motions that end there.
constexpr double relative_slack = 1e-9;

}  // namespace

LimitWatch::LimitWatch(System& system, bool stops)
    : system_(system),
      stops_(stops),
      left_(system.limits().size()),
      values_(left_),
      y_(static_cast<std::size_t>(system.size())),
      passed_(left_) {
  set_passed(passed_);
}

void LimitWatch::set_passed(std::span<const double> passed) {
  if (passed.data() != passed_.data()) std::copy(passed.begin(), passed.end(), passed_.begin());
  left_ = 0;
  forces_ = false;
  for (std::size_t k = 0; k < passed_.size(); ++k) {
    if (passed_[k] != 0) continue;
    ++left_;
    const System::Limit::Of of = system_.limits()[k].of;
    forces_ = forces_ || of == System::Limit::Of::force || of == System::Limit::Of::drive;
  }
}

void LimitWatch::evaluate(double t, std::span<const double> y) { system_.limit_values(t, y, forces_, values_); }

bool LimitWatch::is_beyond(std::size_t k) const {
  const System::Limit& limit = system_.limits()[k];
  const double slack = relative_slack * std::max(std::abs(std::isfinite(limit.lower) ? limit.lower : 0),
                                                 std::abs(std::isfinite(limit.upper) ? limit.upper : 0));
  return passed_[k] == 0 && (values_[k] < limit.lower - slack || values_[k] > limit.upper + slack);
}

bool LimitWatch::any_beyond() const {
  for (std::size_t k = 0; k < passed_.size(); ++k) {
    if (is_beyond(k)) return true;
  }
  return false;
}

std::optional<LimitWatch::Passing> LimitWatch::look(double t, std::span<const double> y) {
  if (left_ == 0) return {};
  evaluate(t, y);
  return any_beyond() ? report(t) : std::nullopt;
}

std::optional<LimitWatch::Passing> LimitWatch::look(Integrator& integrator, double since, double t) {
  if (left_ == 0) return {};
  const auto beyond_at = [&](double when) {
    integrator.interpolate(when, y_);
    evaluate(when, y_);
    return any_beyond();
  };
  while (beyond_at(t)) {
    double low = since, high = t;
    for (int k = 0; k < 60 && high - low > 1e-12 * std::max(1.0, std::abs(t)); ++k) {
      const double middle = low + (high - low) / 2;
      (beyond_at(middle) ? high : low) = middle;
    }
    beyond_at(high);
    if (auto passing = report(high)) return passing;
  }
  return {};
}

/// A warning for each limit that is exceeded now. The first one for a limit contains its time. A drive at its limit ends
/// no run.
std::optional<LimitWatch::Passing> LimitWatch::report(double t) {
  Passing passing{t, {}};
  for (std::size_t k = 0; k < passed_.size(); ++k) {
    if (!is_beyond(k)) continue;
    const System::Limit& limit = system_.limits()[k];
    const bool upper = values_[k] > limit.upper;
    const std::string joint = quoted(limit.name);
    const double bound = upper ? limit.upper : limit.lower;
    std::string what;
    switch (limit.of) {
      case System::Limit::Of::position:
        what = concat("joint ", joint, " passes its ", upper ? "upper" : "lower", " limit, ", bound, " ", limit.unit);
        break;
      case System::Limit::Of::speed:
        what = concat("the speed of joint ", joint, " passes its limit, ", limit.upper, " ", limit.unit);
        break;
      case System::Limit::Of::force:
        what = concat("the force along joint ", joint, " passes its limit, ", limit.upper, " ", limit.unit);
        break;
      case System::Limit::Of::drive:
        findings_.push_back({Severity::warning,
                             "drive-saturated",
                             {},
                             concat("at t = ", fmt::format("{:.9g}", t), " s blocks ask for ", values_[k], " ",
                                    limit.unit, " of the drive of ", joint, ", whose torque_limit is ", bound,
                                    ": it exerts that. The signal joint.", limit.name, ".saturated tells when.")});
        passed_[k] = 1;
        continue;
    }
    // Where it is found beyond from the start, or after a jump, say by how much.
    if (std::abs(values_[k] - bound) > 1e-6 * std::max(1.0, std::abs(bound))) what += concat(": it is ", values_[k]);
    const std::string_view advice = limit.of == System::Limit::Of::position ? "A joint_stops block would hold it."
                                                                            : "Nothing limits it in this run.";
    findings_.push_back({Severity::warning,
                         "limit-passed",
                         {},
                         concat("at t = ", fmt::format("{:.9g}", t), " s ", what,
                                stops_ ? ". The run ends there." : concat(". The run goes on. ", advice),
                                " `on_limit: warn`, `stop` or `ignore` decides.")});
    passed_[k] = 1;
    if (passing.what.empty()) passing.what = what;
  }
  set_passed(passed_);
  if (passing.what.empty()) return std::nullopt;
  return passing;
}

}  // namespace articula::simulate
