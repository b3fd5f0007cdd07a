#include <articula/mechanism/state.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::mechanism {

void check_numbers(std::string_view what, std::span<const double> x, const std::vector<std::string>& names) {
  if (x.size() != names.size()) {
    throw Error("state-size", {},
                concat(what, " has ", x.size(), x.size() == 1 ? " entry" : " entries", ", but this mechanism has ",
                       names.size(), ": ", list_of(names), "."));
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!std::isfinite(x[k])) {
      throw Error("state-not-finite", {},
                  concat(what, "[", k, "], ", quoted(names[k]), ", is ", number_text(x[k]),
                         ". Only finite numbers are allowed."));
    }
  }
}

static double length_of(const double* quaternion) {
  return std::hypot(std::hypot(quaternion[0], quaternion[1]), std::hypot(quaternion[2], quaternion[3]));
}

void check_quaternions(const Mechanism& mech, std::span<const double> q) {
  for (const Body& body : mech.bodies) {
    const int at = quaternion_in(body.joint);
    if (at < 0) continue;
    const auto first = static_cast<std::size_t>(body.q.first + at);
    const double length = length_of(q.data() + first);
    if (std::abs(length - 1) > 1e-6) {
      throw Error("quaternion-not-unit", {},
                  concat("the quaternion ", quoted(mech.layout.q[first]), " to ", quoted(mech.layout.q[first + 3]),
                         " has length ", length, ". It must be 1 within 1e-6; divide it by its length."));
    }
  }
}

/// Whether all quaternions have unit length up to rounding. Cheap and strict: it accepts no length that
/// `normalize_quaternions` would change.
static bool are_unit(const Mechanism& mech, std::span<const double> q) {
  if (mech.nq == mech.nv) return true;  // no quaternions
  return std::all_of(mech.bodies.begin(), mech.bodies.end(), [&](const Body& body) {
    const int at = quaternion_in(body.joint);
    if (at < 0) return true;
    const double* const a = q.data() + body.q.first + at;
    const double square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3];
    return std::abs(square - 1) <= 2 * std::numeric_limits<double>::epsilon();
  });
}

void normalize_quaternions(const Mechanism& mech, std::span<double> q) {
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  if (are_unit(mech, q)) return;
  check_quaternions(mech, q);
  for (const Body& body : mech.bodies) {
    const int at = quaternion_in(body.joint);
    if (at < 0) continue;
    double* const quaternion = q.data() + body.q.first + at;
    const double length = length_of(quaternion);
    if (std::abs(length - 1) <= rounding) continue;
    for (int k = 0; k < 4; ++k) quaternion[k] /= length;
  }
}

void check_state(const Mechanism& mech, std::span<const double> q, std::span<const double> v) {
  check_numbers("q", q, mech.layout.q);
  check_numbers("v", v, mech.layout.v);
  check_quaternions(mech, q);
}

void check_tangent(const Mechanism& mech, std::string_view what, std::span<const double> x) {
  check_numbers(what, x, mech.layout.v);
}

std::vector<double> neutral_configuration(const Mechanism& mech) {
  std::vector<double> q;
  q.reserve(static_cast<std::size_t>(mech.nq));
  for (const Body& body : mech.bodies) {
    const auto neutral = traits(body.joint).neutral;
    q.insert(q.end(), neutral.begin(), neutral.end());
  }
  return q;
}

}  // namespace articula::mechanism
