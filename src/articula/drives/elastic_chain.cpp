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

/// Series are computed to this order of q at most.
constexpr int highest_order = 64;

/// Generic states of the mechanism, in World's axes. Only directions matter.
class GenericStates {
 public:
  GenericStates(const Mechanism& mech, const Parameters<double>& par) : mech_(mech), par_(par) {
    std::mt19937 random(1);
    for (int s = 0; s < generic_states; ++s) states_.push_back(make(random));
  }

  /// Whether the acceleration of a rotor, or its speed, acts along a degree of freedom that carries it: S_ij or the part of
  /// C_rotor,i that θ̇_j causes is not identically zero.
  struct Effect {
    bool by_acceleration = false, by_speed = false;
  };
  Effect effect(const ElasticRotor& rotor, int dof) const {
    Effect effect;
    const Vec3<double> a_C =
        par_.X_BF[at(mech_.rotors[at(rotor.element)].frame)].R * par_.rotors[at(rotor.element)].axis;
    for (const State& state : states_) {
      const Vec3<double> a = state.R_WB[at(rotor.carrier)] * a_C;
      effect.by_acceleration = effect.by_acceleration || std::abs(dot(state.h[at(dof)], a)) > zero;
      effect.by_speed = effect.by_speed || std::abs(dot(state.h[at(dof)], cross(state.w[at(rotor.carrier)], a))) > zero;
    }
    return effect;
  }

 private:
  struct State {
    std::vector<Rotation<double>> R_WB;
    std::vector<Vec3<double>> w, h;  ///< angular velocities, by body; axes, by degree of freedom
  };

  State make(std::mt19937& random) const {
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<double> q(par_.q_start);
    for (double& x : q) x += number(random);
    for (const Body& body : mech_.bodies) {
      if (const int begin = quaternion_in(body.joint); begin >= 0) normalize(&q[at(body.q.first + begin)]);
    }
    const std::size_t n = mech_.bodies.size();
    State state{std::vector(n, Rotation<double>::identity()), std::vector(n, Vec3<double>::zero()),
                std::vector(at(mech_.nv), Vec3<double>::zero())};
    for (std::size_t i = 1; i < n; ++i) {
      const JointMotion<double> joint = joint_motion(mech_, par_, static_cast<int>(i), q.data());
      const std::size_t p = at(mech_.bodies[i].parent);
      state.R_WB[i] = state.R_WB[p] * joint.X_PB.R;
      state.w[i] = state.w[p];
      for (const int dof : mech_.bodies[i].v) {
        state.h[at(dof)] = state.R_WB[i] * joint.H_B[at(dof - mech_.bodies[i].v.first)].w;
        state.w[i] += state.h[at(dof)] * number(random);
      }
    }
    return state;
  }
  static void normalize(double* quaternion) {
    double square = 0;
    for (int k = 0; k < 4; ++k) square += quaternion[k] * quaternion[k];
    for (int k = 0; k < 4; ++k) quaternion[k] /= std::sqrt(square);
  }

  const Mechanism& mech_;
  const Parameters<double>& par_;
  std::vector<State> states_;
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
  take_friction(mech, full, par_full);
  take_limits(full, par_full);
  order_bodies(mech);
  find_orders(mech, par);
  require_smooth_torques(mech);
}

/// Friction of a drive acts on its rotor, or, without a spring, along its joint.
void ElasticChain::take_friction(const Mechanism& mech, const Mechanism& full, const Parameters<double>& par_full) {
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

void ElasticChain::take_limits(const Mechanism& full, const Parameters<double>& par_full) {
  for (ElasticRotor& rotor : rotors) {
    const RotorElement& element = full.rotors[at(rotor.element)];
    if (element.resisted < 0) continue;
    const double gear = element.resisted == element.dof ? std::abs(par_full.rotors[at(rotor.element)].gear) : 1;
    rotor.torque_limit = par_full.torque_limit[at(rotor.element)] / gear;
    rotor.speed_limit = par_full.speed_limit[at(element.resisted)] * gear;
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
  const GenericStates states(mech, par);
  std::vector<int> group_of_dof(at(mech.nv), -1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const ElasticGroup::Shaft& shaft : groups[g].shafts) group_of_dof[at(shaft.dof)] = static_cast<int>(g);
  }
  std::vector<bool> is_known(groups.size());
  std::vector<int> elastic(mech.bodies.size());  // the nearest body inward, or the body itself, with an elastic joint
  for (auto body = bodies.rbegin(); body != bodies.rend(); ++body) {
    const Range dofs = mech.bodies[at(*body)].v;
    for (const int dof : dofs) {
      const int g = group_of_dof[at(dof)];
      if (g < 0 || is_known[at(g)]) continue;
      is_known[at(g)] = true;
      for (const int r : groups[at(g)].rotors) {
        ElasticRotor& rotor = rotors[at(r)];
        for (int i = elastic[at(rotor.carrier)]; i > 0; i = elastic[at(mech.bodies[at(i)].parent)]) {
          for (const int carrying : mech.bodies[at(i)].v) {
            if (order_u[at(carrying)] == 0) continue;
            const auto [by_acceleration, by_speed] = states.effect(rotor, carrying);
            if (by_acceleration || by_speed)
              rotor.order = std::max(rotor.order, order_u[at(carrying)] + (by_acceleration ? 2 : 1));
          }
        }
        require_order(mech, rotor.order);
      }
      find_orders_of_shafts(groups[at(g)]);
    }
    const bool is_elastic = std::any_of(dofs.begin(), dofs.end(), [&](int dof) { return order_u[at(dof)] > 0; });
    elastic[at(*body)] = is_elastic ? *body : elastic[at(mech.bodies[at(*body)].parent)];
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
  require_order(mech, q_order);
}

void ElasticChain::find_orders_of_shafts(ElasticGroup& group) {
  const std::size_t n = group.shafts.size();
  for (std::size_t s = 0; s < n; ++s) {
    ElasticGroup::Shaft& shaft = group.shafts[s];
    for (std::size_t r = 0; r < n; ++r) {
      if (group.R[r * n + s] != 0) shaft.order = std::max(shaft.order, rotors[at(group.rotors[r])].order);
    }
    q_order = std::max(q_order, shaft.order);
    if (!shaft.elastic) continue;
    order_u[at(shaft.dof)] = shaft.damping > 0 ? shaft.order - 1 : shaft.order;
    has_damped_springs = has_damped_springs || shaft.damping > 0;
  }
}

void ElasticChain::require_order(const Mechanism& mech, int order) const {
  if (order <= highest_order) return;
  refuse("elastic-order",
         concat("torques of the drives of ", quoted(mech.name), " depend on time derivatives of q beyond order ",
                highest_order, ", which is the highest that is computed. Make some of the drives rigid."));
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
