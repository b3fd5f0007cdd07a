#include "contract/reference.h"

#include <algorithm>
#include <cmath>

namespace articula::test {
namespace {

constexpr double gear_ratio = -2, held_at = 0.4;
constexpr double rotor_inertia = 2e-4, drive_gear = 30, drive_friction = 0.9, drive_stiffness = 50;
const std::vector<std::string> joint_names{"j1", "j2", "j3", "j4"};

std::span<const double> span_of(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

Model tree() {
  Model model("tree");
  const auto body = [](double m, double x, double y, double z) {
    return RigidBody{.mass = m, .com = {x, y, z}, .inertia = SymMat3<double>::diagonal(0.05, 0.06, 0.07)};
  };
  model.add("a", body(2, 0.1, 0.05, 0.2));
  model.add("b", body(1.5, 0.2, 0, 0.05));
  model.add("c", body(1, 0.15, 0.1, 0));
  model.add("d", body(0.7, 0, 0.1, 0.1));
  model.add("j1", Joint{.axis = z_axis}, "world", "a");
  model.add("j2", Joint{.axis = y_axis, .start = {held_at}}, at("a", {.xyz = {0.1, 0, 0.4}}), "b");
  model.add("j3", Joint{.axis = x_axis}, at("b", {.xyz = {0.4, 0, 0}}), "c");
  model.add("j4", Joint{.kind = JointKind::prismatic, .axis = y_axis}, at("a", {.xyz = {0, 0.2, 0.3}}), "d");
  return model;
}

/// The rotor on b, about the axis of j3, as a body of its own. Its inertia at rest is part of b.
Model tree_with_rotor() {
  Model model = tree();
  SymMat3<double>& I = model.at<RigidBody>("b").inertia;
  I.xx -= rotor_inertia;
  model.add("rotor", RigidBody{.mass = 0, .inertia = SymMat3<double>::diagonal(rotor_inertia, 0, 0)});
  model.add("motor", Joint{.axis = x_axis}, "b", "rotor");
  return model;
}

}  // namespace

std::vector<Feature> features() {
  std::vector<Feature> all;
  const auto add = [&](std::string name, auto&& change) -> Feature& {
    Feature feature{.name = std::move(name),
                    .model = tree(),
                    .bare = Model(),
                    .rotor = std::vector<double>(joint_names.size()),
                    .damping = std::vector<double>(joint_names.size())};
    change(feature.model);
    feature.bare = feature.model;
    return all.emplace_back(std::move(feature));
  };
  const auto bare = [](Feature& feature) { feature.bare = tree(); };
  const ExternalForce push{.force = {8, -5, 12}, .moment = {0.4, 1.1, -0.6}};
  const auto pushed = [&](const std::string& axes) {
    return [&, axes](Model& m) {
      ExternalForce force = push;
      force.expressed_in = axes;
      m.add("push", force, at("c", {.xyz = {0.2, 0.1, 0.05}}));
    };
  };
  const auto sprung = [](Model& m) {
    m.add("spring", SpringDamperActuator{.stiffness = 300, .damping = 11, .rest = 0.3}, at("world", {.xyz = {0, 0, 0}}),
          "c");
    m.at<Joint>("j2").damping = 1.7;
  };
  const auto driven = [](bool mounted, bool elastic) {
    return [=](Model& m) {
      Drive drive{.rotor_inertia = rotor_inertia, .gear = drive_gear, .viscous_friction = drive_friction};
      if (elastic) drive.stiffness = drive_stiffness;
      m.add("motor", drive, "j3", mounted ? Attachment("b") : Attachment());
    };
  };
  const double along = drive_gear * drive_gear * rotor_inertia;

  add("nothing more", [](Model&) {});
  add("loads", [](Model&) {}).loads = true;
  add("external force in World's axes", pushed("world"));
  add("external force in its own axes", pushed("local"));
  add("external force in another body's axes", pushed("d"));
  add("locked joint", [](Model& m) { m.exterior.joints = {"j1", "j3", "j4"}; });
  add("prescribed joint", [](Model& m) { m.at<Joint>("j2").prescribed = true; });
  bare(add("gear", [](Model& m) { m.add("gear", Gear{.ratio = {{gear_ratio}}}, "j3", "j2"); }));
  bare(add("rigid drive", driven(false, false)));
  Feature& drive = add("rigid drive, passive", driven(false, false));
  bare(drive);
  drive.passive = true, drive.rotor[2] = along, drive.damping[2] = drive_friction;
  Feature& rotor = add("rigid drives", driven(false, false));
  bare(rotor);
  rotor.drives = Drives::rigid, rotor.rotor[2] = along;
  Feature& mounted = add("mounted rigid drive, passive", driven(true, false));
  mounted.bare = tree_with_rotor();
  mounted.passive = true, mounted.gear = drive_gear, mounted.damping[2] = drive_friction;
  Feature& rigid = add("mounted rigid drives", driven(true, true));
  rigid.bare = tree_with_rotor();
  rigid.drives = Drives::rigid, rigid.gear = drive_gear;
  bare(add("elastic drive", driven(true, true)));
  Feature& elastic = add("elastic drive, passive", driven(true, true));
  elastic.bare = tree_with_rotor();
  elastic.passive = true, elastic.gear = drive_gear, elastic.drive_stiffness = drive_stiffness;
  bare(add("spring and damper", sprung));
  Feature& spring = add("spring and damper, passive", sprung);
  bare(spring);
  spring.passive = true, spring.damping[1] = 1.7;
  spring.stiffness = 300, spring.rest = 0.3, spring.line_damping = 11;
  bare(add("contact point", [](Model& m) {
    m.environment.ground = Ground{};
    m.add("foot", ContactPoint{}, "c");
  }));
  add("central gravity", [](Model& m) { m.environment.gravity = CentralGravity{{0.3, 0.2, -40}, 15'000}; });
  bare(add("loop", [](Model& m) {
    m.add("bar", RigidBody{.mass = 0.3, .com = {0.1, 0, 0}, .inertia = SymMat3<double>::diagonal(0.01, 0.01, 0.01)});
    m.add("k1", Joint{.kind = JointKind::spherical}, "c", "bar");
    m.add("k2", Joint{.kind = JointKind::spherical, .closes_loop = true}, "d", at("bar", {.xyz = {0.5, 0, 0}}));
  }));
  return all;
}

std::vector<NamedLoad> loads_of(const Feature& feature) {
  if (!feature.loads) return {};
  return {{"c", "world", {{0.3, -0.2, 0.5}, {4, 7, -9}}},
          {"c", "c", {{1, 0.2, 0.1}, {-3, 2, 6}}},
          {"b", "d", {{0.1, 0.9, -0.4}, {5, -8, 1}}}};
}

std::vector<Load> loads_of(const Feature& feature, const Solver& solver) {
  std::vector<Load> loads;
  for (const NamedLoad& load : loads_of(feature)) {
    loads.push_back({solver.frame({load.on, ""}), load.wrench, solver.frame({load.axes, ""})});
  }
  return loads;
}

Reference::Reference(const Feature& feature)
    : feature_(feature), network_([&] {
        Model model = feature.bare;
        model.exterior = {};
        return network::Network(model);
      }()) {
  const bool geared = feature.name == "gear", has_motor = feature.gear != 0;
  joints_ = has_motor ? std::vector<std::string>{"j1", "j2", "j3", "motor", "j4"} : joint_names;
  for (const std::string& name : joint_names) {
    const auto& exposed = feature.model.exterior.joints;
    if (!exposed.empty() && std::find(exposed.begin(), exposed.end(), name) == exposed.end()) continue;
    if (geared && name == "j3") continue;  // follows j2
    names_.push_back(name);
    if (feature.drive_stiffness != 0 && name == "j2") names_.emplace_back("motor.motor");  // on the body of j2
  }
  if (feature.name == "prescribed joint") prescribed_ = "j2";
  G_ = MatrixXd::Zero(size(), static_cast<Eigen::Index>(names_.size()));
  q_held_ = VectorXd::Zero(size());
  for (Eigen::Index row = 0; row < size(); ++row) {
    const std::string& joint = joints_[static_cast<std::size_t>(row)];
    const auto found = std::find(names_.begin(), names_.end(), joint == "motor" ? "motor.motor" : joint);
    if (found != names_.end()) {
      G_(row, found - names_.begin()) = 1;
    } else if (joint == "motor") {
      G_.row(row) = feature.gear * G_.row(place("j3"));
    } else if (geared) {
      G_.row(row) = gear_ratio * G_.row(row - 1);
    } else {
      q_held_[row] = held_at;
    }
  }
}

Eigen::Index Reference::place(const std::string& joint) const {
  return std::find(joints_.begin(), joints_.end(), joint) - joints_.begin();
}

void Reference::kinematics(const VectorXd& q, const VectorXd& v, const VectorXd& vdot) {
  const VectorXd q_all = all_q(q), v_all = G_ * v, vdot_all = G_ * vdot;
  network_.kinematics(span_of(q_all), span_of(v_all), span_of(vdot_all));
}

VectorXd Reference::tau(const VectorXd& q, const VectorXd& v, const VectorXd& vdot) {
  std::vector<network::AppliedForce> forces;
  for (const NamedLoad& load : loads_of(feature_)) {
    forces.push_back({network_.port({load.on, ""}), load.wrench, network_.port({load.axes, ""})});
  }
  if (feature_.stiffness != 0) {  // of a line from World's origin
    kinematics(q, v, vdot);
    const Pose<double> X_WC = network_.pose_at({"c", ""});
    const double length = norm(X_WC.p);
    const Vec3<double> n = X_WC.p * (1 / length);
    const double rate = dot(n, X_WC.R * network_.velocity_at({"c", ""}).v);
    const double push = -feature_.stiffness * (length - feature_.rest) - feature_.line_damping * rate;
    forces.push_back({network_.port({"c", ""}), {{}, n * push}});
  }
  network_.apply(forces);
  const VectorXd q_all = all_q(q), v_all = G_ * v, vdot_all = G_ * vdot;
  VectorXd tau_all(size());
  network_.inverse_dynamics(span_of(q_all), span_of(v_all), span_of(vdot_all), {tau_all.data(), joints_.size()});
  add_passive_forces(q_all, v_all, vdot_all, tau_all);
  return G_.transpose() * tau_all;
}

/// What rotors, friction and springs of joints and drives need.
void Reference::add_passive_forces(const VectorXd& q_all, const VectorXd& v_all, const VectorXd& vdot_all,
                                   VectorXd& tau) const {
  for (std::size_t k = 0; k < joint_names.size(); ++k) {
    const Eigen::Index i = place(joint_names[k]);
    tau[i] += feature_.rotor[k] * vdot_all[i];
    if (feature_.passive) tau[i] += feature_.damping[k] * v_all[i];
  }
  if (feature_.drive_stiffness == 0) return;
  const Eigen::Index motor = place("motor"), joint = place("j3");
  const double torque = feature_.drive_stiffness * (q_all[motor] / feature_.gear - q_all[joint]);
  tau[joint] -= torque;
  tau[motor] += (torque + drive_friction * v_all[motor] / feature_.gear) / feature_.gear;
}

MatrixXd Reference::mass_matrix(const VectorXd& q) {
  const auto n = static_cast<Eigen::Index>(nv());
  const VectorXd zero = VectorXd::Zero(n);
  const VectorXd bias = tau(q, zero, zero);
  MatrixXd M(n, n);
  for (Eigen::Index k = 0; k < n; ++k) M.col(k) = tau(q, zero, VectorXd::Unit(n, k)) - bias;
  return M;
}

MatrixXd Reference::inverse_mass_matrix(const VectorXd& q) {
  MatrixXd M = mass_matrix(q);
  for (std::size_t k = 0; k < nv(); ++k) {
    if (!is_prescribed(k)) continue;
    const auto i = static_cast<Eigen::Index>(k);
    M.row(i).setZero(), M.col(i).setZero();
    M(i, i) = 1;
  }
  MatrixXd inverse = M.inverse();
  for (std::size_t k = 0; k < nv(); ++k) {
    if (is_prescribed(k)) inverse(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(k)) = 0;
  }
  return inverse;
}

VectorXd Reference::vdot(const VectorXd& q, const VectorXd& v, const VectorXd& prescribed, const VectorXd& given) {
  VectorXd told = VectorXd::Zero(v.size());
  for (std::size_t k = 0; k < nv(); ++k) {
    if (is_prescribed(k)) told[static_cast<Eigen::Index>(k)] = prescribed[static_cast<Eigen::Index>(k)];
  }
  return told + inverse_mass_matrix(q) * (given - tau(q, v, told));
}

VectorXd Reference::frame_motion(const VectorXd& q, const VectorXd& v, const VectorXd& vdot, bool with_acceleration) {
  kinematics(q, v, vdot);
  const PortRef c{"c", ""};
  const Pose<double> X = network_.pose_at(c);
  const Motion<double> V = network_.velocity_at(c), A = network_.acceleration_at(c);
  std::vector<double> all;
  const auto add = [&](const Vec3<double>& x) { all.insert(all.end(), {x.x, x.y, x.z}); };
  for (int i = 0; i < 3; ++i) add({X.R.m(i, 0), X.R.m(i, 1), X.R.m(i, 2)});
  add(X.p), add(X.R * V.w), add(X.R * V.v);
  if (with_acceleration) add(X.R * A.w), add(X.R * (A.v + cross(V.w, V.v)));
  return Eigen::Map<VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

MatrixXd Reference::jacobian(const VectorXd& q) {
  const auto n = static_cast<Eigen::Index>(nv());
  MatrixXd J(6, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    J.col(k) = frame_motion(q, VectorXd::Unit(n, k), VectorXd::Zero(n), false).tail(6);
  }
  return J;
}

VectorXd Reference::whole(const VectorXd& q, const VectorXd& v) {
  kinematics(q, v, VectorXd::Zero(v.size()));
  double mass = 0, potential = 0;
  Vec3<double> h{}, p{};
  for (const char* name : {"a", "b", "c", "d"}) {
    const auto& body = feature_.bare.at<RigidBody>(name);
    const Pose<double> X = network_.pose_at({name, ""});
    const Motion<double> V = network_.velocity_at({name, ""});
    const Vec3<double> center = X * body.com;
    mass += body.mass;
    h = h + center * body.mass;
    p = p + (X.R * (V.v + cross(V.w, body.com))) * body.mass;
    if (const auto* uniform = std::get_if<UniformGravity>(&feature_.bare.environment.gravity)) {
      potential -= body.mass * dot(uniform->acceleration, center);
    } else {
      const auto& central = std::get<CentralGravity>(feature_.bare.environment.gravity);
      potential -= central.mu * body.mass / norm(center - central.center);
    }
  }
  const double kinetic = 0.5 * v.dot(mass_matrix(q) * v);
  VectorXd all(9);
  all << mass, h.x / mass, h.y / mass, h.z / mass, p.x / mass, p.y / mass, p.z / mass, kinetic, potential;
  return all;
}

MatrixXd Reference::along(const VectorXd& x, const std::function<VectorXd(const VectorXd&)>& f) {
  const double h = 1e-5;
  MatrixXd columns;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const VectorXd step = h * VectorXd::Unit(x.size(), k);
    const VectorXd column = (f(x + step) - f(x - step)) / (2 * h);
    if (columns.size() == 0) columns.resize(column.size(), x.size());
    columns.col(k) = column;
  }
  return columns;
}

}  // namespace articula::test
