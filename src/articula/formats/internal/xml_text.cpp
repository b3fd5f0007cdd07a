#include <articula/formats/internal/xml_text.h>

#include <articula/base/text.h>

namespace articula::formats {

using tinyxml2::XMLDocument;

static constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

static bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

/// The parser's error, for users.
static std::string explanation(const XMLDocument& document) {
  const std::string_view said = document.ErrorStr() == nullptr ? "" : document.ErrorStr();
  constexpr std::string_view label = "XMLElement name=";
  const std::size_t at = said.find(label);
  const std::string element =
      at == std::string_view::npos ? "an element" : concat("the element <", said.substr(at + label.size()), ">");
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT: return concat(element, " is closed by another name, or not at all.");
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return concat(element, " has an attribute that is not written name=\"value\", or has one twice.");
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "a declaration <?...?> stands here. It may only stand at the beginning.";
    default: return concat(element, " is not well-formed XML here.");
  }
}

XmlText::XmlText(std::string_view text, const std::string& file) : document_(std::make_unique<XMLDocument>()) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (is_blank(text)) throw Error("text-empty", {file, 0}, "the text is empty.");
  check_xml(text, file);
  const tinyxml2::XMLError result = document_->Parse(text.data(), text.size());
  if (result == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) {
    throw Error("text-too-deep", {file, document_->ErrorLineNum()}, "elements are nested too deep.");
  }
  if (result != tinyxml2::XML_SUCCESS) {
    throw Error("xml-invalid", {file, document_->ErrorLineNum()}, explanation(*document_));
  }
  const tinyxml2::XMLElement* root = document_->RootElement();
  if (root == nullptr) throw Error("xml-invalid", {file, 0}, "there is no element.");
  for (const tinyxml2::XMLNode* node = document_->FirstChild(); node != nullptr; node = node->NextSibling()) {
    const bool stray_text = node->ToText() != nullptr && !is_blank(node->Value());
    if (stray_text || (node->ToElement() != nullptr && node != root)) {
      throw Error("xml-invalid", {file, node->GetLineNum()},
                  concat("there is ", stray_text ? "text" : "a second element", " beside <", root->Name(),
                         ">. A document has one element at its root."));
    }
  }
}

static bool xml_knows(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte != 0x7f) || c == '\t' || c == '\n' || c == '\r';
}

bool xml_can_hold(std::string_view text) {
  for (const char c : text) {
    if (!xml_knows(c)) return false;
  }
  return is_utf8(text);
}

std::string xml_escaped(std::string_view text) {
  const bool utf8 = is_utf8(text);
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (!xml_knows(c) || (!utf8 && static_cast<unsigned char>(c) >= 0x80)) {
      escaped += "\xef\xbf\xbd";
      continue;
    }
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&apos;"; break;
      case '\t': escaped += "&#9;"; break;
      case '\n': escaped += "&#10;"; break;
      case '\r': escaped += "&#13;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

}  // namespace articula::formats
