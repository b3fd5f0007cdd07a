#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/study/study.h>

namespace articula::study {

/// Reads a study from a text (docs/studies.md). Messages begin with `file_name`, and paths are relative to its folder.
/// Throws an Error with everything that is wrong with the text; checks that need the model are made later.
ARTICULA_EXPORT Study read_study(std::string_view text, const std::string& file_name, Findings& findings);

/// Reads a study from a file.
ARTICULA_EXPORT Study load_study(const std::filesystem::path& file, Findings& findings);

/// Whether a file is a study: it contains `articula_study`. False if it cannot be read.
ARTICULA_EXPORT bool is_study(const std::filesystem::path& file);

/// The keys of each level, for documentation and tests.
ARTICULA_EXPORT std::vector<std::string> study_keys();
ARTICULA_EXPORT std::vector<std::string> check_keys();

}  // namespace articula::study
