#pragma once

#include <string>

#include <articula/base/error.h>
#include <articula/base/export.h>

namespace articula {

/// A value in a study that is understood only later, when the model is at hand: YAML in flow style, such as `0.7 kg`
/// or `{joint1: 90 deg}`, and where it stands. Its line breaks are those of the study, so that lines in messages are
/// right.
struct Passage {
  std::string text;
  Where where;

  bool empty() const { return text.empty(); }
  friend bool operator==(const Passage& a, const Passage& b) { return a.text == b.text; }
};

}  // namespace articula
