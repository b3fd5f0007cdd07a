// Short ways to write studies and to see what becomes of them, for tests.
#pragma once

#include <string>
#include <string_view>

#include <articula/study/run.h>
#include <articula/study/study_reader.h>

#include "support/temporary_folder.h"

namespace articula::test::testing_study {

/// A study whose first line of content is line 2 of "arm.study.yaml".
inline std::string study_text(std::string_view content) { return "articula_study: 1\n" + std::string(content) + "\n"; }

inline Study read(std::string_view content) {
  Findings findings;
  return read_study(study_text(content), "arm.study.yaml", findings);
}

/// Why a whole text cannot be read; "no error" if it can.
inline std::string error_in_text(std::string_view text) {
  Findings findings;
  try {
    read_study(text, "arm.study.yaml", findings);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}
inline std::string error_in(std::string_view content) { return error_in_text(study_text(content)); }

/// A pendulum: a point of 2 kg at 0.5 m from a hinge; small swings take 2π·√(0.5/9.81) s.
inline constexpr std::string_view pendulum = R"(articula: 1
name: pendulum
bodies:
  rod: {mass: 2, com: [0, 0, -0.5], frames: {tip: {xyz: [0, 0, -0.5]}}}
joints:
  hinge: {type: revolute, axis: y, from: world, to: rod}
)";

using Folder = test::TemporaryFolder;

/// A folder with the pendulum and a study of it, and a store.
class Bench {
 public:
  explicit Bench(std::string_view content) {
    folder.file("pendulum.yaml", pendulum);
    study_file = folder.file("swing.yaml", study_text("model: pendulum.yaml\n" + std::string(content)));
  }

  Study study() const {
    Findings findings;
    return load_study(study_file, findings);
  }
  RunReport run(const RunOptions& options = {}) {
    Store store(store_file(), Store::Access::write);
    return run_study(study(), store, options);
  }
  /// Why it cannot be run.
  std::string error() {
    try {
      run();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string store_file() const { return folder.path("runs.db"); }

  Folder folder;
  std::string study_file;
};

}  // namespace articula::test::testing_study
