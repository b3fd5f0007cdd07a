#include <articula/build/flatten.h>

#include <articula/base/text.h>

namespace articula::build {
namespace {

constexpr int deepest = 64;

/// World is outside of every part; entities that refer to others by name follow them.
void copy_into(Model& flat, const Assembly& part, const std::string& path) {
  for (Entity entity : part.entities()) {
    if (entity.name == world_name && std::holds_alternative<ReferenceFrame>(entity.kind)) {
      throw Error("part-mentions-world", entity.where,
                  concat("part ", quoted(path),
                         " has a World of its own. World is outside of every part; "
                         "connect the part from outside."));
    }
    entity.name = path + "/" + entity.name;
    if (auto* force = std::get_if<ExternalForce>(&entity.kind)) {
      if (force->expressed_in != "world" && force->expressed_in != "local") {
        force->expressed_in = path + "/" + force->expressed_in;
      }
    }
    flat.add(std::move(entity));
  }
  for (const Connection& connection : part.connections()) {
    std::vector<PortRef> ports = connection.ports;
    for (PortRef& ref : ports) {
      if (ref.entity == world_name) {
        throw Error("part-mentions-world", connection.where,
                    concat("part ", quoted(path),
                           " is connected to World from inside. World is outside of "
                           "every part; connect the part from outside."));
      }
      ref.entity = path + "/" + ref.entity;
    }
    flat.connect(std::move(ports), connection.where);
  }
}

}  // namespace

std::vector<AssemblyPlace> assemblies_of(const Model& model) {
  struct Pending {
    AssemblyPlace place;
    const Assembly* assembly;
    int depth;
  };
  std::vector<AssemblyPlace> places;
  std::vector<Pending> pending{{{}, &model, 0}};
  while (!pending.empty()) {
    const Pending next = std::move(pending.back());
    pending.pop_back();
    if (next.depth > deepest) {
      throw Error("parts-too-deep", {},
                  concat("part ", quoted(next.place.path), " is more than ", deepest, " parts deep."));
    }
    const int index = static_cast<int>(places.size());
    const std::string prefix = next.place.path.empty() ? "" : next.place.path + "/";
    places.push_back(next.place);
    const std::vector<Part>& parts = next.assembly->parts();
    for (int k = static_cast<int>(parts.size()) - 1; k >= 0; --k) {
      const Part& part = parts[static_cast<std::size_t>(k)];
      pending.push_back({{index, k, prefix + part.name}, &part.assembly, next.depth + 1});
    }
  }
  return places;
}

void locate_assemblies(const Model& model, const std::vector<AssemblyPlace>& places,
                       std::vector<const Assembly*>& assemblies) {
  assemblies.assign(1, &model);
  for (std::size_t k = 1; k < places.size(); ++k) {
    const Assembly& parent = *assemblies[static_cast<std::size_t>(places[k].parent)];
    assemblies.push_back(&parent.parts()[static_cast<std::size_t>(places[k].part)].assembly);
  }
}

Rewritten flatten(const Model& model) {
  if (model.parts().empty()) return {model, {}, {}};
  Rewritten result;
  Model& flat = result.model;
  flat.name = model.name;
  flat.environment = model.environment;
  flat.exterior = model.exterior;
  flat.imported = model.imported;
  flat.snap = model.snap;
  for (const Entity& entity : model.entities()) {
    if (entity.name == world_name && std::holds_alternative<ReferenceFrame>(entity.kind)) {
      flat.at<ReferenceFrame>(world_name) = std::get<ReferenceFrame>(entity.kind);
    } else {
      flat.add(entity);
    }
  }
  for (const Connection& connection : model.connections()) flat.connect(connection.ports, connection.where);

  const std::vector<AssemblyPlace> places = assemblies_of(model);
  std::vector<const Assembly*> assemblies;
  locate_assemblies(model, places, assemblies);
  for (std::size_t k = 1; k < places.size(); ++k) {
    copy_into(flat, *assemblies[k], places[k].path);
    result.explanations.push_back({"flatten", concat("part ", quoted(places[k].path), " dissolved into ",
                                                     assemblies[k]->entities().size(), " entities")});
  }
  return result;
}

}  // namespace articula::build
