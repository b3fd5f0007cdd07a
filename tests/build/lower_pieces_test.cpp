// The trees of pieces inside flat bodies, against the graph that the user wrote.

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/build.h>
#include <articula/build/flatten.h>
#include <articula/build/rigid_groups.h>

#include "support/random_model.h"

namespace articula::test {
namespace {

constexpr std::uint32_t models = 150;

RandomModelOptions options_of(std::uint32_t seed) {
  RandomModelOptions options;
  options.bodies = 2 + static_cast<int>(seed % 10);
  options.rigid = 0.5;
  options.rigid_cycles = seed % 2 == 0 ? 0.15 : 0;
  options.loops = seed % 5 == 0 ? 1 : 0;
  options.elements = static_cast<int>(seed % 3);
  return options;
}

template <class F>
void for_random_models(F&& f) {
  for (std::uint32_t seed = 1; seed <= models && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const Model model = random_model(seed, options_of(seed));
    f(model, build_mechanism(model).mechanism);
  }
}

TEST(Pieces, AreOneTreeInEachBody) {
  for_random_models([](const Model&, const Mechanism& mech) {
    std::vector<int> roots(mech.bodies.size(), 0);
    for (int k = 0; k < static_cast<int>(mech.pieces.size()); ++k) {
      const Piece& piece = mech.pieces[at(k)];
      ASSERT_LT(piece.parent, k);
      if (piece.parent < 0) {
        EXPECT_EQ(mech.bodies[at(piece.body)].piece, k);
        ++roots[at(piece.body)];
      } else {
        EXPECT_EQ(mech.pieces[at(piece.parent)].body, piece.body);
      }
    }
    EXPECT_THAT(roots, testing::Each(1));
    for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
      EXPECT_EQ(mech.pieces.at(at(mech.bodies[i].piece_P)).body, mech.bodies[i].parent);
    }
  });
}

TEST(Pieces, HoldEveryConstituentAndFrameOnce) {
  for_random_models([](const Model&, const Mechanism& mech) {
    std::vector<int> times(mech.provenance.constituents.size(), 0);
    for (const Piece& piece : mech.pieces) {
      if (piece.constituent < 0) continue;
      ++times[at(piece.constituent)];
      EXPECT_EQ(mech.provenance.constituents[at(piece.constituent)].body, piece.body);
      EXPECT_EQ(mech.provenance.constituents[at(piece.constituent)].entity, piece.entity);
    }
    EXPECT_THAT(times, testing::Each(1));
    for (const FlatFrame& frame : mech.frames) {
      ASSERT_GE(frame.node, 0) << to_text(frame.name);
      EXPECT_EQ(mech.pieces.at(at(frame.node)).body, frame.body);
      EXPECT_EQ(mech.pieces.at(at(frame.node)).entity, -1);
      if (frame.piece < 0) continue;
      EXPECT_EQ(mech.provenance.entities.at(at(mech.pieces.at(at(frame.piece)).entity)).name, frame.name.entity);
    }
  });
}

/// Whether a way leads around one edge between an entity and a node: the two stay connected without it.
class Ways {
 public:
  explicit Ways(const Model& flat)
      : flat_(flat), graph_(flat, findings_), root_(flat.entities().size() + graph_.ports().size() + 1) {}

  bool leads_around(const PortRef& name) {
    std::iota(root_.begin(), root_.end(), 0);
    const int cut = graph_.find(name), entities = static_cast<int>(flat_.entities().size());
    for (int p = 0; p < static_cast<int>(graph_.ports().size()); ++p) {
      const PortGraph::Port& port = graph_.ports()[at(p)];
      const Entity& owner = flat_.entities()[at(port.entity)];
      if (p == cut || port.type != PortType::spatial || !is_rigid(owner)) continue;
      join(port.entity, entities + graph_.node(p));
    }
    for (int e = 0; e < entities; ++e) {
      const auto* frame = std::get_if<ReferenceFrame>(&flat_.entities()[at(e)].kind);
      if (frame != nullptr && frame->motion == FrameMotion::fixed) join(e, static_cast<int>(root_.size()) - 1);
    }
    return find(graph_.ports()[at(cut)].entity) == find(entities + graph_.node(cut));
  }

 private:
  int find(int k) const {
    while (root_[at(k)] != k) k = root_[at(k)];
    return k;
  }
  void join(int a, int b) { root_[at(find(a))] = find(b); }

  Findings findings_;
  const Model& flat_;
  PortGraph graph_;
  std::vector<int> root_;
};

TEST(Pieces, KnowTheCyclesTheyAreOn) {
  int around = 0, frames = 0;
  for_random_models([&](const Model& model, const Mechanism& mech) {
    const Model flat = flatten(model).model;
    Ways ways(flat);
    for (const FlatFrame& frame : mech.frames) {
      if (frame.piece < 0) continue;
      const Piece &owner = mech.pieces[at(frame.piece)], &node = mech.pieces[at(frame.node)];
      const bool determined =
          (node.parent == frame.piece && !node.in_cycle) || (owner.parent == frame.node && !owner.in_cycle);
      EXPECT_EQ(!determined, ways.leads_around(frame.name)) << to_text(frame.name);
      around += determined ? 0 : 1;
      ++frames;
    }
  });
  EXPECT_GT(around, 50);
  EXPECT_GT(frames, 1000);
}

TEST(Pieces, KeepThePortsOfJointsAsWritten) {
  for_random_models([](const Model& model, const Mechanism&) {
    const Built built = build_mechanism(model);
    const auto& [mech, par] = std::tie(built.mechanism, built.parameters);
    ASSERT_EQ(par.R_FJ.size(), mech.bodies.size());
    ASSERT_EQ(par.internal_momentum_C.size(), par.M_C.size());
    // Where a joint alone meets a port of a body, its frame is that port's.
    const Model flat = flatten(model).model;
    for (std::size_t i = 1; i < mech.bodies.size(); ++i) {
      const std::string& joint = mech.provenance.entities[at(mech.bodies[i].entity)].name;
      if (flat.find(joint, Family::joint) == nullptr) continue;
      for (std::size_t f = 0; f < mech.frames.size(); ++f) {
        if (mech.frames[f].piece < 0) continue;
        const auto turned = [](const Rotation<double>& R) { return dense(Pose<double>{R, Vec3<double>::zero()}); };
        const Isometry3d R_BF = turned(par.X_BF[f].R);
        if (mech.frames[f].node == mech.bodies[i].piece_P) {
          EXPECT_LE(gap(turned(par.X_PF[i].R * par.R_FJ[i]), R_BF), 1e-13) << joint;
        }
        if (mech.frames[f].node == mech.bodies[i].piece) {
          EXPECT_LE(gap(turned(par.R_FJ[i]), R_BF), 1e-13) << joint;
        }
      }
    }
  });
}

}  // namespace
}  // namespace articula::test
