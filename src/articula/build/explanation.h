#pragma once

#include <map>
#include <string>
#include <vector>

#include <articula/model/model.h>

namespace articula {

/// What a rewrite did, for the user: the rule's name, and what it changed.
struct Explanation {
  std::string rule;
  std::string text;
};

/// A model that says the same physics in another form, why it does, and where ports went.
struct Rewritten {
  Model model;
  std::vector<Explanation> explanations;
  std::map<PortRef, PortRef> moved;  ///< ports that are called otherwise now
};

}  // namespace articula
