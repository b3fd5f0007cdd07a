/// Reads a file of states: JSON, event by event, so that memory is needed only for the numbers.

#include <algorithm>
#include <array>
#include <iterator>

#include <nlohmann/json.hpp>

#include <articula/base/number.h>
#include <articula/base/text.h>

#include "eval.h"

namespace articula::program {
namespace {

using Json = nlohmann::json;

/// A position in the text, which also records how far the text was read.
struct Cursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** seen;

  reference operator*() const { return *at; }
  Cursor& operator++() {
    *seen = ++at;
    return *this;
  }
  Cursor operator++(int) {
    Cursor old = *this;
    ++*this;
    return old;
  }
  [[maybe_unused]] friend bool operator==(const Cursor& a, const Cursor& b) { return a.at == b.at; }
  friend bool operator!=(const Cursor& a, const Cursor& b) { return a.at != b.at; }
};

const std::vector<std::string> root_keys{"order", "states"},
    state_keys{"q", "v", "a", "tau", "q_derivatives", "motor_position"};

/// Handles the parser's events according to their place in the document.
class StatesReader {
 public:
  StatesReader(const std::string& file, std::string_view text)
      : text_(text), seen_(text.data()), counted_(text.data()) {
    given_.file = file;
  }

  GivenStates read() {
    const char* const end = text_.data() + text_.size();
    Json::sax_parse(Cursor{text_.data(), &seen_}, Cursor{end, &seen_}, this);
    if (!has_states_ && findings_.empty())
      add("value-missing", "states is missing. Write {\"states\": [{\"q\": [...]}, ...]}.");
    throw_if_errors(findings_);
    for (GivenState& state : given_.states) {
      if (!state.q && !state.q_derivatives.empty()) state.q = state.q_derivatives.front();
    }
    return std::move(given_);
  }

  bool null() { return unexpected("null"); }
  bool boolean(bool) { return unexpected("true or false"); }
  bool number_integer(Json::number_integer_t x) { return number(static_cast<double>(x)); }
  bool number_unsigned(Json::number_unsigned_t x) { return number(static_cast<double>(x)); }
  bool number_float(double, const std::string& token) {
    if (place() != Place::numbers) return unexpected("a number");
    std::string text = token;
    std::replace(text.begin(), text.end(), ',', '.');  // the token has the decimal mark of the locale
    const auto x = to_number(text);
    if (!x) add("number-invalid", concat(path(), ": ", why_no_number(text), "."));
    return number(x.value_or(0));
  }
  bool string(std::string& text) {
    if (place() != Place::order) return unexpected("a text");
    given_.order->push_back(std::move(text));
    return true;
  }
  bool binary(Json::binary_t&) { return true; }  // does not occur in text

  bool start_object(std::size_t) {
    switch (place()) {
      case Place::document: return enter(Place::root);
      case Place::states: {
        given_.states.emplace_back().line = line();
        return enter(Place::state);
      }
      default: return wrong_container("an object");
    }
  }
  bool start_array(std::size_t) {
    if (place() == Place::root && key_ == "order") {
      given_.order.emplace();
      given_.order_line = line();
      return enter(Place::order);
    }
    if (place() == Place::root && key_ == "states") {
      has_states_ = true;
      return enter(Place::states);
    }
    if (place() == Place::state && key_ == "q_derivatives") return enter(Place::derivatives);
    if (place() == Place::derivatives) {
      numbers_ = &given_.states.back().q_derivatives.emplace_back();
      return enter(Place::numbers);
    }
    if (place() == Place::state && !key_.empty()) {
      numbers_ = &slot(key_)->emplace();
      return enter(Place::numbers);
    }
    return wrong_container("a list");
  }
  bool end_object() { return leave(); }
  bool end_array() { return leave(); }

  bool key(const std::string& name) {
    key_.clear();
    if (place() == Place::skipped) return true;
    const auto& allowed = place() == Place::root ? root_keys : state_keys;
    auto& met = place() == Place::root ? root_met_ : state_met_;
    const auto found = std::find(allowed.begin(), allowed.end(), name);
    if (found == allowed.end()) {
      const auto near = closest(name, allowed);
      add("key-unknown",
          concat(path(), path().empty() ? "key " : ": key ", quoted(name), " is not known here.",
                 near ? concat(" Did you mean ", quoted(*near), "?") : "", " Allowed: ", list_of(allowed), "."));
      return true;
    }
    bool& before = met[static_cast<std::size_t>(found - allowed.begin())];
    if (before) {
      add("key-duplicate", concat(path(), path().empty() ? "key " : ": key ", quoted(name),
                                  " stands twice. Keys are unique; remove one of them."));
      return true;
    }
    before = true;
    key_ = name;
    return true;
  }

  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& why) {
    constexpr int number_overflow = 406;
    if (why.id == number_overflow) {
      add("number-invalid", concat(path(), path().empty() ? "" : ": ", why_no_number(token), "."));
      throw Error(findings_);
    }
    // At the end of the text, the parser has read everything, and its error is not specific.
    const std::string_view word = last_word(token);
    if (word.empty() || why_is_end(why)) {
      add("text-truncated", "the text ends before its brackets and quotes are closed. The file may be truncated.");
    } else if (is_like_number(word) && !to_number(word)) {
      // A number that begins with a digit was counted already, up to its first wrong character.
      const bool counted = word.front() >= '0' && word.front() <= '9';
      add("number-invalid",
          concat(counted ? "" : path(), counted || path().empty() ? "" : ": ", why_no_number(word), "."));
    } else {
      add("json-syntax", concat(quoted(word),
                                " cannot stand here. The text is not JSON; check commas, brackets and quotes "
                                "up to this place."));
    }
    throw Error(findings_);
  }

 private:
  enum class Place { document, root, order, states, state, derivatives, numbers, skipped };
  static constexpr std::size_t deepest = 64;

  Place place() const { return places_.back(); }

  bool enter(Place next) {
    if (places_.size() > deepest) {
      add("text-too-deep", concat("values are nested more than ", deepest, " deep. States need four levels."));
      throw Error(findings_);
    }
    if (next == Place::root) root_met_ = {};
    if (next == Place::state) state_met_ = {};
    places_.push_back(next);
    return true;
  }
  bool leave() {
    places_.pop_back();
    return true;
  }

  bool number(double x) {
    if (place() != Place::numbers) return unexpected("a number");
    numbers_->push_back(x);
    return true;
  }

  /// Reports a value of the wrong kind, except under unknown keys.
  bool unexpected(std::string_view what) {
    switch (place()) {
      case Place::document: complain(what, "An object {\"states\": [...]} is needed."); break;
      case Place::root:
        if (!key_.empty()) complain(what, "A list is needed.");
        break;
      case Place::order:
        complain(what, "The name of a joint is needed.");
        given_.order->emplace_back();  // so that later entries are counted correctly
        break;
      case Place::states:
        complain(what, "An object {\"q\": [...]} is needed.");
        given_.states.emplace_back();
        break;
      case Place::state:
        if (!key_.empty()) complain(what, "A list of numbers is needed; leave it out if it is zero.");
        break;
      case Place::derivatives: complain(what, "A list of numbers is needed for each time derivative of q."); break;
      case Place::numbers:
        complain(what, "A number is needed.");
        numbers_->push_back(0);
        break;
      case Place::skipped: break;
    }
    return true;
  }
  bool wrong_container(std::string_view what) {
    unexpected(what);
    return enter(Place::skipped);
  }
  void complain(std::string_view what, std::string_view needed) {
    const std::string where = path();
    add("value-type", concat(where.empty() ? "the text" : where, " is ", what, ". ", needed));
  }

  std::optional<std::vector<double>>* slot(std::string_view name) {
    GivenState& state = given_.states.back();
    if (name == "motor_position") return &state.motor_position;
    return name == "q" ? &state.q : name == "v" ? &state.v : name == "a" ? &state.a : &state.tau;
  }

  /// The path of the current value: `states[3].q[2]`.
  std::string path() const {
    switch (place()) {
      case Place::document: return "";
      case Place::root: return key_;
      case Place::order: return concat("order[", given_.order->size(), "]");
      case Place::states: return concat("states[", given_.states.size(), "]");
      case Place::state: return concat("states[", given_.states.size() - 1, "]", key_.empty() ? "" : ".", key_);
      case Place::derivatives:
        return concat("states[", given_.states.size() - 1, "].", key_, "[", given_.states.back().q_derivatives.size(),
                      "]");
      case Place::numbers: {
        const bool nested = places_[places_.size() - 2] == Place::derivatives;
        const std::size_t row = given_.states.back().q_derivatives.size() - 1;
        return concat("states[", given_.states.size() - 1, "].", key_, nested ? concat("[", row, "]") : "", "[",
                      numbers_->size(), "]");
      }
      case Place::skipped: break;
    }
    return "";
  }

  void add(std::string_view code, const std::string& message) {
    constexpr std::size_t most = 100;
    findings_.push_back({Severity::error, std::string(code), {given_.file, line()}, message});
    if (findings_.size() < most) return;
    findings_.push_back({Severity::error,
                         "too-many-errors",
                         {given_.file, line()},
                         concat("reading stops after ", most, " errors. Mend these first.")});
    throw Error(findings_);
  }

  /// The line of the last character read, which may be the one after a number.
  int line() {
    const char* const last = seen_ == text_.data() ? seen_ : seen_ - 1;
    for (; counted_ < last; ++counted_) line_ += *counted_ == '\n' ? 1 : 0;
    return line_;
  }

  static bool why_is_end(const nlohmann::detail::exception& why) {
    return std::string_view(why.what()).find("unexpected end of input") != std::string_view::npos ||
           std::string_view(why.what()).find("missing closing quote") != std::string_view::npos;
  }
  static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '+' ||
           c == '-' || c == '_';
  }
  /// Whether a word is or begins like a number, or spells one that is not finite.
  static bool is_like_number(std::string_view word) {
    const auto begins = [&](std::string_view with) {
      return word.size() >= with.size() &&
             std::equal(with.begin(), with.end(), word.begin(), [](char a, char b) { return a == (b | 0x20); });
    };
    return (word.front() >= '0' && word.front() <= '9') ||
           std::string_view("+-.").find(word.front()) != std::string_view::npos || begins("nan") || begins("inf");
  }
  /// The word or character at which reading stopped; the parser's `token` shows whether it read ahead.
  std::string_view last_word(std::string_view token) const {
    constexpr std::size_t longest = 40;
    if (seen_ == text_.data()) return {};
    auto first = static_cast<std::size_t>(seen_ - text_.data()) - 1;
    if (first > 0 && !is_word(text_[first]) && is_word(text_[first - 1]) && !token.empty() && is_word(token.back()))
      --first;
    std::size_t last = first + 1;
    if (!is_word(text_[first])) {
      while (first > 0 && (text_[first] & 0xc0) == 0x80) --first;
      while (last < text_.size() && (text_[last] & 0xc0) == 0x80) ++last;
      return text_.substr(first, last - first);
    }
    while (first > 0 && is_word(text_[first - 1])) --first;
    while (last < text_.size() && is_word(text_[last])) ++last;
    return text_.substr(first, std::min(longest, last - first));
  }

  std::string_view text_;
  const char* seen_;
  const char* counted_;
  int line_ = 1;
  std::vector<Place> places_{Place::document};
  std::string key_;  ///< the key of the next value; empty if it is skipped
  std::array<bool, 6> root_met_{}, state_met_{};
  bool has_states_ = false;
  std::vector<double>* numbers_ = nullptr;
  GivenStates given_;
  Findings findings_;
};

}  // namespace

GivenStates read_states(const std::string& file, std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw Error("text-empty", {file, 0},
                "the text is empty. States are written as {\"states\": [{\"q\": [...]}, ...]}.");
  }
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    const auto line =
        static_cast<int>(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n'));
    throw Error("text-binary", {file, line}, "the text holds the control character \"\\x00\". Is this a binary file?");
  }
  if (!is_utf8(text))
    throw Error("text-encoding", {file, 0}, "the text is not UTF-8. Only UTF-8 is read; save the file as UTF-8.");
  return StatesReader(file, text).read();
}

}  // namespace articula::program
