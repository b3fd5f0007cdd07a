/// A user's own entity in inverse and forward dynamics: an arm in air and under water.
///
/// No algorithm is touched: the class in immersed.h says what a hull does at its port, the line `add` says for which
/// type of entity, and the network does the rest.

#include <cstdio>
#include <vector>

#include <articula/articula.h>

#include "immersed.h"

int main(int count, char** arguments) {
  using namespace articula;
  try {
    const Model arm = load(count > 1 ? arguments[1] : "examples/own_entity/arm.yaml");
    NetworkOptions options;
    options.implementations.add<Immersed>("immersed");
    Network water(arm, options);

    Model dry = arm;
    for (const char* hull : {"upper_hull", "fore_hull"})
      dry.at<Custom>(hull).implementation = std::make_shared<Immersed>();
    Network air(dry);

    const std::vector<double> q{0.4, 0.6}, v{1.0, -0.5}, vdot{2.0, 1.0};
    std::vector<double> tau(2), found(2);
    std::printf("torques for the same motion, and what the shoulder's bearing carries\n");
    for (auto [name, network] : {std::pair("in air", &air), std::pair("in water", &water)}) {
      network->inverse_dynamics(q, v, vdot, tau);
      const Force<double> F = network->force_at({"shoulder", "to"});
      std::printf("  %-9s %9.4f %9.4f N*m   %9.4f N\n", name, tau[0], tau[1], norm(F.f));
    }
    water.forward_dynamics(q, v, tau, found);
    std::printf("accelerations from these torques in water\n  %.12g %.12g rad/s^2\n", found[0], found[1]);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
