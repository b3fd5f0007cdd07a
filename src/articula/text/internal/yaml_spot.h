#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/text/internal/yaml_log.h>
#include <articula/text/internal/yaml_tree.h>

namespace articula::text {

/// The subject of a passage of text: the file, and an entity (`joint "elbow"`), if any.
struct Subject {
  const std::string& file;
  YamlLog& log;
  std::string_view kind = {};
  std::string_view name = {};
};

/// A value in the text and its path, for messages. Exists on the stack while the value is read.
class Spot {
 public:
  Spot(const Subject& about, YamlNode value) : node(value), subject(about) {}
  /// The value of the key `label` in the mapping `outer`.
  Spot(const Spot& outer, YamlNode value, std::string_view label)
      : node(value), subject(outer.subject), outer_(&outer), label_(label) {}
  /// Entry k of the list `outer`, from 0.
  Spot(const Spot& outer, std::size_t k)
      : node(outer.node.item(k)), subject(outer.subject), outer_(&outer), entry_(k + 1) {}

  /// Reports `joint "elbow": limits #2: what is wrong. ...`; `what` begins with ": " or " is ".
  void error(std::string code, std::string_view what) const { error_at(node, std::move(code), what); }
  /// The same, at the line of another node.
  void error_at(const YamlNode& place, std::string code, std::string_view what) const;
  void warning(std::string code, std::string_view what) const;
  /// Reports a wrong type: `mass is a list. A number is needed, e.g. 0.5.`
  void wrong_type(std::string_view needed) const;

  Where where() const { return {subject.file, node.line()}; }
  std::string_view label() const { return label_; }

  const YamlNode node;
  const Subject& subject;

 private:
  std::string about() const;
  std::string path() const;

  const Spot* outer_ = nullptr;
  std::string_view label_;
  std::size_t entry_ = 0;  ///< of a list, from 1
};

/// `: key "masss" is not known here. Did you mean "mass"? Allowed: ...`
std::string unknown_key(std::string_view key, const std::vector<std::string>& allowed);

/// A description of a node for messages: `a list`, `a mapping`, `empty` or the quoted text.
std::string what_stands(const YamlNode& node);

/// The keys of a mapping. Each is requested by name; keys that are never requested are errors.
class Keys {
 public:
  /// A mapping; an empty node is an empty mapping. Otherwise reports an error, and there are no keys.
  Keys(const Spot& mapping, std::string_view needed);

  /// The value of a key; empty if it does not exist.
  std::optional<Spot> find(std::string_view key);
  /// The same, but only at the first request.
  std::optional<Spot> find_unused(std::string_view key);
  bool has(std::string_view key) const { return place(key) >= 0; }

  bool ok() const { return ok_; }
  const Spot& mapping() const { return mapping_; }

  /// Reports keys that were never requested; `allowed` lists all keys.
  void finish(std::initializer_list<std::string_view> allowed) const;
  template <class Names>
    requires std::is_invocable_r_v<std::vector<std::string>, Names>
  void finish(Names&& allowed) const {
    if (unused()) report_unknown(allowed());
  }

 private:
  int place(std::string_view key) const;
  bool is_used(std::size_t pair) const;
  bool unused() const { return used_count_ < size_; }
  void report_unknown(const std::vector<std::string>& allowed) const;

  const Spot& mapping_;
  bool ok_ = true;
  std::size_t size_ = 0, used_count_ = 0;
  std::vector<std::uint32_t> sorted_;  ///< pair indices sorted by key, for long mappings
  std::uint64_t used_ = 0;             ///< one bit for each pair of a short mapping
  std::vector<bool> used_long_;        ///< for long mappings
};

}  // namespace articula::text
