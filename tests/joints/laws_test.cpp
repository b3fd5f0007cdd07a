#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/joints/kinds.h>
#include <articula/joints/laws.h>

namespace articula::joints {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::uint32_t seed = 20;
constexpr int samples = 500;

std::vector<std::string> codes(const Findings& findings) {
  std::vector<std::string> list;
  for (const Finding& each : findings) list.push_back(each.code);
  return list;
}

std::string text(const Findings& findings) {
  std::string all;
  for (const Finding& each : findings) all += to_text(each) + '\n';
  return all;
}

class EveryJointKind : public testing::TestWithParam<JointKind> {};

TEST_P(EveryJointKind, ObeysTheLaws) {
  const Findings broken = visit_joint(GetParam(), []<class J>(J) { return check_joint_laws<J>(seed, samples); });
  EXPECT_THAT(broken, IsEmpty()) << text(broken);
}

TEST_P(EveryJointKind, IsFoundByItsName) {
  EXPECT_EQ(find_joint_kind(traits(GetParam()).name), GetParam());
  EXPECT_EQ(joint_kind_names()[static_cast<std::size_t>(GetParam())], traits(GetParam()).name);
}

TEST_P(EveryJointKind, MayWriteTheNewCoordinatesOverTheOld) {
  visit_joint(GetParam(), []<class J>(J) {
    detail::JointSamples random(seed);
    const std::vector<double> dv = random.tangent(J::v.size());
    std::vector<double> q(J::neutral.begin(), J::neutral.end()), once(q.size()), twice(q.size());
    J::advanced(q.data(), dv.data(), once.data());
    J::advanced(once.data(), dv.data(), twice.data());
    J::advanced(once.data(), dv.data(), once.data());
    EXPECT_EQ(once, twice);
  });
}

INSTANTIATE_TEST_SUITE_P(Joints, EveryJointKind, testing::ValuesIn(all_joint_kinds),
                         [](const auto& kind) { return std::string(traits(kind.param).name); });

TEST(JointKinds, AreTurnsAndSlidesOrNot) {
  std::vector<std::string_view> turns, slides, flips, with_quaternion;
  for (const JointKind kind : all_joint_kinds) {
    const JointTraits joint = traits(kind);
    if (joint.is_turn()) turns.push_back(joint.name);
    if (joint.is_slide()) slides.push_back(joint.name);
    if (joint.flips()) flips.push_back(joint.name);
    if (quaternion_in(kind) >= 0) with_quaternion.push_back(joint.name);
  }
  EXPECT_THAT(turns, ElementsAre("revolute"));
  EXPECT_THAT(slides, ElementsAre("prismatic"));
  EXPECT_THAT(flips, ElementsAre("revolute", "prismatic", "helical", "cylindrical"));
  EXPECT_THAT(with_quaternion, ElementsAre("spherical", "free"));
}

TEST(JointKinds, AnUnknownNameIsNone) {
  EXPECT_EQ(find_joint_kind("hinge"), std::nullopt);
  EXPECT_EQ(find_joint_kind(""), std::nullopt);
}

TEST(JointKinds, HaveTheirDegreesOfFreedom) {
  std::vector<int> nq, nv;
  for (const JointKind kind : all_joint_kinds) {
    nq.push_back(traits(kind).nq());
    nv.push_back(traits(kind).nv());
  }
  EXPECT_THAT(joint_kind_names(), ElementsAre("revolute", "prismatic", "helical", "cylindrical", "universal",
                                              "spherical", "planar", "free", "fixed"));
  EXPECT_THAT(nq, ElementsAre(1, 1, 1, 2, 2, 4, 3, 7, 0));
  EXPECT_THAT(nv, ElementsAre(1, 1, 1, 2, 2, 3, 3, 6, 0));
}

// Kinds that break one law each, to see that it is missed by none and noticed by its own.

struct WrongAxes : Revolute {
  template <class T>
  static void H_M(const NoParameters&, const T*, Motion<T>* H) {
    H[0] = {-Vec3<T>::unit(2), Vec3<T>::zero()};
  }
};

struct WrongAxesOfSlide : Helical {
  template <class T>
  static void H_M(const Parameters<T>&, const T*, Motion<T>* H) {
    H[0] = {Vec3<T>::unit(2), Vec3<T>::zero()};
  }
};

/// Turns and stretches: RᵀR is not 1 away from neutral.
struct NoRotation : Revolute {
  template <class T>
  static Pose<T> X_FM(const NoParameters& par, const T* q) {
    Pose<T> X = Revolute::X_FM(par, q);
    X.R.m(2, 2) = T(1) + T(0.1) * q[0];
    return X;
  }
};

struct WrongAxesRate : Universal {
  template <class T>
  static Motion<T> Hdot_v(const NoParameters&, const T*, const T*) {
    return Motion<T>::zero();
  }
};

struct UnwrittenAxis : Cylindrical {
  template <class T>
  static void H_M(const NoParameters&, const T*, Motion<T>* H) {
    H[0] = {Vec3<T>::zero(), Vec3<T>::unit(2)};
  }
};

/// The angular velocity taken in F instead of M.
struct WrongQdot : Spherical {
  template <class T>
  static void qdot(const T* q, const T* w, T* rate) {
    const T half(0.5);
    write(Quaternion<T>{half * w[0], half * w[1], half * w[2], T(0)} * read(q), rate);
  }
};

struct WrongZero : Prismatic {
  template <class T>
  static void advanced(const T* q, const T* dv, T* q_new) {
    q_new[0] = q[0] + dv[0] + T(1e-9);
  }
};

/// Halves the way there: the round trip of a difference no longer ends at d, nor the way to q1 at q1.
struct WrongDifference : Planar {
  template <class T>
  static void difference(const T* q0, const T* q1, T* dv) {
    for (int k = 0; k < 3; ++k) dv[k] = T(0.5) * (q1[k] - q0[k]);
  }
};

struct WrongNeutral : Prismatic {
  static constexpr std::array<double, 1> neutral{0.1};
};

struct ShortNeutral : Cylindrical {
  static constexpr std::array<double, 1> neutral{0};
};

struct DoubleName : Cylindrical {
  static constexpr std::array v{Coordinate{"speed", dimension::speed}, Coordinate{"speed", dimension::angular_speed}};
};

struct QuaternionElsewhere : Spherical {
  static constexpr int quaternion = 1;
};

struct UnlistedParameter : Helical {
  template <class T>
  struct Parameters : Helical::Parameters<T> {
    template <class Self>
    static auto members(Self&) {
      return std::tuple<>();
    }
  };
};

/// An angle that a whole turn of does and does not lead back, and each says the opposite.
struct WrongWraps : Helical {
  static constexpr std::array q{Coordinate{"angle", dimension::angle, true}};
};
struct UnsaidWraps : Revolute {
  static constexpr std::array q{Coordinate{"angle", dimension::angle}};
};

struct WrongPart : Cylindrical {
  template <class T>
  static constexpr auto turns_and_slides(const NoParameters&) {
    return std::array{slide_along<T>(2, 0), turn_about<T>(1, 1)};
  }
};

struct UnturnedStep : Free {};
struct UnheldAxes : Free {};
struct SeriesInF : Spherical {};

}  // namespace

template <>
struct JointStep<UnturnedStep> : JointStep<Free> {
  template <class T>
  static void step_along(const T& h, T* q, T* v) {
    std::array<T, 6> along;
    for (std::size_t k = 0; k < 6; ++k) along[k] = h * v[k];
    Free::advanced(q, along.data(), q);
  }
};

template <>
struct JointStep<UnheldAxes> : JointStep<Free> {
  template <class T>
  static void hold_axes(const T*, T*) {}
};

/// The angular velocity in F instead of M.
template <>
struct JointSeries<SeriesInF> : JointSeries<Spherical> {
  template <class T>
  static void follow(const T* rpy, const T* rate, const T* more, T* q, T* w, T* wdot) {
    JointSeries<Spherical>::follow(rpy, rate, more, q, w, wdot);
    const Vec3<T> w_F = rotation_of(QuaternionCoordinates::read(q)) * Vec3<T>{w[0], w[1], w[2]};
    for (int k = 0; k < 3; ++k) w[k] = w_F[k];
  }
};

namespace {

struct NoName : Revolute {
  static constexpr std::string_view name = "";
};

TEST(JointLaws, CatchAWrongAxis) {
  EXPECT_THAT(codes(check_joint_laws<WrongAxes>(seed)), ElementsAre("joint-law-axes"));
  EXPECT_THAT(codes(check_joint_laws<WrongAxesOfSlide>(seed)), ElementsAre("joint-law-axes"));
}

TEST(JointLaws, CatchAPoseThatIsNoRotation) {
  EXPECT_THAT(codes(check_joint_laws<NoRotation>(seed)),
              ElementsAre("joint-law-axes", "joint-law-wraps", "joint-law-parts"));
}

TEST(JointLaws, CatchAnAxisThatIsNotWritten) {
  EXPECT_THAT(codes(check_joint_laws<UnwrittenAxis>(seed)), ElementsAre("joint-law-axes", "joint-law-axes-rate"));
}

TEST(JointLaws, CatchAWrongRateOfTheAxes) {
  EXPECT_THAT(codes(check_joint_laws<WrongAxesRate>(seed)), ElementsAre("joint-law-axes-rate", "joint-law-axes-along"));
}

TEST(JointLaws, CatchAWrongRateOfTheCoordinates) {
  EXPECT_THAT(codes(check_joint_laws<WrongQdot>(seed)), ElementsAre("joint-law-qdot", "joint-law-series"));
}

TEST(JointLaws, CatchAStepOfZeroThatMoves) {
  EXPECT_THAT(codes(check_joint_laws<WrongZero>(seed)),
              UnorderedElementsAre("joint-law-zero", "joint-law-difference", "joint-law-reach", "joint-law-step"));
}

TEST(JointLaws, CatchAStepThatForgetsThatTheAxesTurn) {
  EXPECT_THAT(codes(check_joint_laws<UnturnedStep>(seed)), ElementsAre("joint-law-step"));
  EXPECT_THAT(codes(check_joint_laws<UnheldAxes>(seed)), ElementsAre("joint-law-step"));
}

TEST(JointLaws, CatchAWrongDifference) {
  EXPECT_THAT(codes(check_joint_laws<WrongDifference>(seed)), ElementsAre("joint-law-difference", "joint-law-reach"));
}

TEST(JointLaws, CatchAWrongNeutral) {
  EXPECT_THAT(codes(check_joint_laws<WrongNeutral>(seed)), ElementsAre("joint-law-neutral"));
}

TEST(JointLaws, CatchListsThatDoNotFit) {
  EXPECT_THAT(codes(check_joint_laws<ShortNeutral>(seed)), ElementsAre("joint-law-lists"));
  EXPECT_THAT(codes(check_joint_laws<DoubleName>(seed)), ElementsAre("joint-law-lists"));
  EXPECT_THAT(codes(check_joint_laws<NoName>(seed)), ElementsAre("joint-law-lists"));
}

TEST(JointLaws, CatchAQuaternionThatStandsElsewhere) {
  EXPECT_THAT(codes(check_joint_laws<QuaternionElsewhere>(seed)), ElementsAre("joint-law-lists"));
}

TEST(JointLaws, CatchAParameterThatIsNotAMember) {
  EXPECT_THAT(codes(check_joint_laws<UnlistedParameter>(seed)),
              ElementsAre("joint-law-lists", "joint-law-axes"));  // no derivative of it is taken
}

TEST(JointLaws, CatchAnAngleThatWrapsOrNotAgainstItsWord) {
  EXPECT_THAT(codes(check_joint_laws<WrongWraps>(seed)), ElementsAre("joint-law-wraps"));
  EXPECT_THAT(codes(check_joint_laws<UnsaidWraps>(seed)), ElementsAre("joint-law-wraps"));
}

TEST(JointLaws, CatchATimeSeriesInOtherAxes) {
  EXPECT_THAT(codes(check_joint_laws<SeriesInF>(seed)), ElementsAre("joint-law-series"));
}

TEST(JointLaws, CatchAPartThatIsAnother) {
  EXPECT_THAT(codes(check_joint_laws<WrongPart>(seed)), ElementsAre("joint-law-parts"));
}

TEST(JointLaws, SayWhatIsBrokenAndWhere) {
  const Findings broken = check_joint_laws<WrongNeutral>(seed);
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_EQ(to_text(broken[0]),
            "joint kind \"prismatic\": X_FM(neutral) is not the identity: off by 0.1 at neutral of seed 20. "
            "Allowed: 1e-12.  [joint-law-neutral]");
  EXPECT_THAT(check_joint_laws<WrongAxes>(seed)[0].message, HasSubstr(" of seed 20, q = ("));
}

TEST(JointLaws, RepeatWithTheSameSeed) {
  EXPECT_EQ(text(check_joint_laws<WrongQdot>(seed)), text(check_joint_laws<WrongQdot>(seed)));
  EXPECT_NE(text(check_joint_laws<WrongQdot>(seed)), text(check_joint_laws<WrongQdot>(seed + 1)));
}

}  // namespace
}  // namespace articula::joints
