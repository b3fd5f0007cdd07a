#pragma once

#include "peers/peer.h"

namespace articula::test {

/// DART: all kinds but cylindrical joints, which it does not have.
std::unique_ptr<Peer> make_dart_peer(const Tree& tree, const Layout& layout);

}  // namespace articula::test
