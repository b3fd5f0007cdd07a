#include <articula/model/lock_joints.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/model/joint_axes.h>

namespace articula::model {
namespace {

/// X_FM at q, in the axes in which the user wrote the joint's axis.
Pose<double> pose_at(const Joint& joint, const std::vector<double>& q) {
  const Pose<double> X_FM =
      visit_joint(joint.kind, [&]<class J>(J) { return J::X_FM(joint.parameters.of<J>(), q.data()); });
  const Rotation<double> R = canonical_rotation(joint);
  return Pose<double>{R, Vec3<double>::zero()} * X_FM * Pose<double>{R.inverse(), Vec3<double>::zero()};
}

class JointLocker {
 public:
  JointLocker(const Model& model, Findings& findings) : model_(model), findings_(findings) {}

  Model run(const std::vector<JointLock>& locks) {
    gather(model_, "");
    for (const JointLock& lock : locks) apply(lock);
    throw_if_errors(errors_);
    follow_shafts();
    throw_if_errors(errors_);
    sort_elements();
    throw_if_errors(errors_);
    for (const auto& [path, lock] : locked_) tell(path, lock);
    return rebuilt();
  }

 private:
  struct Locked {
    std::vector<double> q;
    std::string by;  ///< the gear or shaft it follows; empty if the user locked it
    Where where;
  };

  void error(std::string code, const Where& where, std::string message) {
    errors_.push_back({Severity::error, std::move(code), where, std::move(message)});
  }

  // --- the graph of shafts, with all names as paths ----------------------------------------------------------------

  void gather(const Assembly& assembly, const std::string& prefix) {
    for (const Entity& entity : assembly.entities()) {
      if (std::holds_alternative<Joint>(entity.kind)) joints_.push_back(prefix + entity.name);
      if (family_of(entity.kind) == Family::element) elements_.push_back({prefix + entity.name, &entity});
    }
    for (const Connection& connection : assembly.connections()) {
      int node = -1;
      for (const PortRef& ref : connection.ports) {
        const PortRef port{prefix + ref.entity, ref.port};
        if (!is_shaft(port)) break;
        const auto [place, added] = node_of_.try_emplace(port, node < 0 ? nodes_++ : node);
        if (!added && node >= 0) join(node, place->second);
        if (node < 0) node = place->second;
      }
    }
    for (const Part& part : assembly.parts()) gather(part.assembly, prefix + part.name + "/");
  }
  bool is_shaft(const PortRef& port) const {
    for (const Family family : {Family::joint, Family::element}) {
      const Entity* entity = model_.find_path(port.entity, family);
      if (entity != nullptr && find_port(*entity, port.port) == PortType::scalar) return true;
    }
    return false;
  }
  /// Ports are connected transitively.
  void join(int to, int from) {
    if (to == from) return;
    for (auto& [port, node] : node_of_) node = node == from ? to : node;
  }
  /// The node of a port; −1 if it is open.
  int node(const std::string& entity, const std::string& port) const {
    const auto found = node_of_.find({entity, port});
    return found == node_of_.end() ? -1 : found->second;
  }
  const Joint& joint(const std::string& path) const {
    return std::get<Joint>(model_.find_path(path, Family::joint)->kind);
  }

  // --- which joints are locked, and where --------------------------------------------------------------------------

  void apply(const JointLock& lock) {
    const std::string subject = concat("lock ", quoted(lock.joint));
    const Entity* entity = model_.find_path(lock.joint, Family::joint);
    if (entity == nullptr) {
      return error("no-such-joint", lock.where,
                   concat(subject, ": joint not found.", choices(lock.joint, "Joints", joints_)));
    }
    const Joint& joint = std::get<Joint>(entity->kind);
    const JointTraits kind = traits(joint.kind);
    if (kind.nq() == 0) {
      return error("lock-invalid", lock.where, concat(subject, ": the joint is fixed already. Remove the lock."));
    }
    std::vector<double> q;
    for (std::size_t first = 0; first <= lock.value.size();) {
      const std::size_t comma = std::min(lock.value.find(',', first), lock.value.size());
      const Dimension& wanted = kind.q[std::min(q.size(), kind.q.size() - 1)].dimension;
      const ValueOrWhy read = to_value(lock.value.substr(first, comma - first), wanted);
      if (!read.value) return error(read.code, lock.where, concat(subject, ": ", read.why, "."));
      q.push_back(*read.value);
      first = comma + 1;
    }
    if (q.size() != kind.q.size()) {
      std::vector<std::string> names;
      for (const Coordinate& each : kind.q) names.emplace_back(each.name);
      return error(
          "lock-invalid", lock.where,
          concat(subject, ": a ", kind.name, " joint has ", kind.nq(), kind.nq() == 1 ? " coordinate" : " coordinates",
                 ", but ", q.size(), q.size() == 1 ? " value is" : " values are", " given. Give ",
                 kind.nq() == 1 ? "one" : concat("all, with commas between: ", list_of(names)), "."));
    }
    for (std::size_t k = 0; k < joint.limits.size() && k < q.size() && kind.nq() == kind.nv(); ++k) {
      if (q[k] >= joint.limits[k].lower && q[k] <= joint.limits[k].upper) continue;
      add_finding(findings_, {Severity::warning, "lock-outside-limits", lock.where,
                              concat(subject, ": ", q[k], " is outside the joint's limits, ", joint.limits[k].lower,
                                     " to ", joint.limits[k].upper, ".")});
    }
    set(lock.joint, {std::move(q), "", lock.where});
  }

  void set(const std::string& path, Locked lock) {
    const auto [place, added] = locked_.try_emplace(path, lock);
    if (added) {
      pending_.push_back(path);
    } else if (differ(place->second.q.front(), lock.q.front())) {
      const std::string& by = lock.by.empty() ? place->second.by : lock.by;
      error("lock-conflict", lock.where,
            concat("lock ", quoted(path), ": it would be at ", place->second.q.front(), " and at ", lock.q.front(),
                   by.empty() ? "" : ", by ", by, ". Lock one of the coupled joints only, or each at its own value."));
    }
  }
  static bool differ(double a, double b) { return std::abs(a - b) > 1e-9 * (1 + std::abs(a)); }

  /// From each locked joint along its shafts.
  void follow_shafts() {
    while (!pending_.empty()) {
      const std::string path = pending_.back();
      pending_.pop_back();
      const Joint& joint_here = joint(path);
      const Locked lock = locked_.at(path);
      const JointTraits kind = traits(joint_here.kind);
      if (kind.nq() != kind.nv()) continue;
      for (int k = 0; k < kind.nv(); ++k) {
        const std::string port = kind.nv() == 1 ? "shaft" : concat("shaft", k + 1);
        set_node(node(path, port), lock.q[static_cast<std::size_t>(k)],
                 {lock.q, "the shaft of " + quoted(path), lock.where});
      }
    }
  }

  void set_node(int place, double value, const Locked& cause) {
    if (place < 0) return;
    const auto [known, added] = node_value_.try_emplace(place, value);
    if (!added) return;
    for (const auto& [port, each] : node_of_) {
      if (each != place) continue;
      const Entity* other = model_.find_path(port.entity, Family::joint);
      const bool shaft =
          other != nullptr && port.port == "shaft" && traits(std::get<Joint>(other->kind).kind).nv() == 1;
      if (shaft) set(port.entity, {{value}, cause.by, cause.where});
    }
    for (const auto& [path, entity] : elements_) {
      if (const auto* gear = std::get_if<Gear>(&entity->kind)) follow_gear(path, *gear, cause);
    }
  }

  /// in = ratio·out + offset, as soon as all outputs are known, or the one input of one output.
  void follow_gear(const std::string& path, const Gear& gear, const Locked& cause) {
    const auto value = [&](const std::string& port) -> std::optional<double> {
      const auto found = node_value_.find(node(path, port));
      return found == node_value_.end() ? std::nullopt : std::optional(found->second);
    };
    const Locked by{{}, "gear " + quoted(path), cause.where};
    const auto offset = [&](std::size_t k) { return k < gear.offset.size() ? gear.offset[k] : 0.0; };
    std::vector<double> out;
    for (std::size_t k = 0; k < gear.outputs(); ++k) {
      if (const auto known = value(concat("out", k + 1))) out.push_back(*known);
    }
    if (out.size() == gear.outputs()) {
      for (std::size_t i = 0; i < gear.inputs(); ++i) {
        double in = offset(i);
        for (std::size_t k = 0; k < out.size(); ++k) in += gear.ratio[i][k] * out[k];
        check_node(node(path, concat("in", i + 1)), in, by);
      }
    } else if (gear.inputs() == 1 && gear.outputs() == 1 && gear.ratio[0][0] != 0) {
      if (const auto in = value("in1")) check_node(node(path, "out1"), (*in - offset(0)) / gear.ratio[0][0], by);
    }
  }
  void check_node(int place, double value, const Locked& by) {
    const auto known = node_value_.find(place);
    if (known == node_value_.end()) return set_node(place, value, by);
    if (!differ(known->second, value)) return;
    error("lock-conflict", by.where,
          concat(by.by, " couples joints that are locked at ", known->second, ", but by it that would be ", value,
                 ". Lock one of them only, or each at its own value."));
  }

  // --- what becomes of the elements --------------------------------------------------------------------------------

  /// An element whose shafts are all locked, or open, has no effect.
  void sort_elements() {
    for (const auto& [path, entity] : elements_) {
      int held = 0, free = 0;
      for_each_port(*entity, [&, &at = path](const std::string& port, PortType type) {
        const int place = type == PortType::scalar ? node(at, port) : -1;
        if (place >= 0) ++(node_value_.contains(place) ? held : free);
      });
      if (held == 0) continue;
      if (free == 0) {
        dropped_.insert(path);
      } else {
        error("lock-coupled", entity->where,
              concat(to_text(*entity),
                     " couples a locked joint with one that stays free. Lock all joints that it "
                     "couples, or remove it."));
      }
    }
  }

  void tell(const std::string& path, const Locked& lock) {
    std::string values;
    const JointTraits kind = traits(joint(path).kind);
    for (std::size_t k = 0; k < lock.q.size(); ++k) {
      const Dimension& unit = kind.q[k].dimension;
      values += concat(k == 0 ? "" : ", ", lock.q[k], unit == dimension::none ? "" : " " + unit_text(unit));
    }
    std::vector<std::string> gone;
    for (const auto& [element, entity] : elements_) {
      if (dropped_.contains(element) && touches(*entity, element, path)) gone.push_back(to_text(*entity));
    }
    std::string list;
    for (const std::string& each : gone) list += (list.empty() ? "" : ", ") + each;
    add_finding(findings_,
                {Severity::note, "joint-locked", lock.where,
                 concat("joint ", quoted(path), ": locked at ", values, lock.by.empty() ? "" : " by ", lock.by,
                        "; it is a fixed joint now.", list.empty() ? "" : concat(" Without effect: ", list, "."))});
  }
  bool touches(const Entity& entity, const std::string& path, const std::string& joint_path) const {
    bool found = false;
    for_each_port(entity, [&](const std::string& port, PortType type) {
      const int place = type == PortType::scalar ? node(path, port) : -1;
      found = found || (place >= 0 && place == node(joint_path, "shaft"));
    });
    return found;
  }

  // --- the new model -----------------------------------------------------------------------------------------------

  Model rebuilt() const {
    Model out(model_.name);
    out.environment = model_.environment;
    out.exterior = model_.exterior;
    out.imported = model_.imported;
    out.snap = model_.snap;
    std::erase_if(out.exterior.joints, [&](const std::string& name) { return locked_.contains(name); });
    copy(model_, "", out);
    return out;
  }

  /// The displacement behind a joint, with an unused name.
  static std::string lock_name(const Assembly& in, const std::string& joint) {
    std::string name = joint + "_lock";
    for (int k = 2; in.find(name, Family::element) != nullptr; ++k) name = concat(joint, "_lock_", k);
    return name;
  }

  void copy(const Assembly& in, const std::string& prefix, Assembly& out) const {
    for (const Entity& entity : in.entities()) {
      if (prefix.empty() && entity.name == world_name && std::holds_alternative<ReferenceFrame>(entity.kind)) {
        out.at<ReferenceFrame>(world_name) = std::get<ReferenceFrame>(entity.kind);
        continue;
      }
      const std::string path = prefix + entity.name;
      const auto* old = std::get_if<Joint>(&entity.kind);
      const auto lock = old == nullptr ? locked_.end() : locked_.find(path);
      if (old == nullptr && dropped_.contains(path) && family_of(entity.kind) == Family::element) continue;
      if (lock == locked_.end()) {
        out.add(entity);
        continue;
      }
      out.add(Entity{entity.name, Joint{.kind = JointKind::fixed}, entity.where});
      const Pose<double> X_FM = pose_at(*old, lock->second.q);
      if (X_FM == Pose<double>::identity()) continue;
      const std::string name = lock_name(in, entity.name);
      out.add(Entity{name, Displacement{X_FM}, entity.where});
      out.connect({{entity.name, "to"}, {name, "from"}}, entity.where);
    }
    for (const Part& part : in.parts()) {
      Assembly inner;
      copy(part.assembly, prefix + part.name + "/", inner);
      out.add_part(part.name, std::move(inner), part.where);
    }
    for (const Connection& connection : in.connections()) {
      std::vector<PortRef> ports;
      for (const PortRef& ref : connection.ports) {
        if (is_gone(prefix, ref)) continue;
        ports.push_back({ref.entity, ref.port});
        if (ref.port != "to") continue;
        rename(prefix, ref, ports.back());
      }
      if (ports.size() > 1) out.connect(std::move(ports), connection.where);
    }
  }
  /// Ports of removed entities, and shafts of locked joints.
  bool is_gone(const std::string& prefix, const PortRef& ref) const {
    const std::string path = prefix + ref.entity;
    const Entity *joint_entity = model_.find_path(path, Family::joint),
                 *element = model_.find_path(path, Family::element);
    if (joint_entity != nullptr && find_port(*joint_entity, ref.port)) {
      return locked_.contains(path) && find_port(*joint_entity, ref.port) == PortType::scalar;
    }
    return element != nullptr && dropped_.contains(path) && find_port(*element, ref.port);
  }
  /// Connections with `to` of a locked joint become connections with its displacement, in every part.
  void rename(const std::string& prefix, const PortRef& ref, PortRef& port) const {
    const std::string path = prefix + ref.entity;
    const auto lock = locked_.find(path);
    if (lock == locked_.end() || pose_at(joint(path), lock->second.q) == Pose<double>::identity()) return;
    const std::size_t slash = ref.entity.rfind('/');
    const std::string own = slash == std::string::npos ? ref.entity : ref.entity.substr(slash + 1);
    const Assembly* home = &model_;
    std::string_view rest = path;
    for (std::size_t at = rest.find('/'); at != std::string_view::npos && home->find(rest, Family::joint) == nullptr;
         at = rest.find('/')) {
      home = &home->find_part(rest.substr(0, at))->assembly;
      rest.remove_prefix(at + 1);
    }
    port.entity = ref.entity.substr(0, ref.entity.size() - own.size()) + lock_name(*home, own);
  }

  const Model& model_;
  Findings& findings_;
  Findings errors_;
  std::vector<std::string> joints_;
  std::vector<std::pair<std::string, const Entity*>> elements_;
  std::map<PortRef, int> node_of_;
  int nodes_ = 0;
  std::map<std::string, Locked> locked_;
  std::vector<std::string> pending_;
  std::map<int, double> node_value_;
  std::set<std::string> dropped_;
};

}  // namespace

JointLock to_lock(std::string_view text) {
  const std::size_t sign = text.rfind('=');
  if (sign == std::string_view::npos || sign == 0 || sign + 1 == text.size()) {
    throw Error("lock-invalid", {},
                concat("lock ", quoted(text), " is not of the form JOINT=VALUE, e.g. elbow=30 deg."));
  }
  return {std::string(text.substr(0, sign)), std::string(text.substr(sign + 1)), {}};
}

Model lock_joints(const Model& model, const std::vector<JointLock>& locks, Findings& findings) {
  return JointLocker(model, findings).run(locks);
}

}  // namespace articula::model
