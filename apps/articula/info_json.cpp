#include "info.h"
#include "json_document.h"

namespace articula::program {

static Json bodies_json(const Built& built) {
  const Mechanism& mech = built.mechanism;
  std::vector<Json> names(mech.bodies.size(), Json::array());
  for (const ConstituentPlace& c : mech.provenance.constituents)
    names[static_cast<std::size_t>(c.body)].push_back(c.name);
  Json list = Json::array();
  for (std::size_t i = 0; i < mech.bodies.size(); ++i) {
    const Body& body = mech.bodies[i];
    Json entry{{"index", i}, {"bodies", names[i]}, {"mass", built.parameters.M_B[i].m}};
    if (i > 0) {
      entry["parent"] = body.parent;
      entry["joint"] =
          body.entity < 0 ? Json() : Json(mech.provenance.entities[static_cast<std::size_t>(body.entity)].name);
      entry["type"] = traits(body.joint).name;
      entry["q"] = {body.q.first, body.q.count};
      entry["v"] = {body.v.first, body.v.count};
    }
    list.push_back(std::move(entry));
  }
  return list;
}

static Json built_json(const Built& built) {
  const Mechanism& mech = built.mechanism;
  double total = 0, moving = 0;
  for (const Inertia<double>& M : built.parameters.M_C) total += M.m;
  for (std::size_t i = 1; i < mech.bodies.size(); ++i) moving += built.parameters.M_B[i].m;
  Json limits = Json::array();
  for (std::size_t k = 0; k < mech.layout.v.size(); ++k) {
    limits.push_back({{"v", mech.layout.v[k]},
                      {"lower", json_number(built.parameters.lower[k])},
                      {"upper", json_number(built.parameters.upper[k])},
                      {"speed", json_number(built.parameters.speed_limit[k])},
                      {"force", json_number(built.parameters.force_limit[k])}});
  }
  Json loops = Json::array();
  const std::vector<std::size_t> lengths = loop_lengths(built);
  for (std::size_t k = 0; k < built.loops.size(); ++k) {
    const LoopInfo& loop = built.loops[k];
    Json entry{{"cut", loop.cut}, {"joints", loop.joints}};
    if (lengths[k] > loop.joints.size()) entry["more_joints"] = lengths[k] - loop.joints.size();
    loops.push_back(std::move(entry));
  }
  Json rewrites = Json::array();
  for (const Explanation& e : built.explanations) rewrites.push_back({{"rule", e.rule}, {"text", e.text}});
  return {{"total_mass", total},
          {"moving_mass", moving},
          {"nq", mech.nq},
          {"nv", mech.nv},
          {"names", {{"q", mech.layout.q}, {"v", mech.layout.v}}},
          {"q_start", built.parameters.q_start},
          {"limits", limits},
          {"bodies", bodies_json(built)},
          {"loops", loops},
          {"rewritten", rewrites}};
}

static Json value_json(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
static Json value_json(double x) { return x; }

/// In SI units: `[0, 0, -9.81]`, or `{"central": {"center": [0, 0, 0], "mu": 3.986e14}}`.
static Json gravity_json(const Gravity& gravity) {
  return std::visit(
      []<class Kind>(const Kind& kind) -> Json {
        if constexpr (std::is_same_v<Kind, UniformGravity>) {
          return value_json(kind.acceleration);
        } else {
          Json properties;
          Kind::fields(kind, [&](std::string_view name, const auto& value, const Dimension&) {
            properties[std::string(name)] = value_json(value);
          });
          return Json{{std::string(Kind::name), properties}};
        }
      },
      gravity);
}

std::string json_text(const Described& described) {
  const Model& model = described.model;
  Json entities = Json::array();
  for (const Entity& entity : model.entities()) {
    entities.push_back({{"name", entity.name}, {"kind", kind_name(entity.kind)}});
  }
  Json out{{"name", model.name}, {"entities", entities}};
  out["gravity"] = gravity_json(model.environment.gravity);
  out["mechanism"] = described.built ? built_json(*described.built) : Json();
  if (!described.drives.empty()) {
    Json drives = Json::array();
    for (const DescribedDrive& drive : described.drives) {
      Json entry{{"name", drive.name}, {"form", drive.form}};
      if (!drive.coordinate.empty()) entry["coordinate"] = drive.coordinate;
      if (drive.order) entry["order"] = *drive.order;
      drives.push_back(std::move(entry));
    }
    out["drives"] = drives;
    if (described.q_order) out["q_order"] = *described.q_order;
    if (!described.no_torques.empty()) out["no_motor_torques"] = described.no_torques;
  }
  return printed(out);
}

}  // namespace articula::program
