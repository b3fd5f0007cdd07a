#include <articula/formats/urdf_reader.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/formats/internal/as_wanted.h>
#include <articula/formats/internal/urdf_parse.h>
#include <articula/formats/internal/urdf_tree.h>
#include <articula/formats/internal/xml_text.h>

namespace articula::formats {
namespace {

/// The place X on an entity; the entity itself where X is the identity.
Attachment place_on(const std::string& entity, const Pose<double>& X) {
  if (X == Pose<double>::identity()) return Attachment(entity);
  return Attachment(entity, X);
}

bool turns_one_shaft(const Joint& joint) { return traits(joint.kind).nv() == 1; }

/// Makes a model of what a file says.
class UrdfTranslation {
 public:
  UrdfTranslation(UrdfRobot robot, UrdfInput& input) : robot_(std::move(robot)), input_(input), tree_(robot_, input) {}

  Model run() {
    input_.throw_if_errors();
    model_ = Model(robot_.name);
    model_.imported = true;
    world_is_root_ = robot_.links[at(tree_.root())].name == world_name;
    add_bodies();
    add_base();
    add_joints();
    add_loops();
    add_couplings();
    add_drives();
    add_mimics();  // these two make up names, and take those that are left
    add_rotors();
    input_.throw_if_errors();
    return std::move(model_);
  }

 private:
  /// Names of joints on the way to a predecessor and to a successor.
  struct Ways {
    std::vector<std::string> out, in;
  };

  void add_bodies();
  void add_base();
  void add_joints();
  void add_loops();
  void add_mimics();
  void add_couplings();
  void add_drives();
  void add_rotors();

  void check_world(const UrdfLink& link);
  std::optional<UrdfMimic> leader_of(const UrdfJoint& joint, const std::string& subject);
  std::vector<int> anchors() const;
  std::optional<Ways> ways_to_common(int predecessor, int successor, const std::vector<int>& anchor,
                                     const UrdfCoupling& coupling);
  void add_gear(std::string name, Where where, Gear gear, const std::string& in, const std::vector<std::string>& outs);
  void add_drive(const std::string& wish, const UrdfJoint& joint, const Drive& drive, const Where& where);
  UrdfRotor rotor_of(const UrdfTransmission& transmission, const UrdfJoint& joint);

  /// `wish`, or `wish_2`, `wish_3`, ... if an entity of that family is called so already.
  std::string free_name(const std::string& wish, Family family) const {
    std::string name = wish;
    for (int k = 2; model_.find(name, family) != nullptr; ++k) name = concat(wish, "_", k);
    return name;
  }

  UrdfRobot robot_;
  UrdfInput& input_;
  UrdfTree tree_;
  Model model_;
  bool world_is_root_ = false;
  std::vector<bool> driven_;  ///< joints whose rotor came with a transmission
};

// Bodies and joints -----------------------------------------------------------------------------------------

/// World neither moves nor has shapes.
void UrdfTranslation::check_world(const UrdfLink& link) {
  if (!world_is_root_) {
    input_.error("name-reserved", link.where,
                 "link \"world\" hangs on another link. The name is reserved for World, the root; rename the link.");
  }
  if (link.has_inertial) {
    input_.note("not-expressed", link.where, "link \"world\": World does not move; its inertia has no effect.");
  }
  if (!link.body.shapes.empty()) {
    input_.unexpressed(link.where, concat("link \"world\": World has no shapes; ", link.body.shapes.size(),
                                          " of <visual> and <collision> were left out."));
  }
}

void UrdfTranslation::add_bodies() {
  for (UrdfLink& link : robot_.links) {
    if (link.name == world_name) {
      check_world(link);
    } else {
      model_.add(Entity{link.name, std::move(link.body), link.where});
    }
  }
  input_.throw_if_errors();
}

/// The root stands in World: it is World, is welded to it (their frames coincide), or is free in it.
void UrdfTranslation::add_base() {
  const UrdfLink& root = robot_.links[at(tree_.root())];
  const bool floating = input_.options().base == ReadOptions::Base::floating;
  if (world_is_root_) {
    if (floating) {
      input_.note("base-is-world", root.where,
                  "link \"world\" is World: the base stands in it as the file says, and was not made floating.");
    }
    return;
  }
  if (!floating) {
    model_.connect({{std::string(world_name), ""}, {root.name, ""}}, root.where);
    return;
  }
  std::string name = "floating_base";
  for (int k = 2; tree_.is_joint_or_loop(name); ++k) name = concat("floating_base_", k);
  model_.add(Entity{name, Joint{.kind = JointKind::free}, root.where});
  model_.attach(name, Family::joint, "from", Attachment(std::string(world_name)), root.where);
  model_.attach(name, Family::joint, "to", Attachment(root.name), root.where);
}

void UrdfTranslation::add_joints() {
  for (const UrdfJoint& joint : robot_.joints) {
    model_.add(Entity{joint.name, joint.joint, joint.where});
    model_.attach(joint.name, Family::joint, "from", place_on(joint.parent.name, joint.X_PF), joint.where);
    model_.attach(joint.name, Family::joint, "to", Attachment(joint.child.name), joint.where);
  }
}

void UrdfTranslation::add_loops() {
  for (const UrdfLoop& loop : robot_.loops) {
    const std::string subject = concat("loop ", quoted(loop.name));
    const UrdfLoopEnd *ends[] = {&loop.predecessor, &loop.successor}, *missing = nullptr;
    for (const UrdfLoopEnd* end : ends) {
      if (tree_.find_link(end->link.name) < 0) tree_.report_no_link((missing = end)->link, subject);
    }
    if (missing != nullptr) continue;
    if (loop.predecessor.link.name == loop.successor.link.name) {
      input_.error("self-parent", loop.where,
                   concat(subject, ": both its ends are on link ", quoted(loop.successor.link.name),
                          ". Name two different links."));
      continue;
    }
    model_.add(Entity{loop.name, loop.joint, loop.where});
    model_.attach(loop.name, Family::joint, "from", place_on(ends[0]->link.name, ends[0]->X_LF), loop.where);
    model_.attach(loop.name, Family::joint, "to", place_on(ends[1]->link.name, ends[1]->X_LF), loop.where);
  }
}

// Gears -----------------------------------------------------------------------------------------------------

void UrdfTranslation::add_gear(std::string name, Where where, Gear gear, const std::string& in,
                               const std::vector<std::string>& outs) {
  model_.add(Entity{name, std::move(gear), where});
  model_.attach(name, Family::element, "in1", Attachment(in), where);
  for (std::size_t k = 0; k < outs.size(); ++k) {
    model_.attach(name, Family::element, concat("out", k + 1), Attachment(outs[k]), where);
  }
}

/// The joint at the end of a chain of mimics, with the ratio and offset of the whole chain; none, after a report, if
/// there is none. Joint by joint, q = m₁·(m₂·q_leader + o₂) + o₁.
std::optional<UrdfMimic> UrdfTranslation::leader_of(const UrdfJoint& joint, const std::string& subject) {
  constexpr int longest_chain = 64;
  constexpr std::string_view on_its_own = "the joint moves on its own";
  UrdfMimic mimic = *joint.mimic;
  const UrdfJoint* leader = nullptr;
  for (int k = 0; k < longest_chain; ++k) {
    const int number = tree_.find_joint(mimic.leader.name);
    if (number < 0) {
      tree_.report_no_joint(mimic.leader, subject, on_its_own);
      return std::nullopt;
    }
    leader = &robot_.joints[at(number)];
    if (leader == &joint || !leader->mimic) break;
    mimic.offset += mimic.multiplier * leader->mimic->offset;
    mimic.multiplier *= leader->mimic->multiplier;
    mimic.leader.name = leader->mimic->leader.name;
  }
  if (leader == &joint || leader->mimic) {
    input_.error("mimic-cycle", mimic.leader.where,
                 concat(subject, ": it mimics ", quoted(joint.mimic->leader.name),
                        ", which in the end mimics it. One joint must lead."));
    return std::nullopt;
  }
  for (const UrdfJoint* each : {&joint, leader}) {
    if (turns_one_shaft(each->joint)) continue;
    input_.defect("mimic-type", mimic.leader.where,
                  concat(subject, ": it mimics ", quoted(mimic.leader.name), ", but joint ", quoted(each->name), " is ",
                         traits(each->joint.kind).name, ". Both need one degree of freedom; <mimic> was ignored."));
    return std::nullopt;
  }
  return mimic;
}

void UrdfTranslation::add_mimics() {
  const bool coupled = input_.options().mimic == ReadOptions::Mimic::coupled;
  for (const UrdfJoint& joint : robot_.joints) {
    if (!joint.mimic) continue;
    const std::string subject = concat("joint ", quoted(joint.name));
    const auto mimic = leader_of(joint, subject);
    if (!mimic) continue;
    if (!coupled) {
      input_.note(
          "mimic-independent", mimic->leader.where,
          concat(subject, ": it mimics ", quoted(mimic->leader.name), " in the file, and was made independent."));
      continue;
    }
    Gear gear{.ratio = {{mimic->multiplier}}};
    if (mimic->offset != 0) gear.offset = {mimic->offset};
    add_gear(free_name(joint.name + "_mimic", Family::element), mimic->leader.where, std::move(gear), joint.name,
             {mimic->leader.name});
  }
}

/// For each link, the one nearest the root that is rigidly connected with it: couplings skip fixed joints.
std::vector<int> UrdfTranslation::anchors() const {
  const int links = static_cast<int>(robot_.links.size());
  std::vector<int> order(at(links)), anchor(at(links));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return tree_.depth(a) < tree_.depth(b); });
  for (const int link : order) {
    const int carrier = tree_.carrier(link);
    const bool rigid = carrier >= 0 && robot_.joints[at(carrier)].joint.kind == JointKind::fixed;
    anchor[at(link)] = rigid ? anchor[at(tree_.parent(link))] : link;
  }
  return anchor;
}

/// The moving joints from two links up to where they meet, outermost first; none, after an error, if they
/// cannot be coupled.
std::optional<UrdfTranslation::Ways> UrdfTranslation::ways_to_common(int predecessor, int successor,
                                                                     const std::vector<int>& anchor,
                                                                     const UrdfCoupling& coupling) {
  constexpr std::size_t most = 16;
  const std::string subject = concat("coupling ", quoted(coupling.name));
  Ways ways;
  int a = anchor[at(predecessor)], b = anchor[at(successor)];
  while (a != b && ways.out.size() <= most && ways.in.size() <= most) {
    // The anchor of the deeper one's parent is never below where they meet.
    const bool first = tree_.depth(a) > tree_.depth(b);
    int& link = first ? a : b;
    const UrdfJoint& joint = robot_.joints[at(tree_.carrier(link))];
    if (!turns_one_shaft(joint.joint)) {
      input_.error("coupling-type", coupling.where,
                   concat(subject, ": joint ", quoted(joint.name), " on its way is ", traits(joint.joint.kind).name,
                          ". Only joints with one degree of freedom can be coupled."));
      return std::nullopt;
    }
    (first ? ways.out : ways.in).push_back(joint.name);
    link = anchor[at(tree_.parent(link))];
  }
  const bool missing = ways.out.empty() || ways.in.empty();
  if (!missing && a == b) return ways;
  input_.error(
      "coupling-empty", coupling.where,
      concat(subject, ": there ", a == b ? "is no joint" : "are more than 16 joints",
             " between one of its links and their nearest common ancestor. It needs one at least, 16 at most."));
  return std::nullopt;
}

/// Σ successor = ratio · Σ predecessor, solved for the successor's own joint:
///
///     q_s = ratio · Σ q_p − Σ other q_s
void UrdfTranslation::add_couplings() {
  if (robot_.couplings.empty()) return;
  const std::vector<int> anchor = anchors();
  for (const UrdfCoupling& coupling : robot_.couplings) {
    const std::string subject = concat("coupling ", quoted(coupling.name));
    const int predecessor = tree_.find_link(coupling.predecessor.name),
              successor = tree_.find_link(coupling.successor.name);
    if (predecessor < 0) tree_.report_no_link(coupling.predecessor, subject);
    if (successor < 0) tree_.report_no_link(coupling.successor, subject);
    if (predecessor < 0 || successor < 0) continue;
    if (const Entity* taken = model_.find(coupling.name, Family::element)) {
      input_.error("name-duplicate", coupling.where,
                   concat(subject, ": the name is taken by what stands at ", to_text(taken->where),
                          ". Names are unique; rename one of them."));
      continue;
    }
    auto ways = ways_to_common(predecessor, successor, anchor, coupling);
    if (!ways) continue;
    Gear gear{.ratio = {std::vector<double>(ways->out.size(), coupling.ratio)}};
    for (std::size_t k = 1; k < ways->in.size(); ++k) {
      gear.ratio.front().push_back(-1);
      ways->out.push_back(ways->in[k]);
    }
    add_gear(coupling.name, coupling.where, std::move(gear), ways->in.front(), ways->out);
  }
}

// Drives ----------------------------------------------------------------------------------------------------

/// The port `mounted_on` stays open: what URDF and Drake say of a rotor acts along the joint only.
void UrdfTranslation::add_drive(const std::string& wish, const UrdfJoint& joint, const Drive& drive,
                                const Where& where) {
  const std::string name = free_name(wish, Family::element);
  if (name != wish) {
    input_.defect("name-duplicate", where,
                  concat("transmission ", quoted(wish), ": the name is taken by what stands at ",
                         to_text(model_.find(wish, Family::element)->where), ". It is called ", quoted(name),
                         " in the model; rename one of them."));
  }
  model_.add(Entity{name, drive, where});
  model_.attach(name, Family::element, "joint", Attachment(joint.name), where);
}

/// The rotor of a transmission, with what the joint itself says of it.
UrdfRotor UrdfTranslation::rotor_of(const UrdfTransmission& transmission, const UrdfJoint& joint) {
  UrdfRotor rotor = transmission.rotor;
  const std::string subject = concat("transmission ", quoted(transmission.name));
  const auto choose = [&](std::optional<double>& first, const std::optional<double>& second,
                          std::string_view first_name, std::string_view second_name) {
    if (first && second && *first != *second) {
      input_.defect("drive-conflict", transmission.where,
                    concat(subject, ": ", first_name, " is ", *first, ", but ", second_name, " is ", *second,
                           ". The first counts."));
    }
    if (!first) first = second;
  };
  choose(rotor.inertia, joint.rotor.inertia, "drake:rotor_inertia", "that of the joint");
  choose(rotor.gear, joint.rotor.gear, "drake:gear_ratio", "that of the joint");
  choose(rotor.gear, transmission.reduction, "drake:gear_ratio", "mechanicalReduction");
  return rotor;
}

void UrdfTranslation::add_drives() {
  driven_.assign(robot_.joints.size(), false);
  for (const UrdfTransmission& transmission : robot_.transmissions) {
    const std::string subject = concat("transmission ", quoted(transmission.name));
    for (const UrdfMention& mention : transmission.joints) {
      const int number = tree_.find_joint(mention.name);
      if (number < 0) {
        tree_.report_no_joint(mention, subject, "the transmission was ignored");
        continue;
      }
      const UrdfJoint& joint = robot_.joints[at(number)];
      const bool one_shaft = turns_one_shaft(joint.joint);
      if (!transmission.simple || !one_shaft) {
        const bool moves = joint.joint.kind != JointKind::fixed;
        model_.at<Joint>(joint.name).actuated = moves;
        if (transmission.simple) {
          input_.unexpressed(mention.where,
                             concat(subject, ": joint ", quoted(joint.name), " is ", traits(joint.joint.kind).name,
                                    moves ? ". It is actuated, without a gear." : ", and cannot be driven."));
        }
        continue;
      }
      const UrdfRotor rotor = rotor_of(transmission, joint);
      driven_[at(number)] = true;
      add_drive(transmission.name, joint, {.rotor_inertia = rotor.inertia.value_or(0), .gear = rotor.gear.value_or(1)},
                transmission.where);
    }
  }
}

void UrdfTranslation::add_rotors() {
  for (std::size_t k = 0; k < robot_.joints.size(); ++k) {
    const UrdfJoint& joint = robot_.joints[k];
    if ((!joint.rotor.inertia && !joint.rotor.gear) || driven_[k]) continue;
    if (!turns_one_shaft(joint.joint)) {
      input_.unexpressed(joint.where, concat("joint ", quoted(joint.name), ": a ", traits(joint.joint.kind).name,
                                             " joint has no rotor; drake:rotor_inertia was left out."));
      continue;
    }
    add_drive(free_name(joint.name + "_drive", Family::element), joint,
              {.rotor_inertia = joint.rotor.inertia.value_or(0), .gear = joint.rotor.gear.value_or(1)}, joint.where);
  }
}

}  // namespace

Model read_urdf(std::string_view text, const std::string& file_name, Findings& findings, const ReadOptions& options) {
  UrdfInput input(file_name, findings, options);
  UrdfRobot robot = parse_urdf(XmlText(text, file_name).root(), input);  // the document is gone after this
  Model model = UrdfTranslation(std::move(robot), input).run();
  return as_wanted(std::move(model), options, findings);
}

}  // namespace articula::formats
