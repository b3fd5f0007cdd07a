// Malformed input of the URDF reader: each message is tested exactly, with its code.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>

#include <articula/base/number.h>
#include <articula/base/text.h>

#include "base/german_locale.h"
#include "urdf_text.h"

namespace articula::test {
namespace {

using namespace testing_urdf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Text ------------------------------------------------------------------------------------------------------

TEST(UrdfReaderText, EmptyTextIsAnError) {
  EXPECT_EQ(error_in(""), "arm.urdf: the text is empty.  [text-empty]");
  EXPECT_EQ(error_in(" \r\n\t"), "arm.urdf: the text is empty.  [text-empty]");
  EXPECT_EQ(error_in("\xef\xbb\xbf"), "arm.urdf: the text is empty.  [text-empty]");
}

TEST(UrdfReaderText, EveryTruncationIsAnError) {
  const std::string text =
      with_transmission(R"(<!-- a comment --><joint name="elbow"/><actuator name="&#228;"><![CDATA[x]]></actuator>)");
  const std::size_t whole = text.rfind('>') + 1;
  for (std::size_t size = 0; size < whole; ++size) EXPECT_NE(error_in(text.substr(0, size)), "no error") << size;
  EXPECT_EQ(error_in(text), "no error");
  EXPECT_EQ(error_in("<robot name=\"arm\">\n<link name=\"a\"/>\n<joint name"),
            "arm.urdf:3: the text ends before \"<joint\", which begins here, is closed. The file may be "
            "truncated.  [text-truncated]");
}

TEST(UrdfReaderText, BinaryIsAnError) {
  EXPECT_EQ(error_in(std::string("<robot\n\x7f\0", 9)),
            "arm.urdf:2: the text holds the control character \"\\x7f\". Only tabs and line breaks are "
            "allowed; is this a binary file?  [text-binary]");
  EXPECT_THAT(error_in(std::string("\0\1\2\3", 4)), HasSubstr("\"\\x00\""));
  EXPECT_EQ(error_in("\xff\xfe<\0"),
            "arm.urdf:1: the text is UTF-16. Only UTF-8 is read; save the file as UTF-8.  [text-encoding]");
  EXPECT_EQ(error_in("<robot>\n<!-- caf\xe9 --></robot>"),
            "arm.urdf:2: the line is not UTF-8. Only UTF-8 is read; save the file as UTF-8.  [text-encoding]");
}

TEST(UrdfReaderText, NestingIsBounded) {
  std::string deep;
  for (int k = 0; k < 200000; ++k) deep += "<a>";
  EXPECT_EQ(error_in(deep),
            "arm.urdf:1: elements are nested more than 64 deep. A robot's description needs about six "
            "levels.  [text-too-deep]");
  for (int k = 0; k < 200000; ++k) deep += "</a>";
  EXPECT_THAT(error_in(deep), HasSubstr("[text-too-deep]"));
}

TEST(UrdfReaderText, DefinitionsAndEntitiesAreRefused) {
  const std::string refusal =
      "a document type or entity definition stands here. They are not read, and nothing is fetched; remove "
      "it.  [xml-dtd]";
  EXPECT_EQ(error_in("<?xml version=\"1.0\"?>\n<!DOCTYPE robot SYSTEM \"http://example.org/robot.dtd\">\n<robot/>"),
            "arm.urdf:2: " + refusal);
  EXPECT_EQ(error_in("<!DOCTYPE r [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]><robot name=\"&c;\"/>"),
            "arm.urdf:1: " + refusal);
  EXPECT_EQ(error_in(robot("<!ENTITY x SYSTEM \"file:///etc/passwd\">")), "arm.urdf:2: " + refusal);
  const std::string allowed =
      " is not an entity of XML. Allowed: &lt; &gt; &amp; &quot; &apos; and references to characters such as "
      "&#228;. Write &amp; for the sign & itself.  [xml-entity]";
  EXPECT_EQ(error_in(robot("<link name=\"&secret;\"/>")), "arm.urdf:2: \"&secret;\"" + allowed);
  EXPECT_EQ(error_in(robot("<link name=\"a & b\"/>")), "arm.urdf:2: \"&\"" + allowed);
  EXPECT_EQ(error_in(robot("<link name=\"a&#0;b\"/>")), "arm.urdf:2: \"&#0;\"" + allowed);
  EXPECT_EQ(error_in(robot("<link name=\"a&#xd800;b\"/>")), "arm.urdf:2: \"&#xd800;\"" + allowed);
}

TEST(UrdfReaderText, EntitiesOfXmlItselfAreRead) {
  EXPECT_NE(read(robot("<link name=\"&lt;&gt;&amp;&quot;&apos;&#228;&#x20ac;\"/>")).find("<>&\"'ä€", Family::body),
            nullptr);
}

TEST(UrdfReaderText, WhatIsNotXmlIsAnError) {
  EXPECT_EQ(error_in("hello"), "arm.urdf:1: an element is not well-formed XML here.  [xml-invalid]");
  EXPECT_EQ(error_in("<robot>\n<link></joint></robot>"),
            "arm.urdf:2: the element <link> is closed by another name, or not at all.  [xml-invalid]");
  EXPECT_EQ(error_in("<robot>\n<link name=a/></robot>"),
            "arm.urdf:2: the element <link> has an attribute that is not written name=\"value\", or has one "
            "twice.  [xml-invalid]");
  EXPECT_EQ(error_in("<robot/>\n<robot/>"),
            "arm.urdf:2: there is a second element beside <robot>. A document has one element at its root.  "
            "[xml-invalid]");
  EXPECT_EQ(error_in("<!-- only -->"), "arm.urdf: there is no element.  [xml-invalid]");
  EXPECT_EQ(error_in("</robot>"), "arm.urdf:1: an element is closed that was not opened.  [xml-invalid]");
  EXPECT_EQ(error_in("<mujoco/>"),
            "arm.urdf:1: the root element is <mujoco>. A URDF file has <robot> at its root.  [urdf-no-robot]");
}

TEST(UrdfReaderText, AnElementHasABoundedNumberOfAttributes) {
  std::string many = "<robot";
  for (int k = 0; k < 100000; ++k) many += concat(" a", k, "=\"\"");
  EXPECT_EQ(error_in(many + "/>"), "arm.urdf:1: an element has more than 256 attributes.  [xml-attributes]");
}

TEST(UrdfReaderText, MarksLineBreaksAndForeignNamesAreAccepted) {
  std::string text = "\xef\xbb\xbf" + elbow(some_limit);
  std::string with_returns;
  for (const char c : text) with_returns += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read(with_returns), read(elbow(some_limit)));
  EXPECT_EQ(to_text(read(with_returns).find("elbow", Family::joint)->where), "arm.urdf:4");
  const Model model = read(robot("<link name=\"手\"/>"));
  EXPECT_NE(model.find("手", Family::body), nullptr);
}

TEST(UrdfReaderText, NamesHoldNoControlCharacters) {
  EXPECT_THAT(error_in(robot(std::string("<link name=\"a\0b\"/>", 18))), HasSubstr("[text-binary]"));
  EXPECT_EQ(error_in(robot("<link name=\"a&#13;b\"/>")),
            "arm.urdf:2: link: the name \"a\\x0db\" holds a control character. Only tab and newline are "
            "allowed.  [name-invalid]");
  EXPECT_EQ(error_in(robot("<link name=\"\"/>")),
            "arm.urdf:2: link: the name is empty. A name needs at least one character.  [name-invalid]");
  EXPECT_NE(read(robot("<link name=\"a;&quot;&lt;script&gt;&#10;\"/>")).find("a;\"<script>\n", Family::body), nullptr);
}

TEST(UrdfReaderText, AGermanLocaleChangesNothing) {
  const std::string text = elbow(R"(<origin xyz="0.1 1e-3 -2.5" rpy="0.7 1.25 -3.125"/><axis xyz="0.3 0.4 0.5"/>)" +
                                 std::string(some_limit));
  const Model here = read(text);
  const std::string before = std::setlocale(LC_ALL, nullptr);
  show_test_locales();
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "the locale de_DE.UTF-8 is not installed";
  const Model there = read(text);
  const std::string error = error_in(elbow("<origin xyz=\"1,5 0 0\"/>", "fixed"));
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(here, there);
  EXPECT_THAT(error, HasSubstr("\"1,5\" is not a number"));
}

// Numbers ---------------------------------------------------------------------------------------------------

TEST(UrdfReaderNumbers, WhatIsNoNumberIsAnError) {
  const auto lower = [](std::string_view text) {
    return error_in(elbow("<limit lower=\"" + std::string(text) + "\" upper=\"1\" effort=\"1\" velocity=\"1\"/>"));
  };
  const std::string start = "arm.urdf:6: joint \"elbow\": limit lower: ";
  EXPECT_EQ(lower("1,5"), start + "\"1,5\" is not a number. The decimal mark is a point: write 1.5.  [number-invalid]");
  EXPECT_EQ(lower("1abc"), start + "\"1abc\" is not a number. Write e.g. 0.5 or 1e-3.  [number-invalid]");
  EXPECT_EQ(lower("0x10"), start + "\"0x10\" is not a number. Write e.g. 0.5 or 1e-3.  [number-invalid]");
  EXPECT_EQ(lower(""), start + "the number is empty. Write e.g. 0.5.  [number-invalid]");
  EXPECT_EQ(lower("nan"), start + "\"nan\" is not finite. Only finite numbers are allowed.  [number-invalid]");
  EXPECT_EQ(lower("inf"), start + "\"inf\" is not finite. Only finite numbers are allowed.  [number-invalid]");
  EXPECT_EQ(lower("1e400"), start + why_no_number("1e400") + ".  [number-invalid]");
  EXPECT_EQ(lower("${pi}"), start + "\"${pi}\" is not a number. Write e.g. 0.5 or 1e-3.  [number-invalid]");
}

TEST(UrdfReaderNumbers, AMassThatIsNoNumberIsNotZero) {
  EXPECT_EQ(
      error_in(robot(
          R"(<link name="a"><inertial><mass value="heavy"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>)")),
      "arm.urdf:2: link \"a\": mass value: \"heavy\" is not a number. Write e.g. 0.5 or 1e-3.  "
      "[number-invalid]");
}

TEST(UrdfReaderNumbers, VectorsHaveTheirLength) {
  EXPECT_EQ(error_in(elbow("<origin xyz=\"1 2\"/>", "fixed")),
            "arm.urdf:6: joint \"elbow\": origin xyz has 2 numbers. It needs 3, separated by blanks.  "
            "[vector-length]");
  EXPECT_EQ(error_in(elbow("<origin rpy=\"1 2 3 4\"/>", "fixed")),
            "arm.urdf:6: joint \"elbow\": origin rpy has 4 numbers. It needs 3, separated by blanks.  "
            "[vector-length]");
  EXPECT_EQ(error_in(elbow("<axis xyz=\"1\"/>", "continuous")),
            "arm.urdf:6: joint \"elbow\": axis xyz has 1 number. It needs 3, separated by blanks.  "
            "[vector-length]");
  EXPECT_EQ(error_in(elbow("<origin xyz=\"1 two 3\"/>", "fixed")),
            "arm.urdf:6: joint \"elbow\": origin xyz: \"two\" is not a number. Write e.g. 0.5 or 1e-3.  "
            "[number-invalid]");
  EXPECT_EQ(error_in(robot(R"(<link name="a"><visual><geometry><box/></geometry></visual></link>)")),
            "arm.urdf:2: link \"a\": <box> needs an attribute size.  [attribute-missing]");
  EXPECT_EQ(error_in(robot(R"(<material name="red"><color rgba="1 0 0"/></material><link name="a"/>)")),
            "arm.urdf:2: material \"red\": color rgba has 3 numbers. It needs 4, separated by blanks.  "
            "[vector-length]");
}

TEST(UrdfReaderNumbers, QuaternionsAreUnitOnes) {
  EXPECT_EQ(error_in(elbow("<origin quat_xyzw=\"0 0 1 1\"/>", "fixed")),
            "arm.urdf:6: joint \"elbow\": origin quat_xyzw has the length 1.4142135623730951. A quaternion "
            "needs length 1 within 1e-6.  [quaternion-not-unit]");
  EXPECT_EQ(error_in(elbow("<origin quat_xyzw=\"0 0 1.0000005 0\"/>", "fixed")), "no error");
}

TEST(UrdfReaderNumbers, ImpossibleValuesAreLeftToTheChecks) {
  const Model model = read(robot(
      R"(<link name="a"><inertial><mass value="-1"/><inertia ixx="-1" iyy="1" izz="9"/></inertial></link>
    <link name="b"/><joint name="j" type="prismatic"><parent link="a"/><child link="b"/>
    <limit lower="2" upper="1" effort="-1" velocity="0"/></joint>)"));
  EXPECT_EQ(model.at<RigidBody>("a").mass, -1);
  EXPECT_EQ(model.at<Joint>("j").limits, std::vector<Limits>({{2, 1}}));
}

TEST(UrdfReaderNumbers, AnInertiaThatOverflowsWhenTurnedIsAnError) {
  EXPECT_EQ(error_in(robot(R"(<link name="a"><inertial><origin rpy="0 0 0.7"/><mass value="1"/>
<inertia ixx="1e308" iyy="1.7e308" izz="1.7e308" ixy="-1.7e308"/></inertial></link>)")),
            "arm.urdf:3: link \"a\": the inertia is outside the range of numbers when turned into the link's "
            "axes.  [number-invalid]");
}

// Structure -------------------------------------------------------------------------------------------------

TEST(UrdfReaderStructure, UnknownElementsAndAttributesAreReportedWithASuggestion) {
  EXPECT_THAT(findings_in(robot("<link name=\"a\">\n<inertal/><banana/></link>\n<lnk/>")),
              ElementsAre("warning: arm.urdf:4: robot \"arm\": the element <lnk> is not known and was "
                          "ignored. Did you mean \"link\"?  [element-unknown]",
                          "warning: arm.urdf:3: link \"a\": the element <inertal> is not known and was "
                          "ignored. Did you mean \"inertial\"?  [element-unknown]",
                          "warning: arm.urdf:3: link \"a\": the element <banana> is not known and was "
                          "ignored.  [element-unknown]"));
  EXPECT_THAT(findings_in(elbow("<limit efort=\"1\" lower=\"0\" upper=\"1\"/>")),
              ElementsAre("warning: arm.urdf:6: joint \"elbow\": the attribute efort of <limit> is not known "
                          "and was ignored. Did you mean \"effort\"?  [attribute-unknown]"));
  EXPECT_THAT(findings_in(robot("<link name=\"a\"/>text")),
              ElementsAre("warning: arm.urdf:2: robot \"arm\": <robot> holds text, which was ignored. Only "
                          "elements may stand there.  [text-unexpected]"));
}

TEST(UrdfReaderStructure, WhatAModelCannotHoldIsReported) {
  EXPECT_THAT(findings_in(elbow(R"(<safety_controller k_velocity="1"/>
<calibration rising="0"/>)",
                                "continuous", "<gazebo reference=\"fore\"><a/></gazebo><ros2_control/>")),
              ElementsAre("warning: arm.urdf:9: robot \"arm\": <gazebo> cannot be expressed and was left "
                          "out.  [not-expressed]",
                          "warning: arm.urdf:9: robot \"arm\": <ros2_control> cannot be expressed and was "
                          "left out.  [not-expressed]",
                          "warning: arm.urdf:6: joint \"elbow\": <safety_controller> cannot be expressed and "
                          "was left out.  [not-expressed]",
                          "warning: arm.urdf:7: joint \"elbow\": <calibration> cannot be expressed and was "
                          "left out.  [not-expressed]"));
  EXPECT_THAT(findings_in(elbow(R"(<axis xyz="0 0 0"/><dynamics damping="1"/>)", "fixed")),
              ElementsAre("note: arm.urdf:6: joint \"elbow\": a fixed joint has no axis; <axis> has no "
                          "effect.  [not-expressed]",
                          "warning: arm.urdf:6: joint \"elbow\": a fixed joint does not move; <dynamics> was "
                          "left out.  [not-expressed]"));
  EXPECT_THAT(findings_in(elbow(R"(<limit lower="0" upper="1" effort="1" velocity="1"/>)", "planar")),
              ElementsAre("warning: arm.urdf:6: joint \"elbow\": <limit> of a planar joint cannot be "
                          "expressed and was left out.  [not-expressed]"));
  EXPECT_THAT(findings_in(elbow(R"(<limit lower="0" upper="1" effort="1" velocity="1"/>)", "continuous")),
              ElementsAre("warning: arm.urdf:6: joint \"elbow\": a continuous joint has no limits of "
                          "position; lower and upper were left out.  [not-expressed]"));
}

TEST(UrdfReaderStructure, DoubtfulLimitsAreReported) {
  EXPECT_THAT(findings_in(elbow("")),
              ElementsAre("warning: arm.urdf:4: joint \"elbow\": a revolute joint needs <limit>. It was read "
                          "without limits.  [limit-missing]"));
  EXPECT_THAT(findings_in(elbow("<limit effort=\"1\" velocity=\"1\"/>")),
              ElementsAre("warning: arm.urdf:6: joint \"elbow\": <limit> has neither lower nor upper. Both are then "
                          "0, and the joint cannot move; give them, or make the joint continuous.  [limit-default]"));
}

TEST(UrdfReaderStructure, LimitsInDegreesAreAskedAbout) {
  const auto limit = [](std::string_view upper) {
    return elbow(concat("<limit lower=\"-1\" upper=\"", upper, "\" effort=\"1\" velocity=\"1\"/>"));
  };
  EXPECT_THAT(
      findings_in(limit("170")),
      ElementsAre("warning: arm.urdf:6: joint \"elbow\": its limits reach to 170 rad, which is 27.1 turns. URDF "
                  "gives limits in radians; if degrees are meant, convert them.  [limit-in-degrees]"));
  EXPECT_THAT(findings_in(limit("6.28")), IsEmpty());
  EXPECT_THAT(findings_in(limit("1e16")), IsEmpty());
}

TEST(UrdfReaderStructure, DoubledElementsAreReported) {
  EXPECT_THAT(findings_in(elbow("<axis xyz=\"0 0 1\"/>\n<axis xyz=\"0 1 0\"/>", "continuous")),
              ElementsAre("warning: arm.urdf:7: joint \"elbow\": <axis> stands here a second time, after "
                          "line 6. Only the first counts; remove one.  [element-duplicate]"));
  const std::string two =
      robot(R"(<link name="a"><visual><geometry><sphere radius="1"/><box size="1 1 1"/></geometry></visual></link>)");
  EXPECT_THAT(
      findings_in(two),
      ElementsAre("warning: arm.urdf:2: link \"a\": <geometry> holds <sphere> and <box>. Only the first counts; "
                  "write one <visual> or <collision> for each.  [element-duplicate]"));
  EXPECT_TRUE(std::holds_alternative<Sphere>(read(two).at<RigidBody>("a").shapes.at(0).geometry));
}

TEST(UrdfReaderStructure, WhatIsMissingIsNamed) {
  EXPECT_EQ(error_in(robot("<link/>")), "arm.urdf:2: link: <link> needs an attribute name.  [attribute-missing]");
  EXPECT_EQ(error_in(robot("<link name=\"a\"/><joint name=\"j\" type=\"fixed\"><child link=\"a\"/></joint>")),
            "arm.urdf:2: joint \"j\": <joint> needs an element <parent>.  [element-missing]");
  EXPECT_EQ(error_in(robot("<link name=\"a\"/><joint name=\"j\" type=\"fixed\"><child/><parent link=\"a\"/></joint>")),
            "arm.urdf:2: joint \"j\": <child> needs an attribute link.  [attribute-missing]");
  EXPECT_EQ(error_in(robot("<link name=\"a\"><inertial><mass value=\"1\"/></inertial></link>")),
            "arm.urdf:2: link \"a\": <inertial> needs an element <inertia>.  [element-missing]");
  EXPECT_EQ(error_in(robot("")), "arm.urdf: robot \"arm\" has no links. It needs at least one.  [urdf-empty]");
  EXPECT_THAT(findings_in("<robot><link name=\"a\"/></robot>"),
              ElementsAre("warning: arm.urdf:1: robot: <robot> needs an attribute name.  [attribute-missing]"));
}

TEST(UrdfReaderStructure, ShapesAndMaterialsThatSayNothingAreIgnoredWithAWarning) {
  const auto link = [](std::string_view visual) {
    return robot("<link name=\"a\">" + std::string(visual) +
                 "<collision><geometry><sphere radius=\"1\"/></geometry></collision></link>");
  };
  const std::string start = "warning: arm.urdf:2: link \"a\": ";
  const std::pair<const char*, const char*> shapes[] = {
      {"<visual/>", "<visual> has no <geometry> and was ignored. Add one, or remove it.  [element-missing]"},
      {"<visual><geometry/></visual>",
       "<geometry> is empty; the shape was ignored. It needs <box>, <sphere>, <cylinder>, <capsule> or <mesh>.  "
       "[element-missing]"},
      {"<visual><geometry><mesh filename=\"\"/></geometry></visual>",
       "<mesh> has no filename; the shape was ignored. Name a mesh, or remove the shape.  [attribute-missing]"},
  };
  for (const auto& [text, message] : shapes) {
    EXPECT_THAT(findings_in(link(text)), ElementsAre(start + message));
    EXPECT_EQ(read(link(text)).at<RigidBody>("a").shapes.size(), 1u);
    EXPECT_NE(error_in(link(text), {.strict = true}), "no error");
  }
  const std::pair<const char*, const char*> materials[] = {
      {"<texture filename=\"\"/>",
       "<texture> has no filename and was ignored. Name an image, or remove it.  [attribute-missing]"},
      {"<texture/>", "<texture> has no filename and was ignored. Name an image, or remove it.  [attribute-missing]"},
      {"<color/>", "<color> has no attribute rgba and was ignored. Give e.g. rgba=\"1 0 0 1\".  [attribute-missing]"},
  };
  for (const auto& [text, message] : materials) {
    const std::string visual =
        "<visual><geometry><sphere radius=\"2\"/></geometry><material>" + std::string(text) + "</material></visual>";
    EXPECT_THAT(findings_in(link(visual)), ElementsAre(start + message));
    EXPECT_EQ(read(link(visual)).at<RigidBody>("a").shapes.size(), 2u);
  }
}

TEST(UrdfReaderStructure, DuplicateNamesCiteBothLines) {
  EXPECT_EQ(error_in(robot("<link name=\"a\"/>\n<link name=\"b\"/>\n<link name=\"a\"/>")),
            "arm.urdf:4: link \"a\": the name is taken by the link at arm.urdf:2. Names are unique; rename "
            "one of them.  [name-duplicate]\narm.urdf:3: robot \"arm\" has 3 roots: a, b, a. All links but "
            "one need a parent; join them by joints.  [urdf-roots]");
  EXPECT_THAT(
      error_in(elbow(some_limit, "revolute",
                     "<joint name=\"elbow\" type=\"fixed\"><parent link=\"fore\"/><child link=\"upper\"/></joint>")),
      StartsWith("arm.urdf:8: joint \"elbow\": the name is taken by the joint at arm.urdf:4. Names are "
                 "unique; rename one of them.  [name-duplicate]"));
  EXPECT_EQ(error_in(four_bar(R"(<loop name="ja" type="fixed"><predecessor link="b"/><successor link="c"/></loop>)")),
            "arm.urdf:6: loop \"ja\": the name is taken by the joint at arm.urdf:3. Names are unique; rename "
            "one of them.  [name-duplicate]");
}

TEST(UrdfReaderStructure, AMissingLinkIsNamedWithTheChoices) {
  EXPECT_EQ(error_in(robot("<link name=\"hand_l\"/><link name=\"hand_r\"/>\n<joint name=\"j\" "
                           "type=\"fixed\"><parent link=\"hand_l\"/>\n<child link=\"hand\"/></joint>")),
            "arm.urdf:4: joint \"j\": link \"hand\" not found. Did you mean \"hand_l\"? Links: hand_l, "
            "hand_r.  [no-such-link]");
}

TEST(UrdfReaderStructure, LinksMakeOneTree) {
  const auto joint = [](std::string_view name, std::string_view parent, std::string_view child) {
    return concat("<joint name=\"", name, "\" type=\"fixed\"><parent link=\"", parent, "\"/><child link=\"", child,
                  "\"/></joint>\n");
  };
  const std::string links = "<link name=\"a\"/>\n<link name=\"b\"/>\n<link name=\"c\"/>\n";
  EXPECT_THAT(
      error_in(robot("<link name=\"a\"/>" + joint("j", "a", "a"))),
      StartsWith("arm.urdf:2: joint \"j\": link \"a\" is its own parent. Name two different links.  [self-parent]"));
  EXPECT_EQ(error_in(robot(links + joint("j", "a", "b"))),
            "arm.urdf:4: robot \"arm\" has 2 roots: a, c. All links but one need a parent; join them by "
            "joints.  [urdf-roots]");
  EXPECT_EQ(error_in(robot(links + joint("j", "a", "b") + joint("k", "b", "c") + joint("l", "c", "a"))),
            "arm.urdf:2: robot \"arm\" has no root: every link has a parent. The links a, c, b hang on each "
            "other in a circle; declare a loop with <loop>.  [urdf-roots]");
  EXPECT_EQ(error_in(robot(links + joint("j", "b", "c") + joint("k", "c", "b"))),
            "arm.urdf:3: robot \"arm\": the links b, c hang on each other in a circle. Declare a loop with "
            "<loop>.  [urdf-cycle]");
  EXPECT_EQ(error_in(robot(links + joint("j", "a", "b") + joint("k", "a", "c") + joint("l", "b", "c"))),
            "arm.urdf:7: joint \"l\": link \"c\" is already the child of joint \"k\" at arm.urdf:6. A link "
            "has one parent; declare a loop with <loop>.  [two-parents]");
}

TEST(UrdfReaderStructure, AnAxisNeedsADirection) {
  EXPECT_EQ(error_in(elbow("<axis xyz=\"0 0 0\"/>" + std::string(some_limit))),
            "arm.urdf:6: joint \"elbow\": axis is (0, 0, 0). An axis needs a direction; give e.g. (0, 0, 1). "
            " [joint-axis-zero]");
}

TEST(UrdfReaderStructure, ATypeOfJointMustBeKnown) {
  EXPECT_EQ(error_in(elbow("", "revolut")),
            "arm.urdf:4: joint \"elbow\": the type \"revolut\" is not known. Did you mean \"revolute\"? "
            "Types: revolute, continuous, prismatic, fixed, floating, planar.  [joint-type-unknown]");
}

TEST(UrdfReaderStructure, ATemplateMustBeExpanded) {
  EXPECT_EQ(error_in("<robot name=\"arm\" xmlns:xacro=\"http://ros.org/wiki/xacro\">\n<xacro:include "
                     "filename=\"x\"/><link name=\"a\"/></robot>"),
            "arm.urdf:2: robot \"arm\": <xacro:include> belongs to a xacro template. Expand it first: xacro "
            "FILE > robot.urdf.  [xacro-unexpanded]");
}

TEST(UrdfReaderStructure, AllErrorsAreFoundAtOnceButNotMoreThanAHundred) {
  const std::string two =
      error_in(robot("<link name=\"a\"><inertial><mass value=\"x\"/><inertia ixx=\"y\" iyy=\"1\" "
                     "izz=\"1\"/></inertial></link>"));
  EXPECT_THAT(two, HasSubstr("\"x\" is not a number"));
  EXPECT_THAT(two, HasSubstr("\"y\" is not a number"));
  std::string many;
  for (int k = 0; k < 5000; ++k)
    many +=
        concat("<joint name=\"j", k, "\" type=\"fixed\"><parent link=\"p", k, "\"/><child link=\"c", k, "\"/></joint>");
  Findings findings;
  try {
    read_urdf(robot("<link name=\"a\"/>" + many), "arm.urdf", findings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.errors().size(), 101u);
    EXPECT_EQ(error.errors().back().message, "reading stops after 100 errors. Mend these first.");
    EXPECT_EQ(error.errors().back().code, "too-many-errors");
  }
}

TEST(UrdfReaderStructure, MaterialsAreDefinedOnce) {
  EXPECT_THAT(findings_in(robot(
                  R"(<link name="a"><visual><geometry><sphere radius="1"/></geometry><material name="rde"/></visual>
<visual><geometry><sphere radius="1"/></geometry><material name="red"><color rgba="0 1 0 1"/></material></visual></link>
<material name="red"><color rgba="1 0 0 1"/></material><material name="blue"><color rgba="0 0 1 1"/></material>)")),
              ElementsAre("warning: arm.urdf:3: link \"a\": material \"red\" is not the same as at arm.urdf:4. This "
                          "shape takes its own; give one of them another name.  [material-redefined]",
                          "warning: arm.urdf:2: link \"a\": material \"rde\" is not defined; it has no colour. Did "
                          "you mean \"red\"?  [material-undefined]",
                          "note: arm.urdf:2: materials: their colours and textures are kept with the shapes, their "
                          "names are not.  [not-expressed]"));
}

TEST(UrdfReaderStructure, OfTwoMaterialsOfOneNameTheFirstCounts) {
  EXPECT_THAT(
      findings_in(robot(R"(<link name="a"/><material name="red"><color rgba="1 0 0 1"/></material>
<material name="red"><color rgba="0 1 0 1"/></material>)")),
      ElementsAre("warning: arm.urdf:3: material \"red\": it is not the same as at arm.urdf:2. The first counts; "
                  "rename one of them.  [material-redefined]"));
  EXPECT_THAT(findings_in(robot(R"(<link name="a"/><material name="red"><color rgba="1 0 0 1"/></material>
<material name="red"><color rgba="1 0 0 1"/></material>)")),
              IsEmpty());
}

TEST(UrdfReaderStructure, MeshesOutsideAreReportedAndNothingIsOpened) {
  const auto mesh = [](std::string_view file) {
    return robot("<link name=\"a\"><visual><geometry>\n<mesh filename=\"" + std::string(file) +
                 "\"/></geometry></visual></link>");
  };
  const std::string start = "warning: arm.urdf:3: link \"a\": <mesh>: ";
  const std::string end =
      ". It will not be opened; use a path inside the model's folder, package://, or declare its root.  "
      "[mesh-outside]";
  EXPECT_THAT(findings_in(mesh("http://example.org/a.stl")),
              ElementsAre(start + "\"http://example.org/a.stl\" would have to be fetched" + end));
  EXPECT_THAT(findings_in(mesh("/etc/passwd")), ElementsAre(start + "\"/etc/passwd\" is an absolute path" + end));
  EXPECT_THAT(findings_in(mesh("file:///etc/passwd")),
              ElementsAre(start + "\"file:///etc/passwd\" is an absolute path" + end));
  EXPECT_THAT(findings_in(mesh("a/../../b.stl")),
              ElementsAre(start + "\"a/../../b.stl\" leads out of the model's folder" + end));
  EXPECT_THAT(findings_in(mesh("package://p/../../b.stl")),
              ElementsAre(start + "\"package://p/../../b.stl\" leads out of its package" + end));
  EXPECT_THAT(findings_in(mesh("package://p/b.stl")), IsEmpty());
  EXPECT_THAT(findings_in(mesh("meshes/../b.stl")), IsEmpty());
  EXPECT_THAT(findings_in(mesh("/opt/robots/arm/b.stl"), {.mesh_roots = {"/opt/robots"}}), IsEmpty());
  EXPECT_THAT(findings_in(mesh("/opt/robots/../b.stl"), {.mesh_roots = {"/opt/robots"}}).size(), 1u);
  EXPECT_EQ(std::get<Mesh>(read(mesh("/etc/passwd")).at<RigidBody>("a").shapes[0].geometry).file, "/etc/passwd");
}

TEST(UrdfReaderStructure, ReadingStrictlyMakesErrorsOfDefects) {
  const ReadOptions strict{.strict = true};
  EXPECT_EQ(error_in(robot("<link name=\"a\"/><lnk/>"), strict),
            "arm.urdf:2: robot \"arm\": the element <lnk> is not known and was ignored. Did you mean "
            "\"link\"?  [element-unknown]");
  EXPECT_EQ(error_in(robot("<link name=\"a\"/><gazebo/>"), strict), "no error");
}

// Size ------------------------------------------------------------------------------------------------------

TEST(UrdfReaderSize, LongChainsAndBroadStarsNeedNoStack) {
  constexpr int links = 20000;
  for (const bool chain : {true, false}) {
    std::string content = "<link name=\"l0\"/>";
    for (int k = 1; k <= links; ++k) {
      content += concat("<link name=\"l", k, "\"/><joint name=\"j", k, "\" type=\"continuous\"><parent link=\"l",
                        chain ? k - 1 : 0, "\"/><child link=\"l", k, "\"/><origin xyz=\"0 0 1\"/></joint>");
    }
    EXPECT_EQ(read(robot(content)).names(Family::body).size(), links + 2u);
  }
}

}  // namespace
}  // namespace articula::test
