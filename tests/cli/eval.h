#pragma once

#include <string>

#include "cli/program.h"

/// Runs it with the states in a temporary file, whose name is removed from its output.
inline Outcome eval(const std::string& model, const std::string& states, const std::string& rest) {
  const TemporaryFolder folder;
  const std::string file = folder.file("states.json", states);
  Outcome run = articula_program("eval " + model + " --states " + file + " --compute " + rest);
  for (std::size_t at; (at = run.err.find(file)) != std::string::npos;) run.err.replace(at, file.size(), "states.json");
  return run;
}

inline const std::string arm = "models/two_link.yaml";
