#include "support/random_model.h"

#include <array>
#include <set>

#include <articula/base/text.h>
#include <articula/mechanism/parameter_fields.h>

namespace articula::test {

Vec3<double> Random::direction() {
  while (true) {
    const Vec3<double> v = vec3();
    const double length = norm(v);
    if (length > 0.1 && length < 1) return v * (1 / length);
  }
}

std::vector<double> Random::quaternion() {
  while (true) {
    std::vector<double> q{number(), number(), number(), number()};
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    if (length < 0.1 || length > 1) continue;
    for (double& x : q) x /= length;
    return q;
  }
}

static Pose<double> to_pose(const Isometry3d& X) {
  Pose<double> pose;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.R.m(i, j) = X(i, j);
    pose.p[i] = X(i, 3);
  }
  return pose;
}

Rotation<double> Random::rotation(bool aligned) {
  if (aligned) {
    Rotation<double> R;
    for (int k = 0; k < 3; ++k) {
      constexpr std::array<std::array<double, 2>, 4> quarters{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
      const auto& [c, s] = quarters[static_cast<std::size_t>(below(4))];
      R = R * rotation_about(k, c, s);
    }
    return R;
  }
  const std::vector<double> q = quaternion();
  Isometry3d X = Isometry3d::Identity();
  X.linear() = Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized().toRotationMatrix();
  return to_pose(X).R;
}

namespace {

std::vector<double> random_q(JointKind kind, Random& random) {
  std::vector<double> q;
  for (int k = 0; k < traits(kind).nq(); ++k) q.push_back(2 * random.number());
  if (kind == JointKind::spherical || kind == JointKind::free) {
    const std::vector<double> turn = random.quaternion();
    std::copy(turn.begin(), turn.end(), q.end() - 4);
  }
  return q;
}

/// Where something can be attached: a body or reference frame by its path, or the end of a joint without one.
struct Host {
  std::string entity;
  std::string port;
  bool is_body = true;
};

class Generator {
 public:
  Generator(std::uint32_t seed, const RandomModelOptions& options) : random_(seed), options_(options) {
    for (const JointKind kind : all_joint_kinds) {
      if (options.kinds.empty() && kind != JointKind::fixed) kinds_.push_back(kind);
    }
    if (!options.kinds.empty()) kinds_ = options.kinds;
  }

  Model run(std::uint32_t seed) {
    Model model(concat("random ", seed));
    std::vector<Host> hosts{{"world", "", true}};
    for (int k = 0; k < options_.fixed_frames; ++k) hosts.push_back(add_frame(model, FrameMotion::fixed));
    for (int k = 0; k < options_.moving_frames; ++k) hosts.push_back(add_frame(model, FrameMotion::prescribed));
    int left = options_.bodies;
    for (int k = 0; k < options_.parts; ++k) {
      const int own = std::min(left, 1 + random_.below(3));
      if (own == 0) break;
      add_part(model, hosts, own);
      left -= own;
    }
    while (left-- > 0) add_body(model, hosts);
    for (Entity& entity : entities_of(model)) give_start(entity);
    add_rigid_cycles(model);
    for (int k = 0; k < options_.loops; ++k) add_loop(model);
    for (int k = 0; k < options_.elements; ++k) add_element(model);
    return model;
  }

 private:
  std::string new_name(std::string_view what) { return concat(what, ++count_); }
  bool aligned() { return random_.chance(options_.aligned); }
  bool reversed() { return random_.chance(options_.reversed); }

  Host add_frame(Model& model, FrameMotion motion) {
    const std::string name = new_name("frame");
    model.add(name, ReferenceFrame{.motion = motion, .placement = random_.pose(aligned())});
    return {name, "", true};
  }

  RigidBody body() {
    RigidBody body;
    if (random_.chance(options_.density)) {
      body.density = random_.number(500, 2000);
      for (int k = 0; k <= random_.below(2); ++k)
        body.shapes.push_back({concat("shape", k), solid(), random_.pose(aligned())});
      return body;
    }
    // Eight points make a body that can be.
    Inertia<double> sum;
    for (int k = 0; k < 8; ++k) {
      const double m = random_.number(0.1, 0.5);
      sum += inertia_about_origin(m, 0.3 * random_.vec3(), SymMat3<double>::zero());
    }
    body.mass = sum.m;
    body.com = sum.h * (1 / sum.m);
    body.inertia = inertia_about_center(sum);
    if (random_.chance(0.2)) body.internal_momentum = random_.vec3();
    if (random_.chance(0.3)) body.frames.push_back({"tool", random_.pose(aligned())});
    return body;
  }
  Geometry solid() {
    const double a = random_.number(0.05, 0.2), b = random_.number(0.05, 0.2), c = random_.number(0.05, 0.2);
    const std::array<Geometry, 4> all{Box{{a, b, c}}, Sphere{a}, Cylinder{a, b}, Capsule{a, b}};
    return all[static_cast<std::size_t>(random_.below(4))];
  }

  Direction axis() {
    if (!aligned()) return {random_.direction()};
    Direction axis{Vec3<double>::zero()};
    axis.v[random_.below(3)] = random_.chance(0.5) ? 1 : -1;
    return axis;
  }

  Joint joint() {
    Joint joint{.kind = random_.one_of(kinds_), .axis = axis()};
    if (traits(joint.kind).axis_use == AxisUse::two) {
      Vec3<double> second = random_.direction();
      if (aligned()) second = Vec3<double>::unit(random_.below(3));
      while (norm(cross(joint.axis.v, second)) < 0.1) second = random_.direction();
      const Vec3<double> across = cross(joint.axis.v, second);
      joint.second_axis.v = across * (1 / norm(across));
    }
    AnyJointParameters::visit(joint.parameters, joint.kind,
                              [&](auto& own) { for_each_number([&](double& x) { x = random_.number(); }, own); });
    return joint;
  }

  /// At a body's own frame or at a place on it; at the end of a joint as it is.
  void attach(Assembly& in, const std::string& entity, Family family, std::string_view port, const Host& host) {
    if (!host.is_body) {
      in.connect({{entity, std::string(port)}, {host.entity, host.port}});
    } else if (random_.chance(options_.own_frame)) {
      in.attach(entity, family, port, {host.entity, host.port});
    } else {
      in.attach(entity, family, port, {host.entity, random_.pose(aligned())});
    }
  }

  /// From a host through joints, displacements and fixed joints to a new body.
  void add_body(Assembly& in, std::vector<Host>& hosts) {
    Host at = random_.one_of(hosts);
    const std::string name = new_name("body");
    in.add(name, body());
    const Host end{name, "", true};
    if (random_.chance(options_.rigid)) {
      at = add_rigid_links(in, at, random_.below(3));
    } else {
      at = add_links(in, at);
    }
    finish_chain(in, at, end);
    if (!at.is_body && random_.chance(options_.chained)) hosts.push_back(at);
    hosts.push_back(end);
  }

  /// The end of a chain meets the body; a chain of nothing is a body on a body.
  void finish_chain(Assembly& in, const Host& at, const Host& end) {
    if (at.is_body) return attach(in, end.entity, Family::body, end.port, at);
    for (const Family family : {Family::joint, Family::element}) {
      if (in.find(at.entity, family) == nullptr || random_.chance(options_.own_frame)) continue;
      in.attach(at.entity, family, at.port, {end.entity, random_.pose(aligned())});
      return;
    }
    in.connect({{end.entity, end.port}, {at.entity, at.port}});
  }

  /// One link of a chain; returns its far end.
  Host add_link(Assembly& in, const Host& at, Kind kind) {
    const Family family = family_of(kind);
    const std::string name = new_name(family == Family::joint ? "joint" : "link");
    in.add(name, std::move(kind));
    const bool back = reversed();
    attach(in, name, family, back ? "to" : "from", at);
    return {name, back ? "from" : "to", false};
  }
  Host add_rigid_links(Assembly& in, Host at, int count) {
    for (int k = 0; k < count; ++k) {
      Kind kind = Displacement{random_.pose(aligned())};
      if (random_.chance(0.5)) kind = Joint{.kind = JointKind::fixed};
      at = add_link(in, at, std::move(kind));
    }
    return at;
  }
  Host add_links(Assembly& in, Host at) {
    do {
      if (random_.chance(options_.rigid)) at = add_rigid_links(in, at, 1);
      at = add_link(in, at, joint());
      if (random_.chance(options_.rigid)) at = add_rigid_links(in, at, 1);
    } while (random_.chance(options_.chained));
    return at;
  }

  /// A small tree of its own, hung on one of the hosts by its first body.
  void add_part(Model& model, std::vector<Host>& hosts, int bodies) {
    Assembly part;
    const std::string first = new_name("body");
    part.add(first, body());
    std::vector<Host> own{{first, "", true}};
    while (--bodies > 0) add_body(part, own);
    const std::string name = new_name("part");
    model.add_part(name, std::move(part));
    finish_chain(model, add_links(model, random_.one_of(hosts)), {name + "/" + first, "", true});
    for (const Host& host : own) hosts.push_back({name + "/" + host.entity, host.port, host.is_body});
  }

  // --- the whole model, once its tree stands -------------------------------------------------------------------

  static std::vector<std::reference_wrapper<Entity>> entities_of(Model& model) {
    std::vector<std::reference_wrapper<Entity>> all;
    std::vector<const Assembly*> assemblies{&model};
    for (std::size_t k = 0; k < assemblies.size(); ++k) {
      for (const Entity& entity : assemblies[k]->entities()) all.emplace_back(const_cast<Entity&>(entity));
      for (const Part& part : assemblies[k]->parts()) assemblies.push_back(&part.assembly);
    }
    return all;
  }

  void give_start(Entity& entity) {
    auto* joint = std::get_if<Joint>(&entity.kind);
    if (joint != nullptr && joint->kind != JointKind::fixed) joint->start = random_q(joint->kind, random_);
  }

  /// The relative pose of two bodies that stays at every q is that of a rigid pair.
  void add_rigid_cycles(Model& model) {
    if (options_.rigid_cycles <= 0) return;
    const Poses here = walk(model, start_coordinates(model)),
                there = walk(model, random_coordinates(model, random_.bits()));
    const std::vector<PortRef> bodies = own_frames(here);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = i + 1; j < bodies.size(); ++j) {
        const Isometry3d X_ij = here.at(bodies[i]).inverse() * here.at(bodies[j]);
        const Isometry3d X_later = there.at(bodies[i]).inverse() * there.at(bodies[j]);
        if (gap(X_ij, X_later) > 1e-9 || !random_.chance(options_.rigid_cycles)) continue;
        const std::string name = new_name("link");
        const Pose<double> X_iF = random_.pose(aligned());
        model.add(name, Displacement{to_pose(dense(X_iF).inverse() * X_ij)});
        model.attach(name, Family::element, "from", {bodies[i].entity, X_iF});
        model.attach(name, Family::element, "to", bodies[j].entity);
      }
    }
  }

  /// A joint between two bodies, placed so that it fits where the model starts.
  void add_loop(Model& model) {
    const Poses poses = walk(model, without_loops(model, start_coordinates(model)));
    const Poses later = walk(model, without_loops(model, random_coordinates(model, random_.bits())));
    const std::vector<PortRef> bodies = own_frames(poses);
    const PortRef& a = random_.one_of(bodies);
    const PortRef& b = random_.one_of(bodies);
    // No joint within one rigid body.
    if (gap(poses.at(a).inverse() * poses.at(b), later.at(a).inverse() * later.at(b)) < 1e-9) return;
    Joint closing = joint();
    closing.closes_loop = true;
    closing.start = random_q(closing.kind, random_);
    const Pose<double> X_aF = random_.pose(aligned());
    const Isometry3d X_WM = poses.at(a) * dense(X_aF) * joint_pose(closing, closing.start);
    const std::string name = new_name("loop");
    model.add(name, closing, {a.entity, X_aF}, {b.entity, to_pose(poses.at(b).inverse() * X_WM)});
  }

  static std::vector<PortRef> own_frames(const Poses& poses) {
    std::vector<PortRef> bodies;
    for (const auto& [ref, X] : poses) {
      if (ref.port.empty()) bodies.push_back(ref);
    }
    return bodies;
  }

  /// The tree's coordinates alone, which lead everywhere one way.
  static Coordinates without_loops(const Model& model, Coordinates q) {
    for (const Entity& entity : model.entities()) {
      const auto* joint = std::get_if<Joint>(&entity.kind);
      if (joint != nullptr && joint->closes_loop) q.erase(entity.name);
    }
    return q;
  }

  void add_element(Model& model) {
    std::vector<std::string> bodies, joints;
    for (const Entity& entity : model.entities()) {
      const auto* joint = std::get_if<Joint>(&entity.kind);
      if (family_of(entity.kind) == Family::body) bodies.push_back(entity.name);
      if (joint != nullptr && traits(joint->kind).nv() == 1 && !joint->closes_loop) joints.push_back(entity.name);
    }
    const auto place = [&] {
      const std::string& body = random_.one_of(bodies);
      return Attachment(body, random_.pose(aligned()));
    };
    const std::string name = new_name("element");
    const Attachment here = place(), there = place();
    const Vec3<double> force = random_.vec3(), moment = random_.vec3();
    const int kind = random_.below(joints.empty() ? 4 : 7);
    const Attachment shaft = joints.empty() ? Attachment() : Attachment(random_.one_of(joints));
    switch (kind) {
      case 0: model.add(name, Spring{.stiffness = 10, .rest = 1}, here, there); break;
      case 1: model.add(name, Damper{.damping = 0.1}, here, there); break;
      case 2: model.add(name, ExternalForce{.force = force, .moment = moment}, here); break;
      case 3:
        model.add(name, ContactPoint{.radius = 0.1}, here);
        model.environment.ground.emplace();
        break;
      case 4: model.add(name, Spring{.form = Form::torsional, .stiffness = 5}, shaft); break;
      case 5: model.add(name, SpringDamperActuator{.form = Form::torsional, .damping = 0.1, .force = 1}, shaft); break;
      default: model.add(name, Drive{.rotor_inertia = 1e-4, .gear = 100}, shaft, here); break;
    }
  }

  Random random_;
  RandomModelOptions options_;
  std::vector<JointKind> kinds_;
  int count_ = 0;
};

/// Calls `f(path, joint)` for all joints that move, in whatever part.
template <class F>
void for_each_joint(const Model& model, F&& f) {
  std::vector<std::pair<const Assembly*, std::string>> assemblies{{&model, ""}};
  for (std::size_t k = 0; k < assemblies.size(); ++k) {
    const auto [assembly, prefix] = assemblies[k];
    for (const Entity& entity : assembly->entities()) {
      const auto* joint = std::get_if<Joint>(&entity.kind);
      if (joint != nullptr && joint->kind != JointKind::fixed) f(prefix + entity.name, *joint);
    }
    for (const Part& part : assembly->parts()) assemblies.emplace_back(&part.assembly, prefix + part.name + "/");
  }
}

}  // namespace

Model random_model(std::uint32_t seed, const RandomModelOptions& options) { return Generator(seed, options).run(seed); }

Coordinates random_coordinates(const Model& model, std::uint32_t seed) {
  Random random(seed);
  Coordinates q = neutral_coordinates(model);
  std::set<std::string> joints;
  for_each_joint(model, [&](const std::string& path, const Joint& joint) {
    q[path] = random_q(joint.kind, random);
    joints.insert(path);
  });
  for (auto& [path, own] : q) {
    if (!joints.contains(path)) own = random_q(JointKind::free, random);
  }
  return q;
}

Coordinates start_coordinates(const Model& model) {
  Coordinates q = neutral_coordinates(model);
  for_each_joint(model, [&](const std::string& path, const Joint& joint) {
    if (!joint.start.empty()) q[path] = joint.start;
  });
  return q;
}

}  // namespace articula::test
