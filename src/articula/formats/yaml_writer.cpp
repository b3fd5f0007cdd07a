#include <articula/formats/yaml_writer.h>

#include <algorithm>

#include <articula/base/text.h>
#include <articula/formats/internal/yaml_short_form.h>
#include <articula/formats/internal/yaml_version.h>

namespace articula::formats {
namespace {

constexpr std::size_t widest_name = 24;  ///< to which the values of a section are aligned

/// Properties that are written even where they are as by default, and before the attachments.
bool is_leading(std::string_view field) {
  return field == "type" || field == "form" || field == "axis" || field == "second_axis";
}

template <class T>
bool is_absent(const T& value) {
  if constexpr (requires { value.has_value(); }) {
    return !value.has_value();
  } else {
    return false;
  }
}

/// The text of every property of a kind as it is by default; those that appear only in some variants are not
/// there.
template <class K>
const std::vector<std::pair<std::string, Flow>>& default_flows() {
  static const auto flows = [] {
    std::vector<std::pair<std::string, Flow>> all;
    const K kind{};
    K::fields(kind, [&](std::string_view name, const auto& value, const Dimension& dimension) {
      if (!is_absent(value)) all.emplace_back(name, flow_of(value, dimension));
    });
    return all;
  }();
  return flows;
}

template <class K>
bool is_default(std::string_view name, const Flow& flow) {
  const auto& defaults = default_flows<K>();
  return std::any_of(defaults.begin(), defaults.end(),
                     [&](const auto& each) { return each.first == name && each.second == flow; });
}

/// Writes the sections of an assembly; of the parts in it too.
class AssemblyWriter {
 public:
  AssemblyWriter(const Assembly& assembly, std::size_t indent, std::string& out)
      : assembly_(assembly), short_form_(assembly), indent_(indent), out_(out) {}

  void write_world() {
    const Entity* world = assembly_.find(world_name, Family::body);
    if (world == nullptr) return;
    Flow properties = properties_of(*world, assembly_.entities().size());
    if (properties.is_empty()) return;
    out_ += block_key("world", indent_);
    properties.print(out_, indent_ + 7);
    out_ += '\n';
  }

  void write_sections() {
    write_sections(std::make_index_sequence<std::variant_size_v<Kind>>());
    if (loops_apart()) write_section("loops", [](const Entity& entity) { return closes_loop(entity); });
    write_connections();
    write_parts();
  }

 private:
  template <std::size_t... k>
  void write_sections(std::index_sequence<k...>) {
    (write_kind<std::variant_alternative_t<k, Kind>>(), ...);
  }

  template <class K>
  void write_kind() {
    const bool apart = loops_apart();
    write_section(K::section, [&](const Entity& entity) {
      const bool is_world = entity.name == world_name && std::holds_alternative<ReferenceFrame>(entity.kind);
      return std::holds_alternative<K>(entity.kind) && !is_world && !(apart && closes_loop(entity));
    });
  }

  static bool closes_loop(const Entity& entity) {
    const Joint* joint = std::get_if<Joint>(&entity.kind);
    return joint != nullptr && joint->closes_loop;
  }

  /// Joints that close loops stand in a section of their own if that keeps the order of all joints.
  bool loops_apart() const {
    bool loops = false, apart = true;
    for (const Entity& entity : assembly_.entities()) {
      if (!std::holds_alternative<Joint>(entity.kind)) continue;
      loops |= closes_loop(entity);
      apart &= !loops || closes_loop(entity);
    }
    return loops && apart;
  }

  template <class Filter>
  void write_section(std::string_view section, Filter&& belongs) {
    const auto& entities = assembly_.entities();
    std::vector<std::size_t> places;
    std::size_t width = 0;
    for (std::size_t k = 0; k < entities.size(); ++k) {
      if (!belongs(entities[k])) continue;
      places.push_back(k);
      width = std::max(width, std::min(entities[k].name.size(), widest_name) + 2);
    }
    if (places.empty()) return;
    out_ += block_key(section, indent_);
    out_.back() = '\n';
    for (const std::size_t k : places) {
      const std::string key = block_key(entities[k].name, indent_ + 2, width);
      out_ += key;
      Flow properties =
          section == "loops" ? properties_of(without_mark(entities[k]), k) : properties_of(entities[k], k);
      properties.print(out_, std::max(key.size(), indent_ + 2 + width));
      out_ += '\n';
    }
  }

  /// The section `loops` says it already.
  static Entity without_mark(Entity entity) {
    std::get<Joint>(entity.kind).closes_loop = false;
    return entity;
  }

  Flow properties_of(const Entity& entity, std::size_t place) const {
    return std::visit([&](const auto& kind) { return properties_of(entity, kind, place); }, entity.kind);
  }

  template <class K>
  Flow properties_of(const Entity& entity, const K& kind, std::size_t place) const {
    Flow all = Flow::map();
    std::vector<std::pair<std::string_view, Flow>> later;
    K::fields(kind, [&](std::string_view name, const auto& value, const Dimension& dimension) {
      if (is_absent(value)) return;
      Flow flow = flow_of_field(entity, name, value, dimension);
      if constexpr (requires { kind.frames; }) {
        if (name == "frames") flow = flow_of(short_form_.named_frames(entity));
      }
      if (is_leading(name)) {
        all.add_word(name, std::move(flow));
      } else if (!is_default<K>(name, flow)) {
        later.emplace_back(name, std::move(flow));
      }
    });
    for (const auto& attached : short_form_.attached(place)) {
      // Only the ports of custom entities have names that users choose.
      if constexpr (std::is_same_v<K, Custom>) {
        all.add(attached.port, attached.to);
      } else {
        all.add_word(attached.port, attached.to);
      }
    }
    for (auto& [name, flow] : later) all.add_word(name, std::move(flow));
    return all;
  }

  /// An error says where it is.
  template <class T>
  static Flow flow_of_field(const Entity& entity, std::string_view name, const T& value, const Dimension& dimension) {
    try {
      return flow_of(value, dimension);
    } catch (const Error& error) {
      throw Error(error.code(), entity.where, concat(to_text(entity), ": ", name, ": ", error.message()));
    }
  }

  void write_connections() {
    if (short_form_.others().empty()) return;
    out_ += std::string(indent_, ' ') + "connections:\n";
    for (const Connection* connection : short_form_.others()) {
      Flow ports = Flow::list();
      for (const PortRef& port : connection->ports) ports.add(flow_of(port));
      out_ += std::string(indent_ + 2, ' ') + "- ";
      ports.print(out_, indent_ + 4);
      out_ += '\n';
    }
  }

  void write_parts() {
    if (assembly_.parts().empty()) return;
    out_ += std::string(indent_, ' ') + "parts:\n";
    for (const Part& part : assembly_.parts()) {
      out_ += block_key(part.name, indent_ + 2);
      const bool empty =
          part.assembly.entities().empty() && part.assembly.connections().empty() && part.assembly.parts().empty();
      out_ += empty ? "{}\n" : "\n";
      if (!empty) AssemblyWriter(part.assembly, indent_ + 4, out_).write_sections();
    }
  }

  const Assembly& assembly_;
  ShortForm short_form_;
  std::size_t indent_;
  std::string& out_;
};

}  // namespace

std::string write_yaml(const Model& model) {
  std::string out = concat("articula: ", format_version, "\n");
  const auto line = [&](std::string_view key, const Flow& value) {
    const std::string text = block_key(key, 0);
    out += text;
    value.print(out, text.size());
    out += '\n';
  };
  if (!model.name.empty()) line("name", flow_of(model.name));
  if (model.imported) line("imported", flow_of(true));
  if (model.snap != Model::default_snap) line("snap", flow_of(model.snap));
  const Flow environment = flow_of(model.environment);
  if (!environment.is_empty()) line("environment", environment);

  AssemblyWriter writer(model, 0, out);
  writer.write_world();
  writer.write_sections();

  Flow exterior = Flow::map(), joints = Flow::list(), frames = Flow::list();
  for (const std::string& joint : model.exterior.joints) joints.add(flow_of(joint));
  for (const PortRef& frame : model.exterior.frames) frames.add(flow_of(frame));
  if (!joints.is_empty()) exterior.add("joints", joints);
  if (!frames.is_empty()) exterior.add("frames", frames);
  if (!exterior.is_empty()) line("exterior", exterior);
  return out;
}

}  // namespace articula::formats
