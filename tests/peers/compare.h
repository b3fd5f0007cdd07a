#pragma once

#include <functional>
#include <map>

#include "peers/peer.h"

namespace articula::test {

/// What was compared, and how far the answers were apart at worst: normwise, relative, accelerations over the
/// condition of the mass matrix.
struct Coverage {
  int trees = 0, bodies = 0, branched = 0, floating = 0, moving = 0, reversed = 0, states = 0, forces = 0;
  int with_forward_dynamics = 0;
  std::string seeds;
  std::map<std::string, int> joints;
  double tau = 0, vdot = 0, M = 0, J = 0;

  void print(const std::string& engine) const;
};

using MakePeer = std::function<std::unique_ptr<Peer>(const Tree&, const Layout&)>;

/// Compares random trees with the seeds first, first + 1, ..., each at several states.
void compare_with_peer(std::uint32_t first_seed, int trees, const TreeOptions& options, const MakePeer& make,
                       Coverage& coverage);

}  // namespace articula::test
