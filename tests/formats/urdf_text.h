// Short ways to write URDF texts and to see what becomes of them, for the tests of URDF.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <articula/formats/urdf_reader.h>

#include "support/names.h"

namespace articula::test::testing_urdf {

/// A robot "arm" whose first line of content is line 2 of "arm.urdf".
inline std::string robot(std::string_view content) {
  return "<robot name=\"arm\">\n" + std::string(content) + "\n</robot>\n";
}

/// A robot of two links; `joint` stands inside <joint name="elbow" type="revolute"> and begins in line 6.
inline std::string elbow(std::string_view joint, std::string_view type = "revolute", std::string_view rest = "") {
  return robot("<link name=\"upper\"/>\n<link name=\"fore\"/>\n<joint name=\"elbow\" type=\"" + std::string(type) +
               "\">\n<parent link=\"upper\"/><child link=\"fore\"/>\n" + std::string(joint) + "\n</joint>\n" +
               std::string(rest));
}

inline constexpr std::string_view some_limit = R"(<limit lower="-1" upper="1" effort="10" velocity="2"/>)";

/// With a drive called "motor" in line 8.
inline std::string with_transmission(std::string_view content) {
  return elbow(some_limit, "revolute", "<transmission name=\"motor\">" + std::string(content) + "</transmission>");
}

/// An open four-bar; `rest`, which may close it, begins in line 6.
inline std::string four_bar(std::string_view rest) {
  return robot(
      "<link name=\"base\"/><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>\n<joint name=\"ja\" "
      "type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/><axis xyz=\"0 0 1\"/></joint>\n<joint "
      "name=\"jb\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/><origin "
      "xyz=\"1 0 0\"/></joint>\n<joint name=\"jc\" type=\"continuous\"><parent link=\"base\"/><child "
      "link=\"c\"/><axis xyz=\"0 0 1\"/><origin xyz=\"0 1 0\"/></joint>\n" +
      std::string(rest));
}

inline Model read(const std::string& text, const ReadOptions& options = {}) {
  Findings findings;
  return read_urdf(text, "arm.urdf", findings, options);
}

/// The findings in a text that can be read, one line each, with severity.
inline std::vector<std::string> findings_in(const std::string& text, const ReadOptions& options = {}) {
  Findings findings;
  read_urdf(text, "arm.urdf", findings, options);
  std::vector<std::string> lines;
  for (const Finding& finding : findings)
    lines.push_back(std::string(to_text(finding.severity)) + ": " + to_text(finding));
  return lines;
}

/// The error of a text that cannot be read; "no error" otherwise.
inline std::string error_in(const std::string& text, const ReadOptions& options = {}) {
  Findings findings;
  try {
    read_urdf(text, "arm.urdf", findings, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace articula::test::testing_urdf
