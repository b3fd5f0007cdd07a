#include <articula/text/internal/yaml_text.h>

#include <algorithm>

#include <articula/base/text.h>

namespace articula::text {
namespace {

constexpr std::string_view utf8_mark = "\xef\xbb\xbf", utf16_little = "\xff\xfe", utf16_big = "\xfe\xff";
constexpr std::size_t longest_text = std::size_t{1} << 30;

int line_of(std::string_view text, std::size_t place) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

bool is_stray_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
}

/// The end of well-formed UTF-8, by bisection over lines; only used to report an error.
std::size_t first_bad_byte(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (!is_utf8(text.substr(begin, end - begin))) return begin;
    begin = end + 1;
  }
  return text.size();
}

void check_characters(std::string_view text, const std::string& file, YamlLog& log) {
  if (text.starts_with(utf16_little) || text.starts_with(utf16_big)) {
    log.fail("text-encoding", {file, 1}, "the text is UTF-16. Only UTF-8 is read; save the file as UTF-8.");
  }
  const auto control = std::find_if(text.begin(), text.end(), is_stray_control);
  if (control != text.end()) {
    const auto place = static_cast<std::size_t>(control - text.begin());
    log.fail("text-binary", {file, line_of(text, place)},
             concat("the text holds the control character ", quoted(text.substr(place, 1)),
                    ". A model is plain text; in names, write such characters as escapes in double quotes."));
  }
  if (!is_utf8(text)) {
    log.fail("text-encoding", {file, line_of(text, first_bad_byte(text))},
             "the line is not UTF-8. Only UTF-8 is read; save the file as UTF-8.");
  }
}

/// The length of the YAML line break at `i`; 0 if there is none.
std::size_t break_at(std::string_view text, std::size_t i) {
  const std::string_view rest = text.substr(i);
  if (rest.starts_with("\r\n") || rest.starts_with("\xc2\x85")) return 2;
  if (rest.starts_with("\n") || rest.starts_with("\r")) return 1;
  return rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9") ? 3 : 0;
}

/// Few characters begin a line break, so that most are skipped quickly.
std::size_t line_end(std::string_view text, std::size_t begin) {
  while (true) {
    while (begin < text.size() && text[begin] != '\n' && text[begin] != '\r' && text[begin] != '\xc2' &&
           text[begin] != '\xe2')
      ++begin;
    if (begin >= text.size() || break_at(text, begin) > 0) return begin;
    ++begin;
  }
}

bool is_marker(std::string_view line, std::string_view marker) {
  return line.starts_with(marker) &&
         (line.size() == marker.size() || line[marker.size()] == ' ' || line[marker.size()] == '\t');
}

bool is_blank(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos || line[first] == '#';
}

/// Scans lines for the end of the first document.
class DocumentFinder {
 public:
  DocumentFinder(const std::string& file, YamlLog& log) : file_(file), log_(log) {}

  std::string_view document(std::string_view text) {
    std::size_t begin = 0, end = text.size();
    while (begin < text.size() && !ended_) {
      const std::size_t stop = line_end(text, begin);
      ++line_;
      take(text.substr(begin, stop - begin));
      if (ended_) end = begin;
      begin = stop < text.size() ? stop + break_at(text, stop) : stop;
    }
    check_rest(text.substr(begin));
    if (!content_) fail_empty(file_, log_);
    return text.substr(0, end);
  }

 private:
  void take(std::string_view line) {
    if (is_marker(line, "---")) {
      if (content_) several();
      content_ = true;
    } else if (is_marker(line, "...")) {
      ended_ = true;
    } else if (!content_ && line.starts_with('%')) {
      if (!line.starts_with("%YAML")) {
        log_.fail("yaml-directive", {file_, line_},
                  concat("directive ", quoted(line.substr(0, 40)), " is not read. Only %YAML is; take it out."));
      }
    } else if (!is_blank(line)) {
      content_ = true;
    }
  }

  void check_rest(std::string_view rest) {
    while (!rest.empty()) {
      ++line_;
      const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
      if (!is_blank(rest.substr(0, end)) && !is_marker(rest.substr(0, end), "...")) several();
      rest.remove_prefix(end);
      if (!rest.empty()) rest.remove_prefix(break_at(rest, 0));
    }
  }

  [[noreturn]] void several() {
    log_.fail("yaml-documents", {file_, line_},
              "a second document begins. A file holds one model; put the others into files of their own.");
  }

  const std::string& file_;
  YamlLog& log_;
  int line_ = 0;
  bool content_ = false;  ///< the current line belongs to the document
  bool ended_ = false;
};

}  // namespace

void fail_empty(const std::string& file_name, YamlLog& log) {
  log.fail("text-empty", {file_name, 0}, "the text is empty. A model begins with `articula: 1`.");
}

std::string_view only_document(std::string_view text, const std::string& file_name, YamlLog& log) {
  if (text.size() > longest_text) {
    log.fail("text-too-long", {file_name, 0},
             concat("the text has ", text.size(), " bytes. Up to ", longest_text, " are read."));
  }
  if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
  check_characters(text, file_name, log);
  return DocumentFinder(file_name, log).document(text);
}

}  // namespace articula::text
