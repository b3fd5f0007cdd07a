#include <articula/study/internal/joint_signals.h>

namespace articula::study {

void add_q_signals(const Variables& variables, std::vector<Signal>& columns) {
  for (const NamedCoordinate& q : variables.q) columns.push_back(joint_signal(JointSignal::q, q.name, q.dimension));
}

void add_dof_signals(JointSignal what, const Variables& variables, std::vector<Signal>& columns) {
  for (const NamedCoordinate& v : variables.v) columns.push_back(joint_signal(what, v.name, v.dimension));
}

}  // namespace articula::study
