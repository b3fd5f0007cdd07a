#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/study/study.h>

namespace articula {

/// The study that a text describes (docs/studies.md). `file_name` begins every message, and files are named from its
/// folder. Throws an Error with everything that is wrong with the text; what needs the model is checked later.
ARTICULA_EXPORT Study read_study(std::string_view text, const std::string& file_name, Findings& findings);

/// The study in a file.
ARTICULA_EXPORT Study load_study(const std::filesystem::path& file, Findings& findings);

/// Whether a file is meant to be a study: it says `articula_study`. False if it cannot be read.
ARTICULA_EXPORT bool is_study(const std::filesystem::path& file);

/// The keys of each level, for documentation and tests.
ARTICULA_EXPORT std::vector<std::string> study_keys();
ARTICULA_EXPORT std::vector<std::string> check_keys();

}  // namespace articula
