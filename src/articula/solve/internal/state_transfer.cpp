#include <articula/solve/internal/state_transfer.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>

#include <Eigen/Dense>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/singular_joints.h>
#include <articula/closure/coupled_masses.h>
#include <articula/mechanism/joint_motion.h>
#include <articula/spatial/orientation.h>

namespace articula::solve {
namespace {

/// Velocities are equal if they differ by at most this fraction of the largest velocity.
constexpr double same_velocity = 1e-12;

Eigen::Matrix<double, 6, 1> column(const Motion<double>& V) { return {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z}; }

std::string brief(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

/// The small motion from one pose to another, expressed in the first: rotation and translation.
Motion<double> log_of(const Pose<double>& X) { return {quaternion_log(quaternion_of(X.R)), X.p}; }

/// Poses and twists of all bodies, densely.
struct Motions {
  std::vector<JointMotion<double>> joints;
  std::vector<Pose<double>> X_WB;
  std::vector<Motion<double>> V_B;

  explicit Motions(const Mechanism& mech) : joints(mech.bodies.size()), X_WB(joints.size()), V_B(joints.size()) {
    V_B[0] = Motion<double>::zero();
  }
  void place(const StructureSide& side, int i, const std::vector<double>& q) {
    joints[at(i)] = joint_motion<double>(side.mech, side.par, i, q.data());
    X_WB[at(i)] = X_WB[at(side.mech.bodies[at(i)].parent)] * joints[at(i)].X_PB;
  }
  Motion<double> carried(const Mechanism& mech, int i) const {
    return inverted(joints[at(i)].X_PB) * V_B[at(mech.bodies[at(i)].parent)];
  }
  void move(const Mechanism& mech, int i, const std::vector<double>& v) {
    V_B[at(i)] = carried(mech, i);
    const Range dofs = mech.bodies[at(i)].v;
    for (const int k : dofs) V_B[at(i)] += joints[at(i)].H_B[at(k - dofs.first)] * v[at(k)];
  }
};

class Transfer {
 public:
  Transfer(const StructureSide& from, std::span<const double> q, std::span<const double> v, const StructureSide& to,
           const AllowedGap& allowed)
      : from_(from),
        to_(to),
        allowed_(allowed),
        q_old_(q.begin(), q.end()),
        v_old_(v.begin(), v.end()),
        old_(from.mech),
        new_(to.mech),
        known_(to.mech.provenance.constituents.size(), -1),
        origins_(to.mech.bodies.size()),
        members_(to.mech.bodies.size()) {
    state_.q = to.par.q_start;
    state_.v.assign(at(to.mech.nv), 0.0);
    for (int i = 1; i < from.mech.size(); ++i) old_.place(from_, i, q_old_), old_.move(from.mech, i, v_old_);
    match();
  }

  TransferredState run(const ExteriorMap& map, std::span<const DofRole> roles) {
    settle_ground();
    for (int i = 1; i < to_.mech.size(); ++i) settle(i);
    if (state_.caught) catch_bodies(map, roles);
    return std::move(state_);
  }

 private:
  /// The old bodies that form each new body.
  void match() {
    std::unordered_map<std::string, int> by_name;
    const auto& before = from_.mech.provenance.constituents;
    for (std::size_t c = 0; c < before.size(); ++c) by_name.emplace(before[c].name, static_cast<int>(c));
    origins_[0].push_back(0);
    const auto& after = to_.mech.provenance.constituents;
    for (std::size_t c = 0; c < after.size(); ++c) {
      members_[at(after[c].body)].push_back(static_cast<int>(c));
      const auto found = by_name.find(after[c].name);
      if (found == by_name.end()) continue;
      known_[c] = found->second;
      std::vector<int>& origins = origins_[at(after[c].body)];
      const int origin = before[at(found->second)].body;
      if (std::find(origins.begin(), origins.end(), origin) == origins.end()) origins.push_back(origin);
    }
    for (int i = 1; i < from_.mech.size(); ++i) joints_.emplace(joint_name(from_.mech, i), i);
    // A frame with prescribed motion has a name of its own.
    for (int i = 1; i < to_.mech.size(); ++i) {
      if (!members_[at(i)].empty()) continue;
      if (const auto found = joints_.find(joint_name(to_.mech, i)); found != joints_.end())
        origins_[at(i)].push_back(found->second);
    }
  }
  static const std::string& joint_name(const Mechanism& mech, int i) {
    return mechanism::joint_name(mech, mech.bodies[at(i)]);
  }
  bool is_origin(int i, int old) const {
    return std::find(origins_[at(i)].begin(), origins_[at(i)].end(), old) != origins_[at(i)].end();
  }

  Pose<double> old_pose(int c) const {
    const int o = known_[at(c)];
    return old_.X_WB[at(from_.mech.provenance.constituents[at(o)].body)] * from_.par.X_BC[at(o)];
  }
  /// The twist of a constituent in its own frame: its old one, or that of its new body.
  Motion<double> old_twist(int c) const {
    const int o = known_[at(c)];
    if (o < 0) return inverted(to_.par.X_BC[at(c)]) * new_.V_B[at(to_.mech.provenance.constituents[at(c)].body)];
    return inverted(from_.par.X_BC[at(o)]) * old_.V_B[at(from_.mech.provenance.constituents[at(o)].body)];
  }
  int old_body(int c) const { return from_.mech.provenance.constituents[at(known_[at(c)])].body; }

  void settle_ground() {
    check(0, 0, "");
    see_catch(0, 0);
  }

  void settle(int i) {
    const Body& body = to_.mech.bodies[at(i)];
    int reference = -1;
    if (const int o = same_joint(i); o >= 0) {
      const Body& old = from_.mech.bodies[at(o)];
      std::copy_n(q_old_.begin() + old.q.first, body.q.count, state_.q.begin() + body.q.first);
      std::copy_n(v_old_.begin() + old.v.first, body.v.count, state_.v.begin() + body.v.first);
      reference = is_origin(i, o) ? o : old.parent;
      new_.place(to_, i, state_.q);
      new_.move(to_.mech, i, state_.v);
    } else if (const int c = first_known(i); c >= 0) {
      hold(i, inverted(new_.X_WB[at(body.parent)]) * (old_pose(c) * inverted(to_.par.X_BC[at(c)])));
      new_.place(to_, i, state_.q);
      follow(i, to_.par.X_BC[at(c)] * old_twist(c));
    } else {
      new_.place(to_, i, state_.q);
      new_.move(to_.mech, i, state_.v);
      return;
    }
    check(i, reference, joint_name(to_.mech, i));
    see_catch(i, reference);
  }

  /// The old body whose joint is the same: of that name and kind, between the same bodies; −1: none.
  int same_joint(int i) const {
    const auto found = joints_.find(joint_name(to_.mech, i));
    if (found == joints_.end()) return -1;
    const int o = found->second, parent = to_.mech.bodies[at(i)].parent, old_parent = from_.mech.bodies[at(o)].parent;
    if (from_.mech.bodies[at(o)].joint != to_.mech.bodies[at(i)].joint) return -1;
    const bool same = is_origin(i, o) && is_origin(parent, old_parent);
    const bool turned = is_origin(i, old_parent) && is_origin(parent, o);
    return same || turned ? o : -1;
  }
  int first_known(int i) const {
    for (const int c : members_[at(i)]) {
      if (known_[at(c)] >= 0) return c;
    }
    return -1;
  }

  /// The coordinates for which joint i is nearest to X_PB: in closed form for free and spherical joints, else by
  /// Gauss-Newton from the joint's start.
  void hold(int i, const Pose<double>& X_PB) {
    const Body& body = to_.mech.bodies[at(i)];
    double* const q = state_.q.data() + body.q.first;
    if (const int quaternion = quaternion_in(body.joint); quaternion >= 0) {
      Pose<double> X_FM = inverted(to_.par.X_PF[at(i)]) * X_PB;
      if (body.reversed) X_FM = inverted(X_FM);
      for (int k = 0; k < quaternion; ++k) q[k] = X_FM.p[k];
      QuaternionCoordinates::write(quaternion_of(X_FM.R), q + quaternion);
      return;
    }
    if (body.v.count == 0) return;
    start_screw(i, X_PB, q);
    constexpr int most = 50;
    std::array<double, most_joint_dofs> along{};
    std::array<double, most_joint_dofs + 1> moved{};
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < most; ++round) {
      const JointMotion<double> motion = joint_motion<double>(to_.mech, to_.par, i, state_.q.data());
      const Eigen::VectorXd step = nearest(motion, body.v.count, log_of(inverted(motion.X_PB) * X_PB));
      const double size = step.norm();
      if (!(size > 0) || (size < 1e-9 && size >= last)) break;
      last = size;
      for (int a = 0; a < body.v.count; ++a) along[at(a)] = step[a];
      visit_joint(body.joint, [&]<class J>(J) { J::advanced(q, along.data(), moved.data()); });
      std::copy_n(moved.begin(), body.q.count, q);
    }
    keep_in_limits(body, q);
  }
  /// The advance of a screw determines its number of turns.
  void start_screw(int i, const Pose<double>& X_PB, double* q) const {
    const Body& body = to_.mech.bodies[at(i)];
    const JointMotion<double> motion = joint_motion<double>(to_.mech, to_.par, i, state_.q.data());
    const Motion<double>& H = motion.H_B[0];
    if (body.v.count != 1 || norm(H.w) == 0 || dot(H.v, H.w) == 0) return;
    const Vec3<double> shift = (inverted(motion.X_PB) * X_PB).p;
    q[0] += dot(shift, H.v) / dot(H.v, H.v);
  }
  /// An angle that wraps may also be off by a whole turn.
  void keep_in_limits(const Body& body, double* q) const {
    constexpr double turn = 2 * 3.14159265358979323846;
    const std::span<const Coordinate> coordinates = traits(body.joint).q;
    for (int k = 0; k < body.q.count; ++k) {
      if (!coordinates[at(k)].wraps) continue;
      const double lower = to_.par.lower[at(body.v.first + k)], upper = to_.par.upper[at(body.v.first + k)];
      if (q[k] < lower && q[k] + turn <= upper) q[k] += turn;
      if (q[k] > upper && q[k] - turn >= lower) q[k] -= turn;
    }
  }
  static Eigen::VectorXd nearest(const JointMotion<double>& motion, int n, const Motion<double>& V) {
    Eigen::Matrix<double, 6, Eigen::Dynamic> H(6, n);
    for (int a = 0; a < n; ++a) H.col(a) = column(motion.H_B[at(a)]);
    return H.colPivHouseholderQr().solve(column(V));
  }

  /// The velocities for which joint i is nearest to a twist of its body.
  void follow(int i, const Motion<double>& V_B) {
    const Body& body = to_.mech.bodies[at(i)];
    if (body.v.count > 0) {
      const Eigen::VectorXd v = nearest(new_.joints[at(i)], body.v.count, V_B - new_.carried(to_.mech, i));
      for (int a = 0; a < body.v.count; ++a) state_.v[at(body.v.first + a)] = v[a];
    }
    new_.move(to_.mech, i, state_.v);
  }

  /// One constituent from each old body other than `reference`.
  template <class F>
  void each_other(int i, int reference, F&& f) const {
    std::vector<int> seen{reference};
    for (const int c : members_[at(i)]) {
      if (known_[at(c)] < 0 || std::find(seen.begin(), seen.end(), old_body(c)) != seen.end()) continue;
      seen.push_back(old_body(c));
      f(c);
    }
  }

  void check(int i, int reference, const std::string& joint) {
    each_other(i, reference, [&](int c) {
      const Motion<double> gap = log_of(inverted(new_.X_WB[at(i)] * to_.par.X_BC[at(c)]) * old_pose(c));
      const double distance = std::sqrt(dot(gap.v, gap.v)), angle = std::sqrt(dot(gap.w, gap.w));
      state_.gap_distance = std::max(state_.gap_distance, distance);
      state_.gap_angle = std::max(state_.gap_angle, angle);
      if (distance <= allowed_.distance && angle <= allowed_.angle) return;
      const bool rigid = reference >= 0 || to_.mech.bodies[at(i)].v.count == 0;
      throw Error(
          "frames-apart", {},
          concat("body ", quoted(to_.mech.provenance.constituents[at(c)].name), " is ", brief(distance), " m and ",
                 brief(angle), " rad away from where ",
                 rigid ? "it would be held rigidly" : concat("joint ", quoted(joint), " can hold it"), ". Allowed are ",
                 allowed_.distance, " m and ", allowed_.angle, " rad. Move it there first, or allow a larger gap."));
    });
  }

  void see_catch(int i, int reference) {
    each_other(i, reference, [&](int c) {
      const Motion<double> now = inverted(to_.par.X_BC[at(c)]) * new_.V_B[at(i)], before = old_twist(c);
      const double jump = column(now - before).norm(), size = std::max(column(now).norm(), column(before).norm());
      state_.caught |= jump > same_velocity * size;
    });
  }

  /// The momenta of rotors before the catch, J·θ̇·a of their carriers and J·(θ̇ + a·ω) along θ, beside what they have at rest
  /// in their carriers. Returns their energy.
  double add_rotors(std::vector<Force<double>>& h_B, std::vector<double>& p) const {
    const Mechanism& mech = to_.mech;
    double energy = 0;
    for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
      const RotorElement& rotor = mech.rotors[r];
      if (!rotor.is_turning()) continue;
      const bool own = rotor.form == RotorForm::body;
      const std::size_t dof = at(own ? mech.bodies[at(rotor.body)].v.first : rotor.dof);
      const double J = to_.par.rotors[r].inertia, gear = own ? 1 : to_.par.rotors[r].gear;
      const double speed = gear * state_.v[dof];
      double carried = 0;
      const int carrier = rotor.frame < 0 ? 0 : mech.frames[at(rotor.frame)].body;
      if (carrier > 0) {
        const Vec3<double> a = to_.par.X_BF[at(rotor.frame)].R * to_.par.rotors[r].axis;
        const auto& constituents = mech.provenance.constituents;
        const auto on = std::find_if(constituents.begin(), constituents.end(),
                                     [&](const ConstituentPlace& c) { return c.body == carrier; });
        if (on != constituents.end()) {
          const int c = static_cast<int>(on - constituents.begin());
          carried = dot(a, to_.par.X_BC[at(c)].R * old_twist(c).w);
        }
        h_B[at(carrier)].n += a * (J * speed);
      }
      p[dof] += gear * J * (speed + carried);
      energy += J * speed * carried + J * speed * speed / 2;
    }
    return energy;
  }

  void catch_bodies(const ExteriorMap& map, std::span<const DofRole> roles) {
    const Mechanism& mech = to_.mech;
    double energy = 0;
    std::vector<Force<double>> h_B(mech.bodies.size(), Force<double>::zero());
    for (std::size_t c = 0; c < known_.size(); ++c) {
      const Motion<double> V = old_twist(static_cast<int>(c));
      const Force<double> h = to_.par.M_C[c] * V;
      energy += dot(V, h) / 2;
      h_B[at(mech.provenance.constituents[c].body)] += to_.par.X_BC[c] * h;
    }
    std::vector<double> p(at(mech.nv));
    energy += add_rotors(h_B, p);
    for (int i = mech.size() - 1; i > 0; --i) {
      const Body& body = mech.bodies[at(i)];
      for (const int k : body.v) p[at(k)] += dot(new_.joints[at(i)].H_B[at(k - body.v.first)], h_B[at(i)]);
      h_B[at(body.parent)] += new_.joints[at(i)].X_PB * h_B[at(i)];
    }

    // M_y·ẏ = Gᵀ·p; joints that are not exposed are at rest.
    Positions<double> kin(mech);
    CoupledMasses<double> masses(mech);
    positions<double, double>(mech, to_.par, state_.q, kin);
    factor_coupled_masses<double, double>(mech, to_.par, kin, roles, masses);
    if (const auto dof = find_singular(mech, masses)) {
      const std::vector<std::string> singular = find_singular_joints(mech, to_.par, state_.q, roles);
      throw Error("joint-inertia-singular", {},
                  singular_joint_message(singular.empty() ? mech.layout.v[*dof] : singular.front()));
    }
    std::vector<double> right(masses.n_y), ydot(masses.n_y);
    for (std::size_t k = 0; k < ydot.size(); ++k) {
      const auto dof = at(mech.independent.v[k]);
      ydot[k] = map.moves(dof) ? state_.v[dof] : 0;
    }
    reduce_forces(mech, to_.par, mech.independent, p.data(), right.data());
    solve_coupled<double>(mech, roles, masses, right, ydot);
    expand_rates(mech, to_.par, ydot.data(), state_.v.data());

    for (int i = 1; i < mech.size(); ++i) {
      new_.move(mech, i, state_.v);
      energy -= dot(new_.V_B[at(i)], to_.par.M_B[at(i)] * new_.V_B[at(i)]) / 2;
    }
    state_.energy_lost = energy - armature_energy<double, double>(mech, to_.par, state_.v);
  }

  const StructureSide &from_, &to_;
  AllowedGap allowed_;
  std::vector<double> q_old_, v_old_;
  Motions old_, new_;
  std::vector<int> known_;                       ///< the old index of each new constituent; −1: it is new
  std::vector<std::vector<int>> origins_;        ///< the old bodies that each new one is made of
  std::vector<std::vector<int>> members_;        ///< the constituents of each new body
  std::unordered_map<std::string, int> joints_;  ///< the old body that each joint carries
  TransferredState state_;
};

}  // namespace

TransferredState transfer_state(const StructureSide& from, std::span<const double> q, std::span<const double> v,
                                const StructureSide& to, const ExteriorMap& map, std::span<const DofRole> roles,
                                const AllowedGap& allowed) {
  return Transfer(from, q, v, to, allowed).run(map, roles);
}

}  // namespace articula::solve
