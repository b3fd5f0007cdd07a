#include <articula/build/refresh.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include <articula/base/text.h>
#include <articula/build/flatten.h>
#include <articula/build/merge_rigid.h>
#include <articula/mechanism/parameter_fields.h>

#include "samples.h"
#include "support/allocations.h"
#include "support/random_model.h"

namespace articula::test {
namespace {

using testing::HasSubstr;

// --- comparing -----------------------------------------------------------------------------------------------------

/// Every number of a mechanism, bit by bit, list after list with its length.
class Bits {
 public:
  explicit Bits(const Parameters<double>& par) {
    for_each_number([&](auto x) { bits_.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(x))); }, par);
  }
  friend bool operator==(const Bits&, const Bits&) = default;

 private:
  std::vector<std::uint64_t> bits_;
};

bool same_bits(const Parameters<double>& a, const Parameters<double>& b) { return Bits(a) == Bits(b); }

/// Of a mechanism, all that numbers decide.
bool same_forms(const Mechanism& a, const Mechanism& b) {
  return std::equal(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(),
                    [](const Body& x, const Body& y) { return x.form == y.form && x.axis == y.axis; });
}

// --- changing ------------------------------------------------------------------------------------------------------

/// Gives every number of a model another value that a builder accepts.
class Change {
 public:
  Change(std::uint32_t seed, bool turns) : random_(seed), turns_(turns) {}

  void model(Model& model) {
    model.environment.gravity = UniformGravity{random_.vec3()};
    if (model.environment.ground) model.environment.ground->friction = random_.number(0, 2);
    assembly(model);
  }

 private:
  void assembly(const Assembly& part) {
    for (const Entity& entity : part.entities()) {
      if (entity.name == world_name) continue;
      auto& kind = const_cast<Kind&>(entity.kind);
      std::visit([&](auto& k) { std::decay_t<decltype(k)>::fields(k, *this); }, kind);
      if (auto* joint = std::get_if<Joint>(&kind)) own(*joint);
    }
    for (const Part& inner : part.parts()) assembly(inner.assembly);
  }

 public:
  void operator()(std::string_view name, double& x, const Dimension&) {
    x = x == 0 || name == "restitution" ? random_.number(0, 1) : scaled(x);
  }
  void operator()(std::string_view, std::optional<double>& x, const Dimension&) {
    if (x) x = scaled(*x);
  }
  void operator()(std::string_view, Vec3<double>& v, const Dimension&) { v += random_.vec3(); }
  void operator()(std::string_view, SymMat3<double>& J, const Dimension&) { J = random_.number(0.5, 2) * J; }
  void operator()(std::string_view, Rows& rows, const Dimension&) {
    for (auto& row : rows) {
      for (double& x : row) x = scaled(x);
    }
  }
  void operator()(std::string_view, Pose<double>& X, const Dimension&) { pose(X); }
  void operator()(std::string_view, std::vector<Frame>& frames, const Dimension&) {
    for (Frame& frame : frames) pose(frame.X_EF);
  }
  void operator()(std::string_view, std::vector<Shape>& shapes, const Dimension&) {
    for (Shape& shape : shapes) {
      pose(shape.X_BS);
      if (auto* box = std::get_if<Box>(&shape.geometry)) box->size.x = scaled(box->size.x);
      if (auto* ball = std::get_if<Sphere>(&shape.geometry)) ball->radius = scaled(ball->radius);
    }
  }
  template <class Other>
  void operator()(std::string_view, Other&, const Dimension&) {}

 private:
  void own(Joint& joint) {
    const JointTraits kind = traits(joint.kind);
    if (kind.nq() == kind.nv() && kind.nv() > 0) {
      joint.start.assign(kind.q.size(), random_.number());
      joint.limits.assign(kind.v.size(), {random_.number(-3, -1), random_.number(1, 3)});
    }
    joint.speed_limit.assign(kind.v.size(), random_.number(1, 2));
    joint.force_limit.assign(kind.v.size(), random_.number(1, 2));
    if (!turns_) return;
    const Rotation<double> R = random_.rotation();
    joint.axis.v = R * joint.axis.v;
    joint.second_axis.v = R * joint.second_axis.v;
  }
  void pose(Pose<double>& X) {
    X.p = random_.vec3();
    if (turns_) X.R = random_.rotation();
  }
  double scaled(double x) { return x * random_.number(0.5, 2); }

  Random random_;
  bool turns_;
};

/// A sample that has everything the flat form has a place for, partly in a part of a part.
Model everything() {
  Assembly hand;
  hand.add("palm", body(0.5)).add("finger", RigidBody{.density = 800, .shapes = {{"tip", Sphere{0.05}, {}}}});
  hand.add("knuckle", Joint{.axis = x_axis}, at("palm", {.xyz = {0, 0, 0.1}}), "finger");
  hand.add("push", ExternalForce{.force = {1, 2, 3}, .expressed_in = "palm"}, "finger");
  hand.add("knuckle_drive", Drive{.rotor_inertia = 1e-5, .gear = 50, .stiffness = 100}, "knuckle", "palm");
  Assembly arm;
  arm.add("upper", body(3)).add("fore", body(2)).add("plate", body(0.2));
  arm.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0, 0, 0.2}}), "fore");
  arm.add("shift", Displacement{to_pose({.xyz = {0.1, 0, 0}, .rpy = {0.1, 0, 0}})}, at("fore", {.xyz = {0, 0, 0.3}}),
          "plate");
  arm.add_part("hand", std::move(hand));
  arm.add("wrist", Joint{.kind = JointKind::spherical}, "plate", "hand/palm");
  Model model("everything");
  model.environment.ground.emplace();
  model.add_part("arm", std::move(arm));
  model.add("plinth", ReferenceFrame{.placement = to_pose({.xyz = {0, 0, 1}})});
  model.add("cart", ReferenceFrame{.motion = FrameMotion::prescribed});
  model.add("shoulder", Joint{}, at("plinth", {.xyz = {0, 0, 0.1}}), "arm/upper");
  model.add("wheel", body()).add("axle", Joint{.axis = y_axis}, at("cart", {.xyz = {0, 0.3, 0.2}}), "wheel");
  model.add("left", body()).add("right", body());
  model.add("left_hinge", Joint{}, "world", "left")
      .add("right_hinge", Joint{}, at("world", {.xyz = {1, 0, 0}}), "right");
  model.add("bar", Joint{.kind = JointKind::spherical, .closes_loop = true}, at("left", {.xyz = {0, 1, 0}}),
            at("right", {.xyz = {0, 1, 0}}));
  model.add("rod", ConnectingRod{.length = 1.5, .mass = 0.1}, at("left", {.xyz = {0, 0, 1}}),
            at("right", {.xyz = {0, 1, 1}}));
  model.add("roll", Rolling{.radius = 0.2}, "wheel", "world");
  model.add("touch", ContactPoint{.radius = 0.01}, at("wheel", {.xyz = {0.2, 0, 0}}));
  model.add("spring", Spring{.stiffness = 10, .rest = 1}, at("left", {.xyz = {0, 0.5, 0}}), "arm/fore");
  model.add("twist", Damper{.form = Form::torsional, .damping = 0.1}, "axle");
  model.add("gear", Gear{.ratio = {{2}}}, "left_hinge", "right_hinge");
  model.add("flywheel", Rotor{.inertia = 0.01}, "cart");
  model.attach("flywheel", Family::element, "shaft", {"axle", "shaft"});
  model.add("drive", Drive{.rotor_inertia = 1e-4, .gear = 100}, "axle", "cart");
  return model;
}

// --- the same numbers as a new build -------------------------------------------------------------------------------

constexpr std::uint32_t seeds = 60;

RandomModelOptions rich() { return {.bodies = 8, .loops = 2, .parts = 2, .elements = 8, .rigid_cycles = 0}; }

TEST(Refresh, GivesTheBitsOfANewBuildForOtherNumbersWithTheSameOrientations) {
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Model model = random_model(seed, rich());
    Refresher refresher(model);
    Parameters<double> par = refresher.built().parameters;
    ASSERT_TRUE(same_bits(par, build_mechanism(model).parameters));
    for (std::uint32_t k = 0; k < 3; ++k) {
      Change(100 * seed + k, false).model(model);
      const Parameters<double> before = par;
      refresher.refresh(model, par);
      EXPECT_FALSE(same_bits(par, before));
      EXPECT_TRUE(same_bits(par, build_mechanism(model).parameters));
    }
  }
}

TEST(Refresh, GivesTheBitsOfANewBuildForOtherOrientationsOfGeneralAxes) {
  RandomModelOptions options = rich();
  options.aligned = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Model model = random_model(seed, options);
    Refresher refresher(model);
    Parameters<double> par;
    Change(seed, true).model(model);
    refresher.refresh(model, par);
    EXPECT_TRUE(same_bits(par, build_mechanism(model).parameters));
  }
}

TEST(Refresh, GivesTheBitsOfANewBuildForAModelThatIsMergedAlready) {
  int compared = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Model model = merge_rigid(flatten(random_model(seed, rich())).model).model;
    Refresher refresher(model);
    Parameters<double> par;
    Change(seed, false).model(model);
    for (Constituent& c : model.at<ReferenceFrame>("world").constituents) c.M_C.m *= 2;
    // Two frames of a merged body may have to stay in one place: then both refuse.
    const std::string refused = error_of([&] { build_mechanism(model); });
    ASSERT_EQ(error_of([&] { refresher.refresh(model, par); }), refused);
    if (refused != "no error") continue;
    EXPECT_TRUE(same_bits(par, build_mechanism(model).parameters));
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST(Refresh, LeavesRotationsAsTheyAreWhereTheBuilderDoes) {
  Model model = pendulum();
  model.at<Joint>("hinge").axis.v = {0.6, 0, 0.8};
  model.snap = 0;
  Refresher refresher(model);
  model.at<Joint>("hinge").axis.v = {1e-12, 0.6, 0.8};
  Parameters<double> par;
  refresher.refresh(model, par);
  EXPECT_TRUE(same_bits(par, build_mechanism(model).parameters));
  model.snap = Model::default_snap;
  EXPECT_FALSE(same_bits(par, build_mechanism(model).parameters));
}

TEST(Refresh, RefusesOrientationsExactlyWhereASparseJointLosesItsAxis) {
  int refused = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Model model = random_model(seed, rich());
    Refresher refresher(model);
    const bool sparse =
        std::any_of(refresher.built().mechanism.bodies.begin(), refresher.built().mechanism.bodies.end(),
                    [](const Body& body) { return body.axis != AxisForm::general; });
    Parameters<double> par;
    Change(seed, true).model(model);
    ASSERT_EQ(same_forms(build_mechanism(model).mechanism, refresher.built().mechanism), !sparse);
    const std::string text = error_of([&] { refresher.refresh(model, par); });
    EXPECT_THAT(text, HasSubstr(sparse ? ": its axis was the coordinate axis " : "no error"));
    refused += sparse ? 1 : 0;
  }
  EXPECT_GT(refused, 10);
  EXPECT_LT(refused, static_cast<int>(seeds) - 3);
}

TEST(Refresh, ReachesEveryKindOfEntity) {
  Model model = everything();
  Refresher refresher(model);
  Parameters<double> par;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Change(seed, false).model(model);
    refresher.refresh(model, par);
    EXPECT_TRUE(same_bits(par, build_mechanism(model).parameters));
  }
}

TEST(Refresh, SnapsAsTheBuilderDoes) {
  Model model = pendulum();
  model.add("tip", body()).add("tilt", Joint{.axis = y_axis}, at("bob", {.xyz = {1, 0, 0}}), "tip");
  Refresher refresher(model);
  model.at<Joint>("tilt").axis.v = {1e-12, -1, 0};
  model.at<RigidBody>("bob").frames.front().X_EF.R = rotation_about(1, 1.0, 1e-12);
  Parameters<double> par;
  refresher.refresh(model, par);
  EXPECT_TRUE(same_bits(par, build_mechanism(model).parameters));
  EXPECT_EQ(par.axis_sign[2], -1);
}

TEST(Refresh, GivesCentralGravity) {
  Model model = pendulum();
  model.environment.gravity = CentralGravity{{1, 2, 3}, 4};
  Refresher refresher(model);
  model.environment.gravity = CentralGravity{{5, 6, 7}, 8};
  Parameters<double> par;
  refresher.refresh(model, par);
  EXPECT_EQ(std::get<CentralGravity>(par.gravity_field), (CentralGravity{{5, 6, 7}, 8}));
}

TEST(Refresh, LeavesAJointGeneralWhoseAxisBecomesACoordinateAxis) {
  Model model = pendulum();
  model.at<Joint>("hinge").axis.v = {0.6, 0, 0.8};
  Refresher refresher(model);
  model.at<Joint>("hinge").axis = z_axis;
  Parameters<double> par;
  refresher.refresh(model, par);
  EXPECT_EQ(refresher.built().mechanism.bodies[1].axis, AxisForm::general);
  EXPECT_EQ(par.X_PF[1].R.m.column(2), (Vec3<double>{0, 0, 1}));
}

TEST(Refresh, GoesOnAfterTheModelIsGoneAndAfterAMove) {
  auto first = std::make_unique<Refresher>(everything());
  Refresher second = std::move(*first);
  first.reset();
  Parameters<double> par;
  Model model = everything();
  second.refresh(model, par);
  EXPECT_TRUE(same_bits(par, build_mechanism(model).parameters));
}

// --- no allocation -------------------------------------------------------------------------------------------------

/// How often one refresh asks for memory, once `par` has its sizes.
std::size_t allocations_of(Refresher& refresher, const Model& model, Parameters<double>& par) {
  const std::size_t before = allocations();
  refresher.refresh(model, par);
  return allocations() - before;
}

TEST(Refresh, AllocatesNothingForOneMass) {
  Model model = everything();
  Refresher refresher(model);
  Parameters<double> par = refresher.built().parameters;
  const_cast<RigidBody&>(std::get<RigidBody>(model.find_path("arm/hand/palm", Family::body)->kind)).mass = 0.7;
  EXPECT_EQ(allocations_of(refresher, model, par), 0u);
  EXPECT_TRUE(same_bits(par, build_mechanism(model).parameters));
}

TEST(Refresh, AllocatesNothingForAnyNumberOfAnyKind) {
  Model model = everything();
  Refresher refresher(model);
  Parameters<double> par = refresher.built().parameters;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    Change(seed, false).model(model);
    EXPECT_EQ(allocations_of(refresher, model, par), 0u) << "seed " << seed;
  }
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    RandomModelOptions options = rich();
    options.aligned = 0;
    Model other = random_model(seed, options);
    Refresher fresh(other);
    Parameters<double> numbers = fresh.built().parameters;
    Change(seed, true).model(other);
    EXPECT_EQ(allocations_of(fresh, other, numbers), 0u) << "seed " << seed;
  }
}

/// What is only warned of is not even written down.
TEST(Refresh, AllocatesNothingForABodyThatIsWarnedOf) {
  Model model = pendulum();
  Refresher refresher(model);
  Parameters<double> par = refresher.built().parameters;
  model.at<RigidBody>("bob").inertia = SymMat3<double>::diagonal(1, 1, 1000);
  ASSERT_EQ(build_mechanism(model).findings.size(), 2u);
  EXPECT_EQ(allocations_of(refresher, model, par), 0u);
}

TEST(Allocations, AreCounted) {
  const std::size_t before = allocations();
  const std::vector<double> list(10);
  const double* volatile seen = list.data();  // else a compiler may do without
  EXPECT_EQ(allocations() - before, 1u) << seen;
}

// --- all or nothing ------------------------------------------------------------------------------------------------

/// Refreshing throws what building throws, and touches nothing; then good numbers are taken as if nothing had been.
template <class Spoil>
void expect_refused(Model model, Spoil&& spoil, std::string_view text) {
  Refresher refresher(model);
  Model bad = model;
  // Something good comes before it, so that there is something to take back.
  bad.environment.gravity = UniformGravity{{1, 2, 3}};
  spoil(bad);
  Parameters<double> par = refresher.built().parameters;
  EXPECT_EQ(error_of([&] { refresher.refresh(bad, par); }), text);
  EXPECT_EQ(error_of([&] { build_mechanism(bad); }), text);
  EXPECT_TRUE(same_bits(par, refresher.built().parameters));
  refresher.refresh(model, par);
  EXPECT_TRUE(same_bits(par, refresher.built().parameters));
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Refresh, TakesAllOrNothing) {
  expect_refused(
      pendulum(), [](Model& m) { m.at<RigidBody>("bob").mass = -1; },
      "body \"bob\": mass is -1 kg. It must not be negative.  [mass-negative]");
  expect_refused(
      pendulum(), [](Model& m) { m.at<RigidBody>("bob").com.y = nan; },
      "body \"bob\": com is nan. Only finite numbers are allowed.  [value-not-finite]");
  expect_refused(
      pendulum(), [](Model& m) { m.at<RigidBody>("bob").inertia.yy = -1; },
      "body \"bob\": its inertia has the principal moment -1 kg*m^2. None may be negative; check the signs "
      "and "
      "the products of inertia.  [inertia-negative]");
  expect_refused(
      pendulum(),
      [](Model& m) {
        m.at<Joint>("hinge").start = {1, 2};
      },
      "joint \"hinge\": start has 2 entries, but a revolute joint has 1.  [joint-size]");
  expect_refused(
      pendulum(),
      [](Model& m) {
        m.at<Joint>("hinge").axis.v = {0, 0, 0};
      },
      "joint \"hinge\": axis is (0, 0, 0). An axis needs a direction; give e.g. (0, 0, 1).  "
      "[joint-axis-zero]");
  expect_refused(
      pendulum(),
      [](Model& m) {
        m.environment.gravity = UniformGravity{{0, nan, 0}};
      },
      "environment: gravity is not finite.  [value-not-finite]");
  expect_refused(
      everything(), [](Model& m) { m.at<Drive>("drive").gear = 0; },
      "drive \"drive\": gear is 0. It must not be 0.  [gear-ratio-zero]");
}

TEST(Refresh, NamesAnEntityInAPartByItsPath) {
  expect_refused(
      everything(),
      [](Model& m) {
        const_cast<RigidBody&>(std::get<RigidBody>(m.find_path("arm/hand/palm", Family::body)->kind)).mass = -2;
      },
      "body \"arm/hand/palm\": mass is -2 kg. It must not be negative.  [mass-negative]");
}

TEST(Refresh, RefusesARigidCycleThatNoLongerCloses) {
  Model model = pendulum();
  model.add("tip", body());
  model.add("one", Displacement{to_pose({.xyz = {1, 0, 0}})}, "bob", "tip");
  model.add("two", Displacement{to_pose({.xyz = {1, 0, 0}})}, "bob", "tip");
  expect_refused(
      model, [](Model& m) { m.at<Displacement>("two").placement.p.x = 1.5; },
      "displacement \"two\": rigid connections lead around a cycle to two different places, 0.5 m and 0 rad "
      "apart. "
      "Correct a placement, or take one connection away.  [rigid-cycle]");
}

TEST(Refresh, RefusesGearsThatContradictEachOther) {
  Model model = everything();
  model.add("same", Gear{.ratio = {{2}}}, "left_hinge", "right_hinge");
  expect_refused(
      model, [](Model& m) { m.at<Gear>("same").offset = {1}; },
      "gear \"same\": other gears tie the same shafts with another offset, so that no position fits both. "
      "Take one "
      "of them away, or correct its offset.  [coupling-contradiction]");
}

// --- another structure ---------------------------------------------------------------------------------------------

template <class Restructure>
std::string refusal(const Model& model, Restructure&& restructure) {
  Refresher refresher(model);
  Model other = model;
  restructure(other);
  Parameters<double> par = refresher.built().parameters;
  const std::string text = error_of([&] { refresher.refresh(other, par); });
  EXPECT_TRUE(same_bits(par, refresher.built().parameters));
  const std::string advice =
      " A refresh takes other numbers of the same structure; use reconfigure for another structure.  "
      "[structure-changed]";
  EXPECT_TRUE(text.ends_with(advice)) << text;
  return text.substr(0, text.size() - std::min(text.size(), advice.size()));
}

TEST(Refresh, NamesTheFirstDifferenceInStructure) {
  EXPECT_EQ(refusal(pendulum(), [](Model& m) { m.add("new", body()); }), "body \"new\" is new.");
  EXPECT_EQ(refusal(pendulum(), [](Model& m) { m = Model("empty"); }), "body \"bob\" is gone.");
  EXPECT_EQ(refusal(pendulum(),
                    [](Model& m) {
                      m = Model("other");
                      m.add("bob", body()).add("hook", Joint{}, "world", "bob");
                    }),
            "joint \"hook\" stands where joint \"hinge\" was.");
  EXPECT_EQ(refusal(everything(), [](Model& m) { m.add_part("more", Assembly()); }), "part \"more\" is new.");
  EXPECT_EQ(refusal(four_bar(),
                    [](Model& m) {
                      m.connect({{"crank", ""}, {"world", ""}});
                    }),
            "the connection of crank, world is new.");
  EXPECT_EQ(refusal(pendulum(),
                    [](Model& m) {
                      m.disconnect({{"hinge", "to"}, {"bob", ""}});
                    }),
            "the connection of hinge.to, bob is gone.");
}

TEST(Refresh, NamesThePropertyThatIsStructure) {
  EXPECT_EQ(refusal(pendulum(), [](Model& m) { m.at<Joint>("hinge").kind = JointKind::prismatic; }),
            "joint \"hinge\": its `type` is another.");
  EXPECT_EQ(refusal(pendulum(), [](Model& m) { m.at<Joint>("hinge").actuated = true; }),
            "joint \"hinge\": its `actuated` is another.");
  EXPECT_EQ(refusal(pendulum(),
                    [](Model& m) {
                      m.at<RigidBody>("bob").frames.push_back({"tool", {}});
                    }),
            "body \"bob\": its `frames` is another.");
  EXPECT_EQ(refusal(everything(), [](Model& m) { m.at<Drive>("drive").stiffness = 100; }),
            "drive \"drive\": its `stiffness` is another.");
  EXPECT_EQ(refusal(everything(),
                    [](Model& m) {
                      m.at<Gear>("gear").ratio = {{1, 2}};
                    }),
            "gear \"gear\": its `ratio` is another.");
  EXPECT_EQ(refusal(pendulum(), [](Model& m) { m.environment.gravity = CentralGravity{}; }),
            "environment: gravity was uniform and is central now.");
  EXPECT_EQ(refusal(pendulum(), [](Model& m) { m.exterior.joints = {"hinge"}; }),
            "exterior: other joints or frames are named.");
}

TEST(Refresh, NamesAJointThatIsNoLongerSparse) {
  EXPECT_EQ(refusal(pendulum(),
                    [](Model& m) {
                      m.at<Joint>("hinge").axis.v = {0, 0.6, 0.8};
                    }),
            "joint \"hinge\": its axis was the coordinate axis z of the body before it, and is (0, 0.6, 0.8) "
            "there now.");
  EXPECT_EQ(refusal(pendulum(), [](Model& m) { m.at<Joint>("hinge").axis = y_axis; }),
            "joint \"hinge\": its axis was the coordinate axis z of the body before it, and is (0, 1, 0) "
            "there now.");
}

TEST(Refresh, LetsTheSameJointsFollowWhereSomeArePrescribed) {
  Model model("shafts");
  for (const std::string name : {"a", "b", "c"}) model.add(name, body()).add("j" + name, Joint{}, "world", name);
  model.add("one", Gear{.ratio = {{2}}}, "ja", "jb").add("two", Gear{.ratio = {{3}}}, "ja", "jc");
  model.at<Joint>("ja").prescribed = true;
  Refresher refresher(model);
  EXPECT_EQ(refresher.built().mechanism.independent.v_names, std::vector<std::string>{"ja"});
  Parameters<double> par = refresher.built().parameters;
  model.at<Gear>("two").ratio = {{-5}};
  model.at<Gear>("one").offset = {0.2};
  refresher.refresh(model, par);
  EXPECT_TRUE(same_bits(par, build_mechanism(model).parameters));
  EXPECT_EQ(refusal(model, [](Model& m) { m.at<Joint>("ja").prescribed = false; }),
            "joint \"ja\": its `prescribed` is another.");
}

/// Three shafts and two gears: which of them follow depends on the ratios.
TEST(Refresh, RefusesRatiosThatMakeOtherShaftsDepend) {
  Model model("shafts");
  for (const std::string name : {"a", "b", "c"}) model.add(name, body()).add("j" + name, Joint{}, "world", name);
  model.add("one", Gear{.ratio = {{2, 1}}});
  model.add("two", Gear{.ratio = {{1, 1}}});
  for (const std::string gear : {"one", "two"}) {
    model.connect({{gear, "in1"}, {"ja", "shaft"}})
        .connect({{gear, "out1"}, {"jb", "shaft"}})
        .connect({{gear, "out2"}, {"jc", "shaft"}});
  }
  EXPECT_EQ(refusal(model,
                    [](Model& m) {
                      m.at<Gear>("two").ratio = {{2, 1}};
                    }),
            "gears: with these ratios, other shafts follow from the rest than before, among them \"jb\".");
}

}  // namespace
}  // namespace articula::test
