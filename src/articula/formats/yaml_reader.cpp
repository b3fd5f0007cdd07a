#include <articula/formats/yaml_reader.h>

#include <articula/formats/internal/yaml_assembly.h>
#include <articula/formats/internal/yaml_version.h>

namespace articula {
namespace {

constexpr std::string_view gravity_needed =
    "Gravity is a list of three numbers, e.g. [0, 0, -9.81], or {central: {center: [0, 0, 0], mu: "
    "3.986e14}}.";

bool read_value(const Spot& spot, Gravity& gravity) {
  if (spot.node.is_sequence()) {
    UniformGravity uniform;
    const bool ok = articula::read_value(spot, uniform.acceleration, dimension::acceleration);
    gravity = uniform;
    return ok;
  }
  Keys keys(spot, gravity_needed);
  if (!keys.ok()) return false;
  const auto central = keys.find("central");
  keys.finish({"central"});
  if (!central) {
    spot.error("value-missing", concat(": central is missing. ", gravity_needed));
    return false;
  }
  Keys inner(*central, "A mapping with center and mu is needed.");
  CentralGravity field;
  read_key(inner, "center", field.center, dimension::length);
  read_key(inner, "mu", field.mu, dimension::gravitational_parameter);
  inner.finish({"center", "mu"});
  gravity = field;
  return inner.ok();
}

void read_environment(const Spot& spot, Environment& environment) {
  Keys keys(spot, "The environment is a mapping, e.g. {gravity: [0, 0, -9.81]}.");
  if (const auto gravity = keys.find("gravity")) read_value(*gravity, environment.gravity);
  if (const auto ground = keys.find("ground")) {
    Keys inner(*ground, "The ground is a mapping, e.g. {normal: z, height: 0, friction: 1}.");
    Ground plane;
    read_key(inner, "normal", plane.normal, dimension::none);
    read_key(inner, "height", plane.height, dimension::length);
    read_key(inner, "friction", plane.friction, dimension::none);
    inner.finish({"normal", "height", "friction"});
    environment.ground = plane;
  }
  keys.finish({"gravity", "ground"});
}

void read_exterior(const Spot& spot, ExteriorPorts& exterior) {
  Keys keys(spot, "A mapping is needed, e.g. {joints: [elbow], frames: [{hand: tool}]}.");
  if (const auto joints = keys.find("joints"); joints && !joints->node.is_null()) {
    if (!joints->node.is_sequence()) {
      joints->wrong_type("A list of names is needed.");
    } else {
      exterior.joints.resize(joints->node.size());
      for (std::size_t k = 0; k < exterior.joints.size(); ++k)
        read_value(Spot(*joints, k), exterior.joints[k], dimension::none);
    }
  }
  if (const auto frames = keys.find("frames"); frames && !frames->node.is_null()) {
    if (!frames->node.is_sequence()) {
      frames->wrong_type("A list of frames is needed, e.g. [{hand: tool}].");
    } else {
      exterior.frames.resize(frames->node.size());
      for (std::size_t k = 0; k < exterior.frames.size(); ++k) read_port(Spot(*frames, k), exterior.frames[k]);
    }
  }
  keys.finish({"joints", "frames"});
}

/// World does not move and is not placed; all else that a reference frame has, it may have.
bool belongs_to_world(std::string_view key) { return key != "motion" && key != "placement"; }

void read_world(const Spot& spot, ReferenceFrame& world) {
  Keys keys(spot, "A mapping is needed, e.g. {frames: {table: {xyz: [0, 0, 0.7]}}}.");
  std::vector<std::string> allowed;
  ReferenceFrame::fields(world, [&](std::string_view key, auto& value, const Dimension& dimension) {
    if (!belongs_to_world(key)) return;
    allowed.emplace_back(key);
    read_key(keys, key, value, dimension);
  });
  keys.finish([&] { return allowed; });
}

}  // namespace

std::vector<std::string> top_names() {
  std::vector<std::string> names{"articula", "name", "environment", "world"};
  for (std::string& section : AssemblyReader::section_names()) names.push_back(std::move(section));
  names.insert(names.end(), {"exterior", "imported"});
  return names;
}

Model read_yaml(std::string_view text, const std::string& file_name, Findings& findings, const ReadOptions& options) {
  YamlLog log(findings, options.strict);
  const YamlTree tree = parse_versioned(text, file_name, log);
  YamlIncludes includes(file_name);
  const Subject subject{file_name, log};
  const Spot top(subject, tree.root());
  Keys keys(top, top_needed);

  Model model;
  AssemblyReader reader(model, file_name, log, includes, 0);
  for (std::size_t k = 0; k < top.node.size(); ++k) {
    const Spot section(top, top.node.value(k), top.node.key(k).text());
    const std::string_view key = section.label();
    bool known = true;
    if (key == "name") {
      read_value(section, model.name, dimension::none);
    } else if (key == "environment") {
      read_environment(section, model.environment);
    } else if (key == "exterior") {
      read_exterior(section, model.exterior);
    } else if (key == "imported") {
      read_value(section, model.imported, dimension::none);
    } else if (key == "world") {
      read_world(section, model.at<ReferenceFrame>(world_name));
    } else if (key != "articula") {
      known = reader.read_section(section);
    }
    if (known) keys.find(key);
  }
  keys.finish(top_names);
  reader.finish();
  log.throw_if_errors();
  return model;
}

}  // namespace articula
