#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <tinyxml2.h>

#include <articula/base/error.h>

namespace articula::formats {

/// Throws an Error when `text` is not UTF-8 text that an XML parser may safely be given.
///
/// Refused are: control characters, a document type or entity definitions (so nothing is ever fetched or
/// expanded), entities other than XML's own five, character references to what is no character, elements that
/// are not closed, and nesting or numbers of attributes far beyond what a description has. One pass, O(n).
void check_xml(std::string_view text, const std::string& file);

/// A checked and parsed XML document with exactly one root. Lines are counted from one.
class XmlText {
 public:
  /// Throws an Error that names the file and line when the text is no such document.
  XmlText(std::string_view text, const std::string& file);

  const tinyxml2::XMLElement& root() const { return *document_->RootElement(); }

 private:
  std::unique_ptr<tinyxml2::XMLDocument> document_;
};

/// `text` as it may stand in an XML attribute or element: the five special characters, tab and line breaks as
/// references. What XML cannot hold at all (other control characters, broken UTF-8) becomes U+FFFD.
std::string xml_escaped(std::string_view text);

/// Whether `xml_escaped` keeps `text` as it is.
bool xml_can_hold(std::string_view text);

}  // namespace articula::formats
