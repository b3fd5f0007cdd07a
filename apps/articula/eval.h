#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/error.h>
#include <articula/solve/solver.h>

#include "json_text.h"

namespace articula::program {

/// A state as in a file, before it is checked against the mechanism.
struct GivenState {
  int line = 0;
  std::optional<std::vector<double>> q, v, a, tau, motor_position;
  std::vector<std::vector<double>> q_derivatives;  ///< q and its time derivatives, one after another
};

/// The content of a file of states.
struct GivenStates {
  std::string file;
  int order_line = 0;
  std::optional<std::vector<std::string>> order;
  std::vector<GivenState> states;
};

/// Reads `{"order": [...], "states": [{"q": [...], ...}, ...]}`. Throws an Error with file, line and path of all that
/// is wrong. Nesting depth is limited.
GivenStates read_states(const std::string& file, std::string_view text);

/// The joints of `given.order` as exterior ports: each independent joint must occur exactly once; floating bases that are not
/// listed come first.
std::vector<std::string> exterior_joints(const Mechanism& mech, const GivenStates& given);

/// A quantity that can be computed at a state.
class Quantity {
 public:
  virtual ~Quantity() = default;

  /// Checks and sets a state, number k of the given ones. If it throws an Error, the old state is kept.
  virtual void update(std::size_t k, const State& state) = 0;
  /// Computes, and writes the result as one JSON value. Throws an Error if there is no result at this state.
  virtual void write(JsonText& out) = 0;
  /// Writes entries of `names` in addition to those of q and v.
  virtual void write_names(JsonText&) const {}
  /// Findings about how it is computed.
  virtual const Findings& findings() const = 0;
  /// What was beyond the limits of the model, at all states together.
  virtual Findings limits_passed() const { return {}; }
};

/// The names that make_quantity accepts.
std::vector<std::string> quantity_names();

/// Whether a text names a quantity; its frame or ports, if any, are not checked.
bool is_quantity(std::string_view asked);

/// The quantity named by a text: `mass_matrix`, `jacobian:hand.tip:world`. Null if there is none.
std::unique_ptr<Quantity> make_quantity(std::string_view asked, const Model& model, const Mechanism& mech,
                                        const SolverOptions& options);

/// The same for all given states at once, by a batch: inverse_dynamics, forward_dynamics and mass_matrix. Throws an
/// Error for other quantities, and for models that batches do not support. `given` must outlive it, with vectors of
/// correct sizes.
std::unique_ptr<Quantity> make_batched_quantity(std::string_view asked, const Model& model, const GivenStates& given,
                                                const SolverOptions& options);

/// Torques of elastic drives, and how they couple with joints, from q_derivatives of the given states, whose coordinates are
/// `q_names`. `given` must outlive it.
inline constexpr std::array<std::string_view, 2> elastic_quantities{"elastic_inverse_dynamics", "rotor_coupling"};
std::unique_ptr<Quantity> make_elastic_quantity(std::string_view asked, const Model& model, const GivenStates& given,
                                                std::span<const std::string> q_names, const BuildOptions& options);

/// The names of state variables, in order.
struct VariableNames {
  std::vector<std::string> q, v;
};
VariableNames variable_names(const Model& model, const SolverOptions& options);

}  // namespace articula::program
