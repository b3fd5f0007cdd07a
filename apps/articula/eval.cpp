#include "eval.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include <articula/base/text.h>
#include <articula/formats/load.h>

#include "command.h"
#include "input.h"

namespace articula::program {
namespace {

struct Options {
  std::string model, states;
  std::vector<std::string> compute;
  ReadOptions read;
  SolverOptions solver;
};

/// `a,b` and `c` are a, b and c. Each name must be known and unique.
std::vector<std::string> quantities_asked(const std::vector<std::string>& lists) {
  const std::vector<std::string> known = quantity_names();
  std::vector<std::string> asked;
  std::unordered_set<std::string> met;
  for (const std::string& list : lists) {
    for (std::size_t first = 0; first <= list.size();) {
      const std::size_t comma = std::min(list.find(',', first), list.size());
      const std::string name = list.substr(first, comma - first);
      first = comma + 1;
      if (!is_quantity(name)) {
        const auto near = closest(name, known);
        throw WrongUsage("--compute", concat(quoted(name), " is nothing that can be computed.",
                                             near ? concat(" Did you mean ", quoted(*near), "?") : "",
                                             " Quantities: ", list_of(known, known.size()), "."));
      }
      if (!met.insert(name).second) {
        throw WrongUsage("--compute", concat(quoted(name), " is asked for twice. Ask for each quantity once."));
      }
      asked.push_back(name);
    }
  }
  return asked;
}

void check_sizes(const GivenStates& given, const VariableNames& names) {
  constexpr std::size_t most_errors = 100, most_names = 100;
  Findings findings;
  const auto add = [&](std::size_t k, std::string_view code, const std::string& message) {
    findings.push_back(
        {Severity::error, std::string(code), {given.file, given.states[k].line}, concat("states[", k, "]", message)});
  };
  for (std::size_t k = 0; k < given.states.size(); ++k) {
    const GivenState& state = given.states[k];
    if (!state.q) {
      add(k, "value-missing",
          concat(" has no q. It needs ", names.q.size(),
                 names.q.size() == 1 ? " number: " : " numbers: ", list_of(names.q, most_names), "."));
    }
    const auto check = [&](std::string_view what, const std::optional<std::vector<double>>& x,
                           std::span<const std::string> of) {
      if (!x || x->size() == of.size()) return;
      add(k, "state-size",
          concat(".", what, " has ", x->size(), x->size() == 1 ? " number" : " numbers", ", but ", of.size(),
                 of.size() == 1 ? " is" : " are", " needed: ", list_of(of, most_names), "."));
    };
    check("q", state.q, names.q), check("v", state.v, names.v), check("a", state.a, names.v),
        check("tau", state.tau, names.v);
    if (findings.size() >= most_errors) {
      add(k, "too-many-errors", concat(": reading stops after ", most_errors, " errors. Mend these first."));
      break;
    }
  }
  throw_if_errors(findings);
}

/// An error of one state, with its index and line.
Error at_state(const GivenStates& given, std::size_t k, const Error& error, const std::string& what,
               const std::string& more) {
  return {error.code(), {given.file, given.states[k].line}, concat("states[", k, "]: ", what, error.message(), more)};
}

State state_of(const GivenState& given) {
  const auto view = [](const std::optional<std::vector<double>>& x) { return x ? VectorView(*x) : VectorView(); };
  return {.q = view(given.q), .v = view(given.v), .vdot = view(given.a), .tau = view(given.tau), .loads = {}};
}

using Quantities = std::vector<std::pair<std::string, std::unique_ptr<Quantity>>>;

/// The findings of all quantities without duplicates.
Findings findings_of(const Quantities& quantities) {
  Findings all;
  std::unordered_set<std::string> met;
  for (const auto& [name, quantity] : quantities) {
    for (const Finding& finding : quantity->findings()) {
      if (met.insert(to_text(finding)).second) all.push_back(finding);
    }
  }
  return all;
}

/// Throws an Error for invalid states before anything is computed or printed.
void check_states(const GivenStates& given, Quantity& any) {
  for (std::size_t k = 0; k < given.states.size(); ++k) {
    try {
      any.update(k, state_of(given.states[k]));
    } catch (const Error& error) {
      throw at_state(given, k, error, "", "");
    }
  }
}

std::string beginning(const VariableNames& names, const Quantities& quantities) {
  JsonText out;
  out.open('{');
  out.key("q");
  out.names(names.q);
  out.key("v");
  out.names(names.v);
  for (const auto& [key, quantity] : quantities) quantity->write_names(out);
  out.close('}');
  return concat("{\"names\": ", out.text(), ",\n \"results\": [");
}

/// Computes state by state. If a quantity has no value at a state, earlier results are kept and the rest is omitted.
void compute(const GivenStates& given, const Quantities& quantities, int& code) {
  JsonText out;
  for (std::size_t k = 0; k < given.states.size(); ++k) {
    const std::string* current = nullptr;
    out.clear();
    try {
      out.open('{');
      for (const auto& [key, quantity] : quantities) {
        current = &key;
        quantity->update(k, state_of(given.states[k]));
        out.key(key);
        quantity->write(out);
      }
      out.close('}');
    } catch (const Error& error) {
      const std::string kept = concat(" Results of the states before it are kept: ", k, ".");
      tell(at_state(given, k, error, concat(*current, ": "), kept).errors());
      code = numerical_failure;
      return;
    }
    put(concat(k == 0 ? "\n  " : ",\n  ", out.text()));
  }
}

void run(const Options& options, int& code) {
  const std::vector<std::string> asked = quantities_asked(options.compute);
  const GivenStates given = read_states(input_name(options.states), read_input(options.states));
  Findings findings;
  const Model model = load(options.model, &findings, options.read);
  SolverOptions how = options.solver;
  how.build.strict = options.read.strict;
  const BuildOptions elastic_build = how.build;
  how.build = with_drives(how.build, how.passive);
  const Built built = build_mechanism(model, how.build);
  findings.insert(findings.end(), built.findings.begin(), built.findings.end());
  tell(findings);

  how.exterior.joints = exterior_joints(built.mechanism, given);
  const VariableNames names = variable_names(model, how);
  check_sizes(given, names);
  Quantities quantities;
  for (const std::string& name : asked) {
    if (std::find(elastic_quantities.begin(), elastic_quantities.end(), name) != elastic_quantities.end()) {
      quantities.emplace_back(name, make_elastic_quantity(name, model, given, names.q, elastic_build));
      continue;
    }
    quantities.emplace_back(name, how.run_as == RunAs::batched ? make_batched_quantity(name, model, given, how)
                                                               : make_quantity(name, model, built.mechanism, how));
  }
  tell(findings_of(quantities));
  check_states(given, *quantities.front().second);

  put(beginning(names, quantities));
  compute(given, quantities, code);
  put(given.states.empty() ? "]}\n" : "\n ]}\n", Then::end);
  for (const auto& [name, quantity] : quantities) tell(quantity->limits_passed());
}

}  // namespace

void add_eval(const Command& app, int& code) {
  auto options = std::make_shared<Options>();
  const Command command =
      app.add("eval", "Compute torques, accelerations, matrices and more at given states; JSON in and out");
  command.text("MODEL", options->model, "The model: native YAML or URDF").required();
  command
      .text("--states", options->states,
            "JSON: {\"order\": [joints], \"states\": [{\"q\", \"v\", \"a\", \"tau\"}]}; - is stdin")
      .required()
      .shown_as("FILE");
  std::string known;
  for (const std::string& name : quantity_names()) known += (known.empty() ? "" : ", ") + name;
  command.texts("--compute", options->compute, "Comma separated: " + known).required().shown_as("LIST");
  add_read_options(command, options->read);
  command.flag(
      "--passive", options->solver.passive,
      "Springs, dampers and friction act too, and drives as the model says; otherwise the bare rigid bodies do");
  add_drives_option(command, options->solver.build);
  command.choice(
      "--representation", options->solver.representation,
      {{"body", Representation::body}, {"inertial", Representation::inertial}, {"absolute", Representation::absolute}},
      "Axes in which the recursions run; results do not depend on it");
  command.choice(
      "--run-as", options->solver.run_as,
      {{"flat", RunAs::flat},
       {"network", RunAs::network},
       {"generated", RunAs::generated},
       {"batched", RunAs::batched}},
      "How it is computed: over flat arrays (default), entity by entity, by code compiled for the model, or all "
      "states at once");
  command.footer(
      "--base and --mimic are about URDF; a native file says itself how its root stands and what follows what.\n"
      "docs/eval.md has the forms of input and output.");
  command.runs([options, &code] { run(*options, code); });
}

}  // namespace articula::program
