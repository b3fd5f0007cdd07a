#include <articula/drives/elastic_chain.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <random>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/mechanism/joint_motion.h>

namespace articula::drives {
namespace {

/// A value is identically zero if it is less than this at all generic states.
constexpr double zero = 1e-11;
constexpr int generic_states = 4;

[[noreturn]] void refuse(std::string_view code, const std::string& message) {
  throw Error(std::string(code), {}, message);
}

/// What passes from rotors to joints: whether S_ij, and what their speeds add, is not identically zero.
class Effects {
 public:
  Effects(const Mechanism& mech, const Parameters<double>& par, const std::vector<ElasticRotor>& rotors)
      : by_acceleration(rotors.size()), by_speed(rotors.size()), mech_(mech) {
    std::mt19937 random(1);
    for (int s = 0; s < generic_states; ++s) {
      move(par, random);
      for (std::size_t j = 0; j < rotors.size(); ++j) see(par, rotors[j], by_acceleration[j], by_speed[j]);
    }
  }

  std::vector<std::vector<int>> by_acceleration, by_speed;  ///< of each rotor, the degrees of freedom that feel it

 private:
  /// A random state, in World's axes. Only directions matter.
  void move(const Parameters<double>& par, std::mt19937& random) {
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<double> q(par.q_start);
    for (double& x : q) x += number(random);
    for (const Body& body : mech_.bodies) {
      if (const int begin = quaternion_in(body.joint); begin >= 0) normalize(&q[at(body.q.first + begin)]);
    }
    R_WB_.assign(mech_.bodies.size(), Rotation<double>::identity());
    w_.assign(mech_.bodies.size(), Vec3<double>::zero());
    h_.assign(at(mech_.nv), Vec3<double>::zero());
    for (std::size_t i = 1; i < mech_.bodies.size(); ++i) {
      const JointMotion<double> joint = joint_motion(mech_, par, static_cast<int>(i), q.data());
      const std::size_t p = at(mech_.bodies[i].parent);
      R_WB_[i] = R_WB_[p] * joint.X_PB.R;
      w_[i] = w_[p];
      for (const int dof : mech_.bodies[i].v) {
        h_[at(dof)] = R_WB_[i] * joint.H_B[at(dof - mech_.bodies[i].v.first)].w;
        w_[i] += h_[at(dof)] * number(random);
      }
    }
  }
  static void normalize(double* quaternion) {
    double square = 0;
    for (int k = 0; k < 4; ++k) square += quaternion[k] * quaternion[k];
    for (int k = 0; k < 4; ++k) quaternion[k] /= std::sqrt(square);
  }

  void see(const Parameters<double>& par, const ElasticRotor& rotor, std::vector<int>& accelerated,
           std::vector<int>& moved) const {
    if (rotor.carrier == 0) return;
    const Vec3<double> a = R_WB_[at(rotor.carrier)] *
                           (par.X_BF[at(mech_.rotors[at(rotor.element)].frame)].R * par.rotors[at(rotor.element)].axis);
    const Vec3<double> turning = cross(w_[at(rotor.carrier)], a);
    const auto note = [](std::vector<int>& dofs, int dof, double value) {
      if (std::abs(value) > zero && std::find(dofs.begin(), dofs.end(), dof) == dofs.end()) dofs.push_back(dof);
    };
    for (int i = rotor.carrier; i > 0; i = mech_.bodies[at(i)].parent) {
      for (const int dof : mech_.bodies[at(i)].v) {
        note(accelerated, dof, dot(h_[at(dof)], a));
        note(moved, dof, dot(h_[at(dof)], turning));
      }
    }
  }

  const Mechanism& mech_;
  std::vector<Rotation<double>> R_WB_;
  std::vector<Vec3<double>> w_, h_;
};

void require_computable(const Mechanism& mech) {
  for (const ForceElement& force : mech.forces) {
    if (force.kind == ForceElement::Kind::shaft) continue;
    const Provenance::Entry& entry = mech.provenance.entities[at(force.entity)];
    refuse("elastic-forces", concat(entry.kind, " ", quoted(entry.name),
                                    " acts on the mechanism. Inverse dynamics of elastic drives computes gravity, "
                                    "elements on shafts and drives only. Remove it, or use InverseDynamics with rigid "
                                    "drives."));
  }
  if (mech.is_coupled()) {
    refuse("elastic-gear",
           concat(quoted(mech.name),
                  " has gears between joints. Inverse dynamics of elastic drives computes gears between "
                  "rotors and joints. Use InverseDynamics with rigid drives."));
  }
}

}  // namespace

ElasticChain::ElasticChain(const Mechanism& mech, const Parameters<double>& par, const Mechanism& full,
                           const Parameters<double>& par_full, bool rigid)
    : groups_after(mech.bodies.size()),
      damping(par.damping),
      friction(par.friction),
      order_u(at(mech.nv)),
      order_V(mech.bodies.size()),
      order_F(mech.bodies.size()) {
  require_computable(mech);
  find_groups(mech, full, par_full);
  for (ElasticGroup& group : groups) {
    for (ElasticGroup::Shaft& shaft : group.shafts) shaft.elastic = shaft.elastic && !rigid;
  }
  take_friction(mech, par, full, par_full);
  order_bodies(mech);
  find_orders(mech, par);
  require_smooth_torques(mech);
}

/// Friction of a drive acts on its rotor, or, without a spring, along its joint.
void ElasticChain::take_friction(const Mechanism& mech, const Parameters<double>&, const Mechanism& full,
                                 const Parameters<double>& par_full) {
  for (ElasticRotor& rotor : rotors) {
    const RotorElement& element = full.rotors[at(rotor.element)];
    const RotorNumbers<double>& numbers = par_full.rotors[at(rotor.element)];
    if (element.resisted < 0) continue;
    if (element.resisted != element.dof) {
      rotor.viscous_friction = numbers.viscous_friction, rotor.friction = numbers.friction;
      continue;
    }
    const std::size_t dof = at(mech.rotors[at(rotor.element)].dof);
    damping[dof] += numbers.viscous_friction, friction[dof] += numbers.friction;
  }
}

/// Kahn's algorithm, the last body first.
void ElasticChain::order_bodies(const Mechanism& mech) {
  const auto body_of = [&](const ElasticGroup::Shaft& shaft) { return mech.body_of_dof[at(shaft.dof)]; };
  std::vector<int> waiting(mech.bodies.size()), open(groups.size());
  std::vector<std::vector<int>> groups_of(mech.bodies.size());
  for (int i = 1; i < mech.size(); ++i) ++waiting[at(mech.bodies[at(i)].parent)];
  for (std::size_t g = 0; g < groups.size(); ++g) {
    open[g] = static_cast<int>(groups[g].shafts.size());
    for (const ElasticGroup::Shaft& shaft : groups[g].shafts)
      groups_of[at(body_of(shaft))].push_back(static_cast<int>(g));
    for (const int r : groups[g].rotors) ++waiting[at(rotors[at(r)].carrier)];
  }
  std::priority_queue<int> ready;
  const auto done = [&](int body) {
    if (--waiting[at(body)] == 0 && body > 0) ready.push(body);
  };
  for (int i = 1; i < mech.size(); ++i) {
    if (waiting[at(i)] == 0) ready.push(i);
  }
  while (!ready.empty()) {
    const int i = ready.top();
    ready.pop();
    bodies.push_back(i);
    for (const int g : groups_of[at(i)]) {
      if (--open[at(g)] > 0) continue;
      groups_after[at(i)].push_back(g);
      for (const int r : groups[at(g)].rotors) done(rotors[at(r)].carrier);
    }
    done(mech.bodies[at(i)].parent);
  }
  for (const ElasticRotor& rotor : rotors) {
    if (open[at(rotor.group)] == 0) continue;
    const std::string& kind = mech.provenance.entities[at(mech.rotors[at(rotor.element)].entity)].kind;
    refuse("elastic-order",
           concat(kind, " ", quoted(rotor.name),
                  " is mounted on a body that its own joint moves, directly or through other drives. Its "
                  "torque then depends on its own acceleration, and is the solution of a differential "
                  "equation. Mount it on the other side of its joint, or take its inertia as part of "
                  "that body."));
  }
}

/// From the joints near World outward; then of bodies.
void ElasticChain::find_orders(const Mechanism& mech, const Parameters<double>& par) {
  const Effects effects(mech, par, rotors);
  std::vector<bool> is_known(groups.size());
  for (auto body = bodies.rbegin(); body != bodies.rend(); ++body) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      ElasticGroup& group = groups[g];
      const bool has_joint = std::any_of(group.shafts.begin(), group.shafts.end(), [&](const ElasticGroup::Shaft& s) {
        return mech.body_of_dof[at(s.dof)] == *body;
      });
      if (!has_joint || is_known[g]) continue;
      is_known[g] = true;
      for (const int r : group.rotors) {
        ElasticRotor& rotor = rotors[at(r)];
        for (const int dof : effects.by_acceleration[at(r)]) rotor.order = std::max(rotor.order, order_u[at(dof)] + 2);
        for (const int dof : effects.by_speed[at(r)]) rotor.order = std::max(rotor.order, order_u[at(dof)] + 1);
      }
      for (std::size_t s = 0; s < group.shafts.size(); ++s) {
        ElasticGroup::Shaft& shaft = group.shafts[s];
        for (std::size_t r = 0; r < group.rotors.size(); ++r) {
          if (group.R[r * group.shafts.size() + s] != 0)
            shaft.order = std::max(shaft.order, rotors[at(group.rotors[r])].order);
        }
        q_order = std::max(q_order, shaft.order);
        if (!shaft.elastic) continue;
        order_u[at(shaft.dof)] = shaft.damping > 0 ? shaft.order - 1 : shaft.order;
        has_damped_springs = has_damped_springs || shaft.damping > 0;
      }
    }
  }
  for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
    order_F[i] = order_F[at(mech.bodies[i].parent)];
    for (const int dof : mech.bodies[i].v) order_F[i] = std::max(order_F[i], order_u[at(dof)]);
    order_V[i] = order_F[i] + 1;
  }
  for (std::size_t i = mech.bodies.size(); i-- > 1;) {
    int& parent = order_V[at(mech.bodies[i].parent)];
    parent = std::max(parent, order_V[i]);
    q_order = std::max(q_order, order_V[i] + 1);
  }
}

void ElasticChain::require_smooth_torques(const Mechanism& mech) const {
  for (std::size_t dof = 0; dof < friction.size(); ++dof) {
    if (friction[dof] == 0 || order_u[dof] == 0) continue;
    refuse("elastic-friction",
           concat("joint ", quoted(mech.layout.v[dof]), " has Coulomb friction ", friction[dof],
                  " behind the spring of its drive. That torque jumps with the direction of motion: it has no time "
                  "derivatives. Set it to 0, or give it to the drive, whose friction acts on its rotor."));
  }
}

}  // namespace articula::drives
