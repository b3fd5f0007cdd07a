#include <articula/formats/yaml_reader.h>

#include <articula/formats/internal/as_wanted.h>
#include <articula/formats/internal/load_within.h>
#include <articula/formats/internal/yaml_assembly.h>
#include <articula/formats/internal/yaml_environment.h>
#include <articula/formats/internal/yaml_version.h>

namespace articula::formats {
namespace {

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
  names.insert(names.end(), {"exterior", "imported", "snap"});
  return names;
}

static Model read(std::string_view text, const std::string& file_name, const FileReach* reach, Findings& findings,
                  const ReadOptions& options) {
  YamlLog log(findings, options.strict);
  const YamlTree tree = parse_versioned(text, file_name, log);
  YamlIncludes includes(file_name, reach);
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
    } else if (key == "snap") {
      read_snap(section, model.snap);
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
  return as_wanted(std::move(model), options, findings);
}

Model read_yaml(std::string_view text, const std::string& file_name, Findings& findings, const ReadOptions& options) {
  return read(text, file_name, nullptr, findings, options);
}

Model read_yaml_within(std::string_view text, const std::string& file_name, const FileReach& reach, Findings& findings,
                       const ReadOptions& options) {
  return read(text, file_name, &reach, findings, options);
}

}  // namespace articula::formats
