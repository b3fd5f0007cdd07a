#pragma once

#include <string>
#include <vector>

#include <articula/base/error.h>

#include "support/names.h"

namespace articula::test {

/// What an action throws, as users read it: place, message, code; "no error" if it throws none.
template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// `warning: arm.yaml:3: body "a": ...  [code]` for each finding.
inline std::vector<std::string> texts(const Findings& findings) {
  std::vector<std::string> list;
  for (const Finding& finding : findings)
    list.push_back(std::string(to_text(finding.severity)) + ": " + to_text(finding));
  return list;
}

}  // namespace articula::test
