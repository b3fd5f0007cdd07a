#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <articula/model/lock_joints.h>

namespace articula {

/// How files are read. Readers of formats that have no use for an option ignore it.
struct ReadOptions {
  /// How the root of a file that does not speak of World stands in it.
  enum class Base {
    fixed,     ///< welded to World
    floating,  ///< free to move, by a free joint that comes first
  };
  Base base = Base::fixed;

  /// What becomes of a joint that mimics another.
  enum class Mimic {
    coupled,      ///< a gear makes it follow its leader
    independent,  ///< it moves on its own; a note says so
  };
  Mimic mimic = Mimic::coupled;

  /// Joints that become fixed, each at a value.
  std::vector<JointLock> lock;

  /// Rotations this near to exact ones are computed as exact, in place of what the file says; 0: none are.
  std::optional<double> snap;

  /// Warnings about a file become errors: nothing that was not understood or cannot be expressed is let pass.
  bool strict = false;

  /// Folders in which meshes may lie, beside that of the file itself. Absolute paths into them are not warned
  /// of.
  std::vector<std::filesystem::path> mesh_roots;
};

template <>
struct EnumNames<ReadOptions::Base> {
  static constexpr std::array<std::string_view, 2> names{"fixed", "floating"};
};
template <>
struct EnumNames<ReadOptions::Mimic> {
  static constexpr std::array<std::string_view, 2> names{"coupled", "independent"};
};

}  // namespace articula
