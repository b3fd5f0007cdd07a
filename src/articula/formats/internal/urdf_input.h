#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tinyxml2.h>

#include <articula/base/error.h>
#include <articula/formats/options.h>
#include <articula/spatial/pose.h>

namespace articula::formats {

/// The words that may stand in an element; at most so many once.
inline constexpr std::size_t most_words = 16;
struct UrdfVocabulary {
  std::vector<std::string_view> attributes;
  std::vector<std::string_view> once;      ///< elements that may stand in it once
  std::vector<std::string_view> repeated;  ///< elements that may stand in it any number of times
  std::vector<std::string_view> unexpressed_attributes, unexpressed;  ///< known, but beyond a model
};

/// Reads attributes and reports errors. `subject` is the subject of messages: `joint "elbow"`.
///
/// Errors are collected separately from other findings; after one, reading continues with a default value, so that all
/// are found together.
class UrdfInput {
 public:
  using Element = tinyxml2::XMLElement;

  UrdfInput(const std::string& file, Findings& findings, const ReadOptions& options)
      : file_(file), findings_(findings), options_(options) {}

  const ReadOptions& options() const { return options_; }
  const std::string& file() const { return file_; }
  Where where(const Element& element) const { return {file_, element.GetLineNum()}; }

  /// Throws all errors so far if there are too many.
  void error(std::string code, Where where, std::string message);
  /// Something is wrong with the file, but it can be read: a warning, or an error when reading strictly.
  void defect(std::string code, Where where, std::string message);
  /// A note about something that a model cannot contain.
  void unexpressed(Where where, std::string message);
  void note(std::string code, Where where, std::string message);

  void throw_if_errors() const { base::throw_if_errors(errors_); }

  /// Reports every attribute, element and text in `element` that is not in the vocabulary.
  void check_words(const Element& element, const std::string& subject, const UrdfVocabulary& words);

  /// ` Did you mean "upper"?`, or nothing. Since it is expensive, the number of suggestions is bounded.
  std::string suggestion(std::string_view word, std::span<const std::string> candidates);

  /// The element called `name` in `parent`; an error if there is none.
  const Element* required(const Element& parent, const char* name, const std::string& subject);

  /// The text of an attribute; an error if there is none.
  std::string text(const Element& element, const char* attribute, const std::string& subject);
  /// Likewise, for a name: a text that may be one.
  std::string name(const Element& element, const char* attribute, const std::string& subject);

  /// The number an attribute says; `otherwise` if it is not there, or an error if there is no `otherwise`
  /// either.
  double number(const Element& element, const char* attribute, const std::string& subject,
                std::optional<double> otherwise = std::nullopt);
  std::optional<double> optional_number(const Element& element, const char* attribute, const std::string& subject);

  /// The finite number that the whole of `text` says. It belongs to `what`, or to its attribute, on that
  /// line.
  std::optional<double> to_finite(std::string_view text, int line, const std::string& subject, std::string_view what,
                                  std::string_view attribute = "");

  /// As many numbers as `values` has room for, separated by blanks. False if the attribute is not there.
  bool numbers(const Element& element, const char* attribute, const std::string& subject, std::span<double> values);
  Vec3<double> vector(const Element& element, const char* attribute, const std::string& subject,
                      const Vec3<double>& otherwise);

  /// What <origin xyz rpy> in `parent` says; the identity if there is none.
  Pose<double> origin(const Element& parent, const std::string& subject);

 private:
  void check_attributes(const Element& element, const std::string& subject, const UrdfVocabulary& words);
  void check_element(const Element& child, const std::string& subject, const UrdfVocabulary& words,
                     std::array<const Element*, most_words>& seen);
  Rotation<double> orientation(const Element& origin, const std::string& subject);

  const std::string& file_;
  Findings& findings_;
  const ReadOptions& options_;
  Findings errors_;
  int suggestions_left_ = 100;
};

/// The word after "<" of an element, as messages write it: "<inertial>".
std::string tag(std::string_view name);

}  // namespace articula::formats
