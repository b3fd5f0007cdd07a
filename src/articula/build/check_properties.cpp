#include <algorithm>
#include <array>
#include <cmath>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/build/check.h>
#include <articula/mechanism/parameter_fields.h>
#include <articula/model/largest.h>
#include <articula/spatial/orientation.h>

namespace articula::build {
namespace {

std::string too_large() { return concat(". Numbers up to ", largest_number, " are allowed, in SI; check its unit."); }

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
  void operator()(std::string_view name, const Rows& rows, const Dimension&) {
    for (const auto& row : rows) {
      for (const double x : row) finite(name, x);
    }
  }
  void operator()(std::string_view name, const Pose<double>& X, const Dimension&) { pose(name, X); }
  void operator()(std::string_view, const std::vector<Frame>& frames, const Dimension&) {
    for (const Frame& frame : frames) pose(frame.name, frame.X_EF);
  }
  void operator()(std::string_view, const std::vector<Shape>& shapes, const Dimension&) {
    for (const Shape& shape : shapes) pose(shape.name, shape.X_BS);
  }
  void operator()(std::string_view name, const std::optional<Direction>& direction, const Dimension& dimension) {
    if (direction) (*this)(name, *direction, dimension);
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
      add("density-needs-solid",
          "a density needs at least one shape with `use: both`, and every such shape a volume "
          "(box, sphere, cylinder, capsule). Give mass, com and inertia instead.");
    }
    for (const Shape& shape : body.shapes) {
      if (const auto size = least_size(shape.geometry); size && shape.use == ShapeUse::both && !(*size > 0)) {
        add("shape-size",
            concat("shape ", quoted(shape.name), " has the size ", *size, ". Its sizes must be above 0."));
      }
    }
  }
  /// The smallest dimension of a solid that must be positive; none for a mesh. A capsule of length 0 is a ball.
  static std::optional<double> least_size(const Geometry& geometry) {
    if (const auto* box = std::get_if<Box>(&geometry)) return least(box->size.x, least(box->size.y, box->size.z));
    if (const auto* ball = std::get_if<Sphere>(&geometry)) return ball->radius;
    if (const auto* rod = std::get_if<Cylinder>(&geometry)) return least(rod->radius, rod->length);
    if (const auto* pill = std::get_if<Capsule>(&geometry)) return pill->length < 0 ? pill->length : pill->radius;
    return std::nullopt;
  }
  /// NaN counts as the smallest value.
  static double least(double a, double b) { return std::isnan(a) || a < b ? a : b; }

  void own(const Joint& joint) {
    const JointTraits kind = traits(joint.kind);
    sizes(joint, kind);
    for (std::size_t k = 0; k < joint.limits.size(); ++k) limits(joint, kind, k);
    for (const double x : joint.speed_limit)
      require(!(x < 0), "limit-negative", "speed_limit", x, "must not be negative");
    for (const double x : joint.force_limit)
      require(!(x < 0), "limit-negative", "force_limit", x, "must not be negative");
    require(!(joint.damping < 0), "damping-negative", "damping", joint.damping, "must not be negative");
    require(!(joint.friction < 0), "friction-negative", "friction", joint.friction, "must not be negative");
    AnyJointParameters::visit(joint.parameters, joint.kind, [&](const auto& numbers) {
      const auto need = [&](auto&&... what) { require(what...); };
      if constexpr (requires { numbers.check(need); }) numbers.check(need);
    });
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
      add("limits-reversed",
          concat("limits are [", lower, ", ", upper, "]. The lower must not be above the upper; swap them."));
    } else if (kind.nq() == kind.nv() && k < joint.start.size() && (joint.start[k] < lower || joint.start[k] > upper)) {
      add("start-outside-limits", concat("start is ", joint.start[k], ", outside its limits [", lower, ", ", upper,
                                         "]. Move the start, or widen the limits."));
    }
  }
  void right_angle(const Joint& joint) {
    if (!(norm(joint.axis.v) > 0) || !(norm(joint.second_axis.v) > 0)) return;  // reported as such
    const double cosine = dot(joint.axis.v, joint.second_axis.v) / (norm(joint.axis.v) * norm(joint.second_axis.v));
    if (std::abs(cosine) <= 1e-9) return;
    add("joint-axes-skew",
        concat("axis and second_axis are ", std::acos(std::min(1.0, std::abs(cosine))) * 180 / 3.141592653589793,
               " degrees apart. The axes of a ", traits(joint.kind).name, " joint are at right angles."));
  }
  void unit_quaternion(const Joint& joint) {
    const int quaternion = quaternion_in(joint.kind);
    if (quaternion < 0) return;
    const auto first = static_cast<std::size_t>(quaternion);
    double square = 0;
    for (std::size_t k = first; k < first + 4; ++k) square += joint.start[k] * joint.start[k];
    if (std::abs(std::sqrt(square) - 1) <= 1e-6) return;
    add("quaternion-not-unit", concat("the quaternion in start has length ", std::sqrt(square),
                                      ". It must be 1 within 1e-6; divide it by its length."));
  }

  void own(const Spring& spring) {
    require(!(spring.stiffness < 0), "stiffness-negative", "stiffness", spring.stiffness, "must not be negative");
  }
  void own(const Damper& damper) {
    require(!(damper.damping < 0), "damping-negative", "damping", damper.damping, "must not be negative");
  }
  void own(const SpringDamperActuator& sda) {
    require(!(sda.stiffness < 0), "stiffness-negative", "stiffness", sda.stiffness, "must not be negative");
    require(!(sda.damping < 0), "damping-negative", "damping", sda.damping, "must not be negative");
  }
  void own(const Gear& gear) {
    if (gear.inputs() == 0 || gear.outputs() == 0)
      return add("gear-ratio-empty", "ratio is empty. Give one row per input shaft.");
    for (const auto& row : gear.ratio) {
      if (row.size() != gear.outputs()) {
        return add("gear-ratio-ragged", concat("ratio has rows of ", gear.outputs(), " and of ", row.size(),
                                               " numbers. All rows need one number per output shaft."));
      }
      const bool all_zero = std::all_of(row.begin(), row.end(), [](double x) { return x == 0; });
      require(!all_zero, "gear-ratio-zero", "ratio", 0, "must not be 0: the input shaft would stand still");
    }
    if (!gear.offset.empty() && gear.offset.size() != gear.inputs()) {
      add("gear-offset-size", concat("offset has ", gear.offset.size(), " numbers, but the gear has ", gear.inputs(),
                                     gear.inputs() == 1 ? " input shaft." : " input shafts."));
    }
  }
  void own(const Rotor& rotor) {
    require(!(rotor.inertia < 0), "rotor-inertia-negative", "inertia", rotor.inertia, "must not be negative");
  }
  void own(const Drive& drive) {
    require(!(drive.rotor_inertia < 0), "rotor-inertia-negative", "rotor_inertia", drive.rotor_inertia,
            "must not be negative");
    require(drive.gear != 0, "gear-ratio-zero", "gear", drive.gear, "must not be 0");
    if (drive.stiffness)
      require(*drive.stiffness > 0, "stiffness-negative", "stiffness", *drive.stiffness,
              "must be above 0; leave it out for a rigid drive");
    require(!(drive.damping < 0), "damping-negative", "damping", drive.damping, "must not be negative");
    require(!(drive.friction < 0), "friction-negative", "friction", drive.friction, "must not be negative");
    require(!(drive.viscous_friction < 0), "friction-negative", "viscous_friction", drive.viscous_friction,
            "must not be negative");
    if (drive.torque_limit)
      require(!(*drive.torque_limit < 0), "limit-negative", "torque_limit", *drive.torque_limit,
              "must not be negative");
    if (drive.speed_limit)
      require(!(*drive.speed_limit < 0), "limit-negative", "speed_limit", *drive.speed_limit, "must not be negative");
  }
  void own(const ContactPoint& contact) {
    require(!(contact.radius < 0), "length-negative", "radius", contact.radius, "must not be negative");
    require(!(contact.friction < 0), "friction-negative", "friction", contact.friction, "must not be negative");
    require(contact.restitution >= 0 && contact.restitution <= 1, "restitution-range", "restitution",
            contact.restitution, "must be between 0 and 1");
  }
  void own(const Rolling& rolling) {
    require(rolling.radius > 0, "length-not-positive", "radius", rolling.radius, "must be above 0");
  }
  void own(const ConnectingRod& rod) {
    require(rod.length > 0, "length-not-positive", "length", rod.length, "must be above 0");
    require(!(rod.mass < 0), "mass-negative", "mass", rod.mass, "must not be negative");
  }
  void own(const Beam& beam) {
    require(beam.length > 0, "length-not-positive", "length", beam.length, "must be above 0");
    require(beam.area > 0, "beam-section", "area", beam.area, "must be above 0");
    require(beam.youngs_modulus > 0, "beam-section", "youngs_modulus", beam.youngs_modulus, "must be above 0");
    require(!(beam.density < 0), "density-not-positive", "density", beam.density, "must not be negative");
    require(beam.segments >= 1 && beam.segments <= 10000, "beam-segments", "segments", beam.segments,
            "must be between 1 and 10000");
  }

 private:
  void add(std::string_view code, const std::string& what) {
    add_finding(findings_, {Severity::error, std::string(code), entity_.where, concat(to_text(entity_), ": ", what)});
  }
  void require(bool good, std::string_view code, std::string_view name, double value, std::string_view rule) {
    if (!good) add(code, concat(name, " is ", value, ". It ", rule, "."));
  }
  void finite(std::string_view name, double value) {
    if (!std::isfinite(value)) {
      add("value-not-finite", concat(name, " is ", value, ". Only finite numbers are allowed."));
    } else if (std::abs(value) > largest_number && !name.ends_with("_limit")) {
      add("value-too-large", concat(name, " is ", value, too_large()));
    }
  }
  void pose(std::string_view name, const Pose<double>& X) {
    for (int k = 0; k < 3; ++k) finite(name, X.p[k]);
    const double departure = departure_from_rotation(X.R);
    if (!(departure <= 1e-6)) {
      add("rotation-invalid", concat("the rotation of ", quoted(name), " is ", departure,
                                     " away from a rotation. It must "
                                     "be orthogonal, with determinant 1, within 1e-6."));
    }
  }

  const Entity& entity_;
  Findings& findings_;
};

void check_environment(const Environment& environment, Findings& findings) {
  const auto add = [&](std::string_view code, std::string_view what) {
    add_finding(findings, {Severity::error, std::string(code), {}, concat("environment: ", what)});
  };
  bool finite = true;
  double largest = 0;
  const auto take = [&](double x) {
    finite = finite && std::isfinite(x);
    if (std::abs(x) > std::abs(largest)) largest = x;
  };
  std::visit(
      [&]<class Kind>(const Kind& kind) {
        if constexpr (std::is_same_v<Kind, UniformGravity>) {
          for_each_number(take, kind.acceleration);
        } else {
          for_each_number(take, kind);
        }
      },
      environment.gravity);
  if (!finite) {
    add("value-not-finite", "gravity is not finite.");
  } else if (std::abs(largest) > largest_number) {
    add("value-too-large", concat("gravity holds ", largest, too_large()));
  }
  if (!environment.ground) return;
  const auto& [normal, height, friction] = *environment.ground;
  const auto [x, y, z] = normal.v;
  if (!(norm(normal.v) > 0) || !std::isfinite(norm(normal.v))) {
    add("direction-zero",
        concat("the ground's normal is (", x, ", ", y, ", ", z, "). It needs a direction; give e.g. (0, 0, 1)."));
  }
  if (!std::isfinite(height))
    add("value-not-finite", concat("the ground's height is ", height, ". Only finite numbers are allowed."));
  if (!(friction >= 0) || !std::isfinite(friction)) {
    add("friction-negative", concat("the ground's friction is ", friction, ". It must not be negative."));
  }
}

/// World does not move, and has no placement.
void check_world(const Model& flat, Findings& findings) {
  const Entity* world = flat.find(world_name, Family::body);
  const auto& frame = std::get<ReferenceFrame>(world->kind);
  if (frame.motion == FrameMotion::fixed && frame.placement == Pose<double>::identity()) return;
  add_finding(findings, {Severity::error, "world-moved", world->where,
                         concat(to_text(*world),
                                ": it is placed or moved. World stays where it is; add a reference frame "
                                "of your own.")});
}

void check_snap(double snap, Findings& findings) {
  if (const std::string why = why_no_snap(snap); !why.empty())
    add_finding(findings, {Severity::error, "snap-out-of-range", {}, concat("snap is ", snap, ". ", why)});
}

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
  check_environment(flat.environment, findings);
  check_world(flat, findings);
  check_snap(flat.snap, findings);
}

}  // namespace articula::build
