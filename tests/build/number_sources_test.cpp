// Every number of Parameters against models in which one property was changed: only the numbers that follow from it change.

#include <articula/build/number_sources.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include <articula/base/text.h>
#include <articula/build/flatten.h>
#include <articula/build/refresh.h>
#include <articula/formats/yaml_reader.h>
#include <articula/mechanism/parameter_fields.h>

#include "support/random_model.h"

namespace articula::test {
namespace {

constexpr std::uint32_t models = 30;

std::vector<std::uint64_t> bits(const Parameters<double>& par) {
  std::vector<std::uint64_t> all;
  for_each_number([&](auto x) { all.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(x))); }, par);
  return all;
}

/// Gives one property of a kind other numbers; tells whether there are any.
struct Change {
  std::string_view property;
  bool done = false;

  void change(double& x) { x = 0.75 * x + 0.125, done = true; }
  void operator()(std::string_view name, double& x, const Dimension&) {
    if (name == property) change(x);
  }
  void operator()(std::string_view name, std::optional<double>& x, const Dimension&) {
    if (name == property && x) change(*x);
  }
  void operator()(std::string_view name, Vec3<double>& v, const Dimension&) {
    for (int k = 0; name == property && k < 3; ++k) change(v[k]);
  }
  void operator()(std::string_view name, Rows& rows, const Dimension&) {
    for (auto& row : rows) {
      for (double& x : row) {
        if (name == property) change(x);
      }
    }
  }
  void operator()(std::string_view name, Direction& direction, const Dimension&) {
    if (name == property) direction.v = rotation_about(1, 0.3) * direction.v, done = true;
  }
  template <class Other>
  void operator()(std::string_view, Other&, const Dimension&) {}
};

std::vector<std::string> properties_of(const Kind& kind) {
  std::vector<std::string> names;
  std::visit(
      [&]<class K>(const K& k) {
        K::fields(k, [&](std::string_view name, const auto&, const Dimension&) { names.emplace_back(name); });
      },
      kind);
  return names;
}

/// A model of all that has numbers.
Model sample(std::uint32_t seed) {
  Model model = flatten(random_model(seed, {.elements = 8})).model;
  model.environment.gravity = UniformGravity{{0, 0, -9.81}};
  return model;
}

TEST(NumberSources, AreThePropertiesWhoseChangeChangesTheNumber) {
  std::set<std::string, std::less<>> kinds, met;
  for (std::uint32_t seed = 1; seed <= models; ++seed) {
    const Model model = sample(seed);
    Refresher refresher(model);
    Parameters<double> par = refresher.built().parameters;
    const std::vector<NumberSource> sources = number_sources(model, refresher.built());
    const std::vector<std::uint64_t> before = bits(par);
    ASSERT_EQ(sources.size(), before.size());
    for (std::size_t e = 0; e < model.entities().size(); ++e) {
      const Entity& entity = model.entities()[e];
      for (const std::string& property : properties_of(entity.kind)) {
        const std::string path = concat(entity.name, ".", property);
        Model changed = model;
        Change change{property};
        Kind& kind = const_cast<Kind&>(changed.entities()[e].kind);
        std::visit([&]<class K>(K& k) { K::fields(k, change); }, kind);
        if (!change.done) continue;
        try {
          refresher.refresh(changed, par);
        } catch (const Error&) {
          continue;  // with such a number it is no model
        }
        const std::vector<std::uint64_t> after = bits(par);
        for (std::size_t k = 0; k < after.size(); ++k) {
          const bool same = after[k] == before[k];
          if (sources[k].path == path && !same) met.insert(concat(kind_name(entity.kind), ".", property));
          if (sources[k].is_property() && sources[k].path != path) {
            EXPECT_TRUE(same) << "seed " << seed << ": " << path << " changes a number of " << sources[k].path;
          }
        }
      }
    }
  }
  for (const std::string_view each : {"body.mass", "joint.damping", "joint.friction", "joint.pitch", "spring.stiffness",
                                      "spring.rest", "damper.damping", "drive.gear", "external_force.force"}) {
    EXPECT_TRUE(met.contains(each)) << each;
  }
}

TEST(NumberSources, LeadBackToTheLineOfTheText) {
  const std::string text =
      "articula: 1\nbodies:\n  hand: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}\njoints:\n"
      "  screw: {type: helical, pitch: 10 mm/rad, from: world, to: hand}\n";
  Findings findings;
  const Model model = read_yaml(text, "arm.yaml", findings);
  const Built built = build_mechanism(model);
  const std::vector<NumberSource> sources = number_sources(model, built);
  std::set<std::string> found;
  std::size_t k = 0;
  for_each_number(
      [&](auto x) {
        const NumberSource& from = sources[k++];
        const auto value = static_cast<double>(x);
        if ((value == 0.01 || value == 2) && from.is_property())
          found.insert(concat(to_text(from.where), ": ", from.path));
      },
      built.parameters);
  EXPECT_EQ(k, sources.size());
  EXPECT_THAT(found, testing::ElementsAre("arm.yaml:3: hand.mass", "arm.yaml:5: screw.pitch"));
}

}  // namespace
}  // namespace articula::test
