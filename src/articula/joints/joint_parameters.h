#pragma once

#include <tuple>
#include <variant>

#include <articula/joints/kinds.h>

namespace articula::joints {

namespace detail {
template <class None, class... Kinds>
struct ParametersOfKinds {
  template <class T>
  using OneOf = std::variant<ParametersOf<Kinds, T>...>;
  template <class T>
  using AllOf = std::tuple<ParametersOf<Kinds, T>...>;
};
#define ARTICULA_TYPE(value, Type) , Type
using EveryKind = ParametersOfKinds<void ARTICULA_JOINT_KINDS(ARTICULA_TYPE)>;
#undef ARTICULA_TYPE
}  // namespace detail

/// The parameters of a joint over the scalar T: alternative k is the struct of kind k.
template <class T>
using JointParameters = detail::EveryKind::OneOf<T>;

/// Those of a joint that is of kind J. @pre `par` was made for that kind
template <class J, class... Own>
ARTICULA_INLINE const auto& parameters_of(const std::variant<Own...>& par) {
  return *std::get_if<static_cast<std::size_t>(joint_kind_of(J{}))>(&par);
}

/// Makes `par` the parameters of a kind, with their defaults.
template <class... Own>
void reset(std::variant<Own...>& par, JointKind kind) {
  visit_joint(kind, [&]<class J>(J) { par.template emplace<static_cast<std::size_t>(joint_kind_of(J{}))>(); });
}

/// The parameters of every kind next to each other: of a joint in a model, which uses those of its own kind.
class AnyJointParameters {
 public:
  AnyJointParameters() = default;
  /// `Helical::Parameters<double>{.pitch = 0.01}`: of that kind, and the defaults for all others.
  template <class Own>
    requires requires(Own& own) { Own::members(own); }
  AnyJointParameters(const Own& own) {
    std::get<Own>(all_) = own;
  }

  template <class J>
  ParametersOf<J, double>& of() {
    return std::get<static_cast<std::size_t>(joint_kind_of(J{}))>(all_);
  }
  template <class J>
  const ParametersOf<J, double>& of() const {
    return std::get<static_cast<std::size_t>(joint_kind_of(J{}))>(all_);
  }

  /// Calls f(the struct of that kind).
  template <class Self, class F>
  static void visit(Self& self, JointKind kind, F&& f) {
    visit_joint(kind, [&]<class J>(J) { f(self.template of<J>()); });
  }
  /// As a joint of that kind has them once it is built.
  JointParameters<double> of(JointKind kind) const {
    JointParameters<double> par;
    visit_joint(kind, [&]<class J>(J) { par.emplace<static_cast<std::size_t>(joint_kind_of(J{}))>(of<J>()); });
    return par;
  }

  friend bool operator==(const AnyJointParameters&, const AnyJointParameters&) = default;

 private:
  detail::EveryKind::AllOf<double> all_;
};

}  // namespace articula::joints
