#include <articula/build/lower.h>

#include <algorithm>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/builder_counts.h>
#include <articula/build/coupled_shafts.h>
#include <articula/build/lower_elements.h>
#include <articula/build/lower_numbers.h>
#include <articula/build/lower_pieces.h>

namespace articula::build {
namespace {

class Lowering {
 public:
  Lowering(Prepared& prepared, Drives drives) : prepared_(prepared), in_(*prepared.merged) { mech_.drives = drives; }

  Lowered run() {
    mech_.name = prepared_.flat->name;
    mech_.uniform_gravity = std::holds_alternative<UniformGravity>(prepared_.flat->environment.gravity);
    body_of_group_.assign(in_.groups.groups.size(), -1);
    for (const SpanningForest::Branch& branch : prepared_.forest.branches) add_body(branch);
    mech_.nq = static_cast<int>(mech_.layout.q.size());
    mech_.nv = static_cast<int>(mech_.layout.v.size());
    find_subtrees();
    add_frames();
    add_provenance();
    const PiecePlaces pieces = lower_pieces(prepared_, mech_);
    const FlatPlaces places{in_, body_of_group_, joint_body_, rotor_body_, pieces};
    lower_elements(prepared_, places, mech_);
    write_numbers();
    make_clusters(*prepared_.flat, mech_, par_);
    return {std::move(mech_), std::move(par_)};
  }

 private:
  const Entity& entity(int e) const { return in_.model->entities()[at(e)]; }

  /// Sparsity depends on the placement of a joint: this is the only part of the structure that depends on numbers.
  void write_numbers() {
    size_parameters(mech_, par_);
    Numbers numbers(prepared_, mech_, par_);
    numbers.write([&](int i, const Pose<double>& X_PF) {
      Body& body = mech_.bodies[at(i)];
      const auto [form, axis] = find_form(body.joint, X_PF);
      body.form = form;
      body.axis = axis;
    });
  }

  /// One branch of the forest becomes a body.
  void add_body(const SpanningForest::Branch& branch) {
    const int i = mech_.size();
    Body& body = mech_.bodies.emplace_back();
    if (branch.rotor >= 0) return add_rotor(branch, body);
    body_of_group_[at(branch.group)] = i;
    if (branch.joint < 0) return;
    body.parent = branch.parent;
    joint_body_[branch.joint] = i;
    const Entity& carrier = entity(branch.joint);
    if (const auto* joint = std::get_if<Joint>(&carrier.kind)) {
      body.joint = joint->kind;
      body.reversed = branch.reversed && !traits(joint->kind).flips();
      add_coordinates(body, carrier.name, joint->prescribed);
    } else if (std::holds_alternative<ReferenceFrame>(carrier.kind)) {
      // A frame with prescribed motion has six prescribed degrees of freedom.
      body.joint = JointKind::free;
      add_coordinates(body, carrier.name, true);
    } else {
      refuse(carrier);
    }
  }

  void add_rotor(const SpanningForest::Branch& branch, Body& body) {
    const Entity& owner = entity(prepared_.rotors[at(branch.rotor)].entity);
    body.parent = branch.parent;
    body.joint = JointKind::revolute;
    body.rotor = branch.rotor;  // lower_elements counts rotors otherwise
    rotor_body_[prepared_.rotors[at(branch.rotor)].entity] = static_cast<int>(&body - mech_.bodies.data());
    add_coordinates(body, concat(owner.name, std::holds_alternative<Drive>(owner.kind) ? ".motor" : ".shaft"), false);
  }

  /// Bodies are in depth-first order: a subtree ends where that of its last child ends.
  void find_subtrees() {
    for (int i = mech_.size() - 1; i >= 0; --i) {
      Body& body = mech_.bodies[at(i)];
      body.beyond = std::max(body.beyond, i + 1);
      body.v_beyond = std::max(body.v_beyond, body.v.first + body.v.count);
      if (i == 0) break;
      Body& parent = mech_.bodies[at(body.parent)];
      parent.beyond = std::max(parent.beyond, body.beyond);
      parent.v_beyond = std::max(parent.v_beyond, body.v_beyond);
    }
  }

  [[noreturn]] static void refuse(const Entity& entity) {
    throw Error("not-computable", entity.where,
                concat(to_text(entity),
                       " can be described, checked and stored, but not yet computed with. Replace it "
                       "by rigid bodies and joints for now."));
  }

  void add_coordinates(Body& body, const std::string& name, bool prescribed) {
    const JointTraits joint = traits(body.joint);
    StateLayout& layout = mech_.layout;
    body.q = {static_cast<int>(layout.q.size()), joint.nq()};
    body.v = {static_cast<int>(layout.v.size()), joint.nv()};
    for (const Coordinate& c : joint.q) layout.q.push_back(joint.nq() == 1 ? name : concat(name, ".", c.name));
    for (const Coordinate& c : joint.v) layout.v.push_back(joint.nv() == 1 ? name : concat(name, ".", c.name));
    layout.blocks.push_back({StateKind::position, name, body.q});
    layout.blocks.push_back({StateKind::velocity, name, body.v});
    const int i = static_cast<int>(&body - mech_.bodies.data());
    for (int k = 0; k < joint.nv(); ++k) {
      mech_.body_of_dof.push_back(i);
      mech_.roles.push_back(prescribed ? DofRole::prescribed : DofRole::free);
    }
  }

  /// All frames of all bodies of the user, also of merged bodies.
  void add_frames() {
    const Model& flat = *prepared_.flat;
    for (const Entity& owner : flat.entities()) {
      if (family_of(owner.kind) != Family::body) continue;
      for_each_port(owner, [&](std::string_view port, PortType) { add_frame({owner.name, std::string(port)}); });
    }
  }

  void add_frame(const PortRef& name) {
    const auto moved = prepared_.moved.find(name);
    const int port = in_.graph.find(moved == prepared_.moved.end() ? name : moved->second);
    const int node = in_.graph.node(port), group = in_.groups.group_of_node[at(node)];
    mech_.frames.push_back({name, body_of_group_[at(group)], false});
    prepared_.node_of_frame.push_back(node);
  }

  void add_provenance() {
    std::size_t frame = 0;
    for (const Entity& owner : prepared_.flat->entities()) {
      Provenance::Entry entry{owner.name, std::string(kind_name(owner.kind)), Provenance::Place::none, -1};
      if (const std::vector<Frame>* frames = frames_of(owner.kind)) {
        entry.place = Provenance::Place::body;
        entry.index = mech_.frames[frame].body;
        if (std::holds_alternative<RigidBody>(owner.kind)) {
          mech_.provenance.constituents.push_back(
              {owner.name, entry.index, static_cast<int>(mech_.provenance.entities.size())});
        }
        frame += 1 + frames->size();
      } else if (is_rigid(owner)) {
        entry.place = Provenance::Place::merged;
      }
      if (const Entity* kept = in_.model->find(owner.name, family_of(owner.kind)); kept != nullptr) {
        const int merged = static_cast<int>(kept - in_.model->entities().data());
        const int flat = static_cast<int>(mech_.provenance.entities.size());
        if (const auto rotor = rotor_body_.find(merged); rotor != rotor_body_.end())
          mech_.bodies[at(rotor->second)].entity = flat;
        const auto joint = joint_body_.find(merged);
        if (joint != joint_body_.end()) {
          // Not a moving frame, which is a body and carries itself.
          if (std::holds_alternative<Joint>(owner.kind)) entry.place = Provenance::Place::joint;
          entry.index = joint->second;
          mech_.bodies[at(joint->second)].entity = flat;
        }
      }
      mech_.provenance.entities.push_back(std::move(entry));
    }
  }

  Prepared& prepared_;
  const ModelGraph& in_;
  std::vector<int> body_of_group_;
  std::unordered_map<int, int> joint_body_, rotor_body_;  ///< by entity of the merged model
  Mechanism mech_;
  Parameters<double> par_;
};

}  // namespace

Lowered lower(Prepared& prepared, Drives drives) {
  detail::count_lowering();
  return Lowering(prepared, drives).run();
}

}  // namespace articula::build
