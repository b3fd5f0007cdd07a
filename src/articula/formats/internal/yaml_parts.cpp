/// Assemblies inside others, inline or included from a file.
#include <articula/formats/internal/yaml_assembly.h>
#include <articula/formats/internal/yaml_version.h>

namespace articula::formats {

void AssemblyReader::read_parts(const Spot& section) {
  if (section.node.is_null()) return;
  if (!section.node.is_mapping()) {
    return section.wrong_type("A mapping from names to parts is needed, e.g. {arm: {include: arm.yaml}}.");
  }
  for (std::size_t k = 0; k < section.node.size(); ++k) {
    const YamlNode name = section.node.key(k);
    Assembly inner;
    const Subject subject{file_, log_, "part", name.text()};
    read_part(Spot(subject, section.node.value(k)), inner);
    try {
      assembly_.add_part(std::string(name.text()), std::move(inner), {file_, name.line()});
    } catch (const Error& error) {
      log_.add(error, {file_, name.line()});
    }
  }
}

void AssemblyReader::read_part(const Spot& part, Assembly& inner) {
  constexpr int deepest = 64;
  if (depth_ >= deepest) {
    part.error("parts-too-deep", concat(" is more than ", deepest, " parts deep. Flatten some of them."));
    return;
  }
  Keys keys(part, "A part is a mapping of sections, or {include: FILE}.");
  if (!keys.ok()) return;
  if (const auto include = keys.find("include")) {
    keys.finish({"include"});
    return read_included(*include, inner);
  }
  AssemblyReader reader(inner, file_, log_, includes_, depth_ + 1);
  for (std::size_t k = 0; k < (part.node.is_mapping() ? part.node.size() : 0); ++k) {
    const Spot section(part, part.node.value(k), part.node.key(k).text());
    if (reader.read_section(section)) keys.find(section.label());
  }
  keys.finish(section_names);
  reader.finish();
}

void AssemblyReader::read_included(const Spot& include, Assembly& inner) {
  const auto file = includes_.enter(include);
  if (!file) return;
  YamlTree tree = parse_versioned(file->text, file->name, log_);
  if (!includes_.may_read(include, *file, tree)) return;
  const Subject subject{file->name, log_};
  const Spot top(subject, tree.root());
  Keys keys(top, top_needed);
  if (!keys.ok()) return;
  AssemblyReader reader(inner, file->name, log_, includes_, depth_ + 1);
  for (std::size_t k = 0; k < top.node.size(); ++k) {
    const Spot section(top, top.node.value(k), top.node.key(k).text());
    const std::string_view key = section.label();
    bool known = true;
    if (key == "world") {
      section.error("part-mentions-world", ": World is outside of every part. Give the part a body to attach it by.");
    } else if (key == "environment" || key == "exterior" || key == "snap") {
      section.warning("part-ignored", " of an included file is not used. It is the including file's to say.");
    } else if (key != "articula" && key != "name" && key != "imported") {
      known = reader.read_section(section);
    }
    if (known) keys.find(key);
  }
  keys.finish(top_names);
  reader.finish();
}

}  // namespace articula::formats
