// Which rotors drive which joints, from the gears and springs of a mechanism with elastic drives.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include <Eigen/LU>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/drives/elastic_chain.h>

namespace articula::drives {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A relation between angles of rotors and of joints: Σ rotors·θ + Σ joints·q = constant, or the deflection of a spring.
struct Relation {
  std::map<int, double> rotors, joints;  ///< factors, by place in ElasticChain::rotors and by degree of freedom
  double constant = 0;
  const ForceNumbers<double>* spring = nullptr;
  int entity = -1;
};

[[noreturn]] void refuse(std::string_view code, const std::string& message) {
  throw Error(std::string(code), {}, message);
}

class Grouping {
 public:
  Grouping(const Mechanism& mech, const Mechanism& full, const Parameters<double>& par, ElasticChain& chain)
      : mech_(mech), full_(full), par_(par), chain_(chain) {
    for (int k = 0; k < mech.nv; ++k) locked_dofs_.emplace(mech.layout.v[at(k)], k);
  }

  void run() {
    list_rotors();
    list_relations();
    join();
    for (const auto& [root, members] : members_) add_group(members, of_group_[root]);
  }

 private:
  const Provenance::Entry& entity(int k) const { return full_.provenance.entities[at(k)]; }
  std::string named(const ElasticRotor& rotor) const {
    return concat(entity(full_.rotors[at(rotor.element)].entity).kind, " ", quoted(rotor.name));
  }

  void list_rotors() {
    for (std::size_t r = 0; r < full_.rotors.size(); ++r) {
      const RotorElement& element = full_.rotors[r];
      const int frame = mech_.rotors[r].frame;
      ElasticRotor rotor;
      rotor.element = static_cast<int>(r);
      rotor.carrier = frame < 0 ? 0 : mech_.frames[at(frame)].body;
      rotor.name = entity(element.entity).name;
      const int place = static_cast<int>(chain_.rotors.size());
      if (element.body >= 0) rotor_of_dof_[full_.bodies[at(element.body)].v.first] = place;
      chain_.rotors.push_back(std::move(rotor));
      if (element.form != RotorForm::along_joint && element.form != RotorForm::exchanged) continue;
      Relation rigid;  // θ = gear·q
      rigid.rotors[place] = 1, rigid.joints[locked_dof(element.dof)] = -par_.rotors[r].gear;
      relations_.push_back(rigid);
    }
  }

  /// The degree of freedom of a joint in the mechanism with locked drives.
  int locked_dof(int dof) const { return locked_dofs_.at(full_.layout.v[at(dof)]); }
  void add_term(int dof, double factor, Relation& relation) const {
    if (factor == 0) return;
    if (const auto rotor = rotor_of_dof_.find(dof); rotor != rotor_of_dof_.end()) {
      relation.rotors[rotor->second] += factor;
    } else {
      relation.joints[locked_dof(dof)] += factor;
    }
  }

  void list_relations() {
    for (std::size_t c = 0; c < full_.couplings.size(); ++c) {
      Relation gear;
      gear.constant = par_.couplings[c].offset, gear.entity = full_.couplings[c].entity;
      for (std::size_t k = 0; k < full_.couplings[c].dofs.size(); ++k)
        add_term(full_.couplings[c].dofs[k], par_.couplings[c].factors[k], gear);
      relations_.push_back(std::move(gear));
    }
    for (std::size_t f = 0; f < full_.forces.size(); ++f) {
      if (full_.forces[f].kind != ForceElement::Kind::shaft) continue;
      Relation spring;
      spring.spring = &par_.forces[f], spring.entity = full_.forces[f].entity;
      for (std::size_t k = 0; k < full_.forces[f].dofs.size(); ++k)
        add_term(full_.forces[f].dofs[k], par_.forces[f].factors[k], spring);
      if (!spring.rotors.empty()) relations_.push_back(std::move(spring));
    }
  }

  /// Rotors that share a relation or a joint are in one group.
  void join() {
    parent_.resize(chain_.rotors.size());
    std::iota(parent_.begin(), parent_.end(), 0);
    std::map<int, int> rotor_on_joint;
    for (const Relation& relation : relations_) {
      if (relation.rotors.empty()) continue;
      const int first = relation.rotors.begin()->first;
      for (const auto& [rotor, factor] : relation.rotors) unite(first, rotor);
      for (const auto& [dof, factor] : relation.joints)
        unite(first, rotor_on_joint.try_emplace(dof, first).first->second);
    }
    for (int r = 0; r < static_cast<int>(parent_.size()); ++r) members_[root_of(r)].push_back(r);
    for (const Relation& relation : relations_) {
      if (!relation.rotors.empty()) of_group_[root_of(relation.rotors.begin()->first)].push_back(&relation);
    }
  }
  int root_of(int r) {
    while (parent_[at(r)] != r) r = parent_[at(r)] = parent_[at(parent_[at(r)])];
    return r;
  }
  void unite(int a, int b) { parent_[at(std::max(root_of(a), root_of(b)))] = std::min(root_of(a), root_of(b)); }

  void add_group(const std::vector<int>& rotors, const std::vector<const Relation*>& own) {
    ElasticGroup group;
    group.rotors = rotors;
    group.first = chain_.groups.empty() ? 0 : chain_.groups.back().first + chain_.groups.back().shafts.size();
    std::map<int, std::size_t> shaft_of_dof;
    for (const Relation* relation : own) {
      for (const auto& [dof, factor] : relation->joints) shaft_of_dof.try_emplace(dof, shaft_of_dof.size());
    }
    require_determined(rotors, own, shaft_of_dof);
    group.shafts.resize(rotors.size()), group.offset.resize(rotors.size());
    for (const auto& [dof, shaft] : shaft_of_dof) group.shafts[shaft].dof = dof;
    const auto n = static_cast<Eigen::Index>(rotors.size());
    const auto place = [&](int rotor) { return std::find(rotors.begin(), rotors.end(), rotor) - rotors.begin(); };
    Matrix R = Matrix::Zero(n, n), inverse = Matrix::Zero(n, n);
    const bool by_springs = own.front()->spring != nullptr;
    for (const Relation* relation : own) {
      if (by_springs) {
        take_spring(*relation, shaft_of_dof, place, group, inverse);
        continue;
      }
      const auto& [rotor, factor] = *relation->rotors.begin();
      group.offset[at(static_cast<int>(place(rotor)))] = relation->constant / factor;
      for (const auto& [dof, of_joint] : relation->joints)
        R(place(rotor), static_cast<Eigen::Index>(shaft_of_dof.at(dof))) = -of_joint / factor;
    }
    const Eigen::FullPivLU<Matrix> factors(by_springs ? inverse : R);
    if (!factors.isInvertible()) {
      refuse("elastic-gear",
             concat("the gear ratios between ", names(rotors),
                    " and their joints are a singular matrix, so that the torques of the motors are not "
                    "determined. Give them a regular matrix."));
    }
    (by_springs ? R : inverse) = factors.inverse();
    group.R.assign(R.data(), R.data() + n * n), group.inverse.assign(inverse.data(), inverse.data() + n * n);
    for (const int r : rotors) chain_.rotors[at(r)].group = static_cast<int>(chain_.groups.size());
    chain_.groups.push_back(std::move(group));
  }

  /// A spring between a joint and rotors: x = f·θ − n·q + offset gives u = n²·K·(σ − q) + …, with σ = f·θ/n.
  template <class PlaceOf>
  void take_spring(const Relation& relation, const std::map<int, std::size_t>& shaft_of_dof, const PlaceOf& place,
                   ElasticGroup& group, Matrix& inverse) const {
    const auto& [dof, factor] = *relation.joints.begin();
    const double n = -factor;
    const ForceNumbers<double>& spring = *relation.spring;
    const std::size_t s = shaft_of_dof.at(dof);
    ElasticGroup::Shaft& shaft = group.shafts[s];
    if (!(spring.stiffness > 0)) {
      refuse("elastic-stiffness",
             concat(entity(relation.entity).kind, " ", quoted(entity(relation.entity).name), ": its stiffness is ",
                    spring.stiffness, ". An elastic drive needs a positive stiffness; omit it for a rigid drive."));
    }
    shaft.has_spring = shaft.elastic = true;
    shaft.stiffness = n * n * spring.stiffness, shaft.damping = n * n * spring.damping;
    shaft.preload = n * (spring.stiffness * (spring.offset - spring.rest) - spring.force);
    for (const auto& [rotor, f] : relation.rotors) inverse(static_cast<Eigen::Index>(s), place(rotor)) = f / n;
  }

  std::string names(const std::vector<int>& rotors) const {
    std::vector<std::string> all;
    for (const int r : rotors) all.push_back(named(chain_.rotors[at(r)]));
    return list_of(all);
  }

  void require_determined(const std::vector<int>& rotors, const std::vector<const Relation*>& own,
                          const std::map<int, std::size_t>& joints) const {
    if (joints.empty()) {
      refuse(
          "elastic-gear",
          concat(named(chain_.rotors[at(rotors.front())]),
                 " is on a shaft without a joint, so that its angle does not follow from the joints. Connect it to a "
                 "joint, or use InverseDynamics with rigid drives."));
    }
    if (joints.size() == 1 && rotors.size() > 1) {
      refuse("elastic-drives", concat(named(chain_.rotors[at(rotors[1])]), " is the second drive on joint ",
                                      quoted(mech_.layout.v[at(joints.begin()->first)]),
                                      ". How two drives share a torque is not determined. Leave one of them out."));
    }
    const bool by_springs = own.front()->spring != nullptr;
    bool simple = joints.size() == rotors.size() && own.size() == rotors.size();
    for (const Relation* relation : own) {
      simple = simple && (relation->spring != nullptr) == by_springs &&
               (by_springs ? relation->joints.size() == 1 : relation->rotors.size() == 1);
    }
    if (simple) return;
    refuse("elastic-gear",
           concat(names(rotors), " drive ", joints.size(), joints.size() == 1 ? " joint" : " joints", " through ",
                  own.size(), own.size() == 1 ? " gear or spring" : " gears or springs",
                  ". Torques are determined where there are as many rotors as joints, and either a spring "
                  "for each joint or a gear for each rotor. Use InverseDynamics with rigid drives."));
  }

  const Mechanism &mech_, &full_;
  const Parameters<double>& par_;
  ElasticChain& chain_;
  std::unordered_map<std::string_view, int> locked_dofs_;
  std::unordered_map<int, int> rotor_of_dof_;
  std::vector<Relation> relations_;
  std::vector<int> parent_;
  std::map<int, std::vector<int>> members_;
  std::map<int, std::vector<const Relation*>> of_group_;
};

}  // namespace

void ElasticChain::find_groups(const Mechanism& mech, const Mechanism& full, const Parameters<double>& par_full) {
  Grouping(mech, full, par_full, *this).run();
}

}  // namespace articula::drives
