// Rotors of drives: exchanged inertias and rotors as bodies of their own against models in which the user makes each rotor
// a rigid body with mass, a joint and a gear, and takes its mass and inertia from its carrier.

#include <gtest/gtest.h>

#include <map>

#include <articula/articula.h>
#include <articula/base/text.h>

#include "support/random_state.h"

namespace articula::test {
namespace {

constexpr double agreement = 1e-12;

/// A drive of a random tree, as a drive and as bodies.
struct RotorSample {
  RotorSample(std::uint32_t seed, bool floating) : random(seed) {
    if (floating) {
      add_body("base", "");
      model.add("free", Joint{.kind = JointKind::free}, "world", "base");
    }
    for (int k = 0; k < 6; ++k) {
      const std::string name = concat("b", k), joint = concat("j", k);
      const std::string parent = bodies.empty() ? "world" : random.chance(0.6) ? bodies.back() : random.one_of(bodies);
      add_body(name, parent);
      parents[joint] = parent, moved[joint] = name;
      const bool slides = random.chance(0.2);
      const Vec3<double> axis =
          random.chance(0.5) ? Vec3<double>::unit(static_cast<int>(random.number(0, 2.999))) : random.direction();
      axes[joint] = axis;
      places[joint] = {.xyz = random.vec3(), .rpy = random.chance(0.5) ? Vec3<double>::zero() : random.vec3()};
      model.add(joint, Joint{.kind = slides ? JointKind::prismatic : JointKind::revolute, .axis = {axis}},
                at(parent, places[joint]), name);
      (slides ? sliding : turning).push_back(joint);
    }
    bodied = model;
    for (const std::string& joint : turning) add_rotor(joint, true);
    for (const std::string& joint : sliding) add_rotor(joint, false);
    take_from_carriers();
  }

  void add_body(const std::string& name, const std::string&) {
    RigidBody body;
    body.mass = random.number(3, 5);
    body.com = random.vec3() * 0.2;
    body.inertia = SymMat3<double>::diagonal(random.number(2, 3), random.number(2, 3), random.number(2, 3));
    model.add(name, body);
    bodies.push_back(name);
  }

  /// The joint's axis in the body at its port `from`, or `to`.
  Vec3<double> axis_in(const std::string& joint, bool from) const {
    return from ? to_pose(places.at(joint)).R * axes.at(joint) : axes.at(joint);
  }

  void add_rotor(const std::string& joint, bool turns) {
    if (random.chance(0.2)) return;
    const std::string name = concat("d", joint);
    Drive drive{.rotor_inertia = random.number(0.001, 0.02),
                .gear = (random.chance(0.5) ? 1 : -1) * random.number(3, 30)};
    std::string carrier = random.chance(0.7) ? parents.at(joint) : moved.at(joint);
    const bool from = carrier == parents.at(joint), elsewhere = random.chance(0.25);
    if (elsewhere) carrier = random.one_of(bodies);
    const Place place{.xyz = random.vec3() * 0.1, .rpy = random.vec3()};
    Vec3<double> axis = to_pose(place).R.rotate_back(axis_in(joint, from));
    if (elsewhere || !turns || random.chance(0.3)) {
      axis = random.direction();
      drive.rotor_axis = Direction{axis};
    } else if (random.chance(0.3)) {
      if (random.chance(0.5)) axis = -axis;
      drive.rotor_axis = Direction{axis};
    }
    model.add(name, drive, joint, at(carrier, place));

    const double mass = 0.3, across = 0.5 * drive.rotor_inertia;
    RigidBody rotor{.mass = mass};
    SymMat3<double> I = SymMat3<double>::diagonal(across, across, across);
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) I(i, j) += (drive.rotor_inertia - across) * axis[i] * axis[j];
    }
    rotor.inertia = I;
    bodied.add(concat(name, ".rotor"), rotor);
    bodied.add(concat(name, ".motor"), Joint{.axis = {axis}}, at(carrier, place), concat(name, ".rotor"));
    bodied.add(concat(name, ".gear"), Gear{.ratio = {{drive.gear}}}, concat(name, ".motor"), joint);
    if (carrier != "world") taken[carrier] += to_pose(place) * *mass_properties(rotor);
  }

  void take_from_carriers() {
    for (const auto& [name, M] : taken) {
      RigidBody& body = bodied.at<RigidBody>(name);
      Inertia<double> rest = *mass_properties(body);
      rest.m -= M.m, rest.h = rest.h - M.h, rest.I = rest.I - M.I;
      body.mass = rest.m;
      body.com = rest.h * (1 / rest.m);
      body.inertia = inertia_about_center(rest);
    }
  }

  Random random;
  Model model{"driven"}, bodied{"bodied"};
  std::vector<std::string> bodies, turning, sliding;
  std::map<std::string, std::string> parents, moved;
  std::map<std::string, Vec3<double>> axes;
  std::map<std::string, Place> places;
  std::map<std::string, Inertia<double>> taken;
};

const SolverOptions rigid{.build = {.drives = Drives::rigid}};

/// Entries of x by the names of `from`, in the order of `to`.
Numbers by_name(const Numbers& x, std::span<const std::string> from, std::span<const std::string> to) {
  Numbers result;
  for (const std::string& name : to) {
    const auto found = std::find(from.begin(), from.end(), name);
    EXPECT_NE(found, from.end()) << name;
    result.push_back(x.at(static_cast<std::size_t>(found - from.begin())));
  }
  return result;
}

Numbers some(Random& random, std::size_t n) {
  Numbers x;
  for (std::size_t k = 0; k < n; ++k) x.push_back(random.number());
  return x;
}

/// A state of the driven model, and the same of the one with bodies.
struct BothStates {
  template <class A, class B>
  BothStates(const A& a, const B& b, std::uint32_t seed) {
    Random random(seed);
    q = a.parameters().q_start;  // of all joints; the exposed ones follow
    q.clear();
    for (const std::string& name : a.q_names()) q.push_back(name.ends_with(".qw") ? 1 : random.number());
    normalize(a.q_names());
    v = some(random, a.v_names().size()), vdot = some(random, v.size()), tau = some(random, v.size());
    q_b = by_name(q, a.q_names(), b.q_names());
    v_b = by_name(v, a.v_names(), b.v_names()), vdot_b = by_name(vdot, a.v_names(), b.v_names());
    tau_b = by_name(tau, a.v_names(), b.v_names());
  }
  void normalize(std::span<const std::string> names) {
    double square = 0;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (names[k].starts_with("free.q")) places.push_back(k), square += q[k] * q[k];
    }
    for (const std::size_t k : places) q[k] /= std::sqrt(square);
  }
  Numbers q, v, vdot, tau, q_b, v_b, vdot_b, tau_b;
};

Numbers numbers_of(const VectorView& x) { return {x.begin(), x.end()}; }

/// Rows and columns of a matrix, from the order of `from` to that of `to`.
Numbers by_name(const MatrixView& M, std::span<const std::string> from, std::span<const std::string> to) {
  Numbers result;
  const auto place = [&](const std::string& name) {
    return static_cast<int>(std::find(from.begin(), from.end(), name) - from.begin());
  };
  for (const std::string& row : to) {
    for (const std::string& column : to) result.push_back(M(place(row), place(column)));
  }
  return result;
}

class Rotors : public testing::TestWithParam<bool> {};

TEST_P(Rotors, AreThoseOfExplicitBodies) {
  std::map<RotorForm, int> forms;
  for (std::uint32_t seed = 1; seed <= 100 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const RotorSample sample(seed, GetParam());
    InverseDynamics inverse(sample.model, rigid), inverse_b(sample.bodied);
    for (const RotorElement& rotor : inverse.mechanism().rotors) ++forms[rotor.form];
    const BothStates s(inverse, inverse_b, seed + 1);
    inverse.update({.q = s.q, .v = s.v, .vdot = s.vdot});
    inverse_b.update({.q = s.q_b, .v = s.v_b, .vdot = s.vdot_b});
    const Numbers tau = numbers_of(inverse.compute());
    EXPECT_LT(distance(by_name(tau, inverse.v_names(), inverse_b.v_names()), numbers_of(inverse_b.compute())),
              agreement);

    MassMatrix masses(sample.model, rigid), masses_b(sample.bodied);
    masses.update({.q = s.q}), masses_b.update({.q = s.q_b});
    const auto names = masses_b.v_names();
    EXPECT_LT(distance(by_name(masses.compute(), masses.v_names(), names), by_name(masses_b.compute(), names, names)),
              agreement);
    EXPECT_LT(distance(by_name(masses.compute_inverse(), masses.v_names(), names),
                       by_name(masses_b.compute_inverse(), names, names)),
              1e-10);

    ForwardDynamics forward(sample.model, rigid), forward_b(sample.bodied);
    forward.update({.q = s.q, .v = s.v, .tau = s.tau});
    forward_b.update({.q = s.q_b, .v = s.v_b, .tau = s.tau_b});
    EXPECT_LT(distance(by_name(numbers_of(forward.compute()), forward.v_names(), forward_b.v_names()),
                       numbers_of(forward_b.compute())),
              1e-10);

    CenterOfMass whole(sample.model, rigid), whole_b(sample.bodied);
    whole.update({.q = s.q, .v = s.v, .vdot = s.vdot}), whole_b.update({.q = s.q_b, .v = s.v_b, .vdot = s.vdot_b});
    const WholeMechanism one = whole.compute(), other = whole_b.compute();
    EXPECT_NEAR(one.kinetic_energy, other.kinetic_energy, agreement * other.kinetic_energy);
    if (!GetParam()) continue;  // a rotor with mass on World moves the centre of mass
    EXPECT_LT(norm(one.angular_momentum - other.angular_momentum), 1e-10 * (1 + norm(other.angular_momentum)));
  }
  EXPECT_GT(forms[RotorForm::exchanged], 50);
  EXPECT_GT(forms[RotorForm::body], 50);
}

/// Forces that pass through ports are those of the rotors, not of exchanged inertias.
TEST_P(Rotors, ExertCouplesOnTheirCarriers) {
  for (std::uint32_t seed = 1; seed <= 50 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const RotorSample sample(seed, GetParam());
    InverseDynamics inverse(sample.model, rigid), inverse_b(sample.bodied);
    const BothStates s(inverse, inverse_b, seed + 1);
    inverse.update({.q = s.q, .v = s.v, .vdot = s.vdot});
    inverse_b.update({.q = s.q_b, .v = s.v_b, .vdot = s.vdot_b});
    for (const std::string& body : sample.bodies) {
      const Force<double> one = inverse.cut_force({body, ""}), other = inverse_b.cut_force({body, ""});
      const double size = 1 + norm(other.n) + norm(other.f);
      EXPECT_LT(norm(one.n - other.n), 1e-10 * size) << body;
      EXPECT_LT(norm(one.f - other.f), 1e-10 * size) << body;
    }
  }
}

TEST_P(Rotors, HaveDerivatives) {
  for (std::uint32_t seed = 1; seed <= 30 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const RotorSample sample(seed, GetParam());
    for (const auto of : {Derivatives::Of::inverse_dynamics, Derivatives::Of::forward_dynamics}) {
      Derivatives one(sample.model, of, rigid), other(sample.bodied, of);
      const BothStates s(one, other, seed + 1);
      one.update({.q = s.q, .v = s.v, .vdot = s.vdot, .tau = s.tau});
      other.update({.q = s.q_b, .v = s.v_b, .vdot = s.vdot_b, .tau = s.tau_b});
      const auto names = other.v_names();
      const StateDerivatives &a = one.compute(), &b = other.compute();
      EXPECT_LT(distance(by_name(a.dq, one.v_names(), names), by_name(b.dq, names, names)), 1e-10);
      EXPECT_LT(distance(by_name(a.dv, one.v_names(), names), by_name(b.dv, names, names)), 1e-10);
      EXPECT_LT(distance(by_name(a.du, one.v_names(), names), by_name(b.du, names, names)), 1e-10);
    }
  }
}

/// The self-test of generated code has the numbers of the network.
TEST_P(Rotors, AreInTheTestVectorsOfGeneratedCode) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const RotorSample sample(seed, GetParam());
    ForwardDynamics flat(sample.model, rigid), code(sample.model, {.run_as = RunAs::generated, .build = rigid.build});
    const BothStates s(flat, code, seed + 1);
    flat.update({.q = s.q, .v = s.v, .tau = s.tau}), code.update({.q = s.q, .v = s.v, .tau = s.tau});
    EXPECT_LT(distance(numbers_of(code.compute()), numbers_of(flat.compute())), 1e-10);
    EXPECT_NO_THROW(generate_code(
        sample.model, {.algorithms = {Algorithm::inverse_dynamics, Algorithm::forward_dynamics, Algorithm::mass_matrix},
                       .build = rigid.build}));
  }
}

/// A body's inertia includes that of the rotors on it.
TEST(RotorCarriers, WithLessInertiaThanTheirRotorAreWarnedOf) {
  Model model("arm");
  model.add("link", RigidBody{.mass = 2, .com = {0.5, 0, 0}, .inertia = SymMat3<double>::diagonal(0.1, 0.3, 0.3)});
  model.add("hand", RigidBody{.mass = 1, .inertia = SymMat3<double>::diagonal(1, 1, 1)});
  model.add("shoulder", Joint{.axis = z_axis}, "world", "link").add("wrist", Joint{.axis = z_axis}, "link", "hand");
  model.add("motor", Drive{.rotor_inertia = 0.2, .rotor_axis = x_axis}, "wrist", "link");
  const auto warnings = [&] {
    std::vector<std::string> all;
    for (const Finding& finding : check(model)) all.push_back(to_text(finding));
    return all;
  };
  EXPECT_EQ(warnings(),
            (std::vector<std::string>{
                "drive \"motor\": the rotor's inertia about its axis is 0.2 kg*m^2, but body \"link\", which "
                "carries it, has only 0.1 about a parallel axis through its centre of mass. A body's inertia "
                "includes that of the rotors on it: add the rotor's to it, or check both numbers.  "
                "[carrier-inertia]"}));
  model.at<Drive>("motor").rotor_axis = z_axis;
  EXPECT_TRUE(warnings().empty());
}

INSTANTIATE_TEST_SUITE_P(Base, Rotors, testing::Values(false, true),
                         [](const auto& each) { return each.param ? "floating" : "fixed"; });

}  // namespace
}  // namespace articula::test
