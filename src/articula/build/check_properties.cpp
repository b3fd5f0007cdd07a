#include <cmath>

#include <articula/base/text.h>
#include <articula/build/check.h>
#include <articula/spatial/orientation.h>

namespace articula {
namespace {

class Properties {
 public:
  Properties(const Entity& entity, Findings& findings) : entity_(entity), findings_(findings) {}

  /// All numbers of all kinds are finite; what comes from text is so already, what comes from C++ may not be.
  void operator()(std::string_view name, const double& value, const Dimension&) { finite(name, value); }
  void operator()(std::string_view name, const std::optional<double>& value, const Dimension&) {
    if (value) finite(name, *value);
  }
  void operator()(std::string_view name, const Vec3<double>& value, const Dimension&) {
    for (int k = 0; k < 3; ++k) finite(name, value[k]);
  }
  void operator()(std::string_view name, const SymMat3<double>& value, const Dimension&) {
    for (const double x : {value.xx, value.xy, value.xz, value.yy, value.yz, value.zz}) finite(name, x);
  }
  void operator()(std::string_view name, const std::vector<double>& values, const Dimension&) {
    for (const double x : values) finite(name, x);
  }
  void operator()(std::string_view name, const Pose<double>& X, const Dimension&) { pose(name, X); }
  void operator()(std::string_view, const std::vector<Frame>& frames, const Dimension&) {
    for (const Frame& frame : frames) pose(frame.name, frame.X_EF);
  }
  void operator()(std::string_view name, const Direction& direction, const Dimension&) {
    const auto [x, y, z] = direction.v;
    if (norm(direction.v) > 0 && std::isfinite(norm(direction.v))) return;
    add(std::holds_alternative<Joint>(entity_.kind) ? "joint-axis-zero" : "direction-zero",
        concat(name, " is (", x, ", ", y, ", ", z, "). An axis needs a direction; give e.g. (0, 0, 1)."));
  }
  template <class Other>
  void operator()(std::string_view, const Other&, const Dimension&) {}

  // --- what each kind asks beyond that --------------------------------------------------------------------------

  template <class K>
  void own(const K&) {}

  void own(const RigidBody& body) {
    if (!body.density) return;
    require(*body.density > 0, "density-not-positive", "density", *body.density, "must be above 0");
    if (!mass_properties(body)) {
      add("density-needs-solid", "a density needs at least one shape with `use: both`, and every such shape a volume "
                                 "(box, sphere, cylinder, capsule). Give mass, com and inertia instead.");
    }
    for (const Shape& shape : body.shapes) {
      if (const auto v = volume(shape.geometry); v && shape.use == ShapeUse::both && !(*v > 0)) {
        add("shape-size", concat("shape ", quoted(shape.name), " has volume ", *v, ". Its sizes must be above 0."));
      }
    }
  }

  void own(const Joint& joint) {
    const JointTraits kind = traits(joint.kind);
    sizes(joint, kind);
    for (std::size_t k = 0; k < joint.limits.size(); ++k) limits(joint, kind, k);
    for (const double x : joint.speed_limit) require(!(x < 0), "limit-negative", "speed_limit", x, "must not be negative");
    for (const double x : joint.force_limit) require(!(x < 0), "limit-negative", "force_limit", x, "must not be negative");
    require(!(joint.damping < 0), "damping-negative", "damping", joint.damping, "must not be negative");
    require(!(joint.friction < 0), "friction-negative", "friction", joint.friction, "must not be negative");
    if (kind.axis_use == AxisUse::two) right_angle(joint);
    if (!joint.start.empty() && joint.start.size() == kind.q.size()) unit_quaternion(joint);
  }
  void sizes(const Joint& joint, const JointTraits& kind) {
    const auto size = [&](std::string_view name, std::size_t given, std::size_t wanted) {
      if (given == 0 || given == wanted) return;
      add("joint-size", concat(name, " has ", given, given == 1 ? " entry" : " entries", ", but a ", kind.name,
                               " joint has ", wanted, "."));
    };
    size("limits", joint.limits.size(), kind.v.size());
    size("speed_limit", joint.speed_limit.size(), kind.v.size());
    size("force_limit", joint.force_limit.size(), kind.v.size());
    size("start", joint.start.size(), kind.q.size());
  }
  void limits(const Joint& joint, const JointTraits& kind, std::size_t k) {
    const auto [lower, upper] = joint.limits[k];
    if (std::isnan(lower) || std::isnan(upper) || lower > upper) {
      add("limits-reversed", concat("limits are [", lower, ", ", upper, "]. The lower must not be above the upper; swap them."));
    } else if (kind.nq() == kind.nv() && k < joint.start.size() && (joint.start[k] < lower || joint.start[k] > upper)) {
      add("start-outside-limits", concat("start is ", joint.start[k], ", outside its limits [", lower, ", ", upper,
                                         "]. Move the start, or widen the limits."));
    }
  }
  void right_angle(const Joint& joint) {
    const double cosine = dot(joint.axis.v, joint.second_axis.v) / (norm(joint.axis.v) * norm(joint.second_axis.v));
    if (std::abs(cosine) <= 1e-9) return;
    add("joint-axes-skew", concat("axis and second_axis are ", std::acos(std::min(1.0, std::abs(cosine))) * 180 / 3.141592653589793,
                                  " degrees apart. The axes of a ", traits(joint.kind).name, " joint are at right angles."));
  }
  void unit_quaternion(const Joint& joint) {
    if (joint.kind != JointKind::spherical && joint.kind != JointKind::free) return;
    const std::size_t first = joint.kind == JointKind::free ? 3 : 0;
    double square = 0;
    for (std::size_t k = first; k < first + 4; ++k) square += joint.start[k] * joint.start[k];
    if (std::abs(std::sqrt(square) - 1) <= 1e-6) return;
    add("quaternion-not-unit", concat("the quaternion in start has length ", std::sqrt(square),
                                      ". It must be 1 within 1e-6; divide it by its length."));
  }

  void own(const Spring& spring) { require(!(spring.stiffness < 0), "stiffness-negative", "stiffness", spring.stiffness, "must not be negative"); }
  void own(const Damper& damper) { require(!(damper.damping < 0), "damping-negative", "damping", damper.damping, "must not be negative"); }
  void own(const SpringDamperActuator& sda) {
    require(!(sda.stiffness < 0), "stiffness-negative", "stiffness", sda.stiffness, "must not be negative");
    require(!(sda.damping < 0), "damping-negative", "damping", sda.damping, "must not be negative");
  }
  void own(const Gear& gear) {
    if (gear.inputs() == 0 || gear.outputs() == 0) return add("gear-ratio-empty", "ratio is empty. Give one row per input shaft.");
    for (const auto& row : gear.ratio) {
      if (row.size() != gear.outputs()) {
        return add("gear-ratio-ragged", concat("ratio has rows of ", gear.outputs(), " and of ", row.size(),
                                               " numbers. All rows need one number per output shaft."));
      }
      double largest = 0;
      for (const double x : row) largest = std::fmax(largest, std::abs(x));
      require(largest > 0, "gear-ratio-zero", "ratio", 0, "must not be 0: the input shaft would stand still");
    }
    if (!gear.offset.empty() && gear.offset.size() != gear.inputs()) {
      add("gear-offset-size", concat("offset has ", gear.offset.size(), " numbers, but there are ", gear.inputs(), " input shafts."));
    }
  }
  void own(const Rotor& rotor) { require(!(rotor.inertia < 0), "rotor-inertia-negative", "inertia", rotor.inertia, "must not be negative"); }
  void own(const Drive& drive) {
    require(!(drive.rotor_inertia < 0), "rotor-inertia-negative", "rotor_inertia", drive.rotor_inertia, "must not be negative");
    require(drive.gear != 0, "gear-ratio-zero", "gear", drive.gear, "must not be 0");
    if (drive.stiffness) require(*drive.stiffness > 0, "stiffness-negative", "stiffness", *drive.stiffness, "must be above 0; leave it out for a rigid drive");
    require(!(drive.damping < 0), "damping-negative", "damping", drive.damping, "must not be negative");
  }
  void own(const ContactPoint& contact) {
    require(!(contact.radius < 0), "length-negative", "radius", contact.radius, "must not be negative");
    require(!(contact.friction < 0), "friction-negative", "friction", contact.friction, "must not be negative");
    require(contact.restitution >= 0 && contact.restitution <= 1, "restitution-range", "restitution", contact.restitution, "must be between 0 and 1");
  }
  void own(const Rolling& rolling) { require(rolling.radius > 0, "length-not-positive", "radius", rolling.radius, "must be above 0"); }
  void own(const ConnectingRod& rod) {
    require(rod.length > 0, "length-not-positive", "length", rod.length, "must be above 0");
    require(!(rod.mass < 0), "mass-negative", "mass", rod.mass, "must not be negative");
  }
  void own(const Beam& beam) {
    require(beam.length > 0, "length-not-positive", "length", beam.length, "must be above 0");
    require(beam.area > 0, "beam-section", "area", beam.area, "must be above 0");
    require(beam.youngs_modulus > 0, "beam-section", "youngs_modulus", beam.youngs_modulus, "must be above 0");
    require(!(beam.density < 0), "density-not-positive", "density", beam.density, "must not be negative");
    require(beam.segments >= 1 && beam.segments <= 10000, "beam-segments", "segments", beam.segments, "must be between 1 and 10000");
  }

 private:
  void add(std::string_view code, const std::string& what) {
    findings_.push_back({Severity::error, std::string(code), entity_.where, concat(to_text(entity_), ": ", what)});
  }
  void require(bool good, std::string_view code, std::string_view name, double value, std::string_view rule) {
    if (!good) add(code, concat(name, " is ", value, ". It ", rule, "."));
  }
  void finite(std::string_view name, double value) {
    if (!std::isfinite(value)) add("value-not-finite", concat(name, " is ", value, ". Only finite numbers are allowed."));
  }
  void pose(std::string_view name, const Pose<double>& X) {
    for (int k = 0; k < 3; ++k) finite(name, X.p[k]);
    const double departure = departure_from_rotation(X.R);
    if (!(departure <= 1e-6)) {
      add("rotation-invalid", concat("the rotation of ", quoted(name), " is ", departure, " away from a rotation. It must "
                                     "be orthogonal, with determinant 1, within 1e-6."));
    }
  }

  const Entity& entity_;
  Findings& findings_;
};

}  // namespace

void check_properties(const Model& flat, Findings& findings) {
  for (const Entity& entity : flat.entities()) {
    Properties properties(entity, findings);
    std::visit(
        [&](const auto& kind) {
          std::decay_t<decltype(kind)>::fields(kind, properties);
          properties.own(kind);
        },
        entity.kind);
  }
  if (const auto* gravity = std::get_if<UniformGravity>(&flat.environment.gravity)) {
    const Vec3<double>& g = gravity->acceleration;
    if (!std::isfinite(norm(g))) findings.push_back({Severity::error, "value-not-finite", {}, "environment: gravity is not finite."});
  }
}

}  // namespace articula
