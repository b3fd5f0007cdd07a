#pragma once

#include <string>

#include "support/temporary_folder.h"

/// The output and exit code of a run of the program.
struct Outcome {
  int code = -1;
  std::string out, err;
};

/// Runs `articula ARGUMENTS` in the shell, in the source folder, without a terminal; `before` is prepended.
Outcome articula_program(const std::string& arguments, const std::string& before = "");

using articula::test::TemporaryFolder;
