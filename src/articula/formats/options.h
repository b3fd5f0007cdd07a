#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <articula/model/lock_joints.h>

namespace articula::formats {

/// Options for reading files. Formats ignore options that do not apply.
struct ReadOptions {
  /// The connection to World of the root of a file that does not mention World.
  enum class Base {
    fixed,     ///< welded to World
    floating,  ///< connected by a free joint, which comes first
  };
  Base base = Base::fixed;

  /// Treatment of a joint that mimics another.
  enum class Mimic {
    coupled,      ///< a gear makes it follow its leader
    independent,  ///< it is independent, with a note
  };
  Mimic mimic = Mimic::coupled;

  /// Joints to lock, each at a value.
  std::vector<JointLock> lock;

  /// Tolerance within which rotations are replaced by exact ones, instead of that of the file; 0: never.
  std::optional<double> snap;

  /// Warnings about a file are errors: everything must be understood and expressible.
  bool strict = false;

  /// Folders that may contain meshes, in addition to that of the file itself. There is no warning about absolute paths
  /// into them.
  std::vector<std::filesystem::path> mesh_roots;
};

constexpr std::array<std::string_view, 2> enum_names(ReadOptions::Base) { return {"fixed", "floating"}; }
constexpr std::array<std::string_view, 2> enum_names(ReadOptions::Mimic) { return {"coupled", "independent"}; }

}  // namespace articula::formats
