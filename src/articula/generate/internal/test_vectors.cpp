#include <articula/generate/internal/test_vectors.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/closure/coordinates.h>
#include <articula/mechanism/state.h>
#include <articula/network/network.h>

namespace articula::generate {
namespace {

using Numbers = std::vector<double>;

/// Larger mass matrices are neither computed nor written into a test, since they would dominate its time and text.
constexpr int most_rows = 500;

/// Pseudorandom numbers between −scale and scale, the same on every machine.
class Source {
 public:
  Numbers operator()(int count, double scale) {
    Numbers x(at(count));
    for (double& value : x) {
      state_ = state_ * 1664525u + 1013904223u;
      value = scale * (static_cast<double>(state_ >> 8) / 8388608.0 - 1.0);
    }
    return x;
  }

 private:
  std::uint32_t state_ = 20240229;
};

/// q advanced along the tangent.
Numbers moved(const Mechanism& mech, const Numbers& q, const Numbers& step) {
  Numbers result = q;
  for (const Body& body : mech.bodies) {
    visit_joint(body.joint, [&]<class J>(J) {
      J::advanced(q.data() + body.q.first, step.data() + body.v.first, result.data() + body.q.first);
    });
  }
  return result;
}

Numbers difference(const Numbers& a, const Numbers& b) {
  Numbers result = a;
  for (std::size_t k = 0; k < a.size(); ++k) result[k] -= b[k];
  return result;
}

/// The derivative at 0 of a function of one number, by central differences with two extrapolations: sixth order.
Numbers derivative(const std::function<Numbers(double)>& f) {
  constexpr double h = 4e-3;
  const auto central = [&](double step) {
    Numbers d = difference(f(step), f(-step));
    for (double& x : d) x /= 2 * step;
    return d;
  };
  const Numbers d1 = central(h), d2 = central(h / 2), d4 = central(h / 4);
  Numbers result(d1.size());
  for (std::size_t k = 0; k < result.size(); ++k) {
    const double a = (4 * d2[k] - d1[k]) / 3, b = (4 * d4[k] - d2[k]) / 3;
    result[k] = (16 * b - a) / 15;
  }
  return result;
}

/// Results of the network at one state, in independent coordinates.
class Reference {
 public:
  Reference(const Model& model, const Mechanism& mech, const Parameters<double>& par, const RecordOptions& options)
      : network_(model, {.drives = mech.drives}), mech_(mech), par_(par), options_(options) {}

  Numbers tau(const Numbers& y, const Numbers& ydot, const Numbers& yddot) {
    Numbers result(ydot.size());
    network_.inverse_dynamics(y, ydot, yddot, result);
    return result;
  }
  Numbers vdot(const Numbers& y, const Numbers& ydot, const Numbers& tau) {
    Numbers result(ydot.size());
    network_.forward_dynamics(y, ydot, tau, result);
    return result;
  }

  /// The matrix with the columns column(k), row-major.
  Numbers by_columns(const std::function<Numbers(std::size_t)>& column) const {
    const std::size_t n = at(nv());
    Numbers result;
    for (std::size_t k = 0; k < n; ++k) {
      const Numbers x = column(k);
      if (result.empty()) result.resize(x.size() * n);
      for (std::size_t i = 0; i < x.size(); ++i) result[i * n + k] = x[i];
    }
    return result;
  }
  Numbers unit(std::size_t k, double length = 1) const {
    Numbers e(at(nv()));
    e[k] = length;
    return e;
  }

  Numbers mass_matrix(const Numbers& q) {
    const Numbers rest(at(nv())), still = tau(q, rest, rest);
    return by_columns([&](std::size_t k) { return difference(tau(q, rest, unit(k)), still); });
  }
  Numbers inverse_mass_matrix(const Numbers& q) {
    const Numbers rest(at(nv())), still = vdot(q, rest, rest);
    return by_columns([&](std::size_t k) { return difference(vdot(q, rest, unit(k)), still); });
  }

  /// ‖M‖·‖M⁻¹‖, the amplification of rounding errors by inverting M. For a large M an estimate without the matrix.
  double condition(const Numbers& q) {
    if (nv() <= most_rows) return std::sqrt(square(mass_matrix(q))) * std::sqrt(square(inverse_mass_matrix(q)));
    const Numbers rest(at(nv())), weight = tau(q, rest, rest), fall = vdot(q, rest, rest);
    return norm_by_probes([&](const Numbers& x) { return difference(tau(q, rest, x), weight); }) *
           norm_by_probes([&](const Numbers& x) { return difference(vdot(q, rest, x), fall); });
  }

  static double square(const Numbers& x) {
    double sum = 0;
    for (const double each : x) sum += each * each;
    return sum;
  }

  /// ‖A‖ of the matrix that `times` multiplies by: if the entries of x are ±1 at random, the mean of ‖A·x‖² is ‖A‖².
  double norm_by_probes(const std::function<Numbers(const Numbers&)>& times) const {
    constexpr int probes = 8;
    Source source;
    double sum = 0;
    for (int i = 0; i < probes; ++i) {
      Numbers x = source(nv(), 1);
      for (double& each : x) each = each < 0 ? -1 : 1;
      sum += square(times(x));
    }
    return std::sqrt(sum / probes);
  }

  /// ∂f/∂q along the tangent, and ∂f/∂v.
  template <class F>
  Numbers along_q(const F& f, const Numbers& q) {
    return by_columns(
        [&](std::size_t k) { return derivative([&](double step) { return f(moved(q, unit(k, step))); }); });
  }
  template <class F>
  Numbers along_v(const F& f, const Numbers& v) {
    return by_columns([&](std::size_t k) {
      return derivative([&](double step) {
        Numbers x = v;
        x[k] += step;
        return f(x);
      });
    });
  }

  Numbers poses(const Numbers& y) {
    const Numbers rest(at(nv()));
    network_.kinematics(y, rest, rest);
    Numbers result;
    for (const PortRef& frame : frames()) {
      const Pose<double> X = network_.pose_at(frame);
      for (int i = 0; i < 9; ++i) result.push_back(X.R.m(i / 3, i % 3));
      for (int i = 0; i < 3; ++i) result.push_back(X.p[i]);
    }
    return result;
  }
  std::vector<Numbers> motions(const Numbers& y, const Numbers& ydot, const Numbers& yddot) {
    Numbers X = poses(y), velocities, accelerations;
    network_.kinematics(y, ydot, yddot);
    const auto add = [](Numbers& to, const Vec3<double>& x) { to.insert(to.end(), {x.x, x.y, x.z}); };
    for (const PortRef& frame : frames()) {
      const Rotation<double> R = network_.pose_at(frame).R;
      const Motion<double> V = network_.velocity_at(frame), A = network_.acceleration_at(frame);
      add(velocities, R * V.w), add(velocities, R * V.v);
      add(accelerations, R * A.w), add(accelerations, R * (A.v + cross(V.w, V.v)));
    }
    return {X, velocities, accelerations};
  }
  Numbers jacobian(const Numbers& y) {
    const Numbers rest(at(nv()));
    const PortRef& frame = options_.frames.at(0);
    return by_columns([&](std::size_t k) {
      network_.kinematics(y, unit(k), rest);
      Motion<double> V = network_.velocity_at(frame);
      const Pose<double> X = network_.pose_at(frame);
      if (options_.jacobian_frame == JacobianFrame::world) V = X * V;
      if (options_.jacobian_frame == JacobianFrame::local_world_aligned) V = {X.R * V.w, X.R * V.v};
      return Numbers{V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z};
    });
  }
  std::vector<PortRef> frames() const {
    if (!options_.frames.empty()) return options_.frames;
    std::vector<PortRef> all;
    for (const ConstituentPlace& place : mech_.provenance.constituents) {
      if (place.body > 0) all.push_back({place.name, ""});
    }
    return all;
  }

  int nv() const { return mech_.independent.nv(); }
  /// The positions of all joints.
  Numbers q(const Numbers& y) const {
    Numbers all(at(mech_.nq));
    expand_positions(mech_, par_, y.data(), all.data());
    return all;
  }
  Numbers v(const Numbers& ydot) const {
    Numbers all(at(mech_.nv));
    expand_rates(mech_, par_, ydot.data(), all.data());
    return all;
  }
  /// y advanced along the tangent.
  Numbers moved(const Numbers& y, const Numbers& step) const {
    return independent_positions(generate::moved(mech_, q(y), v(step)));
  }
  Numbers independent_positions(const Numbers& q) const { return chosen(mech_.independent.q, q); }
  Numbers independent_rates(const Numbers& v) const { return chosen(mech_.independent.v, v); }

 private:
  static Numbers chosen(const std::vector<int>& places, const Numbers& of) {
    Numbers result;
    for (const int k : places) result.push_back(of[at(k)]);
    return result;
  }

  network::Network network_;
  const Mechanism& mech_;
  const Parameters<double>& par_;
  const RecordOptions& options_;
};

/// (q, v) after one step, as `Recorder::step` computes it: q by the exponential, velocities of free bodies through the
/// axes of F.
std::vector<Numbers> stepped(Reference& reference, const Mechanism& mech, const Numbers& y, const Numbers& ydot,
                             const Numbers& tau_h) {
  const Numbers q = reference.q(y), v = reference.v(ydot), tau(tau_h.begin(), tau_h.end() - 1);
  const double h = tau_h.back();
  const auto linear = [](const Body& body, const Numbers& x) {
    const double* const at = x.data() + body.v.first;
    return Vec3<double>{at[0], at[1], at[2]};
  };
  const auto rotation = [](const Body& body, const Numbers& x) {
    return rotation_of(QuaternionCoordinates::read(x.data() + body.q.first + 3));
  };
  const auto set_linear = [](const Body& body, Numbers& x, const Vec3<double>& value) {
    for (int k = 0; k < 3; ++k) x[static_cast<std::size_t>(body.v.first + k)] = value[k];
  };
  const auto rate_in_held_axes = [&](const Numbers& v_at) {
    Numbers rate = reference.v(reference.vdot(y, reference.independent_rates(v_at), tau));
    for (const Body& body : mech.bodies) {
      if (body.joint != JointKind::free) continue;
      const double* const w = v_at.data() + body.v.first + 3;
      set_linear(body, rate, linear(body, rate) + cross(Vec3<double>{w[0], w[1], w[2]}, linear(body, v_at)));
    }
    return rate;
  };
  const auto moved_by = [&](double time, const Numbers& rate) {
    Numbers result = v;
    for (std::size_t k = 0; k < v.size(); ++k) result[k] += time * rate[k];
    return result;
  };
  Numbers rate = rate_in_held_axes(v);
  if (mech.nq != mech.nv) rate = rate_in_held_axes(moved_by(h / 2, rate));
  Numbers v_next = moved_by(h, rate), along = v_next;
  for (double& each : along) each *= h;
  const Numbers q_next = moved(mech, q, along);
  for (const Body& body : mech.bodies) {
    if (body.joint != JointKind::free) continue;
    set_linear(body, v_next, rotation(body, q_next).rotate_back(rotation(body, q) * linear(body, v_next)));
  }
  return {reference.independent_positions(q_next), reference.independent_rates(v_next)};
}

std::vector<Numbers> expected(Algorithm algorithm, Reference& r, const Mechanism& mech,
                              const std::vector<Numbers>& in) {
  const Numbers& q = in[0];
  switch (algorithm) {
    case Algorithm::inverse_dynamics: return {r.tau(q, in[1], in[2])};
    case Algorithm::forward_dynamics: return {r.vdot(q, in[1], in[2])};
    case Algorithm::mass_matrix: return {r.mass_matrix(q)};
    case Algorithm::inverse_mass_matrix: return {r.inverse_mass_matrix(q)};
    case Algorithm::kinematics: return {r.poses(q)};
    case Algorithm::frame_motions: return r.motions(q, in[1], in[2]);
    case Algorithm::jacobian: return {r.jacobian(q)};
    case Algorithm::inverse_dynamics_derivatives:
      return {r.along_q([&](const Numbers& x) { return r.tau(x, in[1], in[2]); }, q),
              r.along_v([&](const Numbers& x) { return r.tau(q, x, in[2]); }, in[1])};
    case Algorithm::forward_dynamics_derivatives:
      return {r.along_q([&](const Numbers& x) { return r.vdot(x, in[1], in[2]); }, q),
              r.along_v([&](const Numbers& x) { return r.vdot(q, x, in[2]); }, in[1]), r.inverse_mass_matrix(q)};
    case Algorithm::step: return stepped(r, mech, q, in[1], in[2]);
    case Algorithm::gravity: return {r.tau(q, Numbers(at(r.nv())), Numbers(at(r.nv())))};
    case Algorithm::elastic_inverse_dynamics:  // make_elastic_vectors
    case Algorithm::equations_of_motion:
    case Algorithm::center_of_mass:
    case Algorithm::regressor: break;  // not generated
  }
  return {};
}

}  // namespace

TestVectors make_test_vectors(Algorithm algorithm, const Model& model, const Built& built, const RecordOptions& options,
                              const RecordedFunction& function, int states) {
  const Mechanism& mech = built.mechanism;
  Reference reference(model, mech, built.parameters, options);
  Source source;
  TestVectors vectors;
  vectors.origin = "Expected values come from the network of entities, which shares no algorithm with this code";
  if (algorithm == Algorithm::inverse_dynamics_derivatives || algorithm == Algorithm::forward_dynamics_derivatives) {
    vectors.tolerance = 1e-7;
    vectors.origin += "; derivatives are its central differences, extrapolated to sixth order";
  }
  const bool accelerates = algorithm == Algorithm::forward_dynamics || algorithm == Algorithm::inverse_mass_matrix ||
                           algorithm == Algorithm::forward_dynamics_derivatives;
  const Numbers start = reference.independent_positions(neutral_configuration(mech));
  for (int i = 0; i < states; ++i) {
    std::vector<Numbers> in;
    for (const FunctionArray& array : function.inputs) {
      if (array.role == ArrayRole::configuration) {
        in.push_back(reference.moved(start, source(reference.nv(), 1.5)));
      } else if (array.role == ArrayRole::parameter) {
        Numbers& p = in.emplace_back();
        for (const std::string& name : array.entries) p.push_back(parameter_value(built, name));
      } else {
        const bool velocity = array.role == ArrayRole::velocity, acceleration = array.role == ArrayRole::acceleration;
        in.push_back(source(array.size(), acceleration ? 3.0 : velocity ? 2.0 : 10.0));
        if (array.role == ArrayRole::force_and_step) in.back().back() = 1e-3;
      }
    }
    if (accelerates) {
      const double condition = reference.condition(in[0]);
      vectors.tolerance = std::max(vectors.tolerance, 1e-14 * condition);
      vectors.single_tolerance = std::max(vectors.single_tolerance, 1e-6 * condition);
    }
    if (algorithm == Algorithm::forward_dynamics && reference.nv() <= most_rows) {
      vectors.mass_matrix.push_back(reference.mass_matrix(in[0]));
      vectors.bias.push_back(reference.tau(in[0], in[1], Numbers(in[1].size())));
    }
    vectors.expected.push_back(expected(algorithm, reference, mech, in));
    vectors.inputs.push_back(std::move(in));
  }
  return vectors;
}

}  // namespace articula::generate
