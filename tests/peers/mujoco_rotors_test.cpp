/// Rotors of drives and of geared wrists against MuJoCo, which has a rigid body with mass and a joint for each: mass matrix and
/// torques, projected by the gear ratios.

#include <gtest/gtest.h>

#ifdef ARTICULA_HAS_MUJOCO

#include <articula/articula.h>

#include "peers/mujoco_peer.h"

namespace articula::test {
namespace {

constexpr double agreement = 1e-9;  ///< normwise, relative
constexpr double rotor_mass = 0.01;

/// A random tree with rotors: as Articula takes it, and as a tree of bodies.
struct RotorTree {
  explicit RotorTree(std::uint32_t seed) : random(seed) {
    links = random_tree(
        seed,
        {.kinds = {JointKind::revolute, JointKind::revolute, JointKind::prismatic}, .most_bodies = 8, .moving = 0});
    with_rotors = links;
    model = to_model(links);
    for (int k = 0; k < static_cast<int>(links.links.size()); ++k) {
      if (floats(k) || !random.chance(0.7)) continue;
      if (k + 1 < static_cast<int>(links.links.size()) && !floats(k + 1) && random.chance(0.25)) {
        add_wrist(k, k + 1);
        ++k;
      } else {
        add_drive(k);
      }
    }
  }

  /// Whether link k floats, so that nothing can drive it.
  bool floats(int k) const { return links.links[static_cast<std::size_t>(k)].joint.kind == JointKind::free; }

  void add_drive(int k) {
    const Link& link = links.links[static_cast<std::size_t>(k)];
    Drive drive{.rotor_inertia = random.number(1e-4, 1e-3), .gear = ratio()};
    const bool on_parent = random.chance(0.6), parallel = link.joint.kind == JointKind::revolute && random.chance(0.5);
    const int carrier = random.chance(0.2) ? some_link() : on_parent ? link.parent : k;
    Vec3<double> axis = random.direction();
    const Isometry3d X_CM = mounting();
    if (parallel && (carrier == link.parent || carrier == k)) {
      const Isometry3d& X_CF = carrier == k ? link.X_BM : link.X_PF;
      const Vector3d a = X_CM.linear().transpose() * X_CF.linear() * dense(link.joint.axis.v).normalized();
      axis = {a.x(), a.y(), a.z()};
      ++parallels;
    }
    drive.rotor_axis = Direction{axis};
    model.add("d" + std::to_string(k), drive, joint_name(k), mount(carrier, X_CM));
    add_rotor(carrier, X_CM, axis, drive.rotor_inertia, {{k, drive.gear}});
  }

  void add_wrist(int first, int second) {
    const double n = ratio();
    const std::array<std::array<double, 2>, 2> R{{{n, 0.3 * n}, {-0.4 * n, 0.9 * n}}};
    const std::string name = "g" + std::to_string(first);
    model.add(name, Gear{.ratio = {{R[0][0], R[0][1]}, {R[1][0], R[1][1]}}});
    for (int r = 0; r < 2; ++r) {
      const std::string rotor = name + (r == 0 ? "a" : "b");
      const Isometry3d X_CM = mounting();
      const Vec3<double> axis = random.direction();
      const int carrier = some_link();
      const double inertia = random.number(1e-4, 1e-3);
      model.add(rotor, Rotor{.inertia = inertia, .axis = {axis}}, mount(carrier, X_CM),
                at(name, r == 0 ? "in1" : "in2"));
      add_rotor(carrier, X_CM, axis, inertia,
                {{first, R[static_cast<std::size_t>(r)][0]}, {second, R[static_cast<std::size_t>(r)][1]}});
    }
    model.connect({{name, "out1"}, {joint_name(first), "shaft"}})
        .connect({{name, "out2"}, {joint_name(second), "shaft"}});
    ++wrists;
  }

  /// A rigid body on a joint, whose mass and inertia its carrier loses.
  void add_rotor(int carrier, const Isometry3d& X_CM, const Vec3<double>& axis, double J,
                 std::vector<std::pair<int, double>> ratios) {
    Link link;
    link.parent = carrier;
    link.joint = Joint{.axis = {axis}};
    link.X_PF = X_CM;
    link.body.mass = rotor_mass;
    SymMat3<double> I = SymMat3<double>::diagonal(0.6 * J, 0.6 * J, 0.6 * J);
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) I(i, j) += 0.4 * J * axis[i] * axis[j];
    }
    link.body.inertia = I;
    if (carrier >= 0) {
      RigidBody& body = with_rotors.links[static_cast<std::size_t>(carrier)].body;
      Inertia<double> rest = *mass_properties(body);
      const Inertia<double> own = pose(X_CM) * *mass_properties(link.body);
      rest.m -= own.m, rest.h = rest.h - own.h, rest.I = rest.I - own.I;
      body.mass = rest.m, body.com = rest.h * (1 / rest.m), body.inertia = inertia_about_center(rest);
    }
    with_rotors.links.push_back(link);
    gears.push_back(std::move(ratios));
  }

  /// Near the frame of the carrier, so that its inertia stays that of a body.
  Isometry3d mounting() {
    Isometry3d X = dense(random.pose(false));
    X.translation() *= 0.1;
    return X;
  }
  double ratio() { return (random.chance(0.5) ? 1 : -1) * random.number(3, 60); }
  int some_link() { return static_cast<int>(random.number(0, 0.99) * static_cast<double>(links.links.size())); }
  static Pose<double> pose(const Isometry3d& X) {
    Pose<double> pose;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) pose.R.m(i, j) = X(i, j);
      pose.p[i] = X(i, 3);
    }
    return pose;
  }
  static Attachment mount(int carrier, const Isometry3d& X) {
    return {carrier < 0 ? std::string(world_name) : body_name(carrier), pose(X)};
  }

  Random random;
  Tree links, with_rotors;
  Model model;
  std::vector<std::vector<std::pair<int, double>>> gears;  ///< of each rotor: links and ratios
  int parallels = 0, wrists = 0;
};

TEST(MujocoRotors, HaveTheSameMassMatrixAndTorques) {
  int rotors = 0, parallels = 0, wrists = 0, floating = 0;
  double worst = 0;
  for (std::uint32_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const RotorTree tree(seed);
    if (tree.gears.empty()) continue;
    rotors += static_cast<int>(tree.gears.size()), parallels += tree.parallels, wrists += tree.wrists;
    floating += tree.links.has(JointKind::free);
    const Ours bare(tree.links), bodied(tree.with_rotors);
    const TreeState state = random_state(tree.links, bare.layout(), seed, false);

    // Rotors follow: v = G·ẏ.
    const Layout &of = bare.layout(), &to = bodied.layout();
    MatrixXd G = MatrixXd::Zero(to.nv, of.nv), Q = MatrixXd::Zero(to.nq, of.nq);
    for (std::size_t k = 0; k < tree.links.links.size(); ++k) {
      G.block(to.v[k].first, of.v[k].first, to.v[k].count, of.v[k].count).setIdentity();
      Q.block(to.q[k].first, of.q[k].first, to.q[k].count, of.q[k].count).setIdentity();
    }
    for (std::size_t r = 0; r < tree.gears.size(); ++r) {
      const std::size_t link = tree.links.links.size() + r;
      for (const auto& [k, n] : tree.gears[r]) {
        const auto joint = static_cast<std::size_t>(k);
        G(to.v[link].first, of.v[joint].first) = n;
        Q(to.q[link].first, of.q[joint].first) = n;
      }
    }
    const TreeState all{Q * state.q, G * state.v, G * state.vdot, VectorXd::Zero(to.nv), {}};
    const auto peer = make_mujoco_peer(tree.with_rotors, to);
    peer->set(all);
    const MatrixXd M = G.transpose() * peer->mass_matrix() * G;
    const VectorXd tau = G.transpose() * peer->inverse_dynamics();

    const SolverOptions rigid{.build = {.drives = Drives::rigid}};
    MassMatrix mass(tree.model, rigid);
    InverseDynamics inverse(tree.model, rigid);
    // The solvers' order is that of their own mechanism, which has rotors in it.
    const auto& names = bare.built().mechanism.layout;
    const auto sorted = [](const VectorXd& x, const std::vector<std::string>& from,
                           std::span<const std::string> wanted) {
      VectorXd y(static_cast<Eigen::Index>(wanted.size()));
      for (std::size_t k = 0; k < wanted.size(); ++k)
        y[static_cast<Eigen::Index>(k)] = x[std::find(from.begin(), from.end(), wanted[k]) - from.begin()];
      return y;
    };
    const VectorXd q = sorted(state.q, names.q, inverse.q_names()), v = sorted(state.v, names.v, inverse.v_names()),
                   vdot = sorted(state.vdot, names.v, inverse.v_names());
    inverse.update({.q = q, .v = v, .vdot = vdot});
    mass.update({.q = q});
    const VectorXd ours = inverse.compute(), expected = sorted(tau, names.v, inverse.v_names());
    const double off_tau = (ours - expected).norm() / expected.norm();
    EXPECT_LE(off_tau, agreement);
    const MatrixXd own_M = mass.compute();
    MatrixXd expected_M(M.rows(), M.cols());
    std::vector<Eigen::Index> place;
    for (const std::string& name : inverse.v_names())
      place.push_back(std::find(names.v.begin(), names.v.end(), name) - names.v.begin());
    for (std::size_t i = 0; i < place.size(); ++i) {
      for (std::size_t j = 0; j < place.size(); ++j)
        expected_M(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = M(place[i], place[j]);
    }
    const double off_M = (own_M - expected_M).norm() / expected_M.norm();
    EXPECT_LE(off_M, agreement);
    worst = std::max({worst, off_tau, off_M});
  }
  std::cout << rotors << " rotors, " << parallels << " parallel to their joints, " << wrists << " wrists, " << floating
            << " floating trees; worst " << worst << "\n";
  EXPECT_GT(parallels, 100);
  EXPECT_GT(wrists, 50);
  EXPECT_GT(floating, 50);
}

}  // namespace
}  // namespace articula::test

#endif
