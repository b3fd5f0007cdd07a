#pragma once

#include <optional>
#include <string>
#include <variant>

#include <articula/base/export.h>
#include <articula/model/field.h>
#include <articula/spatial/inertia.h>

namespace articula::model {

/// Solids, centred on their own frame; the axis of round ones is z.
struct Box {
  Vec3<double> size{0, 0, 0};
  friend bool operator==(const Box&, const Box&) = default;
};
struct Sphere {
  double radius = 0;
  friend bool operator==(const Sphere&, const Sphere&) = default;
};
struct Cylinder {
  double radius = 0, length = 0;
  friend bool operator==(const Cylinder&, const Cylinder&) = default;
};
/// A cylinder of the given length between two half-spheres.
struct Capsule {
  double radius = 0, length = 0;
  friend bool operator==(const Capsule&, const Capsule&) = default;
};
/// A surface in a file, as named in the model; the file is not opened.
struct Mesh {
  std::string file;
  Vec3<double> scale{1, 1, 1};
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

using Geometry = std::variant<Box, Sphere, Cylinder, Capsule, Mesh>;

struct Color {
  double r = 0.5, g = 0.5, b = 0.5, a = 1;
  friend bool operator==(const Color&, const Color&) = default;
};

/// The use of a shape.
enum class ShapeUse {
  both,       ///< for viewing, contact and, if the body has a density, inertia
  visual,     ///< for viewing only
  collision,  ///< for contact only
};
constexpr std::array<std::string_view, 3> enum_names(ShapeUse) { return {"both", "visual", "collision"}; }

/// A solid or surface fixed in a body B, for viewing, contact and, with a density, inertia.
struct Shape {
  std::string name;
  Geometry geometry;
  Pose<double> X_BS;
  ShapeUse use = ShapeUse::both;
  std::optional<Color> color;
  std::string texture;  ///< an image file named by the model

  friend bool operator==(const Shape&, const Shape&) = default;
};

/// The volume of a solid; none for a mesh.
ARTICULA_EXPORT std::optional<double> volume(const Geometry& geometry);

/// The inertia of a solid of unit density about its own frame; none for a mesh.
ARTICULA_EXPORT std::optional<Inertia<double>> unit_density_inertia(const Geometry& geometry);

}  // namespace articula::model
