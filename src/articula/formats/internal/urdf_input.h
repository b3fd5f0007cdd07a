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

/// Limit on the elements that may occur only once in an element.
inline constexpr std::size_t most_words = 16;
struct UrdfVocabulary {
  std::vector<std::string_view> attributes;
  std::vector<std::string_view> once;                                 ///< elements that may occur once
  std::vector<std::string_view> repeated;                             ///< elements that may occur any number of times
  std::vector<std::string_view> unexpressed_attributes, unexpressed;  ///< known, but not part of a model
};

/// Reads attributes and reports errors. `subject` is the subject of messages: `joint "elbow"`.
///
/// Errors are collected separately from other findings. After an error, reading continues with a default value, so that
/// all errors are reported together.
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
  /// A defect of a file that can still be read: a warning, or an error in strict reading.
  void defect(std::string code, Where where, std::string message);
  /// A note about a feature that a model does not have.
  void unexpressed(Where where, std::string message);
  void note(std::string code, Where where, std::string message);

  void throw_if_errors() const { base::throw_if_errors(errors_); }

  /// Reports every attribute, element and text in `element` that is not in the vocabulary.
  void check_words(const Element& element, const std::string& subject, const UrdfVocabulary& words);

  /// ` Did you mean "upper"?`, or nothing. Since it is expensive, the number of suggestions is bounded.
  std::string suggestion(std::string_view word, std::span<const std::string> candidates);

  /// The child element with the name `name`; an error if there is none.
  const Element* required(const Element& parent, const char* name, const std::string& subject);

  /// The text of an attribute; an error if it is missing.
  std::string text(const Element& element, const char* attribute, const std::string& subject);
  /// The same for a valid name.
  std::string name(const Element& element, const char* attribute, const std::string& subject);

  /// The number in an attribute; if the attribute is missing, `otherwise`, or an error if there is no `otherwise`.
  double number(const Element& element, const char* attribute, const std::string& subject,
                std::optional<double> otherwise = std::nullopt);
  std::optional<double> optional_number(const Element& element, const char* attribute, const std::string& subject);

  /// The finite number in `text`, which must contain nothing else. `what`, its attribute and the line are for messages.
  std::optional<double> to_finite(std::string_view text, int line, const std::string& subject, std::string_view what,
                                  std::string_view attribute = "");

  /// `values.size()` numbers, separated by blanks. False if the attribute is missing.
  bool numbers(const Element& element, const char* attribute, const std::string& subject, std::span<double> values);
  Vec3<double> vector(const Element& element, const char* attribute, const std::string& subject,
                      const Vec3<double>& otherwise);

  /// The pose in <origin xyz rpy> of `parent`; the identity if there is none.
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

/// The tag of an element for messages: "<inertial>".
std::string tag(std::string_view name);

}  // namespace articula::formats
