// The hydraulic manipulator with shut valves by MuJoCo: its natural frequencies, and its oscillation. Makes
// frequencies_mujoco.csv and closure_mujoco.csv of examples/hydraulic_manipulator.
//
//     manipulator_oil tests/peers/hydraulic_manipulator.xml frequencies > frequencies_mujoco.csv
//     manipulator_oil tests/peers/hydraulic_manipulator.xml closure > closure_mujoco.csv
//
// MuJoCo gives mass matrix, gravity and motion, the closed form of the oil the stiffness of each joint:
//
//     M·q̈ + D·q̇ + K·q = 0,   K = ∂(gravity)/∂q + diag(L'²·k_oil − f·L''),   k_oil = β·(A_A²/V_A + A_B²/V_B)
//
// with the length L(q) of each cylinder by the law of cosines, and the load f = gravity torque/L' that it carries. The
// oscillation is that of springs and dampers of this stiffness that carry the load at first (RK4, 20 µs).

#include <mujoco/mujoco.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <string_view>
#include <vector>

namespace {

constexpr double beta = 1.4e9, dead = 1.5e-3;

/// Between the points `from`, fixed beside the joint, and `to`, which turns with it: (x, z) from the joint's axis.
struct Cylinder {
  int joint;
  std::array<double, 2> from, to;
  double retracted, stroke, area_a, area_b, damping;
};

constexpr std::array<Cylinder, 3> cylinders{{
    {1, {0.25, -0.9}, {0.85, -0.12}, 0.964073168, 0.748087568, 7.854e-3, 4.006e-3, 9.483e4},
    {2, {-1.45, 0.3}, {-0.35, 0.12}, 1.112641788, 0.734861868, 5.027e-3, 3.063e-3, 6.419e4},
    {3, {-1.0, 0.2}, {0.156, 0.156}, 0.779770022, 0.461717571, 3.117e-3, 1.860e-3, 3.102e4},
}};

Eigen::VectorXd gravity(const mjModel* model, mjData* data, const Eigen::VectorXd& q) {
  for (int k = 0; k < model->nq; ++k) data->qpos[k] = q[k], data->qvel[k] = 0, data->qacc[k] = 0;
  mj_inverse(model, data);
  return Eigen::Map<const Eigen::VectorXd>(data->qfrc_inverse, model->nv);
}

}  // namespace

int main(int count, char** arguments) {
  char error[1000] = "";
  mjModel* model = count == 3 ? mj_loadXML(arguments[1], nullptr, error, sizeof error) : nullptr;
  if (model == nullptr) {
    std::fprintf(stderr, "usage: manipulator_oil hydraulic_manipulator.xml frequencies|closure  %s\n", error);
    return 2;
  }
  mjData* data = mj_makeData(model);
  const Eigen::VectorXd q = (Eigen::VectorXd(5) << -0.3028848683749714, 0.6213513576227955, -1.5077523110272264,
                             0.8864009534044308, 0.30288486837497147)
                                .finished();
  const Eigen::VectorXd hold = gravity(model, data, q);
  Eigen::MatrixXd M(5, 5), K(5, 5);
  mj_fullM(model, M.data(), data->qM);
  for (int k = 0; k < 5; ++k) {
    const double h = 1e-5;
    K.col(k) = (gravity(model, data, q + h * Eigen::VectorXd::Unit(5, k)) -
                gravity(model, data, q - h * Eigen::VectorXd::Unit(5, k))) /
               (2 * h);
  }
  Eigen::VectorXd stiffness = Eigen::VectorXd::Zero(5), damping = Eigen::VectorXd::Zero(5);
  stiffness[0] = 2e5, damping[0] = 2e3, stiffness[4] = 2e4, damping[4] = 200;
  std::printf("# By MuJoCo %s: tests/peers/manipulator_oil.cpp\n", mj_versionString());
  for (const Cylinder& each : cylinders) {
    const double a = std::hypot(each.from[0], each.from[1]), b = std::hypot(each.to[0], each.to[1]);
    const double turn = std::atan2(each.to[1], each.to[0]) + q[each.joint] - std::atan2(each.from[1], each.from[0]);
    const double L = std::sqrt(a * a + b * b - 2 * a * b * std::cos(turn));
    const double slope = a * b * std::sin(turn) / L, bend = (a * b * std::cos(turn) - slope * slope) / L;
    const double x = L - each.retracted, f = hold[each.joint] / slope;
    const double k_oil = beta * (each.area_a * each.area_a / (dead + each.area_a * x) +
                                 each.area_b * each.area_b / (dead + each.area_b * (each.stroke - x)));
    stiffness[each.joint] = slope * slope * k_oil - f * bend;
    damping[each.joint] = slope * slope * each.damping;
    std::printf("# joint %d: k_oil = %.6e N/m, L'^2*k_oil - f*L'' = %.9e N*m/rad, damping %.9e N*m*s/rad\n", each.joint,
                k_oil, stiffness[each.joint], damping[each.joint]);
  }

  if (std::string_view(arguments[2]) == "frequencies") {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(10, 10);
    A.topRightCorner(5, 5).setIdentity();
    A.bottomLeftCorner(5, 5) = -M.ldlt().solve(K + Eigen::MatrixXd(stiffness.asDiagonal()));
    A.bottomRightCorner(5, 5) = -M.ldlt().solve(Eigen::MatrixXd(damping.asDiagonal()));
    const Eigen::VectorXcd found = A.eigenvalues();
    std::vector<std::complex<double>> all(found.begin(), found.end());
    std::sort(all.begin(), all.end(), [](auto a, auto b) { return std::abs(a) < std::abs(b); });
    std::printf("t,f1,d1,f2,d2,f3,d3,f4,d4,f5,d5\n0");
    for (std::size_t k = 0; k < 10; k += 2)
      std::printf(",%.12g,%.12g", std::abs(all[k]) / (2 * M_PI), -all[k].real() / std::abs(all[k]));
    std::printf("\n");
  } else {
    const Eigen::VectorXd v = (Eigen::VectorXd(5) << 0, 0.15, -0.10, -0.05, 0).finished();
    for (int k = 0; k < 5; ++k) data->qpos[k] = q[k], data->qvel[k] = v[k], data->qacc[k] = 0;
    mj_inverse(model, data);
    const Eigen::VectorXd load = Eigen::Map<const Eigen::VectorXd>(data->qfrc_inverse, 5);
    const Eigen::VectorXd rest = q + ((load + damping.cwiseProduct(v)).array() / stiffness.array()).matrix();
    for (int k = 0; k < 5; ++k) {
      model->jnt_stiffness[k] = stiffness[k], model->qpos_spring[k] = rest[k], model->dof_damping[k] = damping[k];
      data->qpos[k] = q[k], data->qvel[k] = v[k];
    }
    model->opt.integrator = mjINT_RK4, model->opt.timestep = 2e-5;
    data->time = 0;
    std::printf("t");
    for (const char* joint : {"yaw", "boom", "stick", "head", "rotator"}) std::printf(",q_%s,tau_%s", joint, joint);
    std::printf(",load_z\n");
    for (int step = 0; step <= 75000; ++step) {
      if (step % 500 == 0) {
        mj_forward(model, data);
        std::printf("%.12g", 2e-5 * step);
        for (int k = 0; k < 5; ++k)
          std::printf(",%.12g,%.12g", data->qpos[k],
                      -stiffness[k] * (data->qpos[k] - rest[k]) - damping[k] * data->qvel[k]);
        std::printf(",%.12g\n", data->site_xpos[2]);
      }
      mj_step(model, data);
    }
  }
  mj_deleteData(data);
  mj_deleteModel(model);
}
