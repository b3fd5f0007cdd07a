#include <articula/formats/internal/urdf_parse.h>

#include <cmath>
#include <utility>

#include <articula/base/text.h>
#include <articula/formats/internal/degrees.h>
#include <articula/formats/internal/unit_direction.h>

namespace articula::formats {
namespace {

using Element = UrdfInput::Element;

enum class UrdfJointType { revolute, continuous, prismatic, fixed, floating, planar };

struct TypeName {
  std::string_view name;
  UrdfJointType type;
  JointKind kind;
};
constexpr std::array type_names{
    TypeName{"revolute", UrdfJointType::revolute, JointKind::revolute},
    TypeName{"continuous", UrdfJointType::continuous, JointKind::revolute},
    TypeName{"prismatic", UrdfJointType::prismatic, JointKind::prismatic},
    TypeName{"fixed", UrdfJointType::fixed, JointKind::fixed},
    TypeName{"floating", UrdfJointType::floating, JointKind::free},
    TypeName{"planar", UrdfJointType::planar, JointKind::planar},
};

UrdfJointType parse_type(UrdfInput& input, const Element& element, const std::string& subject, Joint& joint) {
  const std::string name = input.text(element, "type", subject);
  std::vector<std::string> names;
  for (const TypeName& each : type_names) {
    if (each.name == name) {
      joint.kind = each.kind;
      return each.type;
    }
    names.emplace_back(each.name);
  }
  if (element.Attribute("type") != nullptr) {
    input.error("joint-type-unknown", input.where(element),
                concat(subject, ": the type ", quoted(name), " is not known.", choices(name, "types", names)));
  }
  return UrdfJointType::fixed;
}

void parse_axis(UrdfInput& input, const Element& element, const std::string& subject, Joint& joint) {
  static const UrdfVocabulary words{.attributes = {"xyz"}};
  const Element* axis = element.FirstChildElement("axis");
  if (axis != nullptr) input.check_words(*axis, subject, words);
  if (traits(joint.kind).axis_use == AxisUse::none) {
    if (axis != nullptr) {
      input.note("not-expressed", input.where(*axis),
                 concat(subject, ": a ", traits(joint.kind).name, " joint has no axis; <axis> has no effect."));
    }
    return;
  }
  joint.axis = x_axis;
  if (axis == nullptr) return;
  const Vec3<double> given = input.vector(*axis, "xyz", subject, x_axis.v);
  if (given == Vec3<double>::zero()) {
    return input.error("joint-axis-zero", input.where(*axis),
                       concat(subject, ": axis is (0, 0, 0). An axis needs a direction; give e.g. (0, 0, 1)."));
  }
  joint.axis = unit_direction(given);
}

/// A list with one number, or an empty one for "no limit".
std::vector<double> limit_list(const std::optional<double>& value) {
  if (!value || *value >= urdf_no_limit) return {};
  return {*value};
}

void parse_limit(UrdfInput& input, const Element& element, const std::string& subject, UrdfJointType type,
                 Joint& joint) {
  static const UrdfVocabulary words{.attributes = {"lower", "upper", "effort", "velocity"},
                                    .unexpressed_attributes = {"drake:acceleration"}};
  const Element* limit = element.FirstChildElement("limit");
  const bool bounded = type == UrdfJointType::revolute || type == UrdfJointType::prismatic;
  if (limit == nullptr) {
    if (bounded) {
      input.defect(
          "limit-missing", input.where(element),
          concat(subject, ": a ", traits(joint.kind).name, " joint needs <limit>. It was read without limits."));
    }
    return;
  }
  if (!bounded && type != UrdfJointType::continuous) {
    return input.unexpressed(input.where(*limit), concat(subject, ": <limit> of a ", traits(joint.kind).name,
                                                         " joint cannot be expressed and was left out."));
  }
  input.check_words(*limit, subject, words);
  const auto lower = input.optional_number(*limit, "lower", subject),
             upper = input.optional_number(*limit, "upper", subject);
  joint.force_limit = limit_list(input.optional_number(*limit, "effort", subject));
  joint.speed_limit = limit_list(input.optional_number(*limit, "velocity", subject));
  if (!bounded) {
    if (lower || upper) {
      input.unexpressed(
          input.where(*limit),
          concat(subject, ": a continuous joint has no limits of position; lower and upper were left out."));
    }
    return;
  }
  if (!lower && !upper) {
    input.defect("limit-default", input.where(*limit),
                 concat(subject,
                        ": <limit> has neither lower nor upper. Both are then 0, and the joint cannot move; "
                        "give them, or make the joint continuous."));
  }
  Limits bounds{lower.value_or(0), upper.value_or(0)};
  const double widest = std::abs(bounds.lower) > std::abs(bounds.upper) ? bounds.lower : bounds.upper;
  if (type == UrdfJointType::revolute && looks_like_degrees(widest)) {
    input.defect("limit-in-degrees", input.where(*limit),
                 concat(subject, ": its limits reach to ", widest, " rad, which is ", turns_of(widest),
                        " turns. URDF gives limits in radians; if degrees are meant, convert them."));
  }
  if (bounds.lower <= -urdf_no_limit) bounds.lower = -Limits::none;
  if (bounds.upper >= urdf_no_limit) bounds.upper = Limits::none;
  if (bounds != Limits{}) joint.limits = {bounds};
}

void parse_dynamics(UrdfInput& input, const Element& element, const std::string& subject, Joint& joint) {
  static const UrdfVocabulary words{.attributes = {"damping", "friction"},
                                    .unexpressed_attributes = {"spring_reference", "spring_stiffness"}};
  const Element* dynamics = element.FirstChildElement("dynamics");
  if (dynamics == nullptr) return;
  input.check_words(*dynamics, subject, words);
  const double damping = input.number(*dynamics, "damping", subject, 0);
  const double friction = input.number(*dynamics, "friction", subject, 0);
  if (joint.kind != JointKind::fixed) {
    joint.damping = damping;
    joint.friction = friction;
  } else if (damping != 0 || friction != 0) {
    input.unexpressed(input.where(*dynamics),
                      concat(subject, ": a fixed joint does not move; <dynamics> was left out."));
  }
}

/// The name in an attribute, and its line; line 0, after an error, if it is missing.
UrdfMention mentioned(UrdfInput& input, const Element& element, const char* attribute, const std::string& subject) {
  std::string name = input.text(element, attribute, subject);
  if (element.Attribute(attribute) == nullptr) return {};
  return {std::move(name), input.where(element)};
}

/// The link in the attribute `link` of an element.
UrdfMention parse_mention(UrdfInput& input, const Element& parent, const char* name, const std::string& subject,
                          const UrdfVocabulary& words) {
  const Element* element = input.required(parent, name, subject);
  if (element == nullptr) return {};
  input.check_words(*element, subject, words);
  return mentioned(input, *element, "link", subject);
}

std::optional<UrdfMimic> parse_mimic(UrdfInput& input, const Element& element, const std::string& subject) {
  static const UrdfVocabulary words{.attributes = {"joint", "multiplier", "offset"}};
  const Element* mimic = element.FirstChildElement("mimic");
  if (mimic == nullptr) return std::nullopt;
  input.check_words(*mimic, subject, words);
  UrdfMimic read;
  read.leader = mentioned(input, *mimic, "joint", subject);
  read.multiplier = input.number(*mimic, "multiplier", subject, 1);
  read.offset = input.number(*mimic, "offset", subject, 0);
  return read;
}

/// A number in an element of its own: its attribute `value`, or its text.
std::optional<double> parse_value(UrdfInput& input, const Element& parent, const char* name,
                                  const std::string& subject) {
  static const UrdfVocabulary words{.attributes = {"value"}};
  const Element* element = parent.FirstChildElement(name);
  if (element == nullptr) return std::nullopt;
  if (element->Attribute("value") != nullptr) {
    input.check_words(*element, subject, words);
    return input.number(*element, "value", subject);
  }
  const char* text = element->GetText();
  return input.to_finite(text == nullptr ? "" : text, element->GetLineNum(), subject, name);
}

UrdfRotor parse_rotor(UrdfInput& input, const Element& parent, const std::string& subject) {
  return {parse_value(input, parent, "drake:rotor_inertia", subject),
          parse_value(input, parent, "drake:gear_ratio", subject)};
}

}  // namespace

UrdfJoint parse_joint(UrdfInput& input, const Element& element) {
  static const UrdfVocabulary words{.attributes = {"name", "type"},
                                    .once = {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic",
                                             "drake:rotor_inertia", "drake:gear_ratio"},
                                    .unexpressed_attributes = {"independent"},
                                    .unexpressed = {"safety_controller", "calibration", "joint_properties", "verbose"}};
  static const UrdfVocabulary mention_words{.attributes = {"link"}};
  UrdfJoint read;
  read.where = input.where(element);
  read.name = input.name(element, "name", "joint");
  const std::string subject = concat("joint ", quoted(read.name));
  input.check_words(element, subject, words);
  const UrdfJointType type = parse_type(input, element, subject, read.joint);
  read.parent = parse_mention(input, element, "parent", subject, mention_words);
  read.child = parse_mention(input, element, "child", subject, mention_words);
  read.X_PF = input.origin(element, subject);
  parse_axis(input, element, subject, read.joint);
  parse_limit(input, element, subject, type, read.joint);
  parse_dynamics(input, element, subject, read.joint);
  read.mimic = parse_mimic(input, element, subject);
  read.rotor = parse_rotor(input, element, subject);
  return read;
}

// URDF+ -----------------------------------------------------------------------------------------------------

UrdfLoop parse_loop(UrdfInput& input, const Element& element) {
  static const UrdfVocabulary words{.attributes = {"name", "type"}, .once = {"predecessor", "successor", "axis"}};
  static const UrdfVocabulary end_words{.attributes = {"link"}, .once = {"origin"}};
  UrdfLoop loop;
  loop.where = input.where(element);
  loop.name = input.name(element, "name", "loop");
  const std::string subject = concat("loop ", quoted(loop.name));
  input.check_words(element, subject, words);
  const UrdfJointType type = parse_type(input, element, subject, loop.joint);
  if (type == UrdfJointType::floating) {
    input.error(
        "joint-type-unknown", loop.where,
        concat(subject, ": a floating joint closes no loop. Types: revolute, continuous, prismatic, planar, fixed."));
  }
  parse_axis(input, element, subject, loop.joint);
  loop.joint.closes_loop = loop.joint.kind != JointKind::fixed;
  const auto end = [&](const char* name) {
    UrdfLoopEnd read{parse_mention(input, element, name, subject, end_words), {}};
    if (const Element* child = element.FirstChildElement(name)) read.X_LF = input.origin(*child, subject);
    return read;
  };
  loop.predecessor = end("predecessor");
  loop.successor = end("successor");
  return loop;
}

UrdfCoupling parse_coupling(UrdfInput& input, const Element& element) {
  static const UrdfVocabulary words{.attributes = {"name"}, .once = {"predecessor", "successor", "ratio"}};
  static const UrdfVocabulary end_words{.attributes = {"link"}};
  UrdfCoupling coupling;
  coupling.where = input.where(element);
  coupling.name = input.name(element, "name", "coupling");
  const std::string subject = concat("coupling ", quoted(coupling.name));
  input.check_words(element, subject, words);
  coupling.predecessor = parse_mention(input, element, "predecessor", subject, end_words);
  coupling.successor = parse_mention(input, element, "successor", subject, end_words);
  coupling.ratio = parse_value(input, element, "ratio", subject).value_or(1);
  return coupling;
}

// Transmissions ---------------------------------------------------------------------------------------------

static const UrdfVocabulary& transmission_words() {
  static const UrdfVocabulary words{
      .attributes = {"name", "type"},
      .once = {"type", "mechanicalReduction"},
      .repeated = {"joint", "actuator"},
      .unexpressed = {"motorTorqueConstant", "compensator", "gap_joint", "passive_joint", "use_simulated_gripper_joint",
                      "simulated_actuated_joint", "leftActuator", "rightActuator", "flexJoint", "rollJoint"}};
  return words;
}

/// A model does not describe how a controller reaches the motor: one note for all these elements.
static void report_details(UrdfInput& input, const Element& element, const std::string& subject,
                           const std::string& name) {
  std::string details;
  const auto add = [&](const std::string& detail) { details += concat(details.empty() ? "" : ", ", detail); };
  bool interface = false;
  for (const Element* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    interface = interface || child->FirstChildElement("hardwareInterface") != nullptr;
    const char* motor = std::string_view(child->Name()) == "actuator" ? child->Attribute("name") : nullptr;
    if (motor != nullptr && motor != name) add(concat("the actuator's name ", quoted(motor)));
  }
  if (interface) add("<hardwareInterface>");
  if (!details.empty()) {
    input.note("not-expressed", input.where(element),
               concat(subject, ": no part of a model, and ignored: ", details, "."));
  }
}

UrdfTransmission parse_transmission(UrdfInput& input, const Element& element) {
  static const UrdfVocabulary joint_words{.attributes = {"name"},
                                          .once = {"mechanicalReduction"},
                                          .repeated = {"hardwareInterface"},
                                          .unexpressed = {"role", "offset"}};
  static const UrdfVocabulary actuator_words{.attributes = {"name"},
                                             .once = {"mechanicalReduction", "drake:rotor_inertia", "drake:gear_ratio"},
                                             .repeated = {"hardwareInterface"},
                                             .unexpressed = {"role", "motorTorqueConstant"}};
  UrdfTransmission read;
  read.where = input.where(element);
  read.name = input.name(element, "name", "transmission");
  const std::string subject = concat("transmission ", quoted(read.name));
  input.check_words(element, subject, transmission_words());
  report_details(input, element, subject, read.name);

  const Element* type_element = element.FirstChildElement("type");
  const char* type_text = type_element == nullptr ? element.Attribute("type") : type_element->GetText();
  const std::string_view type = type_text == nullptr ? "" : type_text;
  read.reduction = parse_value(input, element, "mechanicalReduction", subject);
  int actuators = 0;
  for (const Element* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    const bool joint = std::string_view(child->Name()) == "joint",
               actuator = std::string_view(child->Name()) == "actuator";
    if (!joint && !actuator) continue;
    input.check_words(*child, subject, joint ? joint_words : actuator_words);
    if (const auto reduction = parse_value(input, *child, "mechanicalReduction", subject)) read.reduction = reduction;
    if (joint) read.joints.push_back(mentioned(input, *child, "name", subject));
    if (actuator && ++actuators == 1) read.rotor = parse_rotor(input, *child, subject);
  }
  if (read.joints.empty()) {
    input.defect("element-missing", read.where,
                 concat(subject, ": <transmission> has no element <joint> and was ignored. Name the joint it drives."));
    return read;
  }
  read.simple = read.joints.size() == 1 && actuators <= 1 &&
                (type.empty() || type.find("SimpleTransmission") != std::string_view::npos);
  if (!read.simple) {
    input.unexpressed(read.where, concat(subject, ": a transmission of type ", quoted(type), " with ",
                                         read.joints.size(), " joints and ", actuators,
                                         " actuators cannot be expressed. Its joints are actuated, without a gear."));
  }
  return read;
}

}  // namespace articula::formats
