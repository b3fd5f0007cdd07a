#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <articula/text/internal/yaml_log.h>

namespace articula::text {

class YamlNode;

/// A YAML text as a tree of nodes with line numbers. Compact, for files with millions of values.
///
/// Built iteratively from libyaml's events. An alias shares the node that it refers to; the cost that aliases add to a
/// traversal is bounded. Keys are scalars and unique in their mapping. Of tags, the core ones (!!str, !!int, !!float,
/// !!bool, !!null, !!seq, !!map) are accepted: !!str makes a plain scalar a quoted one, the others change nothing,
/// since the reader knows the expected type. All other tags, and %TAG directives, are refused.
class YamlTree : public std::enable_shared_from_this<YamlTree> {
 public:
  enum class Type : std::uint8_t { scalar, sequence, mapping };

  /// The tree of the single document in `text`. Recoverable errors (duplicate keys: the first one counts) are added to
  /// `log`; throws if the text is not YAML, or is too deep or too large when aliases are expanded.
  static YamlTree parse(std::string_view text, const std::string& file_name, YamlLog& log);

  YamlNode root() const;

  std::uint64_t size() const { return nodes_.size(); }  ///< nodes, each counted once
  std::uint64_t shared() const { return shared_; }      ///< nodes that aliases add to a traversal of the tree

 private:
  friend class YamlNode;
  friend class YamlBuilder;

  struct Node {
    std::uint32_t first = 0;  ///< of a scalar: its offset in text_; otherwise of its children in links_
    std::uint32_t size = 0;   ///< characters, or children; a key and its value are two
    std::int32_t line = 0;
    Type type = Type::scalar;
    bool plain = false;  ///< a scalar without quotes
  };

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> links_;
  std::string text_;
  std::uint32_t root_ = 0;
  std::uint64_t shared_ = 0;
};

/// A node of a tree; cheap to copy, valid during the lifetime of the tree.
class YamlNode {
 public:
  YamlNode(const YamlTree& tree, std::uint32_t id) : tree_(&tree), id_(id) {}

  bool is_scalar() const { return node().type == YamlTree::Type::scalar; }
  bool is_sequence() const { return node().type == YamlTree::Type::sequence; }
  bool is_mapping() const { return node().type == YamlTree::Type::mapping; }
  /// An empty plain scalar, `~` or `null`.
  bool is_null() const;
  /// A scalar without quotes.
  bool is_plain() const { return node().plain; }

  int line() const { return node().line; }
  const YamlTree& tree() const { return *tree_; }
  std::uint32_t id() const { return id_; }  ///< its index in the tree

  /// The content of a scalar.
  std::string_view text() const { return std::string_view(tree_->text_).substr(node().first, node().size); }

  /// The number of entries of a sequence, or pairs of a mapping without repeated keys.
  std::size_t size() const { return is_mapping() ? node().size / 2 : node().size; }
  YamlNode item(std::size_t k) const { return child(k); }
  YamlNode key(std::size_t k) const { return child(2 * k); }
  YamlNode value(std::size_t k) const { return child(2 * k + 1); }

 private:
  const YamlTree::Node& node() const { return tree_->nodes_[id_]; }
  YamlNode child(std::size_t k) const { return {*tree_, tree_->links_[node().first + k]}; }

  const YamlTree* tree_;
  std::uint32_t id_;
};

inline YamlNode YamlTree::root() const { return {*this, root_}; }

}  // namespace articula::text
