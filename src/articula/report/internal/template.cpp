#include <articula/report/internal/template.h>

#include <stdexcept>
#include <vector>

#include <articula/base/text.h>
#include <articula/report/internal/html.h>

namespace articula::report {
namespace {

using nlohmann::json;

struct Tag {
  std::size_t begin = 0, end = 0;  ///< of the whole tag, including the line break after the tag of a section
  char mark = 0;                   ///< `#`, `^`, `/`, `{`, or 0
  std::string_view name;
};

/// The first tag in `text` after `start`; begin is npos if there is none.
Tag find_tag(std::string_view text, std::size_t start) {
  const std::size_t open = text.find("{{", start);
  if (open == std::string_view::npos) return {.begin = open};
  Tag tag{.begin = open};
  std::size_t name = open + 2;
  if (name < text.size() && std::string_view("#^/{").find(text[name]) != std::string_view::npos)
    tag.mark = text[name++];
  const std::string_view closing = tag.mark == '{' ? "}}}" : "}}";
  const std::size_t close = text.find(closing, name);
  if (close == std::string_view::npos) throw std::logic_error("a tag of the template is not closed");
  tag.name = text.substr(name, close - name);
  tag.end = close + closing.size();
  const bool is_section = tag.mark != 0 && tag.mark != '{';
  if (is_section && tag.end < text.size() && text[tag.end] == '\n') ++tag.end;
  return tag;
}

/// The end tag of the section that starts at `begin`.
Tag find_end(std::string_view text, const Tag& begin) {
  int depth = 1;
  for (Tag tag = find_tag(text, begin.end); tag.begin != std::string_view::npos; tag = find_tag(text, tag.end)) {
    if (tag.name != begin.name) continue;
    if (tag.mark == '#' || tag.mark == '^') ++depth;
    if (tag.mark == '/' && --depth == 0) return tag;
  }
  throw std::logic_error(concat("the section ", begin.name, " of the template does not end"));
}

class Filling {
 public:
  std::string out;

  void fill(std::string_view text, const json& values) {
    scopes_.push_back(&values);
    std::size_t at = 0;
    for (Tag tag = find_tag(text, at); tag.begin != std::string_view::npos; tag = find_tag(text, at)) {
      out += text.substr(at, tag.begin - at);
      at = tag.end;
      const json& value = look_up(tag.name);
      if (tag.mark == '#' || tag.mark == '^') {
        const Tag end = find_end(text, tag);
        section(text.substr(at, end.begin - at), value, tag.mark == '#');
        at = end.end;
      } else {
        const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
        out += tag.mark == '{' ? shown : html_name(shown);
      }
    }
    out += text.substr(at);
    scopes_.pop_back();
  }

 private:
  static bool is_nothing(const json& value) {
    return value.is_null() || value == false || value == "" || (value.is_array() && value.empty());
  }

  void section(std::string_view text, const json& value, bool if_there) {
    if (is_nothing(value) == if_there) return;
    if (!value.is_array() || !if_there) return fill(text, value);
    for (const json& one : value) fill(text, one);
  }

  const json& look_up(std::string_view name) const {
    if (name == ".") return *scopes_.back();
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (!(*scope)->is_object()) continue;
      if (const auto found = (*scope)->find(name); found != (*scope)->end()) return *found;
    }
    throw std::logic_error(concat("the template has no value for ", name));
  }

  std::vector<const json*> scopes_;
};

}  // namespace

std::string filled(std::string_view page, const json& values) {
  Filling filling;
  filling.fill(page, values);
  return std::move(filling.out);
}

}  // namespace articula::report
