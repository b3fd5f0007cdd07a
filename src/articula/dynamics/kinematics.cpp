#include <articula/dynamics/kinematics.h>

namespace articula::dynamics {

Turns::Turns(const Turns&) = default;
Turns::~Turns() = default;

Turns::Turns(const Mechanism& mech) {
  for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
    (mech.bodies[i].axis > AxisForm::turn_z ? others : turning).push_back(i);
  }
  if (turning.empty()) return;
  angle.assign((mech.bodies.size() + 7) / 8 * 8, mech.bodies[turning.front()].q.first);
  for (const std::size_t i : turning) angle[i] = mech.bodies[i].q.first;
}

}  // namespace articula::dynamics
