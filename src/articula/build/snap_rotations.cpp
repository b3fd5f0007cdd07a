#include <articula/build/snap_rotations.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>

#include <articula/base/text.h>
#include <articula/spatial/orientation.h>

namespace articula::build {
namespace {

double largest_change(const Rotation<double>& a, const Rotation<double>& b) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) largest = std::fmax(largest, std::abs(a.m(i, j) - b.m(i, j)));
  }
  return largest;
}

/// With two digits, for messages.
std::string rounded(double x) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, 2).ptr;
  return {text.data(), end};
}

/// Snaps what it visits, and records the changes.
struct Snapper {
  double tolerance;
  std::string* notes = nullptr;  ///< `axis by 1e-12`: what changed, and by how much
  int changed = 0;

  void note(std::string_view what, std::string_view name, double change) {
    ++changed;
    if (notes == nullptr) return;
    *notes += concat(notes->empty() ? "" : ", ", what, name.empty() ? "" : " " + quoted(name), " by ", rounded(change));
  }

  /// Constant poses and axes are only noted.
  template <class X>
  void pose(std::string_view what, std::string_view name, X& X_EF) {
    const Rotation<double> exact = snapped(X_EF.R, tolerance);
    if (exact == X_EF.R) return;
    note(what, name, largest_change(exact, X_EF.R));
    if constexpr (!std::is_const_v<X>) X_EF.R = exact;
  }
  template <class D>
  void direction(std::string_view what, D& axis) {
    Vec3<double> exact = axis.v;
    for (int k = 0; k < 3; ++k) {
      if (std::abs(exact[k]) <= tolerance) exact[k] = 0;
    }
    if (exact == axis.v || norm(exact) == 0) return;
    exact = exact * (1 / norm(exact));
    note(what, "", norm(exact - axis.v));
    if constexpr (!std::is_const_v<D>) axis.v = exact;
  }

  /// Called for members of every type; only poses and directions are used.
  template <class Member>
  void operator()(std::string_view what, Member& member, const Dimension&) {
    using M = std::remove_const_t<Member>;
    if constexpr (std::is_same_v<M, Pose<double>>) {
      pose(what, "", member);
    } else if constexpr (std::is_same_v<M, Direction>) {
      direction(what, member);
    } else if constexpr (std::is_same_v<M, std::optional<Direction>>) {
      if (member) direction(what, *member);
    } else if constexpr (std::is_same_v<M, std::vector<Frame>>) {
      for (auto& frame : member) pose("frame", frame.name, frame.X_EF);
    }
  }
};

}  // namespace

/// The number of rotations and axes of an entity that can be snapped, or, of a mutable one, were snapped.
template <class K>
static int snap(K& kind, double tolerance, std::string* notes = nullptr) {
  Snapper snapper{tolerance, notes};
  std::visit([&](auto& k) { std::decay_t<decltype(k)>::fields(k, snapper); }, kind);
  return snapper.changed;
}

void snap_rotations_of(Kind& kind, double tolerance) { snap(kind, tolerance); }

bool has_rotations_to_snap(const Model& model) {
  return model.snap > 0 && std::any_of(model.entities().begin(), model.entities().end(),
                                       [&](const Entity& entity) { return snap(entity.kind, model.snap) > 0; });
}

Rewritten snap_rotations(const Model& model) {
  Rewritten result{model, {}, {}};
  const double tolerance = model.snap;
  for (const Entity& original : model.entities()) {
    if (snap(original.kind, tolerance) == 0) continue;
    Kind kind = original.kind;
    std::string notes;
    snap(kind, tolerance, &notes);
    std::visit([&](auto& k) { result.model.at<std::decay_t<decltype(k)>>(original.name) = std::move(k); }, kind);
    result.explanations.push_back({"snap", concat(to_text(original), ": made exact: ", notes)});
  }
  return result;
}

}  // namespace articula::build
