#include <articula/text/internal/yaml_tree.h>

#include <yaml.h>

#include <algorithm>
#include <new>
#include <string>
#include <unordered_map>

#include <articula/base/text.h>
#include <articula/text/internal/yaml_text.h>

namespace articula::text {
namespace {

constexpr std::size_t deepest = 200;      ///< levels of nesting; nested parts use two each
constexpr std::size_t deepest_flow = 64;  ///< of these in brackets, which cost libyaml time for every token

/// Maximum number of nodes, and of characters in scalars, that aliases may add to a traversal of the tree.
std::uint64_t most_shared(std::string_view text) { return 100'000 + text.size() / 8; }
std::uint64_t most_shared_text(std::string_view text) { return 1'000'000 + text.size(); }

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

struct Event {
  yaml_event_t raw{};
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&raw); }
  int line() const { return static_cast<int>(raw.start_mark.line) + 1; }
};

struct Parser {
  yaml_parser_t raw{};
  Parser() {
    if (yaml_parser_initialize(&raw) == 0) throw std::bad_alloc();
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { yaml_parser_delete(&raw); }
};

}  // namespace

bool YamlNode::is_null() const {
  return is_scalar() && is_plain() && (text().empty() || text() == "~" || text() == "null");
}

/// Builds a tree from libyaml's events. Open collections are in a list, not on the stack.
class YamlBuilder {
 public:
  YamlBuilder(std::string_view text, const std::string& file, YamlLog& log) : input_(text), file_(file), log_(log) {}

  YamlTree build() {
    // An upper bound; unused capacity costs nothing.
    tree_.nodes_.reserve(input_.size() / 4);
    tree_.links_.reserve(input_.size() / 4);
    tree_.text_.reserve(input_.size());
    Parser parser;
    yaml_parser_set_encoding(&parser.raw, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser.raw, reinterpret_cast<const unsigned char*>(input_.data()), input_.size());
    for (bool more = true; more;) {
      Event event;
      if (yaml_parser_parse(&parser.raw, &event.raw) == 0) fail_syntax(parser.raw);
      more = take(event);
    }
    if (tree_.nodes_.empty()) fail_empty(file_, log_);
    tree_.shared_ = shared_;
    return std::move(tree_);
  }

 private:
  using Node = YamlTree::Node;
  using Type = YamlTree::Type;

  /// A node and the cost of its traversal.
  struct Measured {
    std::uint32_t id = 0;
    std::uint64_t weight = 1;  ///< its nodes, with those of aliases counted each time
    std::uint64_t text = 0;    ///< characters of its scalars, likewise
    std::size_t height = 0;    ///< levels below it
  };
  struct Open {
    Measured node;
    std::size_t first_child;
    std::string anchor;
  };
  struct Hashed {
    std::size_t hash;
    std::size_t pair;
  };

  /// Processes an event; false after the last one.
  bool take(const Event& event) {
    switch (event.raw.type) {
      case YAML_ALIAS_EVENT: take_alias(event); break;
      case YAML_SCALAR_EVENT: take_scalar(event); break;
      case YAML_SEQUENCE_START_EVENT: {
        const auto& start = event.raw.data.sequence_start;
        check_tag(event, view(start.tag), YAML_SEQ_TAG);
        open(event, Type::sequence, view(start.anchor), start.style == YAML_FLOW_SEQUENCE_STYLE);
        break;
      }
      case YAML_MAPPING_START_EVENT: {
        const auto& start = event.raw.data.mapping_start;
        check_tag(event, view(start.tag), YAML_MAP_TAG);
        open(event, Type::mapping, view(start.anchor), start.style == YAML_FLOW_MAPPING_STYLE);
        break;
      }
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: close(); break;
      case YAML_DOCUMENT_END_EVENT: check_end(event); return false;
      case YAML_STREAM_END_EVENT: return false;
      default: break;
    }
    return true;
  }

  void take_scalar(const Event& event) {
    const auto& scalar = event.raw.data.scalar;
    bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const std::string_view tag = view(scalar.tag);
    if (tag == YAML_STR_TAG || tag == "!") {
      plain = false;
    } else if (!tag.empty() && tag != YAML_INT_TAG && tag != YAML_FLOAT_TAG && tag != YAML_BOOL_TAG &&
               tag != YAML_NULL_TAG) {
      refuse_tag(event, tag);
    }
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    Measured node;
    node.id = add_node({static_cast<std::uint32_t>(tree_.text_.size()), static_cast<std::uint32_t>(text.size()),
                        event.line(), Type::scalar, plain});
    node.text = text.size();
    tree_.text_ += text;
    finish(node, view(scalar.anchor), event.line());
  }

  void check_tag(const Event& event, std::string_view tag, std::string_view core_tag) {
    if (!tag.empty() && tag != core_tag && tag != "!") refuse_tag(event, tag);
  }

  void open(const Event& event, Type type, std::string_view anchor, bool flow) {
    flow_depth_ = flow ? flow_depth_ + 1 : 0;  // inside brackets everything is flow
    if (open_.size() >= deepest) fail_depth(event.line(), deepest, "levels");
    if (flow_depth_ > deepest_flow) fail_depth(event.line(), deepest_flow, "brackets");
    Measured node;
    node.id = add_node({0, 0, event.line(), type, false});
    open_.push_back({node, children_.size(), std::string(anchor)});
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    if (flow_depth_ > 0) --flow_depth_;
    Node& node = tree_.nodes_[closed.node.id];
    const auto begin = children_.begin() + static_cast<std::ptrdiff_t>(closed.first_child);
    if (node.type == Type::mapping) children_.erase(without_duplicates(begin, children_.end()), children_.end());
    node.first = static_cast<std::uint32_t>(tree_.links_.size());
    node.size = static_cast<std::uint32_t>(children_.size() - closed.first_child);
    tree_.links_.insert(tree_.links_.end(), children_.begin() + static_cast<std::ptrdiff_t>(closed.first_child),
                        children_.end());
    children_.resize(closed.first_child);
    finish(closed.node, closed.anchor, node.line);
  }

  void take_alias(const Event& event) {
    const std::string_view name = view(event.raw.data.alias.anchor);
    const auto found = anchors_.find(std::string(name));
    if (found == anchors_.end()) {
      log_.fail("alias-unknown", {file_, event.line()},
                concat("alias *", name, " stands for nothing. Write its anchor &", name,
                       " before it, on a value that does not hold the alias itself."));
    }
    const Measured& target = found->second;
    if (open_.size() + target.height > deepest) fail_depth(event.line(), deepest, "levels");
    shared_ += target.weight;
    shared_text_ += target.text;
    const auto refuse = [&](std::uint64_t most, std::string_view what) {
      log_.fail("alias-bomb", {file_, event.line()},
                concat("with alias *", name, " the aliases stand for more than ", most, what,
                       ". Write large things once, e.g. as a part."));
    };
    if (shared_ > most_shared(input_)) refuse(most_shared(input_), " values");
    if (shared_text_ > most_shared_text(input_)) refuse(most_shared_text(input_), " characters");
    finish(target, {}, event.line());
  }

  /// Adds a complete node to its collection.
  void finish(const Measured& node, std::string_view anchor, int line) {
    if (!anchor.empty()) anchors_[std::string(anchor)] = node;
    if (open_.empty()) {
      tree_.root_ = node.id;
      return;
    }
    Open& parent = open_.back();
    const bool is_key =
        tree_.nodes_[parent.node.id].type == Type::mapping && (children_.size() - parent.first_child) % 2 == 0;
    if (is_key && tree_.nodes_[node.id].type != Type::scalar) {
      log_.fail("key-invalid", {file_, line},
                "a list or mapping is used as a key. Keys are texts; put quotes around it.");
    }
    children_.push_back(node.id);
    parent.node.weight += node.weight;
    parent.node.text += node.text;
    parent.node.height = std::max(parent.node.height, node.height + 1);
  }

  std::uint32_t add_node(const Node& node) {
    tree_.nodes_.push_back(node);
    return static_cast<std::uint32_t>(tree_.nodes_.size() - 1);
  }

  using Children = std::vector<std::uint32_t>::iterator;

  /// Removes and reports pairs that repeat an earlier key of their mapping; returns the new end.
  Children without_duplicates(Children begin, Children end) {
    const auto pairs = static_cast<std::size_t>(end - begin) / 2;
    const auto key = [&](std::size_t pair) { return YamlNode(tree_, begin[2 * static_cast<std::ptrdiff_t>(pair)]); };
    repeated_.clear();
    if (pairs <= 8) {
      for (std::size_t k = 1; k < pairs; ++k) {
        std::size_t first = 0;
        while (key(first).text() != key(k).text()) ++first;
        if (first < k) report_duplicate(key(first), key(k), k);
      }
    } else {
      find_duplicates_by_hash(pairs, key);
    }
    if (repeated_.empty()) return end;
    std::sort(repeated_.begin(), repeated_.end());
    Children kept = begin;
    for (std::size_t pair = 0, next = 0; pair < pairs; ++pair) {
      if (next < repeated_.size() && repeated_[next] == pair) {
        ++next;
        continue;
      }
      for (int k = 0; k < 2; ++k) *kept++ = begin[2 * static_cast<std::ptrdiff_t>(pair) + k];
    }
    return kept;
  }

  /// Sorted by hash, then by text, then by position: no input makes it quadratic.
  template <class KeyOf>
  void find_duplicates_by_hash(std::size_t pairs, const KeyOf& key) {
    order_.clear();
    for (std::size_t k = 0; k < pairs; ++k) order_.push_back({std::hash<std::string_view>()(key(k).text()), k});
    std::sort(order_.begin(), order_.end(), [&](const Hashed& a, const Hashed& b) {
      if (a.hash != b.hash) return a.hash < b.hash;
      const int order = key(a.pair).text().compare(key(b.pair).text());
      return order != 0 ? order < 0 : a.pair < b.pair;
    });
    for (std::size_t k = 1, first = 0; k < pairs; ++k) {
      const bool same =
          order_[k].hash == order_[first].hash && key(order_[k].pair).text() == key(order_[first].pair).text();
      if (same) {
        report_duplicate(key(order_[first].pair), key(order_[k].pair), order_[k].pair);
      } else {
        first = k;
      }
    }
  }

  void report_duplicate(const YamlNode& first, const YamlNode& again, std::size_t pair) {
    repeated_.push_back(pair);
    log_.error("key-duplicate", {file_, again.line()},
               concat("key ", quoted(again.text()), " stands twice in one mapping, first on line ", first.line(),
                      ". Keys are unique; rename or remove one of them."));
  }

  /// Checks that nothing follows the document. The parser is not used, since it is slow on some inputs.
  void check_end(const Event& event) {
    const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    const auto characters = static_cast<std::size_t>(std::count_if(input_.begin(), input_.end(), begins_character));
    if (event.raw.end_mark.index >= characters) return;
    log_.fail("yaml-syntax", {file_, static_cast<int>(event.raw.end_mark.line) + 1},
              "the text goes on after the end of the document. Check indentation, brackets and quotes before "
              "this line.");
  }

  [[noreturn]] void fail_depth(int line, std::size_t most, std::string_view what) {
    log_.fail("text-too-deep", {file_, line},
              concat("the text is nested more than ", most, " ", what, " deep. No model needs that; flatten it."));
  }

  [[noreturn]] void refuse_tag(const Event& event, std::string_view tag) {
    log_.fail("yaml-tag", {file_, event.line()},
              concat("tag ", quoted(tag),
                     " is not known. Allowed: !!str, !!int, !!float, !!bool, !!null, !!seq, !!map; "
                     "best write none."));
  }

  [[noreturn]] void fail_syntax(const yaml_parser_t& parser) {
    if (parser.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    const std::string problem = parser.problem == nullptr ? "something is missing" : parser.problem;
    if (parser.error == YAML_READER_ERROR) {
      const auto end = input_.begin() + static_cast<std::ptrdiff_t>(std::min(parser.problem_offset, input_.size()));
      log_.fail("text-encoding", {file_, 1 + static_cast<int>(std::count(input_.begin(), end, '\n'))},
                concat("the text holds a character that YAML does not allow: ", problem,
                       ". Write it as an escape in double quotes."));
    }
    // The end of a truncated text is its last line, not the line after it.
    const std::size_t end = std::min(input_.find_last_not_of(" \t\r\n"), input_.size());
    const auto last =
        static_cast<std::size_t>(std::count(input_.begin(), input_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    const std::size_t line = std::min(parser.problem_mark.line, last);
    const std::string context =
        parser.context == nullptr ? ""
                                  : concat(" ", parser.context, " that begins on line ", parser.context_mark.line + 1);
    log_.fail("yaml-syntax", {file_, static_cast<int>(line) + 1},
              concat("the text is not YAML: ", problem, context,
                     ". Check indentation, brackets and quotes up to this line."));
  }

  std::string_view input_;
  const std::string& file_;
  YamlLog& log_;
  YamlTree tree_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> children_;  ///< of all open collections, innermost last
  std::vector<Hashed> order_;            ///< scratch
  std::vector<std::size_t> repeated_;    ///< scratch
  std::unordered_map<std::string, Measured> anchors_;
  std::uint64_t shared_ = 0, shared_text_ = 0;
  std::size_t flow_depth_ = 0;
};

YamlTree YamlTree::parse(std::string_view text, const std::string& file_name, YamlLog& log) {
  return YamlBuilder(only_document(text, file_name, log), file_name, log).build();
}

}  // namespace articula::text
