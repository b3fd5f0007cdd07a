#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <articula/formats/internal/urdf_input.h>
#include <articula/formats/internal/urdf_robot.h>

namespace articula::formats {

/// Parses the text of a URDF file; reports everything that a model cannot contain.
UrdfRobot parse_urdf(const tinyxml2::XMLElement& root, UrdfInput& input);

// Functions for each kind of element ------------------------------------------------------------------------

/// The colours and textures of materials. A material may be defined at the top level or in a link, before or after it
/// is used; the first definition of a name applies, except in a shape with a definition of its own.
class UrdfMaterials {
 public:
  using Element = tinyxml2::XMLElement;

  /// A <material> at the top level.
  void define(UrdfInput& input, const Element& element);

  /// A <material> in a shape, which is number `shape` of link number `link`.
  void use(UrdfInput& input, const Element& element, const std::string& subject, std::size_t link, std::size_t shape,
           Shape& user);

  /// Sets the materials of shapes that only refer to one by name.
  void resolve(UrdfInput& input, std::vector<UrdfLink>& links) const;

 private:
  struct Material {
    std::optional<Color> color;
    std::string texture;
    Where where;
  };
  struct Use {
    std::size_t link, shape;
    std::string name;
    Where where;
  };

  static Material read(UrdfInput& input, const Element& element, const std::string& subject);

  std::unordered_map<std::string, Material> defined_;
  std::vector<Use> uses_;
  std::optional<Where> named_;  ///< the first reference to a material by name
};

UrdfLink parse_link(UrdfInput& input, const tinyxml2::XMLElement& element, UrdfMaterials& materials,
                    std::size_t number);
UrdfJoint parse_joint(UrdfInput& input, const tinyxml2::XMLElement& element);
UrdfLoop parse_loop(UrdfInput& input, const tinyxml2::XMLElement& element);
UrdfCoupling parse_coupling(UrdfInput& input, const tinyxml2::XMLElement& element);
UrdfTransmission parse_transmission(UrdfInput& input, const tinyxml2::XMLElement& element);

}  // namespace articula::formats
