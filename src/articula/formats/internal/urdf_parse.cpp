#include <articula/formats/internal/urdf_parse.h>

#include <articula/base/text.h>

namespace articula::formats {

using Element = UrdfInput::Element;

/// Version 1 of the format, with any minor version.
static void check_version(UrdfInput& input, const Element& root, const std::string& subject) {
  const char* version = root.Attribute("version");
  if (version == nullptr) return;
  const std::string_view text = version;
  if (text == "1" || text.starts_with("1.")) return;
  input.defect("version-unknown", input.where(root),
               concat(subject, ": the version is ", quoted(text), ". Version 1 is known; it was read as such."));
}

UrdfRobot parse_urdf(const Element& root, UrdfInput& input) {
  static const UrdfVocabulary words{.attributes = {"name", "version"},
                                    .repeated = {"link", "joint", "transmission", "material", "loop", "coupling"},
                                    .unexpressed = {"sensor", "ros2_control", "frame", "plugin", "group"}};
  if (std::string_view(root.Name()) != "robot") {
    throw Error("urdf-no-robot", input.where(root),
                concat("the root element is ", tag(root.Name()), ". A URDF file has <robot> at its root."));
  }
  UrdfRobot robot;
  if (const char* name = root.Attribute("name")) {
    robot.name = name;
  } else {
    input.defect("attribute-missing", input.where(root), "robot: <robot> needs an attribute name.");
  }
  const std::string subject = concat("robot ", quoted(robot.name));
  check_version(input, root, subject);
  input.check_words(root, subject, words);

  UrdfMaterials materials;
  for (const Element* element = root.FirstChildElement("material"); element != nullptr;
       element = element->NextSiblingElement("material")) {
    materials.define(input, *element);
  }
  for (const Element* element = root.FirstChildElement(); element != nullptr; element = element->NextSiblingElement()) {
    const std::string_view name = element->Name();
    if (name == "link") {
      robot.links.push_back(parse_link(input, *element, materials, robot.links.size()));
    } else if (name == "joint") {
      robot.joints.push_back(parse_joint(input, *element));
    } else if (name == "transmission") {
      robot.transmissions.push_back(parse_transmission(input, *element));
    } else if (name == "loop") {
      robot.loops.push_back(parse_loop(input, *element));
    } else if (name == "coupling") {
      robot.couplings.push_back(parse_coupling(input, *element));
    }
  }
  materials.resolve(input, robot.links);
  return robot;
}

}  // namespace articula::formats
