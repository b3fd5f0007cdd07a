#pragma once

#include <map>
#include <string>
#include <vector>

#include <articula/model/model.h>

namespace articula::build {

/// Explanation of a rewrite for the user: the name of the rule, and what it changed.
struct Explanation {
  std::string rule;
  std::string text;
};

/// An equivalent model in another form, with explanations and new names of ports.
struct Rewritten {
  Model model;
  std::vector<Explanation> explanations;
  std::map<PortRef, PortRef> moved;  ///< new names of renamed ports
};

}  // namespace articula::build
