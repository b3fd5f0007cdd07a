#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <articula/base/error.h>
#include <articula/base/export.h>

namespace articula::text {
class YamlTree;
}

namespace articula::study {

/// A value in a study that is understood only later, when the model is at hand: a node in the tree of the study, or, of
/// a value that is made, its text, such as `0.7 kg` or `{joint1: 90 deg}` in YAML.
struct Passage {
  std::string text;  ///< of a node: what stands there, for messages
  Where where;
  std::shared_ptr<const YamlTree> tree = nullptr;  ///< none: the text is read
  std::uint32_t node = 0;                          ///< its place there

  bool empty() const { return text.empty(); }
};

}  // namespace articula::study
