// Gravity in text, with a second field that depends on the position.

#include <articula/formats/internal/yaml_gravity.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/model/environment.h>

#include "support/names.h"

namespace articula::test {
namespace {

/// Grows with the distance from a plane.
struct Layered {
  static constexpr std::string_view name = "layered", example = "{rate: 1}";
  double rate = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("rate", self.rate, dimension::none);
  }
};
using Either = std::variant<UniformGravity, CentralGravity, Layered>;

Either read(std::string_view text) {
  Findings findings;
  YamlLog log(findings);
  const std::string file = "orbit.yaml";
  const YamlTree tree = YamlTree::parse(text, file, log);
  const Subject subject{file, log};
  const Spot root(subject, tree.root()), spot(root, tree.root().value(0), "gravity");
  Either gravity;
  const bool good = read_gravity_field(spot, gravity);
  log.throw_if_errors();
  EXPECT_TRUE(good);
  return gravity;
}
std::string error_in(std::string_view text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(YamlGravity, IsOneOfTheFields) {
  EXPECT_EQ(std::get<CentralGravity>(read("gravity: {central: {center: [1, 2, 3], mu: 4}}")),
            (CentralGravity{{1, 2, 3}, 4}));
  EXPECT_EQ(std::get<Layered>(read("gravity: {layered: {rate: 2}}")).rate, 2);
}

TEST(YamlGravity, TwoFieldsAreRefused) {
  const std::string twice =
      "gravity: central and layered are given. A model has one field of gravity; remove the other.  [gravity-twice]";
  EXPECT_EQ(error_in("gravity: {central: {mu: 4}, layered: {rate: 2}}"), "orbit.yaml:1: " + twice);
  EXPECT_EQ(error_in("gravity: {layered: {rate: 2}, central: {mu: 4}}"), "orbit.yaml:1: " + twice);
}

TEST(YamlGravity, NamesAllFieldsWhereNoneIsGiven) {
  EXPECT_EQ(error_in("gravity: {}"),
            "orbit.yaml:1: gravity: central or layered is missing. Gravity is a list of three numbers, e.g. [0, 0, "
            "-9.81], or {central: {center: [0, 0, 0], mu: 3.986e14}}, or {layered: {rate: 1}}.  [value-missing]");
}

}  // namespace
}  // namespace articula::test
