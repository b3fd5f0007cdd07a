#include <articula/model/port_text.h>

#include <gtest/gtest.h>

#include <vector>

#include "support/names.h"

namespace articula::test {
namespace {

TEST(PortText, the_first_dot_ends_the_name_of_the_entity) {
  EXPECT_EQ(to_port("upper"), (PortRef{"upper", ""}));
  EXPECT_EQ(to_port("upper.tool"), (PortRef{"upper", "tool"}));
  EXPECT_EQ(to_port("arm/upper.elbow.from"), (PortRef{"arm/upper", "elbow.from"}));
  for (const char* text : {"upper", "upper.tool", "arm/upper.elbow.from", ""}) EXPECT_EQ(to_text(to_port(text)), text);
}

TEST(PortText, the_ports_that_there_are_decide_about_dots_in_names) {
  const std::vector<PortRef> ports{{"hand", ""}, {"link.1", "tool"}, {"a", "b.c"}};
  const auto itself = [](const PortRef& port) -> const PortRef& { return port; };
  EXPECT_EQ(find_port(ports, "link.1.tool", itself), &ports[1]);
  EXPECT_EQ(find_port(ports, "a.b.c", itself), &ports[2]);
  EXPECT_EQ(find_port(ports, "hand", itself), &ports[0]);
  EXPECT_EQ(find_port(ports, "hand.tool", itself), nullptr);
}

}  // namespace
}  // namespace articula::test
