#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <articula/joints/cylindrical.h>
#include <articula/joints/fixed.h>
#include <articula/joints/free.h>
#include <articula/joints/helical.h>
#include <articula/joints/planar.h>
#include <articula/joints/prismatic.h>
#include <articula/joints/revolute.h>
#include <articula/joints/spherical.h>
#include <articula/joints/universal.h>

/// Every joint kind: a new one is a file and a line here.
#define ARTICULA_JOINT_KINDS(X) \
  X(revolute, Revolute)         \
  X(prismatic, Prismatic)       \
  X(helical, Helical)           \
  X(cylindrical, Cylindrical)   \
  X(universal, Universal)       \
  X(spherical, Spherical)       \
  X(planar, Planar)             \
  X(free, Free)                 \
  X(fixed, Fixed)

namespace articula::joints {

#define ARTICULA_ENUMERATE(value, Type) value,
enum class JointKind : unsigned char { ARTICULA_JOINT_KINDS(ARTICULA_ENUMERATE) };
#define ARTICULA_NAME(value, Type) Type::name,
constexpr auto enum_names(JointKind) { return std::array{ARTICULA_JOINT_KINDS(ARTICULA_NAME)}; }
#undef ARTICULA_NAME
#undef ARTICULA_ENUMERATE

#define ARTICULA_LIST(value, Type) JointKind::value,
inline constexpr std::array all_joint_kinds{ARTICULA_JOINT_KINDS(ARTICULA_LIST)};
#undef ARTICULA_LIST

/// Calls `f` with a value of the type that implements `kind`.
template <class F>
constexpr decltype(auto) visit_joint(JointKind kind, F&& f) {
  switch (kind) {
#define ARTICULA_CASE(value, Type) \
  case JointKind::value: return f(Type{});
    ARTICULA_JOINT_KINDS(ARTICULA_CASE)
#undef ARTICULA_CASE
  }
  return f(Fixed{});
}

#define ARTICULA_ASSERT(value, Type) static_assert(JointKindOf<Type>);
ARTICULA_JOINT_KINDS(ARTICULA_ASSERT)
#undef ARTICULA_ASSERT

/// The kind that a type implements.
#define ARTICULA_KIND_OF(value, Type) \
  constexpr JointKind joint_kind_of(Type) { return JointKind::value; }
ARTICULA_JOINT_KINDS(ARTICULA_KIND_OF)
#undef ARTICULA_KIND_OF

/// A joint kind as plain data, for everyone who only asks.
struct JointTraits {
  std::string_view name;
  AxisUse axis_use;
  std::span<const Coordinate> q, v;
  std::span<const Coordinate> series;  ///< coordinates by which a time series moves it; empty: those of q
  std::span<const double> neutral;
  int quaternion;                                         ///< where in q it begins; −1: none
  std::span<const TurnOrSlide<double>> turns_and_slides;  ///< ratios that are parameters have their default

  int nq() const { return static_cast<int>(q.size()); }
  int nv() const { return static_cast<int>(v.size()); }

  /// Whether it is one turn about z by q, or one slide along z.
  bool is_turn() const { return is_simple() && turns_and_slides[0].turns; }
  bool is_slide() const { return is_simple() && !turns_and_slides[0].turns; }
  /// Whether its inverse is the same kind about the opposite axis: all turns and slides are about and along z.
  bool flips() const {
    return !turns_and_slides.empty() &&
           std::ranges::all_of(turns_and_slides, [](const auto& each) { return each.axis == 2; });
  }

 private:
  bool is_simple() const { return turns_and_slides.size() == 1 && turns_and_slides[0].axis == 2; }
};

inline JointTraits traits(JointKind kind) {
  return visit_joint(kind, []<class J>(J) {
    static constexpr auto parts = turns_and_slides<J, double>({});
    return JointTraits{J::name, J::axis_use, J::q, J::v, J::series, J::neutral, J::quaternion, parts};
  });
}

/// Where in q of a joint its quaternion begins; −1: it has none.
constexpr int quaternion_in(JointKind kind) {
  return visit_joint(kind, []<class J>(J) { return J::quaternion; });
}

inline std::optional<JointKind> find_joint_kind(std::string_view name) {
  for (const JointKind kind : all_joint_kinds) {
    if (traits(kind).name == name) return kind;
  }
  return std::nullopt;
}

inline std::vector<std::string> joint_kind_names() {
  std::vector<std::string> names;
  for (const JointKind kind : all_joint_kinds) names.emplace_back(traits(kind).name);
  return names;
}

}  // namespace articula::joints
