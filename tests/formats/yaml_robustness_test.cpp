// Malformed input in the native form: every message with its text, line and code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "yaml_text.h"

namespace articula::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_yaml::error_in;
using testing_yaml::error_in_text;
using testing_yaml::read;

std::string in_body(std::string_view properties) {
  return error_in("bodies: {upper: {" + std::string(properties) + "}}");
}
std::string in_joint(std::string_view properties) {
  return error_in("joints: {elbow: {" + std::string(properties) + "}}");
}
std::string in_placement(std::string_view text) {
  return error_in("displacements: {d: {placement: " + std::string(text) + "}}");
}

const std::string body = "arm.yaml:2: body \"upper\"";
const std::string joint = "arm.yaml:2: joint \"elbow\"";
const std::string placement = "arm.yaml:2: displacement \"d\": placement";

// ---- Numbers --------------------------------------------------------------------------------------------

TEST(YamlNumbers, WhatIsNoNumberIsAnErrorAndNeverZero) {
  EXPECT_EQ(in_body("mass: \"1,5\""),
            body + ": mass: \"1,5\" is not a number. The decimal mark is a point: write 1.5.  [number-invalid]");
  EXPECT_EQ(in_body("mass: 1abc"),
            body + ": mass: \"1abc\" is not a number. Write e.g. 0.5 or 1e-3.  [number-invalid]");
  EXPECT_EQ(in_body("mass: 0x10"),
            body + ": mass: \"0x10\" is not a number. Write e.g. 0.5 or 1e-3.  [number-invalid]");
  EXPECT_EQ(in_body("mass: "), body + ": mass: the number is empty. Write e.g. 0.5.  [number-invalid]");
  EXPECT_THAT(in_body("mass: nan"),
              HasSubstr("mass: \"nan\" is not finite. Only finite numbers are allowed.  [number-invalid]"));
  EXPECT_THAT(in_body("mass: inf"),
              HasSubstr("mass: \"inf\" is not finite. Only finite numbers are allowed.  [number-invalid]"));
  for (const char* text : {".nan", ".inf", "-.inf", "1e400", "1_000", "~", "null", "true"}) {
    EXPECT_THAT(in_body("mass: " + std::string(text)), HasSubstr("[number-invalid]")) << text;
  }
}

TEST(YamlNumbers, AGravityWhoseSquareIsNoNumberIsWarnedOf) {
  Findings findings;
  read_yaml("articula: 1\nenvironment: {gravity: [0, 0, 1e300]}", "arm.yaml", findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(
      to_text(findings[0]),
      "arm.yaml:2: environment.gravity is (0, 0, 1e+300) m/s^2. Numbers up to 1e+50 are allowed; on Earth it is (0, 0, "
      "-9.81).  [value-too-large]");
}

TEST(YamlNumbers, ACommaInAListOfPropertiesIsNoDecimalMark) {
  EXPECT_EQ(in_body("mass: 1,5"),
            body +
                ": mass is \"1,5\", which is not a number. The decimal mark is a point: write mass: 1.5.  "
                "[number-invalid]");
  EXPECT_THAT(in_body("mass: 1, 5"), HasSubstr("mass is \"1,5\""));
  EXPECT_THAT(in_body("mass: 1, mess"), StartsWith(body + ": key \"mess\" is not known here."));
}

TEST(YamlNumbers, LimitsInDegreesWithoutAUnitAreAskedAbout) {
  const auto warnings = [](std::string_view limits) {
    Findings findings;
    read_yaml(testing_yaml::model("joints: {elbow: {type: revolute, limits: " + std::string(limits) + "}}"), "arm.yaml",
              findings);
    std::string text;
    for (const Finding& finding : findings) text += to_text(finding);
    return text;
  };
  EXPECT_EQ(warnings("[-170, 170]"),
            joint +
                ": limits #1 is -170 rad, which is 27.1 turns. If degrees are meant, write -170 deg; else write "
                "-170 rad.  [limit-in-degrees]");
  EXPECT_THAT(warnings("[0, 90]"), HasSubstr("limits #2 is 90 rad"));
  EXPECT_EQ(warnings("[-170 deg, 170 deg]"), "");
  EXPECT_EQ(warnings("[-170 rad, 170 rad]"), "");
  EXPECT_EQ(warnings("[-12, 12]"), "");
}

TEST(YamlNumbers, AUnitHasTheRightDimension) {
  EXPECT_EQ(in_body("mass: 1 m"),
            body + ": mass: \"1 m\" is in m, but kg or another unit of that kind is needed here.  [unit-dimension]");
  EXPECT_THAT(in_joint("limits: [0, 3 mm]"), HasSubstr("limits #2: \"3 mm\" is in m, but rad or another unit "
                                                       "of that kind is needed here.  [unit-dimension]"));
  EXPECT_THAT(in_body("mass: 1 kgs"),
              StartsWith(body + ": mass: unit \"kgs\": \"kgs\" is not known. Did you mean \"kg\"? Units: "));
}

TEST(YamlNumbers, AVectorHasTheRightLength) {
  EXPECT_EQ(in_body("com: [1, 2]"), body + ": com has 2 entries. It needs 3, e.g. [0, 0, 0.2].  [vector-length]");
  EXPECT_EQ(in_body("com: [0, x, 1]"),
            body + ": com #2: \"x\" is not a number. Write e.g. 0.5 or 1e-3.  [number-invalid]");
  EXPECT_EQ(in_joint("limits: [1]"), joint +
                                         ": limits has 1 entry. It needs a lower and an upper bound, e.g. "
                                         "[-1.5, 1.5]; write none where there is no bound.  [vector-length]");
  EXPECT_EQ(error_in("gears: {g: {ratio: [[1, 2], [3]]}}"),
            "arm.yaml:2: gear \"g\": ratio #2 has 1 entry. It needs 2, e.g. [[1, 0], [0.5, 1]].  [vector-length]");
}

TEST(YamlNumbers, AValueHasTheRightType) {
  EXPECT_EQ(in_body("mass: [1]"), body + ": mass is a list. A number is needed, e.g. 0.5.  [value-type]");
  EXPECT_EQ(in_body("mass: {a: 1}"), body + ": mass is a mapping. A number is needed, e.g. 0.5.  [value-type]");
  EXPECT_EQ(in_body("com: 3"), body + ": com is \"3\". A list of 3 numbers is needed, e.g. [0, 0, 0.2].  [value-type]");
  EXPECT_EQ(in_body("inertia: [1, 1, 1]"),
            body + ": inertia is a list. A mapping is needed, e.g. {xx: 0.1, yy: 0.1, zz: 0.1}.  [value-type]");
  EXPECT_EQ(error_in("bodies: {upper: 5}"),
            body + " is \"5\". A mapping from names to properties is needed.  [value-type]");
  EXPECT_EQ(error_in("bodies: [a]"),
            "arm.yaml:2: bodies is a list. A mapping from names to properties is needed.  [value-type]");
  EXPECT_EQ(in_joint("actuated: yes"), joint + ": actuated is \"yes\". Allowed: true, false.  [value-type]");
  EXPECT_EQ(error_in("beams: {b: {segments: 4.5}}"),
            "arm.yaml:2: beam \"b\": segments is \"4.5\". A whole number is needed, e.g. 4.  [number-invalid]");
  EXPECT_EQ(error_in("name: [a]"), "arm.yaml:2: name is a list. A text is needed.  [value-type]");
  EXPECT_EQ(error_in("environment: {gravity: 9.81}"),
            "arm.yaml:2: environment.gravity is \"9.81\". Gravity is a list of three numbers, e.g. [0, 0, "
            "-9.81], or {central: "
            "{center: [0, 0, 0], mu: 3.986e14}}.  [value-type]");
  EXPECT_THAT(error_in("environment: {gravity: {}}"), HasSubstr("environment.gravity: central is missing."));
  EXPECT_EQ(error_in("gears: {g: {ratio: [1, 2]}}"),
            "arm.yaml:2: gear \"g\": ratio #1 is \"1\". A matrix is a list of rows, e.g. [[1, 0], [0.5, 1]]. "
            " [value-type]");
}

TEST(YamlNumbers, WhatBeginsLikeANumberInACustomPropertyIsOne) {
  EXPECT_EQ(error_in("custom: {c: {properties: {a: 1abc}}}"),
            "arm.yaml:2: custom \"c\": properties.a: \"1abc\" is not a number. Write e.g. 0.5 or 1e-3.  "
            "[number-invalid]");
  EXPECT_THAT(error_in("custom: {c: {properties: {a: 1 foo}}}"), HasSubstr("[unit-unknown]"));
  EXPECT_EQ(read("custom: {c: {properties: {a: \"1abc\"}}}").at<Custom>("c").properties[0].text, "1abc");
}

// ---- Structure ------------------------------------------------------------------------------------------

TEST(YamlStructure, AMisspeltKeyIsAnErrorWithASuggestion) {
  EXPECT_EQ(in_body("mas: 1"),
            body +
                ": key \"mas\" is not known here. Did you mean \"mass\"? Allowed: mass, com, inertia, "
                "density, internal_momentum, frames, shapes, constituents.  [key-unknown]");
  EXPECT_EQ(in_joint("type: fixed, damping: 1"),
            joint + ": key \"damping\" is not known here. Allowed: type, closes_loop, from, to.  [key-unknown]");
  EXPECT_THAT(error_in("joint: {a: }"), HasSubstr("key \"joint\" is not known here. Did you mean \"joints\"? "
                                                  "Allowed: articula, name, environment, world, "));
  EXPECT_THAT(in_body("inertia: {x: 1}"), HasSubstr("inertia: key \"x\" is not known here."));
  EXPECT_THAT(in_placement("{xzy: [0, 0, 1]}"), StartsWith(placement + ": key \"xzy\" is not known here."));
  EXPECT_THAT(error_in("environment: {gravty: [0, 0, 1]}"),
              StartsWith("arm.yaml:2: environment: key \"gravty\" is not known here. Did you mean \"gravity\"?"));
  EXPECT_EQ(error_in("world: {motion: fixed}"),
            "arm.yaml:2: world: key \"motion\" is not known here. Allowed: frames, constituents.  [key-unknown]");
}

TEST(YamlStructure, AnUnknownChoiceIsAnErrorWithASuggestion) {
  EXPECT_EQ(in_joint("type: revolut"),
            joint +
                ": type is \"revolut\". Did you mean \"revolute\"? Allowed: revolute, prismatic, helical, "
                "cylindrical, universal, spherical, planar, free, fixed.  [value-unknown]");
  EXPECT_EQ(error_in("entities: {a: {kind: boddy}}"),
            "arm.yaml:2: entity \"a\": kind is \"boddy\". Did you mean \"body\"? Allowed: reference_frame, "
            "body, displacement, joint, spring, damper, "
            "spring_damper_actuator, gear, rotor, drive, external_force, contact_point, rolling, "
            "connecting_rod, beam, custom.  [value-unknown]");
  EXPECT_THAT(error_in("entities: {a: {mass: 1}}"), HasSubstr("entity \"a\": kind is missing."));
  EXPECT_EQ(error_in("loops: {a: {closes_loop: false}}"),
            "arm.yaml:2: joint \"a\": closes_loop is false, but it stands under loops. Move it to joints.  "
            "[value-unknown]");
}

TEST(YamlStructure, ANameThatIsTakenIsAnErrorWithBothLines) {
  EXPECT_EQ(error_in("bodies:\n  a:\n  b:\n  a:"),
            "arm.yaml:5: key \"a\" stands twice in one mapping, first on line 3. Keys are unique; rename or "
            "remove one of them.  [key-duplicate]");
  EXPECT_EQ(error_in("bodies: {a: }\nentities: {a: {kind: body}}"),
            "arm.yaml:3: body \"a\": the name is taken by body \"a\" at arm.yaml:2. Names are unique; rename "
            "one of them.  [name-duplicate]");
  EXPECT_EQ(error_in("joints: {a: }\nloops: {a: }"),
            "arm.yaml:3: joint \"a\": the name is taken by joint \"a\" at arm.yaml:2. Names are unique; "
            "rename one of them.  [name-duplicate]");
  EXPECT_EQ(error_in("bodies: {world: {mass: 1}}"),
            "arm.yaml:2: body \"world\": the name is reserved. World is there without being written; its "
            "frames stand under the key world.  [name-reserved]");
}

TEST(YamlStructure, NamesHoldNoControlCharacters) {
  EXPECT_EQ(error_in("bodies: {\"a\\0\": }"),
            "arm.yaml:2: body: the name \"a\\x00\" holds a control character. Only tab and newline are "
            "allowed.  [name-invalid]");
  EXPECT_EQ(error_in("bodies: {\"\": }"),
            "arm.yaml:2: body: the name is empty. A name needs at least one character.  [name-invalid]");
  EXPECT_THAT(in_body("frames: {\"\\x1b\": }"), HasSubstr("[name-invalid]"));
  EXPECT_THAT(error_in("parts: {a/b: {}}"), HasSubstr("part \"a/b\": the name holds a slash."));
}

TEST(YamlStructure, AnAxisHasADirection) {
  EXPECT_EQ(in_joint("axis: [0, 0, 0]"),
            joint + ": axis is (0, 0, 0). An axis needs a direction; give e.g. (0, 0, 1).  [joint-axis-zero]");
  EXPECT_EQ(error_in("rolling: {w: {normal: [0, 0, 0]}}"),
            "arm.yaml:2: rolling \"w\": normal is (0, 0, 0). A direction has a length; give e.g. (0, 0, 1).  "
            "[direction-zero]");
  EXPECT_EQ(in_joint("axis: w"), joint +
                                     ": axis is \"w\". A direction is x, y, z, -x, -y, -z or three numbers, "
                                     "e.g. [0, 0, 1].  [direction-unknown]");
}

TEST(YamlStructure, OrientationsAreRotations) {
  EXPECT_EQ(in_placement("{quaternion: {x: 0, y: 0, z: 0, w: 1.1}}"),
            placement +
                ".quaternion is (0, 0, 0, 1.1) of length 1.1. Its length must be 1 within 1e-6; divide it by "
                "its length.  [quaternion-not-unit]");
  EXPECT_EQ(in_placement("{rotation: [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]}"),
            placement +
                ".rotation departs from a rotation by 0.1. Rows must be of unit length and at right angles "
                "within 1e-6.  [rotation-invalid]");
  EXPECT_EQ(in_placement("{rotation: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}"),
            placement +
                ".rotation is not a rotation but a reflection, or flat. Its determinant must be 1.  "
                "[rotation-invalid]");
  EXPECT_THAT(in_placement("{rotation: [[1, 0], [0, 1]]}"), HasSubstr("[vector-length]"));
  EXPECT_THAT(in_placement("{quaternion: {x: 0, y: 0, z: 1}}"), HasSubstr("x, y, z and w are all needed"));
  EXPECT_THAT(in_placement("{quaternion: {x: 1e308, y: 1e308, z: 1, w: 0}}"), HasSubstr("[quaternion-not-unit]"));
  EXPECT_THAT(in_placement("{euler: {sequence: zz, angles: [0, 0, 0]}}"),
              HasSubstr("It is three letters of x, y, z, neighbours different, e.g. zxz.  [value-unknown]"));
  EXPECT_THAT(in_placement("{euler: {sequence: zxz}}"), HasSubstr("sequence and angles are both needed"));
  EXPECT_THAT(in_placement("{axis_angle: {axis: z}}"), HasSubstr("axis and angle are both needed"));
  EXPECT_EQ(in_placement("{rpy: [0, 0, 0], rotation: 1}").substr(0, 90),
            (placement + ": rpy and rotation both say how it is placed. Keep one of them.").substr(0, 90));
  EXPECT_THAT(in_placement("{xyz: [0, 0, 0], dh: {}}"),
              HasSubstr("dh and xyz both say how it is placed. Keep one of them.  [placement-several]"));
  EXPECT_THAT(in_placement("5"),
              HasSubstr("A placement is a mapping, e.g. {xyz: [0, 0, 0.2], rpy: [0, 0, 90 deg]}.  [value-type]"));
}

TEST(YamlStructure, ShapesAreComplete) {
  EXPECT_THAT(in_body("shapes: [{}]"), HasSubstr("shapes #1 has 0 solids. It needs exactly one of box, "
                                                 "sphere, cylinder, capsule, mesh.  [shape-geometry]"));
  EXPECT_THAT(in_body("shapes: [{box: [1, 1, 1], sphere: 1}]"), HasSubstr("shapes #1 has 2 solids."));
  EXPECT_THAT(in_body("shapes: [{cylinder: {radius: 1}}]"),
              HasSubstr("shapes #1.cylinder: length is missing, e.g. {radius: 0.1, length: 0.5}.  [value-missing]"));
  EXPECT_THAT(in_body("shapes: {box: 1}"),
              HasSubstr("shapes is a mapping. Shapes are a list, e.g. [{box: [0.1, 0.1, 0.2]}].  [value-type]"));
}

TEST(YamlStructure, AnAttachmentNamesOnePlace) {
  const std::string write = "Write a name, {name: frame} or {name: {xyz: [0, 0, 0.2]}}.  [attachment-invalid]";
  EXPECT_EQ(in_joint("from: [a]"), joint + ": from is a list. " + write);
  EXPECT_EQ(in_joint("from: "), joint + ": from is empty. " + write);
  EXPECT_EQ(in_joint("from: {a: }"), joint + ": from.a is empty. " + write);
  EXPECT_EQ(in_joint("from: {a: b, c: d}"), joint + ": from names 2 entities. It is attached to one. " + write);
  EXPECT_EQ(error_in("drives: {d: {joint: {a: {xyz: [0, 0, 1]}}}}"),
            "arm.yaml:2: drive \"d\": joint: a shaft cannot be attached at a place. Name a shaft, e.g. "
            "joint: elbow.  [attachment-invalid]");
  EXPECT_EQ(error_in("connections: [[{a: {xyz: [0, 0, 0]}}]]"),
            "arm.yaml:2: connections #1 #1: a place on \"a\" has no name yet. Give it one under frames of "
            "\"a\", and write that.  [attachment-invalid]");
}

TEST(YamlStructure, APlaceLiesOnABodyThatIsThere) {
  EXPECT_EQ(error_in("bodies: {upper: }\njoints: {elbow: {from: {uper: {}}}}"),
            "arm.yaml:3: joint \"elbow\": from: body \"uper\" not found. Did you mean \"upper\"? Bodies: "
            "world, upper.  [no-such-body]");
}

TEST(YamlStructure, APlaceHasItsNameForItself) {
  const std::string two =
      "\"a\" has two frames \"j.from\". A place is called after the entity and port attached there; rename "
      "that entity, or the other frame.  [frame-duplicate]";
  EXPECT_EQ(error_in("bodies: {a: {frames: {j.from: }}}\njoints: {j: {from: {a: {}}}}"), "arm.yaml:3: " + two);
  EXPECT_EQ(error_in("bodies: {a: }\njoints: {j: {from: {a: {}}}}\nrods: {j: {from: {a: {}}}}"), "arm.yaml:4: " + two);
}

TEST(YamlStructure, APartDoesNotMentionWorld) {
  EXPECT_EQ(error_in("parts: {arm: {joints: {j: {from: {world: {}}}}}}"),
            "arm.yaml:2: joint \"j\": from: World is outside of every part. Attach the part from outside.  "
            "[part-mentions-world]");
}

TEST(YamlStructure, PartsDoNotNestWithoutEnd) {
  const auto nested = [](int deep) {
    std::string text;
    for (int k = 0; k < deep; ++k)
      text += std::string(static_cast<std::size_t>(2 * k), ' ') + "parts:\n" +
              std::string(static_cast<std::size_t>(2 * k + 1), ' ') + "p:\n";
    return text;
  };
  EXPECT_EQ(error_in(nested(64)), "no error");
  EXPECT_EQ(error_in(nested(65)),
            "arm.yaml:131: part \"p\" is more than 64 parts deep. Flatten some of them.  [parts-too-deep]");
}

TEST(YamlStructure, AllErrorsComeInOneGo) {
  const std::string all = error_in(
      "bodies:\n  a: {mass: x, con: [0]}\n  b: {com: [1]}\njoints:\n  j: {type: hinge, axis: [0, 0, 0], "
      "from: {c: {}}}\nmodel: x");
  for (const char* code :
       {"number-invalid", "key-unknown", "vector-length", "value-unknown", "joint-axis-zero", "no-such-body"}) {
    EXPECT_THAT(all, HasSubstr(std::string("[") + code + "]")) << all;
  }
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 6);
}

TEST(YamlStructure, AnEnormousValueIsNotRepeatedInFull) {
  const std::string message = in_body("mass: " + std::string(500'000, 'x'));
  EXPECT_LT(message.size(), 2000u);
  EXPECT_THAT(message, testing::EndsWith("is not a number. Write e.g. 0.5 or 1e-3.  [number-invalid]"));
}

// ---- Text -----------------------------------------------------------------------------------------------

TEST(YamlText, BeginsWithItsVersion) {
  EXPECT_EQ(error_in_text("name: x"),
            "arm.yaml:1: the format version is missing. A model begins with `articula: 1`.  [format-version]");
  EXPECT_EQ(error_in_text("articula: 2"),
            "arm.yaml:1: articula is 2. This program reads format versions up to 1; get a newer one.  "
            "[format-version]");
  EXPECT_EQ(error_in_text("name: x\narticula: one"),
            "arm.yaml:2: articula is \"one\". It is the format version, a whole number: write `articula: 1`. "
            " [format-version]");
  EXPECT_THAT(error_in_text("articula: 0"), HasSubstr("[format-version]"));
  EXPECT_THAT(error_in_text("articula: [1]"), HasSubstr("articula is a list."));
}

TEST(YamlText, IsAMapping) {
  EXPECT_EQ(error_in_text("[a, b]"),
            "arm.yaml:1: the text is a list. A model is a mapping that begins with `articula: 1`.  [value-type]");
  EXPECT_EQ(error_in_text("hello"),
            "arm.yaml:1: the text is \"hello\". A model is a mapping that begins with `articula: 1`.  "
            "[value-type]");
  EXPECT_THAT(error_in_text("---"), HasSubstr("[format-version]"));
}

TEST(YamlText, EmptyTruncatedBinaryAndDeepTextsAreRefused) {
  EXPECT_THAT(error_in_text(""), HasSubstr("[text-empty]"));
  EXPECT_THAT(error_in_text("articula: 1\nbodies: {a: {mass: 1"),
              StartsWith("arm.yaml:2: the text is not YAML: did not find expected ',' or '}'"));
  EXPECT_THAT(error_in_text(std::string("articula: 1\n\0", 13)), HasSubstr("[text-binary]"));
  EXPECT_THAT(error_in_text("articula: 1\nx: " + std::string(200'000, '[')), HasSubstr("[text-too-deep]"));
}

TEST(YamlText, MarksAndLineEndsOfOtherSystemsAreTaken) {
  Findings findings;
  const Model m = read_yaml(
      "\xef\xbb\xbf"
      "articula: 1\r\nbodies:\r\n  größe: {mass: 1}\r\n",
      "arm.yaml", findings);
  EXPECT_EQ(m.at<RigidBody>("größe").mass, 1);
}

}  // namespace
}  // namespace articula::test
