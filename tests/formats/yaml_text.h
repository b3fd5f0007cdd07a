// Short ways to write texts in the native form and to see what becomes of them, for its tests.
#pragma once

#include <string>
#include <string_view>

#include <articula/formats/yaml_reader.h>

#include "support/names.h"

namespace articula::test::testing_yaml {

/// A model whose first line of content is line 2 of "arm.yaml".
inline std::string model(std::string_view content) { return "articula: 1\n" + std::string(content) + "\n"; }

inline Model read(std::string_view content, const ReadOptions& options = {}) {
  Findings findings;
  return read_yaml(model(content), "arm.yaml", findings, options);
}

/// The error of a complete text that cannot be read; "no error" otherwise.
inline std::string error_in_text(std::string_view text) {
  Findings findings;
  try {
    read_yaml(text, "arm.yaml", findings);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The error of a model with this content.
inline std::string error_in(std::string_view content) { return error_in_text(model(content)); }

}  // namespace articula::test::testing_yaml
