/// `articula eval --run-as batched`: the first write of a quantity computes all states at once.

#include <algorithm>
#include <array>
#include <unordered_map>

#include <articula/base/text.h>
#include <articula/batch/batch.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/limit_report.h>

#include "eval.h"

namespace articula::program {
namespace {

SolverOptions plain(SolverOptions options) {
  options.run_as = RunAs::flat;
  return options;
}

/// The model with the exterior joints in the order of the file of states, or without an order, those of the model.
Model exposing(Model model, const SolverOptions& options) {
  if (!options.exterior.joints.empty()) model.exterior.joints = options.exterior.joints;
  return model;
}

/// The indices, in the mechanism's own order, of the numbers of a state in the order of the file.
std::vector<std::size_t> places(std::span<const std::string> given, std::span<const std::string> own) {
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t k = 0; k < own.size(); ++k) place.emplace(own[k], k);
  std::vector<std::size_t> result;
  for (const std::string& name : given) result.push_back(place.at(name));
  return result;
}

/// `B` computes; `rank` is 1 for vectors, and 2 for symmetric matrices of which it gives the upper triangle.
template <class B, int rank>
class Batched final : public Quantity {
 public:
  Batched(const Model& model, const GivenStates& given, const SolverOptions& options)
      : given_(given),
        checker_(model, plain(options)),
        batch_(exposing(model, options), std::max(1, static_cast<int>(given.states.size())), {.build = options.build}),
        limits_(checker_, "state {}", "states") {
    q_ = places(checker_.q_names(), batch_.q_names());
    v_ = places(checker_.v_names(), batch_.v_names());
  }

  /// Checks the state as every solver does. The batch gets all states when the first result is written.
  void update(std::size_t k, const State& state) override {
    checker_.update(state);
    current_ = static_cast<int>(k);
  }

  void write(JsonText& out) override {
    if (results_ == nullptr) compute();
    if (!batch_.report().ok() && batch_.report().state == current_) {
      throw Error("result-not-finite", {}, to_text(batch_.report()));
    }
    const auto row = [&](auto&& place) {
      out.open('[');
      for (std::size_t j = 0; j < v_.size(); ++j) out.number((*results_)(current_, static_cast<int>(place(j))));
      out.close(']');
    };
    if constexpr (rank == 1) {
      row([&](std::size_t j) { return v_[j]; });
      if constexpr (gives_torques) look_at_limits();
    } else {
      out.open('[');
      for (const std::size_t i : v_) {
        row([&](std::size_t j) { return std::min(i, v_[j]) * v_.size() + std::max(i, v_[j]); });
      }
      out.close(']');
    }
  }

  const Findings& findings() const override { return batch_.findings(); }
  Findings limits_passed() const override { return limits_.findings(); }

 private:
  static constexpr bool gives_torques = requires(B& batch) { batch.vdot(); };

  void look_at_limits() {
    const auto& v = given_.states[static_cast<std::size_t>(current_)].v;
    std::vector<double> tau;
    for (const std::size_t place : v_) tau.push_back((*results_)(current_, static_cast<int>(place)));
    limits_.look(current_, v ? *v : std::vector<double>(), tau);
  }
  void compute() {
    const auto take = [&](auto member, const std::vector<std::size_t>& place) {
      std::vector<double> rows(given_.states.size() * place.size());
      for (std::size_t s = 0; s < given_.states.size(); ++s) {
        const auto& x = given_.states[s].*member;
        for (std::size_t k = 0; x && k < place.size(); ++k) rows[s * place.size() + place[k]] = (*x)[k];
      }
      return rows;
    };
    const std::vector<double> q = take(&GivenState::q, q_), v = take(&GivenState::v, v_);
    BatchState<double> state{.q = q, .v = v};
    std::vector<double> u;
    if constexpr (requires { batch_.vdot(); }) {
      u = take(&GivenState::a, v_);
      state.vdot = u;
    } else if constexpr (requires { batch_.tau(); }) {
      u = take(&GivenState::tau, v_);
      state.tau = u;
    }
    batch_.update(state);
    results_ = &batch_.compute();
  }

  const GivenStates& given_;
  ForwardKinematics checker_;
  B batch_;
  std::vector<std::size_t> q_, v_;
  LimitReport limits_;
  const LaneArray<double>* results_ = nullptr;
  int current_ = 0;
};

template <class B, int rank>
std::unique_ptr<Quantity> make(const Model& model, const GivenStates& given, const SolverOptions& options) {
  return std::make_unique<Batched<B, rank>>(model, given, options);
}

struct Entry {
  Algorithm algorithm;
  std::unique_ptr<Quantity> (*make)(const Model&, const GivenStates&, const SolverOptions&);
};
constexpr std::array entries{Entry{Algorithm::inverse_dynamics, make<BatchedInverseDynamics<double>, 1>},
                             Entry{Algorithm::forward_dynamics, make<BatchedForwardDynamics<double>, 1>},
                             Entry{Algorithm::mass_matrix, make<BatchedMassMatrix<double>, 2>}};

}  // namespace

std::unique_ptr<Quantity> make_batched_quantity(std::string_view asked, const Model& model, const GivenStates& given,
                                                const SolverOptions& options) {
  if (options.passive) {
    throw Error(
        "run-as-not-available", {},
        "run as \"batched\", springs, dampers, friction and drives have no part. Leave --passive off, or run as "
        "\"flat\".");
  }
  for (const Entry& entry : entries) {
    if (name_of(entry.algorithm) == asked) return entry.make(model, given, options);
  }
  std::string able;
  for (const Entry& entry : entries) {
    const bool last = &entry == &entries.back();
    able += concat(able.empty() ? "" : last ? " and " : ", ", name_of(entry.algorithm));
  }
  throw Error("run-as-not-available", {},
              concat(quoted(asked), " does not run as \"batched\". ", able,
                     " do. Ask for it in a run of its own, as \"flat\"."));
}

}  // namespace articula::program
