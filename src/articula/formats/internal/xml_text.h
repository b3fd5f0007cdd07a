#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <tinyxml2.h>

#include <articula/base/error.h>

namespace articula::formats {

/// Throws an Error if `text` is not UTF-8 text that is safe to pass to an XML parser.
///
/// Refused are: control characters, document types and entity definitions (so that nothing is fetched or expanded),
/// entities other than the five of XML, references to invalid characters, unclosed elements, and more nesting or
/// attributes than a robot description needs. One pass, O(n).
void check_xml(std::string_view text, const std::string& file);

/// A checked and parsed XML document with exactly one root. Lines are counted from one.
class XmlText {
 public:
  /// Throws an Error with file and line if the text is not such a document.
  XmlText(std::string_view text, const std::string& file);

  const tinyxml2::XMLElement& root() const { return *document_->RootElement(); }

 private:
  std::unique_ptr<tinyxml2::XMLDocument> document_;
};

/// `text` for an XML attribute or element: the five special characters, tabs and line breaks become references.
/// Characters that XML cannot contain (other control characters, invalid UTF-8) become U+FFFD.
std::string xml_escaped(std::string_view text);

/// Whether `text` contains only characters that `xml_escaped` preserves.
bool xml_can_hold(std::string_view text);

}  // namespace articula::formats
