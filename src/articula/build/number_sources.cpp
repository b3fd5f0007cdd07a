#include <articula/build/number_sources.h>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/flatten.h>
#include <articula/mechanism/parameter_fields.h>

namespace articula::build {
namespace {

/// Walks through the members of Parameters in their order, and notes the source of each.
class Walk {
 public:
  Walk(const Model& model, const Built& built)
      : flat_(flatten(model).model),
        mech_(built.mechanism),
        par_(built.parameters),
        place_(mech_.provenance.entities) {}

  std::vector<NumberSource> run() {
    note(par_.gravity_W, {"environment.gravity", {}});
    note(par_.gravity_field, {"environment.gravity", {}});
    each_body(par_.X_PF), each_body(par_.placement), each_body(par_.axis_sign);
    for (std::size_t i = 0; i < par_.joint.size(); ++i) joint_parameters(par_.joint[i], mech_.bodies[i].entity);
    each_body(par_.R_FJ), each_body(par_.M_B), each_body(par_.internal_momentum);
    for (std::size_t f = 0; f < par_.X_BF.size(); ++f) note(par_.X_BF[f], whole(entity_of_frame(f)));
    each_constituent(par_.X_BC, "");
    for (std::size_t c = 0; c < par_.M_C.size(); ++c) inertia(par_.M_C[c], constituent(c));
    each_constituent(par_.internal_momentum_C, "internal_momentum");
    each_dof(par_.damping, "damping"), each_dof(par_.friction, "friction");
    each_dof(par_.armature, "");  // of rotors
    for (std::size_t f = 0; f < par_.forces.size(); ++f) force(par_.forces[f], mech_.forces[f].entity);
    for (std::size_t c = 0; c < par_.constraints.size(); ++c)
      constraint(par_.constraints[c], mech_.constraints[c].entity);
    for (std::size_t r = 0; r < par_.rotors.size(); ++r) rotor(par_.rotors[r], mech_.rotors[r].entity);
    for (std::size_t c = 0; c < par_.couplings.size(); ++c) {
      note(par_.couplings[c].factors, source(mech_.couplings[c].entity, "ratio"));
      note(par_.couplings[c].offset, source(mech_.couplings[c].entity, "offset"));
    }
    note(par_.closures, {});
    each_dof(par_.lower, "limits"), each_dof(par_.upper, "limits");
    // A drive narrows them.
    each_dof(par_.speed_limit, ""), each_dof(par_.force_limit, "force_limit");
    for (std::size_t r = 0; r < par_.torque_limit.size(); ++r)
      note(par_.torque_limit[r], source(mech_.rotors[r].entity, "torque_limit"));
    for (const Body& body : mech_.bodies) {
      for (const int k : body.q) note(par_.q_start[at(k)], source(body.entity, "start"));
    }
    return std::move(sources_);
  }

 private:
  template <class Part>
  void note(const Part& part, const NumberSource& from) {
    for_each_number([&](const auto&) { sources_.push_back(from); }, part);
  }
  template <class List>
  void each_body(const List& list) {
    for (std::size_t i = 0; i < list.size(); ++i) note(list[i], whole(mech_.bodies[i].entity));
  }
  template <class List>
  void each_dof(const List& list, std::string_view property) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      note(list[k], source(mech_.bodies[at(mech_.body_of_dof[k])].entity, property));
    }
  }
  template <class List>
  void each_constituent(const List& list, std::string_view property) {
    for (std::size_t c = 0; c < list.size(); ++c) note(list[c], source(constituent(c), property));
  }

  NumberSource whole(int entity) const {
    if (entity < 0) return {};
    return {place_[at(entity)].name, flat_.entities()[at(entity)].where};
  }
  /// Of one property of an entity; of nothing, if its kind has no such property.
  NumberSource source(int entity, std::string_view property) const {
    NumberSource from = whole(entity);
    if (entity < 0 || property.empty()) return from;
    bool known = false;
    std::visit(
        [&]<class K>(const K& kind) {
          K::fields(kind, [&](std::string_view name, const auto&, const Dimension&) { known |= name == property; });
        },
        flat_.entities()[at(entity)].kind);
    return known ? NumberSource{concat(from.path, ".", property), from.where} : NumberSource{};
  }

  int constituent(std::size_t c) const { return mech_.provenance.constituents[c].entity; }
  int entity_of_frame(std::size_t f) const {
    for (std::size_t e = 0; e < place_.size(); ++e) {
      if (place_[e].name == mech_.frames[f].name.entity && family_of(flat_.entities()[e].kind) == Family::body)
        return static_cast<int>(e);
    }
    return -1;
  }

  void joint_parameters(const JointParameters<double>& par, int entity) {
    std::visit(
        [&]<class Own>(const Own& own) {
          Own::fields(own, [&](std::string_view name, const auto& value, const Dimension&) {
            note(value, source(entity, name));
          });
        },
        par);
  }
  void inertia(const Inertia<double>& M, int entity) {
    const bool by_density = std::get<RigidBody>(flat_.entities()[at(entity)].kind).density.has_value();
    note(M.m, source(entity, by_density ? "" : "mass"));
    note(M.h, whole(entity)), note(M.I, whole(entity));
  }
  void force(const ForceNumbers<double>& numbers, int entity) {
    note(numbers.stiffness, source(entity, "stiffness"));
    note(numbers.damping, source(entity, "damping"));
    note(numbers.rest, source(entity, "rest"));
    const bool wrench = std::holds_alternative<ExternalForce>(flat_.entities()[at(entity)].kind);
    note(numbers.force, wrench ? NumberSource{} : source(entity, "force"));
    note(numbers.wrench.n, source(entity, "moment"));
    note(numbers.wrench.f, wrench ? source(entity, "force") : NumberSource{});
    for (const double& factor : numbers.factors) note(factor, source(entity, "gear"));
    note(numbers.offset, NumberSource{});
  }
  void constraint(const ConstraintNumbers<double>& numbers, int entity) {
    const Kind& kind = flat_.entities()[at(entity)].kind;
    const bool joint = std::holds_alternative<Joint>(kind), contact = std::holds_alternative<ContactPoint>(kind);
    note(numbers.length, source(entity, "length")), note(numbers.mass, source(entity, "mass"));
    note(numbers.radius, joint ? NumberSource{} : source(entity, "radius"));
    // The ground has a part in the friction of contacts.
    note(numbers.friction, contact ? whole(entity) : NumberSource{});
    note(numbers.restitution, source(entity, "restitution"));
    note(numbers.axis, source(entity, "axis"));
    note(numbers.normal,
         contact ? NumberSource{"environment.ground", {}} : source(entity, joint ? "second_axis" : "normal"));
    note(numbers.side_slip, source(entity, "side_slip"));
    joint_parameters(numbers.joint, entity);
  }
  void rotor(const RotorNumbers<double>& numbers, int entity) {
    const bool drive = std::holds_alternative<Drive>(flat_.entities()[at(entity)].kind);
    note(numbers.inertia, source(entity, drive ? "rotor_inertia" : "inertia"));
    note(numbers.gear, source(entity, "gear"));
    note(numbers.stiffness, source(entity, "stiffness"));
    note(numbers.damping, source(entity, "damping"));
    note(numbers.friction, source(entity, "friction"));
    note(numbers.viscous_friction, source(entity, "viscous_friction"));
    note(numbers.axis, drive ? whole(entity) : source(entity, "axis"));  // the driven joint's, unless it is given
  }

  const Model flat_;
  const Mechanism& mech_;
  const Parameters<double>& par_;
  const std::vector<Provenance::Entry>& place_;
  std::vector<NumberSource> sources_;
};

}  // namespace

std::vector<NumberSource> number_sources(const Model& model, const Built& built) { return Walk(model, built).run(); }

}  // namespace articula::build
