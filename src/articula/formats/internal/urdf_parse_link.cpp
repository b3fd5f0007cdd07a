#include <articula/formats/internal/urdf_parse.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <articula/base/text.h>
#include <articula/formats/internal/mesh_path.h>

namespace articula::formats {

using Element = UrdfInput::Element;

// Materials -------------------------------------------------------------------------------------------------

static void check_path(UrdfInput& input, const Element& element, const std::string& subject, const std::string& file) {
  if (const std::string why = why_outside(file, input.file(), input.options()); !why.empty()) {
    input.defect("mesh-outside", input.where(element),
                 concat(subject, ": ", tag(element.Name()), ": ", why,
                        ". It will not be opened; use a path inside the model's folder, package://, or "
                        "declare its root."));
  }
}

UrdfMaterials::Material UrdfMaterials::read(UrdfInput& input, const Element& element, const std::string& subject) {
  static const UrdfVocabulary words{.attributes = {"name"}, .once = {"color", "texture"}};
  static const UrdfVocabulary color_words{.attributes = {"rgba"}};
  static const UrdfVocabulary texture_words{.attributes = {"filename"}};
  input.check_words(element, subject, words);
  Material material{.where = input.where(element)};
  if (const Element* color = element.FirstChildElement("color")) {
    input.check_words(*color, subject, color_words);
    std::array<double, 4> rgba{};
    if (input.numbers(*color, "rgba", subject, rgba)) {
      material.color = {rgba[0], rgba[1], rgba[2], rgba[3]};
    } else {
      input.defect("attribute-missing", input.where(*color),
                   concat(subject, ": <color> has no attribute rgba and was ignored. Give e.g. rgba=\"1 0 0 1\"."));
    }
  }
  if (const Element* texture = element.FirstChildElement("texture")) {
    input.check_words(*texture, subject, texture_words);
    const char* file = texture->Attribute("filename");
    if (file != nullptr && *file != '\0') {
      material.texture = file;
      check_path(input, *texture, subject, material.texture);
    } else {
      input.defect("attribute-missing", input.where(*texture),
                   concat(subject, ": <texture> has no filename and was ignored. Name an image, or remove it."));
    }
  }
  return material;
}

void UrdfMaterials::define(UrdfInput& input, const Element& element) {
  const std::string name = input.name(element, "name", "material");
  const std::string subject = concat("material ", quoted(name));
  Material own = read(input, element, subject);
  const auto [place, added] = defined_.try_emplace(name, own);
  const Material& first = place->second;
  if (!added && (first.color != own.color || first.texture != own.texture)) {
    input.defect("material-redefined", own.where,
                 concat(subject, ": it is not the same as at ", to_text(first.where),
                        ". The first counts; rename one of them."));
  }
}

void UrdfMaterials::use(UrdfInput& input, const Element& element, const std::string& subject, std::size_t link,
                        std::size_t shape, Shape& user) {
  const char* name_text = element.Attribute("name");
  const std::string name = name_text == nullptr ? "" : name_text;
  Material own = read(input, element, subject);
  if (!name.empty() && !named_) named_ = own.where;
  if (!own.color && own.texture.empty()) {
    if (!name.empty()) uses_.push_back({link, shape, name, own.where});
    return;
  }
  user.color = own.color;
  user.texture = own.texture;
  if (name.empty()) return;
  const auto [place, added] = defined_.try_emplace(name, std::move(own));
  const Material& first = place->second;
  if (!added && (first.color != user.color || first.texture != user.texture)) {
    input.defect("material-redefined", input.where(element),
                 concat(subject, ": material ", quoted(name), " is not the same as at ", to_text(first.where),
                        ". This shape takes its own; give one of them another name."));
  }
}

void UrdfMaterials::resolve(UrdfInput& input, std::vector<UrdfLink>& links) const {
  std::vector<std::string> names;
  for (const Use& use : uses_) {
    UrdfLink& link = links[use.link];
    const auto found = defined_.find(use.name);
    if (found != defined_.end()) {
      Shape& shape = link.body.shapes[use.shape];
      shape.color = found->second.color;
      shape.texture = found->second.texture;
      continue;
    }
    if (names.empty()) {
      for (const auto& [name, material] : defined_) names.push_back(name);
      std::sort(names.begin(), names.end());
    }
    input.defect("material-undefined", use.where,
                 concat("link ", quoted(link.name), ": material ", quoted(use.name),
                        " is not defined; it has no colour.", input.suggestion(use.name, names)));
  }
  if (named_) {
    input.note("not-expressed", *named_,
               "materials: their colours and textures are kept with the shapes, their names are not.");
  }
}

// Shapes ----------------------------------------------------------------------------------------------------

static std::optional<Geometry> parse_mesh(UrdfInput& input, const Element& element, const std::string& subject) {
  Mesh mesh;
  mesh.scale = input.vector(element, "scale", subject, {1, 1, 1});
  const char* file = element.Attribute("filename");
  if (file == nullptr || *file == '\0') {
    input.defect("attribute-missing", input.where(element),
                 concat(subject, ": <mesh> has no filename; the shape was ignored. Name a mesh, or remove the shape."));
    return std::nullopt;
  }
  mesh.file = file;
  check_path(input, element, subject, mesh.file);
  return mesh;
}

static std::optional<Geometry> parse_solid(UrdfInput& input, const Element& element, const std::string& subject) {
  static const UrdfVocabulary box_words{.attributes = {"size"}}, sphere_words{.attributes = {"radius"}},
      round_words{.attributes = {"radius", "length"}}, mesh_words{.attributes = {"filename", "scale"}};
  const std::string_view kind = element.Name();
  const auto number = [&](const char* attribute) { return input.number(element, attribute, subject); };
  if (kind == "box") {
    input.check_words(element, subject, box_words);
    std::array<double, 3> size{};
    if (!input.numbers(element, "size", subject, size)) input.text(element, "size", subject);
    return Box{{size[0], size[1], size[2]}};
  }
  if (kind == "sphere") {
    input.check_words(element, subject, sphere_words);
    return Sphere{number("radius")};
  }
  if (kind == "mesh") {
    input.check_words(element, subject, mesh_words);
    return parse_mesh(input, element, subject);
  }
  input.check_words(element, subject, round_words);
  if (kind == "capsule") return Capsule{number("radius"), number("length")};
  return Cylinder{number("radius"), number("length")};
}

/// The solid in <geometry>; empty, after a warning, if there is none.
static std::optional<Geometry> parse_geometry(UrdfInput& input, const Element& parent, const std::string& subject) {
  static const std::vector<std::string_view> solids{"box", "sphere", "cylinder", "capsule", "mesh"};
  static const UrdfVocabulary words{.repeated = solids};
  const Element* geometry = parent.FirstChildElement("geometry");
  if (geometry == nullptr) {
    input.defect(
        "element-missing", input.where(parent),
        concat(subject, ": ", tag(parent.Name()), " has no <geometry> and was ignored. Add one, or remove it."));
    return std::nullopt;
  }
  input.check_words(*geometry, subject, words);
  const Element* solid = nullptr;
  for (const Element* child = geometry->FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    if (std::find(solids.begin(), solids.end(), child->Name()) == solids.end()) continue;
    if (solid != nullptr) {
      input.defect("element-duplicate", input.where(*child),
                   concat(subject, ": <geometry> holds ", tag(solid->Name()), " and ", tag(child->Name()),
                          ". Only the first counts; write one <visual> or <collision> for each."));
      break;
    }
    solid = child;
  }
  if (solid == nullptr) {
    input.defect("element-missing", input.where(*geometry),
                 concat(subject, ": <geometry> is empty; the shape was ignored. ",
                        "It needs <box>, <sphere>, <cylinder>, <capsule> or <mesh>."));
    return std::nullopt;
  }
  return parse_solid(input, *solid, subject);
}

/// Empty, after a warning, if it has no geometry.
static std::optional<Shape> parse_shape(UrdfInput& input, const Element& element, const std::string& subject) {
  static const UrdfVocabulary visual_words{
      .attributes = {"name"}, .once = {"origin", "geometry", "material"}, .unexpressed = {"verbose", "cast_shadows"}};
  static const UrdfVocabulary collision_words{.attributes = {"name"},
                                              .once = {"origin", "geometry"},
                                              .unexpressed_attributes = {"group"},
                                              .unexpressed = {"verbose", "material", "contact_coefficients"}};
  const bool visual = std::string_view(element.Name()) == "visual";
  input.check_words(element, subject, visual ? visual_words : collision_words);
  Shape shape;
  if (const char* name = element.Attribute("name")) shape.name = name;
  shape.use = visual ? ShapeUse::visual : ShapeUse::collision;
  shape.X_BS = input.origin(element, subject);
  auto geometry = parse_geometry(input, element, subject);
  if (!geometry) return std::nullopt;
  shape.geometry = std::move(*geometry);
  return shape;
}

// Links -----------------------------------------------------------------------------------------------------

static bool is_finite(const SymMat3<double>& S) { return std::isfinite(S.xx + S.xy + S.xz + S.yy + S.yz + S.zz); }

/// Mass, centre and inertia. The inertia is given in axes that are rotated by `origin`, and converted to axes of the
/// link.
static void parse_inertial(UrdfInput& input, const Element& element, const std::string& subject, RigidBody& body) {
  static const UrdfVocabulary words{.once = {"origin", "mass", "inertia"}};
  static const UrdfVocabulary mass_words{.attributes = {"value"}};
  static const UrdfVocabulary inertia_words{.attributes = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}};
  input.check_words(element, subject, words);
  const Pose<double> X_BC = input.origin(element, subject);
  body.com = X_BC.p;
  if (const Element* mass = input.required(element, "mass", subject)) {
    input.check_words(*mass, subject, mass_words);
    body.mass = input.number(*mass, "value", subject);
  }
  const Element* inertia = input.required(element, "inertia", subject);
  if (inertia == nullptr) return;
  input.check_words(*inertia, subject, inertia_words);
  const auto number = [&](const char* name, std::optional<double> otherwise) {
    return input.number(*inertia, name, subject, otherwise);
  };
  const SymMat3<double> I_C{.xx = number("ixx", {}),
                            .xy = number("ixy", 0),
                            .xz = number("ixz", 0),
                            .yy = number("iyy", {}),
                            .yz = number("iyz", 0),
                            .zz = number("izz", {})};
  body.inertia = X_BC.R == Rotation<double>::identity() ? I_C : X_BC.rotate(I_C);
  if (!is_finite(body.inertia)) {
    input.error("number-invalid", input.where(*inertia),
                concat(subject, ": the inertia is outside the range of numbers when turned into the link's axes."));
  }
}

UrdfLink parse_link(UrdfInput& input, const Element& element, UrdfMaterials& materials, std::size_t number) {
  static const UrdfVocabulary words{
      .attributes = {"name"},
      .once = {"inertial"},
      .repeated = {"visual", "collision"},
      .unexpressed_attributes = {"type"},
      .unexpressed = {"self_collision_checking", "collision_checking", "contact", "sensor", "verbose"}};
  UrdfLink link;
  link.where = input.where(element);
  link.name = input.name(element, "name", "link");
  const std::string subject = concat("link ", quoted(link.name));
  input.check_words(element, subject, words);
  for (const Element* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    const std::string_view name = child->Name();
    if (name == "inertial" && !link.has_inertial) {
      link.has_inertial = true;
      parse_inertial(input, *child, subject, link.body);
    } else if (name == "visual" || name == "collision") {
      auto shape = parse_shape(input, *child, subject);
      if (!shape) continue;
      const Element* material = name == "visual" ? child->FirstChildElement("material") : nullptr;
      if (material != nullptr) materials.use(input, *material, subject, number, link.body.shapes.size(), *shape);
      link.body.shapes.push_back(std::move(*shape));
    }
  }
  return link;
}

}  // namespace articula::formats
