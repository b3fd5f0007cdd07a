// Any text: it is refused with an Error, or it is a study whose overrides can be read again and tried on a model.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <articula/formats/yaml_reader.h>
#include <articula/study/overrides.h>
#include <articula/study/study_reader.h>

using namespace articula::study;

constexpr std::string_view arm = R"(articula: 1
bodies: {upper: {mass: 3}, elbow: {mass: 1}}
joints:
  shoulder: {type: revolute, axis: z, from: world, to: upper}
  elbow: {type: prismatic, axis: x, from: upper, to: elbow, damping: 0.1}
springs: {return: {stiffness: 100, from: world, to: upper}}
)";

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Findings findings;
  Study study;
  try {
    study = read_study({reinterpret_cast<const char*>(data), size}, "", findings);
  } catch (const Error&) {
    return 0;
  }
  static const Model model = read_yaml(arm, "", findings);
  Model changed = model;
  try {
    apply_overrides(study.overrides, changed);
  } catch (const Error& error) {
    // A value that was read once is YAML.
    for (const Finding& finding : error.errors()) {
      if (finding.code == "yaml-syntax") std::abort();
    }
  }
  return 0;
}
