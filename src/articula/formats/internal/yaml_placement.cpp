#include <articula/formats/internal/yaml_placement.h>

#include <cmath>

namespace articula::formats {
namespace {

constexpr double nearly_unit = 1e-6;
constexpr double rounding = 1e-12;  ///< of a matrix that is a product of rotations; such a matrix is kept

constexpr std::array<std::string_view, 5> orientation_names{"rpy", "euler", "axis_angle", "quaternion", "rotation"};

bool read_euler(const Spot& spot, Rotation<double>& R) {
  Keys keys(spot, "A mapping is needed, e.g. {sequence: zxz, angles: [0, 0.5, 0]}.");
  std::string sequence;
  Vec3<double> angles = Vec3<double>::zero();
  const auto sequence_spot = keys.find("sequence"), angles_spot = keys.find("angles");
  keys.finish({"sequence", "angles"});
  if (!keys.ok()) return false;
  if (!sequence_spot || !angles_spot) {
    spot.error("value-missing", ": sequence and angles are both needed, e.g. {sequence: zxz, angles: [0, 0.5, 0]}.");
    return false;
  }
  const bool ok = read_value(*sequence_spot, sequence, dimension::none);
  if (!read_value(*angles_spot, angles, dimension::angle) || !ok) return false;
  const auto turned = rotation_from_euler(sequence, angles);
  if (!turned) {
    sequence_spot->error("value-unknown", concat(" is ", quoted(sequence),
                                                 ". It is three letters of x, y, z, neighbours different, e.g. zxz."));
    return false;
  }
  R = *turned;
  return true;
}

bool read_axis_angle(const Spot& spot, Rotation<double>& R) {
  Keys keys(spot, "A mapping is needed, e.g. {axis: z, angle: 30 deg}.");
  Direction axis;
  double angle = 0;
  const auto axis_spot = keys.find("axis"), angle_spot = keys.find("angle");
  keys.finish({"axis", "angle"});
  if (!keys.ok()) return false;
  if (!axis_spot || !angle_spot) {
    spot.error("value-missing", ": axis and angle are both needed, e.g. {axis: z, angle: 30 deg}.");
    return false;
  }
  const bool ok = read_value(*axis_spot, axis, dimension::none);
  if (!read_value(*angle_spot, angle, dimension::angle) || !ok) return false;
  R = rotation_from_axis_angle(axis.v, angle);
  return true;
}

bool read_quaternion(const Spot& spot, Rotation<double>& R) {
  Keys keys(spot, "A mapping is needed, e.g. {x: 0, y: 0, z: 0, w: 1}.");
  Quaternion<double> q;
  bool ok = keys.ok();
  int given = 0;
  const auto entry = [&](std::string_view name, double& number) {
    const auto each = keys.find(name);
    given += each ? 1 : 0;
    if (each) ok &= read_value(*each, number, dimension::none);
  };
  entry("x", q.x), entry("y", q.y), entry("z", q.z), entry("w", q.w);
  keys.finish({"x", "y", "z", "w"});
  if (!ok) return false;
  if (given != 4) {
    spot.error("value-missing", ": x, y, z and w are all needed, e.g. {x: 0, y: 0, z: 0, w: 1}.");
    return false;
  }
  const auto turned = rotation_near(q);
  if (!turned) {
    const double length = std::hypot(std::hypot(q.x, q.y), std::hypot(q.z, q.w));
    spot.error("quaternion-not-unit", concat(" is (", q.x, ", ", q.y, ", ", q.z, ", ", q.w, ") of length ", length,
                                             ". Its length must be 1 within 1e-6; divide it by its length."));
    return false;
  }
  R = *turned;
  return true;
}

bool read_matrix(const Spot& spot, Rotation<double>& R) {
  Rows rows;
  if (!read_value(spot, rows, dimension::none)) return false;
  if (rows.size() != 3 || rows.front().size() != 3) {
    spot.error("vector-length",
               concat(" has ", rows.size(), " rows of ", rows.empty() ? 0 : rows.front().size(),
                      " entries. It needs three rows of three, e.g. [[1, 0, 0], [0, 1, 0], [0, 0, 1]]."));
    return false;
  }
  Rotation<double> given;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) given.m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  const auto turned = rotation_near(given);
  if (!turned) {
    const double departure = departure_from_rotation(given);
    spot.error("rotation-invalid",
               std::isfinite(departure)
                   ? concat(" departs from a rotation by ", departure,
                            ". Rows must be of unit length and at right angles within 1e-6.")
                   : std::string(" is not a rotation but a reflection, or flat. Its determinant must be 1."));
    return false;
  }
  R = *turned;
  return true;
}

bool read_orientation(const Spot& spot, Rotation<double>& R) {
  if (spot.label() == "rpy") {
    Vec3<double> angles = Vec3<double>::zero();
    if (!read_value(spot, angles, dimension::angle)) return false;
    R = rotation_from_rpy(angles);
    return true;
  }
  if (spot.label() == "euler") return read_euler(spot, R);
  if (spot.label() == "axis_angle") return read_axis_angle(spot, R);
  return spot.label() == "quaternion" ? read_quaternion(spot, R) : read_matrix(spot, R);
}

constexpr std::array link_conventions{std::pair{std::string_view("dh"), LinkConvention::standard},
                                      std::pair{std::string_view("craig"), LinkConvention::craig},
                                      std::pair{std::string_view("khalil"), LinkConvention::khalil}};

bool read_link(const Spot& spot, LinkConvention convention, Pose<double>& X) {
  Keys keys(spot, "A mapping is needed, e.g. {theta: 0, d: 0.3, a: 0, alpha: 90 deg}.");
  LinkParameters link;
  bool ok = keys.ok() && read_link_parameters(keys, convention, link);
  keys.finish([&] {
    const auto names = link_parameter_names(convention);
    return std::vector<std::string>(names.begin(), names.end());
  });
  if (!ok) return false;
  const LinkDisplacement displaced = displacement(convention, link);
  X = displaced.before * displaced.after;
  return true;
}

}  // namespace

std::optional<Rotation<double>> rotation_near(const Quaternion<double>& q) {
  const double length = std::sqrt(squared_norm(q));
  if (!(std::abs(length - 1) <= nearly_unit)) return std::nullopt;
  return rotation_of(Quaternion<double>{q.x / length, q.y / length, q.z / length, q.w / length});
}

std::optional<Rotation<double>> rotation_near(const Rotation<double>& R) {
  const double departure = departure_from_rotation(R);
  if (!(departure <= nearly_unit)) return std::nullopt;
  return departure <= rounding ? R : nearest_rotation(R);
}

std::span<const std::string_view> link_parameter_names(LinkConvention convention) {
  static constexpr std::array<std::string_view, 4> usual{"theta", "d", "a", "alpha"};
  static constexpr std::array<std::string_view, 6> khalil{"theta", "r", "d", "alpha", "gamma", "b"};
  if (convention == LinkConvention::khalil) return khalil;
  return usual;
}

bool read_link_parameters(Keys& keys, LinkConvention convention, LinkParameters& link) {
  bool ok = true;
  const auto number = [&](std::string_view name, double& value, const Dimension& dimension) {
    if (const auto spot = keys.find(name)) ok &= read_value(*spot, value, dimension);
  };
  const bool khalil = convention == LinkConvention::khalil;
  number("theta", link.theta, dimension::angle);
  number(khalil ? "r" : "d", link.d, dimension::length);
  number(khalil ? "d" : "a", link.a, dimension::length);
  number("alpha", link.alpha, dimension::angle);
  if (khalil) {
    number("gamma", link.gamma, dimension::angle);
    number("b", link.b, dimension::length);
  }
  return ok;
}

bool read_value(const Spot& spot, Pose<double>& value, const Dimension&) {
  Keys keys(spot, "A placement is a mapping, e.g. {xyz: [0, 0, 0.2], rpy: [0, 0, 90 deg]}.");
  if (!keys.ok()) return false;
  Pose<double> X;
  bool ok = true;
  std::string_view first;
  const auto only_one = [&](std::string_view name) {
    if (!first.empty()) {
      spot.error("placement-several",
                 concat(": ", first, " and ", name, " both say how it is placed. Keep one of them."));
      ok = false;
    }
    first = name;
  };
  for (const auto& [name, convention] : link_conventions) {
    const auto link = keys.find(name);
    if (!link) continue;
    only_one(name);
    if (keys.has("xyz")) only_one("xyz");
    ok &= read_link(*link, convention, X);
  }
  if (const auto xyz = keys.find("xyz")) ok &= read_value(*xyz, X.p, dimension::length);
  for (const std::string_view name : orientation_names) {
    const auto orientation = keys.find(name);
    if (!orientation) continue;
    only_one(name);
    ok &= read_orientation(*orientation, X.R);
  }
  keys.finish({"xyz", "rpy", "euler", "axis_angle", "quaternion", "rotation", "dh", "craig", "khalil"});
  if (ok) value = X;
  return ok;
}

}  // namespace articula::formats
