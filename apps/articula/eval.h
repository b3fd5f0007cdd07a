#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/error.h>
#include <articula/solve/solver.h>

#include "json_text.h"

namespace articula::program {

/// A state as a file gives it, before anything is known of the mechanism.
struct GivenState {
  int line = 0;
  std::optional<std::vector<double>> q, v, a, tau;
};

/// What a file of states holds.
struct GivenStates {
  std::string file;
  int order_line = 0;
  std::optional<std::vector<std::string>> order;
  std::vector<GivenState> states;
};

/// Reads `{"order": [...], "states": [{"q": [...], ...}, ...]}`. Throws an Error with file, line and place of all that
/// is wrong. The text may be nested as deep as it likes.
GivenStates read_states(const std::string& file, std::string_view text);

/// The joints of `given.order` as exterior ports: each that moves by itself exactly once; floating bases that are not
/// listed come first.
std::vector<std::string> exterior_joints(const Mechanism& mech, const GivenStates& given);

/// Something that can be computed at a state.
class Quantity {
 public:
  virtual ~Quantity() = default;

  /// Checks and takes a state, the given one with number k. Throws an Error, and keeps the old one.
  virtual void update(std::size_t k, const State& state) = 0;
  /// Computes, and writes the result as one JSON value. Throws an Error when there is none at this state.
  virtual void write(JsonText& out) = 0;
  /// What `names` should hold of it, beside those of q and v.
  virtual void write_names(JsonText&) const {}
  /// What there is to say about how it computes.
  virtual const Findings& findings() const = 0;
};

/// The words that make_quantity knows.
std::vector<std::string> quantity_names();

/// Whether a text names a quantity; its frame or ports, if it has any, are looked at later.
bool is_quantity(std::string_view asked);

/// By the text that asks for it: `mass_matrix`, `jacobian:hand.tip:world`. None if it names nothing.
std::unique_ptr<Quantity> make_quantity(std::string_view asked, const Model& model, const Mechanism& mech,
                                        const SolverOptions& options);

/// The same for all given states at once, by a batch: inverse_dynamics, forward_dynamics and mass_matrix. Throws an Error
/// for others, and for models that batches do not compute. `given` outlives it, and its vectors have the right sizes.
std::unique_ptr<Quantity> make_batched_quantity(std::string_view asked, const Model& model, const GivenStates& given,
                                                const SolverOptions& options);

/// The variables that states are made of, in order.
struct VariableNames {
  std::vector<std::string> q, v;
};
VariableNames variable_names(const Model& model, const SolverOptions& options);

}  // namespace articula::program
