#include <articula/build/lower_elements.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <articula/base/text.h>
#include <articula/mechanism/joint_motion.h>

namespace articula {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// Readers give directions unit length; what comes from C++ may have another.
Vec3<double> unit(const Direction& direction) {
  const double length = norm(direction.v);
  return length > 0 ? direction.v * (1 / length) : direction.v;
}

class Elements {
 public:
  Elements(const Prepared& prepared, const FlatPlaces& places, Mechanism& mech, Parameters<double>& par)
      : prepared_(prepared), places_(places), mech_(mech), par_(par) {}

  void run() {
    find_shafts();
    couple_shared_shafts();
    const auto& entities = prepared_.flat->entities();
    for (entry_ = 0; entry_ < static_cast<int>(entities.size()); ++entry_) {
      const Entity& owner = entities[at(entry_)];
      std::visit([&](const auto& kind) { add(owner, kind); }, owner.kind);
    }
    make_clusters();
  }

 private:
  const Model& merged() const { return *places_.merged.model; }
  const PortGraph& graph() const { return places_.merged.graph; }

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
      mech_.frames.push_back({{owner.name, std::string(port)}, places_.body_of_group[at(group)], false, -1,
                              places_.pieces.at_port(entry_, port)});
      par_.X_BF.push_back(places_.X_BU[at(group)] * places_.merged.groups.X_HN[at(node)]);
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
  }

  /// The degree of freedom at a port of shafts; −1 where there is none, only rotors and gears.
  int dof_at(const Entity& owner, std::string_view port) const {
    const int node = graph().node(graph().find(in_merged(owner), port));
    if (const auto cut = cut_shafts_.find(node); cut != cut_shafts_.end()) refuse_cut(owner, cut->second);
    const auto found = dofs_at_.find(node);
    return found == dofs_at_.end() ? -1 : found->second.front();
  }

  /// A cut joint is a constraint, without a coordinate that anything could act on.
  [[noreturn]] void refuse_cut(const Entity& owner, int joint) const {
    throw Error("not-computable", owner.where,
                concat(to_text(owner), " acts on ", to_text(merged().entities()[at(joint)]), ", where its loop is cut, and "
                       "this cannot be computed with yet. Let another joint of the loop close it."));
  }

  /// Shafts that are connected turn together: q₀ − q_k = 0.
  void couple_shared_shafts() {
    for (const auto& [node, dofs] : dofs_at_) {
      for (std::size_t k = 1; k < dofs.size(); ++k) {
        mech_.couplings.push_back({{dofs[k], dofs[0]}, -1});
        par_.couplings.push_back({{1, -1}, 0});
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
    ConstraintNumbers<double> numbers;
    numbers.joint.pitch = joint.pitch;
    numbers.axis = unit(joint.axis);
    numbers.normal = unit(joint.second_axis);
    add_constraint(owner, cut, "from", "to", numbers);
  }
  void add(const Entity& owner, const ConnectingRod& rod) {
    Constraint constraint;
    constraint.kind = Constraint::Kind::rod;
    constraint.rows = 1;
    ConstraintNumbers<double> numbers;
    numbers.length = rod.length;
    numbers.mass = rod.mass;
    add_constraint(owner, constraint, "from", "to", numbers);
  }
  void add(const Entity& owner, const ContactPoint& contact) {
    Constraint constraint;
    constraint.kind = Constraint::Kind::contact;
    constraint.one_sided = true;
    constraint.active_at_start = false;
    constraint.rows = 3;
    ConstraintNumbers<double> numbers;
    numbers.radius = contact.radius;
    numbers.friction = contact.friction;
    numbers.restitution = contact.restitution;
    if (const auto& ground = prepared_.flat->environment.ground) {
      numbers.normal = unit(ground->normal);
      numbers.friction *= ground->friction;
    }
    add_constraint(owner, constraint, "on", "", numbers);
  }
  void add(const Entity& owner, const Rolling& rolling) {
    Constraint constraint;
    constraint.kind = Constraint::Kind::rolling;
    constraint.on_velocity = true;
    constraint.rows = rolling.side_slip ? 1 : 2;
    ConstraintNumbers<double> numbers;
    numbers.radius = rolling.radius;
    numbers.axis = unit(rolling.axis);
    numbers.normal = unit(rolling.normal);
    numbers.side_slip = rolling.side_slip;
    add_constraint(owner, constraint, "wheel", "ground", numbers);
  }
  void add_constraint(const Entity& owner, Constraint constraint, std::string_view F, std::string_view M,
                      const ConstraintNumbers<double>& numbers) {
    constraint.frame_F = frame_at(owner, F);
    constraint.frame_M = M.empty() ? -1 : frame_at(owner, M);
    constraint.entity = entry_;
    place(Provenance::Place::constraint, mech_.constraints.size());
    mech_.constraints.push_back(constraint);
    par_.constraints.push_back(numbers);
  }

  void add(const Entity& owner, const Spring& spring) {
    add_force(owner, spring.form, {spring.stiffness, 0, spring.rest, 0, {}});
  }
  void add(const Entity& owner, const Damper& damper) { add_force(owner, damper.form, {0, damper.damping, 0, 0, {}}); }
  void add(const Entity& owner, const SpringDamperActuator& sda) {
    add_force(owner, sda.form, {sda.stiffness, sda.damping, sda.rest, sda.force, {}});
  }
  void add_force(const Entity& owner, Form form, const ForceNumbers<double>& numbers) {
    ForceElement element;
    element.entity = entry_;
    if (form == Form::torsional) {
      element.kind = ForceElement::Kind::shaft;
      element.dof_from = dof_at(owner, "from");
      element.dof_to = dof_at(owner, "to");
    } else {
      element.frame_F = frame_at(owner, "from");
      element.frame_M = frame_at(owner, "to");
    }
    place(Provenance::Place::force, mech_.forces.size());
    mech_.forces.push_back(element);
    par_.forces.push_back(numbers);
  }
  void add(const Entity& owner, const ExternalForce& force) {
    ForceElement element;
    element.kind = ForceElement::Kind::wrench;
    element.entity = entry_;
    element.frame_F = frame_at(owner, "on");
    element.frame_M = force.expressed_in == "local" ? element.frame_F : frame_of(force.expressed_in);
    place(Provenance::Place::force, mech_.forces.size());
    mech_.forces.push_back(element);
    par_.forces.push_back({0, 0, 0, 0, {force.moment, force.force}});
  }

  void add(const Entity& owner, const Gear& gear) {
    bool between_joints = true;
    std::vector<int> outputs;
    for (std::size_t k = 1; k <= gear.outputs(); ++k) outputs.push_back(dof_at(owner, concat("out", k)));
    for (std::size_t k = 1; k <= gear.inputs(); ++k) between_joints &= dof_at(owner, concat("in", k)) >= 0;
    between_joints &= std::find(outputs.begin(), outputs.end(), -1) == outputs.end();
    if (!between_joints) {
      throw Error("not-computable", owner.where,
                  concat(to_text(owner), " leads to a shaft that is not a joint's, and this cannot be computed with yet. "
                         "Give the joint a drive, which has a gear in it."));
    }
    place(Provenance::Place::coupling, mech_.couplings.size());
    for (std::size_t k = 0; k < gear.inputs(); ++k) {
      // in − ratio·out = offset
      Coupling coupling{{dof_at(owner, concat("in", k + 1))}, entry_};
      CouplingNumbers<double> numbers{{1}, k < gear.offset.size() ? gear.offset[k] : 0};
      for (std::size_t j = 0; j < outputs.size(); ++j) {
        coupling.dofs.push_back(outputs[j]);
        numbers.factors.push_back(-gear.ratio[k][j]);
      }
      mech_.couplings.push_back(std::move(coupling));
      par_.couplings.push_back(std::move(numbers));
    }
  }

  void add(const Entity& owner, const Rotor& rotor) {
    RotorNumbers<double> numbers;
    numbers.inertia = rotor.inertia;
    numbers.axis = unit(rotor.axis);
    add_rotor(owner, dof_at(owner, "shaft"), false, numbers);
  }
  void add(const Entity& owner, const Drive& drive) {
    RotorNumbers<double> numbers;
    numbers.inertia = drive.rotor_inertia;
    numbers.gear = drive.gear;
    if (drive.stiffness) numbers.stiffness = *drive.stiffness;
    numbers.damping = drive.damping;
    numbers.friction = drive.friction;
    numbers.viscous_friction = drive.viscous_friction;
    if (drive.rotor_axis) numbers.axis = unit(*drive.rotor_axis);
    const int dof = dof_at(owner, "joint");
    if (drive.stiffness) {
      mech_.layout.blocks.push_back({StateKind::motor, owner.name, {motors_++, 1}});
    }
    add_rotor(owner, dof, drive.stiffness.has_value(), numbers);
    const int frame = mech_.rotors.back().frame;
    if (!drive.rotor_axis && frame >= 0 && dof >= 0) par_.rotors.back().axis = joint_axis(dof, frame);
  }

  /// The joint's axis as seen from a frame, where computations start: the same at every q when the frame is on one
  /// of the joint's own bodies.
  Vec3<double> joint_axis(int dof, int frame) {
    if (X_WB_.empty()) {
      X_WB_.resize(mech_.bodies.size());
      for (int i = 1; i < mech_.size(); ++i) {
        X_WB_[at(i)] = X_WB_[at(mech_.bodies[at(i)].parent)] * joint_motion(mech_, par_, i, par_.q_start.data()).X_PB;
      }
    }
    const int i = mech_.body_of_dof[at(dof)];
    const Body& body = mech_.bodies[at(i)];
    const Motion<double> H_B = joint_motion(mech_, par_, i, par_.q_start.data()).H_B[at(dof - body.v.first)];
    // As written: the port `to` moves along it in `from`, whichever of them the tree holds.
    const Vec3<double> along = norm(H_B.w) > 0 ? H_B.w : H_B.v;
    const bool backwards = prepared_.forest.branches[at(i)].reversed;
    const Vec3<double> axis_W = X_WB_[at(i)].R * along * (backwards ? -1.0 : 1.0);
    const FlatFrame& mount = mech_.frames[at(frame)];
    return par_.X_BF[at(frame)].R.rotate_back(X_WB_[at(mount.body)].R.rotate_back(axis_W));
  }
  void add_rotor(const Entity& owner, int dof, bool elastic, const RotorNumbers<double>& numbers) {
    const int mount = graph().find(in_merged(owner), "mounted_on");
    RotorElement rotor;
    rotor.frame = graph().node_size(mount) > 1 ? frame_at(owner, "mounted_on") : -1;
    rotor.dof = dof;
    rotor.elastic = elastic;
    rotor.entity = entry_;
    place(Provenance::Place::rotor, mech_.rotors.size());
    mech_.rotors.push_back(rotor);
    par_.rotors.push_back(numbers);
  }

  void add(const Entity& owner, const Beam&) { refuse(owner); }
  void add(const Entity& owner, const Custom&) { refuse(owner); }
  [[noreturn]] static void refuse(const Entity& owner) {
    throw Error("not-computable", owner.where,
                concat(to_text(owner), " can be described, checked and stored, but not yet computed with. Replace it "
                       "by rigid bodies and joints for now."));
  }

  // --- clusters ---------------------------------------------------------------------------------------------------

  /// Degrees of freedom that couplings tie together are one cluster.
  void make_clusters() {
    std::vector<int> root(at(mech_.nv));
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int k) {
      while (root[at(k)] != k) k = root[at(k)] = root[at(root[at(k)])];
      return k;
    };
    const std::vector<bool> dependent = find_dependent();
    for (const Coupling& coupling : mech_.couplings) {
      for (const int dof : coupling.dofs) root[at(find(dof))] = find(coupling.dofs.front());
    }
    std::map<int, Cluster> clusters;
    for (const Coupling& coupling : mech_.couplings) clusters[find(coupling.dofs.front())];
    for (int k = 0; k < mech_.nv && !clusters.empty(); ++k) {
      const auto cluster = clusters.find(find(k));
      if (cluster == clusters.end()) continue;
      cluster->second.dofs.push_back(k);
      if (!dependent[at(k)]) cluster->second.independent.push_back(k);
    }
    order_couplings(clusters, find);
  }

  /// One degree of freedom for each relation that says something new: its first, unless earlier relations tie that
  /// one already. Gaussian elimination on sparse rows; a relation that only contradicts the others is an error.
  std::vector<bool> find_dependent() const {
    constexpr double rounding = 1e-12;
    struct Row {
      std::map<int, double> factors;
      double offset = 0;
    };
    std::vector<bool> dependent(at(mech_.nv), false);
    std::unordered_map<int, Row> row_of;  // by the degree of freedom that it gives
    for (std::size_t c = 0; c < mech_.couplings.size(); ++c) {
      const Coupling& coupling = mech_.couplings[c];
      Row row{{}, par_.couplings[c].offset};
      for (std::size_t k = 0; k < coupling.dofs.size(); ++k) row.factors[coupling.dofs[k]] += par_.couplings[c].factors[k];
      double size = 0;
      for (const auto& [dof, factor] : row.factors) size = std::max(size, std::abs(factor));
      const auto is_known = [&](const auto& entry) { return dependent[at(entry.first)]; };
      for (auto known = std::find_if(row.factors.begin(), row.factors.end(), is_known); known != row.factors.end();
           known = std::find_if(row.factors.begin(), row.factors.end(), is_known)) {
        const auto [dof, factor] = *known;
        const Row& other = row_of.at(dof);
        for (const auto& [k, x] : other.factors) row.factors[k] -= factor / other.factors.at(dof) * x;
        row.offset -= factor / other.factors.at(dof) * other.offset;
        row.factors.erase(dof);
      }
      std::erase_if(row.factors, [&](const auto& entry) { return std::abs(entry.second) <= rounding * size; });
      if (row.factors.empty()) {
        if (std::abs(row.offset) > rounding * (1 + std::abs(par_.couplings[c].offset))) refuse_contradiction(coupling);
        continue;
      }
      const bool first_is_free = row.factors.contains(coupling.dofs.front());
      const int dof = first_is_free ? coupling.dofs.front() : row.factors.rbegin()->first;
      dependent[at(dof)] = true;
      row_of.emplace(dof, std::move(row));
    }
    return dependent;
  }

  [[noreturn]] void refuse_contradiction(const Coupling& coupling) const {
    const Entity* owner = coupling.entity < 0 ? nullptr : &prepared_.flat->entities()[at(coupling.entity)];
    throw Error("coupling-contradiction", owner == nullptr ? Where{} : owner->where,
                concat(owner == nullptr ? std::string("connected shafts") : to_text(*owner),
                       ": other gears tie the same shafts with another offset, so that no position fits both. Take one "
                       "of them away, or correct its offset."));
  }

  /// The relations of a cluster stand next to each other.
  template <class Find>
  void order_couplings(std::map<int, Cluster>& clusters, const Find& find) {
    std::vector<int> order(mech_.couplings.size());
    std::iota(order.begin(), order.end(), 0);
    const auto cluster_of = [&](int c) { return find(mech_.couplings[at(c)].dofs.front()); };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cluster_of(a) < cluster_of(b); });
    std::vector<Coupling> couplings;
    std::vector<CouplingNumbers<double>> numbers;
    std::vector<int> new_place(order.size());
    for (const int c : order) {
      Range& rows = clusters[cluster_of(c)].rows;
      if (rows.count == 0) rows.first = static_cast<int>(couplings.size());
      ++rows.count;
      new_place[at(c)] = static_cast<int>(couplings.size());
      couplings.push_back(std::move(mech_.couplings[at(c)]));
      numbers.push_back(std::move(par_.couplings[at(c)]));
    }
    mech_.couplings = std::move(couplings);
    par_.couplings = std::move(numbers);
    for (Provenance::Entry& entry : mech_.provenance.entities) {
      if (entry.place == Provenance::Place::coupling) entry.index = new_place[at(entry.index)];
    }
    for (auto& [root, cluster] : clusters) mech_.clusters.push_back(std::move(cluster));
  }

  const Prepared& prepared_;
  const FlatPlaces& places_;
  Mechanism& mech_;
  Parameters<double>& par_;
  int entry_ = 0, motors_ = 0;
  std::map<int, std::vector<int>> dofs_at_;  ///< by node of shafts
  std::unordered_map<int, int> cut_shafts_;  ///< by node of shafts, the cut joint on it
  std::unordered_map<int, int> frame_of_node_;
  std::vector<Pose<double>> X_WB_;  ///< where computations start; empty until needed
  std::unordered_map<std::string, int> own_frames_;
};

}  // namespace

void lower_elements(const Prepared& prepared, const FlatPlaces& places, Mechanism& mech, Parameters<double>& par) {
  Elements(prepared, places, mech, par).run();
}

}  // namespace articula
