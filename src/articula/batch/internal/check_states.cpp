#include <articula/batch/internal/check_states.h>

#include <cmath>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::batch {
namespace {

/// The numbers of all states, in either order.
template <class S>
struct Numbers {
  std::span<const S> all;
  std::size_t states, width;
  StatesAs as;

  S operator()(std::size_t state, std::size_t k) const {
    return all[as == StatesAs::rows ? state * width + k : k * states + state];
  }
  std::size_t state_of(std::size_t place) const { return as == StatesAs::rows ? place / width : place % states; }
  std::size_t entry_of(std::size_t place) const { return as == StatesAs::rows ? place % width : place / states; }
};

template <class S>
void check_quaternions(std::string_view name, const Mechanism& mech, const Numbers<S>& q) {
  const double allowed = std::is_same_v<S, float> ? 1e-5 : 1e-6;
  for (const Body& body : mech.bodies) {
    const int quaternion = quaternion_in(body.joint);
    if (quaternion < 0) continue;
    const std::size_t first = at(mech.independent.first_q(body) + quaternion);
    for (std::size_t i = 0; i < q.states; ++i) {
      const auto part = [&](std::size_t k) { return static_cast<double>(q(i, first + k)); };
      const double square = part(0) * part(0) + part(1) * part(1) + part(2) * part(2) + part(3) * part(3);
      if (std::abs(square - 1) <= allowed) continue;  // then the length is nearer still
      const double length = std::hypot(std::hypot(part(0), part(1)), std::hypot(part(2), part(3)));
      if (std::abs(length - 1) <= allowed) continue;
      throw Error("batch-quaternion", {},
                  concat(name, ": the quaternion ", quoted(mech.independent.q_names[first]), " to ",
                         quoted(mech.independent.q_names[first + 3]), " of state ", i, " has length ", length,
                         ". It must be 1 within ", allowed, "; divide it by its length."));
    }
  }
}

}  // namespace

template <class S>
void check_states(const BatchInputs& inputs, const Mechanism& mech, int states, const BatchState<S>& state,
                  StatesAs as) {
  const auto one = [&](std::string_view what, std::span<const S> all, std::span<const std::string> names, bool needed) {
    if (all.empty() && !needed) return;
    if (all.size() != at(states) * names.size()) {
      throw Error("batch-size", {},
                  concat(inputs.name, ": ", what, " has ", all.size(), " numbers, but ", states, " states of ",
                         names.size(), " need ", at(states) * names.size(),
                         as == StatesAs::rows ? ", state after state, each in this order: "
                                              : ", number after number, in this order: ",
                         list_of(names), "."));
    }
    if (all_finite(all.data(), all.size())) return;
    const Numbers<S> numbers{all, at(states), names.size(), as};
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (std::isfinite(all[i])) continue;
      const std::size_t entry = numbers.entry_of(i);
      throw Error("batch-not-finite", {},
                  concat(inputs.name, ": ", what, " of state ", numbers.state_of(i), ", entry ", entry, ", ",
                         quoted(names[entry]), ", is ", number_text(static_cast<double>(all[i])),
                         ". Only finite numbers are allowed."));
    }
  };
  one("q", state.q, mech.independent.q_names, true);
  one("v", state.v, mech.independent.v_names, false);
  one("vdot", state.vdot, mech.independent.v_names, false);
  one("tau", state.tau, mech.independent.v_names, false);
  if ((!state.vdot.empty() && !inputs.vdot) || (!state.tau.empty() && !inputs.tau)) {
    throw Error("batch-input", {},
                concat(inputs.name, ": ", inputs.vdot || state.vdot.empty() ? "tau" : "vdot",
                       " has no part in it. It takes q", inputs.v ? ", v" : "", inputs.vdot ? ", vdot" : "",
                       inputs.tau ? ", tau" : "", "; leave the rest empty."));
  }
  check_quaternions(inputs.name, mech, Numbers<S>{state.q, at(states), mech.independent.q.size(), as});
}

void check_rollout(std::string_view batch, const RolloutOptions& rollout) {
  if (!(rollout.step > 0) || !std::isfinite(rollout.step) || rollout.steps < 1) {
    throw Error("rollout-step", {},
                concat(batch, ": a rollout of ", rollout.steps, rollout.steps == 1 ? " step of " : " steps of ",
                       number_text(rollout.step),
                       " s. It needs at least one step, of a finite time longer than zero, such as 0.001 s."));
  }
}

template void check_states(const BatchInputs&, const Mechanism&, int, const BatchState<double>&, StatesAs);
template void check_states(const BatchInputs&, const Mechanism&, int, const BatchState<float>&, StatesAs);

}  // namespace articula::batch
