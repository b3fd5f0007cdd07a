#pragma once

#include "peers/peer.h"

namespace articula::test {

/// Simbody: all kinds.
std::unique_ptr<Peer> make_simbody_peer(const Tree& tree, const Layout& layout);

}  // namespace articula::test
