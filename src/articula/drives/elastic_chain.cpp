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

/// What passes from rotors to joints: whether S_ij, and what their speeds add, is not identically zero.
class Effects {
 public:
  Effects(const Mechanism& mech, const Parameters<double>& par, const std::vector<ElasticDrive>& drives)
      : mech_(mech), by_acceleration(drives.size()), by_speed(drives.size()) {
    std::mt19937 random(1);
    for (int s = 0; s < generic_states; ++s) {
      move(par, random);
      for (std::size_t j = 0; j < drives.size(); ++j) see(par, drives[j], by_acceleration[j], by_speed[j]);
    }
  }

 private:
  /// A random state, in World's axes. Only directions matter.
  void move(const Parameters<double>& par, std::mt19937& random) {
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<double> q(par.q_start);
    for (double& x : q) x += number(random);
    R_WB_.assign(mech_.bodies.size(), Rotation<double>::identity());
    w_.assign(mech_.bodies.size(), Vec3<double>::zero());
    h_.assign(mech_.bodies.size(), Vec3<double>::zero());
    for (std::size_t i = 1; i < mech_.bodies.size(); ++i) {
      const JointMotion<double> joint = joint_motion(mech_, par, static_cast<int>(i), q.data());
      const std::size_t p = at(mech_.bodies[i].parent);
      R_WB_[i] = R_WB_[p] * joint.X_PB.R;
      h_[i] = R_WB_[i] * joint.H_B[0].w;
      w_[i] = w_[p] + h_[i] * number(random);
    }
  }
  void see(const Parameters<double>& par, const ElasticDrive& drive, std::vector<int>& accelerated,
           std::vector<int>& moved) const {
    if (drive.carrier == 0) return;
    const Vec3<double> a = R_WB_[at(drive.carrier)] *
                           (par.X_BF[at(mech_.rotors[at(drive.rotor)].frame)].R * par.rotors[at(drive.rotor)].axis);
    const Vec3<double> turning = cross(w_[at(drive.carrier)], a);
    for (int i = drive.carrier; i > 0; i = mech_.bodies[at(i)].parent) {
      const auto note = [&](std::vector<int>& bodies, double value) {
        if (std::abs(value) > zero && std::find(bodies.begin(), bodies.end(), i) == bodies.end()) bodies.push_back(i);
      };
      note(accelerated, dot(h_[at(i)], a));
      note(moved, dot(h_[at(i)], turning));
    }
  }

  const Mechanism& mech_;
  std::vector<Rotation<double>> R_WB_;
  std::vector<Vec3<double>> w_, h_;

 public:
  std::vector<std::vector<int>> by_acceleration, by_speed;  ///< of each drive, the bodies whose joints feel it
};

[[noreturn]] void refuse(std::string_view code, const std::string& message) {
  throw Error(std::string(code), {}, message);
}

}  // namespace

ElasticChain::ElasticChain(const Mechanism& mech, const Parameters<double>& par)
    : drive_of_joint(mech.bodies.size(), -1), on(mech.bodies.size()) {
  const auto entity = [&](int k) -> const Provenance::Entry& { return mech.provenance.entities[at(k)]; };
  if (!mech.forces.empty()) {
    const Provenance::Entry& force = entity(mech.forces.front().entity);
    refuse("elastic-forces",
           concat(force.kind, " ", quoted(force.name),
                  " acts on the mechanism. Inverse dynamics of elastic drives computes gravity, joint "
                  "damping and drives only. Remove it, or use InverseDynamics with rigid drives."));
  }
  for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
    const JointTraits joint = traits(mech.bodies[i].joint);
    if (const int dof = mech.bodies[i].v.first; mech.bodies[i].v.count > 0 && par.friction[at(dof)] != 0) {
      refuse("elastic-friction",
             concat("joint ", quoted(mech.layout.v[at(dof)]), " has Coulomb friction ", par.friction[at(dof)],
                    ", whose torque jumps with the direction of motion: it has no time derivatives. "
                    "Set its friction to 0, and add the friction torque to that of the motor."));
    }
    if (joint.is_turn() || joint.is_slide()) continue;
    refuse("elastic-joint",
           concat("joint ", quoted(joint_name(mech, mech.bodies[i])), " is ", joint.name,
                  ". Inverse dynamics of elastic drives computes revolute and prismatic joints. Lock it, "
                  "or use InverseDynamics with rigid drives."));
  }
  if (mech.is_coupled()) {
    refuse("elastic-gear",
           concat(quoted(mech.name),
                  " has gears between joints. Inverse dynamics of elastic drives computes drives with one "
                  "joint each. Use InverseDynamics with rigid drives."));
  }
  for (std::size_t r = 0; r < mech.rotors.size(); ++r) {
    const RotorElement& rotor = mech.rotors[r];
    const RotorNumbers<double>& numbers = par.rotors[r];
    const std::string name = concat(entity(rotor.entity).kind, " ", quoted(entity(rotor.entity).name));
    if (rotor.dof < 0) {
      refuse("elastic-gear", concat(name,
                                    " is on a shaft without a joint. Inverse dynamics of elastic drives computes "
                                    "drives with one joint each. Use InverseDynamics with rigid drives."));
    }
    ElasticDrive drive{static_cast<int>(r), mech.body_of_dof[at(rotor.dof)],
                       rotor.frame < 0 ? 0 : mech.frames[at(rotor.frame)].body, rotor.elastic};
    const std::string joint = quoted(mech.layout.v[at(rotor.dof)]);
    if (drive_of_joint[at(drive.joint)] >= 0) {
      refuse("elastic-drives", concat(name, " is the second drive on joint ", joint,
                                      ". How two drives share a torque is not determined. Leave one of them out."));
    }
    if (numbers.friction != 0) {
      refuse("elastic-friction",
             concat(name, " has Coulomb friction ", numbers.friction,
                    ", whose torque jumps with the direction of motion: it has no time derivatives. "
                    "Set its friction to 0, and add the friction torque to that of the motor."));
    }
    if (rotor.elastic && numbers.damping != 0) {
      refuse("elastic-damping",
             concat(name, " has a damping of ", numbers.damping,
                    " N*m*s/rad parallel to its spring. The angle of its rotor is then the solution of "
                    "a differential equation, which is not computed. Set its damping to 0."));
    }
    if (rotor.elastic && !(numbers.stiffness > 0)) {
      refuse("elastic-stiffness", concat(name, ": its stiffness is ", numbers.stiffness,
                                         ". An elastic drive needs a positive stiffness; omit it for a rigid drive."));
    }
    drive_of_joint[at(drive.joint)] = static_cast<int>(drives.size());
    on[at(drive.carrier)].push_back(static_cast<int>(drives.size()));
    names.push_back(entity(rotor.entity).name);
    drives.push_back(drive);
  }

  // Kahn's algorithm, the last body first.
  std::vector<int> waiting(mech.bodies.size());
  for (int i = 1; i < mech.size(); ++i) ++waiting[at(mech.bodies[at(i)].parent)];
  for (const ElasticDrive& drive : drives) ++waiting[at(drive.carrier)];
  std::priority_queue<int> ready;
  for (int i = 1; i < mech.size(); ++i) {
    if (waiting[at(i)] == 0) ready.push(i);
  }
  const auto done = [&](int body) {
    if (--waiting[at(body)] == 0 && body > 0) ready.push(body);
  };
  while (!ready.empty()) {
    const int i = ready.top();
    ready.pop();
    bodies.push_back(i);
    done(mech.bodies[at(i)].parent);
    if (const int drive = drive_of_joint[at(i)]; drive >= 0) done(drives[at(drive)].carrier);
  }
  for (const ElasticDrive& drive : drives) {
    if (waiting[at(drive.joint)] == 0) continue;
    refuse("elastic-order",
           concat("drive ", quoted(names[at(drive_of_joint[at(drive.joint)])]),
                  " is mounted on a body that its own joint moves, directly or through other drives. Its "
                  "torque then depends on its own acceleration, and is the solution of a differential "
                  "equation. Mount it on the other side of its joint, or take its inertia as part of "
                  "that body."));
  }

  // Orders, from the joints near World outward.
  const Effects effects(mech, par, drives);
  std::vector<int> order(mech.bodies.size());  // of the torque of each joint
  std::vector<int> outward(bodies.rbegin(), bodies.rend());
  for (const int i : outward) {
    const int d = drive_of_joint[at(i)];
    if (d < 0) continue;
    ElasticDrive& drive = drives[at(d)];
    for (const int joint : effects.by_acceleration[at(d)]) drive.order = std::max(drive.order, order[at(joint)] + 2);
    for (const int joint : effects.by_speed[at(d)]) drive.order = std::max(drive.order, order[at(joint)] + 1);
    order[at(i)] = drive.elastic ? drive.order : 0;
    q_order = std::max(q_order, (drive.elastic ? drive.order : 0) + 2);
    if (!drive.elastic) q_order = std::max(q_order, drive.order);
  }
}

}  // namespace articula::drives
