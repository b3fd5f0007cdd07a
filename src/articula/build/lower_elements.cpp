#include <articula/build/lower_elements.h>

#include <algorithm>
#include <array>
#include <map>

#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::build {
namespace {

class Elements {
 public:
  Elements(Prepared& prepared, const FlatPlaces& places, Mechanism& mech)
      : prepared_(prepared), places_(places), mech_(mech) {}

  void run() {
    find_shafts();
    find_gears();
    find_bare_shafts(shafts());
    couple_shared_shafts();
    const auto& entities = prepared_.flat->entities();
    for (entry_ = 0; entry_ < static_cast<int>(entities.size()); ++entry_) {
      const Entity& owner = entities[at(entry_)];
      std::visit([&](const auto& kind) { add(owner, kind); }, owner.kind);
    }
  }

 private:
  const Model& merged() const { return *places_.merged.model; }
  const PortGraph& graph() const { return places_.merged.graph; }
  ShaftPlan& shafts() { return prepared_.shafts; }

  Provenance::Entry& entry() { return mech_.provenance.entities[at(entry_)]; }
  void place(Provenance::Place what, std::size_t index) {
    entry().place = what;
    entry().index = static_cast<int>(index);
  }

  /// The entity as it stands in the merged model.
  int in_merged(const Entity& owner) const {
    return static_cast<int>(merged().find(owner.name, family_of(owner.kind)) - merged().entities().data());
  }

  /// A frame of the table at a port, called after it; entities that meet there share it.
  int frame_at(const Entity& owner, std::string_view port) {
    const int node = graph().node(graph().find(in_merged(owner), port));
    const auto [known, added] = frame_of_node_.try_emplace(node, static_cast<int>(mech_.frames.size()));
    if (added) {
      const int group = places_.merged.groups.group_of_node[at(node)];
      mech_.frames.push_back({{owner.name, std::string(port)},
                              places_.body_of_group[at(group)],
                              false,
                              -1,
                              places_.pieces.at_port(entry_, port)});
      prepared_.node_of_frame.push_back(node);
    }
    return known->second;
  }

  /// The own frame of a body or reference frame of the user.
  int frame_of(const std::string& name) {
    if (own_frames_.empty()) {
      for (std::size_t k = 0; k < mech_.frames.size(); ++k) {
        if (mech_.frames[k].name.port.empty()) own_frames_.emplace(mech_.frames[k].name.entity, static_cast<int>(k));
      }
    }
    return own_frames_.at(name);
  }

  // --- shafts -------------------------------------------------------------------------------------------------

  /// Which degrees of freedom meet at each node of shafts, and where a cut joint's shaft is.
  void find_shafts() {
    std::unordered_map<int, int> joint_at;
    for (int e = 0; e < static_cast<int>(merged().entities().size()); ++e) {
      if (!std::holds_alternative<Joint>(merged().entities()[at(e)].kind)) continue;
      const auto body = places_.joint_body.find(e);
      const bool cut = body == places_.joint_body.end();
      int dof = cut ? 0 : mech_.bodies[at(body->second)].v.first;
      for (int p = graph().first_port(e); p < graph().end_port(e); ++p) {
        if (graph().ports()[at(p)].type != PortType::scalar) continue;
        const int own = dof++, node = graph().node(p);
        if (graph().node_size(p) < 2) continue;
        if (cut) cut_shafts_.emplace(node, e);
        if (!cut) dofs_at_[node].push_back(own);
        const auto [other, alone] = joint_at.try_emplace(node, e);
        if (const auto cut_here = cut_shafts_.find(node); !alone && cut_here != cut_shafts_.end()) {
          refuse_cut(merged().entities()[at(cut ? other->second : e)], cut_here->second);
        }
      }
    }
    for (const RotorPlan& plan : prepared_.rotors) {
      if (!std::holds_alternative<Rotor>(merged().entities()[at(plan.entity)].kind)) continue;
      const int node = graph().node(graph().find(plan.entity, "shaft"));
      if (plan.form == RotorForm::body) dofs_at_[node].push_back(motor_of(plan));
      if (plan.form == RotorForm::locked) shafts().dof.emplace(node, ShaftPlan::locked);
    }
    for (const auto& [node, dofs] : dofs_at_) shafts().dof.insert_or_assign(node, dofs.front());
  }

  /// The gears, and the nodes of their ports.
  void find_gears() {
    const auto& entities = prepared_.flat->entities();
    for (int e = 0; e < static_cast<int>(entities.size()); ++e) {
      const auto* const gear = std::get_if<Gear>(&entities[at(e)].kind);
      if (gear == nullptr) continue;
      ShaftPlan::Geared geared{in_merged(entities[at(e)]), {}, {}};
      const auto node_of = [&](std::string_view side, std::size_t k) {
        const int node = connected_node(entities[at(e)], concat(side, k + 1));
        if (const auto cut = cut_shafts_.find(node); cut != cut_shafts_.end()) refuse_cut(entities[at(e)], cut->second);
        return node;
      };
      for (std::size_t k = 0; k < gear->inputs(); ++k) geared.inputs.push_back(node_of("in", k));
      for (std::size_t k = 0; k < gear->outputs(); ++k) geared.outputs.push_back(node_of("out", k));
      shafts().gear_of_flat.emplace(e, static_cast<int>(shafts().gears.size()));
      shafts().gears.push_back(std::move(geared));
    }
  }

  /// The node of a port of shafts; −1 if it is not connected.
  int connected_node(const Entity& owner, std::string_view port) const {
    const int place = graph().find(in_merged(owner), port);
    return graph().node_size(place) > 1 ? graph().node(place) : -1;
  }

  const RotorPlan& plan_of(const Entity& owner) const {
    const int entity = in_merged(owner);
    return *std::lower_bound(prepared_.rotors.begin(), prepared_.rotors.end(), entity,
                             [](const RotorPlan& plan, int e) { return plan.entity < e; });
  }
  /// The degree of freedom of a rotor that is a body of its own.
  int motor_of(const RotorPlan& plan) const { return mech_.bodies[at(places_.rotor_body.at(plan.entity))].v.first; }

  /// The degree of freedom at a port of shafts; −1 where there is none, only rotors and gears.
  int dof_at(const Entity& owner, std::string_view port) const {
    const int node = graph().node(graph().find(in_merged(owner), port));
    if (const auto cut = cut_shafts_.find(node); cut != cut_shafts_.end()) refuse_cut(owner, cut->second);
    const auto found = dofs_at_.find(node);
    return found == dofs_at_.end() ? -1 : found->second.front();
  }

  /// What determines the angle of the shaft at a node, which an element needs at its port.
  ShaftDofs shaft_at(const Entity& owner, std::string_view port, int node) {
    if (const auto cut = cut_shafts_.find(node); cut != cut_shafts_.end()) refuse_cut(owner, cut->second);
    ShaftDofs shaft = dofs_of_shaft(shafts(), node);
    for (const int dof : shaft.dofs) {
      if (!has_position(dof)) refuse_ball(owner.where, concat(to_text(owner), ": its port ", port), dof);
    }
    if (shaft.is_known) return shaft;
    throw Error("shaft-without-inertia", owner.where,
                concat(to_text(owner), ": its port ", port,
                       " is connected to a shaft with neither a joint nor a rotor on it. Nothing on this shaft has "
                       "inertia, so that its motion is not determined. Put a rotor on it, or connect ",
                       to_text(owner), " to the shaft of a joint."));
  }
  static void unite(const ShaftDofs& shaft, std::vector<int>& dofs) {
    for (const int dof : shaft.dofs) {
      if (std::find(dofs.begin(), dofs.end(), dof) == dofs.end()) dofs.push_back(dof);
    }
  }
  const Body& body_of(int dof) const { return mech_.bodies[at(mech_.body_of_dof[at(dof)])]; }
  /// Quaternions have none.
  bool has_position(int dof) const { return body_of(dof).q.count == body_of(dof).v.count; }

  [[noreturn]] void refuse_ball(const Where& where, const std::string& what, int dof) const {
    const Body& body = body_of(dof);
    throw Error("shaft-without-position", where,
                concat(what, " is connected to a shaft of joint ",
                       quoted(mech_.provenance.entities[at(body.entity)].name), ". A ", traits(body.joint).name,
                       " joint has no position for each of its shafts, since its orientation is a quaternion. Use a "
                       "joint with angles or distances as coordinates, e.g. three revolute joints in a row."));
  }

  /// A cut joint is a constraint, without a coordinate that anything could act on.
  [[noreturn]] void refuse_cut(const Entity& owner, int joint) const {
    throw Error("not-computable", owner.where,
                concat(to_text(owner), " acts on ", to_text(merged().entities()[at(joint)]),
                       ", where its loop is cut, and "
                       "this cannot be computed with yet. Let another joint of the loop close it."));
  }

  /// Shafts that are connected turn together: q₀ − q_k = 0.
  void couple_shared_shafts() {
    for (const auto& [node, dofs] : dofs_at_) {
      for (const int dof : dofs) {
        if (dofs.size() == 1 || has_position(dof)) continue;
        const int other = body_of(dof == dofs[0] ? dofs[1] : dofs[0]).entity;
        const Entity& joint = prepared_.flat->entities()[at(other)];
        refuse_ball(joint.where, concat(to_text(joint), ": its shaft"), dof);
      }
      for (std::size_t k = 1; k < dofs.size(); ++k) {
        mech_.couplings.push_back({{dofs[k], dofs[0]}, -1});
      }
    }
  }

  // --- one overload per kind that has a flat place -----------------------------------------------------------------

  template <class K>
  void add(const Entity&, const K&) {}

  void add(const Entity& owner, const Joint& joint) {
    if (joint.kind == JointKind::fixed || entry().place == Provenance::Place::joint) return;
    Constraint cut;
    cut.kind = Constraint::Kind::cut_joint;
    cut.joint = joint.kind;
    cut.rows = 6 - traits(joint.kind).nv();
    add_constraint(owner, cut, "from", "to");
  }
  void add(const Entity& owner, const ConnectingRod&) {
    Constraint constraint;
    constraint.kind = Constraint::Kind::rod;
    constraint.rows = 1;
    add_constraint(owner, constraint, "from", "to");
  }
  void add(const Entity& owner, const ContactPoint&) {
    Constraint constraint;
    constraint.kind = Constraint::Kind::contact;
    constraint.one_sided = true;
    constraint.active_at_start = false;
    constraint.rows = 3;
    add_constraint(owner, constraint, "on", "");
  }
  void add(const Entity& owner, const Rolling& rolling) {
    Constraint constraint;
    constraint.kind = Constraint::Kind::rolling;
    constraint.on_velocity = true;
    constraint.rows = rolling.side_slip ? 1 : 2;
    add_constraint(owner, constraint, "wheel", "ground");
  }
  void add_constraint(const Entity& owner, Constraint constraint, std::string_view F, std::string_view M) {
    constraint.frame_F = frame_at(owner, F);
    constraint.frame_M = M.empty() ? -1 : frame_at(owner, M);
    constraint.entity = entry_;
    place(Provenance::Place::constraint, mech_.constraints.size());
    mech_.constraints.push_back(constraint);
  }

  void add(const Entity& owner, const Spring& spring) { add_force(owner, spring.form); }
  void add(const Entity& owner, const Damper& damper) { add_force(owner, damper.form); }
  void add(const Entity& owner, const SpringDamperActuator& sda) { add_force(owner, sda.form); }
  void add_force(const Entity& owner, Form form) {
    ForceElement element;
    element.entity = entry_;
    if (form == Form::torsional) {
      element.kind = ForceElement::Kind::shaft;
      const std::array nodes{connected_node(owner, "from"), connected_node(owner, "to")};
      const ShaftDofs from = shaft_at(owner, "from", nodes[0]), to = shaft_at(owner, "to", nodes[1]);
      if (from.is_locked || to.is_locked) return;  // as the springs of locked drives
      unite(from, element.dofs), unite(to, element.dofs);
      shafts().of_force.resize(mech_.forces.size() + 1, {-1, -1});
      shafts().of_force.back() = nodes;
    } else {
      element.frame_F = frame_at(owner, "from");
      element.frame_M = frame_at(owner, "to");
    }
    place(Provenance::Place::force, mech_.forces.size());
    mech_.forces.push_back(element);
  }
  void add(const Entity& owner, const ExternalForce& force) {
    ForceElement element;
    element.kind = ForceElement::Kind::wrench;
    element.entity = entry_;
    element.frame_F = frame_at(owner, "on");
    element.frame_M = force.expressed_in == "local" ? element.frame_F : frame_of(force.expressed_in);
    place(Provenance::Place::force, mech_.forces.size());
    mech_.forces.push_back(element);
  }

  void add(const Entity& owner, const Gear& gear) {
    const int g = shafts().gear_of_flat.at(entry_);
    const ShaftPlan::Geared& geared = shafts().gears[at(g)];
    for (const std::vector<int>* side : {&geared.inputs, &geared.outputs}) {
      const auto follows = shafts().bare.find(side->front());
      if (follows != shafts().bare.end() && follows->second.gear == g)
        return;  // it determines shafts, and couples none
    }
    std::vector<ShaftDofs> inputs, outputs;
    for (std::size_t k = 0; k < gear.inputs(); ++k)
      inputs.push_back(shaft_at(owner, concat("in", k + 1), geared.inputs[k]));
    for (std::size_t k = 0; k < gear.outputs(); ++k)
      outputs.push_back(shaft_at(owner, concat("out", k + 1), geared.outputs[k]));
    // Locked rotors are at rest in their bodies, whatever the gears between them and the joints.
    const auto is_locked = [](const ShaftDofs& shaft) { return shaft.is_locked; };
    if (std::any_of(inputs.begin(), inputs.end(), is_locked) || std::any_of(outputs.begin(), outputs.end(), is_locked))
      return;
    place(Provenance::Place::coupling, mech_.couplings.size());
    for (const ShaftDofs& input : inputs) {
      // in − ratio·out = offset
      Coupling coupling{input.dofs, entry_};
      for (const ShaftDofs& output : outputs) unite(output, coupling.dofs);
      mech_.couplings.push_back(std::move(coupling));
    }
  }

  void add(const Entity& owner, const Rotor&) { add_rotor(owner, "shaft", false); }
  void add(const Entity& owner, const Drive& drive) {
    RotorElement& rotor = add_rotor(owner, "joint", drive.stiffness.has_value());
    if (rotor.dof < 0) {
      throw Error("not-computable", owner.where,
                  concat(to_text(owner),
                         " is connected to a shaft without a joint. Connect its port joint to the shaft of a "
                         "joint; rotors, gears and springs on other shafts are entities of their own."));
    }
    rotor.resisted = rotor.dof;
    if (rotor.body < 0) return;
    const int motor = mech_.bodies[at(rotor.body)].v.first;
    if (!has_position(rotor.dof)) refuse_ball(owner.where, concat(to_text(owner), ": its port joint"), rotor.dof);
    if (!drive.stiffness || mech_.drives != Drives::elastic) {
      rotor.coupling = static_cast<int>(mech_.couplings.size());
      mech_.couplings.push_back({{motor, rotor.dof}, entry_});
      return;
    }
    rotor.resisted = motor;
    rotor.spring = static_cast<int>(mech_.forces.size());
    ForceElement spring;
    spring.kind = ForceElement::Kind::shaft;
    spring.dofs = {motor, rotor.dof};
    spring.entity = entry_;
    mech_.forces.push_back(spring);
  }
  RotorElement& add_rotor(const Entity& owner, std::string_view shaft, bool elastic) {
    const RotorPlan& plan = plan_of(owner);
    const int mount = graph().find(in_merged(owner), "mounted_on");
    RotorElement rotor;
    rotor.frame = graph().node_size(mount) > 1 ? frame_at(owner, "mounted_on") : -1;
    rotor.dof = plan.joint >= 0 ? dof_at(owner, shaft) : -1;
    rotor.elastic = elastic;
    rotor.form = plan.form;
    rotor.on_from = plan.on_from;
    rotor.entity = entry_;
    if (plan.form == RotorForm::body) {
      rotor.body = places_.rotor_body.at(plan.entity);
      mech_.bodies[at(rotor.body)].rotor = static_cast<int>(mech_.rotors.size());
    } else if (rotor.is_turning()) {
      mech_.has_armature = mech_.bodies[at(mech_.body_of_dof[at(rotor.dof)])].has_armature = true;
    }
    place(Provenance::Place::rotor, mech_.rotors.size());
    return mech_.rotors.emplace_back(rotor);
  }

  void add(const Entity& owner, const Beam&) { refuse(owner); }
  void add(const Entity& owner, const Custom&) { refuse(owner); }
  [[noreturn]] static void refuse(const Entity& owner) {
    throw Error("not-computable", owner.where,
                concat(to_text(owner),
                       " can be described, checked and stored, but not yet computed with. Replace it "
                       "by rigid bodies and joints for now."));
  }

  Prepared& prepared_;
  const FlatPlaces& places_;
  Mechanism& mech_;
  int entry_ = 0;
  std::map<int, std::vector<int>> dofs_at_;  ///< by node of shafts
  std::unordered_map<int, int> cut_shafts_;  ///< by node of shafts, the cut joint on it
  std::unordered_map<int, int> frame_of_node_;
  std::unordered_map<std::string, int> own_frames_;
};

}  // namespace

void lower_elements(Prepared& prepared, const FlatPlaces& places, Mechanism& mech) {
  Elements(prepared, places, mech).run();
}

}  // namespace articula::build
