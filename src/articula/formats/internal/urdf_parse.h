#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <articula/formats/internal/urdf_input.h>
#include <articula/formats/internal/urdf_robot.h>

namespace articula {

/// What the text of a URDF file says, with everything reported that it says beyond that.
UrdfRobot parse_urdf(const tinyxml2::XMLElement& root, UrdfInput& input);

// The parts of it, one for each kind of element -------------------------------------------------------------

/// The colours and textures that materials stand for. A material may be defined beside the links or in one of
/// them, before or after it is used; the first definition of a name counts, except in a shape that brings its
/// own.
class UrdfMaterials {
 public:
  using Element = tinyxml2::XMLElement;

  /// A <material> beside the links.
  void define(UrdfInput& input, const Element& element);

  /// A <material> in a shape, which is number `shape` of link number `link`.
  void use(UrdfInput& input, const Element& element, const std::string& subject, std::size_t link, std::size_t shape,
           Shape& user);

  /// Gives the shapes that only named a material what it stands for.
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
  std::optional<Where> named_;  ///< where the first name of a material stands
};

UrdfLink parse_link(UrdfInput& input, const tinyxml2::XMLElement& element, UrdfMaterials& materials,
                    std::size_t number);
UrdfJoint parse_joint(UrdfInput& input, const tinyxml2::XMLElement& element);
UrdfLoop parse_loop(UrdfInput& input, const tinyxml2::XMLElement& element);
UrdfCoupling parse_coupling(UrdfInput& input, const tinyxml2::XMLElement& element);
UrdfTransmission parse_transmission(UrdfInput& input, const tinyxml2::XMLElement& element);

}  // namespace articula
