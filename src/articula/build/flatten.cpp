#include <articula/build/flatten.h>

#include <articula/base/text.h>

namespace articula {
namespace {

/// One assembly that waits to be copied, with the path that leads to it. A list instead of recursion.
struct Pending {
  const Assembly* assembly;
  std::string path;
  int depth;
};

constexpr int deepest = 64;

/// World is outside of every part; entities that refer to others by name follow them.
void copy_into(Model& flat, const Pending& pending) {
  for (Entity entity : pending.assembly->entities()) {
    if (entity.name == world_name && std::holds_alternative<ReferenceFrame>(entity.kind)) {
      throw Error("part-mentions-world", entity.where,
                  concat("part ", quoted(pending.path), " has a World of its own. World is outside of every part; "
                         "connect the part from outside."));
    }
    entity.name = pending.path + "/" + entity.name;
    if (auto* force = std::get_if<ExternalForce>(&entity.kind)) {
      if (force->expressed_in != "world" && force->expressed_in != "local") {
        force->expressed_in = pending.path + "/" + force->expressed_in;
      }
    }
    flat.add(std::move(entity));
  }
  for (const Connection& connection : pending.assembly->connections()) {
    std::vector<PortRef> ports = connection.ports;
    for (PortRef& ref : ports) {
      if (ref.entity == world_name) {
        throw Error("part-mentions-world", connection.where,
                    concat("part ", quoted(pending.path), " is connected to World from inside. World is outside of "
                           "every part; connect the part from outside."));
      }
      ref.entity = pending.path + "/" + ref.entity;
    }
    flat.connect(std::move(ports), connection.where);
  }
}

}  // namespace

Rewritten flatten(const Model& model) {
  if (model.parts().empty()) return {model, {}, {}};
  Rewritten result;
  Model& flat = result.model;
  flat.name = model.name;
  flat.environment = model.environment;
  flat.exterior = model.exterior;
  flat.imported = model.imported;
  for (const Entity& entity : model.entities()) {
    if (entity.name == world_name && std::holds_alternative<ReferenceFrame>(entity.kind)) {
      flat.at<ReferenceFrame>(world_name) = std::get<ReferenceFrame>(entity.kind);
    } else {
      flat.add(entity);
    }
  }
  for (const Connection& connection : model.connections()) flat.connect(connection.ports, connection.where);

  std::vector<Pending> pending;
  const auto push_parts = [&](const Assembly& assembly, const std::string& prefix, int depth) {
    for (auto part = assembly.parts().rbegin(); part != assembly.parts().rend(); ++part) {
      pending.push_back({&part->assembly, prefix + part->name, depth});
    }
  };
  push_parts(model, "", 1);
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    if (next.depth > deepest) {
      throw Error("parts-too-deep", {}, concat("part ", quoted(next.path), " is more than ", deepest, " parts deep."));
    }
    copy_into(flat, next);
    result.explanations.push_back(
        {"flatten", concat("part ", quoted(next.path), " dissolved into ", next.assembly->entities().size(), " entities")});
    push_parts(*next.assembly, next.path + "/", next.depth + 1);
  }
  return result;
}

}  // namespace articula
