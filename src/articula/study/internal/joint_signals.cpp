#include <articula/study/internal/joint_signals.h>

namespace articula {

void add_q_signals(const Variables& variables, std::vector<Signal>& columns) {
  for (const NamedCoordinate& q : variables.q) {
    const bool plain = q.dimension == dimension::none;
    columns.push_back({"q." + q.name, plain ? "1" : unit_text(q.dimension)});
  }
}

void add_v_signals(const Variables& variables, std::vector<Signal>& columns) {
  for (const NamedCoordinate& v : variables.v) columns.push_back({"v." + v.name, unit_text(v.dimension)});
}

void add_a_signals(const Variables& variables, std::vector<Signal>& columns) {
  for (const NamedCoordinate& v : variables.v) columns.push_back({"a." + v.name, rate_unit(v)});
}

void add_tau_signals(const Variables& variables, std::vector<Signal>& columns) {
  for (const NamedCoordinate& v : variables.v) columns.push_back({"tau." + v.name, force_unit(v)});
}

}  // namespace articula
