#include <articula/study/bounds.h>

#include <articula/base/number.h>
#include <articula/base/text.h>

namespace articula::study {

std::vector<NamedText> to_options(const StudyBounds& bounds) {
  return {{"untrusted_root", bounds.root.string()},
          {"most_rows", concat(bounds.rows)},
          {"most_numbers", concat(bounds.numbers)},
          {"most_seconds", concat(bounds.seconds)},
          {"most_memory", concat(bounds.memory)}};
}

std::optional<StudyBounds> bounds_of(const RunOrigin& origin) {
  std::optional<StudyBounds> bounds;
  const auto read = [&](const NamedText& option, const char* name, auto& value) {
    if (option.name != name) return;
    if (const auto number = to_number(option.value)) value = static_cast<std::decay_t<decltype(value)>>(*number);
  };
  for (const NamedText& option : origin.options) {
    if (option.name == "untrusted_root") bounds.emplace().root = option.value;
  }
  for (const NamedText& option : origin.options) {
    if (!bounds) break;
    read(option, "most_rows", bounds->rows);
    read(option, "most_numbers", bounds->numbers);
    read(option, "most_seconds", bounds->seconds);
    read(option, "most_memory", bounds->memory);
  }
  return bounds;
}

}  // namespace articula::study
