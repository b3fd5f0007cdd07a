#pragma once

#include <memory>
#include <unordered_set>

#include <articula/formats/internal/yaml_include.h>
#include <articula/formats/internal/yaml_placement.h>
#include <articula/formats/internal/yaml_ports.h>

namespace articula::formats {

/// Reads the sections of an assembly: of the whole model, or of a part.
///
/// Entities are read first, in the order of the text; attachments are made when all entities are known.
class AssemblyReader {
 public:
  /// `depth` is the number of parts that contain the assembly; 0 for the model itself.
  AssemblyReader(Assembly& assembly, const std::string& file, YamlLog& log, YamlIncludes& includes, int depth)
      : assembly_(assembly), file_(file), log_(log), includes_(includes), depth_(depth) {}

  /// The names of the sections, in the order in which they are written.
  static std::vector<std::string> section_names();

  /// Reads `section` if it is one of them; returns whether it is.
  bool read_section(const Spot& section);

  /// Makes attachments and connections. Must be called once, after the last section.
  void finish();

 private:
  /// An attachment in the text, to be made when all entities are known.
  struct Written {
    std::uint32_t entity;  ///< its index in the assembly
    PortType type;
    std::string port;
    YamlNode value;
  };
  /// An attachment that follows from a table of link parameters, to be made likewise.
  struct Planned {
    std::uint32_t entity;
    std::string_view port;
    Attachment to;
    Pose<double> beyond;  ///< in the frame of `to`
    YamlNode link;
  };

  template <class K>
  void read_entities(const Spot& section);
  template <class K>
  void read_entity(const YamlNode& name, const YamlNode& value, K kind, std::span<const std::string_view> taken = {});
  void read_any_kinds(const Spot& section);
  void read_loops(const Spot& section);
  void read_connections(const Spot& section);
  /// In yaml_parts.cpp.
  void read_parts(const Spot& section);
  void read_part(const Spot& part, Assembly& inner);
  void read_included(const Spot& include, Assembly& inner);

  /// In yaml_dh.cpp.
  void read_tables(const Spot& section);
  void read_table(const Spot& table);
  bool read_link(const Spot& link, LinkConvention convention, const Attachment& base, Attachment& previous,
                 std::unordered_set<std::string>& links);

  bool add(Entity entity);
  void attach(const Written& written);
  void attach(const Planned& planned);
  void attach(const Spot& spot, std::uint32_t entity, std::string_view port, const Attachment& to);
  const std::vector<Frame>* frames_at(std::string_view path) const;
  void check_frames(const std::string& path, const std::vector<Frame>* frames);
  std::uint32_t last_entity() const { return static_cast<std::uint32_t>(assembly_.entities().size() - 1); }
  const Entity& entity(std::uint32_t place) const { return assembly_.entities()[place]; }

  Assembly& assembly_;
  const std::string& file_;
  YamlLog& log_;
  YamlIncludes& includes_;
  int depth_;
  std::vector<Written> written_;
  std::vector<Planned> planned_;
  std::unordered_set<std::string> placed_in_parts_;  ///< bodies inside parts with placements on them
};

/// Reads the properties of a kind from the keys of a mapping.
struct FieldReader {
  Keys& keys;

  template <class T>
  void operator()(std::string_view name, T& value, const Dimension& dimension) {
    read_key(keys, name, value, dimension);
  }
};

/// The keys of a kind in text: its properties and its ports, for the values in `kind`.
template <class K>
std::vector<std::string> keys_of(const K& kind) {
  std::vector<std::string> names;
  K::fields(kind, [&](std::string_view name, const auto&, const Dimension&) { names.emplace_back(name); });
  if constexpr (!requires { kind.frames; }) {
    kind.ports([&](std::string_view name, PortType) { names.emplace_back(name); });
  }
  return names;
}

}  // namespace articula::formats
