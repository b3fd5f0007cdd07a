#include <articula/solve/center_of_mass.h>

#include <articula/dynamics/center_of_mass.h>
#include <articula/dynamics/energy.h>
#include <articula/solve/internal/core.h>

namespace articula::solve {

struct CenterOfMass::Work : Scratch {
  explicit Work(const Core& core) : accelerations(core.mech()) {}

  Accelerations<double> accelerations;
  WholeMechanism whole;
};

CenterOfMass::CenterOfMass(const Model& model, const SolverOptions& options)
    : Solver("CenterOfMass", Algorithm::center_of_mass, model, options) {
  resize();
}
CenterOfMass::Work& CenterOfMass::work() const { return static_cast<Work&>(*scratch_); }
void CenterOfMass::resize() { scratch_ = std::make_unique<Work>(*core_); }

const WholeMechanism& CenterOfMass::compute() noexcept {
  Core& c = *core_;
  Work& w = work();
  const Mechanism& mech = c.mech();
  c.move();
  world_poses<double, double>(mech, c.par(), c.dynamics.kin, c.dynamics.acting.poses);
  accelerations<double, double>(mech, c.par(), c.dynamics.kin, c.vdot, w.accelerations);
  WholeMechanism& whole = w.whole;
  whole.mass = total_mass(mech, c.par());
  if (whole.mass > 0) {
    whole.center = center_of_mass(mech, c.par(), c.dynamics.acting.poses);
    whole.velocity = center_of_mass_velocity(mech, c.par(), c.dynamics.acting.poses, c.dynamics.kin);
    whole.acceleration =
        center_of_mass_acceleration(mech, c.par(), c.dynamics.acting.poses, c.dynamics.kin, w.accelerations);
  }
  whole.inertia = total_inertia(mech, c.par(), c.dynamics.acting.poses, whole.center).I;
  const Force<double> moving = momentum(mech, c.par(), c.dynamics.acting.poses, c.dynamics.kin, whole.center);
  whole.linear_momentum = moving.f;
  whole.angular_momentum = moving.n;
  whole.kinetic_energy = kinetic_energy<double, double>(mech, c.par(), c.dynamics.kin, c.v);
  whole.potential_energy = potential_energy(mech, c.par(), c.dynamics.acting.poses);
  c.report.status = Report::Status::done;
  return whole;
}

}  // namespace articula::solve
