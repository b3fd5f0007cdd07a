#include <articula/build/snap_rotations.h>

#include <cmath>

#include <articula/base/text.h>
#include <articula/spatial/orientation.h>

namespace articula {
namespace {

double largest_change(const Rotation<double>& a, const Rotation<double>& b) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) largest = std::fmax(largest, std::abs(a.m(i, j) - b.m(i, j)));
  }
  return largest;
}

/// Snaps what it visits, and remembers how much changed.
struct Snapper {
  double tolerance;
  int changed = 0;
  double largest = 0;

  void pose(Pose<double>& X) {
    const Rotation<double> exact = snapped(X.R, tolerance);
    if (exact == X.R) return;
    largest = std::fmax(largest, largest_change(exact, X.R));
    ++changed;
    X.R = exact;
  }
  void direction(Direction& axis) {
    Vec3<double> exact = axis.v;
    for (int k = 0; k < 3; ++k) {
      if (std::abs(exact[k]) <= tolerance) exact[k] = 0;
    }
    if (exact == axis.v || norm(exact) == 0) return;
    exact = exact * (1 / norm(exact));
    largest = std::fmax(largest, norm(exact - axis.v));
    ++changed;
    axis.v = exact;
  }

  /// Members of every kind pass here; only poses and directions are of interest.
  template <class Member>
  void operator()(std::string_view, Member& member, const Dimension&) {
    if constexpr (std::is_same_v<Member, Pose<double>>) {
      pose(member);
    } else if constexpr (std::is_same_v<Member, Direction>) {
      direction(member);
    } else if constexpr (std::is_same_v<Member, std::optional<Direction>>) {
      if (member) direction(*member);
    } else if constexpr (std::is_same_v<Member, std::vector<Frame>>) {
      for (Frame& frame : member) pose(frame.X_EF);
    }
  }
};

}  // namespace

Rewritten snap_rotations(const Model& model, double tolerance) {
  Rewritten result{model, {}, {}};
  for (const Entity& original : model.entities()) {
    Snapper snap{tolerance};
    Kind kind = original.kind;
    std::visit([&](auto& k) { std::decay_t<decltype(k)>::fields(k, snap); }, kind);
    if (snap.changed == 0) continue;
    std::visit([&](auto& k) { result.model.at<std::decay_t<decltype(k)>>(original.name) = std::move(k); }, kind);
    result.explanations.push_back(
        {"snap", concat(to_text(original), ": ", snap.changed, snap.changed == 1 ? " rotation" : " rotations",
                        " made exact, by at most ", snap.largest)});
  }
  return result;
}

}  // namespace articula
