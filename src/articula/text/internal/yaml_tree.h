#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <articula/text/internal/yaml_log.h>

namespace articula::text {

class YamlNode;

/// A YAML text as a tree of nodes, each with its line. Compact: a file of a million values stays cheap.
///
/// Read by libyaml's events, iteratively. An alias is the node it stands for, shared; what aliases add to the
/// tree when walked is bounded. Keys are scalars and unique in their mapping. Of tags, the core ones (!!str,
/// !!int, !!float, !!bool, !!null, !!seq, !!map) are accepted: !!str makes a plain scalar a quoted one, the
/// others change nothing, since the reader knows what it expects. All other tags, and %TAG directives, are
/// refused.
class YamlTree : public std::enable_shared_from_this<YamlTree> {
 public:
  enum class Type : std::uint8_t { scalar, sequence, mapping };

  /// The tree of the one document in `text`. What can be survived (duplicate keys: the first one counts) is
  /// added to `log`; a text that is not YAML, too deep or a bomb throws.
  static YamlTree parse(std::string_view text, const std::string& file_name, YamlLog& log);

  YamlNode root() const;

  std::uint64_t size() const { return nodes_.size(); }  ///< nodes, each counted once
  std::uint64_t shared() const { return shared_; }      ///< nodes that aliases add to them when the tree is walked

 private:
  friend class YamlNode;
  friend class YamlBuilder;

  struct Node {
    std::uint32_t first = 0;  ///< of a scalar: its place in text_; else: of its children in links_
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

/// A node of a tree; cheap to copy, valid as long as the tree.
class YamlNode {
 public:
  YamlNode(const YamlTree& tree, std::uint32_t id) : tree_(&tree), id_(id) {}

  bool is_scalar() const { return node().type == YamlTree::Type::scalar; }
  bool is_sequence() const { return node().type == YamlTree::Type::sequence; }
  bool is_mapping() const { return node().type == YamlTree::Type::mapping; }
  /// Nothing was written: an empty plain scalar, `~` or `null`.
  bool is_null() const;
  /// A scalar without quotes.
  bool is_plain() const { return node().plain; }

  int line() const { return node().line; }
  const YamlTree& tree() const { return *tree_; }
  std::uint32_t id() const { return id_; }  ///< its place in the tree

  /// What a scalar says.
  std::string_view text() const { return std::string_view(tree_->text_).substr(node().first, node().size); }

  /// Entries of a sequence, or pairs of a mapping; those that repeat an earlier key are left out.
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
