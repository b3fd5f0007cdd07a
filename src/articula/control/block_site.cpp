#include <articula/control/block_site.h>

#include <algorithm>
#include <cmath>

#include <articula/base/text.h>
#include <articula/control/internal/shown_mechanism.h>

namespace articula {

BlockSite::BlockSite(const Model& model, const SystemOptions& options)
    : mechanism_(std::make_shared<ShownMechanism>(model, options)) {
  const ShownMechanism& shown = *mechanism_;
  q_names_.assign(shown.map().q_names().begin(), shown.map().q_names().end());
  for (const ShownMechanism::ShownJoint& joint : shown.joints()) {
    const JointTraits kind = traits(joint.kind);
    for (int a = 0; a < joint.v.count; ++a) {
      const auto flat = static_cast<std::size_t>(joint.flat_v + a);
      Dof dof;
      dof.name = shown.map().v_names()[static_cast<std::size_t>(joint.v.first + a)];
      dof.joint = joint.name;
      if (joint.q.count == joint.v.count) dof.position = q_names_[static_cast<std::size_t>(joint.q.first + a)];
      dof.angular = kind.v[static_cast<std::size_t>(a)].dimension == dimension::angular_speed;
      dof.lower = shown.par().lower[flat], dof.upper = shown.par().upper[flat];
      dof.force_limit = shown.par().force_limit[flat], dof.speed_limit = shown.par().speed_limit[flat];
      dofs_.push_back(std::move(dof));
    }
  }
}
BlockSite::~BlockSite() = default;

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
  for (const std::string& joint : joints) {
    const std::size_t before = found.size();
    for (const BlockSite::Dof& dof : site.dofs()) {
      if (joint != "all" && dof.joint != joint && dof.name != joint) continue;
      if (std::any_of(found.begin(), found.end(), [&](const BlockSite::Dof& d) { return d.name == dof.name; }))
        fail("block-joint-twice", concat("joint ", quoted(joint), " is listed twice. List each joint once."));
      found.push_back(dof);
    }
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

}  // namespace articula
