// The list of fields for conversion, comparison and hashing contains every number of Parameters.

#include <articula/mechanism/parameter_fields.h>

#include <gtest/gtest.h>

#include <articula/build/build.h>
#include <articula/scalar/dual.h>

#include "support/random_model.h"

namespace articula::test {
namespace {

template <class S>
constexpr std::size_t listed = std::tuple_size_v<decltype(fields::members(std::declval<S&>()))>;

/// A structured binding must name every member of a struct: a field that is missing from the list does not compile
/// here.
TEST(ParameterFields, AreAllListed) {
  {
    const auto& [a, b, c, d, e, f, g] = ForceNumbers<double>{};
    static_assert(listed<ForceNumbers<double>> == 7);
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g;
  }
  {
    const auto& [a, b, c, d, e, f, g, h, i] = ConstraintNumbers<double>{};
    static_assert(listed<ConstraintNumbers<double>> == 9);
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i;
  }
  {
    const auto& [a, b, c, d, e, f, g] = RotorNumbers<double>{};
    static_assert(listed<RotorNumbers<double>> == 7);
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g;
  }
  {
    const auto& [a, b] = CouplingNumbers<double>{};
    static_assert(listed<CouplingNumbers<double>> == 2 && listed<ClosureNumbers<double>> == 2);
    const auto& [c, d] = ClosureNumbers<double>{};
    (void)a, (void)b, (void)c, (void)d;
  }
  {
    const auto& [a] = Helical::Parameters<double>{};  // of other kinds, the laws of joints see to it
    static_assert(listed<Helical::Parameters<double>> == 1);
    (void)a;
  }
  {
    const auto& [a, b] = CentralField<double>{};
    static_assert(listed<CentralField<double>> == 2);
    static_assert(std::variant_size_v<NoneOrField<std::monostate, double>> == 2, "another field: list it here, too");
    (void)a, (void)b;
  }
  {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa] =
        Parameters<double>{};
    static_assert(listed<Parameters<double>> == 27);
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i, (void)j, (void)k, (void)l, (void)m;
    (void)n, (void)o, (void)p, (void)q, (void)r, (void)s, (void)t, (void)u, (void)v, (void)w, (void)x, (void)y, (void)z;
  }
}

TEST(ParameterFields, ConvertThereAndBack) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Model model = random_model(seed, {.elements = 8});
    if (seed % 2 == 0) model.environment.gravity = CentralGravity{{1, 2, 3}, 4};
    const Parameters<double> par = build_mechanism(model).parameters;
    Parameters<double> back;
    const Parameters<Dual> dual = over<Dual>(par);
    resize_like(par, back);
    for_each_number(
        []<class A, class B>(const A& x, B& y) {
          if constexpr (std::is_same_v<A, Dual>) {
            EXPECT_EQ(x.dx, 0);
            y = x.x;
          } else {
            y = x;
          }
        },
        dual, back);
    std::size_t count = 0;
    for_each_number(
        [&](const auto& x, const auto& y) {
          EXPECT_EQ(x, y);
          ++count;
        },
        par, back);
    EXPECT_GT(count, 100u);
  }
}

}  // namespace
}  // namespace articula::test
