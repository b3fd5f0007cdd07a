#pragma once

#include <string>

#include "support/temporary_folder.h"

/// What a run of the real program printed and ended with.
struct Outcome {
  int code = -1;
  std::string out, err;
};

/// Runs `articula ARGUMENTS` in the shell, in the source folder, without a terminal; `before` comes before it.
Outcome articula_program(const std::string& arguments, const std::string& before = "");

using articula::test::TemporaryFolder;
