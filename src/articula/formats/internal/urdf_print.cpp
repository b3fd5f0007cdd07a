#include <articula/formats/internal/urdf_print.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <articula/base/text.h>
#include <articula/formats/internal/urdf_rpy.h>
#include <articula/formats/internal/xml_text.h>

namespace articula::formats {
namespace {

std::string three(const Vec3<double>& v) { return concat(v.x, " ", v.y, " ", v.z); }

class UrdfPrinter {
 public:
  std::string run(const UrdfRobot& robot);
  void report(Findings& losses) const;

 private:
  /// ` name="value"`
  std::string attribute(std::string_view name, std::string_view value) {
    if (!xml_can_hold(value)) unprintable_.emplace_back(value);
    return concat(" ", name, "=\"", xml_escaped(value), "\"");
  }
  std::string attribute(std::string_view name, double value) { return concat(" ", name, "=\"", value, "\""); }
  void line(int level, std::string_view text) {
    text_.append(static_cast<std::size_t>(2 * level), ' ');
    text_ += text;
    text_ += '\n';
  }

  void link(const UrdfLink& link);
  void inertial(const RigidBody& body);
  void shape(const Shape& shape);
  void material(const Shape& shape);
  void joint(const UrdfJoint& joint);
  void limit(const Joint& joint);
  void transmission(const UrdfTransmission& transmission);
  void loop(const UrdfLoop& loop);
  void origin(int level, const Pose<double>& X);
  std::string geometry(const Geometry& geometry);

  std::string text_;
  std::map<std::tuple<bool, double, double, double, double, std::string>, std::size_t> materials_;
  std::vector<std::string> unprintable_;
  int rounded_ = 0;
  double rounding_ = 0;
};

void UrdfPrinter::origin(int level, const Pose<double>& X) {
  if (X == Pose<double>::identity()) return;
  if (X.R == Rotation<double>::identity()) return line(level, concat("<origin", attribute("xyz", three(X.p)), "/>"));
  const WrittenRpy written = written_rpy(X.R);
  if (!written.exact) {
    ++rounded_;
    const Mat3<double> error = rotation_from_urdf(written.rpy).m - X.R.m;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) rounding_ = std::max(rounding_, std::abs(error(i, j)));
    }
  }
  line(level, concat("<origin", attribute("xyz", three(X.p)), attribute("rpy", three(written.rpy)), "/>"));
}

// Links -----------------------------------------------------------------------------------------------------

void UrdfPrinter::inertial(const RigidBody& body) {
  const SymMat3<double>& I = body.inertia;
  line(2, "<inertial>");
  origin(3, {Rotation<double>::identity(), body.com});
  line(3, concat("<mass", attribute("value", body.mass), "/>"));
  line(3, concat("<inertia", attribute("ixx", I.xx), attribute("ixy", I.xy), attribute("ixz", I.xz),
                 attribute("iyy", I.yy), attribute("iyz", I.yz), attribute("izz", I.zz), "/>"));
  line(2, "</inertial>");
}

std::string UrdfPrinter::geometry(const Geometry& geometry) {
  if (const auto* box = std::get_if<Box>(&geometry)) return concat("<box", attribute("size", three(box->size)), "/>");
  if (const auto* ball = std::get_if<Sphere>(&geometry))
    return concat("<sphere", attribute("radius", ball->radius), "/>");
  if (const auto* rod = std::get_if<Cylinder>(&geometry)) {
    return concat("<cylinder", attribute("radius", rod->radius), attribute("length", rod->length), "/>");
  }
  if (const auto* pill = std::get_if<Capsule>(&geometry)) {
    return concat("<capsule", attribute("radius", pill->radius), attribute("length", pill->length), "/>");
  }
  const Mesh& mesh = std::get<Mesh>(geometry);
  const bool scaled = mesh.scale != Vec3<double>{1, 1, 1};
  return concat("<mesh", attribute("filename", mesh.file), scaled ? attribute("scale", three(mesh.scale)) : "", "/>");
}

/// Materials need names: equal colours and textures share a name.
void UrdfPrinter::material(const Shape& shape) {
  const Color color = shape.color.value_or(Color{});
  const std::tuple key{shape.color.has_value(), color.r, color.g, color.b, color.a, shape.texture};
  const std::size_t number = materials_.try_emplace(key, materials_.size() + 1).first->second;
  line(3, concat("<material", attribute("name", concat("material_", number)), ">"));
  if (shape.color) {
    line(4, concat("<color", attribute("rgba", concat(color.r, " ", color.g, " ", color.b, " ", color.a)), "/>"));
  }
  if (!shape.texture.empty()) line(4, concat("<texture", attribute("filename", shape.texture), "/>"));
  line(3, "</material>");
}

void UrdfPrinter::shape(const Shape& shape) {
  const std::string_view element = shape.use == ShapeUse::visual ? "visual" : "collision";
  line(2, concat("<", element, shape.name.empty() ? "" : attribute("name", shape.name), ">"));
  origin(3, shape.X_BS);
  line(3, "<geometry>");
  line(4, geometry(shape.geometry));
  line(3, "</geometry>");
  if (shape.use == ShapeUse::visual && (shape.color || !shape.texture.empty())) material(shape);
  line(2, concat("</", element, ">"));
}

void UrdfPrinter::link(const UrdfLink& link) {
  const RigidBody& body = link.body;
  if (!link.has_inertial && body.shapes.empty()) return line(1, concat("<link", attribute("name", link.name), "/>"));
  line(1, concat("<link", attribute("name", link.name), ">"));
  if (link.has_inertial) inertial(body);
  for (const Shape& each : body.shapes) shape(each);
  line(1, "</link>");
}

// Joints ----------------------------------------------------------------------------------------------------

std::string_view type_of(const Joint& joint) {
  return joint.kind == JointKind::revolute && joint.limits.empty() ? "continuous" : urdf_type_of(joint.kind);
}

/// URDF requires all four numbers if there is any limit.
void UrdfPrinter::limit(const Joint& joint) {
  const bool bounded = joint.kind == JointKind::prismatic || !joint.limits.empty();
  if (!bounded && joint.force_limit.empty() && joint.speed_limit.empty()) return;
  const auto finite = [](double value) { return std::clamp(value, -urdf_no_limit, urdf_no_limit); };
  const auto first = [&](const std::vector<double>& list) {
    return list.empty() ? urdf_no_limit : finite(list.front());
  };
  const Limits bounds = joint.limits.empty() ? Limits{} : joint.limits.front();
  line(2, concat("<limit",
                 bounded ? attribute("lower", finite(bounds.lower)) + attribute("upper", finite(bounds.upper)) : "",
                 attribute("effort", first(joint.force_limit)), attribute("velocity", first(joint.speed_limit)), "/>"));
}

void UrdfPrinter::joint(const UrdfJoint& read) {
  const Joint& joint = read.joint;
  line(1, concat("<joint", attribute("name", read.name), attribute("type", type_of(joint)), ">"));
  origin(2, read.X_PF);
  line(2, concat("<parent", attribute("link", read.parent.name), "/>"));
  line(2, concat("<child", attribute("link", read.child.name), "/>"));
  if (traits(joint.kind).axis_use != AxisUse::none)
    line(2, concat("<axis", attribute("xyz", three(joint.axis.v)), "/>"));
  if (traits(joint.kind).nv() == 1) limit(joint);
  if (joint.damping != 0 || joint.friction != 0) {
    line(2, concat("<dynamics", attribute("damping", joint.damping), attribute("friction", joint.friction), "/>"));
  }
  if (read.mimic) {
    line(2, concat("<mimic", attribute("joint", read.mimic->leader.name),
                   attribute("multiplier", read.mimic->multiplier), attribute("offset", read.mimic->offset), "/>"));
  }
  line(1, "</joint>");
}

void UrdfPrinter::transmission(const UrdfTransmission& transmission) {
  line(1, concat("<transmission", attribute("name", transmission.name), ">"));
  line(2, "<type>transmission_interface/SimpleTransmission</type>");
  line(2, concat("<joint", attribute("name", transmission.joints.front().name), ">"));
  line(3, "<hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>");
  line(2, "</joint>");
  line(2, concat("<actuator", attribute("name", transmission.name), ">"));
  line(3, concat("<mechanicalReduction>", transmission.reduction.value_or(1), "</mechanicalReduction>"));
  if (transmission.rotor.inertia) {
    line(3, concat("<drake:rotor_inertia", attribute("value", *transmission.rotor.inertia), "/>"));
    line(3, concat("<drake:gear_ratio", attribute("value", transmission.reduction.value_or(1)), "/>"));
  }
  line(2, "</actuator>");
  line(1, "</transmission>");
}

void UrdfPrinter::loop(const UrdfLoop& loop) {
  line(1, concat("<loop", attribute("name", loop.name), attribute("type", type_of(loop.joint)), ">"));
  const auto end = [&](std::string_view element, const UrdfLoopEnd& side) {
    line(2, concat("<", element, attribute("link", side.link.name), ">"));
    origin(3, side.X_LF);
    line(2, concat("</", element, ">"));
  };
  end("predecessor", loop.predecessor);
  end("successor", loop.successor);
  if (traits(loop.joint.kind).axis_use != AxisUse::none) {
    line(2, concat("<axis", attribute("xyz", three(loop.joint.axis.v)), "/>"));
  }
  line(1, "</loop>");
}

// The whole -------------------------------------------------------------------------------------------------

std::string UrdfPrinter::run(const UrdfRobot& robot) {
  const bool rotors = std::any_of(robot.transmissions.begin(), robot.transmissions.end(),
                                  [](const UrdfTransmission& each) { return each.rotor.inertia.has_value(); });
  line(0, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
  line(0, concat("<robot", attribute("name", robot.name),
                 rotors ? attribute("xmlns:drake", "https://drake.mit.edu") : "", ">"));
  for (const UrdfLink& each : robot.links) link(each);
  for (const UrdfJoint& each : robot.joints) joint(each);
  for (const UrdfLoop& each : robot.loops) loop(each);
  for (const UrdfTransmission& each : robot.transmissions) transmission(each);
  line(0, "</robot>");
  return std::move(text_);
}

void UrdfPrinter::report(Findings& losses) const {
  if (rounded_ > 0) {
    losses.push_back(
        {Severity::note,
         "expressed-otherwise",
         {},
         concat(rounded_, rounded_ == 1 ? " rotation is" : " rotations are",
                " not exact as roll, pitch and yaw. Entries of the matrices differ by up to ", rounding_, ".")});
  }
  for (const std::string& each : unprintable_) {
    losses.push_back({Severity::warning,
                      "not-expressed",
                      {},
                      concat("the text ", quoted(each), " holds what XML cannot. It was replaced by U+FFFD.")});
  }
}

}  // namespace

std::string_view urdf_type_of(JointKind kind) {
  switch (kind) {
    case JointKind::revolute: return "revolute";
    case JointKind::prismatic: return "prismatic";
    case JointKind::planar: return "planar";
    case JointKind::free: return "floating";
    case JointKind::fixed: return "fixed";
    default: return "";
  }
}

std::string print_urdf(const UrdfRobot& robot, Findings& losses) {
  UrdfPrinter printer;
  std::string text = printer.run(robot);
  printer.report(losses);
  return text;
}

}  // namespace articula::formats
