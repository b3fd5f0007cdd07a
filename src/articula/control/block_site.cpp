#include <articula/control/block_site.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/build/not_computed.h>
#include <articula/closure/computed.h>
#include <articula/solve/internal/exposed_mechanism.h>

namespace articula::control {

BlockSite::BlockSite(const Model& model, const SystemOptions& options)
    : mechanism_(std::make_shared<ExposedMechanism>(model, options.mechanism, options.exterior, options.build,
                                                    options.passive)),
      options_(options) {
  refuse_loops("the motion", mechanism_->mech());
  mechanism_->require_regular_joints();
  refuse_contacts();
  if (auto rotors = rotors_locked(mechanism_->mech(), mechanism_->par())) add_finding(findings_, std::move(*rotors));
  const ExposedMechanism& exposed = *mechanism_;
  q_names_.assign(exposed.map().q_names().begin(), exposed.map().q_names().end());
  for (const ExposedMechanism::Joint& joint : exposed.joints()) {
    const JointTraits kind = traits(joint.kind);
    for (int a = 0; a < joint.v.count; ++a) {
      const auto flat = static_cast<std::size_t>(joint.flat_v + a);
      Dof dof;
      dof.name = exposed.map().v_names()[static_cast<std::size_t>(joint.v.first + a)];
      dof.joint = joint.name;
      if (joint.q.count == joint.v.count) dof.position = q_names_[static_cast<std::size_t>(joint.q.first + a)];
      dof.angular = kind.v[static_cast<std::size_t>(a)].dimension == dimension::angular_speed;
      dof.lower = exposed.par().lower[flat], dof.upper = exposed.par().upper[flat];
      dof.is_motor = exposed.mech().bodies[static_cast<std::size_t>(exposed.mech().body_of_dof[flat])].rotor >= 0;
      dof.force_limit = exposed.par().force_limit[flat], dof.speed_limit = exposed.par().speed_limit[flat];
      dof.drive_limit = drive_limit(exposed.mech(), exposed.par(), joint.flat_v + a);
      dofs_.push_back(std::move(dof));
    }
  }
  const Mechanism& mech = exposed.mech();
  for (const int flat : exposed.map().followers()) {
    const auto k = static_cast<std::size_t>(flat);
    const Body& body = mech.bodies[static_cast<std::size_t>(mech.body_of_dof[k])];
    Dof dof;
    dof.name = mech.layout.v[k];
    dof.joint = joint_name(mech, body);
    dof.position = mech.layout.q[static_cast<std::size_t>(position_of(mech, flat))];
    dof.angular =
        traits(body.joint).v[k - static_cast<std::size_t>(body.v.first)].dimension == dimension::angular_speed;
    dof.follows = true;
    dof.is_motor = body.rotor >= 0;
    dof.lower = exposed.par().lower[k], dof.upper = exposed.par().upper[k];
    dof.force_limit = exposed.par().force_limit[k], dof.speed_limit = exposed.par().speed_limit[k];
    dof.drive_limit = drive_limit(mech, exposed.par(), flat);
    followers_.push_back(std::move(dof));
  }
}
BlockSite::~BlockSite() = default;

void BlockSite::refuse_contacts() {
  const Mechanism& mech = mechanism_->mech();
  std::vector<std::string> names;
  for (const Constraint& constraint : mech.constraints) {
    if (constraint.kind == Constraint::Kind::contact)
      names.push_back(mech.provenance.entities[static_cast<std::size_t>(constraint.entity)].name);
  }
  if (names.empty()) return;
  const std::string which =
      concat(names.size() == 1 ? "contact " : concat(names.size(), " contacts: "), list_of(names));
  if (options_.ignore_contacts) {
    add_finding(findings_, {Severity::warning,
                            "contact-ignored",
                            {},
                            concat(quoted(mech.name), " has ", which,
                                   ". They are ignored, as asked: nothing holds the ", "mechanism up there.")});
    return;
  }
  throw Error(
      "contact-not-computed", {},
      concat(quoted(mech.name), " has ", which,
             ". This version does not compute contact forces: the mechanism would fall through its ground. Write ",
             "`ignore: [contacts]` to run it without them, or take them away from the model."));
}

BlockMaking::BlockMaking(const BlockSite& where_it_goes, std::string block_name, Where block_where)
    : site(where_it_goes), block(std::move(block_name)), where(std::move(block_where)) {}

void BlockMaking::fail(std::string code, std::string_view message) const {
  throw Error(std::move(code), where, concat("block ", quoted(block), ": ", message));
}

static std::vector<std::string> joint_names(const BlockSite& site) {
  std::vector<std::string> names;
  for (const BlockSite::Dof& dof : site.dofs()) {
    if (names.empty() || names.back() != dof.joint) names.push_back(dof.joint);
  }
  return names;
}

std::vector<BlockSite::Dof> BlockMaking::dofs(std::span<const std::string> joints) const {
  if (joints.empty()) fail("block-no-joint", "it names no joint. Give `joints: all`, or a list of joints.");
  std::vector<BlockSite::Dof> found;
  std::unordered_set<std::string_view> met;
  for (const std::string& joint : joints) {
    const std::size_t before = found.size();
    const auto take = [&](const BlockSite::Dof& dof) {
      if (joint == "all" ? dof.is_motor : dof.joint != joint && dof.name != joint) return;
      if (!met.insert(dof.name).second)
        fail("block-joint-twice", concat("joint ", quoted(joint), " is listed twice. List each joint once."));
      found.push_back(dof);
    };
    std::for_each(site.dofs().begin(), site.dofs().end(), take);
    if (joint != "all") std::for_each(site.followers().begin(), site.followers().end(), take);
    if (found.size() == before) {
      fail("no-such-joint", concat("joint ", quoted(joint), " not found among those that move.",
                                   choices(joint, "Joints", joint_names(site))));
    }
  }
  return found;
}

BlockSite::Dof BlockMaking::dof(const std::string& joint) const {
  if (joint.empty()) fail("block-no-joint", "it names no joint. Give `joint: ` and a joint's name.");
  const std::vector<BlockSite::Dof> found = dofs(std::span(&joint, 1));
  if (found.size() != 1) {
    fail("block-joint-kind",
         concat("joint ", quoted(joint), " has ", found.size(),
                " degrees of freedom, and it acts on one. Name one of them: ", found.front().name, ", ..."));
  }
  return found.front();
}

void BlockMaking::need_positions(std::span<const BlockSite::Dof> dofs) const {
  for (const BlockSite::Dof& dof : dofs) {
    if (!dof.position.empty()) continue;
    fail("block-joint-kind", concat("joint ", quoted(dof.joint),
                                    " is held by a quaternion, and has no angle for each of its axes. Leave it out, or "
                                    "make it of revolute or universal joints."));
  }
}

void BlockMaking::need_independent(std::span<const BlockSite::Dof> dofs) const {
  for (const BlockSite::Dof& dof : dofs) {
    if (!dof.follows) continue;
    fail("block-joint-follows", concat("joint ", quoted(dof.name),
                                       " follows others by a gear, and the block computes with the joints that move "
                                       "independently. Name the joint that drives it."));
  }
}

void BlockMaking::need_form(std::span<const BlockSite::Dof> dofs, Form form) const {
  for (const BlockSite::Dof& dof : dofs) {
    if (dof.angular == (form == Form::torsional)) continue;
    fail("block-form", concat("joint ", quoted(dof.name), dof.angular ? " turns" : " slides",
                              ", but the block's numbers are for joints that ", dof.angular ? "slide" : "turn",
                              ". Write `form: ", dof.angular ? "torsional" : "translational",
                              "`, and give joints that turn and joints that slide a block each."));
  }
}

std::vector<double> BlockMaking::each(std::string_view property, std::span<const double> values, std::size_t n,
                                      double least) const {
  if (values.size() != 1 && values.size() != n) {
    fail("block-values", concat(property, " has ", values.size(), values.size() == 1 ? " number" : " numbers",
                                n == 1 ? ", but there is " : ", but there are ", n, n == 1 ? " joint" : " joints",
                                ". Give one number for all, or one for each."));
  }
  std::vector<double> all(n);
  for (std::size_t k = 0; k < n; ++k) {
    all[k] = values[values.size() == 1 ? 0 : k];
    if (!(all[k] >= least)) {
      fail("block-value", concat(property, " is ", all[k], ". It must be at least ", least, "."));
    }
  }
  return all;
}

void BlockMaking::need_positive(std::string_view property, double value) const {
  if (!(value > 0)) fail("block-value", concat(property, " is ", value, ". It must be greater than 0."));
}

void BlockMaking::need_not_negative(std::string_view property, double value) const {
  if (!(value >= 0)) fail("block-value", concat(property, " is ", value, ". It must be at least 0."));
}

void BlockMaking::need_text(std::string_view property, std::string_view value, std::string_view example) const {
  if (!value.empty()) return;
  fail("block-needs", concat("it has no ", property, ". Give it one, e.g. `", property, ": ", example, "`."));
}

}  // namespace articula::control
