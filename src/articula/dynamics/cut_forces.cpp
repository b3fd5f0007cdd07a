#include <articula/dynamics/cut_forces.h>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::dynamics {
namespace {

/// The bodies and reference frames on the cycles that piece k is on.
std::vector<std::string> names_around(const Mechanism& mech, int k) {
  std::vector<int> root(mech.pieces.size());  // the innermost piece that cycles lead to from each
  for (std::size_t p = 0; p < root.size(); ++p) {
    const Piece& piece = mech.pieces[p];
    root[p] = piece.in_cycle ? root[at(piece.parent)] : static_cast<int>(p);
  }
  std::vector<std::string> names;
  for (std::size_t p = 0; p < root.size(); ++p) {
    const int e = mech.pieces[p].entity;
    if (root[p] != root[at(k)] || e < 0) continue;
    const Provenance::Entry& entry = mech.provenance.entities[at(e)];
    if (entry.place == Provenance::Place::body) names.push_back(entry.name);
  }
  return names;
}

}  // namespace

Cut make_cut(const Mechanism& mech, int frame) {
  const FlatFrame& port = mech.frames.at(at(frame));
  if (port.piece < 0) {
    throw Error("cut-not-a-port", {},
                concat(quoted(to_text(port.name)),
                       " is no port of a body or reference frame. The force of an element is "
                       "found there; cut at a port of a body."));
  }
  const bool outward = mech.pieces[at(port.node)].parent == port.piece;
  const Cut cut{frame, outward ? port.node : port.piece, outward};
  if (mech.pieces[at(cut.piece)].in_cycle || (!outward && mech.pieces[at(port.piece)].parent != port.node)) {
    throw Error("cut-indeterminate", {},
                concat("the force through ", quoted(to_text(port.name)),
                       " is statically indeterminate: rigid connections "
                       "lead around a cycle through ",
                       list_of(names_around(mech, cut.piece)),
                       ". Take one of them away, "
                       "or put a joint in its place."));
  }
  return cut;
}

}  // namespace articula::dynamics
