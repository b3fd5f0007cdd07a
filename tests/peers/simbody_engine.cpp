#include "peers/simbody_engine.h"

#include <Simbody.h>

namespace articula::test {

using Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

static SimTK::Vec3 vec(const Vector3d& a) { return {a.x(), a.y(), a.z()}; }

static SimTK::Transform transform(const Eigen::Isometry3d& X) {
  const Eigen::Quaterniond q(X.linear());
  return {SimTK::Rotation(SimTK::Quaternion(q.w(), q.x(), q.y(), q.z())), vec(X.translation())};
}

static SimTK::Vector vector(const VectorXd& x) { return SimTK::Vector(static_cast<int>(x.size()), x.data()); }

struct SimbodyEngine::Inside {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::State state;
  SimTK::Vec3 gravity;
  std::vector<SimTK::MobilizedBodyIndex> bodies;
  SimTK::Vector q, u, udot, tau, no_tau, result;
  Eigen::Matrix<double, 6, Eigen::Dynamic> F_B;
  SimTK::Vector_<SimTK::SpatialVec> F_G, A_G;
  SimTK::Matrix M;
  SimTK::RowVector_<SimTK::SpatialVec> J;

  SimTK::MobilizedBodyIndex add(const Link& link);
  void move(SimTK::Stage stage);
  void collect_forces();
};

SimTK::MobilizedBodyIndex SimbodyEngine::Inside::add(const Link& link) {
  using SimTK::MobilizedBody;
  const Eigen::Matrix3d& I = link.inertia;
  const SimTK::Inertia inertia(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  const SimTK::Body::Rigid body(SimTK::MassProperties(link.mass, vec(link.com), inertia));
  const SimTK::Transform X_PF = transform(link.X_PF), X_BM = transform(link.X_BM);
  MobilizedBody& parent =
      link.parent < 0 ? matter.updGround() : matter.updMobilizedBody(bodies[static_cast<std::size_t>(link.parent)]);
  switch (link.kind) {
    case Kind::pin: return MobilizedBody::Pin(parent, X_PF, body, X_BM);
    case Kind::slider: return MobilizedBody::Slider(parent, X_PF, body, X_BM);
    case Kind::screw: return MobilizedBody::Screw(parent, X_PF, body, X_BM, link.pitch);
    case Kind::cylinder: return MobilizedBody::Cylinder(parent, X_PF, body, X_BM);
    case Kind::universal: return MobilizedBody::Universal(parent, X_PF, body, X_BM);
    case Kind::ball: return MobilizedBody::Ball(parent, X_PF, body, X_BM);
    case Kind::planar: return MobilizedBody::Planar(parent, X_PF, body, X_BM);
    case Kind::free: return MobilizedBody::Free(parent, X_PF, body, X_BM);
    case Kind::weld: break;
  }
  return MobilizedBody::Weld(parent, X_PF, body, X_BM);
}

/// Setting q makes Simbody forget what it computed before.
void SimbodyEngine::Inside::move(SimTK::Stage stage) {
  state.updQ() = q;
  state.updU() = u;
  system.realize(state, stage);
}

/// The weight of each body and what acts on it, at its origin along Ground's axes.
void SimbodyEngine::Inside::collect_forces() {
  F_G.setToZero();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const SimTK::MobilizedBody& body = matter.getMobilizedBody(bodies[k]);
    const SimTK::Rotation& R = body.getBodyRotation(state);
    const SimTK::MassProperties& mass = body.getBodyMassProperties(state);
    const SimTK::Vec3 weight = mass.getMass() * gravity;
    SimTK::SpatialVec& F = F_G[bodies[k]];
    F = SimTK::SpatialVec((R * mass.getMassCenter()) % weight, weight);
    if (F_B.cols() == 0) continue;
    const auto own = F_B.col(static_cast<Eigen::Index>(k));
    F += SimTK::SpatialVec(R * vec(own.head<3>()), R * vec(own.tail<3>()));
  }
}

SimbodyEngine::SimbodyEngine(const Vector3d& gravity, const std::vector<Link>& links)
    : in_(std::make_unique<Inside>()) {
  in_->gravity = vec(gravity);
  for (const Link& link : links) in_->bodies.push_back(in_->add(link));
  in_->system.realizeTopology();
  in_->state = in_->system.getDefaultState();
  in_->system.realizeModel(in_->state);
  in_->no_tau = SimTK::Vector(nu(), 0.0);
  in_->F_G.resize(in_->matter.getNumBodies());
  in_->A_G.resize(in_->matter.getNumBodies());
}

SimbodyEngine::~SimbodyEngine() = default;

int SimbodyEngine::nq() const { return in_->state.getNQ(); }
int SimbodyEngine::nu() const { return in_->state.getNU(); }

int SimbodyEngine::first_q(int link) const {
  const SimTK::MobilizedBody& body = in_->matter.getMobilizedBody(in_->bodies[static_cast<std::size_t>(link)]);
  return body.getNumQ(in_->state) > 0 ? static_cast<int>(body.getFirstQIndex(in_->state)) : 0;
}
int SimbodyEngine::first_u(int link) const {
  const SimTK::MobilizedBody& body = in_->matter.getMobilizedBody(in_->bodies[static_cast<std::size_t>(link)]);
  return body.getNumU(in_->state) > 0 ? static_cast<int>(body.getFirstUIndex(in_->state)) : 0;
}

void SimbodyEngine::set(const VectorXd& q, const VectorXd& u, const VectorXd& udot, const VectorXd& tau,
                        const Eigen::Matrix<double, 6, Eigen::Dynamic>& F) {
  in_->q = vector(q), in_->u = vector(u), in_->udot = vector(udot), in_->tau = vector(tau);
  in_->F_B = F;
}

void SimbodyEngine::compute_inverse_dynamics() {
  in_->move(SimTK::Stage::Velocity);
  in_->collect_forces();
  in_->matter.calcResidualForceIgnoringConstraints(in_->state, in_->no_tau, in_->F_G, in_->udot, in_->result);
}

void SimbodyEngine::compute_forward_dynamics() {
  in_->move(SimTK::Stage::Dynamics);
  in_->collect_forces();
  in_->matter.calcAccelerationIgnoringConstraints(in_->state, in_->tau, in_->F_G, in_->result, in_->A_G);
}

void SimbodyEngine::compute_mass_matrix() {
  in_->move(SimTK::Stage::Position);
  in_->matter.calcM(in_->state, in_->M);
}

void SimbodyEngine::compute_jacobian(int link) {
  in_->move(SimTK::Stage::Position);
  in_->matter.calcFrameJacobian(in_->state, in_->bodies[static_cast<std::size_t>(link)], SimTK::Vec3(0), in_->J);
}

VectorXd SimbodyEngine::result() const {
  VectorXd x(in_->result.size());
  for (int k = 0; k < in_->result.size(); ++k) x[k] = in_->result[k];
  return x;
}

MatrixXd SimbodyEngine::M() const {
  MatrixXd M(nu(), nu());
  for (int i = 0; i < nu(); ++i) {
    for (int j = 0; j < nu(); ++j) M(i, j) = in_->M(i, j);
  }
  return M;
}

MatrixXd SimbodyEngine::J() const {
  MatrixXd J(6, nu());
  for (int k = 0; k < nu(); ++k) {
    for (int i = 0; i < 3; ++i) J(i, k) = in_->J[k][0][i], J(i + 3, k) = in_->J[k][1][i];
  }
  return J;
}

}  // namespace articula::test
