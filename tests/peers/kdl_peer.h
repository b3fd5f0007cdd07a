#pragma once

#include "peers/peer.h"

namespace articula::test {

/// Orocos KDL: all kinds, as segments with one degree of freedom each and no mass between. A ball is three turns.
/// Forward dynamics of chains only.
std::unique_ptr<Peer> make_kdl_peer(const Tree& tree, const Layout& layout);

}  // namespace articula::test
