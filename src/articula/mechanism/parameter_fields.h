#pragma once

#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <articula/mechanism/parameters.h>

/// Visits all numbers of `Parameters`, or of several at once, field by field. Conversion, comparison, hashing and
/// assignment use this one list (`members` of each struct), so that a new field is added in one place.
namespace articula::mechanism {

namespace fields {

template <class X, template <class> class A>
constexpr bool is_a = false;
template <class T, template <class> class A>
constexpr bool is_a<A<T>, A> = true;
template <class X, template <class> class A>
concept Some = is_a<std::remove_const_t<X>, A>;

template <Some<Vec3> V>
ARTICULA_INLINE auto members(V& a) {
  return std::tie(a.x, a.y, a.z);
}
template <Some<Rotation> R>
ARTICULA_INLINE auto members(R& a) {
  return std::tie(a.m.row[0], a.m.row[1], a.m.row[2]);
}
template <Some<Pose> X>
ARTICULA_INLINE auto members(X& a) {
  return std::tie(a.R, a.p);
}
template <Some<SymMat3> I>
ARTICULA_INLINE auto members(I& a) {
  return std::tie(a.xx, a.xy, a.xz, a.yy, a.yz, a.zz);
}
template <Some<Inertia> M>
ARTICULA_INLINE auto members(M& a) {
  return std::tie(a.m, a.h, a.I);
}
template <Some<Force> F>
ARTICULA_INLINE auto members(F& a) {
  return std::tie(a.n, a.f);
}
/// Structs of numbers list their own members.
template <class S>
ARTICULA_INLINE auto members(S& self) -> decltype(std::remove_const_t<S>::members(self)) {
  return std::remove_const_t<S>::members(self);
}

template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;

template <class T>
constexpr bool is_choice = false;
template <class... T>
constexpr bool is_choice<std::variant<T...>> = true;

/// Calls f with the index of the alternative in `a`.
template <class F, class... T>
ARTICULA_INLINE void with_alternative(const std::variant<T...>& a, F&& f) {
  const auto each = [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((a.index() == k ? f(std::integral_constant<std::size_t, k>{}) : void()), ...);
  };
  each(std::index_sequence_for<T...>{});
}

template <class T>
concept Compound = requires(T& x) { members(x); };

}  // namespace fields

/// Calls f(x, others' x...) for every number x of `a`, in order. The others have the same alternatives, and their lists
/// are at least as long.
template <class F, class A, class... B>
void for_each_number(F&& f, A& a, B&... others) {
  if constexpr (fields::is_list<std::remove_const_t<A>>) {
    for (std::size_t k = 0; k < a.size(); ++k) for_each_number(f, a[k], others[k]...);
  } else if constexpr (fields::is_choice<std::remove_const_t<A>>) {
    fields::with_alternative(a, [&](auto k) { for_each_number(f, *std::get_if<k>(&a), *std::get_if<k>(&others)...); });
  } else if constexpr (std::is_same_v<std::remove_const_t<A>, std::monostate>) {
    // no number
  } else if constexpr (fields::Compound<A>) {
    const auto each = [&]<std::size_t... k>(std::index_sequence<k...>, auto own, auto... theirs) {
      [[maybe_unused]] const auto one = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
        for_each_number(f, std::get<i>(own), std::get<i>(theirs)...);
      };
      (one(std::integral_constant<std::size_t, k>{}), ...);  // never, for a kind without numbers
    };
    const auto own = fields::members(a);
    each(std::make_index_sequence<std::tuple_size_v<decltype(own)>>{}, own, fields::members(others)...);
  } else {
    f(a, others...);
  }
}

/// Gives `to` the lengths of the lists in `from`, and the same alternatives, at every depth.
template <class A, class B>
void resize_like(const A& from, B& to) {
  if constexpr (fields::is_list<A>) {
    to.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) resize_like(from[k], to[k]);
  } else if constexpr (fields::is_choice<A>) {
    fields::with_alternative(from, [&](auto k) { to.template emplace<k>(); });
  } else if constexpr (fields::Compound<const A>) {
    const auto each = [&]<std::size_t... k>(std::index_sequence<k...>, auto a, auto b) {
      (resize_like(std::get<k>(a), std::get<k>(b)), ...);
    };
    const auto a = fields::members(from);
    each(std::make_index_sequence<std::tuple_size_v<decltype(a)>>{}, a, fields::members(to));
  }
}

/// Converts all or some parameters to another scalar.
template <class From, class To>
void convert_numbers(const From& from, To& to) {
  resize_like(from, to);
  for_each_number([]<class B>(const auto& x, B& y) { y = static_cast<B>(x); }, from, to);
}
template <class To, class From>
Parameters<To> over(const Parameters<From>& from) {
  Parameters<To> to;
  convert_numbers(from, to);
  return to;
}

}  // namespace articula::mechanism
