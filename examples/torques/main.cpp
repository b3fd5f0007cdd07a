/// Torques of the KUKA LWR 4+ along the motion of [LWR (28)]: all joints swing with q = π/2·cos(π·t/7) for 14 seconds.
///
///     torques models/kuka_lwr4.yaml > torques.csv

#include <cmath>
#include <cstdio>
#include <iostream>
#include <numbers>

#include <articula/articula.h>

int main(int argc, char** argv) {
  using std::numbers::pi;
  try {
    const articula::Model robot = articula::load(argc > 1 ? argv[1] : "models/kuka_lwr4.yaml");
    articula::InverseDynamics torques(robot);
    const auto n = static_cast<std::size_t>(torques.nv());
    std::vector<double> q(n), v(n), vdot(n);

    std::printf("t");
    for (const std::string& joint : torques.v_names()) std::printf(",%s", joint.c_str());
    std::printf("\n");
    for (int k = 0; k <= 140; ++k) {
      const double t = 0.1 * k, rate = pi / 7;
      std::fill(q.begin(), q.end(), pi / 2 * std::cos(rate * t));
      std::fill(v.begin(), v.end(), -pi / 2 * rate * std::sin(rate * t));
      std::fill(vdot.begin(), vdot.end(), -pi / 2 * rate * rate * std::cos(rate * t));
      torques.update({.q = q, .v = v, .vdot = vdot});
      std::printf("%.1f", t);
      for (const double tau : torques.compute()) std::printf(",%.9g", tau);
      std::printf("\n");
    }
  } catch (const articula::Error& error) {
    std::cerr << error.what() << "\n";
    return 3;
  }
}
