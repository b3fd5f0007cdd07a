#pragma once

#include "peers/peer.h"

namespace articula::test {

/// MuJoCo: all kinds; a helical joint is a slide and a hinge with their rates tied by G.
std::unique_ptr<Peer> make_mujoco_peer(const Tree& tree, const Layout& layout);

}  // namespace articula::test
