/// Articula beside other engines: the same robots, the same states, one table of times.
///
/// Every time is that of one call from coordinates to result, kinematics included; the least of many short trials, in
/// which all engines take turns. Articula is measured on the flat form, one state, one core. The others are Debian's
/// packages as they are. Before anything is timed the results are compared; where they differ there is no table.

#include <chrono>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include <articula/dynamics/forward_dynamics.h>
#include <articula/dynamics/inverse_dynamics.h>
#include <articula/dynamics/mass_matrix.h>
#include <articula/formats/load.h>

#if __has_include(<articula/dynamics/jacobian.h>)
#include <articula/dynamics/jacobian.h>
#define ARTICULA_HAS_JACOBIAN
#endif

#include "../names.h"
#include "peers/dart_peer.h"
#include "peers/kdl_peer.h"
#include "peers/mujoco_peer.h"
#include "peers/simbody_peer.h"

namespace {

using namespace articula::bench;
using namespace articula::test;

/// Normwise, relative, of all results but accelerations; those lose up to the condition of the mass matrix.
constexpr double agreement = 1e-11, agreement_of_accelerations = 1e-8;

// --- robots -------------------------------------------------------------------------------------------------------

/// Adds a limb of slender boxes along −z, one for each axis; one without length is a short hub. Returns its last link.
int add_limb(Tree& tree, int parent, Vector3d at, const std::vector<std::pair<Direction, double>>& joints) {
  for (const auto& [axis, length] : joints) {
    const double m = 0.5 + 8 * length, l = std::max(length, 0.05), w = 0.08;
    Link link{.parent = parent, .joint = {.axis = axis}};
    link.X_PF.translation() = at;
    link.body.mass = m;
    link.body.com = {0, 0, -l / 2};
    link.body.inertia = {m * (l * l + w * w) / 12, 0, 0, m * (l * l + w * w) / 12, 0, m * w * w / 6};
    parent = static_cast<int>(tree.links.size());
    at = {0, 0, -length};
    tree.links.push_back(link);
  }
  return parent;
}

/// A floating pelvis, two legs of six joints, a waist of three, two arms of seven and a neck: 36 degrees of freedom.
Tree humanoid() {
  Tree tree{.name = "humanoid"};
  Link pelvis{.joint = {.kind = JointKind::free}};
  pelvis.body.mass = 10;
  pelvis.body.inertia = {0.08, 0, 0, 0.06, 0, 0.1};
  tree.links.push_back(pelvis);
  for (const double side : {0.1, -0.1}) {
    add_limb(tree, 0, {0, side, -0.05},
             {{z_axis, 0}, {x_axis, 0}, {y_axis, 0.4}, {y_axis, 0.4}, {y_axis, 0}, {x_axis, 0.05}});
  }
  const int chest = add_limb(tree, 0, {0, 0, 0.1}, {{z_axis, 0}, {x_axis, 0}, {y_axis, 0}});
  tree.links.back().body.mass = 15;
  tree.links.back().body.com = {0, 0, 0.2};
  tree.links.back().body.inertia = {0.3, 0, 0, 0.25, 0, 0.15};
  for (const double side : {0.2, -0.2}) {
    add_limb(tree, chest, {0, side, 0.35},
             {{y_axis, 0}, {x_axis, 0}, {z_axis, 0.3}, {y_axis, 0}, {z_axis, 0.25}, {y_axis, 0}, {x_axis, 0.1}});
  }
  add_limb(tree, chest, {0, 0, 0.45}, {{z_axis, 0.2}});
  return tree;
}

// --- contenders ---------------------------------------------------------------------------------------------------

enum class Algorithm { inverse_dynamics, forward_dynamics, mass_matrix, jacobian };
constexpr std::array all_algorithms{
    std::pair{Algorithm::inverse_dynamics, "inverse dynamics"},
    std::pair{Algorithm::forward_dynamics, "forward dynamics"},
    std::pair{Algorithm::mass_matrix, "mass matrix"},
#ifdef ARTICULA_HAS_JACOBIAN
    std::pair{Algorithm::jacobian, "Jacobian of the last body"},
#endif
};

/// Articula's algorithms at one state, with all scratch made beforehand.
class Flat {
 public:
  Flat(const Ours& ours, TreeState state)
      : mech_(ours.built().mechanism),
        par_(ours.built().parameters),
        state_(std::move(state)),
        kin_(mech_),
        newton_euler_(mech_),
        articulated_(mech_),
        composite_(mech_),
#ifdef ARTICULA_HAS_JACOBIAN
        poses_(mech_),
#endif
        x_(static_cast<std::size_t>(mech_.nv)),
        M_(x_.size() * x_.size()),
        J_(6 * x_.size()) {
  }

  void compute(Algorithm algorithm, [[maybe_unused]] int frame) {
    const std::span<const double> q = in(state_.q), v = in(state_.v);
    positions<double, double>(mech_, par_, q, kin_);
    switch (algorithm) {
      case Algorithm::inverse_dynamics:
        inverse_dynamics<double, double>(mech_, par_, kin_, q, v, in(state_.vdot), {}, newton_euler_, x_);
        break;
      case Algorithm::forward_dynamics:
        velocities<double, double>(mech_, par_, q, v, kin_);
        forward_dynamics<double, double>(mech_, par_, kin_, in(state_.tau), {}, articulated_, x_);
        break;
      case Algorithm::mass_matrix: mass_matrix<double, double>(mech_, par_, kin_, composite_, M_); break;
      case Algorithm::jacobian:
#ifdef ARTICULA_HAS_JACOBIAN
        world_poses<double, double>(mech_, par_, kin_, poses_);
        jacobian<double, double>(mech_, par_, kin_, poses_, frame, JacobianFrame::local_world_aligned, J_);
#endif
        break;
    }
  }

  MatrixXd J() const {
    return Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>>(J_.data(), 6, mech_.nv);
  }

 private:
  static std::span<const double> in(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

  const Mechanism& mech_;
  const Parameters<double>& par_;
  TreeState state_;
  Velocities<double> kin_;
  NewtonEuler<double> newton_euler_;
  ArticulatedBody<double> articulated_;
  CompositeBody<double> composite_;
#ifdef ARTICULA_HAS_JACOBIAN
  WorldPoses<double> poses_;
#endif
  std::vector<double> x_, M_, J_;
};

void compute(Peer& peer, Algorithm algorithm, int link) {
  switch (algorithm) {
    case Algorithm::inverse_dynamics: return peer.compute_inverse_dynamics();
    case Algorithm::forward_dynamics: return peer.compute_forward_dynamics();
    case Algorithm::mass_matrix: return peer.compute_mass_matrix();
    case Algorithm::jacobian: return peer.compute_jacobian(link);
  }
}

struct Engine {
  const char* name;
  std::unique_ptr<Peer> (*make)(const Tree&, const Layout&);
  bool floating_bases;
};
constexpr std::array engines{Engine{"MuJoCo", make_mujoco_peer, true}, Engine{"KDL", make_kdl_peer, false},
                             Engine{"DART", make_dart_peer, true}, Engine{"Simbody", make_simbody_peer, true}};

double apart(const MatrixXd& a, const MatrixXd& b) { return (a - b).norm() / b.norm(); }

bool agrees(const Ours& ours, Peer& peer, const TreeState& state, int link) {
  peer.set(state);
  return apart(ours.inverse_dynamics(state), peer.inverse_dynamics()) < agreement &&
         apart(ours.forward_dynamics(state), peer.forward_dynamics()) < agreement_of_accelerations &&
         apart(ours.mass_matrix(state), peer.mass_matrix()) < agreement &&
         apart(ours.jacobian(state, link), peer.jacobian(link)) < agreement;
}

// --- times --------------------------------------------------------------------------------------------------------

/// One contender's calls, as many as take about a fifth of a millisecond, and the least time of one in nanoseconds.
struct Timed {
  std::function<void(int)> repeat;  ///< calls so many times
  int calls = 1;
  double least = std::numeric_limits<double>::infinity();

  double nanoseconds() {
    const auto begin = std::chrono::steady_clock::now();
    repeat(calls);
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
  }
  void calibrate() {
    while (nanoseconds() < 2e5) calls *= 2;
  }
  void trial() { least = std::min(least, nanoseconds() / calls); }
};

void time_in_turns(std::vector<Timed>& contenders) {
  constexpr int rounds = 300;
  for (Timed& contender : contenders) contender.calibrate();
  for (int round = 0; round < rounds; ++round) {
    for (Timed& contender : contenders) contender.trial();
  }
}

bool bench(const Tree& tree) {
  const Ours ours(tree);
  const int nv = ours.layout().nv, last = static_cast<int>(tree.links.size()) - 1;
  const int frame = ours.built().mechanism.frame({body_name(last), ""});
  const TreeState state = random_state(tree, ours.layout(), 1, false);
  std::vector<std::unique_ptr<Peer>> peers;
  for (const Engine& engine : engines) {
    peers.push_back(nullptr);
    if (tree.has(JointKind::free) && !engine.floating_bases) continue;
    peers.back() = engine.make(tree, ours.layout());
    if (agrees(ours, *peers.back(), state, last)) continue;
    fmt::print(stderr, "{}: {} and Articula disagree\n", tree.name, engine.name);
    return false;
  }
  Flat flat(ours, state);
#ifdef ARTICULA_HAS_JACOBIAN
  flat.compute(Algorithm::jacobian, frame);
  if (apart(flat.J(), ours.jacobian(state, last)) > agreement) {
    fmt::print(stderr, "{}: Articula disagrees with itself on Jacobians\n", tree.name);
    return false;
  }
#endif
  for (const auto& [algorithm, name] : all_algorithms) {
    std::vector<Timed> contenders;
    contenders.push_back({[&, algorithm = algorithm](int calls) {
      for (int k = 0; k < calls; ++k) flat.compute(algorithm, frame);
    }});
    for (const auto& peer : peers) {
      if (peer == nullptr) continue;
      contenders.push_back({[&, algorithm = algorithm](int calls) {
        for (int k = 0; k < calls; ++k) compute(*peer, algorithm, last);
      }});
    }
    time_in_turns(contenders);
    std::string row = fmt::format("{:10} {:3} {:26} {:8.0f}", tree.name, nv, name, contenders[0].least);
    std::size_t next = 1;
    for (const auto& peer : peers) {
      if (peer == nullptr) {
        row += fmt::format(" {:>9} {:6}", "-", "");
        continue;
      }
      const double time = contenders[next++].least;
      row += fmt::format(" {:9.0f} {:6}", time, fmt::format("{:.1f}x", time / contenders[0].least));
    }
    fmt::print("{}\n", row);
    std::fflush(stdout);
  }
  return true;
}

}  // namespace

int main() {
  fmt::print("Nanoseconds per call; x: so many times Articula's.\n{:10} {:3} {:26} {:>8}", "model", "nv", "algorithm",
             "Articula");
  for (const Engine& engine : engines) fmt::print(" {:>9} {:6}", engine.name, "");
  fmt::print("\n");
  const Tree arm = to_tree(load(ARTICULA_SOURCE_DIR "/models/kuka_lwr4.yaml"));
  const Tree quadruped = to_tree(load(ARTICULA_SOURCE_DIR "/models/quadruped.yaml"));
  return bench(arm) && bench(quadruped) && bench(humanoid()) ? 0 : 1;
}
