#include <articula/formats/internal/urdf_input.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <articula/base/findings.h>
#include <articula/base/number.h>
#include <articula/base/text.h>
#include <articula/formats/internal/urdf_rpy.h>
#include <articula/model/model.h>

namespace articula::formats {

using Element = UrdfInput::Element;

static constexpr std::string_view blanks = " \t\r\n";
static constexpr std::size_t most_errors = 100;

std::string tag(std::string_view name) { return concat("<", name, ">"); }

// Reports ---------------------------------------------------------------------------------------------------

void UrdfInput::error(std::string code, Where where, std::string message) {
  errors_.push_back({Severity::error, std::move(code), where, std::move(message)});
  if (errors_.size() < most_errors) return;
  errors_.push_back({Severity::error, "too-many-errors", std::move(where),
                     concat("reading stops after ", most_errors, " errors. Mend these first.")});
  throw Error(errors_);
}

void UrdfInput::defect(std::string code, Where where, std::string message) {
  if (options_.strict) return error(std::move(code), std::move(where), std::move(message));
  add_finding(findings_, {Severity::warning, std::move(code), std::move(where), std::move(message)});
}

void UrdfInput::unexpressed(Where where, std::string message) {
  add_finding(findings_, {Severity::warning, "not-expressed", std::move(where), std::move(message)});
}

void UrdfInput::note(std::string code, Where where, std::string message) {
  add_finding(findings_, {Severity::note, std::move(code), std::move(where), std::move(message)});
}

std::string UrdfInput::suggestion(std::string_view word, std::span<const std::string> candidates) {
  if (suggestions_left_ <= 0) return "";
  --suggestions_left_;
  const auto guess = closest(word, candidates);
  return guess ? concat(" Did you mean ", quoted(*guess), "?") : "";
}

// Words -----------------------------------------------------------------------------------------------------

static bool holds(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

static std::vector<std::string> joined(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  std::vector<std::string> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

void UrdfInput::check_words(const Element& element, const std::string& subject, const UrdfVocabulary& words) {
  check_attributes(element, subject, words);
  std::array<const Element*, most_words> seen{};
  for (const auto* node = element.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (const Element* child = node->ToElement()) {
      check_element(*child, subject, words, seen);
    } else if (node->ToText() != nullptr &&
               std::string_view(node->Value()).find_first_not_of(blanks) != std::string_view::npos) {
      defect(
          "text-unexpected", {file_, node->GetLineNum()},
          concat(subject, ": ", tag(element.Name()), " holds text, which was ignored. Only elements may stand there."));
    }
  }
}

void UrdfInput::check_attributes(const Element& element, const std::string& subject, const UrdfVocabulary& words) {
  for (const auto* attribute = element.FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
    const std::string_view name = attribute->Name();
    if (holds(words.attributes, name) || name.starts_with("xmlns")) continue;
    Where place{file_, attribute->GetLineNum()};
    if (holds(words.unexpressed_attributes, name)) {
      unexpressed(std::move(place), concat(subject, ": the attribute ", name, " of ", tag(element.Name()),
                                           " cannot be expressed and was left out."));
    } else {
      defect("attribute-unknown", std::move(place),
             concat(subject, ": the attribute ", name, " of ", tag(element.Name()), " is not known and was ignored.",
                    suggestion(name, joined(words.attributes, words.unexpressed_attributes))));
    }
  }
}

/// `seen` has the first occurrence of each element that may occur once.
void UrdfInput::check_element(const Element& child, const std::string& subject, const UrdfVocabulary& words,
                              std::array<const Element*, most_words>& seen) {
  const std::string_view name = child.Name();
  if (holds(words.repeated, name)) return;
  const auto known = std::find(words.once.begin(), words.once.end(), name);
  if (known != words.once.end()) {
    const Element*& first = seen[static_cast<std::size_t>(known - words.once.begin())];
    if (first == nullptr) {
      first = &child;
      return;
    }
    return defect("element-duplicate", where(child),
                  concat(subject, ": ", tag(name), " stands here a second time, after line ", first->GetLineNum(),
                         ". Only the first counts; remove one."));
  }
  if (name.starts_with("xacro:")) {
    return error(
        "xacro-unexpanded", where(child),
        concat(subject, ": ", tag(name), " belongs to a xacro template. Expand it first: xacro FILE > robot.urdf."));
  }
  if (holds(words.unexpressed, name) || name == "gazebo" || name.find(':') != std::string_view::npos) {
    return unexpressed(where(child), concat(subject, ": ", tag(name), " cannot be expressed and was left out."));
  }
  defect("element-unknown", where(child),
         concat(subject, ": the element ", tag(name), " is not known and was ignored.",
                suggestion(name, joined(words.once, words.repeated))));
}

// Values ----------------------------------------------------------------------------------------------------

const Element* UrdfInput::required(const Element& parent, const char* name, const std::string& subject) {
  const Element* child = parent.FirstChildElement(name);
  if (child == nullptr) {
    error("element-missing", where(parent),
          concat(subject, ": ", tag(parent.Name()), " needs an element ", tag(name), "."));
  }
  return child;
}

std::string UrdfInput::text(const Element& element, const char* attribute, const std::string& subject) {
  if (const char* value = element.Attribute(attribute)) return value;
  error("attribute-missing", where(element),
        concat(subject, ": ", tag(element.Name()), " needs an attribute ", attribute, "."));
  return "";
}

std::string UrdfInput::name(const Element& element, const char* attribute, const std::string& subject) {
  if (element.Attribute(attribute) == nullptr) return text(element, attribute, subject);
  std::string value = element.Attribute(attribute);
  if (const std::string why = why_no_name(value); !why.empty()) {
    error("name-invalid", where(element), concat(subject, ": ", why, "."));
  }
  return value;
}

std::optional<double> UrdfInput::to_finite(std::string_view value, int line, const std::string& subject,
                                           std::string_view what, std::string_view attribute) {
  const std::size_t first = value.find_first_not_of(blanks);
  value = first == std::string_view::npos ? std::string_view()
                                          : value.substr(first, value.find_last_not_of(blanks) - first + 1);
  const auto number = base::to_number(value);
  if (!number) {
    error("number-invalid", {file_, line},
          concat(subject, ": ", what, attribute.empty() ? "" : " ", attribute, ": ", why_no_number(value), "."));
  }
  return number;
}

std::optional<double> UrdfInput::optional_number(const Element& element, const char* attribute,
                                                 const std::string& subject) {
  const auto* found = element.FindAttribute(attribute);
  if (found == nullptr) return std::nullopt;
  return to_finite(found->Value(), found->GetLineNum(), subject, element.Name(), attribute).value_or(0);
}

double UrdfInput::number(const Element& element, const char* attribute, const std::string& subject,
                         std::optional<double> otherwise) {
  if (const auto value = optional_number(element, attribute, subject)) return *value;
  if (!otherwise) text(element, attribute, subject);
  return otherwise.value_or(0);
}

bool UrdfInput::numbers(const Element& element, const char* attribute, const std::string& subject,
                        std::span<double> values) {
  const auto* found = element.FindAttribute(attribute);
  if (found == nullptr) return false;
  const std::string_view all = found->Value();
  std::size_t count = 0, at = all.find_first_not_of(blanks);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(all.find_first_of(blanks, at), all.size());
    if (count < values.size()) {
      const auto value = to_finite(all.substr(at, end - at), found->GetLineNum(), subject, element.Name(), attribute);
      if (!value) return true;
      values[count] = *value;
    }
    ++count;
    at = all.find_first_not_of(blanks, end);
  }
  if (count != values.size()) {
    error("vector-length", {file_, found->GetLineNum()},
          concat(subject, ": ", element.Name(), " ", attribute, " has ", count, count == 1 ? " number" : " numbers",
                 ". It needs ", values.size(), ", separated by blanks."));
  }
  return true;
}

Vec3<double> UrdfInput::vector(const Element& element, const char* attribute, const std::string& subject,
                               const Vec3<double>& otherwise) {
  std::array<double, 3> values{otherwise.x, otherwise.y, otherwise.z};
  numbers(element, attribute, subject, values);
  return {values[0], values[1], values[2]};
}

Pose<double> UrdfInput::origin(const Element& parent, const std::string& subject) {
  static const UrdfVocabulary words{.attributes = {"xyz", "rpy", "quat_xyzw"}};
  const Element* element = parent.FirstChildElement("origin");
  if (element == nullptr) return {};
  check_words(*element, subject, words);
  return {orientation(*element, subject), vector(*element, "xyz", subject, Vec3<double>::zero())};
}

Rotation<double> UrdfInput::orientation(const Element& origin, const std::string& subject) {
  std::array<double, 4> q{};
  if (numbers(origin, "quat_xyzw", subject, q)) {
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    if (!(std::abs(length - 1) <= 1e-6)) {
      error(
          "quaternion-not-unit", where(origin),
          concat(subject, ": origin quat_xyzw has the length ", length, ". A quaternion needs length 1 within 1e-6."));
      return {};
    }
    if (origin.Attribute("rpy") != nullptr) {
      defect("element-duplicate", where(origin),
             concat(subject, ": origin has quat_xyzw and rpy. Only quat_xyzw counts."));
    }
    return rotation_of(Quaternion<double>{q[0] / length, q[1] / length, q[2] / length, q[3] / length});
  }
  return rotation_from_urdf(vector(origin, "rpy", subject, Vec3<double>::zero()));
}

}  // namespace articula::formats
