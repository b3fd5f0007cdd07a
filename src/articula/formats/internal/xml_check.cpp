#include <articula/formats/internal/xml_text.h>

#include <algorithm>
#include <vector>

#include <articula/base/text.h>

namespace articula::formats {
namespace {

constexpr std::size_t deepest_element = 64;  ///< levels of elements; a robot description has about six
constexpr int most_attributes = 256;         ///< of one element; parsers compare them pairwise
constexpr std::size_t longest_reference = 12;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
}

/// Whether the character is valid in XML 1.0.
bool is_character(long code) {
  return code == 0x9 || code == 0xa || code == 0xd || (code >= 0x20 && code <= 0xd7ff) ||
         (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

/// The number in `digits`; −1 if it is not a number. @pre at most `longest_reference` digits
long code_of(std::string_view digits, int base) {
  long code = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'                 ? c - '0'
                      : base == 16 && c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : base == 16 && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                           : -1;
    if (digit < 0) return -1;
    code = code * base + digit;
  }
  return digits.empty() ? -1 : code;
}

/// Whether `name`, the text between & and ;, is predefined in XML.
bool is_predefined(std::string_view name) {
  if (name.starts_with("#x")) return is_character(code_of(name.substr(2), 16));
  if (name.starts_with("#")) return is_character(code_of(name.substr(1), 10));
  return name == "lt" || name == "gt" || name == "amp" || name == "quot" || name == "apos";
}

/// The position of the first of these characters at or after `at`; the size if there is none. Much faster than
/// find_first_of, which searches for each character in turn.
template <char... wanted>
std::size_t find_one_of(std::string_view text, std::size_t at) {
  while (at < text.size() && !((text[at] == wanted) || ...)) ++at;
  return at;
}

/// Scans the markup without building a tree.
class Scan {
 public:
  Scan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    while (at_ < text_.size()) {
      if (text_[at_] == '<') {
        markup();
      } else if (text_[at_] == '&') {
        reference();
      } else {
        at_ = find_one_of<'<', '&'>(text_, at_);
      }
    }
    if (!open_.empty()) fail_unclosed(open_.back());
  }

  [[noreturn]] void fail(std::size_t place, std::string code, std::string message) const {
    const auto breaks = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(place), '\n');
    throw Error(std::move(code), {file_, 1 + static_cast<int>(breaks)}, std::move(message));
  }

 private:
  [[noreturn]] void fail_unclosed(std::size_t start) const {
    const std::size_t end = std::min({text_.find_first_of(" \t\r\n/>", start + 2), start + 40, text_.size()});
    const std::string_view name = text_.substr(start, end - start);
    fail(start, "text-truncated",
         concat("the text ends before ", quoted(name), ", which begins here, is closed. The file may be truncated."));
  }

  /// Skips past the `end` of a construct whose beginning has `beginning` characters.
  void skip_past(std::string_view end, std::size_t beginning) {
    const std::size_t found = text_.find(end, at_ + beginning);
    if (found == std::string_view::npos) fail_unclosed(at_);
    at_ = found + end.size();
  }

  void markup() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) {
      skip_past("-->", 4);
    } else if (rest.starts_with("<![CDATA[")) {
      skip_past("]]>", 9);
    } else if (rest.starts_with("<!")) {
      fail(at_, "xml-dtd",
           "a document type or entity definition stands here. They are not read, and nothing is fetched; "
           "remove it.");
    } else if (rest.starts_with("<?")) {
      skip_past("?>", 2);
    } else if (rest.starts_with("</")) {
      if (open_.empty()) fail(at_, "xml-invalid", "an element is closed that was not opened.");
      open_.pop_back();
      skip_past(">", 2);
    } else {
      element();
    }
  }

  /// Scans `<name a="1" b='2'>` or `<name/>`.
  void element() {
    const std::size_t start = at_++;
    int attributes = 0;
    while (true) {
      at_ = find_one_of<'"', '\'', '=', '>'>(text_, at_);
      if (at_ == text_.size()) fail_unclosed(start);
      const char c = text_[at_++];
      if (c == '>') break;
      if (c == '=') {
        if (++attributes > most_attributes) {
          fail(start, "xml-attributes", concat("an element has more than ", most_attributes, " attributes."));
        }
        continue;
      }
      quoted_value(c, start);
    }
    if (text_[at_ - 2] == '/') return;
    open_.push_back(start);
    if (open_.size() > deepest_element) {
      fail(start, "text-too-deep",
           concat("elements are nested more than ", deepest_element,
                  " deep. A robot's description needs about six levels."));
    }
  }

  /// Scans a quoted value to its closing quote, and checks its references.
  void quoted_value(char quote, std::size_t start) {
    while (true) {
      at_ = quote == '"' ? find_one_of<'"', '&'>(text_, at_) : find_one_of<'\'', '&'>(text_, at_);
      if (at_ == text_.size()) fail_unclosed(start);
      if (text_[at_] == quote) break;
      reference();
    }
    ++at_;
  }

  void reference() {
    const std::string_view near = text_.substr(at_ + 1, longest_reference);
    const std::size_t end = near.find(';');
    if (end == std::string_view::npos || !is_predefined(near.substr(0, end))) {
      fail(at_, "xml-entity",
           concat(quoted(text_.substr(at_, end == std::string_view::npos ? 1 : end + 2)),
                  " is not an entity of XML. Allowed: &lt; &gt; &amp; &quot; &apos; and references to "
                  "characters such as &#228;. Write &amp; for the sign & itself."));
    }
    at_ += end + 2;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;  ///< offsets of open elements
};

void check_characters(std::string_view text, const Scan& scan) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    scan.fail(0, "text-encoding", "the text is UTF-16. Only UTF-8 is read; save the file as UTF-8.");
  }
  const auto control = std::find_if(text.begin(), text.end(), is_control);
  if (control != text.end()) {
    const auto place = static_cast<std::size_t>(control - text.begin());
    scan.fail(place, "text-binary",
              concat("the text holds the control character ", quoted(text.substr(place, 1)),
                     ". Only tabs and line breaks are allowed; is this a binary file?"));
  }
  if (is_utf8(text)) return;
  std::size_t start = 0;
  while (true) {  // to the line of the first bad byte: no character spans a line break
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (!is_utf8(text.substr(start, end - start))) {
      scan.fail(start, "text-encoding", "the line is not UTF-8. Only UTF-8 is read; save the file as UTF-8.");
    }
    start = end + 1;
  }
}

}  // namespace

void check_xml(std::string_view text, const std::string& file) {
  Scan scan(text, file);
  check_characters(text, scan);
  scan.run();
}

}  // namespace articula::formats
